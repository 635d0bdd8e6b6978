/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_read.c - reads record files, believing nothing that their blocks say. */
#include <cgtopdown/record.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "record_budget.h"
#include "record_caches.h"
#include "record_header.h"
#include "record_latencies.h"
#include "record_pairs.h"
#include "record_siblings.h"
#include "record_throttling.h"
#include "record_waits.h"

struct ctd_record_reader {
	struct ctd_record_file file;
	struct ctd_record_header header; /* with the newest plan */
	uint32_t plan; /* its number, from 0 */
	bool refused; /* a block that is required is not known */
	/* Owned; of the snapshot that follows. */
	struct ctd_record_held waits, siblings, caches, pairs, throttling, budget, latencies;
};

static int read_begin(struct ctd_record_reader *reader, char why[CTD_RECORD_WHY_BYTES])
{
	static int (*const decode[])(const struct ctd_record_file *,
				     const struct ctd_record_block *, struct ctd_record_header *,
				     char *) = {ctd_record_decode_header, ctd_record_decode_plan};
	int result = ctd_record_read_prologue(&reader->file, why);

	for (size_t i = 0; !result && i < sizeof(decode) / sizeof(*decode); i++) {
		struct ctd_record_block block;

		result = ctd_record_read_block(&reader->file, &block, why);
		if (result == 0)
			return ctd_record_bad(why, "cut off: no %s at byte %" PRIu64,
					      i ? "plan" : "header", reader->file.offset);
		if (result > 0)
			result = decode[i](&reader->file, &block, &reader->header, why);
		if (!result)
			ctd_record_pass_block(&reader->file, &block);
	}
	return result;
}

/* Takes the file, but only with success. */
static int open_record(struct ctd_record_file file, struct ctd_record_header *ret_header,
		       struct ctd_record_reader **ret_reader, char why[CTD_RECORD_WHY_BYTES])
{
	struct ctd_record_reader *reader = calloc(1, sizeof(*reader));
	int result;

	if (!reader)
		return -ENOMEM;
	reader->file = file;
	result = read_begin(reader, why);
	if (result < 0) {
		free(reader->file.block);
		free(reader);
		return result;
	}
	*ret_header = reader->header;
	*ret_reader = reader;
	return 0;
}

int ctd_record_open_memory(const void *data, size_t bytes, struct ctd_record_header *ret_header,
			   struct ctd_record_reader **ret_reader,
			   char ret_why[CTD_RECORD_WHY_BYTES])
{
	return open_record((struct ctd_record_file){.fd = -1, .memory = data, .bytes = bytes},
			   ret_header, ret_reader, ret_why);
}

int ctd_record_open(int fd, struct ctd_record_header *ret_header,
		    struct ctd_record_reader **ret_reader, char ret_why[CTD_RECORD_WHY_BYTES])
{
	return open_record((struct ctd_record_file){.fd = fd}, ret_header, ret_reader, ret_why);
}

static int decode_name(const struct ctd_record_reader *reader, const struct ctd_record_block *block,
		       struct ctd_record_name *ret_name, char why[CTD_RECORD_WHY_BYTES])
{
	struct ctd_record_cursor cursor = {.at = block->payload};
	struct ctd_record_name name;
	size_t text_bytes;

	if (block->head.bytes < CTD_RECORD_NAME_BYTES ||
	    block->head.bytes > CTD_RECORD_NAME_BYTES + CTD_RECORD_TEXT_BYTES_MAX)
		return ctd_record_bad_block(&reader->file, why, "impossible size of a name");
	ctd_record_move_name(&cursor, &name);
	text_bytes = block->head.bytes - CTD_RECORD_NAME_BYTES;
	if ((name.cgroup_id == 0) == (name.pid == 0) || name.removed > 1 ||
	    memchr(cursor.at, '\0', text_bytes))
		return ctd_record_bad_block(&reader->file, why, "impossible name");
	/* In place of the CRC, which was checked. */
	cursor.at[text_bytes] = '\0';
	name.text = (const char *)cursor.at;
	*ret_name = name;
	return 0;
}

static int decode_task(const struct ctd_record_reader *reader, const struct ctd_record_block *block,
		       struct ctd_record_task *ret_task, char why[CTD_RECORD_WHY_BYTES])
{
	struct ctd_record_cursor cursor = {.at = block->payload};
	struct ctd_record_task task;

