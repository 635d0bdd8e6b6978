/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* recording.c - writes what was counted and sampled in a time as a recording of two snapshots. */
#include "serve/profile/recording.h"

#include <cgtopdown/recorded_stacks.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "history/segment.h"

static void make_rows(const struct ctd_interval *interval, struct ctd_snapshot *snapshot)
{
	for (size_t i = 0; i < interval->rows_count; i++) {
		const struct ctd_interval_row *from = &interval->rows[i];
		struct ctd_snapshot_row *row = &snapshot->rows[snapshot->rows_count++];

		*row = (struct ctd_snapshot_row){
			.cgroup_id = from->cgroup_id,
			.pid = from->pid,
			.kind = from->kind,
			.core_type = from->core_type,
			.oncpu_ns = from->oncpu_ns,
			.running_ns = from->running_ns,
			.slices = from->slices,
			.switches = from->switches,
		};
		memcpy(row->count, from->raw, interval->counters_count * sizeof(*row->count));
	}
}

/* Totals are of core types: one CPU of each has them. */
static void make_cpus(const struct ctd_interval *interval, struct ctd_snapshot *snapshot)
{
	for (uint32_t type = 0; type < CTD_CORE_TYPES_MAX; type++) {
		const struct ctd_interval_totals *totals = &interval->totals[type];

		for (uint32_t i = 0; i < totals->cpus_online; i++) {
			struct ctd_snapshot_cpu *cpu = &snapshot->cpus[snapshot->cpus_count];

			*cpu = (struct ctd_snapshot_cpu){.cpu = (uint32_t)snapshot->cpus_count,
							 .online = 1,
							 .flushed = 1,
							 .core_type = type};
			if (!snapshot->cpus_count++) {
				cpu->unattributed_ns = interval->unattributed_ns;
				memcpy(cpu->health, interval->health.count, sizeof(cpu->health));
			}
			for (uint32_t k = 0; !i && k < interval->counters_count; k++) {
				cpu->total[k] = totals->total[k];
				cpu->unattributed[k] = totals->unattributed[k];
				cpu->attributed[k] = totals->total[k] - totals->unattributed[k];
			}
		}
	}
}

static int make_snapshot(const struct ctd_interval *interval, struct ctd_snapshot *ret_snapshot)
{
	size_t cpus = 0;

	for (int type = 0; type < CTD_CORE_TYPES_MAX; type++)
		cpus += interval->totals[type].cpus_online;
	ret_snapshot->rows = calloc(interval->rows_count + 1, sizeof(*ret_snapshot->rows));
	ret_snapshot->cpus = calloc(cpus + 1, sizeof(*ret_snapshot->cpus));
	if (!ret_snapshot->rows || !ret_snapshot->cpus) {
		ctd_snapshot_free(ret_snapshot);
		return -ENOMEM;
	}
	make_rows(interval, ret_snapshot);
	make_cpus(interval, ret_snapshot);
	return 0;
}

static int write_stacks(struct ctd_record_writer *writer, const struct ctd_stacks *stacks)
{
	auto_ctd_strbuf struct ctd_strbuf payload = {0};
	struct ctd_recorded_stacks recorded = {0};
	struct ctd_record_profile profile;
	int error = ctd_recorded_stacks_write(stacks, &recorded, &payload);

	if (error)
		return error;
	profile = (struct ctd_record_profile){.payload = payload.text, .bytes = payload.bytes};
	return ctd_record_write_profile(writer, &profile);
}

/* All totals begin at 0. */
static int write_all(struct ctd_record_writer *writer, const struct ctd_interval *interval,
		     const struct ctd_stacks *stacks)
{
	struct ctd_snapshot before = {
		.sequence = 1,
		.realtime_ns = interval->realtime_ns - interval->window_ns,
		.monotonic_ns = 1,
		.counters_count = interval->counters_count,
		.groups_count = interval->groups_count,
	};
	struct ctd_snapshot after = before;
	int error = ctd_record_write_snapshot(writer, &before);

	after.sequence++;
	after.realtime_ns = interval->realtime_ns;
	after.monotonic_ns += interval->window_ns + !interval->window_ns;
	if (!error)
		error = write_stacks(writer, stacks);
	if (!error)
		error = make_snapshot(interval, &after);
	if (error)
		return error;
	error = ctd_record_write_snapshot(writer, &after);
	ctd_snapshot_free(&after);
	return error;
}

int ctd_profile_recording(const struct ctd_record_header *header,
			  const struct ctd_interval *interval,
			  const struct ctd_identities *identities, const struct ctd_stacks *stacks,
			  struct ctd_strbuf *out)
{
	struct ctd_segment_writer writer = {0};
	int error;

	if (interval->groups_count > 1)
		return -EOPNOTSUPP;
	error = ctd_segment_begin(&writer, header, out);
	if (!error)
		error = ctd_segment_write_names(&writer, interval, identities);
	if (!error)
		error = write_all(writer.record, interval, stacks);
	ctd_segment_end(&writer);
	return error;
}
