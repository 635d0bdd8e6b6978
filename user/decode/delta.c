/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* delta.c - subtracts two snapshots, row by row and CPU by CPU. */
#include <cgtopdown/interval.h>

#include <assert.h>
#include <errno.h>
#include <math.h>

#include "rotation.h"
#include "rows.h"
#include "scale.h"
#include "siblings.h"

static const struct ctd_snapshot_row no_row;
static const struct ctd_snapshot_cpu no_cpu;
static const struct ctd_waits no_waits;
static const struct ctd_sibling_part no_parts[CTD_SIBLINGS];
static const uint64_t no_cache_ns[CTD_CACHE_PARTS_MAX];

/* A row of a snapshot, with what belongs to it. */
struct full_row {
	const struct ctd_snapshot_row *row;
	const struct ctd_waits *waits;
	const struct ctd_sibling_part *siblings;
	const uint64_t *cache_ns;
};

static const struct full_row no_full_row = {&no_row, &no_waits, no_parts, no_cache_ns};

/* Totals only grow. One that shrank began again at 0, and its difference means nothing. */
static uint64_t subtract(uint64_t after, uint64_t before, bool *shrank)
{
	if (after < before)
		*shrank = true;
	return after - before;
}

/* @p row has room for its counts. */
static void subtract_row(const struct ctd_snapshot_row *after,
			 const struct ctd_snapshot_row *before, uint32_t counters_count,
			 struct ctd_interval_row *row, bool *shrank)
{
	row->cgroup_id = after->cgroup_id;
	row->pid = after->pid;
	row->kind = after->kind;
	row->core_type = after->core_type;
	row->oncpu_ns = subtract(after->oncpu_ns, before->oncpu_ns, shrank);
	row->running_ns = subtract(after->running_ns, before->running_ns, shrank);
	row->slices = subtract(after->slices, before->slices, shrank);
	row->switches = subtract(after->switches, before->switches, shrank);
	for (uint32_t i = 0; i < counters_count; i++)
		row->raw[i] = subtract(after->count[i], before->count[i], shrank);
	ctd_interval_row_scale(row, counters_count);
}

static bool is_active(const struct ctd_interval_row *row, uint32_t counters_count)
{
	uint64_t any = row->oncpu_ns | row->running_ns | row->slices | row->switches;

	for (uint32_t i = 0; i < counters_count; i++)
		any |= row->raw[i];
	return any != 0 || (row->waits && ctd_waits_any(row->waits));
}

/* Of a row that shrank nothing here means anything. */
static void subtract_caches(const uint64_t *after_ns, const uint64_t *before_ns,
			    const struct ctd_interval *interval, uint64_t *ret_ns, bool *shrank)
{
	for (uint32_t i = 0; i < ctd_caches_parts(&interval->caches); i++)
		ret_ns[i] = subtract(after_ns[i], before_ns[i], shrank);
}

/* A row that was freed and taken again in between, say for a process with a reused pid, counted
 * from 0. The place of a row that did nothing is used for the next. */
static void add_difference(struct ctd_interval *interval, const struct full_row *after,
			   const struct full_row *before)
{
	struct ctd_interval_row *row = &interval->rows[interval->rows_count];
	bool shrank = false;

	subtract_row(after->row, before->row, interval->counters_count, row, &shrank);
	if (row->waits && !ctd_waits_subtract(after->waits, before->waits, row->waits))
		shrank = true;
	if (row->siblings && !ctd_sibling_parts_grew(after->siblings, before->siblings))
		shrank = true;
	subtract_caches(after->cache_ns, before->cache_ns, interval, row->cache_ns, &shrank);
	if (shrank) {
		before = &no_full_row;
		subtract_row(after->row, before->row, interval->counters_count, row, &shrank);
		if (row->waits)
			*row->waits = *after->waits;
		subtract_caches(after->cache_ns, before->cache_ns, interval, row->cache_ns,
				&shrank);
		interval->health.count[CTD_HEALTH_RESTARTS]++;
	}
	if (row->siblings)
		ctd_sibling_parts_subtract(after->siblings, before->siblings,
					   interval->counters_count, row);
	if (row->kind == CTD_ROW_IDLE || is_active(row, interval->counters_count))
		interval->rows_count++;
}

/* What the interval has not is that of no row. */
static struct full_row full_row_at(const struct ctd_interval *interval,
				   const struct ctd_snapshot *snapshot, size_t at)
{
	return (struct full_row){
		.row = &snapshot->rows[at],
		.waits = interval->has_waits ? &snapshot->waits[at] : &no_waits,
		.siblings =
			interval->has_siblings ? &snapshot->siblings[at * CTD_SIBLINGS] : no_parts,
		.cache_ns = interval->caches.count
				    ? &snapshot->cache_ns[at * ctd_caches_parts(&interval->caches)]
				    : no_cache_ns,
	};
}

