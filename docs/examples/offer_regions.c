/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* offer_regions.c - an example: threads of a program measure their parts, and offer the figures.
 *
 * cc -O2 -pthread -o offer_regions offer_regions.c
 *     (where regions.h is not installed: -I cgtopdown/include)
 * usage: offer_regions [SECONDS]
 *     meanwhile: cgtopdown stat --by region
 */
#include <cgtopdown/regions.h>
#include <pthread.h>
#include <stdlib.h>

#define THREADS 2
#define CELLS (1u << 20) /* 4 MB: more than most L2 caches have */

static struct ctd_regions regions;
static uint32_t next_cell[CELLS];
static uint64_t end_ns;

/* One cycle through all cells, in an order that no prefetcher foresees: Sattolo's algorithm. */
static void make_cycle(void)
{
	uint32_t number = 1;

	for (uint32_t i = 0; i < CELLS; i++)
		next_cell[i] = i;
	for (uint32_t i = CELLS - 1; i > 0; i--) {
		uint32_t other, cell = next_cell[i];

		number = number * 1664525u + 1013904223u;
		other = (uint32_t)((uint64_t)number * i >> 32);
		next_cell[i] = next_cell[other];
		next_cell[other] = cell;
	}
}

/* Each load waits for the one before: bound by memory. */
static uint32_t walk(uint32_t cell)
{
	for (int i = 0; i < 20000; i++)
		cell = next_cell[cell];
	return cell;
}

/* Sums that do not wait for each other: most slots are of use. */
static uint32_t add(uint32_t seed)
{
	uint32_t a = seed, b = seed + 1, c = seed + 2, d = seed + 3;

	for (uint32_t i = 0; i < 200000; i++) {
		a += i ^ b;
		b += i ^ c;
		c += i ^ d;
		d += i ^ a;
	}
	return a + b + c + d;
}

/* A group of counters and its regions are of one thread. */
static void *work(void *result)
{
	struct ctd_regions_entry walking, adding;
	struct ctd_rdpmc_group group;
	uint32_t number = 0;
	int error = ctd_rdpmc_open(&group, 0);

	/* Passes and their time are counted all the same. */
	if (error)
		fprintf(stderr, "offer_regions: no slots: %s\n", ctd_rdpmc_error_text(error));
	if (ctd_regions_join(&regions, "walk", &walking) ||
	    ctd_regions_join(&regions, "add", &adding))
		fprintf(stderr, "offer_regions: not all regions are offered\n");
	while (ctd_regions_now_ns() < end_ns) {
		(void)ctd_regions_begin(&group, &walking);
		number = walk(number % CELLS);
		(void)ctd_regions_end(&group, &walking);

		(void)ctd_regions_begin(&group, &adding);
		number = add(number);
		(void)ctd_regions_end(&group, &adding);
	}
	ctd_regions_leave(&walking);
	ctd_regions_leave(&adding);
	ctd_rdpmc_close(&group);
	*(uint32_t *)result = number;
	return NULL;
}

int main(int argc, char **argv)
{
	long seconds = argc == 2 ? strtol(argv[1], NULL, 10) : argc == 1 ? 10 : 0;
	uint32_t result[THREADS] = {0};
	pthread_t thread[THREADS];
	int error, started = 0;

	if (seconds < 1 || seconds > 1000000) {
		fprintf(stderr, "usage: offer_regions [SECONDS]\n");
		return 2;
	}
	make_cycle();
	error = ctd_regions_offer(&regions);
	if (error)
		fprintf(stderr, "offer_regions: nothing is offered: %s\n", strerror(-error));
	end_ns = ctd_regions_now_ns() + (uint64_t)seconds * 1000000000u;
	while (started < THREADS && !pthread_create(&thread[started], NULL, work, &result[started]))
		started++;
	for (int i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	ctd_regions_withdraw(&regions);
	printf("result %u\n", result[0] + result[1]); /* so that no compiler leaves the work out */
	return started < THREADS;
}
