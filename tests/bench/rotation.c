/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rotation.c - what it takes to add up the turns of many groups of counters, of many rows. */
#include <cgtopdown/interval.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS 21
#define ROWS 1000
/* As wide as the groups of level 6 of Sapphire Rapids, by Linux' files. */
#define COUNTERS 12

static void check(int error)
{
	if (error)
		abort();
}

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static struct ctd_snapshot make_snapshot(struct ctd_snapshot_cpu *cpu, uint32_t groups)
{
	struct ctd_snapshot snapshot = {.monotonic_ns = 1,
					.counters_count = COUNTERS,
					.groups_count = groups,
					.rows = calloc(ROWS, sizeof(*snapshot.rows)),
					.rows_count = ROWS,
					.cpus = cpu,
					.cpus_count = 1};

	if (!snapshot.rows)
		abort();
	for (size_t i = 0; i < ROWS; i++)
		snapshot.rows[i].cgroup_id = i + 1;
	cpu->online = 1;
	return snapshot;
}

/* Each row has run in this turn. */
static void go_on(const struct ctd_snapshot *before, struct ctd_snapshot *after, uint32_t group)
{
	after->group = group;
	after->sequence = before->sequence + 1;
	after->monotonic_ns = before->monotonic_ns + 29000000;
	memcpy(after->rows, before->rows, ROWS * sizeof(*after->rows));
	for (size_t i = 0; i < ROWS; i++) {
		struct ctd_snapshot_row *row = &after->rows[i];

		row->oncpu_ns += 29000 + i;
		row->running_ns = row->oncpu_ns;
		row->slices++;
		for (int counter = 0; counter < COUNTERS; counter++)
			row->count[counter] += 100000 + i;
	}
}

/* An interval of so many turns: what subtracting took, and what adding up. */
static void run(uint32_t groups, uint32_t turns, double *ret_make_ms, double *ret_add_ms)
{
	struct ctd_snapshot_cpu cpu[2] = {0};
	struct ctd_snapshot snapshots[2] = {make_snapshot(&cpu[0], groups),
					    make_snapshot(&cpu[1], groups)};
	struct ctd_interval sum = {0};

	*ret_make_ms = *ret_add_ms = 0;
	for (uint32_t turn = 0; turn < turns; turn++) {
		const struct ctd_snapshot *before = &snapshots[turn % 2];
		struct ctd_snapshot *after = &snapshots[(turn + 1) % 2];
		struct ctd_interval part;
		double began_ms;

		go_on(before, after, turn % groups);
		began_ms = now_ms();
		check(ctd_interval_make(before, after, NULL, &part));
		*ret_make_ms += now_ms() - began_ms;
		began_ms = now_ms();
		check(ctd_interval_add(&sum, &part));
		*ret_add_ms += now_ms() - began_ms;
		ctd_interval_free(&part);
	}
	ctd_interval_free(&sum);
	free(snapshots[0].rows);
	free(snapshots[1].rows);
}

int main(void)
{
	static const struct {
		uint32_t groups, turns;
	} cases[] = {{2, 2}, {2, 10}, {8, 14}, {18, 34}, {18, 50}};

	printf("CPU time of an interval with %d rows of %d counters, ms: medians of %d.\n\n", ROWS,
	       COUNTERS, ROUNDS);
	printf("| groups | turns | subtracting | adding up |\n| --: | --: | --: | --: |\n");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		double make_ms[ROUNDS], add_ms[ROUNDS];

		for (int round = 0; round < ROUNDS; round++)
			run(cases[i].groups, cases[i].turns, &make_ms[round], &add_ms[round]);
		qsort(make_ms, ROUNDS, sizeof(*make_ms), compare);
		qsort(add_ms, ROUNDS, sizeof(*add_ms), compare);
		printf("| %6u | %5u | %11.2f | %9.2f |\n", cases[i].groups, cases[i].turns,
		       make_ms[ROUNDS / 2], add_ms[ROUNDS / 2]);
	}
	return 0;
}
