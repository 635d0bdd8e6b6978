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

/* The text of all names, as it is put together. */
struct text {
	char *names; /* owned */
	size_t bytes, capacity;
};

static void text_free(struct text *text)
{
	free(text->names);
}

/* @return where it is in the text, or 0: there is no room for it. */
static uint32_t copy_name(struct text *text, const struct ctd_read_symbol *from)
{
	size_t at = text->bytes;

	if (text->capacity - at < from->name_bytes + 1)
		return 0;
	memcpy(text->names + at, from->name, from->name_bytes);
	text->bytes += from->name_bytes;
	text->names[text->bytes++] = '\0';
	return (uint32_t)at;
}

/* To the begin of the next one, where it does not say how long it is. */
static uint32_t bytes_of(const struct ctd_symbols_reader *reader, size_t i, uint64_t end)
{
	const struct ctd_read_symbol *symbol = &reader->symbols[i];
	uint64_t next = i + 1 < reader->count ? symbol[1].start : end;
	uint64_t bytes = next > symbol->start ? next - symbol->start : 1;

	if (symbol->bytes)
		return symbol->bytes;
	return bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
}

int ctd_symbols_make(struct ctd_symbols_reader *reader, uint64_t end,
		     struct ctd_symbols *ret_symbols)
{
	__attribute__((cleanup(text_free))) struct text text = {.bytes = 1};
	struct ctd_symbols symbols = {0};

	if (reader->count)
		qsort(reader->symbols, reader->count, sizeof(*reader->symbols), compare);
	merge(reader);
	text.capacity = text_bytes(reader);
	symbols.dropped = reader->dropped;
	text.names = malloc(text.capacity);
	symbols.symbols = calloc(reader->count + 1, sizeof(*symbols.symbols));
	if (!text.names || !symbols.symbols) {
		ctd_symbols_free(&symbols);
		return -ENOMEM;
	}
	text.names[0] = '\0';
	for (size_t i = 0; i < reader->count; i++) {
		const struct ctd_read_symbol *from = &reader->symbols[i];
		struct ctd_symbol *symbol = &symbols.symbols[symbols.symbols_count++];

		symbol->start = from->start;
		symbol->bytes = bytes_of(reader, i, end);
		symbol->name = from->name ? copy_name(&text, from) : 0;
		symbols.dropped += from->name && !symbol->name;
	}
	if (ctd_symbol_names_pack(text.names, text.bytes, &symbols.names)) {
		ctd_symbols_free(&symbols);
		return -ENOMEM;
	}
	*ret_symbols = symbols;
	return 0;
}

const struct ctd_symbol *ctd_symbols_find(const struct ctd_symbols *symbols, uint64_t address)
{
	size_t first = ctd_search_up_to(symbols->symbols, symbols->symbols_count,
					sizeof(*symbols->symbols), address);

	for (size_t i = 0; i < NESTED_MAX && i < first; i++) {
		const struct ctd_symbol *symbol = &symbols->symbols[first - 1 - i];

		if (address - symbol->start < symbol->bytes)
			return symbol;
	}
	return NULL;
}

const char *ctd_symbols_name(const struct ctd_symbols *symbols, const struct ctd_symbol *symbol,
			     struct ctd_symbol_text *text)
{
	return symbol->name ? ctd_symbol_names_at(&symbols->names, symbol->name, text) : "";
}

size_t ctd_symbols_bytes(const struct ctd_symbols *symbols)
{
	return symbols->symbols_count * sizeof(*symbols->symbols) +
	       ctd_symbol_names_bytes(&symbols->names);
}

void ctd_symbols_free(struct ctd_symbols *symbols)
{
	if (!symbols)
		return;
	free(symbols->symbols);
	ctd_symbol_names_free(&symbols->names);
	*symbols = (struct ctd_symbols){0};
}
