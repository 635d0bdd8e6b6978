/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* families.c - every metric family there is, each in one place. */
#include "export/families.h"

#include <errno.h>

/*
 * pmu_state is a gauge in OpenMetrics, too: a state set would have to call its label by the name of
 * the family, and so differ from the other text.
 */

#define ACCOUNT(field) .offset = offsetof(struct ctd_account, field), .of_rows = true
#define VIEW(field) .offset = offsetof(struct ctd_ledger_view, field)
#define CORE(field) .offset = offsetof(struct ctd_ledger_core, field), .labels = "core"
#define SELF(field) .offset = offsetof(struct ctd_self, field)
#define COUNTER .type = FAMILY_COUNTER
#define GAUGE .type = FAMILY_GAUGE
#define INFO .type = FAMILY_INFO

const struct family ctd_families[] = {
	{"cgtopdown_slots", COUNTER, .unit = "slots", .labels = "category", .of_rows = true,
	 .write = ctd_samples_level1,
	 .help = "Pipeline slots by where they went, level 1 of the top-down tree."},
	{"cgtopdown_l2_slots", COUNTER, .unit = "slots", .labels = "category", .of_rows = true,
	 .write = ctd_samples_level2,
	 .help = "Pipeline slots by where they went, level 2: parts of the categories of level 1."},
	{"cgtopdown_pipeline_slots", COUNTER, .unit = "slots", ACCOUNT(slots), .created = true,
	 .write = ctd_samples_account_slots, .help = "All pipeline slots that were counted."},
	{"cgtopdown_cpu_seconds", COUNTER, .unit = "seconds", ACCOUNT(cpu_ns), .created = true,
	 .write = ctd_samples_account_ns,
	 .help = "Time on CPUs; of kind idle, the time in which they did nothing."},
	{"cgtopdown_pmu_enabled_seconds", COUNTER, .unit = "seconds", ACCOUNT(cpu_ns),
	 .write = ctd_samples_account_counted_ns,
	 .help = "Time on CPUs in which counters were to count."},
	{"cgtopdown_pmu_running_seconds", COUNTER, .unit = "seconds", ACCOUNT(counted_ns),
	 .write = ctd_samples_account_counted_ns,
	 .help = "Time on CPUs in which counters did count."},
	{"cgtopdown_cycles", COUNTER, .unit = "", ACCOUNT(general.count[CTD_GENERAL_CYCLES]),
	 .write = ctd_samples_account_general,
	 .help = "Cycles in which the CPU was not halted, in cgtopdown_general_running_seconds_total."},
	{"cgtopdown_instructions", COUNTER, .unit = "",
	 ACCOUNT(general.count[CTD_GENERAL_INSTRUCTIONS]), .write = ctd_samples_account_general,
	 .help = "Instructions that retired, in cgtopdown_general_running_seconds_total."},
	{"cgtopdown_branch_misses", COUNTER, .unit = "",
	 ACCOUNT(general.count[CTD_GENERAL_BRANCH_MISSES]), .write = ctd_samples_account_general,
	 .help = "Branches that retired and went another way than predicted, in "
		 "cgtopdown_general_running_seconds_total."},
	{"cgtopdown_cache_misses", COUNTER, .unit = "", .labels = "cache",
	 ACCOUNT(general.count[CTD_GENERAL_CACHE_MISSES]), .write = ctd_samples_account_general,
	 .help = "Misses of the cache that the label names, in "
		 "cgtopdown_general_running_seconds_total."},
	{"cgtopdown_general_running_seconds", COUNTER, .unit = "seconds",
	 ACCOUNT(general.counted_ns), .write = ctd_samples_account_general_ns,
	 .help = "Time on CPUs in which cycles, instructions and misses were counted: a part of all, "
		 "by which they are to be divided."},
	{"cgtopdown_slices", COUNTER, .unit = "", ACCOUNT(slices),
	 .write = ctd_samples_account_count,
	 .help = "Times on a CPU between two readings of its counters."},
	{"cgtopdown_container", INFO, .unit = "",
	 .labels = "container_id, pod_uid, runtime, image, qos, owner_kind, owner, cgroup, "
		   "label_<name>",
	 .of_rows = true, .write = ctd_samples_containers,
	 .help = "Who a container is; of several of one name, the newest."},
	{"cgtopdown_container_start_time_seconds", GAUGE, .unit = "seconds", .of_rows = true,
	 .write = ctd_samples_start_time, .help = "When a container was started, since 1970."},
	{"cgtopdown_node_slots", COUNTER, .unit = "slots", CORE(totals.slots),
	 .write = ctd_samples_core_slots,
	 .help = "All pipeline slots of the node: those of all rows, ended, held, unattributed and "
		 "residual ones."},
	{"cgtopdown_unattributed_slots", COUNTER, .unit = "slots", CORE(totals.unattributed_slots),
	 .write = ctd_samples_core_slots,
	 .help = "Pipeline slots that belong to no row, as a reading failed or a switch was lost."},
	{"cgtopdown_ended_slots", COUNTER, .unit = "slots", CORE(totals.fetched_slots),
	 .write = ctd_samples_core_slots,
	 .help = "Pipeline slots of rows that ended, were fetched once more, and are gone."},
	{"cgtopdown_held_slots", GAUGE, .unit = "slots", CORE(totals.held_slots),
	 .write = ctd_samples_core_slots,
	 .help = "Pipeline slots of rows that are not shown yet, as their names are waited for."},
	{"cgtopdown_residual_slots", GAUGE, .unit = "slots", .labels = "core",
	 .write = ctd_samples_residual,
	 .help = "What is wrong with the sum of all slots: 0 unless the accounting is."},
	{"cgtopdown_unattributed_cpu_seconds", COUNTER, .unit = "seconds",
	 VIEW(totals.unattributed_ns), .write = ctd_samples_view_ns,
	 .help = "CPU time that belongs to no row, around switches that the kernel did not tell "
		 "of."},
	{"cgtopdown_pmu_state", GAUGE, .unit = "", .labels = "core, state",
	 .write = ctd_samples_state,
	 .help = "What the counters are good for: 1 for the state that holds, 0 for the others."},
	{"cgtopdown_source", INFO, .unit = "",
	 .labels = "core, source, method, scope, level, model, simulated, hierarchy",
	 .write = ctd_samples_source, .help = "What counts, and how."},
	{"cgtopdown_simulated", GAUGE, .unit = "", .write = ctd_samples_simulated,
	 .help = "1: all slots are made up, for want of counters. Not there otherwise."},
	{"cgtopdown_build", INFO, .unit = "", .labels = "version", .write = ctd_samples_build,
	 .help = "The program."},
	{"cgtopdown_cpus_online", GAUGE, .unit = "", .labels = "core",
	 .write = ctd_samples_cpus_online, .help = "CPUs that are online."},
	{"cgtopdown_snapshots", COUNTER, .unit = "", VIEW(totals.intervals),
	 .write = ctd_samples_view_count, .help = "Intervals that were added up."},
	{"cgtopdown_snapshot_timestamp_seconds", GAUGE, .unit = "seconds", VIEW(realtime_ns),
	 .write = ctd_samples_view_ns, .help = "End of the newest interval, since 1970."},
	{"cgtopdown_switches", COUNTER, .unit = "", VIEW(totals.health[CTD_HEALTH_SWITCHES]),
	 .write = ctd_samples_view_count,
	 .help = "Context switches, at each of which the BPF program ran."},
	{"cgtopdown_closed_slices", COUNTER, .unit = "",
	 VIEW(totals.health[CTD_HEALTH_CLOSED_SLICES]), .write = ctd_samples_view_count,
	 .help = "Slices that were closed, with a reading of the counters each."},
	{"cgtopdown_bpf_run_seconds", COUNTER, .unit = "seconds", VIEW(totals.bpf_ns),
	 .write = ctd_samples_view_ns,
	 .help = "Time that the BPF programs took, estimated from one in 64 of their runs."},
	{"cgtopdown_read_errors", COUNTER, .unit = "", VIEW(totals.health[CTD_HEALTH_READ_ERRORS]),
	 .write = ctd_samples_view_count, .help = "Readings of counters that failed."},
	{"cgtopdown_lost_rows", COUNTER, .unit = "", VIEW(totals.health[CTD_HEALTH_LOST_ROWS]),
	 .write = ctd_samples_view_count,
	 .help = "Slices charged to kind other, as all rows in the kernel were taken."},
	{"cgtopdown_lost_events", COUNTER, .unit = "", VIEW(totals.health[CTD_HEALTH_LOST_EVENTS]),
	 .write = ctd_samples_view_count,
	 .help = "Events of cgroups that were lost, after which all cgroups were walked."},
	{"cgtopdown_restarts", COUNTER, .unit = "", VIEW(totals.health[CTD_HEALTH_RESTARTS]),
	 .write = ctd_samples_view_count,
	 .help = "Rows and CPUs whose totals began anew where they should only grow."},
	{"cgtopdown_lost_switches", COUNTER, .unit = "",
	 VIEW(totals.health[CTD_HEALTH_LOST_SWITCHES]), .write = ctd_samples_view_count,
	 .help = "Context switches that the kernel did not tell of."},
	{"cgtopdown_accounts", GAUGE, .unit = "", VIEW(accounts_count),
	 .write = ctd_samples_view_count, .help = "Rows shown."},
	{"cgtopdown_accounts_limit", GAUGE, .unit = "", VIEW(accounts_max),
	 .write = ctd_samples_view_count,
	 .help = "Containers, sandboxes and cgroups that have rows of their own at most."},
	{"cgtopdown_accounts_folded", COUNTER, .unit = "", VIEW(totals.folded),
	 .write = ctd_samples_view_count,
	 .help = "Cgroups that were over the limit, and added to kind other."},
	{"cgtopdown_names", GAUGE, .unit = "", .labels = "state", .write = ctd_samples_names,
	 .help = "Cgroups of containers and pods whose names are being asked for."},
	{"cgtopdown_names_found", COUNTER, .unit = "", SELF(names_found),
	 .write = ctd_samples_self_count,
	 .help = "Cgroups of containers and pods whose names were all found."},
	{"cgtopdown_names_missing", COUNTER, .unit = "", SELF(names_missing),
	 .write = ctd_samples_self_count,
	 .help = "Cgroups of containers and pods whose names were found nowhere."},
	{"cgtopdown_kubelet_up", GAUGE, .unit = "", .write = ctd_samples_kubelet_up,
	 .help = "1: the kubelet's last answer was good."},
	{"cgtopdown_kubelet_requests", COUNTER, .unit = "", SELF(kubelet_requests),
	 .write = ctd_samples_kubelet_count, .help = "Times that the kubelet was asked."},
	{"cgtopdown_kubelet_errors", COUNTER, .unit = "", SELF(kubelet_errors),
	 .write = ctd_samples_kubelet_count,
	 .help = "Times that it gave no answer, or none that is one."},
	{"cgtopdown_otlp_requests", COUNTER, .unit = "", .labels = "result",
	 .write = ctd_samples_otlp_requests,
	 .help = "Requests of figures pushed by OpenTelemetry's protocol."},
	{"cgtopdown_otlp_queue_requests", GAUGE, .unit = "", .write = ctd_samples_otlp_queue,
	 .help = "Requests that wait to be pushed."},
	{"cgtopdown_scrapes", COUNTER, .unit = "", SELF(scrapes), .write = ctd_samples_self_count,
	 .help = "Requests of these metrics."},
	{"cgtopdown_scrape_errors", COUNTER, .unit = "", SELF(scrape_errors),
	 .write = ctd_samples_self_count, .help = "Requests that were refused, or failed."},
	{"cgtopdown_config_errors", COUNTER, .unit = "", SELF(config_errors),
	 .write = ctd_samples_self_count,
	 .help = "Times that files of certificates, secrets or options changed, and were no good."},
	{"cgtopdown_lost_log_lines", COUNTER, .unit = "", SELF(lost_log_lines),
	 .write = ctd_samples_self_count,
	 .help = "Lines of the log that could not be written, as nobody read them or a disk was full."},
	{"process_cpu_seconds", COUNTER, .unit = "seconds", .write = ctd_samples_self_cpu,
	 .help = "CPU time of the process, user and system."},
	{"process_resident_memory_bytes", GAUGE, .unit = "bytes", SELF(resident_bytes),
	 .write = ctd_samples_self_count, .help = "Memory of the process that is resident."},
	{"process_virtual_memory_bytes", GAUGE, .unit = "bytes", SELF(virtual_bytes),
	 .write = ctd_samples_self_count, .help = "Address space of the process."},
	{"process_open_fds", GAUGE, .unit = "", SELF(open_fds), .write = ctd_samples_self_count,
	 .help = "Open file descriptors of the process."},
	{"process_max_fds", GAUGE, .unit = "", SELF(max_fds), .write = ctd_samples_self_count,
	 .help = "File descriptors that the process may open."},
	{"process_start_time_seconds", GAUGE, .unit = "seconds", SELF(started_ns),
	 .write = ctd_samples_self_ns, .help = "When the process was started, since 1970."},
};
const size_t ctd_families_count = sizeof(ctd_families) / sizeof(*ctd_families);

