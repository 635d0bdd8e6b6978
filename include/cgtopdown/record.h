/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record.h - the record file: its format, its writer, its reader. */
#ifndef CGTOPDOWN_RECORD_H
#define CGTOPDOWN_RECORD_H

#include <cgtopdown/abi.h>
#include <cgtopdown/cpu.h>
#include <cgtopdown/snapshot.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The format. All numbers are unsigned and little-endian. There is no padding.
 *
 *	file  = magic (8 bytes), version (32 bits), header block, plan block, block, ...
 *	block = type, flags, bytes (32 bits each), payload of so many bytes, CRC-32 (32 bits)
 *
 * The CRC is zlib's crc32() over type, flags, bytes and payload. There is no end mark: a recording
 * that was killed is whole up to its last whole block.
 *
 * A reader skips blocks of a type that it does not know, unless they are marked
 * CTD_RECORD_REQUIRED: then what follows cannot be understood without them, and it refuses the file
 * there. So a program can add types without a new version. Flags that a reader does not know mean
 * nothing to it. A change to a payload below is a new version.
 *
 * Payloads, whose fixed fields are in the order of user/snapshot/record_fields.c:
 *
 *	header   = fixed fields
 *	plan     = fixed fields, core types
 *	name     = fixed fields, text (to the end of the payload, no NUL)
 *	task     = number of a task, number of its process (32 bits each)
 *	facts    = cgroup id (64 bits), keys and values in turn, each ended by NUL
 *	snapshot = fixed fields, rows, CPUs; counters_count counts in each row, three times that in
 *		   each CPU, counters_count being the last plan's; health_count figures of enum
 *		   ctd_health in each CPU, in that order: a reader takes those that it knows
 *	waits    = sequence of the snapshot that follows (64 bits), number of its rows, number of
 *		   figures of struct ctd_waits (32 bits each); for each row a bit for each figure
 *		   (32 bits), and those whose bit is set (64 bits each); the others are 0
 *	pairs    = sequence of the snapshot that follows (64 bits), number of pairs, number of
 *		   figures of each (32 bits each); for each the ids of victim and occupier, and
 *		   figures of struct ctd_pair: wait_ns, waits, preempted, beside_ns (64 bits each):
 *		   a reader takes those that it knows
 *	siblings = sequence of the snapshot that follows (64 bits), number of its rows, 2 +
 *		   counters_count (32 bits each); for each row a bit for each of enum ctd_sibling
 *		   (32 bits), and for each whose bit is set oncpu_ns, running_ns and counts (64
 *		   bits each); the others are 0. What a row has of all of them is the row's
 *	caches	 = sequence of the snapshot that follows (64 bits), number of its rows, one more
 *		   than there are last caches (32 bits each); of each cache its memory node (32
 *		   bits); for each row a bit for each cache, and one for CPUs whose cache is not
 *		   known (64 bits), and for each whose bit is set oncpu_ns (64 bits); the others
 *		   are 0. What a row has of all of them is the row's
 *	throttling = sequence of the snapshot that follows (64 bits), number of cgroups, number of
 *		   figures of each (32 bits each); for each its id and its figures of struct
 *		   ctd_throttling, in that order (64 bits each): a reader takes those that it knows
 *	budget	 = sequence of the snapshot that follows (64 bits), 1, number of figures of struct
 *		   ctd_budget_state (32 bits each); these figures, in that order (64 bits each): a
 *		   reader takes those that it knows
 *	latencies = sequence of the snapshot that follows (64 bits), number of core types, twice the
 *		   number of latencies of each (32 bits each); of each core type samples and cycles
 *		   of each latency (64 bits each), in the order in which what is behind the plan
 *		   has counted metrics that rest on them: a reader takes those that it knows
 *	profile  = period in ns, counters_count, groups_count, modules known, functions known,
 *		   traces known, modules, functions, traces, stacks: each of the four with its
 *		   number ahead
 *	  module   = of the kernel (1 or 0), file, build id
 *	  function = module, address, name
 *	  trace    = enum ctd_trace_end, number of frames, functions from the innermost
 *	  stack    = kind of row, cgroup id, core type, trace, samples, windows; and, unless windows
 *		     is 0, their time in ns and counters_count * groups_count counts
 *	event profile = 0, name of the event, period in events, enum ctd_precision, then as profile
 *		   from counters_count on
 *	lines	 = texts, chains: each with its number ahead
 *	  chain	   = function, number of frames, from the innermost inlined function to the one
 *		     that is there: name (0: that of the function), path of the source (0: not
 *		     known), each by its number among the texts, from 1 on; line, line where the
 *		     function begins, each 0 if not known
 *	vendor	 = processor, its PMU (texts), 1 for Arm's, reals: the figures of struct
 *		   ctd_vendor_machine, slots a cycle by the files; events, metrics: each with its
 *		   number ahead; counters_count; groups, counted metrics: likewise
 *	  event	   = name, PMU if not the core's, why it has no code (texts), config, config1,
 *		     config2, mean latency (real)
 *	  metric   = name, formula, threshold, unit (texts), scale (real), level
 *	  group	   = number of its events; of each 0, or 1, config, config1, config2, and 1 for user
 *		     code only or 2 for the kernel only
 *	  counted  = index of the metric, 1 + index of the one that it is a part of, 1 + index of
 *		     its group, each 0 if there is none; why it has none (text)
 *	core type's vendor = index of a core type of the plan (32 bits), then as vendor
 *	interval = what happened between two snapshots, by itself: user/history/ makes and takes
 *		   the payload, which may need those before it. A file has snapshots or intervals
 *
 * A name comes before the first snapshot that has it, and so does a task. A plan holds for the
 * snapshots that follow it, up to the next plan. Totals begin anew with a plan: nothing is
 * subtracted across it.
 *
 * A profile has what was sampled between the snapshots around it, or a part of that. All its
 * numbers are LEB128, a text is its size and so many bytes, and an index counts modules, functions
 * or traces from the first block on: what is known of them is not written again. Where nothing is
 * known, which the block says by three zeros, they are counted from 0 again; so it is in the first
 * block of a plan.
 *
 * With lines (--lines) a function is in a profile once for each of its instructions that was
 * sampled. Lines say of functions of the profiles before, by the same numbers, where these
 * instructions are; they come before these are counted from 0 again, and at the end. Numbers and
 * texts are as in a profile.
 *
 * What was counted of vendors' metrics (--metrics-dir) comes behind the plan that counts it: in one
 * block, or where cores differ in one for each core type that counts some. It has
 * their formulas, and of the events and metrics of the vendor's files those that the formulas name:
 * so a recording shows what was seen, whatever becomes of the files. Numbers and texts are as in a
 * profile, a real is the number that the bits of its double make.
 */
