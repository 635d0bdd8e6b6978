/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* snapshot.c - the life and order of snapshots. */
#include <cgtopdown/snapshot.h>

#include <stdlib.h>

static int compare(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

int ctd_snapshot_row_compare(const void *left, const void *right)
{
	const struct ctd_snapshot_row *a = left, *b = right;
	int order = compare(a->kind, b->kind);

	if (!order)
		order = compare(a->cgroup_id, b->cgroup_id);
	if (!order)
		order = compare(a->pid, b->pid);
	if (!order)
		order = compare(a->core_type, b->core_type);
	return order;
}

bool ctd_snapshot_is_ordered(const struct ctd_snapshot *snapshot)
{
	for (size_t i = 1; i < snapshot->rows_count; i++) {
		if (ctd_snapshot_row_compare(&snapshot->rows[i - 1], &snapshot->rows[i]) >= 0)
			return false;
	}
	for (size_t i = 1; i < snapshot->cpus_count; i++) {
		if (snapshot->cpus[i - 1].cpu >= snapshot->cpus[i].cpu)
			return false;
	}
	return true;
}

void ctd_snapshot_free(struct ctd_snapshot *snapshot)
{
	if (!snapshot)
		return;
	free(snapshot->rows);
	free(snapshot->waits);
	free(snapshot->siblings);
	free(snapshot->cache_ns);
	ctd_throttlings_free(&snapshot->throttlings);
	ctd_pairs_free(&snapshot->pairs);
	free(snapshot->cpus);
	*snapshot = (struct ctd_snapshot){0};
}
