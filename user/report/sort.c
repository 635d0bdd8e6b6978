/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sort.c - the order of rows. */
#include "report/group.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int ctd_sort_parse(const char *text, const struct ctd_cpu_model *model, struct ctd_sort *ret_sort)
{
	struct ctd_sort sort = {.key = CTD_SORT_NODE, .node = -1};

	if (!text || strcmp(text, "cpu") == 0)
		sort.key = CTD_SORT_CPU;
	else if (strcmp(text, "slots") == 0)
		sort.key = CTD_SORT_SLOTS;
	else if (strcmp(text, "name") == 0)
		sort.key = CTD_SORT_NAME;
	else
		for (int i = 0; model && i < model->nodes_count; i++)
			if (strcmp(text, model->nodes[i].name) == 0)
				sort.node = i;
	if (sort.key == CTD_SORT_NODE && sort.node < 0)
		return -EINVAL;
	*ret_sort = sort;
	return 0;
}

/* Cgroups, the sum of hidden ones, then what is not a cgroup, idle last. */
static int rank(const struct ctd_group *group)
{
	switch (group->kind) {
	case CTD_ROW_IDLE:
		return 4;
	case CTD_ROW_KERNEL:
		return 3;
	case CTD_ROW_OTHER:
		return group->row.hidden_sum ? 1 : 2;
	default:
		return 0;
	}
}

/* Unknown slots come last, not among the zeros. */
static double slots(const struct ctd_report_row *row)
{
	return row->slots_known ? (double)row->slots : -1;
}

static double ratio(const struct ctd_report_row *row, int node)
{
	return ctd_value_known(row->values[node]) ? row->values[node].ratio : -1;
}

/* There is none of several kinds of cores: the largest of theirs. */
static double largest_ratio(const struct ctd_group *group, int node)
{
	double largest = ratio(&group->row, node);

	for (int i = 0; i < group->rows_count; i++) {
		if (ratio(&group->rows[i], node) > largest)
			largest = ratio(&group->rows[i], node);
	}
	return largest;
}

/* What rows are sorted by, descending; equal for all rows where names decide. */
static double weight(const struct ctd_group *group, const struct ctd_sort *sort)
{
	const struct ctd_report_row *row = &group->row;

	switch (sort->key) {
	case CTD_SORT_CPU:
		return row->cpu_s;
	case CTD_SORT_SLOTS:
		return slots(row);
	case CTD_SORT_NODE:
		return largest_ratio(group, sort->node);
	default:
		return 0;
	}
}

int ctd_sort_compare(const struct ctd_group *a, const struct ctd_group *b,
		     const struct ctd_sort *sort)
{
	double a_weight = weight(a, sort), b_weight = weight(b, sort);
	int order = rank(a) - rank(b);

	if (order != 0)
		return order;
	if (a_weight != b_weight)
		return a_weight > b_weight ? -1 : 1;
	order = strcmp(a->row.name, b->row.name);
	if (order != 0)
		return order;
	if (a->row.cgroup_id != b->row.cgroup_id)
		return a->row.cgroup_id < b->row.cgroup_id ? -1 : 1;
	return a->row.pid < b->row.pid ? -1 : a->row.pid > b->row.pid;
}

static int compare_groups(const void *a, const void *b, void *sort)
{
	return ctd_sort_compare(a, b, sort);
}

void ctd_sort_groups(struct ctd_groups *groups, const struct ctd_sort *sort)
{
	struct ctd_sort key = *sort;

	if (groups->count > 1)
		qsort_r(groups->items, groups->count, sizeof(groups->items[0]), compare_groups,
			&key);
}
