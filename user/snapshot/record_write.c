/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_write.c - writes record files: each block is made in memory and written by one call. */
#include <cgtopdown/record.h>

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/auto.h"
#include "base/strbuf.h"
#include "record_budget.h"
#include "record_caches.h"
#include "record_latencies.h"
#include "record_pairs.h"
#include "record_siblings.h"
#include "record_throttling.h"
#include "record_waits.h"

struct ctd_record_writer {
	int fd; /* owned; -1: writes to text */
	struct ctd_strbuf *text; /* borrowed; NULL: writes to fd */
	uint32_t counters_count;
	int error; /* of the first write that failed: what follows a broken block cannot be read */
	unsigned char *block; /* owned; the block being made */
	size_t capacity;
};

/* All of it, or of a text nothing. */
static int write_all(const struct ctd_record_writer *writer, const unsigned char *data,
		     size_t bytes)
{
	if (writer->text) {
		if (!ctd_strbuf_reserve(writer->text, bytes))
			return -ENOMEM;
		ctd_strbuf_add_bytes(writer->text, (const char *)data, bytes);
		return 0;
	}
	while (bytes > 0) {
		ssize_t written = write(writer->fd, data, bytes);

		if (written < 0) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		data += written;
		bytes -= (size_t)written;
	}
	return 0;
}

/* Makes room for a block and writes its head; @p ret_cursor is at the payload. */
static int begin_block(struct ctd_record_writer *writer, enum ctd_record_type type, uint32_t bytes,
		       struct ctd_record_cursor *ret_cursor)
{
	bool optional = type == CTD_RECORD_TYPE_NAME || type == CTD_RECORD_TYPE_FACTS ||
			type == CTD_RECORD_TYPE_WAITS || type == CTD_RECORD_TYPE_PROFILE ||
			type == CTD_RECORD_TYPE_THROTTLING || type == CTD_RECORD_TYPE_PAIRS ||
			type == CTD_RECORD_TYPE_SIBLINGS || type == CTD_RECORD_TYPE_VENDOR ||
			type == CTD_RECORD_TYPE_TASK || type == CTD_RECORD_TYPE_CACHES ||
			type == CTD_RECORD_TYPE_CORE_VENDOR || type == CTD_RECORD_TYPE_BUDGET ||
			type == CTD_RECORD_TYPE_EVENT_PROFILE ||
			type == CTD_RECORD_TYPE_LATENCIES || type == CTD_RECORD_TYPE_LINES;
	struct ctd_record_head head = {
		.type = type, .flags = optional ? 0 : CTD_RECORD_REQUIRED, .bytes = bytes};
	size_t needed = (size_t)CTD_RECORD_HEAD_BYTES + bytes + CTD_RECORD_CRC_BYTES;
	struct ctd_record_cursor cursor = {.writing = true};

	if (writer->capacity < needed) {
		unsigned char *block = realloc(writer->block, needed);

		if (!block)
			return -ENOMEM;
		writer->block = block;
		writer->capacity = needed;
	}
	cursor.at = writer->block;
	ctd_record_move_head(&cursor, &head);
	*ret_cursor = cursor;
	return 0;
}

/* Writes the block that ends at @p cursor. */
static int end_block(struct ctd_record_writer *writer, struct ctd_record_cursor *cursor)
{
	size_t bytes = (size_t)(cursor->at - writer->block);
	uint32_t crc = (uint32_t)crc32_z(0, writer->block, bytes);

	assert(bytes + CTD_RECORD_CRC_BYTES <= writer->capacity);
	ctd_record_move_u32(cursor, &crc);
	writer->error = write_all(writer, writer->block, bytes + CTD_RECORD_CRC_BYTES);
	return writer->error;
}

static int write_prologue(struct ctd_record_writer *writer)
{
	unsigned char prologue[CTD_RECORD_PROLOGUE_BYTES] = CTD_RECORD_MAGIC;
	struct ctd_record_cursor cursor = {.at = prologue + CTD_RECORD_MAGIC_BYTES,
					   .writing = true};
	uint32_t version = CTD_RECORD_VERSION;

	ctd_record_move_u32(&cursor, &version);
	return write_all(writer, prologue, sizeof(prologue));
}

