/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_series.c - beside a tag stands what it was decided by, sample by sample. */
#include <cgtopdown/neighbour.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "remote/tags.h"
#include "serve/web/neighbours.h"

#define PERIOD_NS 10000000000ull
/* More victims than tags that have a series; before them is who presses on all of them. */
#define VICTIMS (CTD_NEIGHBOUR_SERIES_TAGS + 2)
#define CONTAINERS (1 + VICTIMS)
#define SAMPLES 300
#define MISSING 290 /* a sample that the first victim has no part in */
#define UNCOUNTED 294 /* one in which who presses ran, and was not counted */
#define IDLE 295 /* one that it has no part in */
#define LATE 195 /* one in which somebody comes who was not there before */
#define RETIRED 4e9
#define OTHER 2e9 /* slots */
#define USUAL 2e9 /* of memory */
#define GAIN 1.6 /* of them, while the antagonist presses */
#define QUIET 1e6
#define PRESSING 4e9

/* For twelve samples in 25, from the 200th on. */
static bool is_pressing(int sample)
{
	return sample >= 200 && sample % 25 < 12;
}

/* About 1, never the same for long, and for all kinds of slots in another order. */
static double noise(int sample, int container, int kind)
{
	return 1 + .004 * ((sample * (7 + kind) + container * 3) % 11 - 5);
}

static void make_sample(int sample, int container, struct ctd_neighbour_sample *to)
{
	static char keys[CONTAINERS][16];
	/* The first victim loses most; who presses has more to do, of the same kind. */
	double memory = container ? USUAL - 1e7 * container : PRESSING;
	double gain = container && is_pressing(sample) ? GAIN : 1;
	double load = container || is_pressing(sample) ? 1 : QUIET / PRESSING;

	snprintf(keys[container], sizeof(keys[container]), "%03d", container);
	*to = (struct ctd_neighbour_sample){
		.names.key = keys[container],
		.known = CTD_NEIGHBOUR_SLOTS | CTD_NEIGHBOUR_MEMORY,
		.counted_by = 1,
		.cpu_ns = PERIOD_NS,
		.retired_slots = (uint64_t)(load * RETIRED * noise(sample, container, 1)),
		.memory_slots = (uint64_t)(load * memory * gain * noise(sample, container, 2)),
	};
	if (!container && sample == UNCOUNTED)
		to->known = 0;
	to->slots = to->retired_slots + to->memory_slots +
		    (uint64_t)(load * OTHER * noise(sample, container, 3));
}

/* All samples, the last one judged. */
static struct ctd_neighbours *run(void)
{
	const struct ctd_neighbours_options options = {.period_ns = PERIOD_NS};
	struct ctd_neighbour_sample samples[CONTAINERS];
	struct ctd_neighbours *neighbours;

	assert_int_equal(ctd_neighbours_new(&options, &neighbours), 0);
	for (int i = 1; i <= SAMPLES; i++) {
		struct ctd_neighbour_batch batch = {.time_ns = (uint64_t)i * PERIOD_NS,
						    .window_ns = PERIOD_NS,
						    .samples = samples};

		for (int container = 0; container < CONTAINERS; container++)
			if ((i != MISSING || container != 1) && (i != IDLE || container))
				make_sample(i, container, &samples[batch.samples_count++]);
		assert_int_equal(ctd_neighbours_add(neighbours, &batch), 0);
		ctd_neighbours_judge(neighbours);
	}
	return neighbours;
}

static const struct ctd_neighbour_tag *tag_of(const struct ctd_neighbour_verdicts *verdicts,
					      const char *key)
{
	for (size_t i = 0; i < verdicts->tags_count; i++)
		if (strcmp(verdicts->tags[i].victim->key, key) == 0)
			return &verdicts->tags[i];
	fail_msg("'%s' has no tag", key);
	return NULL;
}

static bool is_near(float value, double expected, double part)
{
	return fabs((double)value - expected) <= part * fabs(expected);
}

/* The last 120 samples of the first victim, whichever way they came. */
static void check_first(const struct ctd_neighbour_verdicts *verdicts)
{
	const struct ctd_neighbour_tag *tag = tag_of(verdicts, "001");
	const struct ctd_neighbour_series *series = tag->series;

	assert_int_equal(tag->mechanism, CTD_MECHANISM_MEMORY);
	assert_string_equal(tag->antagonists[0].names->key, "000");
	assert_non_null(series);
	assert_int_equal(series->count, CTD_NEIGHBOUR_SERIES);
	for (int i = 0; i < CTD_NEIGHBOUR_SERIES; i++) {
		int sample = SAMPLES - CTD_NEIGHBOUR_SERIES + 1 + i;

		/* That it did not run is known. */
		if (sample == UNCOUNTED)
			assert_true(isnan(series->pressure[i]));
		else
			assert_true(is_near(series->pressure[i],
					    sample == IDLE	  ? 0
					    : is_pressing(sample) ? PRESSING
								  : QUIET,
					    .05));
		if (sample == MISSING)
			assert_true(isnan(series->excess[i]));
		else if (is_pressing(sample))
			assert_true(is_near(series->excess[i], log(GAIN), .2));
		else
			assert_true(fabsf(series->excess[i]) < .1F);
	}
}

