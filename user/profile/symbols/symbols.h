/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* symbols.h - functions by address: of an ELF file, of the kernel, or of code that a JIT made. */
#ifndef PROFILE_SYMBOLS_SYMBOLS_H
#define PROFILE_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/symbols/symbol_names.h"

struct ctd_symbols {
	struct ctd_symbol {
		uint64_t start;
		uint32_t bytes;
		uint32_t name; /* where it is in the names; 0: it has none */
	} * symbols; /* owned; by start, each start once */
	size_t symbols_count;
	struct ctd_symbol_names names; /* as in the file, mangled and in any bytes but NUL */
	size_t dropped; /* symbols for which there was no room, as far as they were read */
};

/* The function at an address, or NULL. */
const struct ctd_symbol *ctd_symbols_find(const struct ctd_symbols *symbols, uint64_t address);
/* The name of one of these, in @p text; "": it has none. */
const char *ctd_symbols_name(const struct ctd_symbols *symbols, const struct ctd_symbol *symbol,
			     struct ctd_symbol_text *text);
/* Memory that they take. */
size_t ctd_symbols_bytes(const struct ctd_symbols *symbols);
void ctd_symbols_free(struct ctd_symbols *symbols);
#define auto_ctd_symbols __attribute__((cleanup(ctd_symbols_free)))

/* Symbols in any order, of which those that are found by address are made. Begin with {0}. */
struct ctd_symbols_reader {
	struct ctd_read_symbol {
		uint64_t start;
		uint32_t bytes; /* 0: up to the next one */
		uint32_t rank; /* of several with one start the name of the largest is taken */
		const char *name; /* borrowed; NULL: only the function is known */
		uint32_t name_bytes;
	} * symbols; /* owned */
	size_t count, capacity;
	size_t dropped; /* from the first one on, nothing more is kept */
};

/* At most so many, and so much text before it is compressed: more is counted. */
#define CTD_SYMBOLS_MAX (1 << 20)
#define CTD_SYMBOL_NAMES_MAX (32 << 20)

/* @return 0 or -ENOMEM. */
int ctd_symbols_reader_add(struct ctd_symbols_reader *reader, struct ctd_read_symbol symbol);
/* @p end: where the last one ends if it does not say. @return 0 or -ENOMEM. */
int ctd_symbols_make(struct ctd_symbols_reader *reader, uint64_t end,
		     struct ctd_symbols *ret_symbols);
void ctd_symbols_reader_free(struct ctd_symbols_reader *reader);
#define auto_ctd_symbols_reader __attribute__((cleanup(ctd_symbols_reader_free)))

#endif
