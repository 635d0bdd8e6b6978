/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_neighbours.c - programs get the tags as they were judged, whatever became of the detector. */
#include "serve/web/neighbours.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"

#define PERIOD_NS 10000000000ull

/* One waits behind the other, long enough for a tag. @p caches: NULL: none are told apart. */
static struct ctd_neighbour_verdicts *judge(const struct ctd_caches *caches)
{
	const struct ctd_neighbour_sample samples[] = {
		{.names = {.key = "a", .pod = "db-0", .container = "db"},
		 .known = CTD_NEIGHBOUR_WAITS,
		 .cpu_ns = PERIOD_NS / 2,
		 .waits = {.count = 9, .wait_ns = PERIOD_NS / 2, .other_ns = PERIOD_NS / 2}},
		{.names = {.key = "b", .cgroup = "/batch"}, .cpu_ns = PERIOD_NS / 2},
	};
	const struct ctd_neighbour_pair pair = {.other = 1, .wait_ns = PERIOD_NS / 2};
	struct ctd_neighbour_batch batch = {.window_ns = PERIOD_NS,
					    .samples = samples,
					    .samples_count = 2,
					    .pairs = &pair,
					    .pairs_count = 1,
					    .caches = caches};
	const struct ctd_neighbours_options options = {0};
	struct ctd_neighbour_verdicts now, *verdicts;
	struct ctd_neighbours *neighbours;

	assert_int_equal(ctd_neighbours_new(&options, &neighbours), 0);
	for (int i = 0; i < 6; i++) {
		batch.time_ns += PERIOD_NS;
		assert_int_equal(ctd_neighbours_add(neighbours, &batch), 0);
		ctd_neighbours_judge(neighbours);
	}
	now = ctd_neighbours_verdicts(neighbours, batch.time_ns);
	verdicts = ctd_neighbour_verdicts_copy(&now);
	assert_non_null(verdicts);
	ctd_neighbours_free(neighbours);
	return verdicts;
}

static void tags_outlive_the_detector(void **state)
{
	struct ctd_self self = {.neighbours = judge(NULL)};
	auto_ctd_strbuf struct ctd_strbuf text = {0};

	(void)state;
	/* Held twice, released twice. */
	ctd_neighbour_verdicts_release(ctd_neighbour_verdicts_hold(self.neighbours));
	assert_int_equal(ctd_neighbours_json(NULL, &self, &text), 0);
	ctd_strbuf_add_bytes(&text, "", 1);
	assert_non_null(strstr(
		text.text,
		"{\"time\":\"1970-01-01T00:01:00.000Z\",\"containers\":2,\"learning\":2,\"refused_samples\":0,\"tags\":[{\"time\":\"1970-01-01T00:01:00.000Z\",\"victim\":{\"key\":\"a\",\"pod\":\"db-0\",\"container\":\"db\"},\"mechanism\":\"run_queue\",\"blame\":\"neighbour\",\"antagonists\":[{\"key\":\"b\",\"cgroup\":\"/batch\",\"share\":1.0}]"));
	assert_string_equal(text.text + text.bytes - 1 - strlen("}}]}\n"), "}}]}\n");
	ctd_neighbour_verdicts_release(self.neighbours);
}

static void what_is_told_apart_is_said(void **state)
{
	static const struct ctd_caches caches = {.count = 3, .node = {0, 1, 1}};
	struct ctd_self self = {.neighbours = judge(&caches)};
	auto_ctd_strbuf struct ctd_strbuf text = {0};

	(void)state;
	assert_int_equal(ctd_neighbours_json(NULL, &self, &text), 0);
	ctd_strbuf_add_bytes(&text, "", 1);
	assert_non_null(
		strstr(text.text, "\"refused_samples\":0,\"caches\":3,\"nodes\":2,\"tags\":[{"));
	/* Who waits for a CPU shares no cache that would matter. */
	assert_null(strstr(text.text, "\"shared\""));
	ctd_neighbour_verdicts_release(self.neighbours);
}

static void nothing_judged_is_not_nobody_tagged(void **state)
{
	const struct ctd_self self = {0};
	auto_ctd_strbuf struct ctd_strbuf text = {0};

	(void)state;
	assert_int_equal(ctd_neighbours_json(NULL, &self, &text), 0);
	ctd_strbuf_add_bytes(&text, "", 1);
	assert_string_equal(text.text, "{\"tags\":null}\n");
	ctd_neighbour_verdicts_release(self.neighbours);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tags_outlive_the_detector),
		cmocka_unit_test(what_is_told_apart_is_said),
		cmocka_unit_test(nothing_judged_is_not_nobody_tagged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
