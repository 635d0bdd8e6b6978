/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* subtract.h - what each row of a view did since an earlier one. Private to user/remote/. */
#ifndef REMOTE_SUBTRACT_H
#define REMOTE_SUBTRACT_H

#include "remote/view.h"

struct ctd_remote_difference {
	struct ctd_remote_total *rows; /* owned; of each row of the later view */
	/* Of each core type: rows of kind other, and what is in no row any more. */
	struct ctd_remote_total other[CTD_CORE_TYPES_MAX];
};

/* Rows of kind other are 0: they are in `other`. @return 0 or -ENOMEM. */
int ctd_remote_subtract(const struct ctd_remote_view *before, const struct ctd_remote_view *after,
			struct ctd_remote_difference *ret_difference);
/* From one length of time to another; from 0 to any is no change. */
struct ctd_remote_ratio {
	uint64_t to, from;
};
/* Rounds down. */
uint64_t ctd_remote_scale(uint64_t figure, const struct ctd_remote_ratio *ratio);
/* What it would be in another time, at the same pace. */
void ctd_remote_difference_scale(struct ctd_remote_difference *difference, size_t rows_count,
				 const struct ctd_remote_ratio *ratio);
void ctd_remote_difference_free(struct ctd_remote_difference *difference);

#endif
