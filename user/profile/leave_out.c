/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* leave_out.c - takes a stack out of the rows of a profile, with its part of their figures. */
#include <cgtopdown/profile.h>

/* They are the profile's own, which is being changed. */
static uint64_t *own(const uint64_t *node_slots)
{
	return (uint64_t *)node_slots;
}

static void subtract(const struct ctd_profile *profile, struct ctd_profile_row *row,
		     const struct ctd_profile_stack *stack)
{
	const struct ctd_cpu_model *model = profile->rollup->plan->model;

	row->samples -= stack->samples;
	row->events -= stack->events;
	/* Time and slots of an event's stacks are not known: the row's stay those of all. */
	if (*profile->stacks->event.name)
		return;
	row->cpu_ns -= stack->cpu_ns;
	row->slots -= stack->slots;
	row->windows -= stack->windows;
	row->slots_by_source[stack->shares_of] -= stack->slots;
	for (int node = 0; model && node < model->nodes_count; node++)
		if (row->node_slots_known & 1u << node)
			own(row->node_slots)[node] -= stack->node_slots[node];
}

static void leave_out_of_row(const struct ctd_profile *profile, struct ctd_profile_row *row,
			     uint32_t trace)
{
	size_t kept = 0;

	if (!*profile->stacks->event.name)
		row->whole_cpu_ns = row->cpu_ns;
	for (size_t i = 0; i < row->stacks_count; i++) {
		if (row->stacks[i].trace == trace || row->stacks[i].trace == CTD_TRACE_NOT_SAMPLED)
			subtract(profile, row, &row->stacks[i]);
		else
			row->stacks[kept++] = row->stacks[i];
	}
	row->stacks_count = kept;
}

void ctd_profile_leave_out(struct ctd_profile *profile, uint32_t trace)
{
	size_t kept = 0;

	profile->samples = 0;
	for (size_t i = 0; i < profile->rows_count; i++) {
		struct ctd_profile_row row = profile->rows[i];

		leave_out_of_row(profile, &row, trace);
		if (!row.stacks_count)
			continue;
		profile->samples += row.samples;
		profile->rows[kept++] = row;
	}
	profile->rows_count = kept;
}
