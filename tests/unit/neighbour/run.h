/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* run.h - a victim and others that a detector is fed samples of, one after the other. */
#ifndef TESTS_UNIT_NEIGHBOUR_RUN_H
#define TESTS_UNIT_NEIGHBOUR_RUN_H

#include <cgtopdown/neighbour.h>
#include <math.h>
#include <string.h>

#define PERIOD_NS 100000000ull
#define CONTAINERS 4
enum { VICTIM, ONE, TWO, THREE };

static const char *const keys[CONTAINERS] = {"victim", "one", "two", "three"};

struct run {
	struct ctd_neighbours *neighbours;
	uint64_t time_ns;
	struct ctd_neighbour_sample samples[CONTAINERS];
	struct ctd_neighbour_pair pairs[CONTAINERS];
};

static inline struct run start(void)
{
	struct run run = {.time_ns = 1000 * PERIOD_NS};
	const struct ctd_neighbours_options options = {.period_ns = PERIOD_NS, .subjects_max = 16};

	assert_int_equal(ctd_neighbours_new(&options, &run.neighbours), 0);
	for (size_t i = 0; i < CONTAINERS; i++) {
		run.samples[i] = (struct ctd_neighbour_sample){
			.names = {.key = keys[i], .pod = keys[i]},
			.known = CTD_NEIGHBOUR_WAITS,
			.cpu_ns = PERIOD_NS / 4,
		};
		run.pairs[i] = (struct ctd_neighbour_pair){.victim = VICTIM, .other = (uint32_t)i};
	}
	return run;
}

/* @return what add() said. */
static inline int step(struct run *run)
{
	const struct ctd_neighbour_batch batch = {
		.time_ns = run->time_ns += PERIOD_NS,
		.window_ns = PERIOD_NS,
		.samples = run->samples,
		.samples_count = CONTAINERS,
		.pairs = run->pairs,
		.pairs_count = CONTAINERS,
	};
	int error = ctd_neighbours_add(run->neighbours, &batch);

	if (!error)
		ctd_neighbours_judge(run->neighbours);
	return error;
}

static inline const struct ctd_neighbour_tag *tag_of(const struct run *run,
						     enum ctd_mechanism mechanism)
{
	size_t count;
	const struct ctd_neighbour_tag *tags = ctd_neighbours_tags(run->neighbours, &count);

	for (size_t i = 0; i < count; i++)
		if (tags[i].mechanism == mechanism && strcmp(tags[i].victim->key, "victim") == 0)
			return &tags[i];
	return NULL;
}

/* @return samples until the tag is there, or is not; 100: it never is. */
static inline int steps_until(struct run *run, enum ctd_mechanism mechanism, bool tagged)
{
	for (int i = 1; i < 100; i++) {
		assert_int_equal(step(run), 0);
		if ((tag_of(run, mechanism) != NULL) == tagged)
			return i;
	}
	return 100;
}

static inline double evidence(const struct ctd_neighbour_tag *tag, const char *name)
{
	for (size_t i = 0; i < tag->evidence_count; i++)
		if (strcmp(tag->evidence[i].name, name) == 0)
			return tag->evidence[i].value;
	fail_msg("there is no evidence '%s'", name);
	return NAN;
}

#endif
