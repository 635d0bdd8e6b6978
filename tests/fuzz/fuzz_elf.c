/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_elf.c - no ELF file breaks the readers of its sections, its unwind table and its symbols. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/strbuf.h"
#include "profile/executable/executables.h"
#include "profile/symbols/demangle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static struct ctd_symbol_text name;

static void check_symbols(const struct ctd_symbols *symbols)
{
	for (size_t i = 0; i < symbols->symbols_count; i++) {
		assert(i == 0 || symbols->symbols[i - 1].start < symbols->symbols[i].start);
		assert(strlen(ctd_symbols_name(symbols, &symbols->symbols[i], &name)) <=
		       CTD_SYMBOL_NAME_MAX);
	}
}

static void check_executable(struct ctd_executables *executables, uint32_t number)
{
	const struct ctd_executable *executable = ctd_executables_get(executables, number);
	const struct ctd_symbols *symbols = &executable->symbols;
	uint64_t bias;

	check_symbols(symbols);
	assert(executable->build_id.count <= sizeof(executable->build_id.bytes));
	for (uint64_t address = 0; address < 0x4000; address += 0x77) {
		const struct ctd_symbol *symbol = ctd_symbols_find(symbols, address);
		auto_ctd_strbuf struct ctd_strbuf text = {0};

		if (symbol)
			ctd_demangle(&text, ctd_symbols_name(symbols, symbol, &name));
		assert(!text.text || strlen(text.text) == text.bytes);
	}
	ctd_executables_bias(executables, number, 0x7f0000000000, 0x1000, &bias);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct ctd_executables *executables;
	uint32_t number;

	if (ctd_executables_new(1 << 20, &executables))
		return 0;
	if (ctd_executables_add_memory(executables, data, bytes, "/a", &number) == 1)
		check_executable(executables, number);
	ctd_executables_free(executables);
	return 0;
}
