/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_accept.c - whatever the header, there is a format; OpenMetrics only for who names it. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cgtopdown/export.h>

#include "base/auto.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	autofree char *accept = malloc(bytes + 1);
	enum ctd_exposition chosen;

	if (!accept)
		return 0;
	memcpy(accept, data, bytes);
	accept[bytes] = '\0';
	chosen = ctd_exposition_choose(accept);
	assert(chosen == CTD_PROMETHEUS_TEXT ||
	       (chosen == CTD_OPENMETRICS_TEXT &&
		strcasestr(accept, "application/openmetrics-text")));
	return 0;
}