	if (block->head.bytes != CTD_RECORD_TASK_BYTES)
		return ctd_record_bad_block(&reader->file, why, "impossible size of a task");
	ctd_record_move_task(&cursor, &task);
	if (!task.task || !task.process)
		return ctd_record_bad_block(&reader->file, why, "impossible task");
	*ret_task = task;
	return 0;
}

/* Each key has its value, and each of them its end. */
static bool are_pairs(const char *pairs, size_t bytes)
{
	size_t ends = 0;

	for (size_t i = 0; i < bytes; i++)
		ends += !pairs[i];
	return bytes && !pairs[bytes - 1] && ends % 2 == 0;
}

static int decode_facts(const struct ctd_record_reader *reader,
			const struct ctd_record_block *block, struct ctd_record_facts *ret_facts,
			char why[CTD_RECORD_WHY_BYTES])
{
	struct ctd_record_cursor cursor = {.at = block->payload};
	struct ctd_record_facts facts;

	if (block->head.bytes < CTD_RECORD_FACTS_BYTES ||
	    block->head.bytes > CTD_RECORD_FACTS_BYTES + CTD_RECORD_FACTS_BYTES_MAX)
		return ctd_record_bad_block(&reader->file, why, "impossible size of facts");
	ctd_record_move_facts(&cursor, &facts);
	facts.pairs = (const char *)cursor.at;
	facts.bytes = block->head.bytes - CTD_RECORD_FACTS_BYTES;
	if (!facts.cgroup_id || !are_pairs(facts.pairs, facts.bytes))
		return ctd_record_bad_block(&reader->file, why, "impossible facts");
	*ret_facts = facts;
	return 0;
}

static int decode_rows(const struct ctd_record_reader *reader, struct ctd_record_cursor *cursor,
		       struct ctd_snapshot *snapshot, uint32_t health_count,
		       char why[CTD_RECORD_WHY_BYTES])
{
	uint32_t core_types = reader->header.core_types_count ? reader->header.core_types_count : 1;

	for (size_t i = 0; i < snapshot->rows_count; i++) {
		struct ctd_snapshot_row *row = &snapshot->rows[i];

		ctd_record_move_row(cursor, row, snapshot->counters_count);
		if (row->kind >= CTD_ROW_KINDS || row->core_type >= core_types ||
		    (row->kind != CTD_ROW_CGROUP && row->cgroup_id != 0))
			return ctd_record_bad_block(&reader->file, why, "impossible row");
	}
	for (size_t i = 0; i < snapshot->cpus_count; i++) {
		struct ctd_snapshot_cpu *cpu = &snapshot->cpus[i];

		ctd_record_move_cpu(cursor, cpu, snapshot->counters_count, health_count);
		if (cpu->cpu >= CTD_CPUS_MAX || cpu->online > 1 || cpu->fenced > 1 ||
		    cpu->flushed > 1 || cpu->core_type >= core_types)
			return ctd_record_bad_block(&reader->file, why, "impossible CPU");
	}
	if (!ctd_snapshot_is_ordered(snapshot))
		return ctd_record_bad_block(&reader->file, why, "rows or CPUs out of order");
	return 0;
}

static int take_held(struct ctd_record_reader *reader, struct ctd_snapshot *snapshot,
		     char why[CTD_RECORD_WHY_BYTES])
{
	int result = ctd_record_take_waits(&reader->waits, snapshot);

	if (result == -EBADMSG)
		return ctd_record_bad_block(&reader->file, why, "impossible waits of the rows");
	if (!result)
		result = ctd_record_take_siblings(&reader->siblings, snapshot);
	if (result == -EBADMSG)
		return ctd_record_bad_block(&reader->file, why,
					    "impossible parts of rows by hardware threads");
	if (!result)
		result = ctd_record_take_caches(&reader->caches, snapshot);
	if (result == -EBADMSG)
		return ctd_record_bad_block(&reader->file, why,
					    "impossible parts of rows by caches");
	if (!result)
		result = ctd_record_take_pairs(&reader->pairs, snapshot);
	if (result == -EBADMSG)
		return ctd_record_bad_block(&reader->file, why, "impossible pairs of cgroups");
	if (!result)
		result = ctd_record_take_throttling(&reader->throttling, snapshot);
	if (result == -EBADMSG)
		return ctd_record_bad_block(&reader->file, why, "impossible limits of cgroups");
	if (!result)
		result = ctd_record_take_budget(&reader->budget, snapshot);
	if (result == -EBADMSG)
		return ctd_record_bad_block(&reader->file, why, "impossible budget");
	if (!result)
		result = ctd_record_take_latencies(&reader->latencies, snapshot);
	return result == -EBADMSG ? ctd_record_bad_block(&reader->file, why, "impossible latencies")
				  : result;
}

