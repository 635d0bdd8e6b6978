/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* recording.h - small recordings in memory, for tests of their reader and writer. */
#ifndef TESTS_UNIT_SNAPSHOT_RECORDING_H
#define TESTS_UNIT_SNAPSHOT_RECORDING_H

#include <cgtopdown/record.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "snapshot/record_fields.h"

#define RECORDING_COUNTERS 2

/* A file in memory, with a path by which the writer can open it. */
struct memory_file {
	int fd;
	char path[32];
};

struct recording {
	unsigned char *data; /* owned */
	size_t bytes;
};

static inline struct memory_file memory_file_new(void)
{
	struct memory_file file = {
		.fd = memfd_create("recording", MFD_CLOEXEC | MFD_ALLOW_SEALING)};

	if (file.fd < 0)
		abort();
	snprintf(file.path, sizeof(file.path), "/proc/self/fd/%d", file.fd);
	return file;
}

static inline size_t memory_file_bytes(const struct memory_file *file)
{
	struct stat status;

	if (fstat(file->fd, &status) < 0)
		abort();
	return (size_t)status.st_size;
}

/* Takes what was written, and closes. */
static inline struct recording memory_file_take(struct memory_file *file)
{
	struct recording recording = {.bytes = memory_file_bytes(file)};

	recording.data = malloc(recording.bytes + 1);
	if (!recording.data ||
	    pread(file->fd, recording.data, recording.bytes, 0) != (ssize_t)recording.bytes)
		abort();
	close(file->fd);
	return recording;
}

static inline struct ctd_record_header sample_header(void)
{
	return (struct ctd_record_header){
		.source = "sim",
		.model = "sim",
		.simulated = 1,
		.by = CTD_BY_PROCESS,
		.counters_count = RECORDING_COUNTERS,
		.groups_count = 2,
		.ipc = 1,
		.read = CTD_READ_SIM,
		.host = "host",
		.version = "0.1.0",
		.hierarchy = "v2",
		.core_types_count = 2,
		.core_types = {{.name = "P-core",
				.source = "sim",
				.model = "sim",
				.counters_count = RECORDING_COUNTERS,
				.groups_count = 2},
			       {.name = "E-core", .source = "none", .why = "no", .groups_count = 1}},
	};
}

static struct ctd_snapshot_row sample_rows[] = {
	{.kind = CTD_ROW_CGROUP,
	 .cgroup_id = 7,
	 .core_type = 1,
	 .oncpu_ns = 5,
	 .running_ns = 4,
	 .slices = 3,
	 .switches = 2,
	 .count = {100, 1ULL << 40}},
	{.kind = CTD_ROW_CGROUP, .cgroup_id = 7, .pid = 31, .count = {UINT64_MAX, 1}},
	{.kind = CTD_ROW_IDLE, .oncpu_ns = 9, .running_ns = 9},
};

static struct ctd_snapshot_cpu sample_cpus[] = {
	{.cpu = 0,
	 .online = 1,
	 .flushed = 1,
	 .total = {1, 2},
	 .attributed = {3, 4},
	 .unattributed = {5, 6},
	 .health = {[CTD_HEALTH_SWITCHES] = 7,
		    [CTD_HEALTH_CLOSED_SLICES] = 8,
		    [CTD_HEALTH_READ_ERRORS] = 9,
		    [CTD_HEALTH_READ_BUSY] = 10,
		    [CTD_HEALTH_LOST_ROWS] = 11,
		    [CTD_HEALTH_MOVES_SPLIT] = 12,
		    [CTD_HEALTH_SKIPPED_BUSY] = 13,
		    [CTD_HEALTH_COST_NS] = 14,
		    [CTD_HEALTH_COST_SAMPLES] = 15,
		    [CTD_HEALTH_LOST_SWITCHES] = 16,
		    [CTD_HEALTH_REFUSED_ROWS] = 18},
	 .unattributed_ns = 17},
	{.cpu = 3, .fenced = 1, .core_type = 1},
};

