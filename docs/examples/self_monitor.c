/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* self_monitor.c - an example: a program measures where the slots of its own parts go.
 *
 * cc -O2 -o self_monitor self_monitor.c     (where rdpmc.h is not installed: -I cgtopdown/include)
 * usage: self_monitor [reads]               reads: by system calls, without RDPMC
 */
#include <cgtopdown/rdpmc.h>
#include <stdlib.h>

#define ROUNDS 50
#define CELLS (1u << 20) /* 4 MB: more than most L2 caches have */

static uint32_t next_cell[CELLS];

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

static void print_region(const struct ctd_rdpmc_region *region)
{
	double ratio[CTD_RDPMC_NODES_COUNT];
	int known = ctd_rdpmc_ratios(region, ratio);

	printf("%s: %llu times, %llu lost, %llu slots\n", region->name,
	       (unsigned long long)region->measured, (unsigned long long)region->lost,
	       (unsigned long long)region->slots);
	if (region->lost)
		printf("  the last one lost: %s\n", ctd_rdpmc_error_text(region->why_lost));
	for (int i = 0; i < known; i++)
		printf("  %-18s %5.1f %%\n", ctd_rdpmc_node_name(i), 100 * ratio[i]);
	if (known)
		printf("  each +- %.1f points by rounding, the last four twice that\n",
		       100 * ctd_rdpmc_error_ratio(region));
}

int main(int argc, char **argv)
{
	bool reads = argc == 2 && strcmp(argv[1], "reads") == 0;
	struct ctd_rdpmc_region walking = ctd_rdpmc_named("walk"), adding = ctd_rdpmc_named("add");
	struct ctd_rdpmc_group group;
	uint32_t result = 0;
	int error;

	if (argc > 1 && !reads) {
		fprintf(stderr, "usage: self_monitor [reads]\n");
		return 2;
	}
	make_cycle();
	error = ctd_rdpmc_open(&group, reads ? CTD_RDPMC_READS : 0);
	if (error) {
		fprintf(stderr, "self_monitor: %s\n", ctd_rdpmc_error_text(error));
		if (group.system_error)
			fprintf(stderr, "self_monitor: perf_event_open: %s\n",
				strerror(group.system_error));
		return 1;
	}
	if (group.why_reads)
		fprintf(stderr, "self_monitor: %s\n", ctd_rdpmc_error_text(group.why_reads));

	for (int i = 0; i < ROUNDS; i++) {
		ctd_rdpmc_begin(&group, &walking);
		result = walk(result % CELLS);
		ctd_rdpmc_end(&group, &walking);

		ctd_rdpmc_begin(&group, &adding);
		result = add(result);
		ctd_rdpmc_end(&group, &adding);
	}
	ctd_rdpmc_close(&group);

	print_region(&walking);
	print_region(&adding);
	printf("result %u\n", result); /* so that no compiler leaves the work out */
	return 0;
}
