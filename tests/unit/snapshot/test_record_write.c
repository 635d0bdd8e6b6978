/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_record_write.c - recordings are written whole, or the failure is told. */
#include <cgtopdown/record.h>

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "recording.h"

static void a_recording_begins_with_its_mark_and_version(void **state)
{
	struct recording recording = sample_recording();

	(void)state;
	assert_memory_equal(recording.data, "\211CTD\r\n\032\n\1\0\0\0", 12);
	assert_int_equal(get_u32(recording.data + 12), CTD_RECORD_TYPE_HEADER);
	assert_int_equal(get_u32(recording.data + 16), CTD_RECORD_REQUIRED);
	assert_int_equal(get_u32(recording.data + 20), CTD_RECORD_HEADER_BYTES);
	free(recording.data);
}

static void a_snapshot_stores_only_the_counts_in_use(void **state)
{
	struct memory_file file = memory_file_new();
	struct ctd_record_header header = sample_header();
	struct ctd_snapshot snapshot = sample_snapshot(1);
	struct ctd_record_writer *writer;
	size_t before;

	(void)state;
	assert_int_equal(ctd_record_create(file.path, &header, &writer), 0);
	before = memory_file_bytes(&file);
	assert_int_equal(ctd_record_write_snapshot(writer, &snapshot), 0);
	/* Without closing: it is in the file already. */
	assert_int_equal(memory_file_bytes(&file) - before,
			 16 + 56 + 3 * (52 + 8 * 2) + 2 * (116 + 24 * 2));
	assert_int_equal(ctd_record_close(writer), 0);
	close(file.fd);
}

static void what_cannot_be_created_is_an_error(void **state)
{
	struct ctd_record_header header = sample_header();
	struct ctd_record_writer *writer = NULL;

	(void)state;
	assert_int_equal(ctd_record_create("/nonexistent/file", &header, &writer), -ENOENT);
	assert_int_equal(ctd_record_create("/", &header, &writer), -EISDIR);
	assert_int_equal(ctd_record_create("/dev/full", &header, &writer), -ENOSPC);
	assert_null(writer);
}

static void only_a_recording_is_written_over(void **state)
{
	struct memory_file file = memory_file_new();
	struct ctd_record_header header = sample_header();
	struct ctd_record_writer *writer = NULL;
	size_t bytes;

	(void)state;
	assert_int_equal(write(file.fd, "my notes", 8), 8);
	assert_int_equal(ctd_record_create(file.path, &header, &writer), -EEXIST);
	assert_int_equal(memory_file_bytes(&file), 8);
	assert_int_equal(ftruncate(file.fd, 0), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(ctd_record_create(file.path, &header, &writer), 0);
		assert_int_equal(ctd_record_close(writer), 0);
		if (i)
			assert_int_equal(memory_file_bytes(&file), bytes);
		bytes = memory_file_bytes(&file);
	}
	close(file.fd);
}

/* A sealed file stands in for a disk that fills up: it takes no more. */
static void after_a_failed_write_every_further_one_fails(void **state)
{
	struct memory_file file = memory_file_new();
	struct ctd_record_header header = sample_header();
	struct ctd_snapshot snapshot = sample_snapshot(1);
	struct ctd_record_name name = {.cgroup_id = 7, .text = "/"};
	struct ctd_record_writer *writer;
	size_t before;

	(void)state;
	assert_int_equal(ctd_record_create(file.path, &header, &writer), 0);
	before = memory_file_bytes(&file);
	assert_int_equal(fcntl(file.fd, F_ADD_SEALS, F_SEAL_GROW), 0);
	assert_int_equal(ctd_record_write_snapshot(writer, &snapshot), -EPERM);
	assert_int_equal(ctd_record_write_snapshot(writer, &snapshot), -EPERM);
	assert_int_equal(ctd_record_write_name(writer, &name), -EPERM);
	assert_int_equal(memory_file_bytes(&file), before);
	assert_int_equal(ctd_record_close(writer), -EPERM);
	close(file.fd);
}

static void too_long_a_name_is_refused_and_harms_nothing(void **state)
{
	struct memory_file file = memory_file_new();
	struct ctd_record_header header = sample_header();
	char text[CTD_RECORD_TEXT_BYTES_MAX + 2];
	struct ctd_record_name name = {.cgroup_id = 7, .text = text};
	struct ctd_record_writer *writer;
	size_t before;

	(void)state;
	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(ctd_record_create(file.path, &header, &writer), 0);
	before = memory_file_bytes(&file);
	assert_int_equal(ctd_record_write_name(writer, &name), -ENAMETOOLONG);
	assert_int_equal(memory_file_bytes(&file), before);
	text[CTD_RECORD_TEXT_BYTES_MAX] = '\0';
	assert_int_equal(ctd_record_write_name(writer, &name), 0);
	assert_int_equal(ctd_record_close(writer), 0);
	close(file.fd);
}

/* A program that does not know them shows all else: record.h marks none of them as required. */
static void what_a_reader_can_do_without_is_not_required(void **state)
{
	const struct ctd_record_header header = sample_header();
	const struct ctd_record_profile payload = {.payload = "x", .bytes = 1};
	const struct ctd_record_vendor vendor = {.payload = "x", .bytes = 1};
	struct ctd_record_writer *writer;
	struct ctd_strbuf text = {0};
	size_t offset;

	(void)state;
	assert_int_equal(ctd_record_begin_text(&text, &header, &writer), 0);
	offset = text.bytes;
	assert_int_equal(ctd_record_write_profile(writer, &payload), 0);
	assert_int_equal(ctd_record_write_lines(writer, &payload), 0);
	assert_int_equal(ctd_record_write_vendor(writer, &vendor), 0);
	assert_int_equal(ctd_record_close(writer), 0);
	for (int i = 0; i < 3; i++) {
		const unsigned char *data = (const unsigned char *)text.text;

		assert_int_equal(get_u32(data + offset + FLAGS_AT), 0);
		offset += block_bytes(data, text.bytes, offset);
	}
	assert_int_equal(offset, text.bytes);
	ctd_strbuf_free(&text);
}

static void closing_nothing_is_fine(void **state)
{
	(void)state;
	assert_int_equal(ctd_record_close(NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording_begins_with_its_mark_and_version),
		cmocka_unit_test(a_snapshot_stores_only_the_counts_in_use),
		cmocka_unit_test(what_cannot_be_created_is_an_error),
		cmocka_unit_test(only_a_recording_is_written_over),
		cmocka_unit_test(after_a_failed_write_every_further_one_fails),
		cmocka_unit_test(too_long_a_name_is_refused_and_harms_nothing),
		cmocka_unit_test(what_a_reader_can_do_without_is_not_required),
		cmocka_unit_test(closing_nothing_is_fine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
