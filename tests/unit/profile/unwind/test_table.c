/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_table.c - each address has the rule that .eh_frame means, and no section breaks the maker. */
#include "profile/unwind/table.h"

#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/auto.h"
#include "unit/profile/unwind/eh_frame.h"

#define CODE UINT64_C(0x400000)

static struct ctd_unwind_rules rules;
static struct ctd_unwind_table table;

static int begin(void **state)
{
	(void)state;
	return ctd_unwind_rules_begin(&rules);
}

static int end(void **state)
{
	(void)state;
	ctd_unwind_table_free(&table);
	ctd_unwind_rules_free(&rules);
	return 0;
}

static int make_of(const void *bytes, size_t count, uint16_t machine, uint64_t code_end)
{
	struct ctd_unwind_source source = {
		.machine = ctd_unwind_machine(machine),
		.eh_frame = bytes,
		.eh_frame_bytes = count,
		.eh_frame_address = SECTION_ADDRESS,
		.code_start = CODE,
		.code_end = code_end,
	};

	ctd_unwind_table_free(&table);
	return ctd_unwind_table_make(&source, &rules, &table);
}

static int make_for(const struct section *section, uint16_t machine, uint64_t code_end)
{
	/* A copy of the exact size: the sanitizer then sees each byte too many. */
	autofree uint8_t *bytes = malloc(section->count);

	assert_non_null(bytes);
	memcpy(bytes, section->bytes, section->count);
	return make_of(bytes, section->count, machine, code_end);
}

static int make(const struct section *section)
{
	return make_for(section, EM_X86_64, CODE + 0x100000);
}

static uint32_t number_at(uint64_t offset)
{
	return ctd_unwind_table_find(&table, CODE + offset);
}

static const struct ctd_unwind_rule *rule_at(uint64_t offset)
{
	assert_true(number_at(offset) >= CTD_RULES_FIXED);
	return &rules.rules[number_at(offset)];
}

static void assert_sp(uint64_t offset, int cfa_offset)
{
	assert_int_equal(rule_at(offset)->cfa, CTD_CFA_SP);
	assert_int_equal(rule_at(offset)->cfa_offset, cfa_offset);
	assert_int_equal(rule_at(offset)->return_address, CTD_WHERE_CFA);
	assert_int_equal(rule_at(offset)->return_address_offset, -8);
}

static void a_prologue_and_an_epilogue_have_a_rule_each(void **state)
{
	struct section section = {0};
	size_t cie = add_usual_cie(&section);

	(void)state;
	/* push rbp; mov rbp, rsp; ... remember; leave; (ret) restore */
	add_fde(&section, cie, CODE + 0x100, 0x50,
		INSTRUCTIONS(0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x60, 0x0a, 0x0c, 7, 8, 0x41,
			     0x0b));
	assert_int_equal(make(&section), 0);
	assert_int_equal(table.functions, 1);
	assert_int_equal(number_at(0xff), CTD_RULE_NONE);
	assert_sp(0x100, 8);
	assert_int_equal(rule_at(0x100)->fp, CTD_WHERE_SAME);
	assert_sp(0x101, 16);
	assert_int_equal(rule_at(0x103)->fp, CTD_WHERE_CFA);
	assert_int_equal(rule_at(0x103)->fp_offset, -16);
	assert_int_equal(rule_at(0x104)->cfa, CTD_CFA_FP);
	assert_int_equal(rule_at(0x104)->cfa_offset, 16);
	assert_sp(0x124, 8);
	assert_int_equal(rule_at(0x125)->cfa, CTD_CFA_FP);
	assert_int_equal(rule_at(0x14f)->cfa, CTD_CFA_FP);
	assert_int_equal(number_at(0x150), CTD_RULE_NONE);
}

static void functions_are_found_in_any_order_and_behind_terminators(void **state)
{
	struct section section = {0};
	size_t cie = add_usual_cie(&section);

	(void)state;
	add_fde(&section, cie, CODE + 0x2000, 0x10, INSTRUCTIONS(0x0e, 32));
	add_u32(&section, 0); /* a linker left it here */
	cie = add_usual_cie(&section);
	add_fde(&section, cie, CODE + 0x1000, 0x10, INSTRUCTIONS(0x0e, 16));
	add_u32(&section, 0);
	assert_int_equal(make(&section), 0);
	assert_int_equal(table.functions, 2);
	assert_sp(0x1008, 16);
	assert_int_equal(number_at(0x1800), CTD_RULE_NONE);
	assert_sp(0x2000, 32);
}

