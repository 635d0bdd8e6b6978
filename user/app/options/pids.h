/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pids.h - a list of processes, "12,345". */
#ifndef OPTIONS_PIDS_H
#define OPTIONS_PIDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CTD_PIDS_MAX 64

struct ctd_pids {
	uint32_t pids[CTD_PIDS_MAX];
	size_t count;
};

/* @return 0, -ENOMEM, or -EINVAL: it is no such list, or a longer one. */
int ctd_pids_parse(const char *text, struct ctd_pids *ret_pids);
bool ctd_pids_have(const struct ctd_pids *pids, uint32_t pid);

#endif
