/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* file_read.c - reads record files, believing nothing that they say. */
#include <cgtopdown/snapshot.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/auto.h"
#include "file.h"

#define WHY_BYTES 160

struct ctd_record_reader {
	int fd; /* owned; -1: reads memory */
	const unsigned char *memory; /* borrowed */
	uint64_t bytes; /* size of the file when it was opened */
	uint64_t offset; /* of the next block */
	uint32_t version;
	uint32_t counters_count;
	uint32_t groups_count;
	uint32_t core_types_count, core_type_groups[CTD_CORES_MAX];
	unsigned char *block; /* owned; the current block */
	size_t capacity;
};

struct block {
	uint32_t type, bytes;
	unsigned char *payload; /* within the reader's block, followed by the CRC */
};

__attribute__((format(printf, 2, 3))) static int bad(char why[WHY_BYTES], const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(why, WHY_BYTES, format, arguments);
	va_end(arguments);
	return -EBADMSG;
}

static int bad_block(const struct ctd_record_reader *reader, char why[WHY_BYTES], const char *what)
{
	return bad(why, "damaged: %s in the block at byte %" PRIu64, what, reader->offset);
}

/* Reads @p bytes at @p offset, which must lie within reader->bytes. */
static int read_at(const struct ctd_record_reader *reader, uint64_t offset, unsigned char *ret_data,
		   size_t bytes, char why[WHY_BYTES])
{
	if (reader->fd < 0) {
		memcpy(ret_data, reader->memory + offset, bytes);
		return 0;
	}
	while (bytes > 0) {
		ssize_t count = pread(reader->fd, ret_data, bytes, (off_t)offset);

		if (count < 0) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		if (count == 0)
			return bad(why, "cut off at byte %" PRIu64 " while it was read", offset);
		ret_data += count;
		offset += (uint64_t)count;
		bytes -= (size_t)count;
	}
	return 0;
}

static int read_prologue(struct ctd_record_reader *reader, char why[WHY_BYTES])
{
	unsigned char prologue[CTD_RECORD_PROLOGUE_BYTES];
	struct ctd_record_cursor cursor = {.at = prologue + CTD_RECORD_MAGIC_BYTES};
	uint32_t version;
	int result;

	if (reader->bytes < sizeof(prologue))
		return bad(why, "not a recording: it ends at byte %" PRIu64, reader->bytes);
	result = read_at(reader, 0, prologue, sizeof(prologue), why);
	if (result < 0)
		return result;
	if (memcmp(prologue, CTD_RECORD_MAGIC, CTD_RECORD_MAGIC_BYTES) != 0)
		return bad(why, "not a recording: byte 0 does not begin the mark of one");
	ctd_record_move_u32(&cursor, &version);
	if (version < CTD_RECORD_VERSION_OLDEST || version > CTD_RECORD_VERSION)
		return bad(why,
			   "format version %" PRIu32 " at byte %d, this program reads %d to %d",
			   version, CTD_RECORD_MAGIC_BYTES, CTD_RECORD_VERSION_OLDEST,
			   CTD_RECORD_VERSION);
	reader->version = version;
	return 0;
}

/* Makes room for a block of which the file has every byte: a false size cannot make us allocate. */
static int reserve(struct ctd_record_reader *reader, size_t bytes)
{
	unsigned char *block;

	if (bytes <= reader->capacity)
		return 0;
	block = realloc(reader->block, bytes);
	if (!block)
		return -ENOMEM;
	reader->block = block;
	reader->capacity = bytes;
	return 0;
}

/* Reads the block at reader->offset, without passing it. @return 1, 0 at the end of the file, or
 * an error. */
