/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_line_table.c - lines of instructions, in each version of .debug_line, and of damaged ones. */
#include "profile/lines/line_table.h"

#include <dwarf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/auto.h"
#include "base/strbuf.h"

static const struct ctd_code code = {.start = 0x1000, .end = 0x9000};

static void add_number(struct ctd_strbuf *out, uint64_t number, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		ctd_strbuf_add_bytes(out, &(char){(char)(number >> 8 * i)}, 1);
}

static void add_text(struct ctd_strbuf *out, const char *text)
{
	ctd_strbuf_add_bytes(out, text, strlen(text) + 1);
}

static void set_number(struct ctd_strbuf *out, size_t at, uint32_t number)
{
	memcpy(out->text + at, &number, sizeof(number));
}

/* Line @p line of file @p file, and at once, by three steps of three, nine lines before it; 0x40
 * bytes of code. */
static void add_sequence(struct ctd_strbuf *out, uint64_t address, unsigned int file,
			 unsigned int line)
{
	add_number(out, 0, 1);
	add_number(out, 9, 1);
	add_number(out, DW_LNE_set_address, 1);
	add_number(out, address, 8);
	add_number(out, DW_LNS_set_file, 1);
	add_number(out, file, 1);
	add_number(out, DW_LNS_advance_line, 1);
	add_number(out, line - 1, 1);
	add_number(out, DW_LNS_copy, 1);
	for (int i = 0; i < 3; i++)
		add_number(out, i ? 13 : 13 + 12, 1); /* the first one byte further */
	add_number(out, DW_LNS_advance_pc, 1);
	add_number(out, 0x3f, 1);
	add_number(out, 0, 1);
	add_number(out, 1, 1);
	add_number(out, DW_LNE_end_sequence, 1);
}

/* @p offset_bytes: 8 in the format of 64 bits. */
static void add_head(struct ctd_strbuf *out, unsigned int version, size_t offset_bytes,
		     unsigned int instruction_bytes)
{
	if (offset_bytes == 8)
		add_number(out, UINT32_MAX, 4);
	add_number(out, 0, offset_bytes); /* size */
	add_number(out, version, 2);
	if (version >= 5)
		add_number(out, 8, 2);
	add_number(out, 0, offset_bytes); /* size of the rest of the header */
	add_number(out, instruction_bytes, 1);
	if (version >= 4)
		add_number(out, 1, 1);
	add_number(out, 1, 1);
	add_number(out, (uint8_t)-3, 1);
	add_number(out, 12, 1);
	add_number(out, 13, 1);
	ctd_strbuf_add_bytes(out, "\0\1\1\1\1\0\0\0\1\0\0\1", 12);
}

/* What ends the header: version 4 and before. */
static void add_names(struct ctd_strbuf *out)
{
	add_text(out, "lib");
	add_text(out, "/usr/include");
	add_text(out, "");
	add_text(out, "walk.c");
	ctd_strbuf_add_bytes(out, "\0\0\0", 3);
	add_text(out, "list.c");
	ctd_strbuf_add_bytes(out, "\1\0\0", 3);
	add_text(out, "vector");
	ctd_strbuf_add_bytes(out, "\2\0\0", 3);
	add_text(out, "");
}

/* Version 5: the directories' texts are in .debug_line_str. */
static void add_entries(struct ctd_strbuf *out, size_t offset_bytes)
{
	ctd_strbuf_add_bytes(out, "\1\1\x1f\3", 4); /* DW_LNCT_path by line_strp; three */
	add_number(out, 0, offset_bytes);
	add_number(out, 5, offset_bytes);
	add_number(out, 9, offset_bytes);
	/* Path by string, directory by udata, MD5 by data16; four. */
	ctd_strbuf_add_bytes(out, "\3\1\x08\2\x0f\5\x1e\4", 8);
	for (int i = 0; i < 4; i++) {
		add_text(out, i < 2 ? "walk.c" : i < 3 ? "list.c" : "vector");
		add_number(out, i < 2 ? 0 : (uint64_t)i - 1, 1);
		add_number(out, 0, 8);
		add_number(out, 0, 8);
	}
}

static void end_head(struct ctd_strbuf *out, unsigned int version, size_t offset_bytes)
{
	size_t at = (offset_bytes == 8 ? 12 : 4) + (version >= 5 ? 4 : 2);

	set_number(out, at, (uint32_t)(out->bytes - at - offset_bytes));
}

static struct ctd_strbuf table_like(unsigned int version, size_t offset_bytes,
				    unsigned int instruction_bytes)
{
	struct ctd_strbuf out = {0};

	add_head(&out, version, offset_bytes, instruction_bytes);
	if (version >= 5)
		add_entries(&out, offset_bytes);
	else
		add_names(&out);
	end_head(&out, version, offset_bytes);
	return out;
}

