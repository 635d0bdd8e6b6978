/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* read.c - takes a snapshot: all totals as of one flush, while the programs go on. */
#include "kern/topdown/topdown.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"
#include "bpf/topdown.skel.h"

/* Kinds of rows that are kept in the CPUs' states. */
#define OWN_KINDS 3

/* A snapshot that is being read. */
struct reader {
	struct ctd_snapshot snapshot;
	uint64_t *epochs; /* owned; per CPU: its epoch when reading began */
	uint64_t *limits; /* owned; per CPU: the last epoch whose charges no longer change */
	bool *flushed; /* owned */
};

static void reader_free(struct reader *reader)
{
	ctd_snapshot_free(&reader->snapshot);
	free(reader->epochs);
	free(reader->limits);
	free(reader->flushed);
}

/* @return the index of the bank that no longer changes, the newest up to epoch @p limit, or -1. */
static int still_bank(const unsigned long long epoch[2], uint64_t limit)
{
	uint64_t first = __atomic_load_n(&epoch[0], __ATOMIC_ACQUIRE);
	uint64_t second = __atomic_load_n(&epoch[1], __ATOMIC_ACQUIRE);

	if (first > limit)
		return second > limit ? -1 : 1;
	return second > limit || second <= first ? 0 : 1;
}

static void add_bank(struct ctd_snapshot_row *to, const struct ctd_bank *bank, uint32_t counters)
{
	to->oncpu_ns += bank->oncpu_ns;
	to->running_ns += bank->running_ns;
	to->slices += bank->slices;
	to->switches += bank->switches;
	for (uint32_t i = 0; i < counters; i++)
		to->count[i] += bank->count[i];
}

static void add_part(struct ctd_sibling_part *to, const struct ctd_bank *bank, uint32_t counters)
{
	to->oncpu_ns += bank->oncpu_ns;
	to->running_ns += bank->running_ns;
	for (uint32_t i = 0; i < counters; i++)
		to->count[i] += bank->count[i];
}

/* @p to: index of the row in the snapshot. */
static void add_row(const struct ctd_kern *kern, struct reader *reader, size_t to, int cpu,
		    const struct ctd_row *row)
{
	struct ctd_snapshot *snapshot = &reader->snapshot;
	uint32_t caches = ctd_caches_parts(&snapshot->caches);
	uint64_t oncpu_ns = snapshot->rows[to].oncpu_ns;
	int still = still_bank(row->epoch, reader->limits[cpu]);

	for (uint32_t part = 0; still >= 0 && part < kern->parts; part++) {
		const struct ctd_bank *bank =
			ctd_row_bank(row, (uint32_t)still, part, kern->counters_count, kern->parts);

		add_bank(&snapshot->rows[to], bank, kern->counters_count);
		if (snapshot->siblings)
			add_part(&snapshot->siblings[to * CTD_SIBLINGS + part], bank,
				 kern->counters_count);
		for (uint32_t i = 0; i < kern->counters_count; i++)
			snapshot->cpus[cpu].attributed[i] += bank->count[i];
	}
	/* What the row got: the bank may have changed meanwhile, if it is to be read again. */
	if (snapshot->cache_ns)
		snapshot->cache_ns[to * caches + kern->options.cache_of[cpu]] +=
			snapshot->rows[to].oncpu_ns - oncpu_ns;
}

/* @p index: of the waits; @p row: of the snapshot. */
static void add_waits(const struct ctd_kern *kern, uint32_t index, uint64_t limit, size_t row,
		      struct ctd_snapshot *snapshot)
{
	const struct ctd_wait_row *from = &kern->waits[index];
	int still = still_bank(from->epoch, limit);

	if (still >= 0)
		ctd_waits_add(&snapshot->waits[row], &from->banks[still]);
}

static void read_cgroup_rows(struct ctd_kern *kern, struct reader *reader)
{
	struct ctd_snapshot *snapshot = &reader->snapshot;
	struct ctd_snapshot_row *row = NULL;

	for (uint32_t i = 0; i < kern->order_count; i++) {
		const struct ctd_row *from = ctd_kern_row(kern, kern->order[i]);
		uint32_t cpu = from->key.cpu;

		if (i + 1 < kern->order_count)
			__builtin_prefetch(ctd_kern_row(kern, kern->order[i + 1]));
		if (!row || row->cgroup_id != from->key.cgroup_id || row->pid != from->key.pid ||
		    row->core_type != kern->core_type_of[cpu]) {
			row = &snapshot->rows[snapshot->rows_count++];
			memset(row, 0, sizeof(*row));
			row->kind = CTD_ROW_CGROUP;
			row->cgroup_id = from->key.cgroup_id;
			row->pid = from->key.pid;
			row->core_type = kern->core_type_of[cpu];
		}
		add_row(kern, reader, snapshot->rows_count - 1, (int)cpu, from);
		if (kern->waits)
			add_waits(kern, kern->order[i], reader->limits[cpu],
				  snapshot->rows_count - 1, snapshot);
	}
}

/* Rows of a kind that is kept in the CPUs' states, one for each core type. They sort after the
 * cgroups. */