/* Borrows its rows and CPUs: not to be freed. */
static inline struct ctd_snapshot sample_snapshot(uint64_t sequence)
{
	return (struct ctd_snapshot){
		.sequence = sequence,
		.realtime_ns = 1700000000000000000 + sequence,
		.monotonic_ns = 1000 * sequence,
		.counters_count = RECORDING_COUNTERS,
		.groups_count = 2,
		.core_type_groups = {2, 1},
		.lost_events = 21,
		.rows = sample_rows,
		.rows_count = sizeof(sample_rows) / sizeof(sample_rows[0]),
		.cpus = sample_cpus,
		.cpus_count = sizeof(sample_cpus) / sizeof(sample_cpus[0]),
	};
}

#define SAMPLE_ITEMS 10
#define SAMPLE_PAIRS          \
	"pod\0web\0sandbox\0" \
	"1"

/* Header, plan, two names, a snapshot, a removed name, a snapshot without rows, facts, another
 * plan, a snapshot, a profile. */
static inline int write_sample(const char *path)
{
	struct ctd_record_header header = sample_header();
	struct ctd_record_name cgroup = {.cgroup_id = 7, .text = "/a.slice"};
	struct ctd_record_name process = {.pid = 31, .text = "sh"};
	struct ctd_record_name removed = {.cgroup_id = 7, .removed = 1, .text = ""};
	struct ctd_record_facts facts = {
		.cgroup_id = 7, .pairs = SAMPLE_PAIRS, .bytes = sizeof(SAMPLE_PAIRS)};
	struct ctd_snapshot first = sample_snapshot(1);
	struct ctd_snapshot second = {.sequence = 2,
				      .counters_count = RECORDING_COUNTERS,
				      .group = 1,
				      .groups_count = 2,
				      .in_between = 1};
	struct ctd_record_header plan = {.source = "none", .groups_count = 1};
	struct ctd_snapshot third = {.sequence = 3};
	struct ctd_record_profile profile = {.payload = "stacks", .bytes = 6};
	struct ctd_record_task task = {.task = 32, .process = 31};
	struct ctd_record_writer *writer;
	int result = ctd_record_create(path, &header, &writer);

	if (result < 0)
		return result;
	ctd_record_write_name(writer, &cgroup);
	ctd_record_write_name(writer, &process);
	ctd_record_write_snapshot(writer, &first);
	ctd_record_write_name(writer, &removed);
	ctd_record_write_snapshot(writer, &second);
	ctd_record_write_facts(writer, &facts);
	ctd_record_write_plan(writer, &plan);
	ctd_record_write_snapshot(writer, &third);
	ctd_record_write_profile(writer, &profile);
	ctd_record_write_task(writer, &task);
	return ctd_record_close(writer); /* says so if any of them failed */
}

static inline struct recording sample_recording(void)
{
	struct memory_file file = memory_file_new();

	if (write_sample(file.path) < 0)
		abort();
	return memory_file_take(&file);
}

#define SAMPLE_WAIT_PAIRS 3

static struct ctd_pair sample_pairs[] = {
	{.wait_ns = 100, .waits = 2, .preempted = 1},
	{.victim_id = 7, .occupier_id = 9, .wait_ns = UINT64_MAX, .waits = 3, .sequence = 1},
	{.victim_id = 9,
	 .occupier_id = 7,
	 .waits = 1,
	 .preempted = 1ULL << 40,
	 .sequence = 1,
	 .beside_ns = 77},
};

/* Parts of the sample's rows: a third of each beside another cgroup, the rest beside an idle thread.
 */
static inline void sample_siblings(struct ctd_sibling_part *parts)
{
	for (size_t i = 0; i < sizeof(sample_rows) / sizeof(sample_rows[0]); i++) {
		const struct ctd_snapshot_row *row = &sample_rows[i];
		struct ctd_sibling_part *of = &parts[i * CTD_SIBLINGS];

		memset(of, 0, CTD_SIBLINGS * sizeof(*of));
		of[CTD_SIBLING_OTHER].oncpu_ns = row->oncpu_ns / 3;
		of[CTD_SIBLING_OTHER].running_ns = row->running_ns / 3;
		of[CTD_SIBLING_IDLE].oncpu_ns = row->oncpu_ns - row->oncpu_ns / 3;
		of[CTD_SIBLING_IDLE].running_ns = row->running_ns - row->running_ns / 3;
		for (int at = 0; at < RECORDING_COUNTERS; at++) {
			of[CTD_SIBLING_OTHER].count[at] = row->count[at] / 3;
			of[CTD_SIBLING_IDLE].count[at] = row->count[at] - row->count[at] / 3;
		}
	}
}

