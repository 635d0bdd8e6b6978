/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* interference_score.h - holds what a detector says of traces against the truth. */
#ifndef TESTS_INTERFERENCE_SCORE_H
#define TESTS_INTERFERENCE_SCORE_H

#include <cgtopdown/neighbour.h>

#include <stdio.h>
#include <stdlib.h>

#include "interference.h"

#define CONTAINER_NAME_BYTES 16

/* Of many containers. A tag of one that lost a little to antagonists is neither right nor wrong. */
struct interference_score {
	int containers, victims;
	int found; /* victims that are tagged */
	int tagged, wrong; /* tags of victims or clean ones; of clean ones */
	int named, named_right; /* antagonists that are named first for victims; and are */
};

static inline double score_recall(const struct interference_score *score)
{
	return score->victims ? (double)score->found / score->victims : 0;
}

static inline double score_precision(const struct interference_score *score)
{
	return score->tagged ? 1 - (double)score->wrong / score->tagged : 1;
}

static inline double score_right(const struct interference_score *score)
{
	return score->named ? (double)score->named_right / score->named : 1;
}

/* @p blamed: the container that is named for container @p i; -1: it is not tagged. */
static inline void score_add(struct interference_score *score,
			     const struct interference_trace *trace, int i, int blamed)
{
	double lost = trace->container[i].lost;
	bool victim = lost >= INTERFERENCE_VICTIM, clean = lost < INTERFERENCE_CLEAN;

	score->containers++;
	score->victims += victim;
	if (blamed < 0)
		return;
	score->found += victim;
	score->tagged += victim || clean;
	score->wrong += clean;
	score->named += victim;
	score->named_right += victim && interference_is_first(trace, i, blamed);
}

/* What is told of where containers run. */
enum interference_told { TELL_NOTHING, TELL_CACHES };

static inline void interference_batch(const struct interference_trace *trace,
				      enum interference_told told, int t,
				      struct ctd_neighbour_sample *samples,
				      char names[][CONTAINER_NAME_BYTES],
				      struct ctd_neighbour_batch *ret_batch)
{
	static const struct ctd_caches caches = {.count = INTERFERENCE_CACHES,
						 .node = {0, 0, 1, 1}};

	for (int i = 0; i < trace->containers; i++) {
		const struct interference_point *point = &trace->point[t][i];

		snprintf(names[i], CONTAINER_NAME_BYTES, "c%d", i);
		samples[i] = (struct ctd_neighbour_sample){
			.names.key = names[i],
			.known =
				CTD_NEIGHBOUR_SLOTS | CTD_NEIGHBOUR_MEMORY | CTD_NEIGHBOUR_FRONTEND,
			.cpu_ns = (uint64_t)((double)point->cpu * 1e10),
			.slots = (uint64_t)point->slots,
			.retired_slots = (uint64_t)point->retired,
			.memory_slots = (uint64_t)point->memory,
			.frontend_slots = (uint64_t)point->frontend,
		};
		if (told == TELL_CACHES)
			samples[i].known |= CTD_NEIGHBOUR_CACHES;
		for (int c = 0; c < INTERFERENCE_CACHES; c++)
			samples[i].cache_ns[c] =
				(uint64_t)((double)samples[i].cpu_ns * trace->place[i][c]);
	}
	*ret_batch = (struct ctd_neighbour_batch){
		.time_ns = (uint64_t)(t + 1) * 10000000000ull,
		.window_ns = 10000000000ull,
		.samples = samples,
		.samples_count = (size_t)trace->containers,
		.caches = told == TELL_CACHES ? &caches : NULL,
	};
}

/* What ours says at the end of the trace. @return 0 or negative errno. */
static inline int interference_judge(const struct interference_trace *trace,
				     enum interference_told told, struct interference_score *score)
{
	struct ctd_neighbour_sample samples[INTERFERENCE_CONTAINERS_MAX];
	char names[INTERFERENCE_CONTAINERS_MAX][CONTAINER_NAME_BYTES];
	int blamed[INTERFERENCE_CONTAINERS_MAX];
	const struct ctd_neighbour_tag *tags;
	struct ctd_neighbours *neighbours;
	struct ctd_neighbour_batch batch;
	size_t count;
	int error = ctd_neighbours_new(
		&(struct ctd_neighbours_options){.subjects_max = INTERFERENCE_CONTAINERS_MAX},
		&neighbours);

