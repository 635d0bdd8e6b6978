/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* latencies.c - the mean latencies that metrics rest on: the vendor's, or measured ones. */
#include <errno.h>
#include <stdlib.h>

#include "vendor/counting.h"
#include "vendor/set.h"

/* Of struct ctd_vendor_counted: of a latency for which there was no room. */
#define NEVER_MEASURED (UINT64_C(1) << 63)

_Static_assert(CTD_LATENCIES_MAX < 63, "a bit for each");

static uint64_t bit_of(struct ctd_vendor_counting *counting, uint32_t count)
{
	size_t at = 0;

	while (at < counting->latencies_count && counting->latencies[at].count != count)
		at++;
	if (at == CTD_LATENCIES_MAX)
		return NEVER_MEASURED;
	if (at == counting->latencies_count)
		counting->latencies[counting->latencies_count++] = (struct ctd_vendor_latency){
			count, counting->set->counts[count].event->latency};
	return UINT64_C(1) << at;
}

/* Values have all latencies from the start, also those for which there is no room. */
static void enter(const struct ctd_vendor_counting *counting, uint32_t count, double mean)
{
	size_t place = ctd_vendor_place_of_counts(counting->set) + count;

	for (int lane = 0; lane < CTD_EXPR_LANES; lane++)
		counting->values[place * CTD_EXPR_LANES + (size_t)lane] = mean;
}

int ctd_vendor_counting_find_latencies(struct ctd_vendor_counting *counting)
{
	const struct ctd_vendor_set *set = counting->set;

	counting->latencies = calloc(CTD_LATENCIES_MAX, sizeof(*counting->latencies));
	if (!counting->latencies)
		return -ENOMEM;
	for (size_t i = 0; i < counting->metrics_count; i++) {
		struct ctd_vendor_counted *counted = &counting->metrics[i];
		const struct ctd_vendor_program *program = &set->programs[counted->metric];

		for (size_t k = 0; counted->group >= 0 && k < program->uses_count; k++)
			if (set->counts[program->uses[k]].latency)
				counted->latencies |= bit_of(counting, program->uses[k]);
	}
	for (size_t i = 0; i < set->counts_count; i++)
		if (set->counts[i].latency)
			enter(counting, (uint32_t)i, set->counts[i].event->latency);
	return 0;
}

/* Those that are measured, as bits. */
static uint64_t measured_bits(const struct ctd_vendor_counting *counting,
			      const struct ctd_latency *measured)
{
	uint64_t bits = 0;

	if (!measured || !ctd_latency_is_told(measured, CTD_LATENCIES_MAX))
		return 0;
	for (size_t i = 0; i < counting->latencies_count; i++)
		if (measured[i].samples >= CTD_LATENCY_SAMPLES_LEAST)
			bits |= UINT64_C(1) << i;
	return bits;
}

void ctd_vendor_counting_take_latencies(const struct ctd_vendor_counting *counting,
					const struct ctd_latency *measured)
{
	uint64_t bits = measured_bits(counting, measured);

	for (size_t i = 0; i < counting->latencies_count; i++) {
		const struct ctd_vendor_latency *latency = &counting->latencies[i];

		enter(counting, latency->count,
		      bits >> i & 1 ? (double)measured[i].cycles / (double)measured[i].samples
				    : latency->assumed);
	}
}

enum ctd_vendor_means ctd_vendor_counting_means(const struct ctd_vendor_counting *counting,
						size_t index, const struct ctd_latency *measured)
{
	uint64_t needed = counting->metrics[index].latencies;

	if (!needed)
		return CTD_VENDOR_NO_MEANS;
	return needed & ~measured_bits(counting, measured) ? CTD_VENDOR_ASSUMED
							   : CTD_VENDOR_MEASURED;
}

const char *ctd_vendor_means_name(enum ctd_vendor_means means)
{
	static const char *const names[] = {NULL, "assumed", "measured"};

	return names[means];
}