static int read_block(struct ctd_record_reader *reader, struct block *ret_block,
		      char why[WHY_BYTES])
{
	unsigned char head[CTD_RECORD_HEAD_BYTES];
	struct ctd_record_cursor cursor = {.at = head};
	uint64_t left = reader->bytes - reader->offset;
	struct block block;
	uint32_t crc;
	size_t bytes;
	int result;

	if (left == 0)
		return 0;
	if (left < CTD_RECORD_HEAD_BYTES + CTD_RECORD_CRC_BYTES)
		goto cut_off;
	result = read_at(reader, reader->offset, head, sizeof(head), why);
	if (result < 0)
		return result;
	ctd_record_move_u32(&cursor, &block.type);
	ctd_record_move_u32(&cursor, &block.bytes);
	if (block.bytes > CTD_RECORD_PAYLOAD_BYTES_MAX)
		return bad_block(reader, why, "impossible size");
	bytes = (size_t)CTD_RECORD_HEAD_BYTES + block.bytes + CTD_RECORD_CRC_BYTES;
	if (left < bytes)
		goto cut_off;

	result = reserve(reader, bytes);
	if (result < 0)
		return result;
	result = read_at(reader, reader->offset, reader->block, bytes, why);
	if (result < 0)
		return result;
	block.payload = reader->block + CTD_RECORD_HEAD_BYTES;
	cursor.at = block.payload + block.bytes;
	ctd_record_move_u32(&cursor, &crc);
	if (crc != crc32_z(0, reader->block, bytes - CTD_RECORD_CRC_BYTES))
		return bad_block(reader, why, "wrong checksum");
	*ret_block = block;
	return 1;

cut_off:
	return bad(why,
		   "cut off: the block at byte %" PRIu64 " goes beyond the end at byte %" PRIu64,
		   reader->offset, reader->bytes);
}

static void pass_block(struct ctd_record_reader *reader, const struct block *block)
{
	reader->offset += (uint64_t)CTD_RECORD_HEAD_BYTES + block->bytes + CTD_RECORD_CRC_BYTES;
}

static bool is_terminated(const char *text, size_t bytes)
{
	return memchr(text, '\0', bytes) != NULL;
}

static bool is_printable(const char *text)
{
	while (*text >= ' ' && *text <= '~')
		text++;
	return !*text;
}

/* They are shown as they are: no escape may get to a terminal. */
static bool is_text(const char *text, size_t bytes)
{
	return memchr(text, '\0', bytes) && is_printable(text);
}

static bool is_core(const struct ctd_record_core_type *core)
{
	return is_text(core->name, sizeof(core->name)) &&
	       is_text(core->source, sizeof(core->source)) &&
	       is_text(core->model, sizeof(core->model)) && is_text(core->why, sizeof(core->why)) &&
	       core->counters_count <= CTD_COUNTERS_MAX && core->groups_count >= 1 &&
	       core->groups_count <= CTD_GROUPS_MAX && core->general < core->groups_count &&
	       core->general <= 1;
}

/* What is behind the fixed fields, of versions that have it. */
static int read_cores(struct ctd_record_reader *reader, const struct block *block,
		      struct ctd_record_cursor *cursor, struct ctd_record_header *header,
		      char why[WHY_BYTES])
{
	if (header->core_types_count > CTD_CORES_MAX ||
	    block->bytes != CTD_RECORD_HEADER_BYTES(reader->version) +
				    header->core_types_count * CTD_RECORD_CORE_TYPE_BYTES)
		return bad_block(reader, why, "impossible kinds of cores");
	for (uint32_t i = 0; i < header->core_types_count; i++) {
		struct ctd_record_core_type *core = &header->core_types[i];

		ctd_record_move_core_type(cursor, core);
		if (!is_core(core) || core->counters_count > header->counters_count ||
		    core->groups_count > header->groups_count)
			return bad_block(reader, why, "impossible kinds of cores");
		reader->core_type_groups[i] = core->groups_count;
	}
	reader->core_types_count = header->core_types_count ? header->core_types_count : 1;
	return 0;
}

static int read_header(struct ctd_record_reader *reader, struct ctd_record_header *ret_header,
		       char why[WHY_BYTES])
{
	struct ctd_record_header header = {0};
	struct ctd_record_cursor cursor;
	struct block block;
	int result;

	result = read_block(reader, &block, why);
	if (result < 0)
		return result;
	if (result == 0)
		return bad(why, "cut off: no header at byte %" PRIu64, reader->offset);
	if (block.type != CTD_RECORD_TYPE_HEADER ||
	    block.bytes < CTD_RECORD_HEADER_BYTES(reader->version))
		return bad_block(reader, why, "no header");
	cursor = (struct ctd_record_cursor){.at = block.payload, .version = reader->version};
	header.groups_count = 1; /* of versions that do not say it */
	ctd_record_move_header(&cursor, &header);
	if (!is_terminated(header.source, sizeof(header.source)) ||
	    !is_terminated(header.model, sizeof(header.model)) ||
	    !is_terminated(header.host, sizeof(header.host)) ||
	    !is_terminated(header.version, sizeof(header.version)) ||
	    !is_terminated(header.hierarchy, sizeof(header.hierarchy)))
		return bad_block(reader, why, "text without end");
	if (!is_printable(header.source) || !is_printable(header.model) ||
	    !is_printable(header.host) || !is_printable(header.version) ||
	    !is_printable(header.hierarchy))
		return bad_block(reader, why, "text that cannot be shown");
	if (header.simulated > 1 || header.by > CTD_BY_TASK || header.read > CTD_READ_MIXED ||
	    header.counters_count > CTD_COUNTERS_MAX || header.groups_count < 1 ||
	    header.groups_count > CTD_GROUPS_MAX || header.general > 1 ||
	    header.groups_count - header.general < 1)
		return bad_block(reader, why, "impossible header");
	reader->groups_count = header.groups_count;
	reader->counters_count = header.counters_count;
	result = read_cores(reader, &block, &cursor, &header, why);
	if (result < 0)
		return result;
	pass_block(reader, &block);
	*ret_header = header;
	return 0;
}

