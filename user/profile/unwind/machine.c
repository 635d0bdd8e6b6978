/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* machine.c - the numbers that DWARF gives the registers by which stacks are unwound. */
#include "profile/unwind/machine.h"

#include <elf.h>
#include <stddef.h>

const struct ctd_unwind_machine *ctd_unwind_machine(uint16_t elf_machine)
{
	/* System V ABI, AMD64 supplement, figure 3.36. */
	static const struct ctd_unwind_machine x86_64 = {
		.sp = 7, .fp = 6, .return_address = 16, .registers = 16};
	/* DWARF for the Arm 64-bit Architecture, 4.1. */
	static const struct ctd_unwind_machine arm64 = {
		.sp = 31, .fp = 29, .return_address = 30, .registers = 31};

	switch (elf_machine) {
	case EM_X86_64:
		return &x86_64;
	case EM_AARCH64:
		return &arm64;
	default:
		return NULL;
	}
}