static void read_own_kind(struct ctd_kern *kern, struct reader *reader, enum ctd_row_kind kind,
			  size_t offset)
{
	struct ctd_snapshot *snapshot = &reader->snapshot;
	size_t first = snapshot->rows_count;

	for (int core = 0; core < kern->options.core_types_count; core++)
		snapshot->rows[first + (size_t)core] =
			(struct ctd_snapshot_row){.kind = kind, .core_type = (uint32_t)core};
	for (int cpu = 0; cpu < kern->options.cpus; cpu++) {
		const char *state = (const char *)&kern->cpus[cpu];

		add_row(kern, reader, first + kern->core_type_of[cpu], cpu,
			(const struct ctd_row *)(state + offset));
	}
	for (size_t row = first; row < first + (size_t)kern->options.core_types_count; row++) {
		if (kind != CTD_ROW_OTHER || snapshot->rows[row].slices)
			ctd_kern_keep_row(snapshot, snapshot->rows_count++, row);
	}
}

/* Their waits. Call when all rows are there. */
static void read_own_waits(struct ctd_kern *kern, struct reader *reader)
{
	struct ctd_snapshot *snapshot = &reader->snapshot;

	for (size_t row = 0; row < snapshot->rows_count; row++) {
		enum ctd_wait_own_row which = snapshot->rows[row].kind == CTD_ROW_KERNEL
						      ? CTD_WAIT_ROW_KERNEL
						      : CTD_WAIT_ROW_OTHER;

		if (snapshot->rows[row].kind != CTD_ROW_KERNEL &&
		    snapshot->rows[row].kind != CTD_ROW_OTHER)
			continue;
		for (int cpu = 0; cpu < kern->options.cpus; cpu++) {
			if (kern->core_type_of[cpu] == snapshot->rows[row].core_type)
				add_waits(kern, ctd_kern_own_waits(kern, cpu, which),
					  reader->limits[cpu], row, snapshot);
		}
	}
}

static void read_own_rows(struct ctd_kern *kern, struct reader *reader)
{
	read_own_kind(kern, reader, CTD_ROW_IDLE, offsetof(struct ctd_cpu_state, idle));
	read_own_kind(kern, reader, CTD_ROW_KERNEL, offsetof(struct ctd_cpu_state, kernel));
	read_own_kind(kern, reader, CTD_ROW_OTHER, offsetof(struct ctd_cpu_state, other));
	if (kern->waits)
		read_own_waits(kern, reader);
}

static void read_cpu(struct ctd_kern *kern, struct reader *reader, int cpu)
{
	const struct ctd_cpu_state *state = &kern->cpus[cpu];
	struct ctd_snapshot_cpu *to = &reader->snapshot.cpus[cpu];
	bool stands_still = reader->limits[cpu] == reader->epochs[cpu];

	*to = (struct ctd_snapshot_cpu){
		.cpu = cpu,
		.core_type = kern->core_type_of[cpu],
		.online = kern->online[cpu],
		.fenced = kern->fenced[cpu],
		.flushed = reader->flushed[cpu],
		.unattributed_ns =
			stands_still ? state->unattributed_ns : state->epoch_unattributed_ns,
	};
	memcpy(to->health, state->health, sizeof(to->health));
	to->health[CTD_HEALTH_SWITCHES] = state->switches;
	to->health[CTD_HEALTH_CLOSED_SLICES] = state->closed_slices;
	/* As of the same instant as their time, unattributed_ns. */
	if (!stands_still)
		to->health[CTD_HEALTH_LOST_SWITCHES] = state->epoch_lost_switches;
	for (uint32_t i = 0; i < kern->counters_count; i++) {
		to->total[i] = stands_still ? state->start_count[i] + state->base_count[i]
					    : state->epoch_total[i];
		to->unattributed[i] =
			stands_still ? state->unattributed[i] : state->epoch_unattributed[i];
		to->attributed[i] = kern->freed[cpu][i];
	}
}

/* For all rows that are listed. */
static int allocate_rows(const struct ctd_kern *kern, struct ctd_snapshot *snapshot)
{
	size_t count = kern->order_count + OWN_KINDS * (size_t)kern->options.core_types_count;
	size_t caches = ctd_caches_parts(&snapshot->caches);

	free(snapshot->rows);
	free(snapshot->waits);
	free(snapshot->siblings);
	free(snapshot->cache_ns);
	snapshot->rows_count = 0;
	snapshot->rows = malloc(count * sizeof(*snapshot->rows));
	snapshot->waits = kern->waits ? calloc(count, sizeof(*snapshot->waits)) : NULL;
	snapshot->siblings =
		kern->siblings ? calloc(count * CTD_SIBLINGS, sizeof(*snapshot->siblings)) : NULL;
	snapshot->cache_ns = caches ? calloc(count, caches * sizeof(*snapshot->cache_ns)) : NULL;
	return snapshot->rows && (snapshot->waits || !kern->waits) &&
			       (snapshot->siblings || !kern->siblings) &&
			       (snapshot->cache_ns || !caches)
		       ? 0
		       : -ENOMEM;
}

