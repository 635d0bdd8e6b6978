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
		interference_batch(&trace, TELL_NOTHING, t, samples, names, &batch);
		assert_int_equal(ctd_neighbours_add(neighbours, &batch), 0);
	}
	ctd_neighbours_judge(neighbours);
}

enum counting { LEVEL_TWO = 0x1000, LEVEL_ONE = 0x2000 };

/* As feed(). At level 1 a tenth of all slots, that is bound by the core, is back-end bound, too. */
static void feed_counted(struct ctd_neighbours *neighbours, int from, int to, enum counting by)
{
	struct ctd_neighbour_sample samples[INTERFERENCE_CONTAINERS_MAX];
	char names[INTERFERENCE_CONTAINERS_MAX][CONTAINER_NAME_BYTES];
	struct ctd_neighbour_batch batch;

	for (int t = from; t < to; t++) {
		interference_batch(&trace, TELL_NOTHING, t, samples, names, &batch);
		for (int i = 0; i < trace.containers; i++) {
			samples[i].counted_by = by;
			if (by == LEVEL_TWO)
				continue;
			samples[i].known ^= CTD_NEIGHBOUR_MEMORY | CTD_NEIGHBOUR_BACKEND;
			samples[i].memory_slots += samples[i].slots / 10;
		}
		assert_int_equal(ctd_neighbours_add(neighbours, &batch), 0);
	}
	ctd_neighbours_judge(neighbours);
}

static size_t tags_of(const struct ctd_neighbours *neighbours)
{
	size_t count;

	ctd_neighbours_tags(neighbours, &count);
	return count;
}

/* One in which there are victims. */
static void make_trace(void)
{
	for (uint64_t seed = 1;; seed++) {
		interference_make(STRONG, SHARE_MACHINE, seed, &trace);
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

/* Every container would have more of them than its past expects. */
static void slots_of_another_kind_are_no_excess_but_learned_anew(void **state)
{
	struct ctd_neighbours *neighbours = new_detector(10000000000ull);

	(void)state;
	make_trace();
	feed_counted(neighbours, 0, 200, LEVEL_TWO);
	assert_int_equal(learning(neighbours), 0);
	assert_int_equal(tags_of(neighbours), 0);
	feed_counted(neighbours, 200, 260, LEVEL_ONE);
	assert_int_equal(tags_of(neighbours), 0);
	assert_int_equal(learning(neighbours), trace.containers);
	feed_counted(neighbours, 260, 320, LEVEL_ONE);
	assert_int_equal(learning(neighbours), 0);
	assert_int_equal(tags_of(neighbours), 0);
	ctd_neighbours_free(neighbours);
}

/* As while another program has the counters of the better source. */
static void a_few_such_samples_make_nothing_forgotten(void **state)
{
	struct ctd_neighbours *neighbours = new_detector(10000000000ull);

	(void)state;
	make_trace();
	feed_counted(neighbours, 0, 200, LEVEL_TWO);
	for (int t = 200; t < 300; t += 10) {
		feed_counted(neighbours, t, t + 5, LEVEL_ONE);
		feed_counted(neighbours, t + 5, t + 10, LEVEL_TWO);
		assert_int_equal(learning(neighbours), 0);
		assert_int_equal(tags_of(neighbours), 0);
	}
	ctd_neighbours_free(neighbours);
}

static void so_they_are_after_a_restart_at_another_level(void **state)
{
	struct ctd_neighbours *before = new_detector(10000000000ull),
			      *after = new_detector(10000000000ull),
			      *same = new_detector(10000000000ull);
	const char *why;
	size_t bytes;
	void *saved;

	(void)state;
	make_trace();
	feed_counted(before, 0, 200, LEVEL_TWO);
	assert_int_equal(ctd_neighbours_save(before, &saved, &bytes), 0);
	assert_int_equal(ctd_neighbours_load(after, saved, bytes, &why), 0);
	assert_int_equal(ctd_neighbours_load(same, saved, bytes, &why), 0);
	feed_counted(after, 200, 260, LEVEL_ONE);
	assert_int_equal(tags_of(after), 0);
	assert_int_equal(learning(after), trace.containers);
	feed_counted(same, 200, 260, LEVEL_TWO);
	assert_int_equal(learning(same), 0);
	free(saved);
	ctd_neighbours_free(before);
	ctd_neighbours_free(after);
	ctd_neighbours_free(same);
}

static void bytes_of_the_version_before_are_no_history(void **state)
{
	struct ctd_neighbours *neighbours = new_detector(10000000000ull);
	const uint64_t header[] = {0x0000000131445443, 10000000000ull, 1000, 0};
	const char *why = NULL;

	(void)state;
	assert_int_equal(ctd_neighbours_load(neighbours, header, sizeof(header), &why), -EBADMSG);
	assert_string_equal(why, "it is no history of neighbours, or of another version");
	ctd_neighbours_free(neighbours);
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
		cmocka_unit_test(slots_of_another_kind_are_no_excess_but_learned_anew),
		cmocka_unit_test(a_few_such_samples_make_nothing_forgotten),
		cmocka_unit_test(so_they_are_after_a_restart_at_another_level),
		cmocka_unit_test(bytes_of_the_version_before_are_no_history),
		cmocka_unit_test(bytes_cut_off_anywhere_are_refused),
		cmocka_unit_test(samples_of_another_period_are_no_history),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
