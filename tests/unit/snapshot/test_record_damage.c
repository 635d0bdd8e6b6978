/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_record_damage.c - what is not a whole recording is refused, with a reason. */
#include <cgtopdown/record.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "read_recording.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define HEADER_AT CTD_RECORD_PROLOGUE_BYTES

static void a_cut_recording_is_refused_or_gives_its_beginning(void **state)
{
	struct recording recording = sample_recording();
	int clean_ends = 0;

	(void)state;
	for (size_t bytes = 0; bytes < recording.bytes; bytes++) {
		struct found found = read_memory(recording.data, bytes);

		if (!found.result) {
			assert_int_equal(found.items, clean_ends);
			clean_ends++;
			continue;
		}
		assert_int_equal(found.result, -EBADMSG);
		assert_true(found.items <= clean_ends);
		assert_non_null(strstr(found.why, "byte "));
	}
	/* Behind the plan and behind each item but the last. */
	assert_int_equal(clean_ends, SAMPLE_ITEMS);
	free(recording.data);
}

static void every_damaged_byte_is_noticed(void **state)
{
	static const unsigned char damages[] = {0x01, 0x80, 0xff};
	struct recording recording = sample_recording();

	(void)state;
	for (size_t i = 0; i < recording.bytes; i++) {
		for (size_t j = 0; j < COUNT(damages); j++) {
			struct found found;

			recording.data[i] ^= damages[j];
			found = read_memory(recording.data, recording.bytes);
			if (found.result != -EBADMSG || !strstr(found.why, "byte "))
				fail_msg("byte %zu: %d, '%s'", i, found.result, found.why);
			recording.data[i] ^= damages[j];
		}
	}
	free(recording.data);
}

static void a_foreign_file_is_refused(void **state)
{
	static const char elf[] = "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0", text[] = "comm retiring\n";
	/* Our own, after a transfer that took it for text. */
	static const char mangled[] = "\211CTD\n\032\n\1\0\0\0\1\0\0\0";

	(void)state;
	expect_refused(elf, sizeof(elf), "not a recording");
	expect_refused(text, sizeof(text), "not a recording");
	expect_refused(mangled, sizeof(mangled), "not a recording");
	expect_refused("", 0, "not a recording");
}

static void another_version_is_refused_by_its_number(void **state)
{
	struct recording recording = sample_recording();

	(void)state;
	put_u32(recording.data + CTD_RECORD_MAGIC_BYTES, 2);
	expect_refused(recording.data, recording.bytes, "format version 2 at byte 8");
	put_u32(recording.data + CTD_RECORD_MAGIC_BYTES, 0);
	expect_refused(recording.data, recording.bytes, "format version 0 at byte 8");
	free(recording.data);
}

static size_t next_block(const struct recording *recording, size_t offset)
{
	return offset + block_bytes(recording->data, recording->bytes, offset);
}

static size_t plan_at(const struct recording *recording)
{
	return next_block(recording, HEADER_AT);
}

/* Puts a copy of the header's block, with another type, behind the plan. */
static struct recording with_second_header_of_type(uint32_t type, uint32_t flags)
{
	struct recording recording = sample_recording();
	size_t block = block_bytes(recording.data, recording.bytes, HEADER_AT);
	size_t second = next_block(&recording, plan_at(&recording));

	recording.data = realloc(recording.data, recording.bytes + block);
	assert_non_null(recording.data);
	memmove(recording.data + second + block, recording.data + second, recording.bytes - second);
	memcpy(recording.data + second, recording.data + HEADER_AT, block);
	recording.bytes += block;
	put_u32(recording.data + second, type);
	put_u32(recording.data + second + FLAGS_AT, flags);
	seal_block(recording.data, recording.bytes, second);
	return recording;
}

static void blocks_of_unknown_type_are_skipped(void **state)
{
	/* Flags that are not known mean nothing. */
	static const uint32_t types[] = {0, CTD_RECORD_TYPE_WAITS, 77, UINT32_MAX};

	(void)state;
	for (size_t i = 0; i < COUNT(types); i++) {
		struct recording recording =
			with_second_header_of_type(types[i], ~CTD_RECORD_REQUIRED);
		struct found found = read_memory(recording.data, recording.bytes);

		assert_int_equal(found.result, 0);
		assert_int_equal(found.items, SAMPLE_ITEMS);
		free(recording.data);
	}
}

static void an_unknown_block_that_is_required_is_refused_with_type_and_writer(void **state)
{
	struct recording recording = with_second_header_of_type(77, CTD_RECORD_REQUIRED);

	(void)state;
	expect_refused(recording.data, recording.bytes,
		       "cgtopdown 0.1.0 wrote a block of type 77 at byte ");
	free(recording.data);
}

