/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rotation.h - in which groups the events of some metrics are counted on one core. */
#ifndef VENDOR_ROTATION_H
#define VENDOR_ROTATION_H

#include <cgtopdown/vendor.h>

#include "base/strbuf.h"
#include "vendor/pack.h"

/* Vendors' trees have so many levels. */
#define CTD_VENDOR_LEVELS 6

/* Which metrics: those that are named, and those of the tree down to a level; with neither, all. */
struct ctd_vendor_wish {
	const char *names; /* of metrics or groups, ',' between them; NULL: none */
	int level; /* 0: none of the tree */
	bool watchdog; /* the NMI watchdog holds a counter */
	bool partly; /* names that are not there are passed over: another core type may have them */
};

struct ctd_vendor_rotation {
	const struct ctd_vendor_table *table; /* borrowed */
	const struct ctd_vendor_set *set; /* borrowed */
	size_t *metrics; /* owned; indices of the table, that can be computed */
	size_t metrics_count;
	size_t *lacking; /* owned; those that were asked for and cannot be computed */
	size_t lacking_count;
	struct ctd_pack_event *events; /* owned; the set's counts, and one more */
	struct ctd_pack_core core;
	/* The leader, where no metric counts it: it is behind the set's counts. */
	struct ctd_vendor_count leader;
	bool perf_metrics; /* its leader is slots, else cycles */
	bool counters_said; /* the files say how many there are */
	bool watchdog;
	struct ctd_pack pack; /* of `metrics` */
	size_t alone_groups; /* how many there would be, grouped as perf does */
};

/*
 * Metrics that cannot be computed are in no group. @return 0; -ENOENT: nothing is named, a name is
 * neither a metric nor a group, or nothing that is asked for can be computed, with a sentence in
 * @p ret_why; -ENOMEM.
 */
int ctd_vendor_rotation_make(const struct ctd_vendor_table *table, const struct ctd_vendor_cpu *cpu,
			     const struct ctd_vendor_set *set, const struct ctd_vendor_wish *wish,
			     struct ctd_vendor_rotation *ret_rotation,
			     char ret_why[CTD_VENDOR_WHY_BYTES]);
void ctd_vendor_rotation_free(struct ctd_vendor_rotation *rotation);

/* The event of a group by its index there. */
const struct ctd_vendor_count *ctd_vendor_rotation_count(const struct ctd_vendor_rotation *rotation,
							 uint32_t event);
/* Half a sentence: why no group can have rotation->metrics[index]. */
void ctd_vendor_rotation_add_lack(const struct ctd_vendor_rotation *rotation, size_t index,
				  struct ctd_strbuf *text);

/* Is there a metric or a group of that name? */
bool ctd_vendor_knows(const struct ctd_vendor_table *table, const char *name);
/* The metric with this name, or with "tma_" ahead of it. @return its index, or -1. */
int ctd_vendor_metric_named(const struct ctd_vendor_table *table, const char *name);

/* counters.c: what a core's counters can do, and each count asks of them. */
struct ctd_pack_core ctd_vendor_core(const struct ctd_vendor_table *table,
				     const struct ctd_vendor_cpu *cpu, bool perf_metrics,
				     bool watchdog, bool *ret_said);
struct ctd_pack_event ctd_vendor_demand(const struct ctd_vendor_table *table,
					const struct ctd_vendor_cpu *cpu,
					const struct ctd_pack_core *core,
					const struct ctd_vendor_count *count);
/* Is it a part of PERF_METRICS? */
bool ctd_vendor_is_perf_metric(const struct ctd_vendor_table *table,
			       const struct ctd_vendor_cpu *cpu,
			       const struct ctd_vendor_count *count);
/* What each group begins with: slots where there is PERF_METRICS, else cycles. */
struct ctd_vendor_count ctd_vendor_leader(const struct ctd_vendor_table *table,
					  const struct ctd_vendor_cpu *cpu, bool perf_metrics);

#endif