/* Both snapshots are sorted, so one pass pairs their rows. */
static int subtract_rows(const struct ctd_snapshot *before, const struct ctd_snapshot *after,
			 struct ctd_interval *interval)
{
	size_t old = 0;

	if (ctd_interval_reserve(interval, after->rows_count) ||
	    ctd_interval_reserve_totals(interval))
		return -ENOMEM;
	for (size_t i = 0; i < after->rows_count; i++) {
		struct full_row row = full_row_at(interval, after, i), match = no_full_row;

		while (old < before->rows_count &&
		       ctd_snapshot_row_compare(&before->rows[old], row.row) < 0)
			old++;
		if (old < before->rows_count &&
		    ctd_snapshot_row_compare(&before->rows[old], row.row) == 0)
			match = full_row_at(interval, before, old);
		add_difference(interval, &row, &match);
	}
	return 0;
}

/* A CPU's total and unattributed counts. `attributed` is not used: the rows have to show it. */
static void subtract_totals(const struct ctd_snapshot_cpu *after,
			    const struct ctd_snapshot_cpu *before, uint32_t counters_count,
			    struct ctd_snapshot_cpu *ret_cpu, bool *shrank)
{
	ret_cpu->unattributed_ns =
		subtract(after->unattributed_ns, before->unattributed_ns, shrank);
	for (uint32_t i = 0; i < counters_count; i++) {
		ret_cpu->total[i] = subtract(after->total[i], before->total[i], shrank);
		ret_cpu->unattributed[i] =
			subtract(after->unattributed[i], before->unattributed[i], shrank);
	}
}

static void subtract_health(const struct ctd_snapshot_cpu *after,
			    const struct ctd_snapshot_cpu *before, struct ctd_snapshot_cpu *ret_cpu,
			    bool *shrank)
{
	for (int i = 0; i < CTD_HEALTH_CPU_COUNTERS; i++)
		ret_cpu->health[i] = subtract(after->health[i], before->health[i], shrank);
}

/* Totals begin anew only if they shrank themselves: if only a health figure shrank, the CPU's rows
 * go on, and its whole history would be in the total but in no row. */
static struct ctd_snapshot_cpu subtract_cpu(const struct ctd_snapshot_cpu *after,
					    const struct ctd_snapshot_cpu *before,
					    uint32_t counters_count, bool *ret_shrank)
{
	struct ctd_snapshot_cpu cpu = {.online = after->online, .core_type = after->core_type};
	bool totals_shrank = false, health_shrank = false, ignored;

	subtract_totals(after, before, counters_count, &cpu, &totals_shrank);
	if (totals_shrank)
		subtract_totals(after, &no_cpu, counters_count, &cpu, &ignored);
	subtract_health(after, before, &cpu, &health_shrank);
	if (totals_shrank || health_shrank)
		subtract_health(after, &no_cpu, &cpu, &ignored);
	*ret_shrank = totals_shrank || health_shrank;
	return cpu;
}

static void add_cpu(struct ctd_interval *interval, const struct ctd_snapshot_cpu *difference)
{
	struct ctd_interval_totals *totals = &interval->totals[difference->core_type];

	for (uint32_t i = 0; i < interval->counters_count; i++) {
		totals->total[i] += difference->total[i];
		totals->unattributed[i] += difference->unattributed[i];
	}
	totals->cpus_online += difference->online;
	interval->cpus_online += difference->online;
	interval->unattributed_ns += difference->unattributed_ns;
	for (int i = 0; i < CTD_HEALTH_CPU_COUNTERS; i++)
		interval->health.count[i] += difference->health[i];
}

/* Adds up the totals of all CPUs, paired as rows are. */
static void subtract_cpus(const struct ctd_snapshot *before, const struct ctd_snapshot *after,
			  struct ctd_interval *interval)
{
	uint64_t *count = interval->health.count;
	bool shrank = false;
	size_t old = 0;

	for (size_t i = 0; i < after->cpus_count; i++) {
		const struct ctd_snapshot_cpu *cpu = &after->cpus[i], *match = &no_cpu;
		struct ctd_snapshot_cpu difference;

		/* Snapshots of one run never lose a CPU: one that is missing belongs to another
		 * run. */
		for (; old < before->cpus_count && before->cpus[old].cpu < cpu->cpu; old++)
			count[CTD_HEALTH_RESTARTS]++;
		if (old < before->cpus_count && before->cpus[old].cpu == cpu->cpu)
			match = &before->cpus[old++];
		difference = subtract_cpu(cpu, match, interval->counters_count, &shrank);
		count[CTD_HEALTH_RESTARTS] += shrank;
		add_cpu(interval, &difference);
	}
	count[CTD_HEALTH_RESTARTS] += before->cpus_count - old;
	shrank = false;
	count[CTD_HEALTH_LOST_EVENTS] = subtract(after->lost_events, before->lost_events, &shrank);
	if (shrank)
		count[CTD_HEALTH_LOST_EVENTS] = after->lost_events;
}

