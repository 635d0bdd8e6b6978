/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_remote_refusal.c - no answer of an API server breaks the reader of its refusals. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "remote/refusal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char why[CTD_REMOTE_WHY_BYTES] = "";

	if (ctd_remote_refusal_read((const char *)data, bytes, why))
		assert(*why && memchr(why, '\0', sizeof(why)));
	return 0;
}
