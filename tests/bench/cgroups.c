/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cgroups.c - what the number of cgroups costs: in a switch, in a snapshot, in memory. */
#include <unistd.h>

#include "base/num.h"
#include "collector.h"
#include "ring.h"
#include "samples.h"
#include "subtree.h"

#define SOURCE "software:5:leader"
#define SETTLE_US 30000
#define DRIVER_CPU 0
#define RING_CPU 1
#define SNAPSHOTS 50
#define PAUSE_US 20000
/* Written before each snapshot: a second of other work would leave as little of it in the caches. */
#define CACHE_BYTES (64 << 20)

/* All sizes are measured in turns on the same machine state: 10,000 cgroups exist for each, but
 * a collector has rows only for those in which something ran while it was attached. */
struct size {
	int cgroups;
	struct collector collector;
	struct samples pair, ring; /* added ns per switch */
	struct samples first_ms, next_ms, flush_us; /* of snapshots */
	size_t rows; /* in the last snapshot */
};

static struct size sizes[] = {{.cgroups = 10}, {.cgroups = 1000}, {.cgroups = 10000}};
#define SIZES ((int)(sizeof(sizes) / sizeof(*sizes)))

/* The rings run over the cgroups of one size. */
struct rings {
	struct ring pair, ring;
};

/* Enters each cgroup of the range and runs on both CPUs there: the forced migrations are switches,
 * which close a slice on either. */
static int visit(const struct subtree *subtree, int first, int end)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return ctd_log_error(-errno, "fork");
	if (pid == 0) {
		int error = 0;

		for (int i = first; !error && i < end; i++) {
			error = subtree_enter(subtree, i);
			if (!error)
				error = pin_to_cpu(DRIVER_CPU);
			if (!error)
				error = pin_to_cpu(RING_CPU);
		}
		_exit(error ? 1 : 0);
	}
	if (waitpid(pid, &status, 0) != pid || status) {
		ctd_log(CTD_LOG_ERROR, "could not run in cgroups %d to %d", first, end - 1);
		return -ECHILD;
	}
	return 0;
}

/* Every collector sees the cgroups of its size come to life. */
static int populate(const struct subtree *subtree)
{
	int error = 0, done = 0;

	for (int i = 0; !error && i < SIZES; i++) {
		error = collector_load(SOURCE, false, false, &sizes[i].collector);
		if (!error)
			error = collector_attach(&sizes[i].collector);
	}
	for (int i = 0; !error && i < SIZES; i++) {
		error = subtree_add(subtree, done, sizes[i].cgroups);
		if (!error)
			error = visit(subtree, done, sizes[i].cgroups);
		done = sizes[i].cgroups;
		if (!error)
			collector_detach(&sizes[i].collector);
	}
	return error;
}

/* Members spread evenly over the first @p cgroups cgroups. */
static int start_ring(const struct subtree *subtree, int cgroups, int members, struct ring *ring)
{
	int spread[RING_MEMBERS_MAX];

	for (int i = 0; i < members; i++)
		spread[i] =
			cgroups >= members ? (int)((long long)i * cgroups / members) : i % cgroups;
	return ring_start(subtree, spread, members, RING_CPU, ring);
}

static int measure(const struct rings *rings, double *ret_pair_ns, double *ret_ring_ns)
{
	int error;

	usleep(SETTLE_US);
	error = ring_measure(&rings->pair, ret_pair_ns);
	return error ? error : ring_measure(&rings->ring, ret_ring_ns);
}

static int run_round(const struct rings *rings)
{
	for (int i = 0; i < SIZES; i++) {
		double base_pair_ns = 0, base_ring_ns = 0, pair_ns = 0, ring_ns = 0;
		int error = measure(&rings[i], &base_pair_ns, &base_ring_ns);

		if (!error)
			error = collector_attach(&sizes[i].collector);
		if (!error)
			error = measure(&rings[i], &pair_ns, &ring_ns);
		if (error)
			return error;
		collector_detach(&sizes[i].collector);
		samples_add(&sizes[i].pair, pair_ns - base_pair_ns);
		samples_add(&sizes[i].ring, ring_ns - base_ring_ns);
	}
	return 0;
}

static int run_rounds(const struct subtree *subtree, long long rounds)
{
	struct rings rings[SIZES] = {};
	int error = 0;

	for (int i = 0; !error && i < SIZES; i++) {
		error = start_ring(subtree, sizes[i].cgroups, 2, &rings[i].pair);
		if (!error)
			error = start_ring(subtree, sizes[i].cgroups, RING_MEMBERS_MAX,
					   &rings[i].ring);
	}
	for (long long i = 0; !error && i < rounds; i++)
		error = run_round(rings);
	for (int i = 0; i < SIZES; i++) {
		ring_stop(&rings[i].pair);
		ring_stop(&rings[i].ring);
	}
	return error;
}

static int take_snapshot(struct size *size, struct samples *took_ms)
{
	struct ctd_snapshot snapshot;
	uint64_t began_ns = clock_ns();
	int error = ctd_kern_snapshot(size->collector.kern, &snapshot);

	if (error)
		return error;
	samples_add(took_ms, (clock_ns() - began_ns) / 1e6);
	size->rows = snapshot.rows_count;
	ctd_snapshot_free(&snapshot);
	return 0;
}

