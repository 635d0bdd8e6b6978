/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* free.c - frees the rows of removed cgroups once their last figures are in a snapshot. */
#include "kern/topdown/topdown.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "bpf/topdown.skel.h"

/* A used snapshot has all that was charged to the row. The last epochs of a fenced CPU may be in
 * none yet. */
static bool stood_still(const struct ctd_kern *kern, const struct ctd_row *row)
{
	uint64_t newest = row->epoch[0] > row->epoch[1] ? row->epoch[0] : row->epoch[1];

	return newest <= kern->shown[row->key.cpu];
}

/* The same of its waits, which are charged when a task comes or is put off, and with slices. */
static bool waits_stood_still(const struct ctd_kern *kern, uint32_t index)
{
	const struct ctd_wait_row *waits = &kern->waits[index];
	uint64_t newest = waits->epoch[0] > waits->epoch[1] ? waits->epoch[0] : waits->epoch[1];

	return newest <= kern->shown[ctd_kern_row(kern, index)->key.cpu];
}

/* A fenced CPU closes its slice at its next switch: until then more is charged to the owner. */
static bool is_open_on_fenced(const struct ctd_kern *kern, uint64_t cgroup_id)
{
	for (int cpu = 0; cpu < kern->options.cpus; cpu++) {
		if (kern->fenced[cpu] && kern->online[cpu] && kern->cpus[cpu].owner_id == cgroup_id)
			return true;
	}
	return false;
}

/*
 * True if the cgroup or process is gone and nothing was charged to it since on any CPU: a
 * snapshot's row is the sum over its CPUs and must not shrink. @p rows: indices of @p count rows.
 */
static bool is_dead(const struct ctd_kern *kern, const uint32_t *rows, uint32_t count)
{
	const struct ctd_row_key *key = &ctd_kern_row(kern, rows[0])->key;
	uintptr_t ignored;

	if (is_open_on_fenced(kern, key->cgroup_id))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		if (!stood_still(kern, ctd_kern_row(kern, rows[i])) ||
		    (kern->waits && !waits_stood_still(kern, rows[i])))
			return false;
	}
	if (kern->removed.count && ctd_idmap_get(&kern->removed, key->cgroup_id, &ignored))
		return true;
	return key->pid && kill((pid_t)key->pid, 0) && errno == ESRCH;
}

static void free_row(struct ctd_kern *kern, uint32_t index)
{
	struct ctd_row *row = ctd_kern_row(kern, index);
	uint32_t newer = row->epoch[1] > row->epoch[0];

	for (uint32_t part = 0; part < kern->parts; part++) {
		const struct ctd_bank *bank =
			ctd_row_bank(row, newer, part, kern->counters_count, kern->parts);

		for (uint32_t i = 0; i < kern->counters_count; i++)
			kern->freed[row->key.cpu][i] += bank->count[i];
	}
	ctd_kern_give_back(kern, row->tenant);
	bpf_map_delete_elem(bpf_map__fd(kern->skeleton->maps.cgtd_row_index), &row->key);
	if (kern->waits)
		memset(&kern->waits[index], 0, sizeof(kern->waits[index]));
	memset(row, 0, kern->row_bytes);
	kern->listed[index] = false;
	bpf_map_update_elem(bpf_map__fd(kern->skeleton->maps.cgtd_free_rows), NULL, &index,
			    BPF_ANY);
}

/* Reports removed cgroups that have no row left: their last figures are out. */
static int forget_removed(struct ctd_kern *kern, const struct ctd_idmap *alive)
{
	/* One more, as malloc(0) may be NULL. */
	autofree uint64_t *gone = malloc((kern->removed.count + 1) * sizeof(*gone));
	uintptr_t removed_epoch, ignored;
	uint64_t cgroup_id;
	size_t count = 0;

	if (!gone)
		return -ENOMEM;
	for (size_t cursor = 0;
	     ctd_idmap_next(&kern->removed, &cursor, &cgroup_id, &removed_epoch);) {
		/* After a whole epoch: the last task may leave its CPU after the removal. */
		if (removed_epoch + 1 < kern->epoch && !is_open_on_fenced(kern, cgroup_id) &&
		    !ctd_idmap_get(alive, cgroup_id, &ignored))
			gone[count++] = cgroup_id;
	}
	for (size_t i = 0; i < count; i++) {
		ctd_idmap_remove(&kern->removed, gone[i]);
		ctd_kern_forget_tenant(kern, gone[i]);
		if (kern->options.notice)
			kern->options.notice(CTD_CGROUP_REMOVED, gone[i], NULL,
					     kern->options.notice_context);
	}
	return 0;
}