static void padding_between_functions_costs_no_row(void **state)
{
	struct section section = {0};
	size_t cie = add_usual_cie(&section);

	(void)state;
	add_fde(&section, cie, CODE + 0x10, 0x11, INSTRUCTIONS(0));
	add_fde(&section, cie, CODE + 0x30, 0x10, INSTRUCTIONS(0));
	assert_int_equal(make(&section), 0);
	/* Nothing known, one rule, nothing known. */
	assert_int_equal(table.rows, 3);
	assert_sp(0x3f, 8);
	assert_int_equal(number_at(0x40), CTD_RULE_NONE);
}

static void a_function_over_pages_has_its_rule_in_each(void **state)
{
	struct section section = {0};
	size_t cie = add_usual_cie(&section);

	(void)state;
	add_fde(&section, cie, CODE + 0xfff0, 0x30010, INSTRUCTIONS(0x0e, 64));
	add_fde(&section, cie, CODE + 0x90000, 0x10000, INSTRUCTIONS(0x0e, 24));
	assert_int_equal(make(&section), 0);
	assert_int_equal(number_at(0xffef), CTD_RULE_NONE);
	assert_sp(0xfff0, 64);
	assert_sp(0x10000, 64);
	assert_sp(0x3ffff, 64);
	assert_int_equal(number_at(0x40000), CTD_RULE_NONE);
	assert_int_equal(number_at(0x8ffff), CTD_RULE_NONE);
	assert_sp(0x90000, 24);
	assert_sp(0x9ffff, 24);
	assert_int_equal(number_at(0xa0000), CTD_RULE_NONE);
	assert_int_equal(number_at(0xfffff), CTD_RULE_NONE);
	assert_int_equal(number_at(0x100000), CTD_RULE_NONE);
	assert_int_equal(ctd_unwind_table_find(&table, 0), CTD_RULE_NONE);
	assert_int_equal(ctd_unwind_table_find(&table, UINT64_MAX), CTD_RULE_NONE);
}

static void the_expressions_that_compilers_and_assembly_write_are_rules(void **state)
{
	struct section section = {0};
	size_t cie = add_usual_cie(&section);

	(void)state;
	/* A PLT: breg7 8; breg16 0; lit15; and; lit11; ge; lit3; shl; plus. */
	add_fde(&section, cie, CODE, 0x10,
		INSTRUCTIONS(0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22));
	/* A realigned stack: breg6 -8; deref; and rbp at breg6 0. */
	add_fde(&section, cie, CODE + 0x1000, 0x10,
		INSTRUCTIONS(0x0f, 3, 0x76, 0x78, 0x06, 0x10, 6, 2, 0x76, 0));
	/* OpenSSL: breg7 40; deref; plus_uconst 8. */
	add_fde(&section, cie, CODE + 0x2000, 0x10, INSTRUCTIONS(0x0f, 5, 0x77, 40, 0x06, 0x23, 8));
	/* OpenSSL: breg7 8; breg9 0; lit8; mul; plus; deref; plus_uconst 8. */
	add_fde(&section, cie, CODE + 0x3000, 0x10,
		INSTRUCTIONS(0x0f, 10, 0x77, 8, 0x79, 0, 0x38, 0x1e, 0x22, 0x06, 0x23, 8));
	/* r10 + 0. */
	add_fde(&section, cie, CODE + 0x4000, 0x10, INSTRUCTIONS(0x0c, 10, 0));
	assert_int_equal(make(&section), 0);
	assert_int_equal(rule_at(0)->cfa, CTD_CFA_PLT);
	assert_int_equal(rule_at(0)->cfa_offset, 8);
	assert_int_equal(rule_at(0)->cfa_add, 11);
	assert_int_equal(rule_at(0x1000)->cfa, CTD_CFA_FP_DEREF);
	assert_int_equal(rule_at(0x1000)->cfa_offset, -8);
	assert_int_equal(rule_at(0x1000)->fp, CTD_WHERE_FP);
	assert_int_equal(rule_at(0x2000)->cfa, CTD_CFA_SP_DEREF);
	assert_int_equal(rule_at(0x2000)->cfa_offset, 40);
	assert_int_equal(rule_at(0x2000)->cfa_add, 8);
	assert_int_equal(rule_at(0x3000)->cfa, CTD_CFA_SP_SCALED);
	assert_int_equal(rule_at(0x3000)->cfa_register, 9);
	assert_int_equal(rule_at(0x4000)->cfa, CTD_CFA_REGISTER);
	assert_int_equal(rule_at(0x4000)->cfa_register, 10);
	assert_int_equal(table.unsupported_rows, 0);
}

