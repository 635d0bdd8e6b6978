/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_waits.h - the block of a snapshot's waits, ahead of the snapshot. */
#ifndef SNAPSHOT_RECORD_WAITS_H
#define SNAPSHOT_RECORD_WAITS_H

#include "record_held.h"

/* Size of the payload. */
uint64_t ctd_record_waits_bytes(const struct ctd_snapshot *snapshot);
void ctd_record_put_waits(struct ctd_record_cursor *cursor, const struct ctd_snapshot *snapshot);

/* The snapshot gets what is held for it. @return 0, -ENOMEM, or -EBADMSG: it is of none, or
 * damaged. */
int ctd_record_take_waits(struct ctd_record_held *held, struct ctd_snapshot *snapshot);

#endif
