/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* snapshot.h - all totals at one instant, as plain data that can be recorded and replayed without
 * privilege. */
#ifndef CGTOPDOWN_SNAPSHOT_H
#define CGTOPDOWN_SNAPSHOT_H

#include <cgtopdown/abi.h>
#include <cgtopdown/cpu.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum ctd_row_kind { CTD_ROW_CGROUP, CTD_ROW_IDLE, CTD_ROW_KERNEL, CTD_ROW_OTHER, CTD_ROW_KINDS };

/* Cumulative totals of one row over all CPUs since the collector began. They only grow. */
struct ctd_snapshot_row {
	uint64_t cgroup_id; /* 0 unless kind is CTD_ROW_CGROUP */
	uint32_t pid; /* 0, or tgid/tid */
	uint32_t kind; /* enum ctd_row_kind */
	uint32_t core_type; /* index of the core type it ran on; 0 where all are alike */
	uint64_t oncpu_ns, running_ns, slices, switches;
	uint64_t count[CTD_COUNTERS_MAX]; /* the first counters_count are used */
};

/* One CPU's books. attributed + unattributed = total, exactly; an interval does not take attributed
 * for granted, but adds up its rows. */
struct ctd_snapshot_cpu {
	uint32_t cpu;
	uint32_t online; /* 1 or 0 */
	uint32_t fenced; /* 1: not disturbed by flushes, its last slice may be open */
	uint32_t flushed; /* 1: its open slice was closed for this snapshot */
	uint32_t core_type; /* index */
	uint64_t total[CTD_COUNTERS_MAX]; /* from the raw counters alone */
	uint64_t attributed[CTD_COUNTERS_MAX]; /* sum over the rows of this CPU, idle and removed
						  ones included */
	uint64_t unattributed[CTD_COUNTERS_MAX];
	uint64_t unattributed_ns; /* time that is in no row: of slices that a lost switch was in */
	uint64_t health[CTD_HEALTH_CPU_COUNTERS];
};

/* A snapshot, const for everybody once taken. Rows are sorted by (kind, cgroup_id, pid, core_type),
 * each once. */
struct ctd_snapshot {
	uint64_t sequence; /* 1, 2, ... */
	uint64_t realtime_ns; /* wall clock, since 1970 */
	uint64_t monotonic_ns; /* for windows */
	uint32_t counters_count;
	uint32_t group; /* of counters that counted since the snapshot before */
	uint32_t groups_count; /* of counters, that take turns; 0 is 1 */
	/* Of each core type: one with fewer groups repeats them, group % its own. 0 is
	 * groups_count. */
	uint32_t core_type_groups[CTD_CORES_MAX];
	uint32_t in_between; /* 1: taken to change the group, not to end an interval */
	bool lost_switches_known; /* false: an old recording; they may be in any row */
	uint64_t lost_events; /* cgroup events that did not fit the ring buffer, cumulative */
	struct ctd_snapshot_row *rows; /* owned */
	size_t rows_count;
	struct ctd_snapshot_cpu *cpus; /* owned; possible CPUs that ever ran */
	size_t cpus_count;
};

void ctd_snapshot_free(struct ctd_snapshot *snapshot);
/* The order of rows, as qsort(3) wants it. */
int ctd_snapshot_row_compare(const void *left, const void *right);
/* True if rows are in that order, CPUs in the order of their numbers, and each is there once. */
bool ctd_snapshot_is_ordered(const struct ctd_snapshot *snapshot);

/* One kind of cores: what its rows are of. */
struct ctd_record_core_type {
	char name[24]; /* "P-core"; "" where all are alike */
	char source[24]; /* "none": these have no counters */
	char model[32];
	char why[160]; /* without counters: why; else "" */
	uint32_t counters_count; /* of each group; further ones are there for other kinds' sake */
	uint32_t groups_count; /* that took turns, at least 1 */
	uint32_t general; /* 1: the last of them is that of the general metrics */
};

