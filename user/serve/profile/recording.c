/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* recording.c - writes what was counted and sampled in a time as a recording of two snapshots. */
#include "serve/profile/recording.h"

#include <cgtopdown/recorded_stacks.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/strbuf.h"
#include "identity/lookup/pairs.h"

static int write_name(struct ctd_record_writer *writer, const struct ctd_identity *identity)
{
	const struct ctd_record_name name = {.cgroup_id = identity->cgroup_id,
					     .text = identity->path};
	auto_ctd_strbuf struct ctd_strbuf pairs = {0};
	struct ctd_record_facts facts = {.cgroup_id = identity->cgroup_id};
	int error = ctd_record_write_name(writer, &name);

	ctd_names_to_pairs(&identity->names, &pairs);
	if (error || pairs.failed || !pairs.bytes)
		return pairs.failed ? -ENOMEM : error;
	facts.pairs = pairs.text;
	facts.bytes = pairs.bytes;
	error = ctd_record_write_facts(writer, &facts);
	/* What does not fit is not told. */
	return error == -E2BIG ? 0 : error;
}

static int write_names(struct ctd_record_writer *writer, const struct ctd_interval *interval,
		       const struct ctd_identities *identities)
{
	int error = 0;

	for (size_t i = 0; !error && i < interval->rows_count; i++) {
		const struct ctd_interval_row *row = &interval->rows[i];
		const struct ctd_identity *identity =
			row->kind == CTD_ROW_CGROUP ? ctd_identities_get(identities, row->cgroup_id)
						    : NULL;

		if (identity)
			error = write_name(writer, identity);
	}
	return error;
}

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
		     const struct ctd_identities *identities, const struct ctd_stacks *stacks)
{
	struct ctd_snapshot before = {
		.sequence = 1,
		.realtime_ns = interval->realtime_ns - interval->window_ns,
		.monotonic_ns = 1,
		.counters_count = interval->counters_count,
		.groups_count = interval->groups_count,
	};
	struct ctd_snapshot after = before;
	int error = write_names(writer, interval, identities);

	after.sequence++;
	after.realtime_ns = interval->realtime_ns;
	after.monotonic_ns += interval->window_ns + !interval->window_ns;
	if (!error)
		error = ctd_record_write_snapshot(writer, &before);
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

static int read_back(int fd, struct ctd_strbuf *out)
{
	off_t bytes = lseek(fd, 0, SEEK_END);
	ssize_t got;

	if (bytes < 0)
		return -errno;
	if (!ctd_strbuf_reserve(out, (size_t)bytes))
		return -ENOMEM;
	for (off_t at = 0; at < bytes; at += got) {
		got = pread(fd, out->text + out->bytes, (size_t)(bytes - at), at);
		if (got <= 0)
			return got ? -errno : -EIO;
		out->bytes += (size_t)got;
	}
	return 0;
}

int ctd_profile_recording(const struct ctd_record_header *header,
			  const struct ctd_interval *interval,
			  const struct ctd_identities *identities, const struct ctd_stacks *stacks,
			  struct ctd_strbuf *out)
{
	autoclose int fd = memfd_create("recording", MFD_CLOEXEC), own = -1;
	struct ctd_record_writer *writer;
	int error, closed;

	if (interval->groups_count > 1)
		return -EOPNOTSUPP;
	own = fd < 0 ? -1 : dup(fd);
	if (own < 0)
		return -errno;
	error = ctd_record_begin(own, header, &writer);
	if (error)
		return error;
	(void)take_fd(own);
	error = write_all(writer, interval, identities, stacks);
	closed = ctd_record_close(writer);
	if (!error)
		error = closed;
	return error ? error : read_back(fd, out);
}