static int decode_snapshot(struct ctd_record_reader *reader, const struct ctd_record_block *block,
			   struct ctd_snapshot *ret_snapshot, char why[CTD_RECORD_WHY_BYTES])
{
	struct ctd_record_cursor cursor = {.at = block->payload};
	struct ctd_snapshot snapshot = {.plan = reader->plan,
					.groups_count = reader->header.groups_count};
	uint32_t health_count;
	int result;

	for (uint32_t i = 0; i < reader->header.core_types_count; i++)
		snapshot.core_type_groups[i] = reader->header.core_types[i].groups_count;
	if (block->head.bytes < CTD_RECORD_SNAPSHOT_BYTES)
		return ctd_record_bad_block(&reader->file, why, "impossible size of a snapshot");
	ctd_record_move_snapshot(&cursor, &snapshot, &health_count);
	if (snapshot.counters_count != reader->header.counters_count)
		return ctd_record_bad_block(&reader->file, why, "other number of counters");
	if (snapshot.group >= snapshot.groups_count || snapshot.in_between > 1)
		return ctd_record_bad_block(&reader->file, why, "impossible group of counters");
	if (health_count > CTD_RECORD_HEALTH_MAX ||
	    block->head.bytes != ctd_record_snapshot_bytes(snapshot.rows_count, snapshot.cpus_count,
							   snapshot.counters_count, health_count))
		return ctd_record_bad_block(&reader->file, why, "impossible size of a snapshot");

	/* The block holds so many rows and CPUs; at least one, as malloc(0) may be NULL. */
	snapshot.rows = calloc(snapshot.rows_count + 1, sizeof(*snapshot.rows));
	snapshot.cpus = calloc(snapshot.cpus_count + 1, sizeof(*snapshot.cpus));
	result = snapshot.rows && snapshot.cpus
			 ? decode_rows(reader, &cursor, &snapshot, health_count, why)
			 : -ENOMEM;
	if (!result)
		result = take_held(reader, &snapshot, why);
	if (result < 0) {
		ctd_snapshot_free(&snapshot);
		return result;
	}
	*ret_snapshot = snapshot;
	return 0;
}

static int decode_core_vendor(const struct ctd_record_reader *reader,
			      const struct ctd_record_block *block,
			      struct ctd_record_vendor *ret_vendor, char why[CTD_RECORD_WHY_BYTES])
{
	struct ctd_record_cursor cursor = {.at = block->payload};
	uint32_t core_type;

	if (block->head.bytes < sizeof(core_type))
		return ctd_record_bad_block(&reader->file, why,
					    "impossible size of vendors' metrics");
	ctd_record_move_u32(&cursor, &core_type);
	if (core_type >= reader->header.core_types_count)
		return ctd_record_bad_block(&reader->file, why,
					    "vendors' metrics of an impossible core type");
	*ret_vendor = (struct ctd_record_vendor){
		.payload = cursor.at,
		.bytes = block->head.bytes - sizeof(core_type),
		.of_core_type = true,
		.core_type = core_type,
		.offset = reader->file.offset,
	};
	return 0;
}

/* It has the CRC right and says that nothing behind it can be understood without it. */
static int refuse_unknown(struct ctd_record_reader *reader, const struct ctd_record_block *block,
			  char why[CTD_RECORD_WHY_BYTES])
{
	reader->refused = true;
	return ctd_record_bad(why,
			      "cgtopdown %s wrote a block of type %" PRIu32 " at byte %" PRIu64
			      ", which this version does not know and cannot do without",
			      reader->header.version, block->head.type, reader->file.offset);
}

static int decode_item(struct ctd_record_reader *reader, const struct ctd_record_block *block,
		       struct ctd_record_item *ret_item, char why[CTD_RECORD_WHY_BYTES])
{
	int result;