/* As PNG's: not text, and damaged by every transfer that takes it for text. */
#define CTD_RECORD_MAGIC "\211CTD\r\n\032\n"
#define CTD_RECORD_MAGIC_BYTES 8
#define CTD_RECORD_VERSION 1

/* Flag of a block: a reader that does not know its type cannot go on. */
#define CTD_RECORD_REQUIRED 1U

enum ctd_record_type {
	CTD_RECORD_TYPE_HEADER = 1, /* required; the first block, and no other */
	CTD_RECORD_TYPE_PLAN = 2, /* required; the second block, and wherever the plan changed */
	CTD_RECORD_TYPE_SNAPSHOT = 3, /* required */
	CTD_RECORD_TYPE_NAME = 4,
	CTD_RECORD_TYPE_FACTS = 5,
	CTD_RECORD_TYPE_WAITS = 6, /* time that rows waited for a CPU; ahead of each snapshot */
	CTD_RECORD_TYPE_PROFILE = 7,
	CTD_RECORD_TYPE_THROTTLING = 8, /* what limits did to cgroups; ahead of each snapshot */
	/* What the measurement itself may cost, and did; ahead of each snapshot. */
	CTD_RECORD_TYPE_BUDGET = 9,
	/* 10 was an interval, coded otherwise, before the first release. */
	CTD_RECORD_TYPE_PAIRS = 11, /* which cgroups waited behind which; ahead of a snapshot */
	CTD_RECORD_TYPE_SIBLINGS = 12, /* parts of rows; ahead of each snapshot */
	CTD_RECORD_TYPE_VENDOR = 13, /* vendors' metrics that are counted; behind a plan */
	CTD_RECORD_TYPE_TASK = 14, /* which process a task is of, where rows are of tasks */
	CTD_RECORD_TYPE_CACHES = 15, /* where rows ran; ahead of each snapshot */
	/* Vendors' metrics of one core type; behind a plan. A reader that does not know it shows no
	 * metrics of theirs, or ends at the plan if that has more than CTD_GROUPS_MAX groups. */
	CTD_RECORD_TYPE_CORE_VENDOR = 16,
	CTD_RECORD_TYPE_EVENT_PROFILE = 17, /* a profile of an event rather than of CPU time */
	/* How long events took to retire, as samples told; ahead of a snapshot. */
	CTD_RECORD_TYPE_LATENCIES = 18,
	CTD_RECORD_TYPE_LINES = 19, /* source lines of functions in profiles before */
	CTD_RECORD_TYPE_INTERVAL = 20, /* required */
};

