/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_held.c - keeps a payload for the snapshot behind it. */
#include "record_held.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int ctd_record_hold(const struct ctd_record_block *block, struct ctd_record_held *held)
{
	unsigned char *payload = realloc(held->payload, block->head.bytes + 1);

	if (!payload)
		return -ENOMEM;
	memcpy(payload, block->payload, block->head.bytes);
	held->payload = payload;
	held->bytes = block->head.bytes;
	return 0;
}