static void a_signal_frame_keeps_the_interrupted_registers(void **state)
{
	struct section section = {0};
	size_t cie = add_cie(&section, "S", 16, INSTRUCTIONS(0));

	(void)state;
	/* glibc's __restore_rt: all is in the ucontext above rsp. */
	add_fde(&section, cie, CODE, 0x10,
		INSTRUCTIONS(0x0f, 4, 0x77, 0xa0, 0x01, 0x06, 0x10, 6, 3, 0x77, 0xf8, 0x00, 0x10,
			     16, 3, 0x77, 0xa8, 0x01));
	assert_int_equal(make(&section), 0);
	assert_int_equal(rule_at(0)->cfa, CTD_CFA_SP_DEREF);
	assert_int_equal(rule_at(0)->cfa_offset, 160);
	assert_int_equal(rule_at(0)->return_address, CTD_WHERE_SP);
	assert_int_equal(rule_at(0)->return_address_offset, 168);
	assert_int_equal(rule_at(0)->fp, CTD_WHERE_SP);
	assert_int_equal(rule_at(0)->fp_offset, 120);
	assert_int_equal(rule_at(0)->flags, CTD_UNWIND_SIGNAL);
}

static void an_undefined_return_address_ends_the_stack(void **state)
{
	struct section section = {0};
	size_t cie = add_usual_cie(&section);

	(void)state;
	add_fde(&section, cie, CODE, 0x10, INSTRUCTIONS(0x07, 16));
	assert_int_equal(make(&section), 0);
	assert_int_equal(number_at(0), CTD_RULE_END);
}

static void a_leaf_of_arm64_has_its_return_address_in_x30(void **state)
{
	struct section section = {0};
	/* CFA = sp + 0; return column 30. */
	size_t cie = add_cie(&section, "B", 30, INSTRUCTIONS(0x0c, 31, 0));

	(void)state;
	/* paciasp; stp x29, x30, [sp, -32]!: cfa offset 32, x29 at -32, x30 at -24. */
	add_fde(&section, cie, CODE, 0x40,
		INSTRUCTIONS(0x44, 0x2d, 0x44, 0x0e, 32, 0x9d, 4, 0x9e, 3));
	assert_int_equal(make_for(&section, EM_AARCH64, CODE + 0x1000), 0);
	assert_int_equal(rule_at(0)->cfa, CTD_CFA_SP);
	assert_int_equal(rule_at(0)->cfa_offset, 0);
	assert_int_equal(rule_at(0)->return_address, CTD_WHERE_SAME);
	assert_int_equal(rule_at(8)->cfa_offset, 32);
	assert_int_equal(rule_at(8)->return_address, CTD_WHERE_CFA);
	assert_int_equal(rule_at(8)->return_address_offset, -24);
	assert_int_equal(rule_at(8)->fp_offset, -32);
}

