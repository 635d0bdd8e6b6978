/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* interval.c - makes an interval of the difference of two views. */
#include "remote/interval.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/idmap.h"
#include "decode/rows.h"
#include "remote/names.h"
#include "remote/subtract.h"

/* An interval on its way. */
struct build {
	const struct ctd_remote_plan *plan;
	const struct ctd_rollup_plan *rollup; /* the plan's */
	uint64_t bpf_ns; /* that all switches took */
	struct ctd_remote_interval result; /* owned */
};

/* As counts are judged: scaled are those of a part of the time. */
static enum ctd_quality judge(const struct ctd_rollup_plan *plan,
			      const struct ctd_remote_total *total)
{
	if (!plan->counters_count)
		return CTD_UNSUPPORTED;
	if (total->cpu_ns && (!total->slots || !total->counted_ns))
		return CTD_NO_DATA;
	if (total->counted_ns >= total->cpu_ns - total->cpu_ns / 1000)
		return CTD_OK;
	return total->counted_ns >= total->cpu_ns / 10 ? CTD_SCALED : CTD_LOW_CONFIDENCE;
}

static uint64_t part_of(uint64_t whole, uint64_t part_ns, uint64_t all_ns)
{
	if (!all_ns || part_ns >= all_ns)
		return all_ns ? whole : 0;
	return (uint64_t)((unsigned __int128)whole * part_ns / all_ns);
}

/* Groups have as many steps each: the time of the last one is known, the others share the rest. */
static void set_times(const struct ctd_core_type *type, const struct ctd_remote_total *total,
		      struct ctd_interval_row *row)
{
	uint64_t counted_ns = total->counted_ns < total->cpu_ns ? total->counted_ns : total->cpu_ns;
	uint64_t ipc_ns = total->ipc.counted_ns < counted_ns ? total->ipc.counted_ns : counted_ns;
	int tree = type->groups_count - type->ipc;

	if (type->ipc) {
		row->group_ns[tree] = ipc_ns;
		row->count_ns[tree] = total->ipc.counted_ns;
		counted_ns -= ipc_ns;
	}
	for (int group = 0; group < tree; group++) {
		row->group_ns[group] = counted_ns / (uint64_t)tree;
		row->count_ns[group] = row->group_ns[group];
	}
}

/* The slots of all groups are the row's; those of the last one are so many as it takes to say that
 * it has counted. */
static void set_counts(const struct build *build, int core_type,
		       const struct ctd_remote_total *total, struct ctd_interval_row *row)
{
	const struct ctd_core_type *type = &build->rollup->core_types[core_type];
	const int *nodes;
	int count = ctd_remote_plan_nodes(build->plan, core_type, &nodes);
	uint64_t ipc_slots = 0;

	if (!type->model)
		return;
	if (type->ipc) {
		uint64_t *last = &row->count[(ptrdiff_t)(type->groups_count - 1) *
					     build->rollup->counters_count];

		ipc_slots = part_of(total->slots, total->ipc.counted_ns, total->counted_ns);
		last[CTD_REMOTE_LEADER] = ipc_slots;
		memcpy(&last[CTD_REMOTE_IPC], total->ipc.count, sizeof(total->ipc.count));
	}
	row->count[CTD_REMOTE_LEADER] = total->slots - ipc_slots;
	row->count[CTD_REMOTE_SLOTS] = total->slots;
	for (int i = 0; i < count; i++)
		row->count[CTD_REMOTE_NODES + i] = total->node_slots[nodes[i]];
}

/* Of the counts only those that it takes to say what retired. */
static void set_siblings(const struct ctd_core_type *type, const struct ctd_beside *smt,
			 struct ctd_interval_sibling siblings[CTD_SIBLINGS])
{
	int node = type->model ? ctd_cpu_model_node(type->model, CTD_ROLE_RETIRING) : -1;

	for (int i = 0; i < CTD_SIBLINGS; i++) {
		const struct ctd_beside_part *part = &smt->parts[i];

		siblings[i].cpu_ns = part->cpu_ns;
		siblings[i].counted_ns = part->counted_ns;
		siblings[i].leader_count = part->slots;
		if (node < 0 || !ctd_core_type_counts(type, &type->model->nodes[node]))
			continue;
		siblings[i].count[CTD_REMOTE_LEADER] = part->slots;
		siblings[i].count[CTD_REMOTE_SLOTS] = part->slots;
		/* The last counter of a node of the tree is its own. */
		siblings[i].count[type->model->nodes[node].counters - 1] = part->retired_slots;
	}
}

static void add_row(struct build *build, enum ctd_row_kind kind, uint64_t id, int core_type,
		    const struct ctd_remote_total *total)
{
	struct ctd_interval *interval = &build->result.interval;
	struct ctd_interval_row *row = &interval->rows[interval->rows_count];

	row->cgroup_id = id;
	row->kind = kind;
	row->core_type = (uint32_t)core_type;
	row->oncpu_ns = total->cpu_ns;
	row->running_ns = total->counted_ns;
	row->slices = total->slices;
	row->switches = total->switches;
	row->quality = judge(build->rollup, total);
	/* What a view tells is scaled already. */
	row->raw = row->count;
	if (row->waits)
		*row->waits = total->waits;
	if (row->siblings)
		set_siblings(&build->rollup->core_types[core_type], &total->smt, row->siblings);
	set_times(&build->rollup->core_types[core_type], total, row);
	set_counts(build, core_type, total, row);
	interval->rows_count++;
}

