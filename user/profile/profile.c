/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* profile.c - finds the stacks of each row of a rollup, and has the row's figures divided among
 * them. */
#include <cgtopdown/profile.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/idmap.h"
#include "profile/weigh.h"

/* A stack, and the row of the rollup that it belongs to. */
struct member {
	uint32_t row;
	uint32_t core_type;
	uint32_t trace;
	const struct ctd_stack *stack;
};

struct build {
	const struct ctd_stacks *stacks;
	const struct ctd_rollup *rollup;
	struct member *members; /* owned; those of a row on one core type follow each other */
	size_t members_count;
	struct ctd_sampled *sampled; /* owned; of one row; each trace once */
	uint64_t *counts; /* owned; of these */
	struct ctd_profile profile; /* owned */
};

static void build_free(struct build *build)
{
	free(build->members);
	free(build->sampled);
	free(build->counts);
	ctd_profile_free(&build->profile);
}

static bool is_of_event(const struct build *build)
{
	return *build->stacks->event.name;
}

static size_t counts_count(const struct build *build)
{
	return (size_t)build->stacks->counters_count * (size_t)build->stacks->groups_count;
}

static size_t columns_count(const struct build *build)
{
	const struct ctd_cpu_model *model = build->rollup->plan->model;

	return model ? (size_t)model->nodes_count : 0;
}

/* Where the rows of each cgroup and kind begin in the interval. */
struct places {
	struct ctd_idmap cgroups;
	size_t kind[CTD_ROW_KINDS]; /* index + 1; 0: none */
};

static void places_free(struct places *places)
{
	ctd_idmap_free(&places->cgroups);
}

static int find_places(const struct ctd_interval *interval, struct places *places)
{
	for (size_t i = interval->rows_count; i-- > 0;) {
		const struct ctd_interval_row *row = &interval->rows[i];

		places->kind[row->kind] = i + 1;
		if (row->kind == CTD_ROW_CGROUP &&
		    ctd_idmap_set(&places->cgroups, row->cgroup_id, i))
			return -ENOMEM;
	}
	return 0;
}

/* The row of the rollup that @p stack belongs to, or CTD_ROLLUP_NO_ROW. */
static uint32_t find_row(struct build *build, const struct places *places,
			 const struct ctd_stack *stack)
{
	uintptr_t at = 0;

	/* A cgroup for which the kernel side had no row is in row `other`. */
	if (stack->kind != CTD_ROW_CGROUP ||
	    !ctd_idmap_get(&places->cgroups, stack->cgroup_id, &at)) {
		at = places->kind[stack->kind == CTD_ROW_CGROUP ? CTD_ROW_OTHER : stack->kind];
		if (!at) {
			build->profile.lost_samples += stack->samples;
			return CTD_ROLLUP_NO_ROW;
		}
		at--;
	}
	return build->rollup->row_of[at];
}

static int compare_members(const void *left, const void *right)
{
	const struct member *a = left, *b = right;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	if (a->core_type != b->core_type)
		return a->core_type < b->core_type ? -1 : 1;
	return a->trace < b->trace ? -1 : a->trace > b->trace;
}

static int find_members(struct build *build, const struct ctd_interval *interval)
{
	__attribute__((cleanup(places_free))) struct places places = {0};
	uint32_t types = (uint32_t)build->rollup->plan->core_types_count;
	int error = find_places(interval, &places);

	build->members = malloc((build->stacks->stacks_count + 1) * sizeof(*build->members));
	if (error || !build->members)
		return -ENOMEM;
	for (size_t i = 0; i < build->stacks->stacks_count; i++) {
		const struct ctd_stack *stack = &build->stacks->stacks[i];
		uint32_t row = find_row(build, &places, stack);

		if (row == CTD_ROLLUP_NO_ROW)
			continue;
		if (stack->core_type >= types ||
		    !build->rollup->rows[row].parts[stack->core_type].ran) {
			build->profile.lost_samples += stack->samples;
			continue;
		}
		build->members[build->members_count++] =
			(struct member){row, stack->core_type, stack->trace, stack};
	}
	qsort(build->members, build->members_count, sizeof(*build->members), compare_members);
	return 0;
}

