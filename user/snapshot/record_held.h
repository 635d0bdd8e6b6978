/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_held.h - the payload of a block that belongs to the snapshot behind it. */
#ifndef SNAPSHOT_RECORD_HELD_H
#define SNAPSHOT_RECORD_HELD_H

#include "record_block.h"

/* Held until that snapshot is read: it says what there can be. */
struct ctd_record_held {
	unsigned char *payload; /* owned */
	size_t bytes; /* 0: none */
};
/* @return 0 or -ENOMEM. */
int ctd_record_hold(const struct ctd_record_block *block, struct ctd_record_held *held);

#endif
