/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_told.c - of which tag an event is due, and when, by a clock of the test's. */
#include "serve/events/told.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unit/serve/events/cluster.h"

#define SECOND_NS 1000000000ull
#define START_NS (5 * SECOND_NS)

static void judge(struct ctd_told *told, const struct cluster *cluster, uint64_t now_ns)
{
	assert_int_equal(ctd_told_judge(told, &cluster->verdicts, &cluster->view, now_ns), 0);
}

/* The event that is due is sent. */
static struct ctd_told_tag *tell(struct ctd_told *told, uint64_t now_ns)
{
	struct ctd_told_tag *tag = ctd_told_next(told, now_ns);

	assert_non_null(tag);
	ctd_told_answered(told, tag, CTD_PUSH_TAKEN, now_ns);
	return tag;
}

static void a_tag_is_told_of_once_and_again_before_its_event_is_forgotten(void **state)
{
	struct ctd_told told = {0};
	struct cluster cluster;
	struct ctd_told_tag *tag;

	(void)state;
	make_cluster(&cluster);
	judge(&told, &cluster, START_NS);
	tag = tell(&told, START_NS);
	assert_ptr_equal(tag->tag, &cluster.tag);
	assert_ptr_equal(tag->victim, &cluster.web_who);
	assert_string_equal(tag->reason, "NoisyNeighbour");
	judge(&told, &cluster, START_NS + 1);
	assert_null(ctd_told_next(&told, START_NS + CTD_TOLD_REPEAT_NS - 1));
	assert_non_null(ctd_told_next(&told, START_NS + CTD_TOLD_REPEAT_NS));
	assert_int_equal(told.dropped, 0);
	ctd_told_free(&told);
}

static void its_end_is_told_of_once(void **state)
{
	struct ctd_told told = {0};
	struct cluster cluster;
	struct ctd_told_tag *tag;

	(void)state;
	make_cluster(&cluster);
	judge(&told, &cluster, START_NS);
	tell(&told, START_NS);
	cluster.verdicts.tags_count = 0;
	judge(&told, &cluster, START_NS + 1);
	tag = tell(&told, START_NS + 1);
	assert_null(tag->tag);
	assert_ptr_equal(tag->victim, &cluster.web_who);
	assert_null(ctd_told_next(&told, START_NS + 2));
	judge(&told, &cluster, START_NS + CTD_TOLD_PAUSE_NS - 1);
	assert_int_equal(told.count, 1);
	judge(&told, &cluster, START_NS + CTD_TOLD_PAUSE_NS);
	assert_int_equal(told.count, 0);
	assert_int_equal(told.dropped, 0);
	ctd_told_free(&told);
}

static void nobody_is_told_of_the_end_of_a_tag_that_went_with_its_pod(void **state)
{
	struct ctd_told told = {0};
	struct cluster cluster;

	(void)state;
	for (int restarted = 0; restarted < 2; restarted++) {
		make_cluster(&cluster);
		judge(&told, &cluster, START_NS);
		tell(&told, START_NS);
		cluster.verdicts.tags_count = 0;
		if (restarted)
			cluster.web_who.pod_uid = UID_BATCH;
		else
			cluster.accounts[1].ended = true;
		judge(&told, &cluster, START_NS + 1);
		assert_null(ctd_told_next(&told, START_NS + 1));
		assert_int_equal(told.dropped, 0);
		ctd_told_free(&told);
	}
}

static void one_that_comes_and_goes_is_told_of_once_in_ten_minutes(void **state)
{
	struct ctd_told told = {0};
	struct cluster cluster;
	uint64_t now_ns = START_NS;
	unsigned int begun = 0, ended = 0;

	(void)state;
	make_cluster(&cluster);
	/* There for ten seconds, and away for ten, for an hour. */
	for (int i = 0; i < 360; i++, now_ns += 10 * SECOND_NS) {
		struct ctd_told_tag *tag;

		cluster.verdicts.tags_count = i % 2 == 0;
		cluster.tag.since_ns += SECOND_NS;
		judge(&told, &cluster, now_ns);
		tag = ctd_told_next(&told, now_ns);
		if (!tag)
			continue;
		begun += tag->tag != NULL;
		ended += tag->tag == NULL;
		ctd_told_answered(&told, tag, CTD_PUSH_TAKEN, now_ns);
	}
	assert_int_equal(begun, 6);
	assert_int_equal(ended, 6);
	/* Each of the others is counted once. */
	assert_int_equal(told.dropped, 180 - 6);
	ctd_told_free(&told);
}

