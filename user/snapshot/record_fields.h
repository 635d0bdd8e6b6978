/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_fields.h - the fields of a record file's blocks, moved to and from bytes. */
#ifndef SNAPSHOT_RECORD_FIELDS_H
#define SNAPSHOT_RECORD_FIELDS_H

#include <cgtopdown/record.h>

/* Offset of the first block. */
#define CTD_RECORD_PROLOGUE_BYTES (CTD_RECORD_MAGIC_BYTES + 4)
/* Ahead of and behind a payload. */
#define CTD_RECORD_HEAD_BYTES 12
#define CTD_RECORD_CRC_BYTES 4

/* Limits: a block beyond them is damaged. A million rows of sixteen counters take a sixth of the
 * first. */
#define CTD_RECORD_PAYLOAD_BYTES_MAX (1U << 30)
#define CTD_RECORD_TEXT_BYTES_MAX 4095 /* PATH_MAX without its NUL */
#define CTD_RECORD_HEALTH_MAX 256 /* figures of a CPU */

/* Sizes of fixed fields. */
#define CTD_RECORD_HEADER_BYTES 132
#define CTD_RECORD_PLAN_BYTES 80
#define CTD_RECORD_CORE_TYPE_BYTES 252
#define CTD_RECORD_NAME_BYTES 16
#define CTD_RECORD_TASK_BYTES 8
#define CTD_RECORD_FACTS_BYTES 8
#define CTD_RECORD_SNAPSHOT_BYTES 56
#define CTD_RECORD_LIST_BYTES 16

/* Ahead of a payload. */
struct ctd_record_head {
	uint32_t type, flags, bytes;
};

/* Ahead of what belongs to a snapshot: waits of its rows, figures of cgroups. */
struct ctd_record_list {
	uint64_t sequence; /* of the snapshot */
	uint32_t items_count, figures_count;
};

/* A place in a block, and which way values move there. */
struct ctd_record_cursor {
	unsigned char *at;
	bool writing; /* from the struct to the bytes */
};

/* Each moves its struct's fixed fields and the cursor. The bytes must be there: the caller checks. */
void ctd_record_move_u32(struct ctd_record_cursor *cursor, uint32_t *value);
void ctd_record_move_head(struct ctd_record_cursor *cursor, struct ctd_record_head *head);
void ctd_record_move_header(struct ctd_record_cursor *cursor, struct ctd_record_header *header);
void ctd_record_move_plan(struct ctd_record_cursor *cursor, struct ctd_record_header *header);
void ctd_record_move_core_type(struct ctd_record_cursor *cursor,
			       struct ctd_record_core_type *core_type);
void ctd_record_move_name(struct ctd_record_cursor *cursor, struct ctd_record_name *name);
void ctd_record_move_task(struct ctd_record_cursor *cursor, struct ctd_record_task *task);
void ctd_record_move_facts(struct ctd_record_cursor *cursor, struct ctd_record_facts *facts);
void ctd_record_move_snapshot(struct ctd_record_cursor *cursor, struct ctd_snapshot *snapshot,
			      uint32_t *health_count);
void ctd_record_move_row(struct ctd_record_cursor *cursor, struct ctd_snapshot_row *row,
			 uint32_t counters_count);
void ctd_record_move_cpu(struct ctd_record_cursor *cursor, struct ctd_snapshot_cpu *cpu,
			 uint32_t counters_count, uint32_t health_count);

void ctd_record_move_list(struct ctd_record_cursor *cursor, struct ctd_record_list *list);
void ctd_record_move_u64(struct ctd_record_cursor *cursor, uint64_t *value);

/* Size of a snapshot's payload; cannot overflow for counts of 32 bits, within the limits
 * of counters and health. */
uint64_t ctd_record_snapshot_bytes(uint64_t rows_count, uint64_t cpus_count,
				   uint32_t counters_count, uint32_t health_count);

#endif