/* Ids of cgroups are given in their order. */
static void add_throttling(struct ctd_throttlings *list, uint64_t id,
			   const struct ctd_throttling *throttling)
{
	size_t at = list->count;

	while (at && list->items[at - 1].cgroup_id > id) {
		list->items[at] = list->items[at - 1];
		at--;
	}
	if (at && list->items[at - 1].cgroup_id == id) {
		ctd_throttling_add(&list->items[at - 1], throttling);
		return;
	}
	list->items[at] = *throttling;
	list->items[at].cgroup_id = id;
	list->count++;
}

/* As in an interval that was counted here, what did not run has no row, but idle. */
static bool has_run(const struct ctd_remote_row *row, const struct ctd_remote_total *total)
{
	return row->kind == CTD_ACCOUNT_IDLE || total->cpu_ns || total->slices || total->switches ||
	       total->slots || ctd_waits_any(&total->waits);
}

static int add_rows(struct build *build, const struct ctd_remote_span *span,
		    const struct ctd_remote_difference *difference)
{
	static const enum ctd_row_kind kinds[CTD_ACCOUNT_KINDS] = {
		[CTD_ACCOUNT_KERNEL] = CTD_ROW_KERNEL, [CTD_ACCOUNT_IDLE] = CTD_ROW_IDLE};
	const struct ctd_remote_view *after = span->after;
	struct ctd_idmap ids = {0};
	int error = 0;

	for (size_t i = 0; !error && i < after->rows_count; i++) {
		const struct ctd_remote_row *row = &after->rows[i];
		uint64_t id = 0;

		if (row->kind == CTD_ACCOUNT_OTHER || !has_run(row, &difference->rows[i]))
			continue;
		if (row->kind <= CTD_ACCOUNT_CGROUP)
			error = ctd_remote_name(build->result.identities, span->node, &ids, row,
						&id);
		if (!error)
			add_row(build, id ? CTD_ROW_CGROUP : kinds[row->kind], id,
				span->core_type[row->core_type], &difference->rows[i]);
		if (!error && id && difference->rows[i].throttling_known)
			add_throttling(&build->result.interval.throttlings, id,
				       &difference->rows[i].throttling);
	}
	ctd_idmap_free(&ids);
	for (int i = 0; !error && i < after->core_types_count; i++) {
		const struct ctd_remote_total *other = &difference->other[i];

		if (other->cpu_ns || other->slices || other->slots)
			add_row(build, CTD_ROW_OTHER, 0, span->core_type[i], other);
	}
	return error;
}

/* Also a negative one: in unsigned arithmetic it subtracts. */
static uint64_t scale_signed(uint64_t figure, const struct ctd_remote_ratio *ratio)
{
	return (int64_t)figure < 0 ? 0 - ctd_remote_scale(0 - figure, ratio)
				   : ctd_remote_scale(figure, ratio);
}

/* Of several machines: what is given up on any of them. */
static void add_budget(struct ctd_budget_state *to, const struct ctd_budget_state *of)
{
	if (of->limit_ppm > to->limit_ppm)
		to->limit_ppm = of->limit_ppm;
	to->cost_ns += of->cost_ns;
	to->capacity_ns += of->capacity_ns;
	to->given_up |= of->given_up;
	to->exceeded |= of->exceeded;
	for (int part = 0; part < CTD_BUDGET_PARTS; part++)
		to->changes[part] += of->changes[part];
}

static void add_totals(struct build *build, const struct ctd_remote_span *span,
		       const struct ctd_remote_ratio *ratio)
{
	const struct ctd_remote_view *before = span->before, *after = span->after;
	struct ctd_interval *interval = &build->result.interval;

	for (int i = 0; i < after->core_types_count; i++) {
		const struct ctd_remote_core_type *then = &before->core_types[i];
		const struct ctd_remote_core_type *now = &after->core_types[i];
		struct ctd_interval_totals *totals = &interval->totals[span->core_type[i]];

		totals->cpus_online += now->cpus;
		if (!interval->counters_count)
			continue;
		totals->unattributed[CTD_REMOTE_LEADER] +=
			ctd_remote_scale(now->unattributed_slots - then->unattributed_slots, ratio);
		totals->residual[CTD_REMOTE_LEADER] =
			(int64_t)((uint64_t)totals->residual[CTD_REMOTE_LEADER] +
				  scale_signed((uint64_t)now->residual_slots -
						       (uint64_t)then->residual_slots,
					       ratio));
	}
	for (int i = 0; i < CTD_HEALTH_COUNTERS; i++)
		interval->health.count[i] +=
			ctd_remote_scale(after->health[i] - before->health[i], ratio);
	if (after->bpf_ns > before->bpf_ns)
		build->bpf_ns += ctd_remote_scale(after->bpf_ns - before->bpf_ns, ratio);
	interval->cpus_online += after->cpus;
	interval->unattributed_ns +=
		ctd_remote_scale(after->unattributed_ns - before->unattributed_ns, ratio);
	add_budget(&interval->health.budget, &after->budget);
}

