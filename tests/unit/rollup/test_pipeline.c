/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_pipeline.c - snapshots become intervals, each with the rotation that it is made of. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rollup/pipeline.h"

#define MS 1000000ull

static const struct ctd_record_header header = {.source = "none", .groups_count = 2};

static void begin(struct ctd_pipeline *pipeline)
{
	const char *unknown;

	*pipeline = (struct ctd_pipeline){0};
	assert_int_equal(ctd_pipeline_replan(pipeline, &header, &unknown), 0);
}

/* A snapshot at @p ms; @p in_between: taken to change the group. */
static struct ctd_snapshot at(uint64_t ms, bool in_between)
{
	return (struct ctd_snapshot){
		.monotonic_ns = ms * MS, .groups_count = 2, .in_between = in_between};
}

/* @return whether the interval is whole. */
static bool take(struct ctd_pipeline *pipeline, struct ctd_snapshot snapshot)
{
	bool whole = true;

	assert_int_equal(ctd_pipeline_take(pipeline, &snapshot, &whole), 0);
	return whole;
}

static uint64_t window_ms(const struct ctd_pipeline *pipeline)
{
	static const struct ctd_rollup_options options = {.by = CTD_GROUP_CGROUP};
	struct ctd_rollup rollup;
	uint64_t window_ns;

	assert_int_equal(ctd_pipeline_rollup(pipeline, NULL, &options, &rollup), 0);
	window_ns = rollup.window_ns;
	ctd_rollup_free(&rollup);
	return window_ns / MS;
}

static void an_interval_has_all_of_its_rotation(void **state)
{
	struct ctd_pipeline pipeline;

	(void)state;
	begin(&pipeline);
	assert_false(take(&pipeline, at(100, false)));
	assert_false(ctd_pipeline_has_rest(&pipeline));
	assert_false(take(&pipeline, at(150, true)));
	assert_true(ctd_pipeline_has_rest(&pipeline));
	assert_true(take(&pipeline, at(220, false)));
	assert_int_equal(window_ms(&pipeline), 120);
	/* What was not entered is in the next one, too. */
	assert_true(take(&pipeline, at(250, false)));
	assert_int_equal(window_ms(&pipeline), 150);
	ctd_pipeline_done(&pipeline);
	assert_true(take(&pipeline, at(260, false)));
	assert_int_equal(window_ms(&pipeline), 10);
	ctd_pipeline_free(&pipeline);
}

static void what_does_not_follow_is_where_the_next_part_begins(void **state)
{
	struct ctd_snapshot earlier = at(50, false);
	struct ctd_pipeline pipeline;
	bool whole = false;

	(void)state;
	begin(&pipeline);
	take(&pipeline, at(100, false));
	assert_int_equal(ctd_pipeline_take(&pipeline, &earlier, &whole), -EBADMSG);
	assert_false(whole);
	assert_true(take(&pipeline, at(60, false)));
	assert_int_equal(window_ms(&pipeline), 10);
	ctd_pipeline_free(&pipeline);
}

static void another_plan_begins_with_a_snapshot_of_its_own(void **state)
{
	struct ctd_pipeline pipeline;
	struct ctd_record_header other = header;
	const char *unknown = NULL;

	(void)state;
	begin(&pipeline);
	take(&pipeline, at(100, false));
	strcpy(other.model, "past_cove");
	assert_int_equal(ctd_pipeline_replan(&pipeline, &other, &unknown), -EINVAL);
	assert_string_equal(unknown, "past_cove");
	/* The one before still holds. */
	assert_true(take(&pipeline, at(110, false)));
	assert_int_equal(ctd_pipeline_replan(&pipeline, &header, &unknown), 0);
	assert_false(ctd_pipeline_has_rest(&pipeline));
	assert_false(take(&pipeline, at(500, false)));
	assert_true(take(&pipeline, at(530, false)));
	assert_int_equal(window_ms(&pipeline), 30);
	ctd_pipeline_free(&pipeline);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interval_has_all_of_its_rotation),
		cmocka_unit_test(what_does_not_follow_is_where_the_next_part_begins),
		cmocka_unit_test(another_plan_begins_with_a_snapshot_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
