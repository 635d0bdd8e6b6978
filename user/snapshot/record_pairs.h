/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_pairs.h - the block of which cgroups waited behind which, ahead of the snapshot. */
#ifndef SNAPSHOT_RECORD_PAIRS_H
#define SNAPSHOT_RECORD_PAIRS_H

#include "record_held.h"

/* Size of the payload. */
uint64_t ctd_record_pairs_bytes(const struct ctd_snapshot *snapshot);
void ctd_record_put_pairs(struct ctd_record_cursor *cursor, const struct ctd_snapshot *snapshot);
/* The snapshot gets what is held for it. @return 0, -ENOMEM, or -EBADMSG: it is of none, or
 * damaged. */
int ctd_record_take_pairs(struct ctd_record_held *held, struct ctd_snapshot *snapshot);

#endif
