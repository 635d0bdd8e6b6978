/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ledger.h - rollups added up into totals that only grow: what metrics systems want. */
#ifndef CGTOPDOWN_LEDGER_H
#define CGTOPDOWN_LEDGER_H

#include <cgtopdown/cpu.h>
#include <cgtopdown/functions.h>
#include <cgtopdown/identity.h>
#include <cgtopdown/interval.h>
#include <cgtopdown/rollup.h>
#include <cgtopdown/value.h>
#include <cgtopdown/vendor.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ctd_account_kind {
	CTD_ACCOUNT_CONTAINER,
	CTD_ACCOUNT_SANDBOX, /* a pod's pause container */
	CTD_ACCOUNT_CGROUP, /* any other cgroup: a systemd unit with all below it, or a path */
	CTD_ACCOUNT_KERNEL,
	CTD_ACCOUNT_IDLE,
	CTD_ACCOUNT_OTHER, /* what found no row in the kernel, and what is over the limit here */
	CTD_ACCOUNT_KINDS,
};

/* "container", "sandbox", "cgroup", "kernel", "idle", "other": the spelling of every exporter. */
const char *ctd_account_kind_name(enum ctd_account_kind kind);

/*
 * What an account belongs to. `kind` to `core` are its key: two containers alike in these, one
 * after the other or side by side, share an account, so that a restarted container goes on where it
 * ended. The rest describes the newest of them. Never NULL: "" is not known or none. Always UTF-8,
 * with U+FFFD for what was not, and of a bounded length. Shared by reference count, const for
 * everybody.
 */
struct ctd_account_who {
	enum ctd_account_kind kind;
	const char *namespace_name, *pod; /* "" outside of pods */
	/* Its name; where it has none its id, all of it, as the first digits can be made up; within
	 * another container "outer id/id"; "" of a named pod's sandbox. */
	const char *container;
	const char *cgroup; /* "/system.slice/ssh.service"; "" for containers */
	const char *core; /* core type, "P-core"; "" where all CPUs are alike */

	const char *container_id, *pod_uid, *runtime, *image, *qos, *owner_kind, *owner_name;
	const char *path; /* the newest one's cgroup */
	const struct ctd_label *labels; /* of the pod */
	size_t labels_count;
	uint64_t started_ns; /* since 1970; 0: not known */
	/* The key as a text of labels, quoted by the rules of Prometheus, which are those of
	 * OpenMetrics, too, without braces: kind="container",namespace="a",pod="b". Made once, as
	 * it is written many times. Labels without a value are left out. It is in a view once,
	 * stays the same from view to view, and is the same again after a restart. */
	const char *key_text;
	/* How much of it is without the core type: what all core types have in common. */
	size_t key_shared_bytes;
	/* The same for Prometheus: labels of a pod without a value stand behind the first label,
	 * the kind, as empty ones. Without them Prometheus would add those of the target, and
	 * idle time and units would be of the collector's own pod. */
	const char *labels_text;
	size_t labels_bytes;
	/* Key, kind, names and labels as members of a JSON object, without braces. Made once, too. */
	const char *json_text;
	size_t json_bytes;
};

/*
 * What was counted of vendors' metrics, in the view's `vendor`: arrays of its groups, and of the
 * events of each, one group after the other. All NULL: they are not asked for.
 */
struct ctd_account_vendor {
	/* Totals, as counted: not scaled up, each is of the time in which its group counted. */
	const uint64_t *count;
	const uint64_t *group_ns; /* that time: CPU time, totals */
	/* Of the last interval alone: the part of recent.cpu_ns in which each group counted, and
	 * the value of each metric. NAN: its group did not count, or it is not one of a number. */
	const uint64_t *recent_ns;
	const struct ctd_vendor_value *values;
};

/*
 * One account: totals since it was opened, and under `recent` the last interval alone. Its
 * arrays by node have the order of its core type's nodes in the view: nodes keep their places when
 * the source, the level or the groups change, and totals go on.
 */
