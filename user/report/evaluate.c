/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* evaluate.c - the figures of a row, from what was added up for it. */
#include "report/group.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ALL_CORES "all"

static enum ctd_quality worse(enum ctd_quality a, enum ctd_quality b)
{
	return a > b ? a : b;
}

/* All turns' slots: their windows do not overlap, and are all of the time but for the changes. */
static uint64_t slots_of(const struct ctd_report_core *core, const uint64_t *count)
{
	uint64_t slots = 0;

	for (int turn = 0; turn < core->groups_count; turn++)
		slots += ctd_cpu_model_slots(core->model,
					     count[(size_t)turn * (size_t)core->counters_count]);
	return slots;
}

/* By the groups of the report's model: the general one, if it is there, took the last turn. */
static void cover(const struct ctd_sum *sum, const struct ctd_report *report,
		  const struct ctd_report_core *core, struct ctd_report_row *row)
{
	double part[CTD_GROUPS_MAX] = {0};

	for (int turn = 0; turn < core->groups_count; turn++) {
		bool is_general = core->general && turn == core->groups_count - 1;

		part[is_general ? CTD_GENERAL_GROUP : turn] =
			sum->oncpu_ns ? (double)sum->group_ns[turn] / (double)sum->oncpu_ns : 0;
	}
	for (int i = 0; i < core->model->nodes_count; i++) {
		const struct ctd_node *column = &report->model->nodes[core->column[i]];

		row->coverage[column->group] = part[core->model->nodes[i].group];
	}
}

/* Where there are no instructions per cycle, the counters did not count. */
static bool has_general(const struct ctd_cpu_model *model, const struct ctd_value *values)
{
	int ipc = ctd_cpu_model_node(model, CTD_ROLE_IPC);

	return ipc >= 0 && ctd_value_known(values[ipc]);
}

/* @p count: of the group. */
static void take_general(const struct ctd_report_core *core, const uint64_t *count,
			 uint64_t counted_ns, struct ctd_general_counts *general)
{
	int first = core->model->general_first;
	int known = core->counters_count - first;

	general->known = known < CTD_GENERAL_COUNTS ? known : CTD_GENERAL_COUNTS;
	general->counted_ns = counted_ns;
	for (int i = 0; i < general->known; i++)
		general->count[i] = count[first + i];
}

static void evaluate_general(const struct ctd_group *group, const struct ctd_sum *sum,
			     const struct ctd_report_core *core, const uint64_t *count,
			     struct ctd_value *values, struct ctd_report_row *row)
{
	int ghz = ctd_cpu_model_node(core->model, CTD_ROLE_GHZ);
	int turn = core->groups_count - 1;

	ctd_metric_evaluate_general(core->metrics, &count[(ptrdiff_t)turn * core->counters_count],
				    core->counters_count, sum->count_ns[turn], row->quality,
				    values);
	if (has_general(core->model, values))
		take_general(core, &count[(ptrdiff_t)turn * core->counters_count],
			     sum->count_ns[turn], &row->general);
	/* A halted CPU has no cycles, but time: there is no telling how fast it ran in between. */
	if (group->kind == CTD_ROW_IDLE && ghz >= 0)
		values[ghz] = (struct ctd_value){.quality = CTD_UNSUPPORTED};
}

/* The counts of the core's own counters: behind them are those that fill up to other kinds' number.
 */
static void take_counts(const struct ctd_sum *sum, const struct ctd_report *report,
			const struct ctd_report_core *core, uint64_t count[CTD_COUNTS_MAX])
{
	memset(count, 0, sizeof(*count) * (size_t)CTD_COUNTS_MAX);
	for (int turn = 0; turn < core->groups_count; turn++)
		memcpy(&count[(ptrdiff_t)turn * core->counters_count],
		       &sum->count[(ptrdiff_t)turn * report->counters_count],
		       (size_t)core->counters_count * sizeof(*count));
}

static void begin(struct ctd_report_row *row, const struct ctd_sum *sum)
{
	row->cpu_s = (double)sum->oncpu_ns / 1e9;
	row->slices = sum->slices;
	row->switches = sum->switches;
	row->dominant = -1;
	row->general = (struct ctd_general_counts){0};
	for (int i = 0; i < CTD_NODES_MAX; i++)
		row->values[i] = (struct ctd_value){.quality = CTD_UNSUPPORTED};
	row->quality = CTD_UNSUPPORTED;
}