	for (int t = 0; !error && t < INTERFERENCE_SAMPLES; t++) {
		interference_batch(trace, told, t, samples, names, &batch);
		error = ctd_neighbours_add(neighbours, &batch);
	}
	if (error)
		return error;
	memset(blamed, -1, sizeof(blamed));
	ctd_neighbours_judge(neighbours);
	tags = ctd_neighbours_tags(neighbours, &count);
	for (size_t i = 0; i < count; i++)
		if (tags[i].blame == CTD_BLAME_NEIGHBOUR)
			blamed[atoi(tags[i].victim->key + 1)] =
				atoi(tags[i].antagonists[0].names->key + 1);
	for (int i = 0; i < trace->containers; i++)
		score_add(score, trace, i, blamed[i]);
	ctd_neighbours_free(neighbours);
	return 0;
}

/*
 * CPI2 (Zhang et al., EuroSys 2013) on the same samples: slots per retired slot stand for cycles
 * per instruction. A container is anomalous if 3 samples of the last 5 minutes are above the mean
 * plus two standard deviations of its past; samples in which it used less than 0.25 CPUs are left
 * out. The suspect with the largest correlation over the last 10 minutes, 0.35 at least, is blamed.
 * The paper has one sample a minute; here are six.
 */
#define CPI2_OUTLIERS 3
#define CPI2_OUTLIERS_IN 30
#define CPI2_WINDOW 60
#define CPI2_CORRELATION 0.35

static inline double cpi2_correlation(const struct interference_trace *trace, int victim,
				      int suspect, double threshold)
{
	double used = 0, correlation = 0;

	for (int t = INTERFERENCE_SAMPLES - CPI2_WINDOW; t < INTERFERENCE_SAMPLES; t++)
		used += (double)trace->point[t][suspect].cpu;
	for (int t = INTERFERENCE_SAMPLES - CPI2_WINDOW; t < INTERFERENCE_SAMPLES; t++) {
		double cpi =
			(double)(trace->point[t][victim].slots / trace->point[t][victim].retired);
		double share = (double)trace->point[t][suspect].cpu / used;

		correlation += cpi > threshold ? share * (1 - threshold / cpi)
					       : share * (cpi / threshold - 1);
	}
	return correlation;
}

static inline int cpi2_blames(const struct interference_trace *trace, int victim)
{
	double sum = 0, squares = 0, threshold, best = CPI2_CORRELATION;
	int count = 0, outliers = 0, blamed = -1;

	for (int t = INTERFERENCE_PAST - 220; t < INTERFERENCE_PAST; t++) {
		double cpi =
			(double)(trace->point[t][victim].slots / trace->point[t][victim].retired);

		if (trace->point[t][victim].cpu < .25F)
			continue;
		sum += cpi;
		squares += cpi * cpi;
		count++;
	}
	if (count < 2)
		return -1;
	threshold = sum / count + 2 * sqrt(squares / count - sum / count * sum / count);
	for (int t = INTERFERENCE_SAMPLES - CPI2_OUTLIERS_IN; t < INTERFERENCE_SAMPLES; t++)
		outliers += (double)(trace->point[t][victim].slots /
				     trace->point[t][victim].retired) > threshold &&
			    trace->point[t][victim].cpu >= .25F;
	for (int i = 0; i < trace->containers && outliers >= CPI2_OUTLIERS; i++) {
		double correlation =
			i == victim ? 0 : cpi2_correlation(trace, victim, i, threshold);

		if (correlation >= best) {
			best = correlation;
			blamed = i;
		}
	}
	return blamed;
}

static inline void cpi2_judge(const struct interference_trace *trace,
			      struct interference_score *score)
{
	for (int i = 0; i < trace->containers; i++)
		score_add(score, trace, i, cpi2_blames(trace, i));
}

#endif