static void a_second_header_is_refused(void **state)
{
	struct recording recording =
		with_second_header_of_type(CTD_RECORD_TYPE_HEADER, CTD_RECORD_REQUIRED);

	(void)state;
	expect_refused(recording.data, recording.bytes, "second header");
	free(recording.data);
}

static void a_recording_without_header_or_plan_is_refused(void **state)
{
	struct recording recording = sample_recording();
	size_t plan = plan_at(&recording);

	(void)state;
	put_u32(recording.data + plan, 77);
	seal_block(recording.data, recording.bytes, plan);
	expect_refused(recording.data, recording.bytes, "no plan");
	expect_refused(recording.data, plan, "cut off: no plan");
	put_u32(recording.data + HEADER_AT, 77);
	seal_block(recording.data, recording.bytes, HEADER_AT);
	expect_refused(recording.data, recording.bytes, "no header");
	free(recording.data);
}

/* All of them are there, each as sound as the first. */
static void more_core_types_than_there_can_be_are_refused(void **state)
{
	const uint32_t types = CTD_CORE_TYPES_MAX + 1;
	const uint32_t bytes = CTD_RECORD_PLAN_BYTES + types * CTD_RECORD_CORE_TYPE_BYTES;
	struct recording recording = sample_recording();
	size_t plan = plan_at(&recording);
	size_t end = plan + CTD_RECORD_HEAD_BYTES + bytes + CTD_RECORD_CRC_BYTES;
	unsigned char *first;

	(void)state;
	recording.data = realloc(recording.data, end);
	assert_non_null(recording.data);
	put_u32(recording.data + plan + BYTES_AT, bytes);
	first = recording.data + plan + CTD_RECORD_HEAD_BYTES + CTD_RECORD_PLAN_BYTES;
	for (uint32_t i = 1; i < types; i++)
		memcpy(first + (size_t)i * CTD_RECORD_CORE_TYPE_BYTES, first,
		       CTD_RECORD_CORE_TYPE_BYTES);
	put_u32(first - 4, types);
	seal_block(recording.data, end, plan);
	expect_refused(recording.data, end, "impossible core types");
	put_u32(first - 4, CTD_CORE_TYPES_MAX);
	put_u32(recording.data + plan + BYTES_AT, bytes - CTD_RECORD_CORE_TYPE_BYTES);
	end -= CTD_RECORD_CORE_TYPE_BYTES;
	seal_block(recording.data, end, plan);
	assert_int_equal(read_memory(recording.data, end).result, 0);
	free(recording.data);
}

/* There would be no counts to evaluate the model by. */
static void a_core_type_with_a_model_and_no_counters_is_refused(void **state)
{
	struct recording recording = sample_recording();
	size_t plan = plan_at(&recording);
	/* The last three fields of a core type are its counters, groups and ipc. */
	unsigned char *counters = recording.data + plan + CTD_RECORD_HEAD_BYTES +
				  CTD_RECORD_PLAN_BYTES + CTD_RECORD_CORE_TYPE_BYTES - 12;

	(void)state;
	put_u32(counters, 0);
	seal_block(recording.data, recording.bytes, plan);
	expect_refused(recording.data, recording.bytes, "impossible core types");
	free(recording.data);
}

/* Blocks of the sample, by number. */
enum { HEADER, PLAN, CGROUP_NAME, PROCESS_NAME, SNAPSHOT, FACTS = 7, SECOND_PLAN };
/* Offsets within a snapshot's payload. */
enum {
	COUNTERS_COUNT = 32,
	ROWS_COUNT = 36,
	CPUS_COUNT = 40,
	GROUP = 44,
	IN_BETWEEN = 48,
	HEALTH_COUNT = 52,
	ROW_0 = 56,
	ROW_BYTES = 52 + 8 * RECORDING_COUNTERS,
	ROW_PID = 8,
	ROW_KIND = 12,
	ROW_CORE = 16,
	CPU_CORE = 16,
	BY = 128, /* in a header */
	SIMULATED = 56, /* in a plan, and those that follow */
	READ = 60,
	PLAN_COUNTERS = 64,
	GROUPS_COUNT = 68,
	IPC = 72,
	CORES_COUNT = 76,
	CORE_0 = 80,
	CORE_COUNTERS = 240,
	CORE_GROUPS = 244,
	CORE_IPC = 248,
	CPU_0 = ROW_0 + 3 * ROW_BYTES,
	CPU_BYTES = 116 + 24 * RECORDING_COUNTERS,
};

