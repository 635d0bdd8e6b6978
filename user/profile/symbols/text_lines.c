/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* text_lines.c - the functions that files of text list: kallsyms, and the maps that JITs write for
 * perf. */
#include "profile/symbols/text_lines.h"

#include <string.h>

/* The last one of the kernel or of modules ends nowhere, and code of BPF programs may follow. */
#define KERNEL_FUNCTION_BYTES_MAX (1 << 20)

struct text {
	const char *at, *end;
};

/* The next line without its end. @return whether there is one. */
static bool next_line(struct text *text, struct text *ret_line)
{
	const char *newline;

	if (text->at == text->end)
		return false;
	newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
	*ret_line = (struct text){text->at, newline ? newline : text->end};
	text->at = newline ? newline + 1 : text->end;
	return true;
}

/* Digits in base 16, behind "0x" or not, and the blank behind them. @return whether they are there.
 */
static bool take_number(struct text *line, uint64_t *ret_number)
{
	uint64_t number = 0;
	unsigned int digits = 0;

	/* The JVM writes it. */
	if (line->end - line->at > 2 && !memcmp(line->at, "0x", 2))
		line->at += 2;
	for (; line->at < line->end && *line->at != ' '; line->at++) {
		char c = *line->at;
		unsigned int digit = c >= '0' && c <= '9'   ? (unsigned int)(c - '0')
				     : c >= 'a' && c <= 'f' ? (unsigned int)(c - 'a') + 10
				     : c >= 'A' && c <= 'F' ? (unsigned int)(c - 'A') + 10
							    : 16;

		if (digit == 16 || ++digits > 16)
			return false;
		number = number << 4 | digit;
	}
	if (!digits || line->at == line->end)
		return false;
	line->at++;
	*ret_number = number;
	return true;
}

static int add(struct ctd_symbols_reader *reader, uint64_t start, uint64_t bytes, uint32_t rank,
	       struct text name)
{
	const char *nul = memchr(name.at, '\0', (size_t)(name.end - name.at));
	size_t name_bytes = (size_t)((nul ? nul : name.end) - name.at);

	if (!name_bytes || start + bytes < start)
		return 0;
	return ctd_symbols_reader_add(
		reader,
		(struct ctd_read_symbol){
			.start = start,
			.bytes = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX,
			.rank = rank,
			.name = name.at,
			.name_bytes = name_bytes < CTD_SYMBOL_NAME_MAX ? (uint32_t)name_bytes
								       : CTD_SYMBOL_NAME_MAX,
		});
}

/* Keeps functions, none larger than may be. */
static void leave_out_data(struct ctd_symbols *symbols)
{
	size_t kept = 0;

	for (size_t i = 0; i < symbols->symbols_count; i++) {
		struct ctd_symbol symbol = symbols->symbols[i];

		if (!symbol.name)
			continue;
		if (symbol.bytes > KERNEL_FUNCTION_BYTES_MAX)
			symbol.bytes = KERNEL_FUNCTION_BYTES_MAX;
		symbols->symbols[kept++] = symbol;
	}
	symbols->symbols_count = kept;
}

/* Lines have no sizes: a function ends where the next symbol begins, which may be data. */
int ctd_kallsyms_parse(const char *text, size_t bytes, struct ctd_symbols *ret_symbols)
{
	auto_ctd_symbols_reader struct ctd_symbols_reader reader = {0};
	struct text all = {text, text + bytes}, line;
	int err = 0;

	while (!err && next_line(&all, &line)) {
		uint64_t start;
		char type;

		/* "ffffffff81000000 T name [module]" */
		if (!take_number(&line, &start) || !start || line.end - line.at < 3 ||
		    line.at[1] != ' ')
			continue;
		type = line.at[0];
		if (!memchr("tTwW", type, 4)) {
			err = ctd_symbols_reader_add(&reader,
						     (struct ctd_read_symbol){.start = start});
			continue;
		}
		line.at += 2;
		if (memchr(line.at, '\t', (size_t)(line.end - line.at)))
			line.end = memchr(line.at, '\t', (size_t)(line.end - line.at));
		err = add(&reader, start, 0, type == 'T', line);
	}
	if (!err)
		err = ctd_symbols_make(&reader, UINT64_MAX, ret_symbols);
	if (!err)
		leave_out_data(ret_symbols);
	return err;
}

int ctd_perf_map_parse(const char *text, size_t bytes, struct ctd_symbols *ret_symbols)
{
	auto_ctd_symbols_reader struct ctd_symbols_reader reader = {0};
	struct text all = {text, text + bytes}, line;
	uint32_t number = 0;
	int err = 0;

	while (!err && next_line(&all, &line)) {
		uint64_t start, length;

		if (take_number(&line, &start) && take_number(&line, &length) && length)
			err = add(&reader, start, length, number++, line);
	}
	return err ? err : ctd_symbols_make(&reader, UINT64_MAX, ret_symbols);
}