static size_t count_series(const struct ctd_neighbour_verdicts *verdicts)
{
	size_t count = 0;

	for (size_t i = 0; i < verdicts->tags_count; i++)
		count += !!verdicts->tags[i].series;
	return count;
}

static void the_tags_that_lose_most_have_the_samples_they_were_decided_by(void **state)
{
	struct ctd_neighbours *neighbours = run();
	struct ctd_neighbour_verdicts now = ctd_neighbours_verdicts(neighbours, 1), *copy;

	(void)state;
	check_first(&now);
	assert_int_equal(now.tags_count, VICTIMS);
	assert_int_equal(count_series(&now), CTD_NEIGHBOUR_SERIES_TAGS);
	assert_null(now.tags[VICTIMS - 1].series);
	copy = ctd_neighbour_verdicts_copy(&now);
	assert_non_null(copy);
	ctd_neighbours_free(neighbours);
	check_first(copy);
	assert_int_equal(count_series(copy), CTD_NEIGHBOUR_SERIES_TAGS);
	assert_string_equal(copy->tags[VICTIMS - 1].antagonists[0].names->key, "000");
	ctd_neighbour_verdicts_release(copy);
}

static void who_asks_a_serve_gets_the_same(void **state)
{
	struct ctd_neighbours *neighbours = run();
	struct ctd_neighbour_verdicts now = ctd_neighbours_verdicts(neighbours, PERIOD_NS);
	const struct ctd_self self = {.neighbours = &now};
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	char why[CTD_REMOTE_WHY_BYTES];
	struct ctd_remote_tags tags;

	(void)state;
	assert_int_equal(ctd_neighbours_json(NULL, &self, &text), 0);
	assert_int_equal(ctd_remote_tags_parse(text.text, text.bytes, &tags, why), 0);
	check_first(&tags.verdicts);
	assert_int_equal(count_series(&tags.verdicts), CTD_NEIGHBOUR_SERIES_TAGS);
	ctd_remote_tags_free(&tags);
	ctd_neighbours_free(neighbours);
}

static void a_restart_keeps_them(void **state)
{
	const struct ctd_neighbours_options options = {.period_ns = PERIOD_NS};
	struct ctd_neighbours *before = run(), *after;
	struct ctd_neighbour_verdicts now;
	const char *why;
	size_t count;
	void *bytes;

	(void)state;
	assert_int_equal(ctd_neighbours_save(before, &bytes, &count), 0);
	assert_int_equal(ctd_neighbours_new(&options, &after), 0);
	assert_int_equal(ctd_neighbours_load(after, bytes, count, &why), 0);
	ctd_neighbours_judge(after);
	now = ctd_neighbours_verdicts(after, 1);
	check_first(&now);
	free(bytes);
	ctd_neighbours_free(before);
	ctd_neighbours_free(after);
}

/* The work of one changed by itself, beside another that was not always counted. */
static void pressure_of_all_others_is_not_known_where_none_was_counted(void **state)
{
	const struct ctd_neighbours_options options = {.period_ns = PERIOD_NS};
	const struct ctd_neighbour_series *series;
	struct ctd_neighbour_sample samples[2];
	struct ctd_neighbour_verdicts now;
	struct ctd_neighbours *neighbours;

	(void)state;
	assert_int_equal(ctd_neighbours_new(&options, &neighbours), 0);
	for (int i = 1; i <= SAMPLES; i++) {
		struct ctd_neighbour_batch batch = {.time_ns = (uint64_t)i * PERIOD_NS,
						    .window_ns = PERIOD_NS,
						    .samples = samples,
						    .samples_count = 2};

		for (int j = 0; j < 2; j++) {
			/* Two of which none presses. */
			make_sample(i, j + 1, &samples[j]);
			samples[j].memory_slots =
				(uint64_t)(USUAL * noise(i, j, 2) * (!j && i > 240 ? GAIN : 1));
			samples[j].slots = samples[j].retired_slots + samples[j].memory_slots +
					   (uint64_t)(OTHER * noise(i, j, 3));
		}
		samples[1].known = i == UNCOUNTED ? 0 : samples[1].known;
		batch.samples_count = i == IDLE ? 1 : 2;
		assert_int_equal(ctd_neighbours_add(neighbours, &batch), 0);
		ctd_neighbours_judge(neighbours);
	}
	now = ctd_neighbours_verdicts(neighbours, 1);
	assert_int_equal(tag_of(&now, "001")->antagonists_count, 0);
	series = tag_of(&now, "001")->series;
	for (int i = 0; i < CTD_NEIGHBOUR_SERIES; i++) {
		int sample = SAMPLES - CTD_NEIGHBOUR_SERIES + 1 + i;

		if (sample == UNCOUNTED)
			assert_true(isnan(series->pressure[i]));
		else
			assert_true(is_near(series->pressure[i], sample == IDLE ? 0 : USUAL, .05));
	}
	ctd_neighbours_free(neighbours);
}

