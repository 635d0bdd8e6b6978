/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* families.c - every metric family there is, each in one place. */
#include "export/families.h"

#include "format/health.h"

/*
 * pmu_state is a gauge in OpenMetrics, too: a state set would have to call its label by the name of
 * the family, and so differ from the other text.
 *
 * OpenTelemetry's conventions have container.cpu.time, and nothing for slots; there, as in
 * Prometheus, the points of one metric must have a meaning when they are added up. So each level is
 * a metric of its own, and what is no container is in metrics of its own (cgroup.cpu): nobody takes
 * an idle CPU for a busy container. What is OF_CORES makes them up to the node.
 */

#define COUNTER .type = FAMILY_COUNTER
#define GAUGE .type = FAMILY_GAUGE
#define INFO .type = FAMILY_INFO
#define HISTOGRAM .type = FAMILY_HISTOGRAM
#define ACCOUNT(member) .scope = OF_ACCOUNTS, .offset = offsetof(struct ctd_account, member)
#define CORE(member) .scope = OF_CORES, .offset = offsetof(struct ctd_ledger_core_type, member)
#define PAIR(member) .scope = OF_PAIRS, .offset = offsetof(struct ctd_pair_total, pair.member)
#define FUNCTION .scope = OF_FUNCTIONS
#define FUNCTION_NAME                            \
	{                                        \
		"function", "code.function.name" \
	}
#define VENDOR_GROUP                              \
	{                                         \
		"group", "cgtopdown.vendor.group" \
	}
#define VENDOR_METRIC                               \
	{                                           \
		"metric", "cgtopdown.vendor.metric" \
	}
#define OF(who, part)                                   \
	{                                               \
		who "_" part, "cgtopdown." who "." part \
	}
#define WHO(who)                                                                     \
	OF(who, "kind"), OF(who, "namespace"), OF(who, "pod"), OF(who, "container"), \
		OF(who, "cgroup"), OF(who, "core")
#define PAIR_LABELS .labels = {{"pair", "cgtopdown.pair"}, WHO("victim"), WHO("occupier")}
#define VIEW(member) .scope = OF_VIEW, .offset = offsetof(struct ctd_ledger_view, member)
#define SELF(member) .scope = OF_SELF, .offset = offsetof(struct ctd_self, member)
#define SAMPLING(counter) SELF(profile_health.sampling[counter]), .has = ctd_has_profiles
#define NS .figure = FIGURE_NS, .unit = "seconds"
#define OTLP(name, its_unit) .otlp = (name), .otlp_unit = (its_unit)
#define CATEGORY .labels = {{"category", "cpu.topdown.category"}}

