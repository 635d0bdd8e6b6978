/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_fields.c - the fields of a record file's blocks in order, once for writing and reading. */
#include "record_fields.h"

#include <endian.h>
#include <string.h>

void ctd_record_move_u64(struct ctd_record_cursor *cursor, uint64_t *value)
{
	uint64_t little;

	if (cursor->writing) {
		little = htole64(*value);
		memcpy(cursor->at, &little, sizeof(little));
	} else {
		memcpy(&little, cursor->at, sizeof(little));
		*value = le64toh(little);
	}
	cursor->at += sizeof(little);
}

static void move_counts(struct ctd_record_cursor *cursor, uint64_t *counts, uint32_t counters_count)
{
	for (uint32_t i = 0; i < counters_count; i++)
		ctd_record_move_u64(cursor, &counts[i]);
}

/* A text in a field of fixed size; what follows its NUL is not handed out, but written as 0. */
static void move_text(struct ctd_record_cursor *cursor, char *text, size_t bytes)
{
	if (cursor->writing) {
		size_t length = strnlen(text, bytes - 1);

		memcpy(cursor->at, text, length);
		memset(cursor->at + length, 0, bytes - length);
	} else {
		memcpy(text, cursor->at, bytes);
	}
	cursor->at += bytes;
}

void ctd_record_move_u32(struct ctd_record_cursor *cursor, uint32_t *value)
{
	uint32_t little;

	if (cursor->writing) {
		little = htole32(*value);
		memcpy(cursor->at, &little, sizeof(little));
	} else {
		memcpy(&little, cursor->at, sizeof(little));
		*value = le32toh(little);
	}
	cursor->at += sizeof(little);
}

void ctd_record_move_head(struct ctd_record_cursor *cursor, struct ctd_record_head *head)
{
	ctd_record_move_u32(cursor, &head->type);
	ctd_record_move_u32(cursor, &head->flags);
	ctd_record_move_u32(cursor, &head->bytes);
}

void ctd_record_move_header(struct ctd_record_cursor *cursor, struct ctd_record_header *header)
{
	move_text(cursor, header->host, sizeof(header->host));
	move_text(cursor, header->version, sizeof(header->version));
	move_text(cursor, header->hierarchy, sizeof(header->hierarchy));
	ctd_record_move_u32(cursor, &header->by);
}

void ctd_record_move_plan(struct ctd_record_cursor *cursor, struct ctd_record_header *header)
{
	move_text(cursor, header->source, sizeof(header->source));
	move_text(cursor, header->model, sizeof(header->model));
	ctd_record_move_u32(cursor, &header->simulated);
	ctd_record_move_u32(cursor, &header->read);
	ctd_record_move_u32(cursor, &header->counters_count);
	ctd_record_move_u32(cursor, &header->groups_count);
	ctd_record_move_u32(cursor, &header->ipc);
	ctd_record_move_u32(cursor, &header->core_types_count);
}

void ctd_record_move_core_type(struct ctd_record_cursor *cursor,
			       struct ctd_record_core_type *core_type)
{
	move_text(cursor, core_type->name, sizeof(core_type->name));
	move_text(cursor, core_type->source, sizeof(core_type->source));
	move_text(cursor, core_type->model, sizeof(core_type->model));
	move_text(cursor, core_type->why, sizeof(core_type->why));
	ctd_record_move_u32(cursor, &core_type->counters_count);
	ctd_record_move_u32(cursor, &core_type->groups_count);
	ctd_record_move_u32(cursor, &core_type->ipc);
}

void ctd_record_move_name(struct ctd_record_cursor *cursor, struct ctd_record_name *name)
{
	ctd_record_move_u64(cursor, &name->cgroup_id);
	ctd_record_move_u32(cursor, &name->pid);
	ctd_record_move_u32(cursor, &name->removed);
}

void ctd_record_move_task(struct ctd_record_cursor *cursor, struct ctd_record_task *task)
{
	ctd_record_move_u32(cursor, &task->task);
	ctd_record_move_u32(cursor, &task->process);
}