/*
 * Reads all totals as of the flush. @return 1, 0 if a CPU passed into the new epoch meanwhile, or
 * negative errno.
 */
static int read_totals(struct ctd_kern *kern, struct reader *reader)
{
	bool same = true;
	int error;

	for (int cpu = 0; cpu < kern->options.cpus; cpu++) {
		uint64_t epoch = __atomic_load_n(&kern->cpus[cpu].epoch, __ATOMIC_ACQUIRE);

		reader->epochs[cpu] = epoch;
		/* Charges of the current epoch still change, except on CPUs that are offline. */
		reader->limits[cpu] = ctd_kern_is_alive(kern, cpu) && epoch ? epoch - 1 : epoch;
	}
	/* After the epochs, so that rows taken in them are listed. */
	error = ctd_kern_list_rows(kern);
	if (error)
		return error;
	error = allocate_rows(kern, &reader->snapshot);
	if (error)
		return error;
	for (int cpu = 0; cpu < kern->options.cpus; cpu++)
		read_cpu(kern, reader, cpu);
	read_cgroup_rows(kern, reader);
	read_own_rows(kern, reader);
	/* The reads above come before the epochs are read again. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	for (int cpu = 0; cpu < kern->options.cpus; cpu++)
		same &= __atomic_load_n(&kern->cpus[cpu].epoch, __ATOMIC_ACQUIRE) ==
			reader->epochs[cpu];
	return same;
}

static int allocate(struct ctd_kern *kern, struct reader *reader)
{
	struct ctd_snapshot *snapshot = &reader->snapshot;

	reader->epochs = calloc(kern->options.cpus, sizeof(*reader->epochs));
	reader->limits = calloc(kern->options.cpus, sizeof(*reader->limits));
	reader->flushed = calloc(kern->options.cpus, sizeof(*reader->flushed));
	snapshot->cpus = calloc(kern->options.cpus, sizeof(*snapshot->cpus));
	if (!reader->epochs || !reader->limits || !reader->flushed || !snapshot->cpus)
		return -ENOMEM;
	snapshot->cpus_count = kern->options.cpus;
	return 0;
}

/*
 * The mean of the times at which the CPUs were closed: so their time between two snapshots adds up
 * to as much as passed, however long a flush takes. Where all are left undisturbed: now.
 */
static uint64_t time_of_flush(const struct ctd_kern *kern, const bool *flushed)
{
	uint64_t now_ns = ctd_monotonic_ns();
	int64_t ago_ns = 0, count = 0;

	for (int cpu = 0; cpu < kern->options.cpus; cpu++) {
		if (!flushed[cpu])
			continue;
		/* BPF's clock, ktime_get_mono_fast_ns(), may be some ns ahead. */
		ago_ns += (int64_t)(now_ns - kern->cpus[cpu].epoch_ns);
		count++;
	}
	return count ? now_ns - (uint64_t)(ago_ns / count) : now_ns;
}

int ctd_kern_snapshot(struct ctd_kern *kern, struct ctd_snapshot *ret_snapshot)
{
	__attribute__((cleanup(reader_free))) struct reader reader = {};
	struct ctd_snapshot *snapshot = &reader.snapshot;
	int error = allocate(kern, &reader);

	if (error)
		return ctd_log_error(error, "allocate a snapshot");
	snapshot->sequence = ++kern->sequence;
	snapshot->counters_count = kern->counters_count;
	snapshot->caches = kern->options.caches;
	error = ctd_kern_flush(kern, reader.flushed);
	if (error)
		return error;
	snapshot->monotonic_ns = time_of_flush(kern, reader.flushed);
	snapshot->realtime_ns = ctd_realtime_ns() - (ctd_monotonic_ns() - snapshot->monotonic_ns);
	snapshot->lost_events = kern->skeleton->bss->lost_events;
	error = ctd_kern_take_pairs(kern);
	if (!error)
		error = ctd_kern_read_pairs(kern, snapshot);
	if (error)
		return ctd_log_error(error, "take the pairs of waits");
	/* It ends: each CPU enters the new epoch once, fenced ones at a closing of theirs. */
	while (!error)
		error = read_totals(kern, &reader);
	if (error < 0)
		return ctd_log_error(error, "allocate a snapshot of %u rows", kern->order_count);
	if (!kern->kept)
		memcpy(kern->shown, kern->newest, snapshot->cpus_count * sizeof(*kern->shown));
	error = ctd_kern_free_dead_rows(kern, snapshot);
	if (error)
		return ctd_log_error(error, "free the rows of removed cgroups");
	ctd_kern_tell_of_tenants(kern);
	memcpy(kern->newest, reader.limits, snapshot->cpus_count * sizeof(*kern->newest));
	kern->kept = false;
	*ret_snapshot = *snapshot;
	snapshot->rows = NULL;
	snapshot->waits = NULL;
	snapshot->siblings = NULL;
	snapshot->cache_ns = NULL;
	snapshot->pairs = (struct ctd_pairs){0};
	snapshot->cpus = NULL;
	return 0;
}

void ctd_kern_keep(struct ctd_kern *kern)
{
	kern->kept = true;
}
