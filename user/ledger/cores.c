/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cores.c - kinds of cores: which one a row is of, and its figures by that kind's own model. */
#include "ledger/ledger.h"

#include <stdio.h>
#include <string.h>

int ctd_row_core(const struct ctd_report *report, const struct ctd_report_row *row)
{
	for (int core = 0; core < report->cores_count && row->core; core++) {
		const char *name = report->cores[core].name;

		if (name && strcmp(name, row->core) == 0)
			return core;
	}
	return 0;
}

/* The report's columns are those of all kinds, in an order of their own, and so are its groups. */
const struct ctd_report_row *ctd_row_by_own_model(const struct ctd_report *report, int core,
						  const struct ctd_report_row *row,
						  struct ctd_report_row *buffer)
{
	const struct ctd_report_core *kind = &report->cores[core];

	if (report->cores_count == 1)
		return row;
	*buffer = *row;
	buffer->dominant = -1;
	memset(buffer->coverage, 0, sizeof(buffer->coverage));
	for (int i = 0; kind->model && i < kind->model->nodes_count; i++) {
		int column = kind->column[i];

		buffer->values[i] = row->values[column];
		buffer->coverage[kind->model->nodes[i].group] =
			row->coverage[report->model->nodes[column].group];
		if (row->dominant == column)
			buffer->dominant = i;
	}
	return buffer;
}

static void take_core(const struct ctd_report_core *from, struct ctd_ledger_core *core)
{
	core->model = from->model;
	core->scope = from->model && from->model->core_scope ? "core" : "thread";
	core->level = from->level;
	core->cpus_online = from->cpus_online;
	snprintf(core->name, sizeof(core->name), "%s", from->name ? from->name : "");
	snprintf(core->source, sizeof(core->source), "%s", from->source);
}

/* From the best to the worst. */
static int badness(enum ctd_pmu_state state)
{
	static const int of[CTD_PMU_STATES] = {
		[CTD_PMU_LIVE] = 1,	 [CTD_PMU_MULTIPLEXED] = 2, [CTD_PMU_STARVED] = 3,
		[CTD_PMU_NEVER_RAN] = 4, [CTD_PMU_IMPLAUSIBLE] = 5,
	};

	return of[state];
}

void ctd_cores_take(struct ctd_ledger *ledger, const struct ctd_report *report)
{
	struct ctd_ledger_view *newest = &ledger->newest;

	newest->cores_count = report->cores_count;
	newest->state = CTD_PMU_ABSENT;
	for (int i = 0; i < report->cores_count; i++) {
		struct ctd_ledger_core *core = &newest->cores[i];

		take_core(&report->cores[i], core);
		ledger->counted[i] |= ctd_pmu_counted(report, i);
		core->state = ctd_pmu_judge(report, i, ledger->counted[i]);
		if (badness(core->state) > badness(newest->state))
			newest->state = core->state;
	}
}

void ctd_cores_add_totals(struct ctd_ledger_view *newest, const struct ctd_report *report)
{
	struct ctd_node_totals *node = &newest->totals;

	for (int i = 0; i < report->cores_count; i++) {
		const struct ctd_report_core *from = &report->cores[i];
		struct ctd_core_totals *core = &newest->cores[i].totals;

		if (!from->slots_known)
			continue;
		core->slots_known = node->slots_known = true;
		core->slots += from->slots;
		core->unattributed_slots += from->unattributed_slots;
		core->residual_slots += from->residual_slots;
		node->slots += from->slots;
		node->unattributed_slots += from->unattributed_slots;
		node->residual_slots += from->residual_slots;
	}
}
