/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_record_read.c - a recording gives back what was written, and nothing else. */
#include <cgtopdown/record.h>

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
	assert_int_equal(header.ipc, 1);
	found = read_all(reader);
	assert_int_equal(found.result, 0);
	assert_int_equal(found.items, SAMPLE_ITEMS);
	/* The end stays the end. */
	assert_int_equal(read_all(reader).items, 0);
	ctd_record_reader_free(reader);
	free(recording.data);
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
		cmocka_unit_test(a_file_is_read_as_memory_is),
		cmocka_unit_test(what_is_no_file_is_a_plain_error),
		cmocka_unit_test(a_refusal_is_repeated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
