/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* functions.c - functions that take turns, each under a command name of its own: simulated counters
 * follow the name, so that the shares of each function are known.
 *
 * usage: functions SECONDS RESIDENCY_US
 *
 * A turn lasts RESIDENCY_US on average, and takes each run the same ones: of no rhythm that a
 * sampling clock could have, too. Work has turns three times as long as the others. Prints, in the
 * end, how much CPU time each function had: "wait_for_memory 0.4".
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

static volatile uint64_t sink;

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* In the function itself: its callers are what is sampled. */
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

		work(iterations, 4);
		speed = (double)iterations / ((double)(now_ns() - begin_ns) / 1000);
		best = speed > best ? speed : best;
	}
	return best;
}

static uint64_t turn(double mean)
{
	return (uint64_t)(-log(1 - drand48()) * mean);
}

struct function {
	const char *name, *comm;
	void (*run)(uint64_t iterations);
	double length;
	uint64_t cpu_ns; /* that it had */
};

int main(int argc, char **argv)
{
	struct function functions[] = {
		{"wait_for_memory", "waits", wait_for_memory, 1, 0},
		{"do_work", "works", do_work, 3, 0},
		{"fetch_code", "fetches", fetch_code, 1, 0},
	};
	const int count = sizeof(functions) / sizeof(*functions);
	uint64_t end_ns;
	double mean;

	if (argc != 3) {
		fprintf(stderr, "usage: functions SECONDS RESIDENCY_US\n");
		return 2;
	}
	end_ns = now_ns() + (uint64_t)(strtod(argv[1], NULL) * 1e9);
	mean = strtod(argv[2], NULL) * find_speed();
	while (now_ns() < end_ns) {
		for (int i = 0; i < count; i++) {
			uint64_t iterations = turn(functions[i].length * mean), begin_ns;

			become(functions[i].comm);
			begin_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
			functions[i].run(iterations);
			functions[i].cpu_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
		}
	}
	for (int i = 0; i < count; i++)
		printf("%s %.6f\n", functions[i].name, (double)functions[i].cpu_ns / 1e9);
	return 0;
}