static void what_a_rule_cannot_say_is_unsupported_and_counted(void **state)
{
	static const struct {
		const char *what;
		uint8_t instructions[16];
		size_t count;
	} cases[] = {
		{"a CFA offset of a gigabyte", {0x0e, 0x80, 0x80, 0x80, 0x80, 0x04}, 6},
		{"a CFA offset of 63 bits", {0x0e, 255, 255, 255, 255, 255, 255, 255, 255, 127}, 10},
		{"a CFA in no register", {0x0c, 0x60, 8}, 3},
		{"an expression of nothing", {0x0f, 0}, 2},
		{"an expression of its own", {0x0f, 3, 0x77, 8, 0x96}, 5},
		{"a return address in a register", {0x09, 16, 3}, 3},
		{"a return address that nobody saved", {0x08, 16}, 2},
		{"a frame pointer far away", {0x86, 0x80, 0x80, 0x04}, 4},
		{"an unknown instruction", {0x3f}, 1},
		{"an instruction without its operand", {0x0e}, 1},
		{"an expression longer than the entry", {0x0f, 0x7f, 0x77}, 3},
		{"restore without remember", {0x0b}, 1},
		{"remember without end", {10, 10, 10, 10, 10, 10, 10, 10, 10}, 9},
		{"going back", {0x01, 0x00, 0xe0, 0xaf, 0xff}, 5},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct section section = {0};
		size_t cie = add_usual_cie(&section);

		add_fde(&section, cie, CODE, 0x10, cases[i].instructions, cases[i].count);
		assert_int_equal(make(&section), 0);
		if (number_at(0) != CTD_RULE_UNSUPPORTED || table.unsupported_rows != 1)
			fail_msg("%s", cases[i].what);
	}
}

static void entries_that_make_no_sense_are_left_out_and_counted(void **state)
{
	struct section section = {0};
	size_t cie = add_usual_cie(&section);
	size_t fde;

	(void)state;
	add_fde(&section, cie, CODE, 0x10, INSTRUCTIONS(0));
	add_fde(&section, cie, CODE + 8, 0x10, INSTRUCTIONS(0)); /* in the first */
	add_fde(&section, cie, CODE - 0x10, 0x10, INSTRUCTIONS(0)); /* outside */
	add_fde(&section, cie, CODE + 0x100, 0, INSTRUCTIONS(0)); /* empty */
	fde = section.count;
	add_fde(&section, fde, CODE + 0x100, 0x10, INSTRUCTIONS(0)); /* its own CIE */
	add_fde(&section, fde, CODE + 0x100, 0x10, INSTRUCTIONS(0)); /* another's CIE is no CIE */
	add_cie(&section, "?", 16, INSTRUCTIONS(0)); /* nobody's */
	assert_int_equal(make(&section), 0);
	assert_int_equal(table.functions, 1);
	assert_int_equal(table.bad_functions, 5);
	assert_sp(0x8, 8);
	assert_int_equal(number_at(0x10), CTD_RULE_NONE);
}

static void a_section_cut_anywhere_gives_what_was_before(void **state)
{
	struct section section = {0};
	size_t cie = add_usual_cie(&section);
	size_t first, whole;

	(void)state;
	add_fde(&section, cie, CODE, 0x10, INSTRUCTIONS(0));
	first = section.count;
	add_fde(&section, cie, CODE + 0x100, 0x10, INSTRUCTIONS(0x0e, 16));
	whole = section.count;
	for (size_t count = 0; count < whole; count++) {
		section.count = count;
		assert_int_equal(make(&section), count < first ? -ENODATA : 0);
		assert_true(count < first || table.functions == 1);
	}
}

static void one_file_cannot_take_all_rules(void **state)
{
	struct section section = {0};
	size_t before = rules.count;

	(void)state;
	add_functions(&section, CODE, 3000, 0x2000);
	assert_int_equal(make(&section), 0);
	assert_int_equal(table.rules_added, CTD_RULES_OF_ONE_MAX);
	assert_int_equal(rules.count, before + CTD_RULES_OF_ONE_MAX);
	assert_int_equal(table.unsupported_rows, 3000 - CTD_RULES_OF_ONE_MAX);
	/* Made again, the file has its share again. */
	assert_int_equal(make(&section), 0);
	assert_int_equal(table.unsupported_rows, 0);
}

static void a_file_that_gives_no_table_gives_its_rules_back(void **state)
{
	struct section section;
	uint32_t offset = 0x8000;

	(void)state;
	/* More than there are in all. */
	for (int i = 0; i < 9; i++, offset += 3000) {
		section.count = 0;
		add_functions(&section, CODE, 3000, offset);
		assert_int_equal(make_for(&section, EM_X86_64, UINT64_MAX), -EFBIG);
	}
	section.count = 0;
	add_functions(&section, CODE, 100, offset);
	assert_int_equal(make(&section), 0);
	assert_int_equal(table.unsupported_rows, 0);
	assert_int_equal(table.rules_added, 100);
}

