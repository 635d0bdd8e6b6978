/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* view.h - the figures of a running serve, as its JSON has them: schema cgtopdown/view/1. */
#ifndef REMOTE_VIEW_H
#define REMOTE_VIEW_H

#include <cgtopdown/ledger.h>
#include <cgtopdown/siblings.h>
#include <cgtopdown/throttling.h>
#include <cgtopdown/waits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CTD_REMOTE_SCHEMA "cgtopdown/view/1"
#define CTD_REMOTE_TIME_BYTES 40
#define CTD_REMOTE_WHY_BYTES 160

/* Totals that only grow. */
struct ctd_remote_total {
	char since[CTD_REMOTE_TIME_BYTES]; /* texts of times compare as times do */
	uint64_t cpu_ns, counted_ns, slices, switches, slots;
	bool slots_known;
	uint64_t node_slots[CTD_NODES_MAX]; /* in the order of the core type's nodes */
	struct ctd_ipc_counts ipc;
	bool waits_known;
	struct ctd_waits waits;
	struct ctd_beside smt;
	bool throttling_known;
	struct ctd_throttling throttling; /* of no cgroup id */
};

/* Texts are owned; NULL: not known or none. */
struct ctd_remote_row {
	char *key;
	enum ctd_account_kind kind;
	int core_type;
	char *cgroup, *namespace_name, *pod, *qos, *container, *container_id, *runtime, *image;
	char *owner_kind, *owner_name;
	struct ctd_remote_total total;
};

/* Texts are owned; one that is missing is "", but for the condition. */
struct ctd_remote_node {
	char *name, *title, *condition, *help;
	enum ctd_node_role role;
	enum ctd_unit unit;
	int level, parent;
	bool lacks_counters; /* it has no figures */
};

struct ctd_remote_core_type {
	char name[24], source[24];
	char model[32]; /* its name; "": it has none, or one that cannot be shown */
	bool has_model, core_scope;
	int level, rotation;
	uint32_t cpus;
	struct ctd_remote_node nodes[CTD_NODES_MAX];
	int nodes_count;
	uint64_t unattributed_slots;
	int64_t residual_slots;
	struct ctd_remote_total fetched;
};

struct ctd_remote_view {
	char node[256], boot_id[40], start[CTD_REMOTE_TIME_BYTES];
	char source[24], hierarchy[32];
	bool simulated, general, profiles;
	bool history; /* it can be asked for times that are over */
	bool vendor; /* it has metrics of a vendor, which are not read */
	bool waits, smt; /* some row has them */
	int level;
	uint32_t cpus;
	uint64_t sequence, time_ns, window_ns, interval_ns;
	uint64_t elapsed_ns; /* up to its end: of the time between views, as its clock may be set */
	uint64_t look_ns; /* least time between views that it makes when asked; 0: it makes none */
	uint64_t unattributed_ns, bpf_ns;
	uint64_t health[CTD_HEALTH_COUNTERS];
	struct ctd_budget_state budget; /* of the newest interval */
	struct ctd_remote_core_type *core_types; /* owned; CTD_LEDGER_CORE_TYPES_MAX of them */
	int core_types_count;
	struct ctd_remote_row *rows; /* owned; held ones, too; by key, each once */
	size_t rows_count;
};

/*
 * Reads the text of a view, which need not be well-formed. @return 0, -ENOMEM, or -EBADMSG: it is
 * no view, and @p ret_why says why.
 */
int ctd_remote_view_parse(const char *text, size_t bytes, struct ctd_remote_view *ret_view,
			  char ret_why[CTD_REMOTE_WHY_BYTES]);
void ctd_remote_view_free(struct ctd_remote_view *view);

/* @return the row of that key, or NULL. */
const struct ctd_remote_row *ctd_remote_view_find(const struct ctd_remote_view *view,
						  const char *key);
/* Are both of one server that was not restarted in between? */
bool ctd_remote_view_is_of_run(const struct ctd_remote_view *view,
			       const struct ctd_remote_view *other);
/* Do both count the same nodes by the same design, whatever they are called? Then their slots can
 * be added up. */
bool ctd_remote_core_type_is_alike(const struct ctd_remote_core_type *type,
				   const struct ctd_remote_core_type *other);
/* Were both counted in the same way: by the same source, core types and nodes? */
bool ctd_remote_view_is_of_plan(const struct ctd_remote_view *view,
				const struct ctd_remote_view *other);

#endif
