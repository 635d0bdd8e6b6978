/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* histogram.c - waits by their length as metrics have them: in a few buckets, sums of those that
 * were counted. */
#include "export/families.h"

/* Of those that are counted the first five are one bucket here, then two each. */
#define FIRST 5
#define STEP 2
_Static_assert(FIRST + STEP * (FAMILY_BUCKETS - 1) == CTD_WAIT_BUCKETS, "each is in one bucket");

/* Those that were counted, up to the end of this one. */
static int end_of(int bucket)
{
	return FIRST + STEP * bucket;
}

uint64_t ctd_histogram_bound_ns(int bucket)
{
	return ctd_wait_bucket_ns(end_of(bucket) - 1);
}

const char *ctd_histogram_le(int bucket)
{
	static const char *const texts[FAMILY_BUCKETS] = {"6.5536e-05",	 "0.000262144",
							  "0.001048576", "0.004194304",
							  "0.016777216", "0.067108864",
							  "0.268435456", "+Inf"};

	return texts[bucket];
}

uint64_t ctd_histogram_count(const struct ctd_waits *waits, int bucket)
{
	uint64_t count = 0;

	for (int i = bucket ? end_of(bucket - 1) : 0; i < end_of(bucket); i++)
		count += waits->histogram[i];
	return count;
}

bool ctd_has_wait_histogram(const struct subject *subject)
{
	return subject->self->wait_histogram && ctd_has_waits(subject);
}

int ctd_points_wait_histogram(const struct family *family, const struct subject *subject,
			      struct point points[FAMILY_POINTS_MAX])
{
	(void)family;
	points[0].figure = ctd_waits_ns(&subject->account->waits);
	return 1;
}
