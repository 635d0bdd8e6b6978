/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_line_table.c - no .debug_line breaks its reader, or tells of lines where there is no code. */
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "profile/lines/line_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	/* Its texts may be anywhere in it, too. */
	const struct ctd_bytes all = {.at = data, .end = data + bytes};
	const struct ctd_line_sections sections = {.line = all, .line_str = all, .str = all};
	const struct ctd_code code = {.start = 0x1000, .end = 0x2000};
	struct ctd_line_row rows[64] = {0};
	struct ctd_line_table table;
	char path[256];
	int error = ctd_line_table_open(&sections, 0, "/unit", &table);

	assert(!error || error == -EBADMSG || error == -ENOMEM);
	if (error)
		return 0;
	for (uint64_t i = 0; i < 64; i++)
		rows[i].address = 0x800 + i * 0x40;
	ctd_line_table_find(&table, &code, rows, 64);
	for (size_t i = 0; i < 64; i++) {
		assert(!rows[i].line || ctd_code_begins(&code, rows[i].sequence));
		if (rows[i].line && ctd_line_table_path(&table, rows[i].file, sizeof(path), path))
			assert(strnlen(path, sizeof(path)) < sizeof(path));
	}
	ctd_line_table_close(&table);
	return 0;
}
