/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* frame.h - one interval of the history. Private to user/top/. */
#ifndef TOP_FRAME_H
#define TOP_FRAME_H

#include "top/history.h"

/* Takes interval and identities over, also where it fails. @return NULL without memory. */
struct ctd_top_frame *ctd_top_frame_new(const struct ctd_rollup_plan *plan,
					struct ctd_interval *interval,
					struct ctd_identities *identities);
/* Keeps a copy of @p nodes, and counts its bytes. @return 0 or -ENOMEM. */
int ctd_top_frame_tell_nodes(struct ctd_top_frame *frame, const struct ctd_top_nodes *nodes);
void ctd_top_frame_free(struct ctd_top_frame *frame);
/* Adds @p frame to @p next, which begins where it ends, and frees it. Where they are of different
 * plans, or names, only @p next is left. */
void ctd_top_frame_join(struct ctd_top_frame *frame, struct ctd_top_frame *next);

#endif
