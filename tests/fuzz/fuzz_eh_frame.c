/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_eh_frame.c - no .eh_frame breaks the maker of tables; every table is as profile_abi.h says. */
#include <assert.h>
#include <elf.h>
#include <stdint.h>

#include "profile/unwind/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* What BPF relies on. */
static void check_words(const struct ctd_unwind_table *table, size_t rules_count)
{
	const uint32_t *starts = table->words + CTD_UNWIND_HEADER_WORDS;
	uint32_t pages = table->words[1];

	assert(pages <= CTD_UNWIND_PAGES_MAX && table->words_count <= CTD_UNWIND_WORDS_MAX);
	assert(starts[0] == CTD_UNWIND_HEADER_WORDS + pages + 1);
	assert(starts[pages] <= table->words_count);
	for (uint32_t page = 0; page < pages; page++) {
		assert(starts[page] <= starts[page + 1]);
		if (starts[page] < starts[page + 1])
			assert(CTD_UNWIND_ROW_LOW_PC(table->words[starts[page]]) == 0);
		for (uint32_t i = starts[page]; i < starts[page + 1]; i++) {
			uint32_t row = table->words[i];

			assert(CTD_UNWIND_ROW_RULE(row) < rules_count);
			assert(i == starts[page] || CTD_UNWIND_ROW_LOW_PC(table->words[i - 1]) <
							    CTD_UNWIND_ROW_LOW_PC(row));
		}
	}
}

static void check_rules(const struct ctd_unwind_rules *rules)
{
	assert(rules->count <= CTD_RULES_FIXED + CTD_RULES_OF_ONE_MAX);
	for (size_t i = CTD_RULES_FIXED; i < rules->count; i++) {
		assert(rules->rules[i].cfa > CTD_CFA_NONE &&
		       rules->rules[i].cfa <= CTD_CFA_SP_SCALED);
		assert(rules->rules[i].cfa_register < 32);
		assert(rules->rules[i].return_address <= CTD_WHERE_FP);
		assert(rules->rules[i].fp <= CTD_WHERE_FP);
	}
}

static void check(const uint8_t *data, size_t bytes, uint16_t machine)
{
	auto_ctd_unwind_rules struct ctd_unwind_rules rules = {0};
	auto_ctd_unwind_table struct ctd_unwind_table table = {0};
	/* Pointers are relative: the seeds' code is before their section. */
	struct ctd_unwind_source source = {
		.machine = ctd_unwind_machine(machine),
		.eh_frame = data,
		.eh_frame_bytes = bytes,
		.eh_frame_address = 0x100000,
		.code_start = 0,
		.code_end = 0x300000,
	};

	if (ctd_unwind_rules_begin(&rules))
		return;
	if (!ctd_unwind_table_make(&source, &rules, &table)) {
		check_words(&table, rules.count);
		for (uint64_t address = 0; address < 0x310000; address += 0x7777)
			assert(ctd_unwind_table_find(&table, address) < rules.count);
	}
	check_rules(&rules);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	check(data, bytes, EM_X86_64);
	check(data, bytes, EM_AARCH64);
	return 0;
}
