/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* detector.c - takes samples, batch by batch. */
#include "neighbour/detector.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"

int ctd_neighbours_new(const struct ctd_neighbours_options *options,
		       struct ctd_neighbours **ret_neighbours)
{
	struct ctd_neighbours *neighbours = calloc(1, sizeof(*neighbours));

	if (!neighbours)
		return -ENOMEM;
	neighbours->options = *options;
	if (!options->period_ns)
		neighbours->options.period_ns = CTD_NEIGHBOUR_PERIOD_DEFAULT_NS;
	if (!options->subjects_max)
		neighbours->options.subjects_max = CTD_NEIGHBOUR_SUBJECTS_DEFAULT;
	neighbours->subjects =
		calloc(neighbours->options.subjects_max, sizeof(*neighbours->subjects));
	neighbours->tags = calloc(neighbours->options.subjects_max * CTD_MECHANISMS,
				  sizeof(*neighbours->tags));
	if (!neighbours->subjects || !neighbours->tags) {
		ctd_neighbours_free(neighbours);
		return -ENOMEM;
	}
	*ret_neighbours = neighbours;
	return 0;
}

void ctd_neighbours_free(struct ctd_neighbours *neighbours)
{
	if (!neighbours)
		return;
	for (size_t i = 0; i < neighbours->subjects_count; i++)
		ctd_subject_free(neighbours->subjects[i]);
	ctd_idmap_free(&neighbours->by_id);
	ctd_idmap_free(&neighbours->by_serial);
	free(neighbours->subjects);
	free(neighbours->tags);
	free(neighbours);
}

/* How many sample periods have passed since the batch before; at least 1. */
static uint64_t periods_since(const struct ctd_neighbours *neighbours, uint64_t time_ns)
{
	double periods = neighbours->time_ns ? round((double)(time_ns - neighbours->time_ns) /
						     (double)neighbours->options.period_ns)
					     : 1;

	return periods < 1 ? 1 : periods > HISTORY ? HISTORY : (uint64_t)periods;
}

/* One more tick, and those that had no batch. */
static void advance(struct ctd_neighbours *neighbours, const struct ctd_neighbour_batch *batch)
{
	for (uint64_t left = periods_since(neighbours, batch->time_ns); left; left--) {
		neighbours->tick++;
		for (size_t i = 0; i < neighbours->subjects_count; i++)
			ctd_take_tick(neighbours->subjects[i], neighbours->tick,
				      left == 1 ? batch->window_ns : neighbours->options.period_ns);
		/* Of periods without a batch nothing is known. */
		for (size_t i = 0; i < neighbours->subjects_count && left > 1; i++)
			ctd_point_at(neighbours->subjects[i], neighbours->tick)->retired = NAN;
	}
	neighbours->time_ns = batch->time_ns;
	neighbours->batches++;
	ctd_subjects_forget(neighbours);
}

/* Where a container ran by other caches says nothing of these. */
static void take_caches(struct ctd_neighbours *neighbours, const struct ctd_caches *caches)
{
	static const struct ctd_caches none;

	caches = caches ? caches : &none;
	if (ctd_caches_are_same(&neighbours->caches, caches))
		return;
	for (size_t i = 0; i < neighbours->subjects_count; i++)
		neighbours->subjects[i]->caches = (struct ctd_recent_caches){0};
	neighbours->caches = *caches;
}

static void take_pairs(const struct ctd_neighbour_batch *batch, struct ctd_subject **subject_of)
{
	for (size_t i = 0; i < batch->pairs_count; i++) {
		const struct ctd_neighbour_pair *pair = &batch->pairs[i];

		if (pair->victim >= batch->samples_count || pair->other >= batch->samples_count ||
		    pair->victim == pair->other)
			continue;
		if (subject_of[pair->victim] && subject_of[pair->other])
			ctd_take_pair(subject_of[pair->victim], subject_of[pair->other]->serial,
				      pair);
	}
}

int ctd_neighbours_add(struct ctd_neighbours *neighbours, const struct ctd_neighbour_batch *batch)
{
	autofree struct ctd_subject **subject_of =
		calloc(batch->samples_count + 1, sizeof(*subject_of));
	int error = 0;

	if (!subject_of)
		return -ENOMEM;
	if (batch->time_ns <= neighbours->time_ns) {
		neighbours->refused_batches++;
		neighbours->time_ns = batch->time_ns; /* it goes on from here */
		return -EINVAL;
	}
	neighbours->tags_count = 0;
	take_caches(neighbours, batch->caches);
	advance(neighbours, batch);
	for (size_t i = 0; i < batch->samples_count; i++) {
		const struct ctd_neighbour_sample *sample = &batch->samples[i];
		struct ctd_subject *subject =
			ctd_subject_of(neighbours, &sample->names, sample->domain, &error);

		if (error)
			return error;
		if (!subject) {
			neighbours->refused_samples++;
			continue;
		}
		subject_of[i] = subject;
		if (subject->seen_at == neighbours->tick)
			continue; /* it comes twice */
		if (!subject->seen_at) {
			subject->first_at = neighbours->tick;
			subject->recent.window_ns = (double)batch->window_ns;
			subject->siblings.window_ns = (double)batch->window_ns;
		}
		subject->seen_in = neighbours->batches;
		ctd_take_sample(subject, neighbours->tick, sample);
	}
	take_pairs(batch, subject_of);
	return 0;
}

void ctd_neighbours_judge(struct ctd_neighbours *neighbours)
{
	ctd_judge_all(neighbours);
}

const struct ctd_neighbour_tag *ctd_neighbours_tags(const struct ctd_neighbours *neighbours,
						    size_t *ret_count)
{
	*ret_count = neighbours->tags_count;
	return neighbours->tags;
}

void ctd_neighbours_status(const struct ctd_neighbours *neighbours,
			   struct ctd_neighbours_status *ret_status)
{
	size_t max = neighbours->options.subjects_max;

	*ret_status = (struct ctd_neighbours_status){
		.batches = neighbours->batches,
		.refused_batches = neighbours->refused_batches,
		.refused_samples = neighbours->refused_samples,
		.subjects = neighbours->subjects_count,
		.bytes = sizeof(*neighbours) +
			 max * (sizeof(*neighbours->subjects) +
				CTD_MECHANISMS * sizeof(*neighbours->tags)) +
			 neighbours->subjects_count * sizeof(struct ctd_subject),
		.caches = neighbours->caches.count,
		.nodes = ctd_caches_nodes(&neighbours->caches),
	};
	for (size_t i = 0; i < neighbours->subjects_count; i++)
		ret_status->learning += ctd_subject_is_learning(neighbours->subjects[i]);
}
