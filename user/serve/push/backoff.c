/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* backoff.c - waits twice as long after each failure, by chance less, and as long as was asked. */
#include "serve/push/backoff.h"

#define SECOND_NS 1000000000ull
#define DOUBLINGS_MAX 6 /* 64 s */
/* A receiver cannot keep figures away for longer. */
#define ASKED_MAX_S 300

uint64_t ctd_push_backoff_ns(unsigned int failures, uint64_t asked_s, uint32_t random)
{
	unsigned int doublings = failures > DOUBLINGS_MAX ? DOUBLINGS_MAX : failures - 1;
	uint64_t longest_ns = SECOND_NS << doublings;
	uint64_t wait_ns = longest_ns / 2 + (longest_ns / 2 >> 16) * (random >> 16);

	if (asked_s > ASKED_MAX_S)
		asked_s = ASKED_MAX_S;
	/* Without chance, as it was asked for; but "at once" is not an answer to having failed. */
	return asked_s * SECOND_NS > wait_ns ? asked_s * SECOND_NS : wait_ns;
}
