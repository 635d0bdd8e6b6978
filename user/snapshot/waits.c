/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* waits.c - adds and subtracts waits for a CPU, as the plain array of figures that they are. */
#include <cgtopdown/waits.h>

/* The type that they have there. */
static unsigned long long *figures_of(struct ctd_waits *waits)
{
	return (unsigned long long *)waits;
}

static const unsigned long long *const_figures_of(const struct ctd_waits *waits)
{
	return (const unsigned long long *)waits;
}

uint64_t ctd_waits_get(const struct ctd_waits *waits, int figure)
{
	return const_figures_of(waits)[figure];
}

void ctd_waits_set(struct ctd_waits *waits, int figure, uint64_t value)
{
	figures_of(waits)[figure] = value;
}

void ctd_waits_add(struct ctd_waits *to, const struct ctd_waits *from)
{
	for (int i = 0; i < CTD_WAITS_FIGURES; i++)
		figures_of(to)[i] += const_figures_of(from)[i];
}

bool ctd_waits_subtract(const struct ctd_waits *after, const struct ctd_waits *before,
			struct ctd_waits *ret_waits)
{
	bool grew = true;

	for (int i = 0; i < CTD_WAITS_FIGURES; i++) {
		uint64_t new = const_figures_of(after)[i], old = const_figures_of(before)[i];

		grew &= new >= old;
		figures_of(ret_waits)[i] = new - old;
	}
	return grew;
}

uint64_t ctd_waits_ns(const struct ctd_waits *waits)
{
	uint64_t sum_ns = 0;

	for (int i = 0; i < CTD_WAIT_CAUSES; i++)
		sum_ns += waits->ns[i];
	return sum_ns;
}

uint64_t ctd_waits_count(const struct ctd_waits *waits)
{
	uint64_t sum = 0;

	for (int i = 0; i < CTD_WAIT_BUCKETS; i++)
		sum += waits->histogram[i];
	return sum;
}

bool ctd_waits_any(const struct ctd_waits *waits)
{
	uint64_t any = 0;

	for (int i = 0; i < CTD_WAITS_FIGURES; i++)
		any |= const_figures_of(waits)[i];
	return any;
}

const char *ctd_wait_cause_name(enum ctd_wait_cause cause)
{
	static const char *const names[CTD_WAIT_CAUSES] = {
		[CTD_WAIT_OWN] = "own",
		[CTD_WAIT_OTHER] = "other",
		[CTD_WAIT_KERNEL] = "kernel",
		[CTD_WAIT_IDLE] = "idle",
		[CTD_WAIT_THROTTLED] = "throttled",
		[CTD_WAIT_UNKNOWN] = "unknown",
		[CTD_WAIT_SHORT] = "short",
	};

	return names[cause];
}

uint64_t ctd_wait_bucket_ns(int bucket)
{
	return bucket < CTD_WAIT_BUCKETS - 1 ? CTD_WAIT_BUCKET_NS << bucket : 0;
}