/* The first one lists and sorts all rows; later ones find them in order. */
static int take_snapshots(struct size *size, volatile char *cache)
{
	int error = collector_attach(&size->collector);

	if (!error)
		error = take_snapshot(size, &size->first_ms);
	for (int i = 0; !error && i < SNAPSHOTS; i++) {
		uint64_t began_ns;

		usleep(PAUSE_US);
		for (int byte = 0; byte < CACHE_BYTES; byte += 64)
			cache[byte]++;
		error = take_snapshot(size, &size->next_ms);
		usleep(PAUSE_US);
		began_ns = clock_ns();
		if (!error)
			error = ctd_kern_flush(size->collector.kern, NULL);
		samples_add(&size->flush_us, (clock_ns() - began_ns) / 1e3);
	}
	if (!error && size->rows < (size_t)size->cgroups) {
		ctd_log(CTD_LOG_ERROR, "%zu rows for %d cgroups", size->rows, size->cgroups);
		error = -ENODATA;
	}
	if (!error)
		collector_detach(&size->collector);
	return error;
}

static void print_switches(void)
{
	char pair[48], ring[48];

	printf("Added to a switch with 5 counters, in ns: median and quartiles.\n\n");
	printf("| %-14s | %-24s | %-24s |\n", "cgroups known", "2 processes in 2 cgroups",
	       "100 in up to 100 cgroups");
	printf("| --: | :-- | :-- |\n");
	for (int i = 0; i < SIZES; i++)
		printf("| %14d | %-24s | %-24s |\n", sizes[i].cgroups,
		       samples_cell(&sizes[i].pair, 0, pair),
		       samples_cell(&sizes[i].ring, 0, ring));
	printf("\n");
}

static void print_snapshots(void)
{
	printf("One snapshot on %d CPUs, flush included: the median, and what 90 %% stay below.\n\n",
	       sizes[0].collector.cpus.count);
	printf("| %-13s | %-17s | %-15s | %-14s | %-18s |\n", "cgroups known", "the first one, ms",
	       "later ones, ms", "flush alone, us", "bytes for a cgroup");
	printf("| --: | --: | :-- | :-- | --: |\n");
	for (int i = 0; i < SIZES; i++) {
		const struct size *size = &sizes[i];
		uint64_t bytes, row_bytes;
		char next[32], flush[32];

		ctd_kern_memory(size->collector.kern, &bytes, &row_bytes);
		snprintf(next, sizeof(next), "%.3f, %.3f", samples_median(&size->next_ms),
			 samples_quantile(&size->next_ms, 0.9));
		snprintf(flush, sizeof(flush), "%.1f, %.1f", samples_median(&size->flush_us),
			 samples_quantile(&size->flush_us, 0.9));
		printf("| %13d | %17.3f | %-15s | %-15s | %18llu |\n", size->cgroups,
		       samples_median(&size->first_ms), next, flush,
		       (unsigned long long)row_bytes * size->collector.cpus.count);
	}
	printf("\n");
}

static void print_memory(void)
{
	const struct collector *collector = &sizes[SIZES - 1].collector;
	uint64_t bytes, row_bytes;

	ctd_kern_memory(collector->kern, &bytes, &row_bytes);
	printf("A row (one cgroup on one CPU) takes %llu bytes; all maps, with room for %u rows, take %.1f MiB.\n\n",
	       (unsigned long long)row_bytes, collector->kern->rows_max, bytes / 1048576.0);
}

static void print_targets(void)
{
	const struct size *least = &sizes[0], *most = &sizes[SIZES - 1];

	target_head();
	target_row("a switch between 2 cgroups with 10,000 known: times that with 10",
		   ratio_of(samples_median(&most->pair), samples_median(&least->pair)), 1.20);
	target_row("a switch among 100 processes with 10,000 known: times that with 10",
		   ratio_of(samples_median(&most->ring), samples_median(&least->ring)), 1.20);
	target_row("snapshot of 10,000 cgroups, flush included, ms", samples_median(&most->next_ms),
		   5.0);
	printf("\n");
}

static int run(const struct subtree *subtree, long long rounds)
{
	char *cache = calloc(1, CACHE_BYTES);
	int error = cache ? pin_to_cpu(DRIVER_CPU) : -ENOMEM;

	if (!error)
		error = populate(subtree);
	if (!error)
		error = run_rounds(subtree, rounds);
	for (int i = 0; !error && i < SIZES; i++)
		error = take_snapshots(&sizes[i], cache);
	free(cache);
	if (error)
		return error;
	print_switches();
	print_snapshots();
	print_memory();
	print_targets();
	return 0;
}

int main(int argc, char **argv)
{
	struct subtree subtree;
	long long rounds;
	int error;

	if (argc != 2 || ctd_parse_integer(argv[1], 1, SAMPLES_MAX, &rounds)) {
		fprintf(stderr, "usage: cgroups ROUNDS\n");
		return 2;
	}
	if (subtree_make(&subtree))
		return 1;
	error = run(&subtree, rounds);
	for (int i = 0; i < SIZES; i++)
		collector_free(&sizes[i].collector);
	subtree_free(&subtree);
	return error ? 1 : 0;
}