static void one_that_stands_still_when_the_pause_is_over_is_told_of_then(void **state)
{
	struct ctd_told told = {0};
	struct cluster cluster;

	(void)state;
	make_cluster(&cluster);
	judge(&told, &cluster, START_NS);
	tell(&told, START_NS);
	cluster.verdicts.tags_count = 0;
	judge(&told, &cluster, START_NS + 1);
	tell(&told, START_NS + 1);
	cluster.verdicts.tags_count = 1;
	cluster.tag.since_ns++;
	judge(&told, &cluster, START_NS + 2);
	assert_null(ctd_told_next(&told, START_NS + CTD_TOLD_PAUSE_NS - 1));
	assert_non_null(ctd_told_next(&told, START_NS + CTD_TOLD_PAUSE_NS));
	assert_int_equal(told.dropped, 0);
	ctd_told_free(&told);
}

static void a_neighbour_that_is_named_later_is_told_of_at_once_and_once(void **state)
{
	struct ctd_told told = {0};
	struct cluster cluster;

	(void)state;
	make_cluster(&cluster);
	cluster.tag.blame = CTD_BLAME_MACHINE;
	judge(&told, &cluster, START_NS);
	assert_string_equal(tell(&told, START_NS)->reason, "NodeContended");
	cluster.tag.blame = CTD_BLAME_NEIGHBOUR;
	judge(&told, &cluster, START_NS + 1);
	assert_string_equal(tell(&told, START_NS + 1)->reason, "NoisyNeighbour");
	assert_null(ctd_told_next(&told, START_NS + CTD_TOLD_REPEAT_NS));
	cluster.tag.blame = CTD_BLAME_MACHINE;
	judge(&told, &cluster, START_NS + 2);
	assert_null(ctd_told_next(&told, START_NS + CTD_TOLD_REPEAT_NS));
	cluster.tag.blame = CTD_BLAME_NEIGHBOUR;
	judge(&told, &cluster, START_NS + 3);
	assert_null(ctd_told_next(&told, START_NS + CTD_TOLD_REPEAT_NS));
	ctd_told_free(&told);
}

static void one_whose_name_is_refused_is_not_tried_again_at_once(void **state)
{
	struct ctd_told told = {0};
	struct cluster cluster;

	(void)state;
	make_cluster(&cluster);
	cluster.tag.blame = CTD_BLAME_MACHINE;
	judge(&told, &cluster, START_NS);
	tell(&told, START_NS);
	cluster.tag.blame = CTD_BLAME_NEIGHBOUR;
	judge(&told, &cluster, START_NS + 1);
	ctd_told_answered(&told, ctd_told_next(&told, START_NS + 1), CTD_PUSH_REFUSED,
			  START_NS + 1);
	assert_null(ctd_told_next(&told, START_NS + CTD_TOLD_REPEAT_NS));
	ctd_told_free(&told);
}

static void what_is_the_victims_own_doing_ends_what_was_told(void **state)
{
	struct ctd_told told = {0};
	struct cluster cluster;

	(void)state;
	make_cluster(&cluster);
	cluster.tag.blame = CTD_BLAME_INPUT;
	judge(&told, &cluster, START_NS);
	assert_null(ctd_told_next(&told, START_NS));
	cluster.tag.blame = CTD_BLAME_NEIGHBOUR;
	judge(&told, &cluster, START_NS);
	tell(&told, START_NS);
	cluster.tag.blame = CTD_BLAME_INPUT;
	judge(&told, &cluster, START_NS + 1);
	assert_null(tell(&told, START_NS + 1)->tag);
	ctd_told_free(&told);
}