struct ctd_account {
	const struct ctd_account_who *who; /* kept alive by the view */
	int core_type; /* index of view->core_types */
	uint64_t id; /* in this ledger no other account has it, before or after */
	uint64_t begun_ns; /* since 1970: when its first interval began */
	uint64_t cpu_ns; /* time on CPUs */
	/* Part of it in which slots were counted, by whichever group of counters was on the PMU.
	 * Where it is less than cpu_ns, figures were scaled up, or are short of what was not
	 * counted. */
	uint64_t counted_ns;
	uint64_t slices, switches;
	bool slots_known; /* ever; if not, the counts below mean nothing */
	uint64_t slots; /* of the pipeline, all that were counted */
	/*
	 * Slots by nodes: in each interval the node's ratio of the row's slots, also where its
	 * group of counters had a part of the time only. In intervals in which it was not known
	 * nothing is added, so that it falls short of `slots`. But for those intervals, level 1
	 * adds up to `slots` exactly wherever a model's ratios add up to 1, and the halves of a
	 * node to that node; ratios that do not (Zen's and Arm's are counted apart, level 2 in
	 * rotation) are not forced to. Nodes in other units, and all of a model without slots: not
	 * known and 0.
	 */
	const uint64_t *node_slots;
	uint32_t node_slots_known; /* a bit for each node: ever */
	/* Totals of what was counted in the steps of the IPC group, and their time, which may
	 * be a small part of cpu_ns: nothing is extrapolated from it to the rest. */
	struct ctd_ipc_counts ipc;
	bool waits_known; /* ever */
	struct ctd_waits waits; /* for a CPU */
	struct ctd_beside smt; /* beside other hardware threads */
	/* Of cpu_ns, by the view's caches, and those that were known before these: of one plan
	 * after the other. In intervals in which they were not told apart nothing is added. NULL:
	 * they never were. */
	const uint64_t *cache_ns;
	/* By its limits of CPU time: limit and request are of the newest interval. Where core types
	 * differ, in the account of the first one that it ran on. */
	bool throttling_known; /* ever */
	struct ctd_throttling throttling;
	/* The newest limit above it that its tasks waited for, of several in one interval the one
	 * that they waited for longest, and how much of the path is the cgroup whose limit it is;
	 * 0: there was none, or its own limit alone stopped it since. */
	uint64_t above_limit_ns;
	size_t above_bytes;
	/* Kept alive by the view. Some intervals behind the figures above. NULL: they are not asked
	 * for, or none has come. */
	const struct ctd_account_functions *functions;
	struct ctd_account_vendor vendor;
	struct ctd_account_recent {
		uint64_t cpu_ns, slices, switches; /* 0: it did not run */
		bool slots_known;
		uint64_t slots;
		enum ctd_quality quality; /* of the whole, as of a row of a report */
		const struct ctd_value *values; /* of all nodes; NO_DATA where it did not run */
		int dominant; /* node, -1 */
	} recent;
	bool ended; /* all its cgroups are gone; these are its last figures */
};

/* What the counters are good for, as of the last interval: most exporters give each state. */
enum ctd_pmu_state {
	CTD_PMU_ABSENT, /* there is no source */
	CTD_PMU_NEVER_RAN, /* opened, and no reading ever succeeded */
	CTD_PMU_STARVED, /* another program holds the counters: no reading succeeded in the last
			    interval, or no source could be had */
	CTD_PMU_MULTIPLEXED, /* counted a part of the time: figures are scaled up */
	CTD_PMU_IMPLAUSIBLE, /* what is counted contradicts itself */
	CTD_PMU_LIVE,
	CTD_PMU_STATES,
};
/* "absent", "never_ran", "starved", "multiplexed", "implausible", "live". */
const char *ctd_pmu_state_name(enum ctd_pmu_state state);

/* Of one core type, since the ledger was opened; exactly as of the node, below. */
struct ctd_core_totals {
	bool slots_known;
	uint64_t slots, unattributed_slots;
	int64_t residual_slots;
	uint64_t fetched_slots, fetched_ns;
	/* What else of the same accounts. */
	struct {
		uint64_t counted_ns, slices, switches;
		uint64_t node_slots[CTD_NODES_MAX]; /* in the order of the core type's nodes */
		uint32_t node_slots_known;
		struct ctd_ipc_counts ipc;
		bool waits_known;
		struct ctd_waits waits;
		struct ctd_beside smt;
	} fetched;
	uint64_t held_slots, held_ns;
};

/* One for each core type of a plan, and one for "": a machine where one core type's CPUs come later
 * has had both. */
#define CTD_LEDGER_CORE_TYPES_MAX (CTD_CORE_TYPES_MAX + 1)

