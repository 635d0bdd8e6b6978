/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_accept.c - whatever the header, OpenMetrics and gzip are for clients that ask for them. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "serve/http/accept.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	autofree char *accept = malloc(bytes + 1);

	if (!accept)
		return 0;
	memcpy(accept, data, bytes);
	accept[bytes] = '\0';
	assert(!ctd_accepts_openmetrics(accept) ||
	       strcasestr(accept, "application/openmetrics-text"));
	assert(!ctd_accepts_gzip(accept) || strcasestr(accept, "gzip") || strchr(accept, '*'));
	return 0;
}