/* Into the places that the report's columns have. */
static void place_values(const struct ctd_group *group, const struct ctd_report *report,
			 const struct ctd_report_core *core, const struct ctd_value *values,
			 struct ctd_report_row *row)
{
	int dominant = -1;

	for (int i = 0; i < core->model->nodes_count; i++) {
		row->values[core->column[i]] = values[i];
		if (!ctd_metric_hot(core->metrics, values, i))
			row->cool |= 1u << core->column[i];
	}
	/* What does nothing has no bottleneck. */
	if (group->kind != CTD_ROW_IDLE)
		dominant = ctd_metric_dominant(core->metrics, values, report->level);
	row->dominant = dominant < 0 ? -1 : core->column[dominant];
}

/* A row of one kind of cores, by its own model. */
static void evaluate_core(const struct ctd_group *group, const struct ctd_sum *sum,
			  const struct ctd_report *report, const struct ctd_report_core *core,
			  struct ctd_report_row *row)
{
	const struct ctd_cpu_model *model = core->model;
	struct ctd_value values[CTD_NODES_MAX];
	uint64_t count[CTD_COUNTS_MAX];

	begin(row, sum);
	row->core = core->name;
	if (!report->model || report->counters_count == 0)
		return;
	row->quality = ctd_sum_quality(sum);
	if (!model) {
		row->quality = worse(row->quality, CTD_NO_DATA);
		return;
	}
	take_counts(sum, report, core, count);
	row->slots = slots_of(core, count);
	cover(sum, report, core, row);
	/* Also where its parts turn out not to be trusted: slots are what the books are of. */
	row->slots_known =
		model->slots_per_count && row->slots && row->quality <= CTD_LOW_CONFIDENCE;
	for (int i = 0; i < CTD_NODES_MAX; i++)
		values[i] = (struct ctd_value){.quality = CTD_UNSUPPORTED};
	ctd_metric_evaluate(core->metrics, count, core->counters_count,
			    core->groups_count - core->general, row->quality, values);
	if (core->general)
		evaluate_general(group, sum, core, count, values, row);
	/* Too few slots, or none, is found out there: the row is not better than its figures. */
	if (model->nodes_count > 0)
		row->quality = worse(row->quality, values[0].quality);
	place_values(group, report, core, values, row);
}

/* Several kinds of cores: each its row, and what can be added up. */
static int evaluate_cores(struct ctd_group *group, const struct ctd_sum *sums,
			  const struct ctd_report *report, int ran)
{
	struct ctd_sum sum = {0};

	group->rows = calloc((size_t)ran, sizeof(*group->rows));
	if (!group->rows)
		return -ENOMEM;
	group->row.slots = 0;
	group->row.slots_known = true;
	for (int core = 0; core < report->cores_count; core++) {
		struct ctd_report_row *row = &group->rows[group->rows_count];

		if (!ctd_sum_is_of_any(&sums[core]))
			continue;
		*row = group->row;
		row->name = NULL;
		row->slots = 0;
		row->slots_known = false;
		evaluate_core(group, &sums[core], report, &report->cores[core], row);
		group->row.slots += row->slots;
		/* The slots of a part are not those of all; but none are known to be none where
		 * nothing ran. */
		group->row.slots_known &= row->slots_known || !sums[core].oncpu_ns;
		ctd_sum_add(&sum, &sums[core]);
		group->rows_count++;
	}
	begin(&group->row, &sum);
	group->row.core = ALL_CORES;
	group->row.core_sum = true;
	group->row.slots_known &= group->row.slots > 0;
	group->row.quality = ctd_sum_quality(&sum);
	return 0;
}

int ctd_group_evaluate(struct ctd_group *group, const struct ctd_sum *sums,
		       const struct ctd_report *report)
{
	int ran = 0, last = 0;

	for (int core = 0; core < report->cores_count; core++) {
		if (!ctd_sum_is_of_any(&sums[core]))
			continue;
		ran++;
		last = core;
	}
	if (ran > 1)
		return evaluate_cores(group, sums, report, ran);
	evaluate_core(group, &sums[last], report, &report->cores[last], &group->row);
	return 0;
}