/* A core type that any plan had: accounts of it have its name in who.core. */
struct ctd_ledger_core_type {
	char name[24]; /* "P-core"; "" where all CPUs are alike */
	char source[24]; /* of the newest plan; "none": it has no counters */
	const char *scope; /* static */
	const struct ctd_cpu_model *model; /* of the newest plan; NULL: no counters */
	int level;
	int groups_count; /* of counters, that rotate */
	uint32_t cpus_online;
	enum ctd_pmu_state state;
	struct ctd_rollup_totals newest; /* of the newest rollup */
	struct ctd_core_totals totals;
	/* The nodes of all models that it had, by name, those of the first one first; `parent` is
	 * an index here. */
	struct ctd_node nodes[CTD_NODES_MAX];
	int nodes_count; /* 0: it never had counters */
	uint32_t nodes_counted; /* a bit for each that the newest plan has counters for */
	const char *cache; /* of the newest model that has one; NULL: none */
};

/* Whose tasks waited behind whose, since the pair has totals of its own; or those of many. */
struct ctd_pair_total {
	struct ctd_pair pair; /* both ids are accounts'; without beside_ns */
	/* Since 1970: when the interval began in which it got its place; of sums the ledger's. */
	uint64_t begun_ns;
	/* "shown"; "other": all that have none of their own, and what the kernel side had no room
	 * for; "ended": all that had, and one of them is gone. */
	const char *what;
	const struct ctd_account_who *victim, *occupier; /* of accounts; NULL: of many */
};

/*
 * Of the whole node, since the ledger was opened. Exactly:
 * slots = those of all accounts + fetched + held + unattributed + residual.
 * Where core types differ each figure of ctd_core_totals is the plain sum of theirs: for
 * accounting, not for ratios, as a slot of one core type is none of another.
 */
struct ctd_node_totals {
	bool slots_known;
	uint64_t slots; /* of all rollups */
	uint64_t unattributed_slots;
	int64_t residual_slots; /* 0 unless the accounting is wrong */
	uint64_t unattributed_ns;
	/* Of accounts that are in no view any more, as their ends were fetched. */
	uint64_t fetched_slots, fetched_ns;
	/* Of accounts that are in no view yet, as their names are not settled. */
	uint64_t held, held_slots, held_ns;
	uint64_t intervals; /* rollups added */
	uint64_t health[CTD_HEALTH_COUNTERS];
	uint64_t bpf_ns; /* estimate of what the BPF programs took: sampled mean x switches */
	/* Cgroups that were over the limit, and went to `other` at first; on each core type. */
	uint64_t folded;
};

/*
 * The ledger as of one rollup; const, shared by reference count, so that rendering takes its time
 * while accounting goes on.
 */
struct ctd_ledger_view {
	uint64_t sequence; /* 1, 2, ... of the rollups added */
	uint64_t realtime_ns, window_ns; /* of the newest rollup */
	uint64_t elapsed_ns; /* sum of all windows: the wall clock may be set */
	uint64_t begun_ns; /* since 1970: of the ledger */
	char source[24], method[24], hierarchy[32]; /* of the newest plan */
	const char *scope; /* static */
	bool simulated;
	const struct ctd_cpu_model *model; /* NULL: no counters, or each core type has its own */
	int level, groups_count;
	bool ipc; /* IPC metrics are counted */
	size_t accounts_max; /* the limit */
	uint32_t cpus_online;
	/* Where core types differ: that of the one with counters that are good for least. */
	enum ctd_pmu_state state;
	struct ctd_interval_health health; /* of the newest interval */
	struct ctd_caches caches; /* that accounts' time is divided by; none: never told apart */
	uint64_t unattributed_ns; /* of the newest rollup */
	/* Of the newest rollup: whose tasks waited behind whose. Both ids are accounts'. */
	struct ctd_pairs pairs;
	/* Shown ones, then the sums of others and of ended ones: all together never shrink. None
	 * before the first rollup with waits. */
	const struct ctd_pair_total *pair_totals;
	size_t pair_totals_count;
	struct ctd_node_totals totals;
	/* Borrowed from the ledger's options: its groups, events and metrics. NULL: none are asked
	 * for. */
	const struct ctd_vendor_counting *vendor;
	/* Of accounts that are in no view any more, as their ends were fetched: totals. */
	struct ctd_account_vendor vendor_fetched;
	int core_types_count; /* that any plan had; 0 before the first rollup */
	struct ctd_ledger_core_type core_types[CTD_LEDGER_CORE_TYPES_MAX];
	/* Sorted by kind, then key_text, each key once. */
	const struct ctd_account *accounts;
	size_t accounts_count;
	/* Another one whenever an account has come, gone, ended, begun again or got another `who`,
	 * and never the same again in one ledger: what is made of these alone can be kept. */
	uint64_t names_version;
	/* In no particular order, those whose names are not settled yet: with the others they are
	 * all that was counted. Their keys may be others later, and those of others now. */
	const struct ctd_account *held;
	size_t held_count;
};

