/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* file.h - the format of record files. */
#ifndef SNAPSHOT_FILE_H
#define SNAPSHOT_FILE_H

#include <cgtopdown/snapshot.h>

/*
 * All numbers are unsigned and little-endian. There is no padding.
 *
 *	file  = magic, version (32 bits), block, block, ...
 *	block = type (32 bits), bytes (32 bits), payload of so many bytes, CRC-32 (32 bits)
 *
 * The CRC is zlib's crc32() over type, bytes and payload. The first block is the header, and the
 * only one of its type. A name comes before the first snapshot that has it. Blocks of unknown type
 * are skipped, so that a program can add types without a new version; a change to a payload listed
 * here is a new version; those that were are still read. There is no end mark: a recording that was
 *killed is a whole one up to its last block.
 *
 * Payloads, field by field, are what the ctd_record_move functions move:
 *
 *	header   = fixed fields, kinds of cores
 *	name     = fixed fields, text (to the end of the payload, no NUL)
 *	facts    = cgroup id (64 bits), keys and values in turn, each ended by NUL
 *	snapshot = fixed fields, rows, CPUs; counters_count counts in each row, three times that in
 *		   each CPU, counters_count being the header's
 *
 * Version 1 had no hierarchy in its header; no lost switches, and no unattributed time, in a CPU.
 * Version 2 had one group of counters, and every snapshot ended an interval. Version 3 had no
 * general metrics. Version 4 had one kind of cores.
 */
/* As PNG's: not text, and damaged by every transfer that takes it for text. */
#define CTD_RECORD_MAGIC "\211CTD\r\n\032\n"
#define CTD_RECORD_MAGIC_BYTES 8
#define CTD_RECORD_VERSION 5
#define CTD_RECORD_VERSION_OLDEST 1
/* Offset of the first block. */
#define CTD_RECORD_PROLOGUE_BYTES (CTD_RECORD_MAGIC_BYTES + 4)

/* Ahead of and behind a payload. */
#define CTD_RECORD_HEAD_BYTES 8
#define CTD_RECORD_CRC_BYTES 4

enum ctd_record_type {
	CTD_RECORD_TYPE_HEADER = 1,
	CTD_RECORD_TYPE_NAME = 2,
	CTD_RECORD_TYPE_SNAPSHOT = 3,
	CTD_RECORD_TYPE_FACTS = 4,
};

/* Limits: a block beyond them is damaged. A million rows of sixteen counters take a sixth of the
 * first. */
#define CTD_RECORD_PAYLOAD_BYTES_MAX (1U << 30)
#define CTD_RECORD_TEXT_BYTES_MAX 4095 /* PATH_MAX without its NUL */

/* Sizes of fixed fields. */
#define CTD_RECORD_HEADER_BYTES(version) \
	((version) < 2	 ? 168           \
	 : (version) < 3 ? 200           \
	 : (version) < 4 ? 204           \
	 : (version) < 5 ? 208           \
			 : 212)
#define CTD_RECORD_CORE_TYPE_BYTES 252
#define CTD_RECORD_NAME_BYTES 16
#define CTD_RECORD_FACTS_BYTES 8
#define CTD_RECORD_SNAPSHOT_BYTES(version) ((version) < 3 ? 44 : 52)

/* A place in a block, and which way values move there. */
struct ctd_record_cursor {
	unsigned char *at;
	bool writing; /* from the struct to the bytes */
	uint32_t version; /* of the file; read or to be written */
};

/* Each moves its struct's fields and the cursor. The bytes must be there: the caller checks. */
void ctd_record_move_u32(struct ctd_record_cursor *cursor, uint32_t *value);
void ctd_record_move_header(struct ctd_record_cursor *cursor, struct ctd_record_header *header);
void ctd_record_move_core_type(struct ctd_record_cursor *cursor, struct ctd_record_core_type *core);
void ctd_record_move_name(struct ctd_record_cursor *cursor, struct ctd_record_name *name);
void ctd_record_move_facts(struct ctd_record_cursor *cursor, struct ctd_record_facts *facts);
void ctd_record_move_snapshot(struct ctd_record_cursor *cursor, struct ctd_snapshot *snapshot);
void ctd_record_move_row(struct ctd_record_cursor *cursor, struct ctd_snapshot_row *row,
			 uint32_t counters_count);
void ctd_record_move_cpu(struct ctd_record_cursor *cursor, struct ctd_snapshot_cpu *cpu,
			 uint32_t counters_count);

/* Size of a snapshot's payload; cannot overflow for counts of 32 bits. */
uint64_t ctd_record_snapshot_bytes(uint64_t rows_count, uint64_t cpus_count,
				   uint32_t counters_count, uint32_t version);

#endif
