/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sum.c - adds intervals and stacks up. */
#include "serve/profile/sum.h"

#include <errno.h>

int ctd_profile_sum_add(struct ctd_profile_sum *sum, const struct ctd_interval *interval,
			const struct ctd_stacks *stacks, uint64_t end_ns)
{
	int error = ctd_interval_add(&sum->interval, interval);

	if (error)
		return error;
	sum->end_ns = end_ns;
	if (!stacks)
		return 0;
	if (!sum->stacks) {
		error = ctd_stacks_new(stacks->period_ns, stacks->counters_count,
				       stacks->groups_count, &sum->stacks);
		if (error)
			return error;
		sum->stacks->elements_max = CTD_PROFILE_ELEMENTS_MAX;
	}
	return ctd_stacks_merge(sum->stacks, stacks);
}

uint64_t ctd_profile_sum_other(const struct ctd_profile_sum *sum)
{
	uint64_t samples = 0;

	for (size_t i = 0; sum->stacks && i < sum->stacks->stacks_count; i++)
		if (sum->stacks->stacks[i].trace == CTD_TRACE_OTHER)
			samples += sum->stacks->stacks[i].samples;
	return samples;
}

void ctd_profile_sum_free(struct ctd_profile_sum *sum)
{
	ctd_interval_free(&sum->interval);
	ctd_stacks_free(sum->stacks);
	*sum = (struct ctd_profile_sum){};
}