static void add_labels(struct ctd_strbuf *text, const struct family *family)
{
	const char *labels = family->labels ? family->labels : "";

	ctd_strbuf_add(text, family->of_rows ? "row" : "");
	ctd_strbuf_add(text, family->of_rows && *labels ? ", " : "");
	ctd_strbuf_add(text, family->of_rows || *labels ? labels : "-");
}

int ctd_export_families(struct ctd_strbuf *text)
{
	static const char *const types[] = {
		[FAMILY_COUNTER] = "counter", [FAMILY_GAUGE] = "gauge", [FAMILY_INFO] = "info"};

	for (size_t i = 0; i < ctd_families_count; i++) {
		const struct family *family = &ctd_families[i];

		ctd_strbuf_add(text, family->name);
		ctd_strbuf_add(text, ctd_family_suffix(family));
		ctd_strbuf_add(text, "\t");
		ctd_strbuf_add(text, types[family->type]);
		ctd_strbuf_add(text, "\t");
		ctd_strbuf_add(text, *family->unit ? family->unit : "-");
		ctd_strbuf_add(text, "\t");
		add_labels(text, family);
		ctd_strbuf_add(text, "\t");
		ctd_strbuf_add(text, family->help);
		ctd_strbuf_add(text, "\n");
	}
	return text->failed ? -ENOMEM : 0;
}
