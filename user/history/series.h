/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* series.h - figures of rows over points of time. */
#ifndef HISTORY_SERIES_H
#define HISTORY_SERIES_H

#include <cgtopdown/ledger.h>
#include <cgtopdown/rollup.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"

/* Nothing was counted: never 0. */
#define CTD_SERIES_ABSENT UINT64_MAX
/* All columns of all rows: 8 MB. */
#define CTD_SERIES_VALUES_MAX ((size_t)1000000)

/* A row takes about a kilobyte beside its columns. */
#define CTD_SERIES_ROWS_MAX ((size_t)20000)

enum ctd_series_column {
	CTD_SERIES_CPU_NS,
	CTD_SERIES_SLOTS,
	CTD_SERIES_NODES, /* the first one: slots of each */
};

struct ctd_series_row {
	char *key; /* owned; that of the view where it has such a row */
	char *name; /* owned; for people */
	const char *kind;
	const struct ctd_account_who *who; /* owned: one reference; NULL: a group of containers */
	char *core; /* owned; its core type; "": all are alike */
	uint64_t cpu_ns; /* of all points */
	/* Owned; a value for each point; NULL: absent at all points. */
	uint64_t *columns[CTD_SERIES_NODES + CTD_NODES_MAX];
	/* Owned; for each node, all slots that were counted together with it: where the plan of
	 * counters changed within a point, only some of the plans may have the node. NULL unless it
	 * compares. */
	uint64_t *wholes[CTD_NODES_MAX];
};

/* Of a core type. */
struct ctd_series_total {
	char core[24];
	uint64_t *slots, *idle_slots, *unattributed_slots; /* owned, as columns */
	int64_t *residual_slots; /* owned; where slots are known */
};

/* Start from a zeroed struct with what comes before the blank line. */
struct ctd_series {
	uint64_t first,
		step_ns; /* point i is (first + i) * step_ns < t <= (first + i + 1) * step_ns */
	size_t points;
	enum ctd_group_by by;
	int level; /* nodes down to this one */
	const char *key; /* borrowed; of the only row; NULL: all rows */
	bool compares; /* with another series: rows of one kind, name and core type are one, as what
			  was made anew has other ids; and of nodes there are `wholes` */

	bool simulated; /* some of it */
	uint64_t *window_ns, *unattributed_ns; /* owned, as columns */
	const struct ctd_node *nodes[CTD_NODES_MAX]; /* of the models: constants */
	const char *parents[CTD_NODES_MAX]; /* names of their parents; NULL: it has none */
	int nodes_count;
	struct ctd_series_total totals[CTD_CORE_TYPES_MAX];
	int totals_count;
	struct ctd_series_row *rows; /* owned */
	size_t rows_count, values_count;
	struct ctd_intern keys; /* owned */
};

/* Adds what was counted in the point @p index, or in a part of it. @return 0, -ENOMEM, or -E2BIG:
 * more than CTD_SERIES_VALUES_MAX, or more rows than CTD_SERIES_ROWS_MAX. */
int ctd_series_add(struct ctd_series *series, size_t index, const struct ctd_rollup *rollup);
/* @return the index of the node with that name, or -1: there is none. */
int ctd_series_find_node(const struct ctd_node *const *nodes, int nodes_count, const char *name);
/* @return NULL: there is none. Not after ctd_series_sort(). */
const struct ctd_series_row *ctd_series_find(const struct ctd_series *series, const char *key);
/* Those with the most CPU time first. */
void ctd_series_sort(struct ctd_series *series);
void ctd_series_free(struct ctd_series *series);

#endif
