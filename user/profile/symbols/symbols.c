/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* symbols.c - functions by address: of an ELF file, of the kernel, or of code that a JIT made. */
#include "profile/symbols/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"

/* Functions may lie in another, as labels in assembly do: so many are looked through for an outer
 * one. */
#define NESTED_MAX 8

int ctd_symbols_reader_add(struct ctd_symbols_reader *reader, struct ctd_read_symbol symbol)
{
	struct ctd_read_symbol *grown;
	size_t wanted;

	if (reader->count == CTD_SYMBOLS_MAX) {
		reader->dropped++;
		return 0;
	}
	if (reader->count == reader->capacity) {
		wanted = reader->capacity ? 2 * reader->capacity : 256;
		grown = reallocarray(reader->symbols, wanted, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		reader->symbols = grown;
		reader->capacity = wanted;
	}
	if (symbol.name_bytes > CTD_SYMBOL_NAME_MAX)
		symbol.name_bytes = CTD_SYMBOL_NAME_MAX;
	reader->symbols[reader->count++] = symbol;
	return 0;
}

void ctd_symbols_reader_free(struct ctd_symbols_reader *reader)
{
	free(reader->symbols);
	*reader = (struct ctd_symbols_reader){0};
}

/* By start; at one start the best name first. */
static int compare(const void *left, const void *right)
{
	const struct ctd_read_symbol *a = left, *b = right;
	uint32_t bytes;
	int order;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (!a->name != !b->name)
		return a->name ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	if (!a->name)
		return 0;
	bytes = a->name_bytes < b->name_bytes ? a->name_bytes : b->name_bytes;
	order = memcmp(a->name, b->name, bytes);
	return order ? order : (a->name_bytes > b->name_bytes) - (a->name_bytes < b->name_bytes);
}

/* Leaves each start once, without the nameless ones that are in a named one. */
static void merge(struct ctd_symbols_reader *reader)
{
	struct ctd_read_symbol *symbols = reader->symbols;
	uint64_t named_end = 0;
	size_t count = 0;

	for (size_t i = 0; i < reader->count; i++) {
		const struct ctd_read_symbol *symbol = &symbols[i];

		if (count && symbols[count - 1].start == symbol->start) {
			if (!symbols[count - 1].bytes)
				symbols[count - 1].bytes = symbol->bytes;
			continue;
		}
		if (!symbol->name && symbol->start < named_end)
			continue;
		symbols[count++] = *symbol;
		if (symbol->name && symbol->start + symbol->bytes > named_end)
			named_end = symbol->start + symbol->bytes;
	}
	reader->count = count;
}

static size_t text_bytes(const struct ctd_symbols_reader *reader)
{
	size_t bytes = 1; /* offset 0 is no name */

	for (size_t i = 0; i < reader->count; i++)
		if (reader->symbols[i].name)
			bytes += reader->symbols[i].name_bytes + 1;
	return bytes < CTD_SYMBOL_NAMES_MAX ? bytes : CTD_SYMBOL_NAMES_MAX;
}

static void copy_name(struct ctd_symbols *symbols, const struct ctd_read_symbol *from,
		      size_t capacity, uint32_t *ret_name)
{
	*ret_name = 0;
	if (!from->name)
		return;
	if (capacity - symbols->names_bytes < from->name_bytes + 1) {
		symbols->dropped++;
		return;
	}
	*ret_name = (uint32_t)symbols->names_bytes;
	memcpy(symbols->names + symbols->names_bytes, from->name, from->name_bytes);
	symbols->names_bytes += from->name_bytes;
	symbols->names[symbols->names_bytes++] = '\0';
}

int ctd_symbols_make(struct ctd_symbols_reader *reader, uint64_t end,
		     struct ctd_symbols *ret_symbols)
{
	struct ctd_symbols symbols = {.names_bytes = 1};
	size_t capacity;

	if (reader->count)
		qsort(reader->symbols, reader->count, sizeof(*reader->symbols), compare);
	merge(reader);
	capacity = text_bytes(reader);
	symbols.dropped = reader->dropped;
	symbols.names = malloc(capacity);
	symbols.symbols = calloc(reader->count + 1, sizeof(*symbols.symbols));
	if (!symbols.names || !symbols.symbols) {
		ctd_symbols_free(&symbols);
		return -ENOMEM;
	}
	symbols.names[0] = '\0';
	for (size_t i = 0; i < reader->count; i++) {
		const struct ctd_read_symbol *from = &reader->symbols[i];
		struct ctd_symbol *symbol = &symbols.symbols[symbols.symbols_count++];
		uint64_t next = i + 1 < reader->count ? reader->symbols[i + 1].start : end;
		uint64_t bytes = next > from->start ? next - from->start : 1;

		symbol->start = from->start;
		symbol->bytes = from->bytes	     ? from->bytes
				: bytes < UINT32_MAX ? (uint32_t)bytes
						     : UINT32_MAX;
		copy_name(&symbols, from, capacity, &symbol->name);
	}
	*ret_symbols = symbols;
	return 0;
}

int ctd_symbols_find(const struct ctd_symbols *symbols, uint64_t address, const char **ret_name,
		     uint64_t *ret_start)
{
	size_t first = ctd_search_up_to(symbols->symbols, symbols->symbols_count,
					sizeof(*symbols->symbols), address);

	for (size_t i = 0; i < NESTED_MAX && i < first; i++) {
		const struct ctd_symbol *symbol = &symbols->symbols[first - 1 - i];

		if (address - symbol->start >= symbol->bytes)
			continue;
		*ret_name = symbols->names + symbol->name;
		*ret_start = symbol->start;
		return 1;
	}
	return 0;
}

size_t ctd_symbols_bytes(const struct ctd_symbols *symbols)
{
	return symbols->symbols_count * sizeof(*symbols->symbols) + symbols->names_bytes;
}

void ctd_symbols_free(struct ctd_symbols *symbols)
{
	if (!symbols)
		return;
	free(symbols->symbols);
	free(symbols->names);
	*symbols = (struct ctd_symbols){0};
}