static const struct family families[] = {
	{"cgtopdown_slots", COUNTER, .unit = "slots", ACCOUNT(node_slots), CATEGORY,
	 .has = ctd_has_slots, .points = ctd_points_level1, OTLP("topdown.slots", "{slot}"),
	 .help = "Pipeline slots by where they went, level 1 of the top-down tree."},
	{"cgtopdown_l2_slots", COUNTER, .unit = "slots", ACCOUNT(node_slots), CATEGORY,
	 .has = ctd_has_slots, .points = ctd_points_level2, OTLP("topdown.l2.slots", "{slot}"),
	 .help = "Pipeline slots by where they went, level 2: parts of the categories of level 1."},
	{"cgtopdown_pipeline_slots", COUNTER, .unit = "slots", ACCOUNT(slots), .created = true,
	 .has = ctd_has_slots, OTLP("topdown.pipeline_slots", "{slot}"),
	 .help = "All pipeline slots that were counted."},
	{"cgtopdown_cpu_seconds", COUNTER, NS, ACCOUNT(cpu_ns), .created = true, OTLP("time", "s"),
	 .help = "Time on CPUs; of kind idle, the time in which they did nothing."},
	{"cgtopdown_pmu_enabled_seconds", COUNTER, NS, ACCOUNT(cpu_ns), .has = ctd_has_counters,
	 .help = "Time on CPUs in which counters were to count."},
	{"cgtopdown_pmu_running_seconds", COUNTER, NS, ACCOUNT(counted_ns), .has = ctd_has_counters,
	 OTLP("topdown.counted_time", "s"), .help = "Time on CPUs in which counters did count."},
	{"cgtopdown_cycles", COUNTER, ACCOUNT(ipc.count[CTD_IPC_CYCLES]), .points = ctd_points_ipc,
	 OTLP("cycles", "{cycle}"),
	 .help = "Cycles in which the CPU was not halted, in cgtopdown_general_running_seconds_total."},
	{"cgtopdown_instructions", COUNTER, ACCOUNT(ipc.count[CTD_IPC_INSTRUCTIONS]),
	 .points = ctd_points_ipc, OTLP("instructions", "{instruction}"),
	 .help = "Instructions that retired, in cgtopdown_general_running_seconds_total."},
	{"cgtopdown_branch_misses", COUNTER, ACCOUNT(ipc.count[CTD_IPC_BRANCH_MISSES]),
	 .points = ctd_points_ipc, OTLP("branch_misses", "{miss}"),
	 .help = "Branches that retired and went another way than predicted, in "
		 "cgtopdown_general_running_seconds_total."},
	{"cgtopdown_cache_misses", COUNTER, ACCOUNT(ipc.count[CTD_IPC_CACHE_MISSES]),
	 .points = ctd_points_ipc, .labels = {{"cache", "cgtopdown.cache"}},
	 OTLP("cache_misses", "{miss}"),
	 .help = "Misses of the cache that the label names, in "
		 "cgtopdown_general_running_seconds_total."},
	{"cgtopdown_general_running_seconds", COUNTER, NS, ACCOUNT(ipc.counted_ns),
	 .has = ctd_has_ipc, OTLP("general.counted_time", "s"),
	 .help = "Time on CPUs in which cycles, instructions and misses were counted: a part of all, "
		 "by which they are to be divided."},
	{"cgtopdown_wait_seconds", COUNTER, NS, ACCOUNT(waits.ns), .has = ctd_has_waits,
	 .points = ctd_points_waits, .labels = {{"cause", "cgtopdown.wait.cause"}},
	 OTLP("wait_time", "s"),
	 .help = "Time that tasks which could run waited for a CPU, by what had it: own, tasks of "
		 "the same row; other, those of other rows; kernel, kernel threads; idle, nobody "
		 "yet; throttled, their quota was used up; unknown, too long ago to tell; short, "
		 "waits of less than 50 us, which are not looked into."},
	{"cgtopdown_waits", COUNTER, .scope = OF_ACCOUNTS, .has = ctd_has_waits,
	 .points = ctd_points_waits_count, OTLP("waits", "{wait}"),
	 .help = "Times that a task which could run waited for a CPU."},
	{"cgtopdown_wait_duration_seconds", HISTOGRAM, NS, ACCOUNT(waits.histogram),
	 .has = ctd_has_wait_histogram, .points = ctd_points_wait_histogram,
	 .labels = {{"le", NULL}}, OTLP("wait_duration", "s"),
	 .help = "How long tasks which could run waited for a CPU, each time (--wait-histogram)."},
	{"cgtopdown_preemptions", COUNTER, ACCOUNT(waits.preempted), .has = ctd_has_waits,
	 .points = ctd_points_preemptions, .labels = {{"direction", "cgtopdown.direction"}},
	 OTLP("preemptions", "{preemption}"),
	 .help = "Times that a task which could go on was put off its CPU: suffered, for one of "
		 "another row; done, that of another row for one of its own; within, for a task "
		 "of its own, of the kernel, or for want of quota."},
	{"cgtopdown_smt_seconds", COUNTER, NS, ACCOUNT(smt.parts), .has = ctd_has_smt,
	 .points = ctd_points_smt, .labels = {{"sibling", "cgtopdown.smt.sibling"}},
	 OTLP("smt.time", "s"),
	 .help = "Time on CPUs by what the core's other hardware thread did: idle, nothing; same, ran "
		 "the same cgroup; other, ran another one or the kernel; mixed, more than one of them."},
	{"cgtopdown_smt_slots", COUNTER, .unit = "slots", ACCOUNT(smt.parts),
	 .has = ctd_has_smt_slots, .points = ctd_points_smt_slots,
	 .labels = {{"sibling", "cgtopdown.smt.sibling"}}, OTLP("smt.pipeline_slots", "{slot}"),
	 .help = "Pipeline slots by what the core's other hardware thread did."},
	{"cgtopdown_smt_retired_slots", COUNTER, .unit = "slots", ACCOUNT(smt.parts),
	 .has = ctd_has_smt_slots, .points = ctd_points_smt_retired,
	 .labels = {{"sibling", "cgtopdown.smt.sibling"}}, OTLP("smt.retired_slots", "{slot}"),
	 .help = "Pipeline slots in which something retired, by what the core's other hardware thread "
		 "did: per second beside another cgroup and beside nobody they tell what it costs."},
	{"cgtopdown_pair_wait_seconds", COUNTER, NS, PAIR(wait_ns), .points = ctd_points_pair,
	 PAIR_LABELS, OTLP("cgtopdown.pair.wait_time", "s"),
	 .help = "Time that tasks of the victim waited for a CPU which the occupier had (--pairs-max), by "
		 "pair: shown, a pair of rows that has a place; other, all pairs of rows without one, and "
		 "what the kernel side had no room for; ended, what pairs had that gave their place "
		 "back, as one of their rows was gone."},
	{"cgtopdown_pair_waits", COUNTER, PAIR(waits), .points = ctd_points_pair, PAIR_LABELS,
	 OTLP("cgtopdown.pair.waits", "{wait}"), .help = "Times that they did (--pairs-max)."},
	{"cgtopdown_pair_preemptions", COUNTER, PAIR(preempted), .points = ctd_points_pair,
	 PAIR_LABELS, OTLP("cgtopdown.pair.preemptions", "{preemption}"),
	 .help = "Times that a task of the victim which could go on was put off its CPU for one of "
		 "the occupier (--pairs-max)."},
	{"cgtopdown_slices", COUNTER, ACCOUNT(slices), OTLP("slices", "{slice}"),
	 .help = "Times on a CPU between two readings of its counters."},
	{"cgtopdown_function_cpu_seconds", COUNTER, NS, FUNCTION, .points = ctd_points_function,
	 .labels = {FUNCTION_NAME}, OTLP("function.time", "s"),
	 .help = "Time on CPUs by the functions that ran (--profile-top), as samples divide that of the "
		 "row, ten seconds at a time: those that have a place; [other], all without one; [not "
		 "sampled], time that no sample hit."},
	{"cgtopdown_function_slots", COUNTER, .unit = "slots", FUNCTION,
	 .points = ctd_points_function_slots,
	 .labels = {FUNCTION_NAME, {"category", "cpu.topdown.category"}},
	 OTLP("topdown.function.slots", "{slot}"),
	 .help = "Pipeline slots by function and level 1 of the top-down tree (--profile-top)."},
	{"cgtopdown_vendor_metric_value", GAUGE, .scope = OF_VENDOR_METRICS, .figure = FIGURE_REAL,
	 .points = ctd_points_vendor_metric, .labels = {VENDOR_METRIC},
	 OTLP("vendor.metric_value", "1"),
	 .help = "Vendors' metrics (--metrics-dir) of the newest interval, in the unit that "
		 "cgtopdown_vendor_metric_info has. Not there where the row did not run, or too little "
		 "was counted."},
	{"cgtopdown_vendor_events", COUNTER, .scope = OF_VENDOR_EVENTS,
	 .points = ctd_points_vendor_event,
	 .labels = {VENDOR_GROUP, {"event", "cgtopdown.vendor.event"}},
	 OTLP("vendor.events", "{event}"),
	 .help = "Events of vendors' metrics (--metrics-dir), in "
		 "cgtopdown_vendor_running_seconds_total of their group."},
	{"cgtopdown_vendor_running_seconds", COUNTER, NS, .scope = OF_VENDOR_GROUPS,
	 .points = ctd_points_vendor_group, .labels = {VENDOR_GROUP},
	 OTLP("vendor.counted_time", "s"),
	 .help = "Time on CPUs in which a group of events of vendors' metrics (--metrics-dir) was "
		 "counted: a part of all."},
	{"cgtopdown_vendor_metric", INFO, .scope = OF_VENDOR_NAMES,
	 .points = ctd_points_vendor_name,
	 .labels = {VENDOR_METRIC,
		    {"unit", "cgtopdown.vendor.unit"},
		    VENDOR_GROUP,
		    {"level", "cgtopdown.vendor.level"},
		    {"parent", "cgtopdown.vendor.parent"}},
	 OTLP("cgtopdown.vendor.metric.info", "1"),
	 .help = "Vendors' metrics that are counted (--metrics-dir): their unit, the group of events "
		 "that they are of, and where they are in the vendor's tree."},
	{"cgtopdown_container", INFO, .scope = OF_CONTAINERS, .has = ctd_is_container,
	 .points = ctd_points_container,
	 .labels = {{"container_id", "container.id"},
		    {"pod_uid", NULL},
		    {"runtime", NULL},
		    {"image", NULL},
		    {"qos", NULL},
		    {"owner_kind", NULL},
		    {"owner", NULL},
		    {"cgroup", "cgtopdown.cgroup"}},
	 .pod_labels = true, OTLP("container.info", "1"),
	 .help = "Who a container is; of several of one name, the newest."},
	{"cgtopdown_container_start_time_seconds", GAUGE, NS, .scope = OF_CONTAINERS,
	 .has = ctd_has_start, .points = ctd_points_start,
	 .help = "When a container was started, since 1970."},
	{"cgtopdown_node_slots", COUNTER, .unit = "slots", CORE(totals.slots),
	 .has = ctd_has_core_slots, OTLP("cgtopdown.pipeline_slots", "{slot}"),
	 .help = "All pipeline slots of the node: those of all rows, ended, held, unattributed and "
		 "residual ones."},
	{"cgtopdown_unattributed_slots", COUNTER, .unit = "slots", CORE(totals.unattributed_slots),
	 .has = ctd_has_core_slots, OTLP("cgtopdown.unattributed.slots", "{slot}"),
	 .help = "Pipeline slots that belong to no row, as a reading failed or a switch was lost."},
	{"cgtopdown_ended_slots", COUNTER, .unit = "slots", CORE(totals.fetched_slots),
	 .has = ctd_has_core_slots, OTLP("cgtopdown.fetched.slots", "{slot}"),
	 .help = "Pipeline slots of rows that ended, were fetched once more, and are gone."},
	{"cgtopdown_ended_cpu_seconds", COUNTER, NS, CORE(totals.fetched_ns),
	 OTLP("cgtopdown.fetched.time", "s"),
	 .help = "CPU time of rows that ended, were fetched once more, and are gone."},
	{"cgtopdown_held_slots", GAUGE, .unit = "slots", CORE(totals.held_slots),
	 .has = ctd_has_core_slots, OTLP("cgtopdown.held.slots", "{slot}"),
	 .help = "Pipeline slots of rows that are not shown yet, as their names are waited for."},
	{"cgtopdown_residual_slots", GAUGE, .unit = "slots", CORE(totals.residual_slots),
	 .figure = FIGURE_SIGNED, .has = ctd_has_core_slots,
	 OTLP("cgtopdown.residual.slots", "{slot}"),
	 .help = "What is wrong with the sum of all slots: 0 unless the accounting is."},
	{"cgtopdown_unattributed_cpu_seconds", COUNTER, NS, VIEW(totals.unattributed_ns),
	 OTLP("cgtopdown.unattributed.time", "s"),
	 .help = "CPU time that belongs to no row, around switches that the kernel did not tell "
		 "of."},
	{"cgtopdown_pmu_state", GAUGE, .scope = OF_CORES, .points = ctd_points_state,
	 .labels = {{"state", "cgtopdown.state"}}, OTLP("cgtopdown.pmu.state", "1"),
	 .help = "What the counters are good for: 1 for the state that holds, 0 for the others."},
	{"cgtopdown_source", INFO, .scope = OF_CORES, .points = ctd_points_source,
	 .labels = {{"source", NULL},
		    {"method", NULL},
		    {"scope", NULL},
		    {"level", NULL},
		    {"model", NULL},
		    {"simulated", NULL},
		    {"hierarchy", NULL}},
	 .help = "What counts, and how."},
	{"cgtopdown_simulated", GAUGE, .scope = OF_VIEW, .figure = FIGURE_ONE,
	 .has = ctd_is_simulated,
	 .help = "1: all slots are made up, for want of counters. Not there otherwise."},
	{"cgtopdown_build", INFO, .scope = OF_SELF, .points = ctd_points_build,
	 .labels = {{"version", NULL}}, .help = "The program."},
	{"cgtopdown_cpus_online", GAUGE, CORE(cpus_online), .figure = FIGURE_U32,
	 OTLP("cgtopdown.cpus.online", "{cpu}"), .help = "CPUs that are online."},
	{"cgtopdown_snapshots", COUNTER, VIEW(totals.intervals),
	 OTLP("cgtopdown.intervals", "{interval}"), .help = "Intervals that were added up."},
	{"cgtopdown_snapshot_timestamp_seconds", GAUGE, NS, VIEW(realtime_ns),
	 .help = "End of the newest interval, since 1970."},
	{.scope = OF_WORK},
	{"cgtopdown_bpf_run_seconds", COUNTER, NS, VIEW(totals.bpf_ns),
	 OTLP("cgtopdown.bpf.time", "s"),
	 .help = "Time that the BPF programs took, estimated from one in 64 of their runs."},
	{"cgtopdown_budget_limit_ratio", GAUGE, VIEW(health.budget), .unit = "ratio",
	 .figure = FIGURE_NS, .has = ctd_has_budget, .points = ctd_points_budget_limit,
	 OTLP("cgtopdown.budget.limit", "1"),
	 .help = "What all this may take of the machine's CPU time, that of all CPUs (--budget)."},
	{"cgtopdown_budget_cost_ratio", GAUGE, VIEW(health.budget), .unit = "ratio",
	 .figure = FIGURE_NS, .has = ctd_has_budget_cost, .points = ctd_points_budget_cost,
	 OTLP("cgtopdown.budget.cost", "1"),
	 .help = "What it took in the last window of five seconds that was judged (--budget)."},
	{"cgtopdown_budget_given_up", GAUGE, VIEW(health.budget), .has = ctd_has_budget,
	 .points = ctd_points_given_up, .labels = {{"part", "cgtopdown.budget.part"}},
	 OTLP("cgtopdown.budget.given_up", "1"),
	 .help = "1: the part is not measured, as that would cost more than --budget allows."},
	{"cgtopdown_budget_exceeded", GAUGE, VIEW(health.budget.exceeded), .has = ctd_has_budget,
	 OTLP("cgtopdown.budget.exceeded", "1"),
	 .help = "1: --budget is exceeded, and nothing is left that could be given up."},
	{"cgtopdown_budget_changes", COUNTER, VIEW(health.budget), .has = ctd_has_budget,
	 .points = ctd_points_budget_changes, .labels = {{"part", "cgtopdown.budget.part"}},
	 OTLP("cgtopdown.budget.changes", "{change}"),
	 .help = "Times that the part was given up for --budget, or came back."},
	{.scope = OF_FAULTS},
	{"cgtopdown_accounts", GAUGE, VIEW(accounts_count), OTLP("cgtopdown.accounts", "{account}"),
	 .help = "Rows shown."},
	{NULL, GAUGE, VIEW(totals.held), OTLP("cgtopdown.accounts.held", "{account}"),
	 .help = "Rows that are not shown yet, as their names are waited for."},
	{"cgtopdown_accounts_limit", GAUGE, VIEW(accounts_max),
	 OTLP("cgtopdown.accounts.limit", "{account}"),
	 .help = "Containers, sandboxes and cgroups that have rows of their own at most."},
	{"cgtopdown_accounts_folded", COUNTER, VIEW(totals.folded),
	 OTLP("cgtopdown.accounts.folded", "{account}"),
	 .help = "Cgroups that were over the limit, and added to kind other."},
	{"cgtopdown_names", GAUGE, .scope = OF_SELF, .points = ctd_points_names,
	 .labels = {{"state", NULL}}, OTLP("cgtopdown.names.waiting", "{container}"),
	 .help = "Cgroups of containers and pods whose names are being asked for."},
	{"cgtopdown_names_found", COUNTER, SELF(names_found),
	 OTLP("cgtopdown.names.found", "{container}"),
	 .help = "Cgroups of containers and pods whose names were all found."},
	{"cgtopdown_names_missing", COUNTER, SELF(names_missing),
	 OTLP("cgtopdown.names.missing", "{container}"),
	 .help = "Cgroups of containers and pods whose names were found nowhere."},
	{"cgtopdown_names_refused", COUNTER, SELF(names_refused),
	 OTLP("cgtopdown.names.refused", "{cgroup}"),
	 .help = "Cgroups that are called like a container or pod, but not made by a runtime, or with an id that another has."},
	{"cgtopdown_kubelet_up", GAUGE, SELF(kubelet_up), .figure = FIGURE_BOOL,
	 .has = ctd_has_kubelet, OTLP("cgtopdown.kubelet.up", "1"),
	 .help = "1: the kubelet's last answer was good."},
	{"cgtopdown_kubelet_requests", COUNTER, SELF(kubelet_requests), .has = ctd_has_kubelet,
	 OTLP("cgtopdown.kubelet.requests", "{request}"),
	 .help = "Times that the kubelet was asked."},
	{"cgtopdown_kubelet_errors", COUNTER, SELF(kubelet_errors), .has = ctd_has_kubelet,
	 OTLP("cgtopdown.kubelet.errors", "{error}"),
	 .help = "Times that it gave no answer, or none that is one."},
	{"cgtopdown_otlp_requests", COUNTER, .scope = OF_SELF, .has = ctd_has_otlp,
	 .points = ctd_points_requests, .labels = {{"result", "cgtopdown.result"}},
	 OTLP("cgtopdown.otlp.requests", "{request}"),
	 .help = "Requests of figures pushed by OpenTelemetry's protocol."},
	{"cgtopdown_otlp_queue_requests", GAUGE, SELF(otlp_queued), .has = ctd_has_otlp,
	 OTLP("cgtopdown.otlp.queue", "{request}"), .help = "Requests that wait to be pushed."},
	{"cgtopdown_scrapes", COUNTER, SELF(scrapes), .help = "Requests of these metrics."},
	{"cgtopdown_scrape_errors", COUNTER, SELF(scrape_errors),
	 .help = "Requests that were refused, or failed."},
	{"cgtopdown_http_refusals", COUNTER, .scope = OF_SELF, .points = ctd_points_refusals,
	 .labels = {{"reason", NULL}},
	 .help = "Connections and requests that were refused: crowded, of an address that has all "
		 "its places; displaced, which held a place without using it while others wanted in; "
		 "unauthorized, without a token or password; name, for another host's."},
	{"cgtopdown_profile_samples", COUNTER, SELF(profile_samples), .has = ctd_has_profiles,
	 OTLP("cgtopdown.profile.samples", "{sample}"),
	 .help = "Samples of stacks that are in profiles (--profile)."},
	{"cgtopdown_profile_other_samples", COUNTER, SELF(profile_other_samples),
	 .has = ctd_has_profiles, OTLP("cgtopdown.profile.samples.other", "{sample}"),
	 .help = "Samples of the recent minute whose stacks found no room: they are in [other] of their containers."},
	{"cgtopdown_profile_lost_samples", COUNTER, SAMPLING(CTD_SAMPLING_LOST),
	 OTLP("cgtopdown.profile.samples.lost", "{sample}"),
	 .help = "Samples that found no room in the kernel: they are in no profile."},
	{"cgtopdown_profile_missed_intervals", COUNTER, SELF(profile_missed_intervals),
	 .has = ctd_has_profiles, OTLP("cgtopdown.profile.intervals.missed", "{interval}"),
	 .help = "Intervals that are in no profile, as the thread that names functions was behind."},
	{"cgtopdown_profile_windows", COUNTER, .scope = OF_SELF, .has = ctd_has_profiles,
	 .points = ctd_points_windows, .labels = {{"window", "cgtopdown.profile.window"}},
	 OTLP("cgtopdown.profile.windows", "{sample}"),
	 .help = "Samples by the window before them, which tells into which categories slots fell: "
		 "whole, it was counted; unpaired, its begin was missed or came at another time; "
		 "switched, another task ran in it; unread, counters could not be read or there are "
		 "none."},
	{"cgtopdown_profile_lock_failures", COUNTER, SAMPLING(CTD_SAMPLING_LOCKS_FAILED),
	 OTLP("cgtopdown.profile.lock_failures", "{failure}"),
	 .help = "Times that the two clocks of a CPU could not be set a window apart, which is tried "
		 "again: meanwhile its samples are unpaired."},
	{"cgtopdown_profile_stacks", COUNTER, .scope = OF_SELF, .has = ctd_has_profiles,
	 .points = ctd_points_stacks, .labels = {{"end", "cgtopdown.profile.stack_end"}},
	 OTLP("cgtopdown.profile.stacks", "{sample}"),
	 .help = "Samples by how their stacks end: complete; truncated, there was no room for more "
		 "frames; broken, a caller was not found; frame_pointers, without tables, so that "
		 "callers without a frame pointer are missing."},
	{"cgtopdown_profile_unknown_processes", COUNTER, SAMPLING(CTD_SAMPLING_UNKNOWN_PROCESS),
	 OTLP("cgtopdown.profile.unknown_processes", "{sample}"),
	 .help = "Samples of processes whose mappings were not there yet, or found no room: of stacks "
		 "by frame pointers those that wait for tables."},
	{"cgtopdown_profile_tables_refused", COUNTER, .scope = OF_SELF, .has = ctd_has_profiles,
	 .points = ctd_points_tables_refused, .labels = {{"table", "cgtopdown.profile.table"}},
	 OTLP("cgtopdown.profile.tables.refused", "{attempt}"),
	 .help = "Times that a table of an executable, a map of a JIT or mappings of a process found "
		 "no room, which is tried again as it is sampled, a map at each reading: functions in "
		 "it have no names."},
	{"cgtopdown_profile_tables_forgotten", COUNTER, .scope = OF_SELF, .has = ctd_has_profiles,
	 .points = ctd_points_tables_forgotten, .labels = {{"table", "cgtopdown.profile.table"}},
	 OTLP("cgtopdown.profile.tables.forgotten", "{table}"),
	 .help = "Tables that made room for others, those sampled longest ago first: made again when "
		 "they are sampled."},
	{"cgtopdown_interference", INFO, .scope = OF_SELF, .has = ctd_has_neighbours,
	 .points = ctd_points_interference,
	 .labels = {{"victim_namespace", "cgtopdown.victim.namespace"},
		    {"victim_pod", "cgtopdown.victim.pod"},
		    {"victim_container", "cgtopdown.victim.container"},
		    {"victim_cgroup", "cgtopdown.victim.cgroup"},
		    {"victim_core", "cgtopdown.victim.core"},
		    {"mechanism", "cgtopdown.mechanism"},
		    {"blame", "cgtopdown.blame"},
		    {"antagonist_namespace", "cgtopdown.antagonist.namespace"},
		    {"antagonist_pod", "cgtopdown.antagonist.pod"},
		    {"antagonist_container", "cgtopdown.antagonist.container"},
		    {"antagonist_cgroup", "cgtopdown.antagonist.cgroup"}},
	 OTLP("cgtopdown.interference", "1"),
	 .help = "Containers that are slowed down (--neighbours), by what, and whose doing it is: "
		 "of several antagonists the first. Those that lose most, 32 of them."},
	{"cgtopdown_interference_lost_slots", COUNTER, .unit = "slots", .scope = OF_SELF,
	 .has = ctd_has_neighbours, .points = ctd_points_lost_slots,
	 .labels = {{"mechanism", "cgtopdown.mechanism"}, {"blame", "cgtopdown.blame"}},
	 OTLP("cgtopdown.interference.lost.slots", "{slot}"),
	 .help = "Pipeline slots that containers lost while they were tagged so (--neighbours)."},
	{"cgtopdown_kubernetes_events", COUNTER, .scope = OF_SELF, .has = ctd_has_kubernetes_events,
	 .points = ctd_points_kubernetes_events, .labels = {{"result", "cgtopdown.result"}},
	 OTLP("cgtopdown.kubernetes.events", "{event}"),
	 .help = "Events that tell Kubernetes of tags (--kubernetes-events): sent, the API server has "
		 "it; failed, a request that it did not take; dropped, it had to wait until it was too "
		 "late."},
	{"cgtopdown_history_size_bytes", GAUGE, .unit = "bytes", SELF(history_bytes),
	 .has = ctd_has_history, OTLP("cgtopdown.history.size", "By"),
	 .help = "Size of the files of the history (--history)."},
	{"cgtopdown_history_limit_bytes", GAUGE, .unit = "bytes", SELF(history_bytes_max),
	 .has = ctd_has_history, OTLP("cgtopdown.history.limit", "By"),
	 .help = "Size that they may have (--history-size): older times become coarser, and go."},
	{"cgtopdown_history_failing", GAUGE, SELF(history_failing), .figure = FIGURE_BOOL,
	 .has = ctd_has_history, OTLP("cgtopdown.history.failing", "1"),
	 .help = "1: the history could not be written, or not be kept within its size; it is tried "
		 "again every ten seconds."},
	{"cgtopdown_history_lost_intervals", COUNTER, SELF(history_lost_intervals),
	 .has = ctd_has_history, OTLP("cgtopdown.history.intervals.lost", "{interval}"),
	 .help = "Intervals that are not in the history, as it could not be written for too long."},
	{"cgtopdown_config_errors", COUNTER, SELF(config_errors),
	 .help = "Times that files of certificates, secrets or options changed, and were no good."},
	{"cgtopdown_lost_log_lines", COUNTER, SELF(lost_log_lines),
	 .help = "Lines of the log that could not be written, as nobody read them or a disk was full."},
	{"process_cpu_seconds", COUNTER, NS, SELF(cpu_ns), OTLP("process.cpu.time", "s"),
	 .help = "CPU time of the process, user and system."},
	{"process_resident_memory_bytes", GAUGE, .unit = "bytes", SELF(resident_bytes),
	 .in_use = true, OTLP("process.memory.usage", "By"),
	 .help = "Memory of the process that is resident."},
	{"process_virtual_memory_bytes", GAUGE, .unit = "bytes", SELF(virtual_bytes),
	 .in_use = true, OTLP("process.memory.virtual", "By"),
	 .help = "Address space of the process."},
	{"process_open_fds", GAUGE, SELF(open_fds),
	 .help = "Open file descriptors of the process."},
	{"process_max_fds", GAUGE, SELF(max_fds),
	 .help = "File descriptors that the process may open."},
	{"process_start_time_seconds", GAUGE, NS, SELF(started_ns),
	 .help = "When the process was started, since 1970."},
};