static int open_record(struct ctd_record_reader source, struct ctd_record_header *ret_header,
		       struct ctd_record_reader **ret_reader, char why[WHY_BYTES])
{
	struct ctd_record_reader *reader;
	int result;

	result = read_prologue(&source, why);
	if (result < 0)
		return result;
	source.offset = CTD_RECORD_PROLOGUE_BYTES;
	reader = malloc(sizeof(*reader));
	if (!reader)
		return -ENOMEM;
	*reader = source;
	result = read_header(reader, ret_header, why);
	if (result < 0) {
		free(reader->block);
		free(reader);
		return result;
	}
	*ret_reader = reader;
	return 0;
}

int ctd_record_open_memory(const void *data, size_t bytes, struct ctd_record_header *ret_header,
			   struct ctd_record_reader **ret_reader, char ret_why[WHY_BYTES])
{
	return open_record((struct ctd_record_reader){.fd = -1, .memory = data, .bytes = bytes},
			   ret_header, ret_reader, ret_why);
}

int ctd_record_open(const char *path, struct ctd_record_header *ret_header,
		    struct ctd_record_reader **ret_reader, char ret_why[WHY_BYTES])
{
	autoclose int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	int result;

	if (fd < 0 || fstat(fd, &status) < 0)
		return -errno;
	if (S_ISDIR(status.st_mode))
		return -EISDIR;
	if (!S_ISREG(status.st_mode))
		return -ESPIPE;
	result =
		open_record((struct ctd_record_reader){.fd = fd, .bytes = (uint64_t)status.st_size},
			    ret_header, ret_reader, ret_why);
	if (result < 0)
		return result;
	(void)take_fd(fd);
	return 0;
}

static int decode_name(const struct ctd_record_reader *reader, const struct block *block,
		       struct ctd_record_name *ret_name, char why[WHY_BYTES])
{
	struct ctd_record_cursor cursor = {.at = block->payload};
	struct ctd_record_name name;
	size_t text_bytes;

	if (block->bytes < CTD_RECORD_NAME_BYTES ||
	    block->bytes > CTD_RECORD_NAME_BYTES + CTD_RECORD_TEXT_BYTES_MAX)
		return bad_block(reader, why, "impossible size of a name");
	ctd_record_move_name(&cursor, &name);
	text_bytes = block->bytes - CTD_RECORD_NAME_BYTES;
	if ((name.cgroup_id == 0) == (name.pid == 0) || name.removed > 1 ||
	    memchr(cursor.at, '\0', text_bytes))
		return bad_block(reader, why, "impossible name");
	/* In place of the CRC, which has done its duty. */
	cursor.at[text_bytes] = '\0';
	name.text = (const char *)cursor.at;
	*ret_name = name;
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

static int decode_facts(const struct ctd_record_reader *reader, const struct block *block,
			struct ctd_record_facts *ret_facts, char why[WHY_BYTES])
{
	struct ctd_record_cursor cursor = {.at = block->payload};
	struct ctd_record_facts facts;