static void victims_that_are_no_pods_have_no_events(void **state)
{
	struct ctd_told told = {0};
	struct cluster cluster;

	(void)state;
	make_cluster(&cluster);
	cluster.tag.victim = &cluster.unit;
	judge(&told, &cluster, START_NS);
	assert_null(ctd_told_next(&told, START_NS));
	cluster.tag.victim = &cluster.web;
	cluster.web_who.namespace_name = "";
	judge(&told, &cluster, START_NS);
	assert_null(ctd_told_next(&told, START_NS));
	assert_int_equal(told.count, 0);
	ctd_told_free(&told);
}

static void another_pod_of_the_same_name_is_told_for_itself(void **state)
{
	struct ctd_told told = {0};
	struct cluster cluster;

	(void)state;
	make_cluster(&cluster);
	judge(&told, &cluster, START_NS);
	tell(&told, START_NS);
	cluster.web_who.pod_uid = "11111111-2b76-470d-b871-3ddb056b24db";
	judge(&told, &cluster, START_NS + 1);
	assert_null(ctd_told_next(&told, START_NS + CTD_TOLD_PAUSE_NS - 1));
	assert_string_equal(tell(&told, START_NS + CTD_TOLD_PAUSE_NS)->pod_uid,
			    cluster.web_who.pod_uid);
	ctd_told_free(&told);
}

/* Two tags: of web and of batch. */
static void add_second(struct cluster *cluster, struct ctd_neighbour_tag tags[2])
{
	tags[0] = tags[1] = cluster->tag;
	tags[1].victim = &cluster->batch;
	tags[1].antagonists_count = 0;
	cluster->verdicts.tags = tags;
	cluster->verdicts.tags_count = 2;
}

static void what_loses_most_comes_first_and_what_fails_lets_others_go_ahead(void **state)
{
	struct ctd_neighbour_tag tags[2];
	struct ctd_told told = {0};
	struct cluster cluster;
	struct ctd_told_tag *tag;

	(void)state;
	make_cluster(&cluster);
	add_second(&cluster, tags);
	judge(&told, &cluster, START_NS);
	tag = ctd_told_next(&told, START_NS);
	assert_ptr_equal(tag->tag, &tags[0]);
	ctd_told_answered(&told, tag, CTD_PUSH_LATER, START_NS);
	tag = ctd_told_next(&told, START_NS);
	assert_ptr_equal(tag->tag, &tags[1]);
	ctd_told_answered(&told, tag, CTD_PUSH_TAKEN, START_NS);
	assert_ptr_equal(tell(&told, START_NS)->tag, &tags[0]);
	ctd_told_free(&told);
}

static void one_mechanism_does_not_hold_another_one_back(void **state)
{
	struct ctd_neighbour_tag tags[2];
	struct ctd_told told = {0};
	struct cluster cluster;

	(void)state;
	make_cluster(&cluster);
	add_second(&cluster, tags);
	tags[1].victim = &cluster.web;
	tags[1].mechanism = CTD_MECHANISM_SMT;
	judge(&told, &cluster, START_NS);
	assert_ptr_equal(tell(&told, START_NS)->tag, &tags[0]);
	assert_ptr_equal(tell(&told, START_NS)->tag, &tags[1]);
	assert_null(ctd_told_next(&told, START_NS));
	ctd_told_free(&told);
}

static void an_event_that_is_refused_for_good_waits_as_if_it_had_been_told(void **state)
{
	struct ctd_told told = {0};
	struct cluster cluster;

	(void)state;
	make_cluster(&cluster);
	judge(&told, &cluster, START_NS);
	ctd_told_answered(&told, ctd_told_next(&told, START_NS), CTD_PUSH_REFUSED, START_NS);
	assert_null(ctd_told_next(&told, START_NS + CTD_TOLD_PAUSE_NS - 1));
	assert_non_null(ctd_told_next(&told, START_NS + CTD_TOLD_PAUSE_NS));
	cluster.verdicts.tags_count = 0;
	judge(&told, &cluster, START_NS + 1);
	assert_null(ctd_told_next(&told, START_NS + 1));
	assert_int_equal(told.dropped, 1);
	ctd_told_free(&told);
}

