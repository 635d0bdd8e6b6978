/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* read.c - reads tables and functions of an executable. */
#include "profile/executable/read.h"

#include <errno.h>

#include "base/auto.h"
#include "profile/symbols/elf_symbols.h"

static int read_table(const struct ctd_elf_parts *parts, size_t rules_of_owner,
		      struct ctd_unwind_rules *rules, struct ctd_unwind_table *ret_table)
{
	const struct ctd_elf *file = parts->file;
	struct ctd_unwind_source source = {
		.machine = ctd_unwind_machine(file->machine),
		.eh_frame_bytes = parts->frame.count,
		.eh_frame_address = parts->frame.address,
		.code_start = file->code_start,
		.code_end = file->code_end,
		.rules_of_owner = rules_of_owner,
	};
	autofree void *frame = NULL;
	int err;

	if (!parts->frame.count)
		return -ENODATA;
	if (!source.machine)
		return -ENOTSUP;
	err = ctd_elf_section_copy(file, &parts->frame, &frame);
	if (err)
		return err;
	source.eh_frame = frame;
	return ctd_unwind_table_make(&source, rules, ret_table);
}

int ctd_executable_read(const struct ctd_elf_parts *parts, size_t rules_of_owner,
			struct ctd_unwind_rules *rules, struct ctd_executable *executable)
{
	if (read_table(parts, rules_of_owner, rules, &executable->table) == -ENOMEM)
		return -ENOMEM;
	if (ctd_elf_symbols_read(parts, &executable->symbols)) {
		ctd_executable_drop(executable, rules);
		return -ENOMEM;
	}
	return 0;
}

void ctd_executable_drop(struct ctd_executable *executable, struct ctd_unwind_rules *rules)
{
	struct ctd_unwind_table *table = &executable->table;

	if (table->rules_count)
		ctd_unwind_rules_release(rules, table->rules, table->rules_count);
	ctd_unwind_table_free(table);
	ctd_symbols_free(&executable->symbols);
}

size_t ctd_executable_bytes(const struct ctd_executable *executable)
{
	const struct ctd_unwind_table *table = &executable->table;

	return table->words_count * sizeof(*table->words) +
	       table->rules_count * sizeof(*table->rules) + ctd_symbols_bytes(&executable->symbols);
}

void ctd_executable_shrink(struct ctd_executable *executable, size_t bytes_max)
{
	if (ctd_executable_bytes(executable) > bytes_max)
		ctd_symbols_free(&executable->symbols);
}
