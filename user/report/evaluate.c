/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* evaluate.c - the figures of a row, from what was added up for it. */
#include "report/group.h"

static enum ctd_quality worse(enum ctd_quality a, enum ctd_quality b)
{
	return a > b ? a : b;
}

/* All turns' slots: their windows do not overlap, and are all of the time but for the changes. */
static uint64_t slots_of(const struct ctd_sum *sum, const struct ctd_report *report)
{
	uint64_t slots = 0;

	for (int turn = 0; turn < report->groups_count; turn++)
		slots += ctd_cpu_model_slots(
			report->model, sum->count[(size_t)turn * (size_t)report->counters_count]);
	return slots;
}

/* By the model's groups: the general one, if it is there, took the last turn. */
static void cover(const struct ctd_sum *sum, const struct ctd_report *report,
		  struct ctd_report_row *row)
{
	for (int turn = 0; turn < report->groups_count; turn++) {
		bool is_general = report->general && turn == report->groups_count - 1;

		row->coverage[is_general ? CTD_GENERAL_GROUP : turn] =
			sum->oncpu_ns ? (double)sum->group_ns[turn] / (double)sum->oncpu_ns : 0;
	}
}

static void evaluate_general(struct ctd_group *group, const struct ctd_report *report)
{
	const struct ctd_cpu_model *model = report->model;
	int turn = report->groups_count - 1;

	ctd_metric_evaluate_general(model, &group->sum.count[turn * report->counters_count],
				    report->counters_count, group->sum.count_ns[turn],
				    group->row.quality, group->row.values);
	/* A halted CPU has no cycles, but time: there is no telling how fast it ran in between. */
	for (int i = 0; group->kind == CTD_ROW_IDLE && i < model->nodes_count; i++) {
		if (model->nodes[i].unit == CTD_UNIT_GHZ)
			group->row.values[i] = (struct ctd_value){.quality = CTD_UNSUPPORTED};
	}
}

void ctd_group_evaluate(struct ctd_group *group, const struct ctd_report *report)
{
	const struct ctd_cpu_model *model = report->model;
	struct ctd_report_row *row = &group->row;

	row->cpu_s = (double)group->sum.oncpu_ns / 1e9;
	row->slices = group->sum.slices;
	row->switches = group->sum.switches;
	row->dominant = -1;
	for (int i = 0; i < CTD_NODES_MAX; i++)
		row->values[i] = (struct ctd_value){.quality = CTD_UNSUPPORTED};
	row->quality = CTD_UNSUPPORTED;
	if (!model || report->counters_count == 0)
		return;

	row->quality = ctd_sum_quality(&group->sum);
	row->slots = slots_of(&group->sum, report);
	cover(&group->sum, report, row);
	/* Also where its parts turn out not to be trusted: slots are what the books are of. */
	row->slots_known =
		model->slots_per_count && row->slots && row->quality <= CTD_LOW_CONFIDENCE;
	ctd_metric_evaluate(model, group->sum.count, report->counters_count,
			    report->groups_count - report->general, row->quality, row->values);
	if (report->general)
		evaluate_general(group, report);
	/* Too few slots, or none, is found out there: the row is not better than its figures. */
	if (model->nodes_count > 0)
		row->quality = worse(row->quality, row->values[0].quality);
	/* What does nothing has no bottleneck. */
	if (group->kind != CTD_ROW_IDLE)
		row->dominant = ctd_metric_dominant(model, row->values, report->level);
}
