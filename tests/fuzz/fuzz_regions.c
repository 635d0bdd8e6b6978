/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_regions.c - nothing that a program has in the memory of its regions breaks its reader. */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "regions/sums.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void use(const struct ctd_region_sums *sums)
{
	for (size_t i = 0; i < sums->count; i++) {
		double ratio[CTD_REGION_NODES];
		struct ctd_regions_totals growth;
		int known;

		ctd_region_sum_growth(&sums->items[i], &growth);
		known = ctd_region_ratios(&growth, ratio);
		assert(*sums->items[i].name);
		assert(known == 0 || known == 4 || known == CTD_REGION_NODES);
		for (int n = 0; n < known; n++)
			assert(ratio[n] >= 0 && ratio[n] <= 1);
		assert(known || isnan(ratio[0]));
		(void)ctd_region_error_ratio(&growth);
	}
}

/* The first byte says how much changes between two readings. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	size_t rest = bytes > 1 ? bytes - 1 : 0;
	autofree uint8_t *memory = malloc(rest + 1);
	char why[CTD_REGION_REFUSAL_BYTES] = "";
	struct ctd_region_sums sums = {0};
	struct ctd_regions_header header;
	int error;

	if (!memory)
		return 0;
	memcpy(memory, data + (bytes > 1), rest);
	error = ctd_region_memory_check(memory, rest, &header, why);
	assert(!error || *why);
	for (int reading = 0; !error && reading < 2; reading++) {
		error = ctd_region_sums_read(&sums, memory, rest, CTD_REGIONS_MAX, why);
		assert(!error || *why);
		if (!error)
			use(&sums);
		if (reading == 0)
			ctd_region_sums_done(&sums);
		for (size_t at = data[0]; data[0] && at < rest; at += 8 * data[0])
			memory[at]++;
	}
	ctd_region_sums_free(&sums);
	return 0;
}