/* Compares the sum of the rows with what the CPUs counted, which reveals wrong or missing rows.
 * Unsigned until the sum is complete: it may pass below 0 and back. */
static void keep_residual(struct ctd_interval *interval)
{
	for (uint32_t i = 0; i < interval->counters_count; i++) {
		uint64_t residual[CTD_CORE_TYPES_MAX];

		for (int core = 0; core < CTD_CORE_TYPES_MAX; core++)
			residual[core] = interval->totals[core].total[i] -
					 interval->totals[core].unattributed[i];
		for (size_t row = 0; row < interval->rows_count; row++)
			residual[interval->rows[row].core_type] -= interval->rows[row].raw[i];
		for (int core = 0; core < CTD_CORE_TYPES_MAX; core++)
			interval->totals[core].residual[i] = (int64_t)residual[core];
	}
}

/* The self-check of PERF_METRICS: its four level-1 fractions add up to 1. They are in the first
 * group; other groups have other events in these places. */
static struct ctd_value l1_sum_over_slots(const struct ctd_interval *interval,
					  const int *l1_counters, uint32_t group)
{
	struct ctd_value value = {.ratio = NAN, .quality = CTD_UNSUPPORTED};
	double sum = 0, slots = 0;

	for (int i = 0; i < 4; i++) {
		if (group || !l1_counters || l1_counters[i] <= 0 ||
		    (uint32_t)l1_counters[i] >= interval->counters_count)
			return value;
	}
	for (size_t row = 0; row < interval->rows_count; row++) {
		if (interval->rows[row].core_type)
			continue;
		slots += (double)interval->rows[row].raw[0];
		for (int i = 0; i < 4; i++)
			sum += (double)interval->rows[row].raw[l1_counters[i]];
	}
	value.quality = slots > 0 ? CTD_OK : CTD_NO_DATA;
	if (slots > 0)
		value.ratio = sum / slots;
	return value;
}

static double ns_per_switch(const uint64_t *count)
{
	return count[CTD_HEALTH_COST_SAMPLES] > 0
		       ? (double)count[CTD_HEALTH_COST_NS] / (double)count[CTD_HEALTH_COST_SAMPLES]
		       : NAN;
}

void ctd_interval_judge(struct ctd_interval *interval, const int *l1_counters)
{
	interval->health.l1_sum_over_slots = l1_sum_over_slots(interval, l1_counters, 0);
	interval->health.ns_per_switch = ns_per_switch(interval->health.count);
}

static void keep_empty(struct ctd_interval *interval)
{
	for (size_t i = 0; interval->counters_count && i < interval->rows_count; i++) {
		const struct ctd_interval_row *row = &interval->rows[i];

		if (row->kind != CTD_ROW_IDLE && row->running_ns && !row->raw[0])
			interval->totals[row->core_type].empty_ns += row->running_ns;
	}
	for (int core = 0; core < CTD_CORE_TYPES_MAX; core++)
		interval->health.empty_ns += interval->totals[core].empty_ns;
}

int ctd_interval_make(const struct ctd_snapshot *before, const struct ctd_snapshot *after,
		      const int *l1_counters, struct ctd_interval *ret_interval)
{
	struct ctd_interval interval = {
		.realtime_ns = after->realtime_ns,
		.window_ns = after->monotonic_ns - before->monotonic_ns,
		.sequence = after->sequence,
		.counters_count = after->counters_count,
		.groups_count = after->groups_count ? after->groups_count : 1,
		.has_waits = before->waits && after->waits,
		.has_siblings = before->siblings && after->siblings,
		.health = {.budget = after->budget, .latencies = after->latencies},
	};
	int result;

	if (before->cache_ns && after->cache_ns &&
	    ctd_caches_are_same(&before->caches, &after->caches))
		interval.caches = after->caches;
	assert(ctd_snapshot_is_ordered(before) && ctd_snapshot_is_ordered(after));
	if (after->monotonic_ns <= before->monotonic_ns || after->plan != before->plan ||
	    after->counters_count != before->counters_count ||
	    after->groups_count != before->groups_count || after->group >= interval.groups_count)
		return -EBADMSG;
	result = subtract_rows(before, after, &interval);
	if (!result)
		result = ctd_throttlings_subtract(&after->throttlings, &before->throttlings,
						  &interval.throttlings);
	if (!result && interval.has_waits)
		result = ctd_pairs_subtract(&after->pairs, &before->pairs, &interval.pairs);
	if (result) {
		ctd_interval_free(&interval);
		return result;
	}
	subtract_cpus(before, after, &interval);
	keep_residual(&interval);
	interval.health.l1_sum_over_slots =
		l1_sum_over_slots(&interval, l1_counters, ctd_snapshot_group(after, 0));
	interval.health.ns_per_switch = ns_per_switch(interval.health.count);
	keep_empty(&interval);
	ctd_interval_place(&interval, after);
	*ret_interval = interval;
	return 0;
}