static int write_header(struct ctd_record_writer *writer, const struct ctd_record_header *header)
{
	struct ctd_record_header copy = *header;
	struct ctd_record_cursor cursor;
	int result = begin_block(writer, CTD_RECORD_TYPE_HEADER, CTD_RECORD_HEADER_BYTES, &cursor);

	if (result < 0)
		return result;
	ctd_record_move_header(&cursor, &copy);
	return end_block(writer, &cursor);
}

int ctd_record_write_plan(struct ctd_record_writer *writer, const struct ctd_record_header *header)
{
	struct ctd_record_header copy = *header;
	struct ctd_record_cursor cursor;
	int result;

	assert(header->counters_count <= CTD_COUNTERS_MAX);
	assert(header->groups_count >= 1 && header->groups_count <= CTD_ROTATION_GROUPS_MAX);
	assert(header->core_types_count <= CTD_CORE_TYPES_MAX);
	if (writer->error)
		return writer->error;
	result = begin_block(writer, CTD_RECORD_TYPE_PLAN,
			     CTD_RECORD_PLAN_BYTES +
				     header->core_types_count * CTD_RECORD_CORE_TYPE_BYTES,
			     &cursor);
	if (result < 0)
		return result;
	ctd_record_move_plan(&cursor, &copy);
	for (uint32_t i = 0; i < copy.core_types_count; i++)
		ctd_record_move_core_type(&cursor, &copy.core_types[i]);
	writer->counters_count = header->counters_count;
	return end_block(writer, &cursor);
}

/* Empties what is there, unless it is a file of something else. @return 0 or negative errno. */
static int empty(int fd, const char *path)
{
	char magic[CTD_RECORD_MAGIC_BYTES];
	autoclose int reader = -1;
	struct stat status;

	if (fstat(fd, &status))
		return -errno;
	if (!S_ISREG(status.st_mode) || !status.st_size)
		return 0;
	reader = open(path, O_RDONLY | O_CLOEXEC);
	if (reader < 0 || pread(reader, magic, sizeof(magic), 0) != (ssize_t)sizeof(magic) ||
	    memcmp(magic, CTD_RECORD_MAGIC, sizeof(magic)) != 0)
		return -EEXIST;
	return ftruncate(fd, 0) ? -errno : 0;
}

static int begin(int fd, struct ctd_strbuf *text, const struct ctd_record_header *header,
		 struct ctd_record_writer **ret_writer)
{
	autofree struct ctd_record_writer *writer = calloc(1, sizeof(*writer));
	int result;

	if (!writer)
		return -ENOMEM;
	writer->fd = fd;
	writer->text = text;
	result = write_prologue(writer);
	if (!result)
		result = write_header(writer, header);
	if (!result)
		result = ctd_record_write_plan(writer, header);
	if (result < 0)
		free(writer->block);
	else
		*ret_writer = take_ptr(writer);
	return result;
}

int ctd_record_begin(int fd, const struct ctd_record_header *header,
		     struct ctd_record_writer **ret_writer)
{
	return begin(fd, NULL, header, ret_writer);
}

int ctd_record_begin_text(struct ctd_strbuf *text, const struct ctd_record_header *header,
			  struct ctd_record_writer **ret_writer)
{
	return begin(-1, text, header, ret_writer);
}

int ctd_record_create(const char *path, const struct ctd_record_header *header,
		      struct ctd_record_writer **ret_writer)
{
	autoclose int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	int result = fd < 0 ? -errno : empty(fd, path);

	if (!result)
		result = ctd_record_begin(fd, header, ret_writer);
	if (!result)
		(void)take_fd(fd);
	return result;
}

int ctd_record_write_name(struct ctd_record_writer *writer, const struct ctd_record_name *name)
{
	struct ctd_record_cursor cursor;
	struct ctd_record_name copy = *name;
	size_t text_bytes = strlen(name->text);
	int result;

	assert((name->cgroup_id == 0) != (name->pid == 0));
	if (writer->error)
		return writer->error;
	if (text_bytes > CTD_RECORD_TEXT_BYTES_MAX)
		return -ENAMETOOLONG;
	result = begin_block(writer, CTD_RECORD_TYPE_NAME,
			     (uint32_t)(CTD_RECORD_NAME_BYTES + text_bytes), &cursor);
	if (result < 0)
		return result;
	ctd_record_move_name(&cursor, &copy);
	memcpy(cursor.at, name->text, text_bytes);
	cursor.at += text_bytes;
	return end_block(writer, &cursor);
}

