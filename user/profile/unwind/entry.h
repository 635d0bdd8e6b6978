/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* entry.h - the entries of .eh_frame: common ones (CIE) and those of functions (FDE). */
#ifndef PROFILE_UNWIND_ENTRY_H
#define PROFILE_UNWIND_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/elf/bytes.h"

/* .eh_frame as bytes; `address` is that of the section. */
struct ctd_eh_frame {
	struct ctd_bytes section;
	uint64_t cie_at; /* offset of `cie`; UINT64_MAX: none was read */
	struct ctd_cie {
		uint64_t code_align;
		int64_t data_align;
		uint8_t return_address; /* number of the register */
		uint8_t pointer_encoding;
		bool augmented; /* functions' entries have a length of augmentation, too */
		bool signal_frame;
		struct ctd_bytes instructions;
	} cie; /* the last one: most functions of a file share theirs */
	int cie_err;
};

struct ctd_fde {
	struct ctd_cie cie;
	uint64_t start, end; /* addresses as the file counts them */
	struct ctd_bytes instructions;
};

void ctd_eh_frame_begin(struct ctd_eh_frame *frame, const void *section, size_t bytes,
			uint64_t address);
/* The next function. @return 1, 0 at the end, or -EBADMSG if this one cannot be read: ask on. */
int ctd_eh_frame_next(struct ctd_eh_frame *frame, struct ctd_bytes *cursor,
		      struct ctd_fde *ret_fde);

#endif