/* Three snapshots with what rows waited, what siblings did, and what limits did; pairs are in the
 * first and the last, and all but the first have a budget and latencies. */
static inline struct recording waits_recording(void)
{
	struct ctd_record_header header = sample_header();
	struct memory_file file = memory_file_new();
	struct ctd_waits waits[sizeof(sample_rows) / sizeof(sample_rows[0])] = {
		{.ns = {[CTD_WAIT_OTHER] = 100000}, .histogram = {[5] = 2}}};
	struct ctd_sibling_part parts[sizeof(sample_rows) / sizeof(sample_rows[0]) * CTD_SIBLINGS];
	struct ctd_throttling limit = {.cgroup_id = 7, .periods = 10, .throttled = 5};
	struct ctd_record_writer *writer;

	if (ctd_record_create(file.path, &header, &writer) < 0)
		abort();
	for (uint64_t sequence = 1; sequence <= 3; sequence++) {
		struct ctd_snapshot snapshot = sample_snapshot(sequence);

		sample_siblings(parts);
		snapshot.waits = waits;
		snapshot.siblings = parts;
		snapshot.throttlings = (struct ctd_throttlings){&limit, 1, true};
		if (sequence != 2)
			snapshot.pairs = (struct ctd_pairs){sample_pairs, SAMPLE_WAIT_PAIRS};
		if (sequence > 1)
			snapshot.budget = (struct ctd_budget_state){
				.limit_ppm = 5000, .changes[CTD_BUDGET_WAITS] = sequence};
		if (sequence > 1)
			snapshot.latencies = (struct ctd_latencies){
				.core_types_count = 1, .count = 1, .of[0][0] = {sequence, 40}};
		ctd_record_write_snapshot(writer, &snapshot);
	}
	if (ctd_record_close(writer) < 0)
		abort();
	return memory_file_take(&file);
}

#define SAMPLE_CACHES 3
#define SAMPLE_CACHE_PARTS (SAMPLE_CACHES + 1)

/* Each row on two of three caches, and for a moment on a CPU whose cache is not known. */
static inline void sample_caches(struct ctd_snapshot *snapshot, uint64_t *ret_cache_ns)
{
	for (size_t i = 0; i < snapshot->rows_count; i++) {
		uint64_t oncpu_ns = snapshot->rows[i].oncpu_ns;
		uint64_t *of = &ret_cache_ns[i * SAMPLE_CACHE_PARTS];

		of[0] = oncpu_ns / 3;
		of[1] = 0;
		of[SAMPLE_CACHES] = oncpu_ns > 0;
		of[2] = oncpu_ns - of[0] - of[SAMPLE_CACHES];
	}
	snapshot->caches = (struct ctd_caches){.count = SAMPLE_CACHES, .node = {0, 0, 4}};
	snapshot->cache_ns = ret_cache_ns;
}

static inline struct recording caches_recording(void)
{
	struct ctd_record_header header = sample_header();
	struct memory_file file = memory_file_new();
	uint64_t cache_ns[sizeof(sample_rows) / sizeof(sample_rows[0]) * SAMPLE_CACHE_PARTS];
	struct ctd_record_writer *writer;

	if (ctd_record_create(file.path, &header, &writer) < 0)
		abort();
	for (uint64_t sequence = 1; sequence <= 2; sequence++) {
		struct ctd_snapshot snapshot = sample_snapshot(sequence);

		sample_caches(&snapshot, cache_ns);
		ctd_record_write_snapshot(writer, &snapshot);
	}
	if (ctd_record_close(writer) < 0)
		abort();
	return memory_file_take(&file);
}

