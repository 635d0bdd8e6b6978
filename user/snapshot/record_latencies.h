/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_latencies.h - the block of how long events took to retire, ahead of the snapshot. */
#ifndef SNAPSHOT_RECORD_LATENCIES_H
#define SNAPSHOT_RECORD_LATENCIES_H

#include "record_held.h"

/* Size of the payload. */
uint64_t ctd_record_latencies_bytes(const struct ctd_snapshot *snapshot);
void ctd_record_put_latencies(struct ctd_record_cursor *cursor,
			      const struct ctd_snapshot *snapshot);
/* The snapshot gets what is held for it. @return 0, or -EBADMSG: it is of none, or damaged. */
int ctd_record_take_latencies(struct ctd_record_held *held, struct ctd_snapshot *snapshot);

#endif