/* A family of each health counter, of format/health.c. */
static void each_health(bool faults, void (*visit)(const struct family *family, void *context),
			void *context)
{
	for (size_t i = 0; i < ctd_health_names_count; i++) {
		const struct ctd_health_name *name = &ctd_health_names[i];
		const struct family family = {
			.name = name->metric,
			.otlp = name->otlp,
			.otlp_unit = name->otlp_unit,
			.help = name->help,
			.offset = offsetof(struct ctd_ledger_view, totals.health) +
				  (size_t)name->counter * sizeof(uint64_t),
			COUNTER,
			.scope = OF_VIEW,
		};

		if (name->fault == faults)
			visit(&family, context);
	}
}

void ctd_families_each(void (*visit)(const struct family *family, void *context), void *context)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		if (families[i].scope == OF_WORK || families[i].scope == OF_FAULTS)
			each_health(families[i].scope == OF_FAULTS, visit, context);
		else
			visit(&families[i], context);
	}
}

const char *ctd_family_suffix(const struct family *family)
{
	return family->type == FAMILY_COUNTER ? "_total"
	       : family->type == FAMILY_INFO  ? "_info"
					      : "";
}

const char *ctd_family_type(const struct family *family)
{
	static const char *const types[] = {
		[FAMILY_COUNTER] = "counter",
		[FAMILY_GAUGE] = "gauge",
		[FAMILY_INFO] = "info",
		[FAMILY_HISTOGRAM] = "histogram",
	};

	return types[family->type];
}

bool ctd_family_is_of_rows(const struct family *family)
{
	return family->scope == OF_ACCOUNTS || family->scope == OF_FUNCTIONS ||
	       family->scope == OF_VENDOR_EVENTS || family->scope == OF_VENDOR_GROUPS ||
	       family->scope == OF_VENDOR_METRICS;
}

static void add_label(struct ctd_strbuf *text, size_t begin, const char *label)
{
	ctd_strbuf_add(text, text->bytes > begin ? ", " : "");
	ctd_strbuf_add(text, label);
}

void ctd_family_add_labels(const struct family *family, struct ctd_strbuf *text)
{
	size_t begin = text->bytes;

	if (ctd_family_is_of_rows(family) || family->scope == OF_CONTAINERS)
		add_label(text, begin, "row");
	else if (family->scope == OF_CORES)
		add_label(text, begin, "core");
	for (int i = 0; i < FAMILY_LABELS_MAX && family->labels[i].name; i++)
		add_label(text, begin, family->labels[i].name);
	if (family->pod_labels)
		add_label(text, begin, "label_<name>");
}