static int allocate(struct build *build)
{
	struct ctd_profile *profile = &build->profile;
	size_t rows = build->rollup->rows_count * (size_t)build->rollup->plan->core_types_count;
	/* A row without samples has one stack, too. */
	size_t stacks = build->members_count + rows;

	build->sampled = malloc((build->members_count + 1) * sizeof(*build->sampled));
	build->counts =
		malloc((build->members_count + 1) * (counts_count(build) + 1) * sizeof(uint64_t));
	profile->rows = calloc(rows + 1, sizeof(*profile->rows));
	profile->row_stacks = calloc(stacks + 1, sizeof(*profile->row_stacks));
	/* Of each stack and of each row. */
	profile->node_slots =
		calloc((stacks + rows) * columns_count(build) + 1, sizeof(*profile->node_slots));
	return build->sampled && build->counts && profile->rows && profile->row_stacks &&
			       profile->node_slots
		       ? 0
		       : -ENOMEM;
}

/* The whole function, in whichever of its places. */
static uint32_t innermost(const struct ctd_stacks *stacks, uint32_t trace)
{
	return stacks->functions[stacks->frames[stacks->traces[trace].first]].whole;
}

/* The members of one row on one core type, each trace once. @return how many. */
static size_t add_up(struct build *build, const struct member *members, size_t members_count)
{
	size_t counts = counts_count(build), found = 0;

	for (size_t i = 0; i < members_count; i++) {
		const struct ctd_stack *stack = members[i].stack;
		struct ctd_sampled *sampled = &build->sampled[found];

		if (i && members[i - 1].trace == members[i].trace) {
			sampled--;
		} else {
			*sampled = (struct ctd_sampled){
				.trace = stack->trace,
				.function = innermost(build->stacks, stack->trace),
				.count = &build->counts[found++ * counts],
			};
			memset(sampled->count, 0, counts * sizeof(uint64_t));
		}
		sampled->samples += stack->samples;
		sampled->windows += stack->windows;
		sampled->windows_ns += stack->windows_ns;
		for (size_t k = 0; k < counts; k++)
			sampled->count[k] += stack->count[k];
	}
	if (!found) {
		build->sampled[found] = (struct ctd_sampled){
			.trace = CTD_TRACE_NOT_SAMPLED,
			.function = innermost(build->stacks, CTD_TRACE_NOT_SAMPLED),
			.count = &build->counts[found * counts],
		};
		memset(build->sampled[found++].count, 0, counts * sizeof(uint64_t));
	}
	return found;
}

static int compare_stacks(const void *left, const void *right)
{
	const struct ctd_profile_stack *a = left, *b = right;

	if (a->events != b->events)
		return a->events > b->events ? -1 : 1;
	if (a->slots != b->slots)
		return a->slots > b->slots ? -1 : 1;
	if (a->cpu_ns != b->cpu_ns)
		return a->cpu_ns > b->cpu_ns ? -1 : 1;
	return a->trace < b->trace ? -1 : a->trace > b->trace;
}

static void take_exact(const struct build *build, const struct ctd_rollup_part *part,
		       uint64_t *node_slots, struct ctd_profile_row *row)
{
	const struct ctd_core_type *type = &build->rollup->plan->core_types[row->core_type];

	row->cpu_ns = part->cpu_ns;
	row->slots_known = part->slots_known;
	row->node_slots = node_slots;
	if (!part->slots_known)
		return;
	row->slots = part->slots;
	for (int i = 0; i < type->model->nodes_count; i++) {
		if (!(part->node_slots_known & 1u << i))
			continue;
		row->node_slots_known |= 1u << type->column[i];
		node_slots[type->column[i]] = part->node_slots[i];
	}
}

static void judge(const struct build *build, struct ctd_profile_row *row)
{
	for (size_t i = 0; i < row->stacks_count; i++) {
		const struct ctd_profile_stack *stack = &row->stacks[i];

		row->samples += stack->samples;
		row->windows += stack->windows;
		row->events += stack->events;
		row->slots_by_source[stack->shares_of] += stack->slots;
	}
	row->factor = row->samples && !is_of_event(build)
			      ? (double)row->cpu_ns /
					((double)row->samples * (double)build->stacks->period_ns)
			      : NAN;
}