static struct ctd_strbuf table_of(unsigned int version)
{
	return table_like(version, 4, 1);
}

static struct ctd_line_sections sections_of(const struct ctd_strbuf *line)
{
	static const uint8_t texts[] = "/src\0lib\0/usr/include";

	if (line->bytes > 12 && !memcmp(line->text, "\xff\xff\xff\xff", 4))
		set_number((struct ctd_strbuf *)line, 4, (uint32_t)line->bytes - 12);
	else if (line->bytes > 4)
		set_number((struct ctd_strbuf *)line, 0, (uint32_t)line->bytes - 4);
	return (struct ctd_line_sections){
		.line = {.at = (const uint8_t *)line->text,
			 .end = (const uint8_t *)line->text + line->bytes},
		.line_str = {.at = texts, .end = texts + sizeof(texts)},
	};
}

static void find(const struct ctd_strbuf *line, struct ctd_line_row *rows, size_t count)
{
	const struct ctd_line_sections sections = sections_of(line);
	auto_ctd_line_table struct ctd_line_table table;

	assert_int_equal(ctd_line_table_open(&sections, 0, "/src", &table), 0);
	ctd_line_table_find(&table, &code, rows, count);
}

static void assert_path(const struct ctd_line_table *table, uint64_t file, const char *wanted)
{
	char path[64];

	assert_true(ctd_line_table_path(table, file, sizeof(path), path));
	assert_string_equal(path, wanted);
}

static void each_version_tells_paths_and_lines(void **state)
{
	(void)state;
	for (unsigned int version = 2; version <= 5; version++) {
		struct ctd_line_row rows[] = {{.address = 0xfff},
					      {.address = 0x1000},
					      {.address = 0x1002},
					      {.address = 0x1012},
					      {.address = 0x1040}};
		auto_ctd_strbuf struct ctd_strbuf line = table_of(version);
		auto_ctd_line_table struct ctd_line_table table;
		char path[8];

		add_sequence(&line, 0x1000, 2, 42);
		const struct ctd_line_sections sections = sections_of(&line);

		assert_int_equal(ctd_line_table_open(&sections, 0, "/src", &table), 0);
		ctd_line_table_find(&table, &code, rows, 5);
		assert_int_equal(rows[0].line, 0);
		assert_int_equal(rows[1].line, 42);
		assert_int_equal(rows[1].file, 2);
		assert_int_equal(rows[2].line, 42 - 9);
		assert_int_equal(rows[3].line, 42 - 9);
		assert_int_equal(rows[4].line, 0);
		assert_path(&table, 1, "/src/walk.c");
		assert_path(&table, 2, "/src/lib/list.c");
		assert_path(&table, 3, "/usr/include/vector");
		assert_false(ctd_line_table_path(&table, 4, sizeof(path), path));
		assert_true(ctd_line_table_path(&table, 3, sizeof(path), path));
		assert_string_equal(path, "/usr/in");
	}
}

static void offsets_of_64_bits_are_read(void **state)
{
	(void)state;
	for (unsigned int version = 4; version <= 5; version++) {
		struct ctd_line_row rows[] = {{.address = 0x1000}};
		auto_ctd_strbuf struct ctd_strbuf line = table_like(version, 8, 1);
		auto_ctd_line_table struct ctd_line_table table;

		add_sequence(&line, 0x1000, 2, 42);
		const struct ctd_line_sections sections = sections_of(&line);

		assert_int_equal(ctd_line_table_open(&sections, 0, "/src", &table), 0);
		ctd_line_table_find(&table, &code, rows, 1);
		assert_int_equal(rows[0].line, 42);
		assert_path(&table, 2, "/src/lib/list.c");
	}
}

/* The next line, behind what one opcode advances. */
static void add_line(struct ctd_strbuf *out)
{
	add_number(out, DW_LNS_advance_line, 1);
	add_number(out, 1, 1);
	add_number(out, DW_LNS_copy, 1);
}

