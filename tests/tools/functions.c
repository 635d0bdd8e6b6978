/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* functions.c - functions that take turns, each under a command name of its own: simulated counters
 * follow the name, so that the shares of each function are known.
 *
 * usage: functions SECONDS RESIDENCY_US [fixed]
 *
 * A turn lasts RESIDENCY_US, with `fixed` always, else on average. Work has turns three times as
 * long as the others.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

static volatile uint64_t sink;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* In the function itself, and by count, not by time: what others take from us is taken from no
 * function more than from the next. */
static inline __attribute__((always_inline)) void work(uint64_t iterations, uint64_t step)
{
	for (uint64_t i = 0; i < iterations; i++)
		sink += step;
}

static __attribute__((noinline)) void wait_for_memory(uint64_t iterations)
{
	work(iterations, 1);
}

static __attribute__((noinline)) void do_work(uint64_t iterations)
{
	work(iterations, 2);
}

static __attribute__((noinline)) void fetch_code(uint64_t iterations)
{
	work(iterations, 3);
}

/* Simulated counters advance at switches, by the name of then: so the CPU switches before each new
 * name. */
static void become(const char *name)
{
	const struct timespec moment = {.tv_nsec = 1};

	nanosleep(&moment, NULL);
	prctl(PR_SET_NAME, name);
}

/* Iterations in a microsecond, from the fastest of some attempts. */
static double find_speed(void)
{
	const uint64_t iterations = 100000;
	double best = 0;

	for (int i = 0; i < 10; i++) {
		uint64_t begin_ns = now_ns();
		double speed;

		do_work(iterations);
		speed = (double)iterations / ((double)(now_ns() - begin_ns) / 1000);
		best = speed > best ? speed : best;
	}
	return best;
}

/* Of no rhythm that a sampling clock could have, too, unless it is to be a fixed one. */
static uint64_t turn(double mean, bool fixed)
{
	return (uint64_t)(fixed ? mean : -log(1 - drand48()) * mean);
}

int main(int argc, char **argv)
{
	bool fixed = argc == 4 && strcmp(argv[3], "fixed") == 0;
	uint64_t end_ns;
	double mean;

	if (argc != 3 && !fixed) {
		fprintf(stderr, "usage: functions SECONDS RESIDENCY_US [fixed]\n");
		return 2;
	}
	end_ns = now_ns() + (uint64_t)(strtod(argv[1], NULL) * 1e9);
	mean = strtod(argv[2], NULL) * find_speed();
	while (now_ns() < end_ns) {
		become("waits");
		wait_for_memory(turn(mean, fixed));
		become("works");
		do_work(turn(3 * mean, fixed));
		become("fetches");
		fetch_code(turn(mean, fixed));
	}
	return 0;
}
