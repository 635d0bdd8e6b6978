/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_process_text.c - no perf map, kallsyms, maps or mangled name breaks its parser. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "profile/process/maps.h"
#include "profile/symbols/demangle.h"
#include "profile/symbols/text_lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void check_symbols(const struct ctd_symbols *symbols)
{
	static struct ctd_symbol_text text;

	for (size_t i = 0; i < symbols->symbols_count; i++) {
		const struct ctd_symbol *symbol = &symbols->symbols[i];

		assert(i == 0 || symbols->symbols[i - 1].start < symbol->start);
		assert(ctd_symbols_find(symbols, symbol->start) == symbol);
		assert(!strchr(ctd_symbols_name(symbols, symbol, &text), '\n'));
	}
}

static void check_maps(const char *text)
{
	const char *cursor = text;
	struct ctd_map map;

	while (ctd_maps_next(&cursor, &map)) {
		assert(map.start < map.end);
		assert(memchr(map.path, '\0', sizeof(map.path)));
	}
	assert(!*cursor);
}

static void check_demangle(const char *name)
{
	auto_ctd_strbuf struct ctd_strbuf buffer = {0};

	ctd_demangle(&buffer, name);
	assert(buffer.bytes <= CTD_DEMANGLED_MAX);
	assert(!buffer.text || !strchr(buffer.text, '\n'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	autofree char *text = malloc(bytes + 1);
	struct ctd_symbols symbols;

	if (!text)
		return 0;
	memcpy(text, data, bytes);
	text[bytes] = '\0';
	if (!ctd_perf_map_parse(text, bytes, &symbols)) {
		check_symbols(&symbols);
		ctd_symbols_free(&symbols);
	}
	if (!ctd_kallsyms_parse(text, bytes, &symbols)) {
		check_symbols(&symbols);
		ctd_symbols_free(&symbols);
	}
	check_maps(text);
	check_demangle(text);
	return 0;
}