int ctd_record_write_task(struct ctd_record_writer *writer, const struct ctd_record_task *task)
{
	struct ctd_record_cursor cursor;
	struct ctd_record_task copy = *task;
	int result;

	assert(task->task && task->process);
	if (writer->error)
		return writer->error;
	result = begin_block(writer, CTD_RECORD_TYPE_TASK, CTD_RECORD_TASK_BYTES, &cursor);
	if (result < 0)
		return result;
	ctd_record_move_task(&cursor, &copy);
	return end_block(writer, &cursor);
}

int ctd_record_write_facts(struct ctd_record_writer *writer, const struct ctd_record_facts *facts)
{
	struct ctd_record_cursor cursor;
	struct ctd_record_facts copy = *facts;
	int result;

	assert(facts->cgroup_id && facts->bytes && !facts->pairs[facts->bytes - 1]);
	if (writer->error)
		return writer->error;
	if (facts->bytes > CTD_RECORD_FACTS_BYTES_MAX)
		return -E2BIG;
	result = begin_block(writer, CTD_RECORD_TYPE_FACTS,
			     (uint32_t)(CTD_RECORD_FACTS_BYTES + facts->bytes), &cursor);
	if (result < 0)
		return result;
	ctd_record_move_facts(&cursor, &copy);
	memcpy(cursor.at, facts->pairs, facts->bytes);
	cursor.at += facts->bytes;
	return end_block(writer, &cursor);
}

/* What belongs to the snapshot behind it. */
static int write_ahead(struct ctd_record_writer *writer, enum ctd_record_type type, uint64_t bytes,
		       void (*put)(struct ctd_record_cursor *, const struct ctd_snapshot *),
		       const struct ctd_snapshot *snapshot)
{
	struct ctd_record_cursor cursor;
	int result;

	if (bytes > CTD_RECORD_PAYLOAD_BYTES_MAX)
		return -EFBIG;
	result = begin_block(writer, type, (uint32_t)bytes, &cursor);
	if (result < 0)
		return result;
	put(&cursor, snapshot);
	return end_block(writer, &cursor);
}

int ctd_record_write_snapshot(struct ctd_record_writer *writer, const struct ctd_snapshot *snapshot)
{
	struct ctd_record_cursor cursor;
	struct ctd_snapshot copy = *snapshot;
	uint32_t health_count = CTD_HEALTH_CPU_COUNTERS;
	uint64_t bytes = ctd_record_snapshot_bytes(snapshot->rows_count, snapshot->cpus_count,
						   snapshot->counters_count, health_count);
	int result;

	assert(snapshot->counters_count == writer->counters_count);
	assert(ctd_snapshot_is_ordered(snapshot));
	if (writer->error)
		return writer->error;
	if (bytes > CTD_RECORD_PAYLOAD_BYTES_MAX)
		return -EFBIG;
	result = snapshot->waits ? write_ahead(writer, CTD_RECORD_TYPE_WAITS,
					       ctd_record_waits_bytes(snapshot),
					       ctd_record_put_waits, snapshot)
				 : 0;
	if (!result && snapshot->siblings)
		result = write_ahead(writer, CTD_RECORD_TYPE_SIBLINGS,
				     ctd_record_siblings_bytes(snapshot), ctd_record_put_siblings,
				     snapshot);
	if (!result && snapshot->cache_ns)
		result = write_ahead(writer, CTD_RECORD_TYPE_CACHES,
				     ctd_record_caches_bytes(snapshot), ctd_record_put_caches,
				     snapshot);
	if (!result && snapshot->pairs.count)
		result =
			write_ahead(writer, CTD_RECORD_TYPE_PAIRS, ctd_record_pairs_bytes(snapshot),
				    ctd_record_put_pairs, snapshot);
	if (!result && snapshot->throttlings.known)
		result = write_ahead(writer, CTD_RECORD_TYPE_THROTTLING,
				     ctd_record_throttling_bytes(snapshot),
				     ctd_record_put_throttling, snapshot);
	if (!result && snapshot->budget.limit_ppm)
		result = write_ahead(writer, CTD_RECORD_TYPE_BUDGET, CTD_RECORD_BUDGET_BYTES,
				     ctd_record_put_budget, snapshot);
	if (!result && snapshot->latencies.count)
		result = write_ahead(writer, CTD_RECORD_TYPE_LATENCIES,
				     ctd_record_latencies_bytes(snapshot), ctd_record_put_latencies,
				     snapshot);
	if (!result)
		result = begin_block(writer, CTD_RECORD_TYPE_SNAPSHOT, (uint32_t)bytes, &cursor);
	if (result < 0)
		return result;
	ctd_record_move_snapshot(&cursor, &copy, &health_count);
	for (size_t i = 0; i < snapshot->rows_count; i++) {
		struct ctd_snapshot_row row = snapshot->rows[i];

		ctd_record_move_row(&cursor, &row, snapshot->counters_count);
	}
	for (size_t i = 0; i < snapshot->cpus_count; i++) {
		struct ctd_snapshot_cpu cpu = snapshot->cpus[i];

		ctd_record_move_cpu(&cursor, &cpu, snapshot->counters_count, health_count);
	}
	return end_block(writer, &cursor);
}

