/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* functions.c - two functions that take turns, each under a command name of its own: simulated
 * counters follow the name, so that the shares of each function are known.
 *
 * usage: functions SECONDS RESIDENCY_US
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

static volatile uint64_t sink;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* In the function itself: stacks may be of one frame, where there are no frame pointers. */
static inline __attribute__((always_inline)) void spin_until(uint64_t end_ns)
{
	while (now_ns() < end_ns)
		for (int i = 0; i < 5000; i++)
			sink += (uint64_t)i;
}

static __attribute__((noinline)) void wait_for_memory(uint64_t length_ns)
{
	prctl(PR_SET_NAME, "waits");
	spin_until(now_ns() + length_ns);
	sink++;
}

static __attribute__((noinline)) void do_work(uint64_t length_ns)
{
	prctl(PR_SET_NAME, "works");
	spin_until(now_ns() + length_ns);
	sink++;
}

/* Of no rhythm that a sampling clock could have, too. */
static uint64_t random_ns(double mean_us)
{
	return (uint64_t)(-log(1 - drand48()) * mean_us * 1000);
}

int main(int argc, char **argv)
{
	uint64_t end_ns;

	if (argc != 3) {
		fprintf(stderr, "usage: functions SECONDS RESIDENCY_US\n");
		return 2;
	}
	end_ns = now_ns() + (uint64_t)(atof(argv[1]) * 1e9);
	while (now_ns() < end_ns) {
		wait_for_memory(random_ns(atof(argv[2])));
		do_work(random_ns(atof(argv[2])));
	}
	return 0;
}
