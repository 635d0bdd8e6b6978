/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* families.h - the metric families: each is described once, both encoders and the lists read it. */
#ifndef EXPORT_FAMILIES_H
#define EXPORT_FAMILIES_H

#include <cgtopdown/export.h>
#include <string.h>

#include "base/strbuf.h"

enum family_type {
	FAMILY_COUNTER,
	FAMILY_GAUGE,
	FAMILY_INFO,
	FAMILY_HISTOGRAM, /* of an account's waits: the point is their sum */
};

/* What each of a family's points belongs to, which gives it its first labels. */
enum family_scope {
	OF_ACCOUNTS,
	OF_FUNCTIONS, /* of accounts */
	/* Of accounts: of each of vendors' events, their groups and their metrics. */
	OF_VENDOR_EVENTS,
	OF_VENDOR_GROUPS,
	OF_VENDOR_METRICS,
	OF_VENDOR_NAMES, /* of each of vendors' metrics, without an account */
	/* Accounts, but those of one container on several core types are one. Only of `who` and
	 * `ended`, so that the text is the same in all views of one names_version. */
	OF_CONTAINERS,
	OF_CORES, /* core types */
	OF_PAIRS, /* totals of pairs */
	OF_VIEW, /* the node */
	OF_SELF, /* this process */
	/* No family, but all of the health counters that are work or faults. */
	OF_WORK,
	OF_FAULTS,
};

/* Type of the figure at a family's offset. Billionths of a ratio are written as those of a second. */
enum figure {
	FIGURE_COUNT,
	FIGURE_U32,
	FIGURE_NS,
	FIGURE_SIGNED,
	FIGURE_BOOL,
	FIGURE_ONE,
	FIGURE_REAL, /* the bits of a double, which is finite */
};

#define FAMILY_LABELS_MAX 14
struct family_label {
	const char *name; /* Prometheus'; NULL: not there */
	const char *attribute; /* OpenTelemetry's; NULL: not there */
};

/* What a point belongs to. */
struct subject {
	const struct ctd_ledger_view *view;
	const struct ctd_self *self;
	const struct ctd_account *account; /* NULL: of another scope */
	const struct ctd_function_total *function; /* of the account; NULL: of another scope */
	const struct ctd_ledger_core_type *core; /* NULL: of another scope */
	const struct ctd_pair_total *pair; /* NULL: of another scope */
	size_t vendor; /* which event, group or metric, of all groups */
};

struct point {
	uint64_t figure;
	const char *values[FAMILY_LABELS_MAX]; /* of the family's labels; NULL or "": left out */
};
#define FAMILY_POINTS_MAX CTD_NODES_MAX
/* What a figure of FIGURE_REAL is. */
static inline double ctd_point_real(uint64_t figure)
{
	double value;

	memcpy(&value, &figure, sizeof(value));
	return value;
}
#define FAMILY_BUCKETS 8

struct family {
	const char *name; /* Prometheus', without the suffix of its type; NULL: not there */
	/* OpenTelemetry's; that of accounts behind "container.cpu." or
	 * "cgroup.cpu."; NULL: not there */
	const char *otlp, *otlp_unit;
	const char *unit; /* Prometheus', which the name ends with; NULL: none */
	const char *help;
	struct family_label labels[FAMILY_LABELS_MAX]; /* beside those of the scope */
	/* Are there points of this subject? NULL: yes. */
	bool (*has)(const struct subject *subject);
	/* Writes a subject's points; their labels' texts stay until the next call. @return how
	 * many. NULL: one, the figure at `offset`. */
	int (*points)(const struct family *family, const struct subject *subject,
		      struct point points[FAMILY_POINTS_MAX]);
	size_t offset; /* in the struct of the scope */
	enum family_type type;
	enum family_scope scope;
	enum figure figure;
	bool created; /* with the time since when it counts, in OpenMetrics */
	bool pod_labels; /* the labels of the pod, too, in Prometheus' texts */
	bool in_use; /* by OpenTelemetry's conventions a sum that may shrink */
};

/* families.c. Calls @p visit with each family, in their order. */
void ctd_families_each(void (*visit)(const struct family *family, void *context), void *context);
/* What follows the name in samples: "_total", "_info", "". */
const char *ctd_family_suffix(const struct family *family);
/* "counter", "gauge", "info", "histogram". */
const char *ctd_family_type(const struct family *family);
/* "row, category"; "row": the labels of an account's key. Nothing for none. */
void ctd_family_add_labels(const struct family *family, struct ctd_strbuf *text);

/* Has it points of each account, with the labels of its key? */
bool ctd_family_is_of_rows(const struct family *family);

/* points.c. Calls @p write with each point; accounts are those from @p first to before @p end. */
void ctd_family_each_point(const struct family *family, const struct subject *whole, size_t first,
			   size_t end,
			   void (*write)(void *context, const struct subject *subject,
					 const struct point *point, int number),
			   void *context);

/* figures.c: what a family's `has` and `points` may be. */
bool ctd_has_slots(const struct subject *subject);
bool ctd_has_counters(const struct subject *subject);
bool ctd_has_ipc(const struct subject *subject);
bool ctd_has_waits(const struct subject *subject);
bool ctd_has_wait_histogram(const struct subject *subject);
bool ctd_has_smt(const struct subject *subject);
bool ctd_has_smt_slots(const struct subject *subject);
bool ctd_has_start(const struct subject *subject);
bool ctd_is_container(const struct subject *subject);
bool ctd_has_core_slots(const struct subject *subject);
bool ctd_is_simulated(const struct subject *subject);
bool ctd_has_kubelet(const struct subject *subject);
bool ctd_has_otlp(const struct subject *subject);
bool ctd_has_kubernetes_events(const struct subject *subject);
bool ctd_has_history(const struct subject *subject);
bool ctd_has_profiles(const struct subject *subject);
bool ctd_has_neighbours(const struct subject *subject);
bool ctd_has_budget(const struct subject *subject);
bool ctd_has_budget_cost(const struct subject *subject);
int ctd_points_level1(const struct family *family, const struct subject *subject,
		      struct point points[FAMILY_POINTS_MAX]);
