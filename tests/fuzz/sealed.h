/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sealed.h - reads bytes as they are, and once more with right checksums in each block. */
#ifndef FUZZ_SEALED_H
#define FUZZ_SEALED_H

#include <stdlib.h>
#include <string.h>

#include "../unit/snapshot/recording.h"
#include "base/auto.h"

/* Wrong checksums hide everything behind them from a fuzzer. */
static void read_sealed_too(const uint8_t *data, size_t bytes,
			    void (*read)(const uint8_t *data, size_t bytes))
{
	autofree uint8_t *sealed = malloc(bytes + 1);
	size_t whole;

	if (!sealed)
		return;
	read(data, bytes);
	memcpy(sealed, data, bytes);
	for (size_t offset = CTD_RECORD_PROLOGUE_BYTES;
	     (whole = block_bytes(sealed, bytes, offset)) > 0; offset += whole)
		seal_block(sealed, bytes, offset);
	read(sealed, bytes);
}

#endif
