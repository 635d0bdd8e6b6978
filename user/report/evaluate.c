/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* evaluate.c - the figures of a row, from what was added up for it. */
#include "report/group.h"

static enum ctd_quality worse(enum ctd_quality a, enum ctd_quality b)
{
	return a > b ? a : b;
}

void ctd_group_evaluate(struct ctd_group *group, const struct ctd_cpu_model *model,
			uint32_t counters_count, int level)
{
	struct ctd_report_row *row = &group->row;

	row->cpu_s = (double)group->sum.oncpu_ns / 1e9;
	row->slices = group->sum.slices;
	row->switches = group->sum.switches;
	row->dominant = -1;
	for (int i = 0; i < CTD_NODES_MAX; i++)
		row->values[i] = (struct ctd_value){.quality = CTD_UNSUPPORTED};
	row->quality = CTD_UNSUPPORTED;
	if (!model || counters_count == 0)
		return;

	row->quality = ctd_sum_quality(&group->sum);
	row->slots = ctd_cpu_model_slots(model, group->sum.count[0]);
	/* Also where its parts turn out not to be trusted: slots are what the books are of. */
	row->slots_known =
		model->slots_per_count && row->slots && row->quality <= CTD_LOW_CONFIDENCE;
	ctd_metric_evaluate(model, group->sum.count, (int)counters_count, row->quality,
			    row->values);
	/* Too few slots, or none, is found out there: the row is not better than its figures. */
	if (model->nodes_count > 0)
		row->quality = worse(row->quality, row->values[0].quality);
	/* What does nothing has no bottleneck. */
	if (group->kind != CTD_ROW_IDLE)
		row->dominant = ctd_metric_dominant(model, row->values, level);
}