/* "001" beside so many others, of which one comes late: it presses, or else it runs now and then,
 * and the work of "001" changes by itself. The other is there from the first sample on. */
static struct ctd_neighbours *run_with_a_late_one(int others, bool pressing)
{
	const struct ctd_neighbours_options options = {.period_ns = PERIOD_NS};
	struct ctd_neighbour_sample samples[3];
	struct ctd_neighbours *neighbours;

	assert_int_equal(ctd_neighbours_new(&options, &neighbours), 0);
	for (int i = 1; i <= SAMPLES; i++) {
		struct ctd_neighbour_batch batch = {.time_ns = (uint64_t)i * PERIOD_NS,
						    .window_ns = PERIOD_NS,
						    .samples = samples};

		make_sample(i, 1, &samples[batch.samples_count++]);
		if (!pressing) {
			samples[0].memory_slots =
				(uint64_t)(USUAL * noise(i, 0, 2) * (i > 240 ? GAIN : 1));
			samples[0].slots = samples[0].retired_slots + samples[0].memory_slots +
					   (uint64_t)(OTHER * noise(i, 0, 3));
		}
		if (i >= LATE && (pressing || i % 3 == 0))
			make_sample(i, pressing ? 0 : 2, &samples[batch.samples_count++]);
		if (others == 2 && i == 1)
			make_sample(i, 3, &samples[batch.samples_count++]);
		assert_int_equal(ctd_neighbours_add(neighbours, &batch), 0);
		ctd_neighbours_judge(neighbours);
	}
	return neighbours;
}

/* In the order of samples: not known before LATE, or known to be nothing. */
static void check_late(const struct ctd_neighbour_verdicts *verdicts, bool is_known_before)
{
	const struct ctd_neighbour_tag *tag = tag_of(verdicts, "001");

	for (int i = 0; i < CTD_NEIGHBOUR_SERIES; i++) {
		int sample = SAMPLES - CTD_NEIGHBOUR_SERIES + 1 + i;
		float value = tag->series->pressure[i];

		if (sample >= LATE)
			assert_int_equal(!isnan(value),
					 !tag->antagonists_count || sample != UNCOUNTED);
		else if (is_known_before)
			assert_true(is_near(value, 0, 0));
		else
			assert_true(isnan(value));
	}
}

/* An antagonist that was not there did not press with nothing: that is not known, and the sum of
 * all others is that of those who were. */
static void before_a_container_was_seen_nothing_of_it_is_known(void **state)
{
	(void)state;
	for (int others = 1; others <= 2; others++) {
		for (int pressing = 0; pressing < 2; pressing++) {
			struct ctd_neighbours *neighbours = run_with_a_late_one(others, pressing);
			struct ctd_neighbour_verdicts now =
				ctd_neighbours_verdicts(neighbours, PERIOD_NS);
			const struct ctd_self self = {.neighbours = &now};
			auto_ctd_strbuf struct ctd_strbuf text = {0};
			char why[CTD_REMOTE_WHY_BYTES];
			struct ctd_remote_tags tags;
			/* That of the antagonist does not depend on the others; that of all others
			 * is of those that were there. */
			bool is_known_before = !pressing && others == 2;

			assert_int_equal(tag_of(&now, "001")->antagonists_count, pressing);
			check_late(&now, is_known_before);
			assert_int_equal(ctd_neighbours_json(NULL, &self, &text), 0);
			assert_int_equal(ctd_remote_tags_parse(text.text, text.bytes, &tags, why),
					 0);
			check_late(&tags.verdicts, is_known_before);
			ctd_remote_tags_free(&tags);
			ctd_neighbours_free(neighbours);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_tags_that_lose_most_have_the_samples_they_were_decided_by),
		cmocka_unit_test(who_asks_a_serve_gets_the_same),
		cmocka_unit_test(a_restart_keeps_them),
		cmocka_unit_test(before_a_container_was_seen_nothing_of_it_is_known),
		cmocka_unit_test(pressure_of_all_others_is_not_known_where_none_was_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