/* The checksum is right, the content is not: a program with a bug, or with ill intent. */
static void impossible_values_are_refused(void **state)
{
	static const struct {
		int line, block;
		size_t offset; /* in the payload */
		uint32_t value;
		const char *why;
	} cases[] = {
		{__LINE__, HEADER, BY, 3, "impossible header"},
		{__LINE__, HEADER, 0, '\n', "text that cannot be shown"},
		{__LINE__, PLAN, 0, '\n', "text that cannot be shown"},
		{__LINE__, PLAN, SIMULATED, 2, "impossible plan"},
		{__LINE__, PLAN, PLAN_COUNTERS, CTD_COUNTERS_MAX + 1, "impossible plan"},
		{__LINE__, PLAN, READ, CTD_READ_MIXED + 1, "impossible plan"},
		{__LINE__, PLAN, GROUPS_COUNT, 0, "impossible plan"},
		{__LINE__, PLAN, GROUPS_COUNT, CTD_GROUPS_MAX + 1, "impossible plan"},
		{__LINE__, PLAN, IPC, 2, "impossible plan"},
		{__LINE__, PLAN, GROUPS_COUNT, 1, "impossible plan"}, /* only the general one */
		{__LINE__, PLAN, PLAN_COUNTERS, RECORDING_COUNTERS + 1, "other number of counters"},
		{__LINE__, SECOND_PLAN, GROUPS_COUNT, 0, "impossible plan"},
		{__LINE__, PLAN, CORES_COUNT, 1, "impossible core types"},
		{__LINE__, PLAN, CORES_COUNT, UINT32_MAX, "impossible core types"},
		{__LINE__, PLAN, CORE_0, '\n', "impossible core types"},
		{__LINE__, PLAN, CORE_0 + CORE_COUNTERS, RECORDING_COUNTERS + 1,
		 "impossible core types"},
		{__LINE__, PLAN, CORE_0 + CORE_GROUPS, 0, "impossible core types"},
		{__LINE__, PLAN, CORE_0 + CORE_GROUPS, 3, "impossible core types"},
		{__LINE__, PLAN, CORE_0 + CORE_IPC, 2, "impossible core types"},
		/* No group but the general one. */
		{__LINE__, PLAN, CORE_0 + CTD_RECORD_CORE_TYPE_BYTES + CORE_IPC, 1,
		 "impossible core types"},
		{__LINE__, CGROUP_NAME, 0, 0, "impossible name"}, /* no cgroup and no process */
		{__LINE__, CGROUP_NAME, 8, 5, "impossible name"}, /* both */
		{__LINE__, CGROUP_NAME, 12, 2, "impossible name"}, /* removed */
		{__LINE__, CGROUP_NAME, 16, 'a', "impossible name"}, /* NUL in the text */
		{__LINE__, FACTS, 0, 0, "impossible facts"}, /* no cgroup */
		{__LINE__, FACTS, 8, 0x61616161, "impossible facts"}, /* a key without a value */
		{__LINE__, FACTS, 22, 0x61616161, "impossible facts"}, /* no end */
		{__LINE__, SNAPSHOT, COUNTERS_COUNT, 1, "other number of counters"},
		{__LINE__, SNAPSHOT, GROUP, 2, "impossible group"},
		{__LINE__, SNAPSHOT, IN_BETWEEN, 2, "impossible group"},
		{__LINE__, SNAPSHOT, HEALTH_COUNT, CTD_RECORD_HEALTH_MAX + 1, "impossible size"},
		{__LINE__, SNAPSHOT, HEALTH_COUNT, UINT32_MAX, "impossible size"},
		{__LINE__, SNAPSHOT, ROWS_COUNT, 4, "impossible size"},
		{__LINE__, SNAPSHOT, ROWS_COUNT, UINT32_MAX, "impossible size"},
		{__LINE__, SNAPSHOT, CPUS_COUNT, UINT32_MAX, "impossible size"},
		{__LINE__, SNAPSHOT, ROW_0 + 2 * ROW_BYTES + ROW_KIND, CTD_ROW_KINDS,
		 "impossible row"},
		{__LINE__, SNAPSHOT, ROW_0 + ROW_CORE, 2, "impossible row"},
		{__LINE__, SNAPSHOT, CPU_0 + CPU_CORE, 2, "impossible CPU"},
		/* a cgroup's id in a row of another kind */
		{__LINE__, SNAPSHOT, ROW_0 + ROW_KIND, CTD_ROW_IDLE, "impossible row"},
		{__LINE__, SNAPSHOT, ROW_0 + ROW_BYTES + ROW_PID, 0, "out of order"}, /* below */
		{__LINE__, SNAPSHOT, ROW_0 + ROW_PID, 32, "out of order"},
		{__LINE__, SNAPSHOT, CPU_0, 3, "out of order"}, /* twice */
		{__LINE__, SNAPSHOT, CPU_0, 4, "out of order"},
		{__LINE__, SNAPSHOT, CPU_0 + CPU_BYTES, CTD_CPUS_MAX, "impossible CPU"},
		{__LINE__, SNAPSHOT, CPU_0 + 4, 2, "impossible CPU"}, /* online */
		{__LINE__, SNAPSHOT, CPU_0 + 8, 2, "impossible CPU"}, /* fenced */
		{__LINE__, SNAPSHOT, CPU_0 + 12, 2, "impossible CPU"}, /* flushed */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct recording recording = sample_recording();
		size_t block = HEADER_AT;
		struct found found;

		for (int skip = 0; skip < cases[i].block; skip++)
			block = next_block(&recording, block);
		put_u32(recording.data + block + CTD_RECORD_HEAD_BYTES + cases[i].offset,
			cases[i].value);
		seal_block(recording.data, recording.bytes, block);
		found = read_memory(recording.data, recording.bytes);
		if (found.result != -EBADMSG || !strstr(found.why, cases[i].why))
			fail_msg("line %d: %d, '%s'", cases[i].line, found.result, found.why);
		free(recording.data);
	}
}

