/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* gaps.c - a task that spins at the end of a chain of calls, and says when it was interrupted.
 *
 * usage: gaps FRAMES BURSTS
 *
 * Prints a line for each gap: when it began and how long it lasted, in nanoseconds.
 */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/num.h"

/* Below the share of real-time tasks that the kernel grants (sched_rt_runtime_us). */
#define BURST_NS 800000000ull
#define PAUSE_NS 200000000
/* An iteration takes some 30 ns. */
#define GAP_LEAST_NS 400
#define GAPS_MAX 65536
#define FRAMES_MAX 1000
#define BURSTS_MAX 3600
/* So large that the stack is what `perf record --call-graph dwarf` copies. */
#define FRAME_BYTES 320

static struct gap {
	uint64_t at_ns, length_ns;
} gaps[GAPS_MAX];
static int gaps_count;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static __attribute__((noinline)) void spin(void)
{
	uint64_t then_ns = now_ns(), end_ns = then_ns + BURST_NS;

	gaps_count = 0;
	while (then_ns < end_ns) {
		uint64_t at_ns = now_ns();

		if (at_ns - then_ns >= GAP_LEAST_NS && gaps_count < GAPS_MAX)
			gaps[gaps_count++] = (struct gap){then_ns, at_ns - then_ns};
		then_ns = at_ns;
	}
}

static __attribute__((noinline)) void descend(int frames)
{
	volatile char frame[FRAME_BYTES];

	frame[0] = (char)frames;
	if (frames > 1)
		descend(frames - 1);
	else
		spin();
	frame[1] = frame[0];
}

int main(int argc, char **argv)
{
	const struct sched_param realtime = {.sched_priority = 1};
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	long long frames, bursts;

	if (argc != 3 || ctd_parse_integer(argv[1], 1, FRAMES_MAX, &frames) ||
	    ctd_parse_integer(argv[2], 1, BURSTS_MAX, &bursts)) {
		fprintf(stderr, "usage: gaps FRAMES BURSTS\n");
		return 2;
	}
	memset(gaps, 1, sizeof(gaps)); /* no page is missing later */
	if (sched_setscheduler(0, SCHED_FIFO, &realtime))
		perror("gaps: no real-time scheduling: others interrupt, too");
	for (long long burst = 0; burst < bursts; burst++) {
		descend((int)frames);
		for (int i = 0; i < gaps_count; i++)
			printf("%llu %llu\n", (unsigned long long)gaps[i].at_ns,
			       (unsigned long long)gaps[i].length_ns);
		nanosleep(&pause, NULL);
	}
	return 0;
}