/* One core type of a plan: what its rows are of. */
struct ctd_record_core_type {
	char name[24]; /* "P-core"; "" where all are alike */
	char source[24]; /* "none": these have no counters */
	char model[32];
	char why[160]; /* without counters: why; else "" */
	uint32_t counters_count; /* of each group; further ones are there for other types' sake */
	uint32_t groups_count; /* that rotate, at least 1 */
	uint32_t ipc; /* 1: the last of them is that of the IPC metrics */
	bool held; /* without counters: another program holds them; not in the file */
};

/* A recording has this ahead of its snapshots. The part of the run is written once, the part of the
 * plan again when the plan of counters changes. The level follows from counters and groups. */
struct ctd_record_header {
	/* Of the run. */
	char host[64];
	char version[32]; /* of the program that recorded */
	char hierarchy[32]; /* of the cgroups: "v2", "v1 memory" */
	uint32_t by; /* enum ctd_by */

	/* Of the plan. */
	/* "perf_metrics", "gp_slots", "sim", "none"; where cores differ all of them:
	 * "perf_metrics+atom" */
	char source[24];
	char model[32]; /* name of the CPU model, "" with none; where cores differ the first one's */
	uint32_t simulated;
	uint32_t read; /* enum ctd_read */
	uint32_t counters_count; /* of each group, of the core type that has most */
	uint32_t groups_count; /* that rotate, likewise */
	uint32_t ipc; /* 1: the last group is that of the IPC metrics; likewise */
	bool held; /* no core type has counters: another program holds them; not in the file */
	/* Where cores differ. Else 0 or 1, and what is above says it all. */
	uint32_t core_types_count;
	struct ctd_record_core_type core_types[CTD_CORE_TYPES_MAX];
};

/* A name learnt before the snapshot that follows it: cgroup path, or comm of a process. */
struct ctd_record_name {
	uint64_t cgroup_id; /* 0 if pid is set */
	uint32_t pid;
	uint32_t removed; /* 1: the cgroup is gone */
	const char *text; /* path or comm, borrowed until the next read */
};

/* A task's process, learnt before the snapshot that follows. */
struct ctd_record_task {
	uint32_t task, process;
};

/* What is known of a cgroup besides its path. */
struct ctd_record_facts {
	uint64_t cgroup_id;
	const char *pairs; /* "key\0value\0key\0value\0", borrowed until the next read */
	size_t bytes;
};
#define CTD_RECORD_FACTS_BYTES_MAX 65536

/* Stacks that were sampled: recorded_stacks.h makes and takes the payload. */
struct ctd_record_profile {
	const void *payload; /* borrowed until the next read */
	size_t bytes;
	bool of_event; /* only written: the payload says it, too */
	uint64_t offset; /* in the file, of its block; for messages. Not written */
};

/* Vendors' metrics of the plan ahead: user/vendor/ makes and takes the payload. */
struct ctd_record_vendor {
	const void *payload; /* borrowed until the next read */
	size_t bytes;
	bool of_core_type; /* of one of the plan's core types: */
	uint32_t core_type; /* index of it; 0 where all are alike */
	uint64_t offset; /* in the file, of its block; for messages. Not written */
};

/* An interval, as user/history/ keeps many of them. */
struct ctd_record_interval {
	const void *payload; /* borrowed until the next read */
	size_t bytes;
};

/*
 * Writer. Each block is written by one call, so that a killed recording loses at most its last one.
 * @return 0 or negative errno (also for a short write: a full disk is -ENOSPC).
 */
struct ctd_record_writer;
/* -EEXIST: there is a file that is not a recording. */
int ctd_record_create(const char *path, const struct ctd_record_header *header,
		      struct ctd_record_writer **ret_writer);