static void a_text_without_end_is_refused(void **state)
{
	/* In header and plan. */
	static const size_t texts[2][3][2] = {{{0, 64}, {64, 32}, {96, 32}}, {{0, 24}, {24, 32}}};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		for (size_t j = 0; j < COUNT(texts[i]) && texts[i][j][1]; j++) {
			struct recording recording = sample_recording();
			size_t block = i ? plan_at(&recording) : HEADER_AT;

			memset(recording.data + block + CTD_RECORD_HEAD_BYTES + texts[i][j][0], 'x',
			       texts[i][j][1]);
			seal_block(recording.data, recording.bytes, block);
			expect_refused(recording.data, recording.bytes,
				       "text that cannot be shown");
			free(recording.data);
		}
	}
}

/* Also where only the size is hostile: nothing is allocated for bytes that are not there. */
static void false_sizes_are_refused(void **state)
{
	struct recording recording = sample_recording();
	size_t name = next_block(&recording, plan_at(&recording));

	(void)state;
	put_u32(recording.data + name + BYTES_AT, CTD_RECORD_PAYLOAD_BYTES_MAX);
	expect_refused(recording.data, recording.bytes, "cut off");
	put_u32(recording.data + name + BYTES_AT, CTD_RECORD_PAYLOAD_BYTES_MAX + 1);
	expect_refused(recording.data, recording.bytes, "impossible size");
	put_u32(recording.data + name + BYTES_AT, UINT32_MAX);
	expect_refused(recording.data, recording.bytes, "impossible size");
	/* Shorter than its fixed fields, with a right checksum. */
	put_u32(recording.data + name + BYTES_AT, CTD_RECORD_NAME_BYTES - 1);
	seal_block(recording.data, recording.bytes, name);
	expect_refused(recording.data, recording.bytes, "impossible size of a name");
	put_u32(recording.data + name, CTD_RECORD_TYPE_FACTS);
	put_u32(recording.data + name + BYTES_AT, CTD_RECORD_FACTS_BYTES - 1);
	seal_block(recording.data, recording.bytes, name);
	expect_refused(recording.data, recording.bytes, "impossible size of facts");
	put_u32(recording.data + name, CTD_RECORD_TYPE_TASK);
	seal_block(recording.data, recording.bytes, name);
	expect_refused(recording.data, recording.bytes, "impossible size of a task");
	put_u32(recording.data + name, CTD_RECORD_TYPE_SNAPSHOT);
	seal_block(recording.data, recording.bytes, name);
	expect_refused(recording.data, recording.bytes, "impossible size of a snapshot");
	free(recording.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cut_recording_is_refused_or_gives_its_beginning),
		cmocka_unit_test(every_damaged_byte_is_noticed),
		cmocka_unit_test(a_foreign_file_is_refused),
		cmocka_unit_test(another_version_is_refused_by_its_number),
		cmocka_unit_test(blocks_of_unknown_type_are_skipped),
		cmocka_unit_test(an_unknown_block_that_is_required_is_refused_with_type_and_writer),
		cmocka_unit_test(a_second_header_is_refused),
		cmocka_unit_test(a_recording_without_header_or_plan_is_refused),
		cmocka_unit_test(more_core_types_than_there_can_be_are_refused),
		cmocka_unit_test(a_core_type_with_a_model_and_no_counters_is_refused),
		cmocka_unit_test(impossible_values_are_refused),
		cmocka_unit_test(a_text_without_end_is_refused),
		cmocka_unit_test(false_sizes_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