/* A block whose payload others make. */
static int write_payload(struct ctd_record_writer *writer, enum ctd_record_type type,
			 const void *payload, size_t bytes)
{
	struct ctd_record_cursor cursor;
	int result;

	if (writer->error)
		return writer->error;
	if (bytes > CTD_RECORD_PAYLOAD_BYTES_MAX)
		return -EFBIG;
	result = begin_block(writer, type, (uint32_t)bytes, &cursor);
	if (result < 0)
		return result;
	memcpy(cursor.at, payload, bytes);
	cursor.at += bytes;
	return end_block(writer, &cursor);
}

int ctd_record_write_profile(struct ctd_record_writer *writer,
			     const struct ctd_record_profile *profile)
{
	return write_payload(
		writer, profile->of_event ? CTD_RECORD_TYPE_EVENT_PROFILE : CTD_RECORD_TYPE_PROFILE,
		profile->payload, profile->bytes);
}

int ctd_record_write_lines(struct ctd_record_writer *writer, const struct ctd_record_profile *lines)
{
	return write_payload(writer, CTD_RECORD_TYPE_LINES, lines->payload, lines->bytes);
}

int ctd_record_write_vendor(struct ctd_record_writer *writer,
			    const struct ctd_record_vendor *vendor)
{
	struct ctd_record_cursor cursor;
	uint32_t core_type = vendor->core_type;
	size_t bytes = sizeof(core_type) + vendor->bytes;
	int result;

	if (!vendor->of_core_type)
		return write_payload(writer, CTD_RECORD_TYPE_VENDOR, vendor->payload,
				     vendor->bytes);
	if (writer->error)
		return writer->error;
	if (bytes > CTD_RECORD_PAYLOAD_BYTES_MAX)
		return -EFBIG;
	result = begin_block(writer, CTD_RECORD_TYPE_CORE_VENDOR, (uint32_t)bytes, &cursor);
	if (result < 0)
		return result;
	ctd_record_move_u32(&cursor, &core_type);
	memcpy(cursor.at, vendor->payload, vendor->bytes);
	cursor.at += vendor->bytes;
	return end_block(writer, &cursor);
}

int ctd_record_write_interval(struct ctd_record_writer *writer,
			      const struct ctd_record_interval *interval)
{
	return write_payload(writer, CTD_RECORD_TYPE_INTERVAL, interval->payload, interval->bytes);
}

int ctd_record_close(struct ctd_record_writer *writer)
{
	int result;

	if (!writer)
		return 0;
	result = writer->error;
	if (writer->fd >= 0 && close(writer->fd) < 0 && !result)
		result = -errno;
	free(writer->block);
	free(writer);
	return result;
}