/* The same to @p fd, which may be a pipe, and is taken with success only. */
int ctd_record_begin(int fd, const struct ctd_record_header *header,
		     struct ctd_record_writer **ret_writer);
struct ctd_strbuf;
/* The same to the end of @p text, which is borrowed: a part that is not whole is never there. */
int ctd_record_begin_text(struct ctd_strbuf *text, const struct ctd_record_header *header,
			  struct ctd_record_writer **ret_writer);
/* From here on the plan is what @p header says of it; what it says of the run is left aside. */
int ctd_record_write_plan(struct ctd_record_writer *writer, const struct ctd_record_header *header);
int ctd_record_write_name(struct ctd_record_writer *writer, const struct ctd_record_name *name);
int ctd_record_write_task(struct ctd_record_writer *writer, const struct ctd_record_task *task);
/* What was written of the same cgroup before is out of date. @return -E2BIG beyond the maximum. */
int ctd_record_write_facts(struct ctd_record_writer *writer, const struct ctd_record_facts *facts);
int ctd_record_write_snapshot(struct ctd_record_writer *writer,
			      const struct ctd_snapshot *snapshot);
/* @return -EFBIG beyond the size of a block. */
int ctd_record_write_profile(struct ctd_record_writer *writer,
			     const struct ctd_record_profile *profile);
/* Lines of functions in profiles before. */
int ctd_record_write_lines(struct ctd_record_writer *writer,
			   const struct ctd_record_profile *lines);
int ctd_record_write_vendor(struct ctd_record_writer *writer,
			    const struct ctd_record_vendor *vendor);
int ctd_record_write_interval(struct ctd_record_writer *writer,
			      const struct ctd_record_interval *interval);
/* Closes; NULL is fine. @return 0 or the error of the last write-back. */
int ctd_record_close(struct ctd_record_writer *writer);

enum ctd_record_kind {
	CTD_RECORD_END,
	CTD_RECORD_PLAN,
	CTD_RECORD_NAME,
	CTD_RECORD_TASK,
	CTD_RECORD_FACTS,
	CTD_RECORD_SNAPSHOT,
	CTD_RECORD_PROFILE,
	CTD_RECORD_LINES, /* as `profile` */
	CTD_RECORD_VENDOR,
	CTD_RECORD_INTERVAL,
};

/* What a reader found. */
struct ctd_record_item {
	enum ctd_record_kind kind;
	union {
		struct ctd_record_header header; /* CTD_RECORD_PLAN: with the new plan */
		struct ctd_record_name name;
		struct ctd_record_task task;
		struct ctd_record_facts facts;
		struct ctd_record_profile profile;
		struct ctd_record_vendor vendor;
		struct ctd_record_interval interval;
		struct ctd_snapshot snapshot; /* the caller's to free; `plan` counts plans from 0 */
	};
};

struct ctd_record_reader;
/*
 * Reads @p fd from where it stands, in order: it may be a pipe. It is taken with success only.
 * @p ret_why: a sentence for people when the result is -EBADMSG (not a record file, other version,
 * needs a block that is not known here, damaged, cut off; with the byte offset). Other errors are
 * plain negative errno.
 */
int ctd_record_open(int fd, struct ctd_record_header *ret_header,
		    struct ctd_record_reader **ret_reader, char ret_why[160]);
/* The same from memory, for tests and fuzzing; @p data must outlive the reader. */
int ctd_record_open_memory(const void *data, size_t bytes, struct ctd_record_header *ret_header,
			   struct ctd_record_reader **ret_reader, char ret_why[160]);
/* The first plan is in the header of ctd_record_open(), those that follow are items. */
int ctd_record_next(struct ctd_record_reader *reader, struct ctd_record_item *ret_item,
		    char ret_why[160]);
/*
 * After -EBADMSG, of memory only: goes on with the next whole block behind what is damaged.
 * @p ret_lost_bytes: how many are lost. @return 0, or -ENODATA: there is none.
 */
int ctd_record_resume(struct ctd_record_reader *reader, uint64_t *ret_lost_bytes);
/* Was the last -EBADMSG of a block that is whole, but required and not known here? Then another
 * version wrote the file, and nothing is damaged. */
bool ctd_record_is_refused(const struct ctd_record_reader *reader);
void ctd_record_reader_free(struct ctd_record_reader *reader);

#endif
