/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* judge_interference.c - the detector's figures on traces: judge_interference FIRST_SEED TRACES;
 * its cost: judge_interference cost; or a trace as jsonl: judge_interference trace CLASS SEED. */
#include "../interference_score.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COST_CONTAINERS 1000
#define COST_ROOM (COST_CONTAINERS + INTERFERENCE_CONTAINERS_MAX) /* for whole traces */

static void print(const char *class, const char *shared, const char *method,
		  const struct interference_score *score)
{
	printf("%-7s by %-8s %-14s victims %d of %d  recall %.3f  precision %.3f  right first %.3f\n",
	       class, shared, method, score->victims, score->containers, score_recall(score),
	       score_precision(score), score_right(score));
}

/* All containers run everywhere, each a little more on some: what costs most. */
static void spread(struct ctd_neighbour_sample *sample, int container, uint32_t caches)
{
	sample->known |= CTD_NEIGHBOUR_CACHES;
	for (uint32_t c = 0; c < caches; c++)
		sample->cache_ns[c] =
			sample->cpu_ns / caches * (1 + ((uint32_t)container + c) % 7) / 4;
}

/* What 1,000 containers cost: figures of an hour, and of 100 samples after it. */
static int measure(enum interference_class class, uint32_t caches_count)
{
	struct ctd_caches caches = {.count = caches_count > 1 ? caches_count : 0};
	static struct interference_trace trace;
	static struct ctd_neighbour_sample samples[COST_ROOM];
	static char names[COST_ROOM][CONTAINER_NAME_BYTES];
	struct ctd_neighbour_batch batch;
	struct ctd_neighbours_status status;
	struct ctd_neighbours *neighbours;
	double worst = 0, sum = 0;
	size_t tags = 0;

	for (uint32_t c = 0; c < caches.count; c++)
		caches.node[c] = c * INTERFERENCE_NODES / caches.count;
	interference_make(class, SHARE_MACHINE, 3, &trace);
	if (ctd_neighbours_new(&(struct ctd_neighbours_options){0}, &neighbours))
		return 1;
	for (int t = 0; t < INTERFERENCE_SAMPLES; t++) {
		clock_t before;
		double seconds;

		for (int i = 0; i < COST_CONTAINERS; i += trace.containers) {
			interference_batch(&trace, TELL_NOTHING, t, samples + i, names + i, &batch);
			for (int k = 0; k < trace.containers; k++) {
				snprintf(names[i + k], CONTAINER_NAME_BYTES, "c%d", i + k);
				spread(&samples[i + k], i + k, caches.count);
			}
		}
		batch.samples = samples;
		batch.samples_count = COST_CONTAINERS;
		batch.caches = &caches;
		before = clock();
		if (ctd_neighbours_add(neighbours, &batch))
			return 1;
		ctd_neighbours_judge(neighbours);
		seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
		ctd_neighbours_tags(neighbours, &tags);
		if (t >= INTERFERENCE_SAMPLES - 100) {
			sum += seconds;
			worst = fmax(worst, seconds);
		}
	}
	ctd_neighbours_status(neighbours, &status);
	printf("%d containers on %u caches, %zu tags: %.2f ms for a sample, %.2f at worst; %.1f MB\n",
	       COST_CONTAINERS, caches_count, tags, sum * 10, worst * 1e3,
	       (double)status.bytes / 1e6);
	ctd_neighbours_free(neighbours);
	return 0;
}

/* As a trace for `cgtopdown neighbours --input`. */
static int write_trace(const char *class_name, uint64_t seed)
{
	static struct interference_trace trace;
	int class = 0;

	while (class < INTERFERENCE_CLASSES &&
	       strcmp(interference_parameters[class].name, class_name) != 0)
		class ++;
	if (class == INTERFERENCE_CLASSES)
		return 2;
	interference_make((enum interference_class) class, SHARE_MACHINE, seed, &trace);
	for (int t = 0; t < INTERFERENCE_SAMPLES; t++)
		for (int i = 0; i < trace.containers; i++) {
			const struct interference_point *point = &trace.point[t][i];

			printf("{\"time\": %d, \"key\": \"c%d\", \"namespace\": \"%s\", \"pod\": \"pod-%d\", \"cpu_s\": %.3f, \"slots\": %.0f, \"retired_slots\": %.0f, \"memory_bound_slots\": %.0f, \"frontend_bound_slots\": %.0f}\n",
			       1600000000 + 10 * (t + 1), i, class_name, i, 10 * (double)point->cpu,
			       (double)point->slots, (double)point->retired, (double)point->memory,
			       (double)point->frontend);
		}
	for (int i = 0; i < trace.containers; i++)
		if (trace.container[i].lost >= INTERFERENCE_VICTIM)
			fprintf(stderr, "truth: pod-%d lost %.3f of its slots\n", i,
				trace.container[i].lost);
	return 0;
}

static int measure_all(void)
{
	static const uint32_t caches[] = {1, 8, 32};
	int error = 0;

	/* Without victims, and with little else. */
	for (size_t i = 0; !error && i < sizeof(caches) / sizeof(*caches); i++)
		error = measure(STRONG, caches[i]) || measure(TWINS, caches[i]);
	return error;
}

static int judge(enum interference_class class, enum interference_shared shared, uint64_t first,
		 uint64_t traces)
{
	static const char *const names[INTERFERENCE_SHARED] = {"machine", "node", "cache"};
	static struct interference_trace trace;
	struct interference_score untold = {0}, told = {0}, cpi2 = {0};
	const char *name = interference_parameters[class].name;

	for (uint64_t seed = first; seed < first + traces; seed++) {
		interference_make(class, shared, seed, &trace);
		if (interference_judge(&trace, TELL_NOTHING, &untold) ||
		    interference_judge(&trace, TELL_CACHES, &told))
			return 1;
		cpi2_judge(&trace, &cpi2);
	}
	print(name, names[shared], "ours", &untold);
	print(name, names[shared], "ours, caches", &told);
	print(name, names[shared], "cpi2", &cpi2);
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	uint64_t traces = argc > 2 ? strtoull(argv[2], NULL, 10) : 100;

	if (argc > 1 && strcmp(argv[1], "cost") == 0)
		return measure_all();
	if (argc > 3 && strcmp(argv[1], "trace") == 0)
		return write_trace(argv[2], strtoull(argv[3], NULL, 10));
	for (int class = 0; class < INTERFERENCE_CLASSES; class ++)
		for (int shared = 0; shared < INTERFERENCE_SHARED; shared++)
			if (judge((enum interference_class) class, (enum interference_shared)shared,
				  first, traces))
				return 1;
	return 0;
}