/* Counts the rows from order[first] on that are of the same cgroup, process and core type. */
static uint32_t rows_of_one(const struct ctd_kern *kern, uint32_t first)
{
	const struct ctd_row_key *key = &ctd_kern_row(kern, kern->order[first])->key;
	uint32_t end = first + 1;

	while (end < kern->order_count &&
	       !ctd_kern_compare_keys(kern, key, &ctd_kern_row(kern, kern->order[end])->key))
		end++;
	return end - first;
}

void ctd_kern_keep_row(struct ctd_snapshot *snapshot, size_t to, size_t from)
{
	size_t caches = ctd_caches_parts(&snapshot->caches);

	snapshot->rows[to] = snapshot->rows[from];
	if (snapshot->waits)
		snapshot->waits[to] = snapshot->waits[from];
	if (snapshot->siblings)
		memmove(&snapshot->siblings[to * CTD_SIBLINGS],
			&snapshot->siblings[from * CTD_SIBLINGS],
			CTD_SIBLINGS * sizeof(*snapshot->siblings));
	if (snapshot->cache_ns)
		memmove(&snapshot->cache_ns[to * caches], &snapshot->cache_ns[from * caches],
			caches * sizeof(*snapshot->cache_ns));
}

/*
 * Frees rows of removed cgroups whose last figures are in an earlier snapshot that was used. They
 * are left out of this snapshot: a new row for the same key would otherwise seem to continue from
 * them.
 */
int ctd_kern_free_dead_rows(struct ctd_kern *kern, struct ctd_snapshot *snapshot)
{
	__attribute__((cleanup(ctd_idmap_free))) struct ctd_idmap alive = {};
	uint32_t kept = 0, count;
	size_t kept_rows = 0, row = 0; /* of the snapshot, in the same order */
	int error = 0;

	if (!kern->removed.count && kern->options.by == CTD_BY_CGROUP)
		return 0;
	for (uint32_t i = 0; i < kern->order_count; i += count, row++) {
		uint64_t cgroup_id = ctd_kern_row(kern, kern->order[i])->key.cgroup_id;
		uintptr_t ignored;

		count = rows_of_one(kern, i);
		if (is_dead(kern, &kern->order[i], count)) {
			for (uint32_t at = i; at < i + count; at++)
				free_row(kern, kern->order[at]);
			continue;
		}
		if (ctd_idmap_get(&kern->removed, cgroup_id, &ignored) && !error)
			error = ctd_idmap_set(&alive, cgroup_id, 1);
		memmove(&kern->order[kept], &kern->order[i], count * sizeof(*kern->order));
		kept += count;
		ctd_kern_keep_row(snapshot, kept_rows++, row);
	}
	/* Idle, kernel and other. */
	while (row < snapshot->rows_count)
		ctd_kern_keep_row(snapshot, kept_rows++, row++);
	snapshot->rows_count = kept_rows;
	for (int cpu = 0; kept < kern->order_count && cpu < kern->options.cpus; cpu++)
		kern->cpus[cpu].no_free_rows = 0;
	kern->order_count = kept;
	return error ? error : forget_removed(kern, &alive);
}

uint32_t ctd_kern_rows_max(const struct ctd_kern *kern)
{
	return kern->rows_max;
}

bool ctd_kern_is_full(const struct ctd_kern *kern)
{
	for (int cpu = 0; cpu < kern->options.cpus; cpu++)
		if (kern->cpus[cpu].no_free_rows)
			return true;
	return false;
}