	if (block->bytes < CTD_RECORD_FACTS_BYTES ||
	    block->bytes > CTD_RECORD_FACTS_BYTES + CTD_RECORD_FACTS_BYTES_MAX)
		return bad_block(reader, why, "impossible size of facts");
	ctd_record_move_facts(&cursor, &facts);
	facts.pairs = (const char *)cursor.at;
	facts.bytes = block->bytes - CTD_RECORD_FACTS_BYTES;
	if (!facts.cgroup_id || !are_pairs(facts.pairs, facts.bytes))
		return bad_block(reader, why, "impossible facts");
	*ret_facts = facts;
	return 0;
}

static int decode_rows(const struct ctd_record_reader *reader, struct ctd_record_cursor *cursor,
		       struct ctd_snapshot *snapshot, char why[WHY_BYTES])
{
	for (size_t i = 0; i < snapshot->rows_count; i++) {
		struct ctd_snapshot_row *row = &snapshot->rows[i];

		ctd_record_move_row(cursor, row, snapshot->counters_count);
		if (row->kind >= CTD_ROW_KINDS || row->core_type >= reader->core_types_count ||
		    (row->kind != CTD_ROW_CGROUP && row->cgroup_id != 0))
			return bad_block(reader, why, "impossible row");
	}
	for (size_t i = 0; i < snapshot->cpus_count; i++) {
		struct ctd_snapshot_cpu *cpu = &snapshot->cpus[i];

		ctd_record_move_cpu(cursor, cpu, snapshot->counters_count);
		if (cpu->cpu >= CTD_CPUS_MAX || cpu->online > 1 || cpu->fenced > 1 ||
		    cpu->flushed > 1 || cpu->core_type >= reader->core_types_count)
			return bad_block(reader, why, "impossible CPU");
	}
	if (!ctd_snapshot_is_ordered(snapshot))
		return bad_block(reader, why, "rows or CPUs out of order");
	return 0;
}

static int decode_snapshot(const struct ctd_record_reader *reader, const struct block *block,
			   struct ctd_snapshot *ret_snapshot, char why[WHY_BYTES])
{
	struct ctd_record_cursor cursor = {.at = block->payload, .version = reader->version};
	struct ctd_snapshot snapshot = {.lost_switches_known = reader->version >= 2,
					.groups_count = reader->groups_count};
	int result;

	memcpy(snapshot.core_type_groups, reader->core_type_groups,
	       sizeof(snapshot.core_type_groups));
	if (block->bytes < CTD_RECORD_SNAPSHOT_BYTES(reader->version))
		return bad_block(reader, why, "impossible size of a snapshot");
	ctd_record_move_snapshot(&cursor, &snapshot);
	if (snapshot.counters_count != reader->counters_count)
		return bad_block(reader, why, "other number of counters");
	if (snapshot.group >= snapshot.groups_count || snapshot.in_between > 1)
		return bad_block(reader, why, "impossible turn of counters");
	if (block->bytes != ctd_record_snapshot_bytes(snapshot.rows_count, snapshot.cpus_count,
						      snapshot.counters_count, reader->version))
		return bad_block(reader, why, "impossible size of a snapshot");

	/* The block holds so many rows and CPUs; at least one, as malloc(0) may be NULL. */
	snapshot.rows = calloc(snapshot.rows_count + 1, sizeof(*snapshot.rows));
	snapshot.cpus = calloc(snapshot.cpus_count + 1, sizeof(*snapshot.cpus));
	result = snapshot.rows && snapshot.cpus ? decode_rows(reader, &cursor, &snapshot, why)
						: -ENOMEM;
	if (result < 0) {
		ctd_snapshot_free(&snapshot);
		return result;
	}
	*ret_snapshot = snapshot;
	return 0;
}

int ctd_record_next(struct ctd_record_reader *reader, enum ctd_record_item *ret_item,
		    struct ctd_record_name *ret_name, struct ctd_record_facts *ret_facts,
		    struct ctd_snapshot *ret_snapshot, char ret_why[WHY_BYTES])
{
	enum ctd_record_item item = CTD_RECORD_END;

	while (item == CTD_RECORD_END) {
		struct block block;
		int result = read_block(reader, &block, ret_why);

		if (result < 0)
			return result;
		if (result == 0)
			break;
		switch (block.type) {
		case CTD_RECORD_TYPE_HEADER:
			return bad_block(reader, ret_why, "second header");
		case CTD_RECORD_TYPE_NAME:
			result = decode_name(reader, &block, ret_name, ret_why);
			item = CTD_RECORD_NAME;
			break;
		case CTD_RECORD_TYPE_FACTS:
			result = decode_facts(reader, &block, ret_facts, ret_why);
			item = CTD_RECORD_FACTS;
			break;
		case CTD_RECORD_TYPE_SNAPSHOT:
			result = decode_snapshot(reader, &block, ret_snapshot, ret_why);
			item = CTD_RECORD_SNAPSHOT;
			break;
		}
		if (result < 0)
			return result;
		pass_block(reader, &block);
	}
	*ret_item = item;
	return 0;
}

void ctd_record_reader_free(struct ctd_record_reader *reader)
{
	if (!reader)
		return;
	if (reader->fd >= 0)
		close(reader->fd);
	free(reader->block);
	free(reader);
}
