/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_file_read.c - a recording gives back what was written, and nothing else. */
#include <cgtopdown/snapshot.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "reading.h"

static void what_was_written_is_read_back(void **state)
{
	struct recording recording = sample_recording();
	struct ctd_record_header header;
	struct ctd_record_reader *reader;
	struct found found;
	char why[160];

	(void)state;
	assert_int_equal(
		ctd_record_open_memory(recording.data, recording.bytes, &header, &reader, why), 0);
	assert_string_equal(header.source, "sim");
	assert_string_equal(header.model, "sim");
	assert_int_equal(header.simulated, 1);
	assert_int_equal(header.by, CTD_BY_PROCESS);
	assert_int_equal(header.counters_count, RECORDING_COUNTERS);
	assert_int_equal(header.read, CTD_READ_SIM);
	assert_string_equal(header.host, "host");
	assert_string_equal(header.version, "0.1.0");
	assert_string_equal(header.hierarchy, "v2");
	assert_int_equal(header.groups_count, 2);
	assert_int_equal(header.general, 1);
	found = read_all(reader);
	assert_int_equal(found.result, 0);
	assert_int_equal(found.items, SAMPLE_ITEMS);
	/* The end stays the end. */
	assert_int_equal(read_all(reader).items, 0);
	ctd_record_reader_free(reader);
	free(recording.data);
}

/* One block in the layout of version 1, at @p data. @return its size. */
static size_t put_old_block(unsigned char *data, enum ctd_record_type type,
			    struct ctd_record_header *header, struct ctd_snapshot *snapshot)
{
	struct ctd_record_cursor cursor = {
		.at = data + CTD_RECORD_HEAD_BYTES, .writing = true, .version = 1};

	if (type == CTD_RECORD_TYPE_HEADER) {
		ctd_record_move_header(&cursor, header);
	} else {
		ctd_record_move_snapshot(&cursor, snapshot);
		for (size_t i = 0; i < snapshot->rows_count; i++)
			ctd_record_move_row(&cursor, &snapshot->rows[i], RECORDING_COUNTERS);
		for (size_t i = 0; i < snapshot->cpus_count; i++)
			ctd_record_move_cpu(&cursor, &snapshot->cpus[i], RECORDING_COUNTERS);
	}
	put_u32(data, type);
	put_u32(data + 4, (uint32_t)(cursor.at - data - CTD_RECORD_HEAD_BYTES));
	seal_block(data, 4096, 0);
	return block_bytes(data, 4096, 0);
}

static void a_recording_of_version_1_is_read_and_its_lost_switches_are_not_known(void **state)
{
	unsigned char data[8192] = CTD_RECORD_MAGIC "\1";
	size_t bytes = CTD_RECORD_PROLOGUE_BYTES;
	struct ctd_record_header header = sample_header();
	struct ctd_snapshot snapshot = sample_snapshot(1);
	struct ctd_record_reader *reader;
	enum ctd_record_item item;
	struct ctd_record_name name;
	struct ctd_record_facts facts;
	char why[160];

	(void)state;
	bytes += put_old_block(data + bytes, CTD_RECORD_TYPE_HEADER, &header, NULL);
	/* The sizes that version 1 had. */
	assert_int_equal(bytes, 12 + 12 + 168);
	bytes += put_old_block(data + bytes, CTD_RECORD_TYPE_SNAPSHOT, NULL, &snapshot);
	assert_int_equal(bytes, 192 + 12 + 44 + 3 * (48 + 8 * 2) + 2 * (88 + 24 * 2));

	assert_int_equal(ctd_record_open_memory(data, bytes, &header, &reader, why), 0);
	assert_string_equal(header.version, "0.1.0");
	assert_string_equal(header.hierarchy, "");
	assert_int_equal(header.groups_count, 1);
	assert_int_equal(header.general, 0);
	assert_int_equal(ctd_record_next(reader, &item, &name, &facts, &snapshot, why), 0);
	assert_int_equal(item, CTD_RECORD_SNAPSHOT);
	assert_false(snapshot.lost_switches_known);
	assert_int_equal(snapshot.group, 0);
	assert_int_equal(snapshot.in_between, 0);
	assert_int_equal(snapshot.cpus[0].health[CTD_HEALTH_COST_SAMPLES], 15);
	assert_int_equal(snapshot.cpus[0].health[CTD_HEALTH_LOST_SWITCHES], 0);
	assert_int_equal(snapshot.cpus[0].unattributed_ns, 0);
	assert_int_equal(snapshot.cpus[1].cpu, 3);
	ctd_snapshot_free(&snapshot);
	assert_int_equal(ctd_record_next(reader, &item, &name, &facts, &snapshot, why), 0);
	assert_int_equal(item, CTD_RECORD_END);
	ctd_record_reader_free(reader);
}

static void a_file_is_read_as_memory_is(void **state)
{
	struct memory_file file = memory_file_new();
	struct ctd_record_header header;
	struct ctd_record_reader *reader;
	struct found found;
	char why[160];

	(void)state;
	assert_int_equal(write_sample(file.path), 0);
	assert_int_equal(ctd_record_open(file.path, &header, &reader, why), 0);
	found = read_all(reader);
	assert_int_equal(found.result, 0);
	assert_int_equal(found.items, SAMPLE_ITEMS);
	ctd_record_reader_free(reader);

	/* Cut while it is open: the reader knows the size that it was. */
	assert_int_equal(ctd_record_open(file.path, &header, &reader, why), 0);
	assert_int_equal(ftruncate(file.fd, 200), 0);
	assert_int_equal(read_all(reader).result, -EBADMSG);
	ctd_record_reader_free(reader);
	close(file.fd);
}

static void what_is_no_file_is_a_plain_error(void **state)
{
	struct ctd_record_header header;
	struct ctd_record_reader *reader = NULL;
	char why[160] = "untouched";

	(void)state;
	assert_int_equal(ctd_record_open("/nonexistent", &header, &reader, why), -ENOENT);
	assert_int_equal(ctd_record_open("/", &header, &reader, why), -EISDIR);
	assert_int_equal(ctd_record_open("/dev/null", &header, &reader, why), -ESPIPE);
	assert_string_equal(why, "untouched");
	assert_null(reader);
	ctd_record_reader_free(NULL);
}

static void a_refusal_is_repeated(void **state)
{
	struct recording recording = sample_recording();
	struct ctd_record_header header;
	struct ctd_record_reader *reader;
	char why[160];

	(void)state;
	recording.data[recording.bytes - 1] ^= 1;
	assert_int_equal(
		ctd_record_open_memory(recording.data, recording.bytes, &header, &reader, why), 0);
	assert_int_equal(read_all(reader).result, -EBADMSG);
	assert_int_equal(read_all(reader).result, -EBADMSG);
	ctd_record_reader_free(reader);
	free(recording.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read_back),
		cmocka_unit_test(
			a_recording_of_version_1_is_read_and_its_lost_switches_are_not_known),
		cmocka_unit_test(a_file_is_read_as_memory_is),
		cmocka_unit_test(what_is_no_file_is_a_plain_error),
		cmocka_unit_test(a_refusal_is_repeated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