static void rules_of_functions_that_are_left_out_are_given_back(void **state)
{
	struct section section;
	uint32_t offset = 0x20000;

	(void)state;
	for (int i = 0; i < 9; i++, offset += 2000) {
		section.count = 0;
		add_functions(&section, CODE + 8, 2000, offset);
		/* The first one covers all others. */
		add_fde(&section, 0, CODE, 0x100000, INSTRUCTIONS(0));
		assert_int_equal(make(&section), 0);
		assert_int_equal(table.functions, 1);
	}
	section.count = 0;
	add_functions(&section, CODE, 100, offset);
	assert_int_equal(make(&section), 0);
	assert_int_equal(table.unsupported_rows, 0);
}

static void code_that_no_table_takes_is_refused(void **state)
{
	struct section section = {0};
	size_t cie = add_usual_cie(&section);

	(void)state;
	add_fde(&section, cie, CODE, 0x10, INSTRUCTIONS(0));
	assert_int_equal(make_for(&section, EM_X86_64, UINT64_MAX), -EFBIG);
	assert_int_equal(make_for(&section, EM_X86_64, CODE), -EFBIG);
	assert_int_equal(
		make_for(&section, EM_X86_64, CODE + CTD_UNWIND_PAGES_MAX * UINT64_C(0x10000)), 0);
	assert_int_equal(make_for(&section, EM_X86_64,
				  CODE + CTD_UNWIND_PAGES_MAX * UINT64_C(0x10000) + 1),
			 -EFBIG);
	section.count = 0;
	assert_int_equal(make(&section), -ENODATA);
}

/* One function as often as there is room, each behind the one before. */
static void more_functions_than_a_table_takes_are_refused(void **state)
{
	enum { COUNT = CTD_UNWIND_WORDS_MAX / 4 + 1 };
	struct section section = {0};
	size_t cie = add_usual_cie(&section), first = section.count, bytes;
	autofree uint8_t *all = NULL;

	(void)state;
	add_fde(&section, cie, CODE, 1, INSTRUCTIONS(0));
	bytes = section.count - first;
	all = malloc(first + COUNT * bytes);
	assert_non_null(all);
	memcpy(all, section.bytes, first);
	for (uint32_t i = 0; i < COUNT; i++) {
		uint8_t *to = all + first + i * bytes;
		uint32_t distance = (uint32_t)(first - cie + i * bytes + 4);

		memcpy(to, section.bytes + first, bytes);
		memcpy(to + 4, &distance, sizeof(distance));
	}
	assert_int_equal(make_of(all, first + (COUNT - 1) * bytes, EM_X86_64, CODE + (1 << 28)), 0);
	assert_int_equal(table.functions, COUNT - 1);
	assert_int_equal(make_of(all, first + COUNT * bytes, EM_X86_64, CODE + (1 << 28)), -EFBIG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_prologue_and_an_epilogue_have_a_rule_each),
		cmocka_unit_test(functions_are_found_in_any_order_and_behind_terminators),
		cmocka_unit_test(padding_between_functions_costs_no_row),
		cmocka_unit_test(a_function_over_pages_has_its_rule_in_each),
		cmocka_unit_test(the_expressions_that_compilers_and_assembly_write_are_rules),
		cmocka_unit_test(a_signal_frame_keeps_the_interrupted_registers),
		cmocka_unit_test(an_undefined_return_address_ends_the_stack),
		cmocka_unit_test(a_leaf_of_arm64_has_its_return_address_in_x30),
		cmocka_unit_test(what_a_rule_cannot_say_is_unsupported_and_counted),
		cmocka_unit_test(entries_that_make_no_sense_are_left_out_and_counted),
		cmocka_unit_test(a_section_cut_anywhere_gives_what_was_before),
		cmocka_unit_test(one_file_cannot_take_all_rules),
		cmocka_unit_test(a_file_that_gives_no_table_gives_its_rules_back),
		cmocka_unit_test(rules_of_functions_that_are_left_out_are_given_back),
		cmocka_unit_test(more_functions_than_a_table_takes_are_refused),
		cmocka_unit_test(code_that_no_table_takes_is_refused),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