static void what_no_server_takes_is_dropped_when_the_tag_is_over(void **state)
{
	struct ctd_told told = {0};
	struct cluster cluster;
	uint64_t now_ns = START_NS;

	(void)state;
	make_cluster(&cluster);
	for (int i = 0; i < 1000; i++, now_ns += 10 * SECOND_NS) {
		judge(&told, &cluster, now_ns);
		ctd_told_answered(&told, ctd_told_next(&told, now_ns), CTD_PUSH_LATER, now_ns);
	}
	assert_int_equal(told.dropped, 0);
	cluster.verdicts.tags_count = 0;
	judge(&told, &cluster, now_ns);
	assert_int_equal(told.dropped, 1);
	assert_int_equal(told.count, 0);
	ctd_told_free(&told);
}

static void an_end_that_no_server_takes_is_dropped_when_its_begin_is_forgotten(void **state)
{
	const uint64_t late_ns = START_NS + CTD_TOLD_REPEAT_NS + CTD_TOLD_PAUSE_NS;
	struct ctd_told told = {0};
	struct cluster cluster;

	(void)state;
	make_cluster(&cluster);
	judge(&told, &cluster, START_NS);
	tell(&told, START_NS);
	cluster.verdicts.tags_count = 0;
	judge(&told, &cluster, late_ns - 1);
	ctd_told_answered(&told, ctd_told_next(&told, late_ns - 1), CTD_PUSH_LATER, late_ns - 1);
	assert_int_equal(told.dropped, 0);
	judge(&told, &cluster, late_ns);
	assert_null(ctd_told_next(&told, late_ns));
	assert_int_equal(told.dropped, 1);
	assert_int_equal(told.count, 0);
	ctd_told_free(&told);
}

static void in_any_minute_there_are_ten_requests(void **state)
{
	struct ctd_told told = {0};
	uint64_t now_ns = START_NS;

	(void)state;
	assert_int_equal(ctd_told_ready_ns(&told), 0);
	for (int i = 0; i < CTD_TOLD_PER_MINUTE; i++, now_ns += SECOND_NS) {
		assert_true(ctd_told_ready_ns(&told) <= now_ns);
		ctd_told_send(&told, now_ns);
	}
	for (int i = 0; i < 100; i++) {
		uint64_t ready_ns = ctd_told_ready_ns(&told);

		/* When the one ten before is a minute ago. */
		assert_int_equal(ready_ns, START_NS + (uint64_t)(i % 10) * SECOND_NS +
						   (uint64_t)(i / 10 + 1) * 60 * SECOND_NS);
		ctd_told_send(&told, ready_ns);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tag_is_told_of_once_and_again_before_its_event_is_forgotten),
		cmocka_unit_test(its_end_is_told_of_once),
		cmocka_unit_test(nobody_is_told_of_the_end_of_a_tag_that_went_with_its_pod),
		cmocka_unit_test(one_that_comes_and_goes_is_told_of_once_in_ten_minutes),
		cmocka_unit_test(one_that_stands_still_when_the_pause_is_over_is_told_of_then),
		cmocka_unit_test(a_neighbour_that_is_named_later_is_told_of_at_once_and_once),
		cmocka_unit_test(one_whose_name_is_refused_is_not_tried_again_at_once),
		cmocka_unit_test(what_is_the_victims_own_doing_ends_what_was_told),
		cmocka_unit_test(victims_that_are_no_pods_have_no_events),
		cmocka_unit_test(another_pod_of_the_same_name_is_told_for_itself),
		cmocka_unit_test(what_loses_most_comes_first_and_what_fails_lets_others_go_ahead),
		cmocka_unit_test(one_mechanism_does_not_hold_another_one_back),
		cmocka_unit_test(an_event_that_is_refused_for_good_waits_as_if_it_had_been_told),
		cmocka_unit_test(what_no_server_takes_is_dropped_when_the_tag_is_over),
		cmocka_unit_test(
			an_end_that_no_server_takes_is_dropped_when_its_begin_is_forgotten),
		cmocka_unit_test(in_any_minute_there_are_ten_requests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