	switch (block->head.type) {
	case CTD_RECORD_TYPE_HEADER:
		return ctd_record_bad_block(&reader->file, why, "second header");
	case CTD_RECORD_TYPE_PLAN:
		result = ctd_record_decode_plan(&reader->file, block, &reader->header, why);
		if (result)
			return result;
		reader->plan++;
		ret_item->kind = CTD_RECORD_PLAN;
		ret_item->header = reader->header;
		return 0;
	case CTD_RECORD_TYPE_NAME:
		ret_item->kind = CTD_RECORD_NAME;
		return decode_name(reader, block, &ret_item->name, why);
	case CTD_RECORD_TYPE_TASK:
		ret_item->kind = CTD_RECORD_TASK;
		return decode_task(reader, block, &ret_item->task, why);
	case CTD_RECORD_TYPE_FACTS:
		ret_item->kind = CTD_RECORD_FACTS;
		return decode_facts(reader, block, &ret_item->facts, why);
	case CTD_RECORD_TYPE_WAITS:
		return ctd_record_hold(block, &reader->waits);
	case CTD_RECORD_TYPE_SIBLINGS:
		return ctd_record_hold(block, &reader->siblings);
	case CTD_RECORD_TYPE_PAIRS:
		return ctd_record_hold(block, &reader->pairs);
	case CTD_RECORD_TYPE_CACHES:
		return ctd_record_hold(block, &reader->caches);
	case CTD_RECORD_TYPE_THROTTLING:
		return ctd_record_hold(block, &reader->throttling);
	case CTD_RECORD_TYPE_BUDGET:
		return ctd_record_hold(block, &reader->budget);
	case CTD_RECORD_TYPE_LATENCIES:
		return ctd_record_hold(block, &reader->latencies);
	case CTD_RECORD_TYPE_SNAPSHOT:
		ret_item->kind = CTD_RECORD_SNAPSHOT;
		return decode_snapshot(reader, block, &ret_item->snapshot, why);
	case CTD_RECORD_TYPE_PROFILE:
	case CTD_RECORD_TYPE_EVENT_PROFILE:
	case CTD_RECORD_TYPE_LINES:
		ret_item->kind = block->head.type == CTD_RECORD_TYPE_LINES ? CTD_RECORD_LINES
									   : CTD_RECORD_PROFILE;
		ret_item->profile = (struct ctd_record_profile){.payload = block->payload,
								.bytes = block->head.bytes,
								.offset = reader->file.offset};
		return 0;
	case CTD_RECORD_TYPE_VENDOR:
		ret_item->kind = CTD_RECORD_VENDOR;
		ret_item->vendor = (struct ctd_record_vendor){.payload = block->payload,
							      .bytes = block->head.bytes,
							      .offset = reader->file.offset};
		return 0;
	case CTD_RECORD_TYPE_CORE_VENDOR:
		ret_item->kind = CTD_RECORD_VENDOR;
		return decode_core_vendor(reader, block, &ret_item->vendor, why);
	case CTD_RECORD_TYPE_INTERVAL:
		ret_item->kind = CTD_RECORD_INTERVAL;
		ret_item->interval =
			(struct ctd_record_interval){block->payload, block->head.bytes};
		return 0;
	}
	return block->head.flags & CTD_RECORD_REQUIRED ? refuse_unknown(reader, block, why) : 0;
}

int ctd_record_next(struct ctd_record_reader *reader, struct ctd_record_item *ret_item,
		    char ret_why[CTD_RECORD_WHY_BYTES])
{
	ret_item->kind = CTD_RECORD_END;
	while (ret_item->kind == CTD_RECORD_END) {
		struct ctd_record_block block;
		int result = ctd_record_read_block(&reader->file, &block, ret_why);

		if (result <= 0)
			return result;
		result = decode_item(reader, &block, ret_item, ret_why);
		if (result < 0)
			return result;
		ctd_record_pass_block(&reader->file, &block);
	}
	return 0;
}

int ctd_record_resume(struct ctd_record_reader *reader, uint64_t *ret_lost_bytes)
{
	uint64_t from = reader->file.offset;
	bool found = ctd_record_find_block(&reader->file);

	/* What was held was of a snapshot that is lost. */
	reader->waits.bytes = reader->siblings.bytes = reader->pairs.bytes = 0;
	reader->throttling.bytes = reader->caches.bytes = reader->budget.bytes = 0;
	reader->latencies.bytes = 0;
	reader->refused = false;
	*ret_lost_bytes = (found ? reader->file.offset : reader->file.bytes) - from;
	return found ? 0 : -ENODATA;
}

bool ctd_record_is_refused(const struct ctd_record_reader *reader)
{
	return reader->refused;
}

void ctd_record_reader_free(struct ctd_record_reader *reader)
{
	if (!reader)
		return;
	ctd_record_file_close(&reader->file);
	free(reader->waits.payload);
	free(reader->siblings.payload);
	free(reader->caches.payload);
	free(reader->pairs.payload);
	free(reader->throttling.payload);
	free(reader->budget.payload);
	free(reader->latencies.payload);
	free(reader);
}
