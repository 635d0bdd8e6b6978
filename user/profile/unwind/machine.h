/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* machine.h - the numbers that DWARF gives the registers by which stacks are unwound. */
#ifndef PROFILE_UNWIND_MACHINE_H
#define PROFILE_UNWIND_MACHINE_H

#include <stdint.h>

struct ctd_unwind_machine {
	uint8_t sp, fp;
	uint8_t return_address;
	uint8_t registers; /* general-purpose ones: 0 to this, without it */
};

/* Of an ELF file's e_machine. @return NULL for those whose stacks are not unwound. */
const struct ctd_unwind_machine *ctd_unwind_machine(uint16_t elf_machine);

#endif