/* All but one in instructions, here of four bytes. */
static void each_way_to_advance_is_known(void **state)
{
	static const struct {
		uint64_t address;
		uint32_t line;
	} wanted[] = {
		{0x1000, 2}, {0x104f, 2}, {0x1050, 3}, {0x105f, 3}, {0x1060, 4}, {0x1067, 4},
		{0x1068, 5}, {0x106b, 5}, {0x106c, 6}, {0x107b, 6}, {0x107c, 0},
	};
	enum { COUNT = sizeof(wanted) / sizeof(*wanted) };
	auto_ctd_strbuf struct ctd_strbuf line = table_like(4, 4, 4);
	struct ctd_line_row rows[COUNT] = {0};

	(void)state;
	for (size_t i = 0; i < COUNT; i++)
		rows[i].address = wanted[i].address;
	add_number(&line, 0, 1);
	add_number(&line, 5, 1);
	add_number(&line, DW_LNE_set_address, 1);
	add_number(&line, 0x1000, 4);
	add_line(&line);
	add_number(&line, DW_LNS_const_add_pc, 1); /* as opcode 255: (255 - 13) / 12 */
	add_line(&line);
	add_number(&line, DW_LNS_fixed_advance_pc, 1); /* bytes */
	add_number(&line, 0x10, 2);
	add_line(&line);
	add_number(&line, DW_LNS_advance_pc, 1);
	add_number(&line, 2, 1);
	add_line(&line);
	add_number(&line, 13 + 12 + 4, 1); /* one instruction, and -3 + 4 lines */
	add_number(&line, DW_LNS_advance_pc, 1);
	add_number(&line, 4, 1);
	add_number(&line, 0, 1);
	add_number(&line, 1, 1);
	add_number(&line, DW_LNE_end_sequence, 1);
	find(&line, rows, COUNT);
	for (size_t i = 0; i < COUNT; i++)
		if (rows[i].line != wanted[i].line)
			fail_msg("line %u at %#lx", rows[i].line, (unsigned long)rows[i].address);
}

/* Rows of what the linker dropped lie from 0, 1 or -1 on, and on the code of a library. */
static void rows_of_dropped_functions_are_of_no_code(void **state)
{
	static const uint64_t dropped[] = {0, 1, 0xff8, UINT64_MAX, UINT64_MAX - 1, 0x9000};

	(void)state;
	for (size_t i = 0; i < sizeof(dropped) / sizeof(*dropped); i++) {
		struct ctd_line_row rows[] = {{.address = 0x8},
					      {.address = 0x1004},
					      {.address = 0x1044},
					      {.address = 0x9008}};
		auto_ctd_strbuf struct ctd_strbuf line = table_of(4);

		add_sequence(&line, 0x1000, 1, 60);
		add_sequence(&line, dropped[i], 1, 50);
		find(&line, rows, 4);
		assert_int_equal(rows[0].line, 0);
		assert_int_equal(rows[1].line, 60 - 9);
		assert_int_equal(rows[2].line, 0);
		assert_int_equal(rows[3].line, 0);
	}
}

static void of_two_at_one_place_that_which_begins_later_is_right(void **state)
{
	(void)state;
	for (int order = 0; order < 2; order++) {
		struct ctd_line_row rows[] = {{.address = 0x1034}, {.address = 0x1054}};
		auto_ctd_strbuf struct ctd_strbuf line = table_of(4);

		add_sequence(&line, order ? 0x1020 : 0x1000, 1, order ? 60 : 50);
		add_sequence(&line, order ? 0x1000 : 0x1020, 1, order ? 50 : 60);
		find(&line, rows, 2);
		assert_int_equal(rows[0].line, 60 - 9);
		assert_int_equal(rows[1].line, 60 - 9);
	}
}

static void what_is_cut_or_impossible_is_refused_or_a_table(void **state)
{
	(void)state;
	for (unsigned int version = 1; version <= 6; version++) {
		auto_ctd_strbuf struct ctd_strbuf line = table_of(version);

		add_sequence(&line, 0x1000, 2, 42);
		for (size_t bytes = 0; bytes <= line.bytes; bytes++) {
			struct ctd_line_row rows[] = {{.address = 0x1004}};
			struct ctd_strbuf cut = {.text = malloc(bytes + 1), .bytes = bytes};
			struct ctd_line_table table;
			int error;

			memcpy(cut.text, line.text, bytes);
			const struct ctd_line_sections sections = sections_of(&cut);

			error = ctd_line_table_open(&sections, 0, NULL, &table);
			assert_true(error == 0 || error == -EBADMSG);
			if (!error) {
				assert_in_range(version, 2, 5);
				ctd_line_table_find(&table, &code, rows, 1);
				ctd_line_table_close(&table);
			}
			free(cut.text);
		}
	}
}

static void a_table_that_divides_by_zero_is_refused(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf line = table_of(4);
	struct ctd_line_table table;

	(void)state;
	line.text[14] = 0; /* lines per address */
	const struct ctd_line_sections sections = sections_of(&line);

	assert_int_equal(ctd_line_table_open(&sections, 0, NULL, &table), -EBADMSG);
	assert_int_equal(ctd_line_table_open(&sections, line.bytes, NULL, &table), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_version_tells_paths_and_lines),
		cmocka_unit_test(offsets_of_64_bits_are_read),
		cmocka_unit_test(each_way_to_advance_is_known),
		cmocka_unit_test(rows_of_dropped_functions_are_of_no_code),
		cmocka_unit_test(of_two_at_one_place_that_which_begins_later_is_right),
		cmocka_unit_test(what_is_cut_or_impossible_is_refused_or_a_table),
		cmocka_unit_test(a_table_that_divides_by_zero_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
