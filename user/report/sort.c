/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sort.c - the order of rows. */
#include "report/entries.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"

int ctd_sort_parse(const struct ctd_report_options *options, const struct ctd_rollup_plan *plan,
		   struct ctd_sort *ret_sort)
{
	const struct ctd_vendor_countings *vendor = options->vendor;
	const char *text = options->sort;
	struct ctd_sort sort = {.key = CTD_SORT_NODE, .index = -1};

	if (!text || strcmp(text, "cpu") == 0)
		sort.key = CTD_SORT_CPU;
	else if (strcmp(text, "slots") == 0)
		sort.key = CTD_SORT_SLOTS;
	else if (strcmp(text, "name") == 0)
		sort.key = CTD_SORT_NAME;
	else if (plan->model)
		sort.index = ctd_cpu_model_find_node(plan->model, text);
	/* Deeper levels than are shown may be there. */
	if (sort.index >= 0 && !ctd_rollup_plan_counts(plan, sort.index))
		sort.index = -1;
	if (sort.key == CTD_SORT_NODE && sort.index < 0 && vendor) {
		sort.key = CTD_SORT_VENDOR;
		sort.index = ctd_vendor_countings_find(vendor, text);
	}
	if (sort.key >= CTD_SORT_NODE && sort.index < 0)
		return -EINVAL;
	*ret_sort = sort;
	return 0;
}

/* Cgroups, then what is not a cgroup, idle last. */
static int rank(const struct ctd_rollup_row *row)
{
	switch (row->kind) {
	case CTD_ROLLUP_IDLE:
		return 3;
	case CTD_ROLLUP_KERNEL:
		return 2;
	case CTD_ROLLUP_OTHER:
		return 1;
	default:
		return 0;
	}
}

/* The largest of those of its core types: there is none of several. */
static double largest_ratio(const struct ctd_rollup *rollup, const struct ctd_rollup_row *row,
			    int column)
{
	double largest = -1;

	for (int type = 0; type < rollup->plan->core_types_count; type++) {
		const struct ctd_value *values = row->parts[type].values;
		int node = rollup->plan->core_types[type].node[column];

		if (values && node >= 0 && ctd_value_known(values[node]) &&
		    values[node].ratio > largest)
			largest = values[node].ratio;
	}
	return largest;
}

/* What rows are sorted by, descending; equal for all rows where names decide. */
static double weight(const struct ctd_entries *entries, size_t index, const struct ctd_sort *sort)
{
	const struct ctd_rollup_row *row = &entries->rollup->rows[index];

	switch (sort->key) {
	case CTD_SORT_CPU:
		return (double)row->cpu_ns;
	case CTD_SORT_SLOTS:
		/* Unknown slots come last, not among the zeros. */
		return row->slots_known ? (double)row->slots : -1;
	case CTD_SORT_NODE:
		return largest_ratio(entries->rollup, row, sort->index);
	case CTD_SORT_VENDOR:
		return ctd_report_vendor_largest(entries->report, entries->rollup, index,
						 sort->index);
	default:
		return 0;
	}
}

struct sortable {
	size_t row;
	int rank;
	double weight;
	const char *name;
	uint64_t cgroup_id;
	uint32_t pid;
};

static int compare(const void *first, const void *second)
{
	const struct sortable *a = first, *b = second;
	int order;

	if (a->rank != b->rank)
		return a->rank - b->rank;
	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	order = strcmp(a->name, b->name);
	if (order != 0)
		return order;
	if (a->cgroup_id != b->cgroup_id)
		return a->cgroup_id < b->cgroup_id ? -1 : 1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

int ctd_sort_rows(const struct ctd_entries *entries, const struct ctd_sort *sort,
		  size_t **ret_sorted)
{
	const struct ctd_rollup *rollup = entries->rollup;
	size_t count = rollup->rows_count, *sorted = calloc(count + 1, sizeof(*sorted));
	autofree struct sortable *sortable = calloc(count + 1, sizeof(*sortable));

	if (!sortable || !sorted) {
		free(sorted);
		return -ENOMEM;
	}
	for (size_t i = 0; i < count; i++)
		sortable[i] = (struct sortable){
			.row = i,
			.rank = rank(&rollup->rows[i]),
			.weight = weight(entries, i, sort),
			.name = entries->names[i],
			.cgroup_id = rollup->rows[i].cgroup_id,
			.pid = rollup->rows[i].pid,
		};
	qsort(sortable, count, sizeof(*sortable), compare);
	for (size_t i = 0; i < count; i++)
		sorted[i] = sortable[i].row;
	*ret_sorted = sorted;
	return 0;
}