/* Where an event came says nothing of where time and slots went. */
static void take_events(const struct build *build, struct ctd_profile_row *row)
{
	for (size_t i = 0; i < row->stacks_count; i++)
		row->stacks[i] = (struct ctd_profile_stack){
			.trace = build->sampled[i].trace,
			.samples = build->sampled[i].samples,
			.events = build->sampled[i].samples * build->stacks->event.period,
		};
}

/* @p members: of the row; @p stacks and @p node_slots: memory, of which *ret_used stacks are used. */
static int make_row(struct build *build, uint32_t at, int core_type, const struct member *members,
		    size_t members_count, size_t *first)
{
	const struct ctd_rollup_row *from = &build->rollup->rows[at];
	struct ctd_profile *profile = &build->profile;
	struct ctd_profile_row *row = &profile->rows[profile->rows_count];
	size_t columns = columns_count(build);
	/* Behind the row's stacks are its own figures. */
	uint64_t *node_slots = &profile->node_slots[(*first + profile->rows_count) * columns];
	struct ctd_weigh_input input = {
		.plan = build->rollup->plan,
		.part = &from->parts[core_type],
		.core_type = core_type,
		.period_ns = build->stacks->period_ns,
		.sampled = build->sampled,
		.sampled_count = add_up(build, members, members_count),
	};

	*row = (struct ctd_profile_row){
		.row = from,
		.core_type = core_type,
		.stacks = &profile->row_stacks[*first],
		.stacks_count = input.sampled_count,
	};
	if (is_of_event(build))
		take_events(build, row);
	else if (ctd_weigh(&input, row->stacks, node_slots))
		return -ENOMEM;
	for (size_t i = 0; i < row->stacks_count; i++)
		row->stacks[i].node_slots = &node_slots[i * columns];
	take_exact(build, input.part, &node_slots[row->stacks_count * columns], row);
	judge(build, row);
	qsort(row->stacks, row->stacks_count, sizeof(*row->stacks), compare_stacks);
	profile->rows_count++;
	profile->samples += row->samples;
	if (!is_of_event(build)) {
		profile->slots_known |= row->slots_known;
		profile->node_slots_known |= row->node_slots_known;
	}
	*first += row->stacks_count;
	return 0;
}

/* Not if its PMU has not the event, or is not asked for: then nothing is known of its rows. */
static bool is_sampled(const struct build *build, int core_type)
{
	return !is_of_event(build) || (build->stacks->event.core_types >> core_type & 1);
}

static int make_rows(struct build *build)
{
	const struct ctd_rollup *rollup = build->rollup;
	const struct member *member = build->members, *end = member + build->members_count;
	size_t first = 0;

	for (uint32_t at = 0; at < rollup->rows_count; at++) {
		for (int type = 0; type < rollup->plan->core_types_count; type++) {
			const struct member *begin = member;
			const struct ctd_rollup_part *part = &rollup->rows[at].parts[type];
			int error;

			while (member < end && member->row == at &&
			       member->core_type == (uint32_t)type)
				member++;
			/* An idle CPU is not sampled. */
			if (rollup->rows[at].kind == CTD_ROLLUP_IDLE || !is_sampled(build, type) ||
			    (!part->cpu_ns && member == begin))
				continue;
			error = make_row(build, at, type, begin, (size_t)(member - begin), &first);
			if (error)
				return error;
		}
	}
	return 0;
}

int ctd_profile_make(const struct ctd_stacks *stacks, const struct ctd_interval *interval,
		     const struct ctd_rollup *rollup, struct ctd_profile *ret_profile)
{
	__attribute__((cleanup(build_free))) struct build build = {
		.stacks = stacks,
		.rollup = rollup,
		.profile = {.rollup = rollup, .stacks = stacks},
	};
	int error;

	if (stacks->counters_count != rollup->plan->counters_count ||
	    stacks->groups_count != rollup->plan->groups_count)
		return -EBADMSG;
	error = find_members(&build, interval);
	if (!error)
		error = allocate(&build);
	if (!error)
		error = make_rows(&build);
	if (error)
		return error;
	*ret_profile = build.profile;
	build.profile = (struct ctd_profile){0};
	return 0;
}

void ctd_profile_free(struct ctd_profile *profile)
{
	if (!profile)
		return;
	free(profile->rows);
	free(profile->row_stacks);
	free(profile->node_slots);
	*profile = (struct ctd_profile){0};
}
