/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_history.c - a restart forgets nothing that was learned, and bad bytes teach nothing. */
#include "interference_score.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct interference_trace trace;

static struct ctd_neighbours *new_detector(uint64_t period_ns)
{
	const struct ctd_neighbours_options options = {.period_ns = period_ns,
						       .subjects_max = INTERFERENCE_CONTAINERS_MAX};
	struct ctd_neighbours *neighbours;

	assert_int_equal(ctd_neighbours_new(&options, &neighbours), 0);
	return neighbours;
}

static void feed(struct ctd_neighbours *neighbours, int from, int to)
{
	struct ctd_neighbour_sample samples[INTERFERENCE_CONTAINERS_MAX];
	char names[INTERFERENCE_CONTAINERS_MAX][CONTAINER_NAME_BYTES];
	struct ctd_neighbour_batch batch;

	for (int t = from; t < to; t++) {
		interference_batch(&trace, t, samples, names, &batch);
		assert_int_equal(ctd_neighbours_add(neighbours, &batch), 0);
	}
	ctd_neighbours_judge(neighbours);
}

/* One in which there are victims. */
static void make_trace(void)
{
	for (uint64_t seed = 1;; seed++) {
		interference_make(STRONG, seed, &trace);
		for (int i = 0; i < trace.containers; i++)
			if (trace.container[i].lost > .2)
				return;
	}
}

static size_t learning(const struct ctd_neighbours *neighbours)
{
	struct ctd_neighbours_status status;

	ctd_neighbours_status(neighbours, &status);
	return status.learning;
}

static void a_restart_leads_to_the_same_tags(void **state)
{
	struct ctd_neighbours *before = new_detector(10000000000ull),
			      *after = new_detector(10000000000ull);
	const struct ctd_neighbour_tag *tags, *wanted;
	size_t bytes, count, wanted_count;
	const char *why;
	void *saved;

	(void)state;
	make_trace();
	feed(before, 0, 89);
	assert_int_equal(learning(before), trace.containers);
	feed(before, 89, 500);
	assert_int_equal(learning(before), 0);
	assert_int_equal(ctd_neighbours_save(before, &saved, &bytes), 0);
	assert_true(bytes < (size_t)trace.containers * 3000);
	assert_int_equal(ctd_neighbours_load(after, saved, bytes, &why), 0);
	feed(before, 500, INTERFERENCE_SAMPLES);
	feed(after, 500, INTERFERENCE_SAMPLES);
	assert_int_equal(learning(after), 0);
	wanted = ctd_neighbours_tags(before, &wanted_count);
	tags = ctd_neighbours_tags(after, &count);
	assert_true(wanted_count > 0);
	assert_int_equal(count, wanted_count);
	for (size_t i = 0; i < count; i++) {
		assert_string_equal(tags[i].victim->key, wanted[i].victim->key);
		assert_int_equal(tags[i].mechanism, wanted[i].mechanism);
		assert_int_equal(tags[i].antagonists_count, wanted[i].antagonists_count);
	}
	free(saved);
	ctd_neighbours_free(before);
	ctd_neighbours_free(after);
}

static void bytes_cut_off_anywhere_are_refused(void **state)
{
	struct ctd_neighbours *before = new_detector(10000000000ull);
	const char *why;
	size_t bytes;
	void *saved;

	(void)state;
	make_trace();
	feed(before, 0, 3);
	assert_int_equal(ctd_neighbours_save(before, &saved, &bytes), 0);
	for (size_t cut = 0; cut < bytes; cut++) {
		struct ctd_neighbours *after = new_detector(10000000000ull);

		why = NULL;
		assert_int_equal(ctd_neighbours_load(after, saved, cut, &why), -EBADMSG);
		assert_non_null(why);
		ctd_neighbours_free(after);
	}
	free(saved);
	ctd_neighbours_free(before);
}

static void samples_of_another_period_are_no_history(void **state)
{
	struct ctd_neighbours *before = new_detector(10000000000ull),
			      *after = new_detector(100000000ull);
	const char *why = NULL;
	size_t bytes;
	void *saved;

	(void)state;
	make_trace();
	feed(before, 0, 3);
	assert_int_equal(ctd_neighbours_save(before, &saved, &bytes), 0);
	assert_int_equal(ctd_neighbours_load(after, saved, bytes, &why), -EBADMSG);
	assert_string_equal(why, "its samples are of another period");
	free(saved);
	ctd_neighbours_free(before);
	ctd_neighbours_free(after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_restart_leads_to_the_same_tags),
		cmocka_unit_test(bytes_cut_off_anywhere_are_refused),
		cmocka_unit_test(samples_of_another_period_are_no_history),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