static int add_span(struct build *build, const struct ctd_remote_span *span)
{
	const struct ctd_remote_ratio ratio = {.to = build->result.interval.window_ns,
					       .from = span->after->elapsed_ns -
						       span->before->elapsed_ns};
	struct ctd_remote_difference difference;
	int error = ctd_remote_subtract(span->before, span->after, &difference);

	if (error)
		return error;
	ctd_remote_difference_scale(&difference, span->after->rows_count, &ratio);
	error = add_rows(build, span, &difference);
	ctd_remote_difference_free(&difference);
	if (!error)
		add_totals(build, span, &ratio);
	return error;
}

static void judge_cost(struct build *build)
{
	struct ctd_interval_health *health = &build->result.interval.health;
	uint64_t switches = health->count[CTD_HEALTH_SWITCHES];

	health->l1_sum_over_slots = (struct ctd_value){NAN, CTD_NO_DATA};
	health->ns_per_switch =
		switches && build->bpf_ns ? (double)build->bpf_ns / (double)switches : NAN;
}

static int allocate(struct build *build, size_t rows)
{
	struct ctd_interval *interval = &build->result.interval;

	if (ctd_interval_reserve(interval, rows) || ctd_interval_reserve_totals(interval))
		return -ENOMEM;
	interval->throttlings.items = calloc(rows + 1, sizeof(*interval->throttlings.items));
	interval->throttlings.known = interval->has_waits;
	if (!interval->throttlings.items)
		return -ENOMEM;
	return ctd_identities_new(&build->result.identities);
}

int ctd_remote_interval_merge(const struct ctd_remote_plan *plan,
			      const struct ctd_remote_span *spans, size_t count, uint64_t window_ns,
			      uint64_t realtime_ns, struct ctd_remote_interval *ret_interval)
{
	const struct ctd_rollup_plan *rollup = ctd_remote_plan_rollup(plan);
	struct build build = {
		.plan = plan,
		.rollup = rollup,
		.result.interval =
			{
				.realtime_ns = realtime_ns,
				.window_ns = window_ns,
				.counters_count = (uint32_t)rollup->counters_count,
				.groups_count = (uint32_t)rollup->groups_count,
				/* Where one of them has none, 0 would be its figure. */
				.has_waits = true,
				.has_siblings = true,
			},
	};
	struct ctd_interval *interval = &build.result.interval;
	size_t rows = 0;
	int error;

	for (size_t i = 0; i < count; i++) {
		const struct ctd_remote_view *before = spans[i].before, *after = spans[i].after;
		bool whole = ctd_budget_measured(&before->budget, &after->budget, CTD_BUDGET_WAITS);

		interval->has_waits &= before->waits && after->waits && whole;
		interval->has_siblings &= before->smt && after->smt && whole;
		rows += after->rows_count + CTD_CORE_TYPES_MAX;
	}
	error = allocate(&build, rows);
	for (size_t i = 0; !error && i < count; i++)
		error = add_span(&build, &spans[i]);
	if (error) {
		ctd_remote_interval_free(&build.result);
		return error;
	}
	judge_cost(&build);
	*ret_interval = build.result;
	return 0;
}

int ctd_remote_interval_make(const struct ctd_remote_plan *plan,
			     const struct ctd_remote_view *before,
			     const struct ctd_remote_view *after,
			     struct ctd_remote_interval *ret_interval)
{
	const struct ctd_remote_span span = {
		.before = before, .after = after, .core_type = {0, 1, 2, 3}};
	int error =
		ctd_remote_interval_merge(plan, &span, 1, after->elapsed_ns - before->elapsed_ns,
					  after->time_ns, ret_interval);

	if (!error)
		ret_interval->interval.sequence = after->sequence;
	return error;
}

void ctd_remote_interval_free(struct ctd_remote_interval *interval)
{
	ctd_interval_free(&interval->interval);
	ctd_identities_free(interval->identities);
	*interval = (struct ctd_remote_interval){0};
}

_Static_assert(CTD_CORE_TYPES_MAX == 4, "the core types of one span are listed above");

int ctd_remote_rollup_make(const struct ctd_remote_plan *plan,
			   const struct ctd_remote_interval *interval,
			   const struct ctd_rollup_options *options, struct ctd_rollup *ret_rollup)
{
	int error = ctd_rollup_make(ctd_remote_plan_rollup(plan), &interval->interval,
				    interval->identities, options, ret_rollup);

	for (size_t i = 0; !error && i < ret_rollup->rows_count; i++)
		ret_rollup->rows[i].cgroup_id = 0;
	return error;
}
