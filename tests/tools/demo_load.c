/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* demo_load.c - keeps one part of the pipeline busy: a load for the demo, named after that part. */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define PERIOD_NS 10000000ull
#define CHASE_LINES (1u << 20) /* of 64 bytes: more than the caches of most machines */

struct line {
	uint32_t next;
	uint32_t unused[15];
};

/* What the loops compute ends here, so that the compiler keeps them. */
static volatile uint64_t result;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

static uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Each load waits for the one before it, in an order that no prefetcher guesses. */
static void load_memory(void)
{
	static struct line *lines;
	static uint32_t at;
	uint64_t state = 88172645463325252ull;

	if (!lines) {
		lines = malloc(CHASE_LINES * sizeof(*lines));
		if (!lines)
			exit(1);
		for (uint32_t i = 0; i < CHASE_LINES; i++)
			lines[i].next = i;
		/* Sattolo's shuffle: a permutation that is one cycle. */
		for (uint32_t i = CHASE_LINES - 1; i > 0; i--) {
			uint32_t other = (uint32_t)(random_next(&state) % i);
			uint32_t kept = lines[i].next;

			lines[i].next = lines[other].next;
			lines[other].next = kept;
		}
	}
	for (int i = 0; i < 1000; i++)
		at = lines[at].next;
	result = at;
}

/* Branches on random bits: every second one is predicted wrong. */
static void load_branch(void)
{
	static uint64_t state = 88172645463325252ull;
	uint64_t taken = 0;

	for (int i = 0; i < 500; i++) {
		uint64_t bits = random_next(&state);

		for (int bit = 0; bit < 16; bit++) {
			if (bits >> bit & 1)
				__asm__ volatile("" : "+r"(taken)); /* a branch, not a select */
			else
				taken++;
		}
	}
	result = taken;
}

/* Half a megabyte of code that jumps from cache line to cache line. */
static void load_frontend(void)
{
#ifdef __x86_64__
	__asm__ volatile(".rept 8192\n\tjmp 1f\n\t.balign 64\n1:\n\t.endr");
#else
	__asm__ volatile(".rept 8192\n\tb 1f\n\t.balign 64\n1:\n\t.endr");
#endif
}

/* Independent chains of cheap instructions: as many retire as the core can issue. */
static void load_compute(void)
{
	uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;

	for (int i = 0; i < 20000; i++) {
		a += 3;
		b ^= 5;
		c -= 7;
		d += 9;
		e ^= 11;
		f -= 13;
		__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
	}
	result = a + b + c + d + e + f;
}

static const struct load {
	const char *name;
	void (*work)(void); /* some 10 to 100 microseconds */
} loads[] = {
	{"demo-memory", load_memory},
	{"demo-branch", load_branch},
	{"demo-frontend", load_frontend},
	{"demo-compute", load_compute},
};

static const struct load *load_find(const char *name)
{
	for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++)
		if (!strcmp(loads[i].name, name))
			return &loads[i];
	return NULL;
}

static void sleep_until(uint64_t time_ns)
{
	struct timespec time = {.tv_sec = (time_t)(time_ns / 1000000000),
				.tv_nsec = (long)(time_ns % 1000000000)};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR)
		;
}

int main(int argc, char **argv)
{
	const struct load *load = argc == 3 ? load_find(argv[1]) : NULL;
	int busy_percent = argc == 3 ? atoi(argv[2]) : 0;

	if (!load || busy_percent < 1 || busy_percent > 100) {
		fprintf(stderr,
			"usage: %s demo-memory|demo-branch|demo-frontend|demo-compute PERCENT\n",
			argv[0]);
		return 2;
	}
	prctl(PR_SET_NAME, load->name);
	/* Nobody is left behind if the demo is killed. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (uint64_t start = now_ns();; start = now_ns()) {
		while (now_ns() - start < PERIOD_NS * (unsigned int)busy_percent / 100)
			load->work();
		sleep_until(start + PERIOD_NS);
	}
}