/* Whose nodes the account's are. */
static inline const struct ctd_ledger_core_type *
ctd_account_core_type(const struct ctd_ledger_view *view, const struct ctd_account *account)
{
	return &view->core_types[account->core_type];
}

struct ctd_ledger_options {
	/* Containers, sandboxes and cgroups, ended and held ones among them, on each core type;
	 * what is more goes to `other`, and gets a place of its own, from 0 on, when one is free.
	 * Of several that wait for one, it goes to that with most CPU time in a rollup. */
	size_t accounts_max;
	/*
	 * No tenant takes all places: what lies in one container or delegation, and what
	 * passed for containers may have an eighth of them each, a namespace half. Where places are
	 * few, named containers come first, then units; accounts that are idle give way, as do
	 * those of unnamed containers to named ones, and what they have goes to `other`.
	 * Told of the first of each tenant that finds none; NULL: nobody is.
	 */
	void (*refused)(const struct ctd_account_who *who, size_t most);
	/* Pairs with totals of their own; 0: pairs have no totals. Free places, eight with a
	 * rollup, go to the pairs that waited longest in it, a hundredth of its time at least, and
	 * are kept until one of the two accounts is gone. */
	size_t pairs_max;
	/*
	 * Functions of an account with totals of their own; 0: functions have no totals. A free
	 * place goes to the function with most time in a row of ctd_ledger_add_functions(), of
	 * those that were sampled thrice in it and have a hundredth of the row's time; after a
	 * minute the next one does. It is kept until the account goes.
	 */
	size_t functions_max;
	/* Vendors' metrics that are counted beside the tree; outlives the ledger and its views. Each
	 * account has totals of all their events, and values of the last interval. NULL: none. */
	const struct ctd_vendor_counting *vendor;
	/* How long an account without a settled name is kept out of views, in the hope of one: the
	 * sums of a view are short of it until then. It comes with everything since its begin. If
	 * the name comes later still, all of it moves to the new key. */
	uint64_t settle_ns;
	/* How long an ended account is kept if nobody fetches it; then its sums go to `other`. */
	uint64_t linger_ns;
};

struct ctd_ledger;
int ctd_ledger_new(const struct ctd_ledger_options *options, uint64_t realtime_ns,
		   struct ctd_ledger **ret_ledger);
void ctd_ledger_free(struct ctd_ledger *ledger);

/*
 * Adds a rollup by CTD_GROUP_CONTAINER of all rows. What has not been counted is not added: it
 * stays out of slots, and counted_ns shows how much it is. Its plan may be another one than before:
 * core types go on under their names, and so do nodes. Nothing of rollup, plan and identities is
 * kept.
 *
 * Looks up in the rollup's identities, too, what no row tells: cgroups that do nothing, but are
 * gone, or were named since they last did something. An account ends with the first rollup that has
 * no row of it after its last cgroup was removed or forgotten; one that is merely idle does not.
 *
 * @return 0; -ENOMEM; or -EINVAL: a rollup by something else, filtered, or with more core types
 * than there is room for. Then nothing of the rollup was added.
 */
int ctd_ledger_add(struct ctd_ledger *ledger, const struct ctd_rollup *rollup);

/*
 * Adds what functions had in a time that is over, of intervals that were added: it comes later, as
 * names are looked for. An account that has ended waits for that of its end, for `linger_ns` at
 * most, and gives way to others once it was fetched. What belongs to no account any more is of
 * `other`, which gets an account for it.
 * @return 0, or -ENOMEM: rows_taken of them were added, and the next call goes on.
 */
int ctd_ledger_add_functions(struct ctd_ledger *ledger, struct ctd_functions *functions);

/*
 * Everything up to view @p sequence has reached a consumer: ended accounts whose last figures were
 * in it go with the next rollup. Where several consumers fetch, call it for what all of them have.
 */
void ctd_ledger_acknowledge(struct ctd_ledger *ledger, uint64_t sequence);

/* The ledger as it is now. @return 0 or -ENOMEM. */
int ctd_ledger_view(const struct ctd_ledger *ledger, const struct ctd_ledger_view **ret_view);
/* From any thread. */
const struct ctd_ledger_view *ctd_ledger_view_hold(const struct ctd_ledger_view *view);
/* From any thread; the last one frees it. NULL is fine. */
void ctd_ledger_view_release(const struct ctd_ledger_view *view);

#endif