/* What a recording says once, ahead of its snapshots. */
struct ctd_record_header {
	/* "perf_metrics", "gp_slots", "sim", "none"; where cores differ all of them:
	 * "perf_metrics+atom" */
	char source[24];
	char model[32]; /* name of the CPU model, "" with none; where cores differ the first one's */
	uint32_t simulated;
	uint32_t by; /* enum ctd_by */
	uint32_t counters_count; /* of each group, of the kind of cores that has most */
	uint32_t groups_count; /* that took turns, likewise; 1 in old recordings */
	uint32_t general; /* 1: the last group is that of the general metrics; likewise */
	uint32_t read; /* enum ctd_read */
	char host[64];
	char version[32]; /* of the program that recorded */
	char hierarchy[32]; /* of the cgroups: "v2", "v1 memory"; "" in old recordings: not known */
	/* Where cores differ. Else 0 or 1, and what is above says it all. */
	uint32_t core_types_count;
	struct ctd_record_core_type core_types[CTD_CORES_MAX];
};

/* A name learnt before the snapshot that follows it: cgroup path, or comm of a process. */
struct ctd_record_name {
	uint64_t cgroup_id; /* 0 if pid is set */
	uint32_t pid;
	uint32_t removed; /* 1: the cgroup is gone */
	const char *text; /* path or comm, borrowed until the next read */
};

/* What is known of a cgroup besides its path. */
struct ctd_record_facts {
	uint64_t cgroup_id;
	const char *pairs; /* "key\0value\0key\0value\0", borrowed until the next read */
	size_t bytes;
};
#define CTD_RECORD_FACTS_BYTES_MAX 65536

/*
 * Writer of a record file: a magic with version, then blocks {type, bytes, payload, CRC-32}. Each
 * snapshot is written by one call and flushed, so that a killed recording loses at most its last
 * snapshot.
 * @return 0 or negative errno (also for a short write: a full disk is -ENOSPC).
 */
struct ctd_record_writer;
int ctd_record_create(const char *path, const struct ctd_record_header *header,
		      struct ctd_record_writer **ret_writer);
int ctd_record_write_name(struct ctd_record_writer *writer, const struct ctd_record_name *name);
/* What was written of the same cgroup before is out of date. @return -E2BIG beyond the maximum. */
int ctd_record_write_facts(struct ctd_record_writer *writer, const struct ctd_record_facts *facts);
int ctd_record_write_snapshot(struct ctd_record_writer *writer,
			      const struct ctd_snapshot *snapshot);
/* Closes; NULL is fine. @return 0 or the error of the last write-back. */
int ctd_record_close(struct ctd_record_writer *writer);

/* Reader. What a call found. */
enum ctd_record_item { CTD_RECORD_END, CTD_RECORD_NAME, CTD_RECORD_SNAPSHOT, CTD_RECORD_FACTS };
struct ctd_record_reader;
/*
 * @p ret_why: a sentence for people when the result is -EBADMSG (not a record file, other version,
 * damaged, cut off; with the byte offset). Other errors are plain negative errno.
 */
int ctd_record_open(const char *path, struct ctd_record_header *ret_header,
		    struct ctd_record_reader **ret_reader, char ret_why[160]);
/* The same from memory, for tests and fuzzing; @p data must outlive the reader. */
int ctd_record_open_memory(const void *data, size_t bytes, struct ctd_record_header *ret_header,
			   struct ctd_record_reader **ret_reader, char ret_why[160]);
/* Reads the next item, into the one that *ret_item names; a snapshot is the caller's to free. */
int ctd_record_next(struct ctd_record_reader *reader, enum ctd_record_item *ret_item,
		    struct ctd_record_name *ret_name, struct ctd_record_facts *ret_facts,
		    struct ctd_snapshot *ret_snapshot, char ret_why[160]);
void ctd_record_reader_free(struct ctd_record_reader *reader);

#endif