void ctd_record_move_facts(struct ctd_record_cursor *cursor, struct ctd_record_facts *facts)
{
	ctd_record_move_u64(cursor, &facts->cgroup_id);
}

void ctd_record_move_snapshot(struct ctd_record_cursor *cursor, struct ctd_snapshot *snapshot,
			      uint32_t *health_count)
{
	uint32_t rows_count = (uint32_t)snapshot->rows_count;
	uint32_t cpus_count = (uint32_t)snapshot->cpus_count;

	ctd_record_move_u64(cursor, &snapshot->sequence);
	ctd_record_move_u64(cursor, &snapshot->realtime_ns);
	ctd_record_move_u64(cursor, &snapshot->monotonic_ns);
	ctd_record_move_u64(cursor, &snapshot->lost_events);
	ctd_record_move_u32(cursor, &snapshot->counters_count);
	ctd_record_move_u32(cursor, &rows_count);
	ctd_record_move_u32(cursor, &cpus_count);
	snapshot->rows_count = rows_count;
	snapshot->cpus_count = cpus_count;
	ctd_record_move_u32(cursor, &snapshot->group);
	ctd_record_move_u32(cursor, &snapshot->in_between);
	ctd_record_move_u32(cursor, health_count);
}

void ctd_record_move_row(struct ctd_record_cursor *cursor, struct ctd_snapshot_row *row,
			 uint32_t counters_count)
{
	ctd_record_move_u64(cursor, &row->cgroup_id);
	ctd_record_move_u32(cursor, &row->pid);
	ctd_record_move_u32(cursor, &row->kind);
	ctd_record_move_u32(cursor, &row->core_type);
	ctd_record_move_u64(cursor, &row->oncpu_ns);
	ctd_record_move_u64(cursor, &row->running_ns);
	ctd_record_move_u64(cursor, &row->slices);
	ctd_record_move_u64(cursor, &row->switches);
	move_counts(cursor, row->count, counters_count);
}

/* The writer may have counted more or fewer figures than there are places for. */
static void move_health(struct ctd_record_cursor *cursor, uint64_t *health, uint32_t health_count)
{
	uint32_t known =
		health_count < CTD_HEALTH_CPU_COUNTERS ? health_count : CTD_HEALTH_CPU_COUNTERS;

	move_counts(cursor, health, known);
	cursor->at += (health_count - known) * sizeof(*health);
}

void ctd_record_move_cpu(struct ctd_record_cursor *cursor, struct ctd_snapshot_cpu *cpu,
			 uint32_t counters_count, uint32_t health_count)
{
	ctd_record_move_u32(cursor, &cpu->cpu);
	ctd_record_move_u32(cursor, &cpu->online);
	ctd_record_move_u32(cursor, &cpu->fenced);
	ctd_record_move_u32(cursor, &cpu->flushed);
	ctd_record_move_u32(cursor, &cpu->core_type);
	move_counts(cursor, cpu->total, counters_count);
	move_counts(cursor, cpu->attributed, counters_count);
	move_counts(cursor, cpu->unattributed, counters_count);
	ctd_record_move_u64(cursor, &cpu->unattributed_ns);
	move_health(cursor, cpu->health, health_count);
}

void ctd_record_move_list(struct ctd_record_cursor *cursor, struct ctd_record_list *list)
{
	ctd_record_move_u64(cursor, &list->sequence);
	ctd_record_move_u32(cursor, &list->items_count);
	ctd_record_move_u32(cursor, &list->figures_count);
}

uint64_t ctd_record_snapshot_bytes(uint64_t rows_count, uint64_t cpus_count,
				   uint32_t counters_count, uint32_t health_count)
{
	uint64_t row_bytes = 52 + 8 * (uint64_t)counters_count;
	uint64_t cpu_bytes = 28 + 24 * (uint64_t)counters_count + 8 * (uint64_t)health_count;

	return CTD_RECORD_SNAPSHOT_BYTES + rows_count * row_bytes + cpus_count * cpu_bytes;
}
