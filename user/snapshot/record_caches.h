/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_caches.h - the block of where rows ran, by caches, ahead of the snapshot. */
#ifndef SNAPSHOT_RECORD_CACHES_H
#define SNAPSHOT_RECORD_CACHES_H

#include "record_held.h"

/* Size of the payload. */
uint64_t ctd_record_caches_bytes(const struct ctd_snapshot *snapshot);
void ctd_record_put_caches(struct ctd_record_cursor *cursor, const struct ctd_snapshot *snapshot);

/* The snapshot, whose rows are there, gets what is held for it. @return 0, -ENOMEM, or -EBADMSG: it
 * is of none, or damaged. */
int ctd_record_take_caches(struct ctd_record_held *held, struct ctd_snapshot *snapshot);

#endif
