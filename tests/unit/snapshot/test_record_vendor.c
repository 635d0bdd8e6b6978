/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_record_vendor.c - vendors' metrics are read back of the core type that they were written of.
 */
#include <cgtopdown/record.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "recording.h"

/* So many core types, none of which has a design, each with more groups than any design has. */
static struct ctd_record_header header_of(uint32_t core_types_count)
{
	struct ctd_record_header header = {
		.source = "vendor",
		.host = "host",
		.counters_count = 5,
		.groups_count = CTD_ROTATION_GROUPS_MAX,
		.core_types_count = core_types_count,
	};

	for (uint32_t i = 0; i < core_types_count; i++)
		header.core_types[i] = (struct ctd_record_core_type){
			.source = "vendor",
			.counters_count = 5,
			.groups_count = CTD_ROTATION_GROUPS_MAX - i,
		};
	return header;
}

static struct recording recording_of(const struct ctd_record_header *header,
				     const struct ctd_record_vendor *blocks, size_t count)
{
	struct memory_file file = memory_file_new();
	struct ctd_record_writer *writer;

	assert_int_equal(ctd_record_create(file.path, header, &writer), 0);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(ctd_record_write_vendor(writer, &blocks[i]), 0);
	assert_int_equal(ctd_record_close(writer), 0);
	return memory_file_take(&file);
}

static void each_core_type_has_its_own_block(void **state)
{
	static const struct ctd_record_vendor blocks[] = {
		{.payload = "of all", .bytes = 6},
		{.payload = "of E", .bytes = 4, .of_core_type = true, .core_type = 1},
		{.payload = "of P", .bytes = 4, .of_core_type = true},
		{.payload = "", .bytes = 0, .of_core_type = true, .core_type = 2},
	};
	struct ctd_record_header header = header_of(3), got;
	struct recording recording = recording_of(&header, blocks, 4);
	struct ctd_record_reader *reader;
	struct ctd_record_item item;
	char why[160];

	(void)state;
	assert_int_equal(
		ctd_record_open_memory(recording.data, recording.bytes, &got, &reader, why), 0);
	assert_int_equal(got.groups_count, CTD_ROTATION_GROUPS_MAX);
	assert_int_equal(got.core_types[2].groups_count, CTD_ROTATION_GROUPS_MAX - 2);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(ctd_record_next(reader, &item, why), 0);
		assert_int_equal(item.kind, CTD_RECORD_VENDOR);
		assert_int_equal(item.vendor.bytes, blocks[i].bytes);
		assert_memory_equal(item.vendor.payload, blocks[i].payload, blocks[i].bytes);
		assert_int_equal(item.vendor.of_core_type, blocks[i].of_core_type);
		assert_int_equal(item.vendor.core_type, blocks[i].core_type);
		/* A reader that does not know them goes on without. */
		assert_int_equal(get_u32(recording.data + item.vendor.offset),
				 i ? CTD_RECORD_TYPE_CORE_VENDOR : CTD_RECORD_TYPE_VENDOR);
		assert_int_equal(get_u32(recording.data + item.vendor.offset + 4), 0);
	}
	assert_int_equal(ctd_record_next(reader, &item, why), 0);
	assert_int_equal(item.kind, CTD_RECORD_END);
	ctd_record_reader_free(reader);
	free(recording.data);
}

/* What the block behind header and plan is refused for. */
static void expect_bad(const struct recording *recording, const char *wanted)
{
	struct ctd_record_header header;
	struct ctd_record_reader *reader;
	struct ctd_record_item item;
	char why[160] = "";

	assert_int_equal(ctd_record_open_memory(recording->data, recording->bytes, &header, &reader,
						why),
			 0);
	assert_int_equal(ctd_record_next(reader, &item, why), -EBADMSG);
	if (!strstr(why, wanted))
		fail_msg("'%s'", why);
	ctd_record_reader_free(reader);
}

static void a_core_type_that_the_plan_has_not_is_refused(void **state)
{
	const struct ctd_record_vendor block = {
		.payload = "of L", .bytes = 4, .of_core_type = true, .core_type = 2};
	uint32_t counts[] = {0, 1, 2};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct ctd_record_header header = header_of(counts[i]);
		struct recording recording = recording_of(&header, &block, 1);

		expect_bad(&recording, "vendors' metrics of an impossible core type");
		free(recording.data);
	}
}

static void a_block_without_a_core_type_is_refused(void **state)
{
	const struct ctd_record_vendor block = {
		.payload = "", .bytes = 0, .of_core_type = true, .core_type = 1};
	struct ctd_record_header header = header_of(2);
	struct recording recording = recording_of(&header, &block, 1);
	size_t at = recording.bytes - CTD_RECORD_HEAD_BYTES - 4 - CTD_RECORD_CRC_BYTES;

	(void)state;
	put_u32(recording.data + at + BYTES_AT, 3);
	recording.bytes--;
	seal_block(recording.data, recording.bytes, at);
	expect_bad(&recording, "impossible size of vendors' metrics");
	free(recording.data);
}

/* A design has a few groups. */
static void a_core_type_with_a_model_has_no_more_groups_than_a_design(void **state)
{
	struct ctd_record_header header = header_of(2), got;
	struct recording recording;
	struct ctd_record_reader *reader;
	char why[160] = "";

	(void)state;
	strcpy(header.core_types[1].model, "gracemont");
	recording = recording_of(&header, NULL, 0);
	assert_int_equal(ctd_record_open_memory(recording.data, recording.bytes, &got, &reader,
						why),
			 -EBADMSG);
	assert_non_null(strstr(why, "impossible core types"));
	free(recording.data);
	header.core_types[1].groups_count = CTD_GROUPS_MAX;
	recording = recording_of(&header, NULL, 0);
	assert_int_equal(
		ctd_record_open_memory(recording.data, recording.bytes, &got, &reader, why), 0);
	ctd_record_reader_free(reader);
	free(recording.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_core_type_has_its_own_block),
		cmocka_unit_test(a_core_type_that_the_plan_has_not_is_refused),
		cmocka_unit_test(a_block_without_a_core_type_is_refused),
		cmocka_unit_test(a_core_type_with_a_model_has_no_more_groups_than_a_design),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