int ctd_points_level2(const struct family *family, const struct subject *subject,
		      struct point points[FAMILY_POINTS_MAX]);
int ctd_points_ipc(const struct family *family, const struct subject *subject,
		   struct point points[FAMILY_POINTS_MAX]);
int ctd_points_waits(const struct family *family, const struct subject *subject,
		     struct point points[FAMILY_POINTS_MAX]);
int ctd_points_smt(const struct family *family, const struct subject *subject,
		   struct point points[FAMILY_POINTS_MAX]);
int ctd_points_smt_slots(const struct family *family, const struct subject *subject,
			 struct point points[FAMILY_POINTS_MAX]);
int ctd_points_smt_retired(const struct family *family, const struct subject *subject,
			   struct point points[FAMILY_POINTS_MAX]);
int ctd_points_waits_count(const struct family *family, const struct subject *subject,
			   struct point points[FAMILY_POINTS_MAX]);
int ctd_points_preemptions(const struct family *family, const struct subject *subject,
			   struct point points[FAMILY_POINTS_MAX]);
int ctd_points_wait_histogram(const struct family *family, const struct subject *subject,
			      struct point points[FAMILY_POINTS_MAX]);
int ctd_points_container(const struct family *family, const struct subject *subject,
			 struct point points[FAMILY_POINTS_MAX]);
int ctd_points_start(const struct family *family, const struct subject *subject,
		     struct point points[FAMILY_POINTS_MAX]);
int ctd_points_state(const struct family *family, const struct subject *subject,
		     struct point points[FAMILY_POINTS_MAX]);
int ctd_points_budget_limit(const struct family *family, const struct subject *subject,
			    struct point points[FAMILY_POINTS_MAX]);
int ctd_points_budget_cost(const struct family *family, const struct subject *subject,
			   struct point points[FAMILY_POINTS_MAX]);
int ctd_points_given_up(const struct family *family, const struct subject *subject,
			struct point points[FAMILY_POINTS_MAX]);
int ctd_points_budget_changes(const struct family *family, const struct subject *subject,
			      struct point points[FAMILY_POINTS_MAX]);
int ctd_points_source(const struct family *family, const struct subject *subject,
		      struct point points[FAMILY_POINTS_MAX]);
int ctd_points_build(const struct family *family, const struct subject *subject,
		     struct point points[FAMILY_POINTS_MAX]);
int ctd_points_names(const struct family *family, const struct subject *subject,
		     struct point points[FAMILY_POINTS_MAX]);
int ctd_points_refusals(const struct family *family, const struct subject *subject,
			struct point points[FAMILY_POINTS_MAX]);
int ctd_points_windows(const struct family *family, const struct subject *subject,
		       struct point points[FAMILY_POINTS_MAX]);
int ctd_points_stacks(const struct family *family, const struct subject *subject,
		      struct point points[FAMILY_POINTS_MAX]);
int ctd_points_tables_refused(const struct family *family, const struct subject *subject,
			      struct point points[FAMILY_POINTS_MAX]);
int ctd_points_tables_forgotten(const struct family *family, const struct subject *subject,
				struct point points[FAMILY_POINTS_MAX]);
int ctd_points_requests(const struct family *family, const struct subject *subject,
			struct point points[FAMILY_POINTS_MAX]);
int ctd_points_kubernetes_events(const struct family *family, const struct subject *subject,
				 struct point points[FAMILY_POINTS_MAX]);
int ctd_points_interference(const struct family *family, const struct subject *subject,
			    struct point points[FAMILY_POINTS_MAX]);
int ctd_points_function(const struct family *family, const struct subject *subject,
			struct point points[FAMILY_POINTS_MAX]);
int ctd_points_function_slots(const struct family *family, const struct subject *subject,
			      struct point points[FAMILY_POINTS_MAX]);
int ctd_points_vendor_event(const struct family *family, const struct subject *subject,
			    struct point points[FAMILY_POINTS_MAX]);
int ctd_points_vendor_group(const struct family *family, const struct subject *subject,
			    struct point points[FAMILY_POINTS_MAX]);
int ctd_points_vendor_metric(const struct family *family, const struct subject *subject,
			     struct point points[FAMILY_POINTS_MAX]);
int ctd_points_vendor_name(const struct family *family, const struct subject *subject,
			   struct point points[FAMILY_POINTS_MAX]);
int ctd_points_pair(const struct family *family, const struct subject *subject,
		    struct point points[FAMILY_POINTS_MAX]);
int ctd_points_lost_slots(const struct family *family, const struct subject *subject,
			  struct point points[FAMILY_POINTS_MAX]);

/* histogram.c: buckets of waits. What they are shorter than; 0: the last one, without a limit. */
uint64_t ctd_histogram_bound_ns(int bucket);
/* The same in seconds, as metrics systems spell numbers: they compare texts. "+Inf" of the last
 * one. */
const char *ctd_histogram_le(int bucket);
/* Of this bucket, without shorter ones. */
uint64_t ctd_histogram_count(const struct ctd_waits *waits, int bucket);

/* pod_labels.c: a pod's labels as those of a sample, "label_<name>". */
void ctd_pod_labels_add(const struct ctd_account_who *who, struct ctd_strbuf *labels);

#endif
