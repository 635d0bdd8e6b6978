/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* kernel.h - the kernel's functions, read again when modules come and go. */
#ifndef PROFILE_SYMBOLS_KERNEL_H
#define PROFILE_SYMBOLS_KERNEL_H

#include "profile/symbols/symbols.h"

/* Begin with {0}. */
struct ctd_kernel_symbols {
	struct ctd_symbols symbols; /* owned */
	uint64_t modules; /* a hash of which there are, and where */
	uint64_t look_ns; /* when to look at them again */
	/* Stays open: what addresses it shows is decided when it is opened, before privileges are
	 * given up. */
	int fd; /* owned, if is_open */
	bool is_open, is_read;
};

/* Reads them the first time, and when there are other modules than before, at which it looks every
 * ten seconds. Without the right to see addresses, functions have no names. @return 0 or -ENOMEM. */
int ctd_kernel_symbols_follow(struct ctd_kernel_symbols *kernel, uint64_t now_ns);
void ctd_kernel_symbols_free(struct ctd_kernel_symbols *kernel);

#endif
