/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* keeper.h - keeps a history's directory within its size: recent times fine, older ones coarser. */
#ifndef SERVE_HISTORY_KEEPER_H
#define SERVE_HISTORY_KEEPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "history/parts.h"

/* So many steps there are: see keeper.c. */
#define CTD_HISTORY_TIERS 4
/* Of more files than this, as of a program that is started again and again, some are put together:
 * a reader opens all at once. */
#define CTD_KEEPER_PARTS_MAX 200
/* Files grow with the size that all may have, and one of them is in memory while it is put together
 * with another: here they have 40 MB, of the 512 MB that unit and chart let serve have. */
#define CTD_KEEPER_MB_MAX 4000

/* For one thread. Start from ctd_keeper_init(). */
struct ctd_keeper {
	const char *path; /* borrowed; of the directory */
	uint64_t bytes_max;
	int directory_fd; /* owned; -1: not open */
	uint32_t boot;
	struct ctd_part *parts; /* owned; by their numbers */
	size_t parts_count;
	uint64_t bytes; /* of all that are not left */
	int fd; /* owned; of the newest part, which is written; -1: none */
	bool told[CTD_HISTORY_TIERS]; /* that the tier is shorter than it should be */
	bool full; /* older times are coarser than they were counted: it was said */
	int stuck; /* why there could be made no room, which was said; 0: there could */
	uint64_t tried_ns; /* when that was tried last */
};

/* How large a segment grows before the next one begins. */
uint64_t ctd_keeper_segment_bytes(uint64_t bytes_max);
/* In what steps a serve counts whose intervals are so long, in seconds. */
uint32_t ctd_keeper_step_s(uint64_t interval_ns);

void ctd_keeper_init(const char *path, uint64_t bytes_max, struct ctd_keeper *ret_keeper);
/* Lists what is there, takes away what a killed writer left, and says what there is. Is done by the
 * first append, too. Logs, but for what it returns. @return 0 or negative errno. */
int ctd_keeper_open(struct ctd_keeper *keeper);
/*
 * Appends whole blocks of a segment, of intervals up to @p end_ns; @p begins: of a new one, in
 * steps of @p step_s. Then makes room where that is needed. Logs, but for what it returns. @return
 * 0, or negative errno: nothing was appended.
 */
int ctd_keeper_append(struct ctd_keeper *keeper, bool begins, uint32_t step_s, uint64_t begin_ns,
		      uint64_t end_ns, const void *data, size_t bytes);
void ctd_keeper_close(struct ctd_keeper *keeper);

#endif
