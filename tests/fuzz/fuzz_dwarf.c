/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_dwarf.c - no debugging information breaks what walks it, with libdw. */
#include <assert.h>
#include <errno.h>
#include <libelf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "profile/lines/dwarf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	autofree char *image = malloc(bytes + 1);
	auto_ctd_lines struct ctd_lines lines = {0};
	uint64_t addresses[256];
	Elf *elf;
	int error;

	if (!image)
		return 0;
	memcpy(image, data, bytes);
	elf_version(EV_CURRENT);
	elf = elf_memory(image, bytes);
	for (uint64_t i = 0; i < 256; i++)
		addresses[i] = 0x1000 + 8 * i;
	if (elf) {
		error = ctd_dwarf_find(elf, addresses, 256, &lines);
		assert(!error || error == -ENOMEM || error == -E2BIG || error == -ENOEXEC);
	}
	for (size_t i = 0; i < lines.chains_count; i++)
		assert(lines.chains[i].key < 256 && lines.chains[i].count);
	elf_end(elf);
	return 0;
}