/* A machine with two core types: two snapshots, a plan without counters, two snapshots. Its rows,
 * on each core type: a cgroup that ran for half of each second, and idle time. */
static inline int write_hybrid(const char *path)
{
	struct ctd_record_header header = {
		.source = "perf_metrics+atom",
		.model = "golden_cove",
		.counters_count = 5,
		.groups_count = 1,
		.read = CTD_READ_MIXED,
		.host = "host",
		.version = "0.1.0",
		.hierarchy = "v2",
		.core_types_count = 2,
		.core_types = {{"P-core", "perf_metrics", "golden_cove", "", 5, 1, 0, false},
			       {"E-core", "atom", "gracemont", "", 4, 1, 0, false}},
	};
	struct ctd_record_header none = {.source = "none", .groups_count = 1};
	struct ctd_record_name name = {.cgroup_id = 7, .text = "/web"};
	struct ctd_record_writer *writer;
	int result = ctd_record_create(path, &header, &writer);

	if (result < 0)
		return result;
	ctd_record_write_name(writer, &name);
	for (uint64_t i = 1; i <= 4; i++) {
		uint64_t ns = i * 500000000, slots = i <= 2 ? i * 6000000 : 0;
		struct ctd_snapshot_row rows[] = {
			{.kind = CTD_ROW_CGROUP, .cgroup_id = 7, .oncpu_ns = ns, .running_ns = ns},
			{.kind = CTD_ROW_CGROUP, .cgroup_id = 7, .core_type = 1, .oncpu_ns = ns},
			{.kind = CTD_ROW_IDLE, .oncpu_ns = ns},
			{.kind = CTD_ROW_IDLE, .core_type = 1, .oncpu_ns = ns},
		};
		struct ctd_snapshot_cpu cpus[] = {{.cpu = 0, .online = 1, .total = {slots}},
						  {.cpu = 1, .online = 1, .core_type = i <= 2}};
		struct ctd_snapshot snapshot = {
			.sequence = i,
			.realtime_ns = 1700000000000000000 + i * 1000000000,
			.monotonic_ns = i * 1000000000,
			.counters_count = i <= 2 ? 5 : 0,
			.groups_count = 1,
			.rows = rows,
			.rows_count = 4,
			.cpus = cpus,
			.cpus_count = 2,
		};

		rows[0].count[0] = slots;
		rows[0].count[1] = rows[0].count[4] = slots / 2;
		if (i == 3)
			ctd_record_write_plan(writer, &none);
		if (i >= 3) {
			rows[1] = rows[2];
			snapshot.rows_count = 2;
		}
		ctd_record_write_snapshot(writer, &snapshot);
	}
	return ctd_record_close(writer); /* says so if any of them failed */
}

static inline struct recording hybrid_recording(void)
{
	struct memory_file file = memory_file_new();

	if (write_hybrid(file.path) < 0)
		abort();
	return memory_file_take(&file);
}

static inline uint32_t get_u32(const unsigned char *at)
{
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline void put_u32(unsigned char *at, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		at[i] = (unsigned char)(value >> 8 * i);
}

/* Of a block: its flags and the size of its payload. */
#define FLAGS_AT 4
#define BYTES_AT 8

/* Size of the block at @p offset, or 0 where the rest of the data has no whole one. */
static inline size_t block_bytes(const unsigned char *data, size_t bytes, size_t offset)
{
	size_t frame = CTD_RECORD_HEAD_BYTES + CTD_RECORD_CRC_BYTES;

	if (bytes < offset || bytes - offset < frame ||
	    get_u32(data + offset + BYTES_AT) > bytes - offset - frame)
		return 0;
	return frame + get_u32(data + offset + BYTES_AT);
}

/* Makes the checksum of the block at @p offset right again. */
static inline void seal_block(unsigned char *data, size_t bytes, size_t offset)
{
	size_t whole = block_bytes(data, bytes, offset);

	if (whole > 0)
		put_u32(data + offset + whole - CTD_RECORD_CRC_BYTES,
			(uint32_t)crc32(0, data + offset, (uInt)(whole - CTD_RECORD_CRC_BYTES)));
}

#endif
