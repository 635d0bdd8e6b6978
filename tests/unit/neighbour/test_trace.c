/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_trace.c - a trace says what its lines say, and what is wrong with one is told. */
#include "neighbour/trace.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct ctd_neighbour_trace *new_trace(void)
{
	struct ctd_neighbour_trace *trace;

	assert_int_equal(ctd_neighbour_trace_new(&trace), 0);
	return trace;
}

static const struct ctd_neighbour_batch *take(struct ctd_neighbour_trace *trace, const char *line)
{
	const struct ctd_neighbour_batch *batch = NULL;
	char why[CTD_TRACE_WHY_BYTES] = "";

	if (ctd_neighbour_trace_line(trace, line, strlen(line), &batch, why))
		fail_msg("%s: %s", line, why);
	return batch;
}

static void lines_of_one_time_are_a_batch(void **state)
{
	struct ctd_neighbour_trace *trace = new_trace();
	const struct ctd_neighbour_batch *batch;

	(void)state;
	assert_null(take(
		trace,
		"{\"time\": 10, \"key\": \"a\", \"pod\": \"p\", \"cpu_s\": 1.5, \"slots\": 1000, \"retired_slots\": 400, \"memory_bound_slots\": 300, \"waits\": {\"wait_s\": 2, \"other_s\": 1.25}, \"pairs\": [{\"key\": \"b\", \"wait_s\": 1.25}, {\"key\": \"nobody\", \"wait_s\": 9}]}"));
	assert_null(take(
		trace,
		"{\"time\": 10, \"key\": \"b\", \"slots\": 50, \"retired_slots\": 10, \"backend_bound_slots\": 20}"));
	batch = take(trace, "{\"time\": 20.5, \"key\": \"a\"}");
	assert_non_null(batch);
	assert_int_equal(batch->time_ns, 10000000000);
	assert_int_equal(batch->window_ns, 10500000000);
	assert_int_equal(batch->samples_count, 2);
	assert_string_equal(batch->samples[0].names.pod, "p");
	assert_int_equal(batch->samples[0].known,
			 CTD_NEIGHBOUR_SLOTS | CTD_NEIGHBOUR_MEMORY | CTD_NEIGHBOUR_WAITS);
	assert_int_equal(batch->samples[0].waits.other_ns, 1250000000);
	assert_int_equal(batch->samples[0].waits.unknown_ns, 750000000);
	assert_int_equal(batch->samples[1].known, CTD_NEIGHBOUR_SLOTS | CTD_NEIGHBOUR_BACKEND);
	assert_int_equal(batch->samples[1].memory_slots, 20);
	assert_int_equal(batch->pairs_count, 1);
	assert_int_equal(batch->pairs[0].other, 1);
	assert_int_equal(batch->pairs[0].wait_ns, 1250000000);
	batch = ctd_neighbour_trace_end(trace);
	assert_non_null(batch);
	assert_int_equal(batch->time_ns, 20500000000);
	assert_int_equal(batch->samples[0].known, 0);
	ctd_neighbour_trace_free(trace);
}

static void lines_tell_of_caches_in_the_same_order(void **state)
{
	struct ctd_neighbour_trace *trace = new_trace();
	const struct ctd_neighbour_batch *batch;

	(void)state;
	assert_null(take(trace, "{\"time\": 10, \"key\": \"a\", \"caches\": [{\"cpu_s\": 1}]}"));
	batch = take(trace, "{\"time\": 15, \"key\": \"a\"}");
	assert_non_null(batch);
	assert_true(batch->samples[0].known & CTD_NEIGHBOUR_CACHES);
	/* One is nothing to tell apart. */
	assert_null(batch->caches);
	assert_non_null(take(
		trace,
		"{\"time\": 20, \"key\": \"a\", \"caches\": [{\"cpu_s\": 1.5}, {}, {\"cpu_s\": 2, \"node\": 3}]}"));
	assert_null(take(trace, "{\"time\": 20, \"key\": \"b\"}"));
	/* Who says less takes back nothing. */
	assert_null(take(trace, "{\"time\": 20, \"key\": \"c\", \"caches\": [{}, {}, {}]}"));
	assert_null(take(trace, "{\"time\": 20, \"key\": \"d\", \"caches\": []}"));
	batch = ctd_neighbour_trace_end(trace);
	assert_non_null(batch);
	assert_int_equal(batch->caches->count, 3);
	assert_int_equal(batch->caches->node[0], 0);
	assert_int_equal(batch->caches->node[2], 3);
	assert_int_equal(batch->samples[0].cache_ns[0], 1500000000);
	assert_int_equal(batch->samples[0].cache_ns[1], 0);
	assert_int_equal(batch->samples[0].cache_ns[2], 2000000000);
	assert_false(batch->samples[1].known & CTD_NEIGHBOUR_CACHES);
	ctd_neighbour_trace_free(trace);
}

static void a_single_time_has_no_length(void **state)
{
	struct ctd_neighbour_trace *trace = new_trace();

	(void)state;
	assert_null(ctd_neighbour_trace_end(trace));
	assert_null(take(trace, "{\"time\": 10, \"key\": \"a\"}"));
	assert_null(ctd_neighbour_trace_end(trace));
	ctd_neighbour_trace_free(trace);
}

static void what_is_wrong_is_told(void **state)
{
	static const struct {
		int line;
		const char *text, *why;
	} cases[] = {
		{__LINE__, "{", "no JSON"},
		{__LINE__, "[1]", "the line is no JSON object"},
		{__LINE__, "{\"key\": \"a\"}", "time is missing"},
		{__LINE__, "{\"time\": 5, \"key\": \"a\"}", "time goes back"},
		{__LINE__, "{\"time\": \"now\", \"key\": \"a\"}", "time is no number"},
		{__LINE__, "{\"time\": 10}", "key is missing"},
		{__LINE__, "{\"time\": 10, \"key\": 5}", "key is no text"},
		{__LINE__, "{\"time\": 10, \"key\": \"a\", \"slots\": -1}", "slots is no number"},
		{__LINE__, "{\"time\": 10, \"key\": \"a\", \"slots\": 5, \"retired_slots\": 6}",
		 "slots are fewer"},
		{__LINE__, "{\"time\": 10, \"key\": \"a\", \"waits\": 5}", "waits is no object"},
		{__LINE__, "{\"time\": 10, \"key\": \"a\", \"waits\": {\"other_s\": 1}}",
		 "waits lacks wait_s"},
		{__LINE__,
		 "{\"time\": 10, \"key\": \"a\", \"waits\": {\"wait_s\": 1, \"other_s\": 0.75, \"own_s\": 0.5}}",
		 "wait_s is less than its parts"},
		{__LINE__, "{\"time\": 10, \"key\": \"a\", \"throttling\": {\"limit_cpus\": 1}}",
		 "throttling lacks periods"},
		{__LINE__, "{\"time\": 10, \"key\": \"a\", \"smt\": {\"other\": {\"cpu_s\": 1}}}",
		 "other lacks cpu_s or retired_slots"},
		{__LINE__, "{\"time\": 10, \"key\": \"a\", \"pairs\": {}}", "pairs is no array"},
		{__LINE__, "{\"time\": 10, \"key\": \"a\", \"pairs\": [{}]}",
		 "pairs has an element without a key"},
		{__LINE__, "{\"time\": 10, \"key\": \"a\", \"smt\": {\"idle\": 1}}",
		 "idle is no object"},
		{__LINE__, "{\"time\": 10, \"key\": \"a\", \"caches\": {}}", "caches is no array"},
		{__LINE__, "{\"time\": 10, \"key\": \"a\", \"caches\": [1]}",
		 "caches has an element that is no object"},
		{__LINE__, "{\"time\": 10, \"key\": \"a\", \"caches\": [{\"cpu_s\": -1}]}",
		 "cpu_s is no number"},
		{__LINE__, "{\"time\": 10, \"key\": \"a\", \"caches\": [{\"node\": 5e9}]}",
		 "node is no number"},
		{__LINE__, "{\"time\": 10, \"key\": \"a\", \"domain\": 5e9}",
		 "domain is no number"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ctd_neighbour_trace *trace = new_trace();
		const struct ctd_neighbour_batch *batch;
		char why[CTD_TRACE_WHY_BYTES] = "";

		take(trace, "{\"time\": 9, \"key\": \"a\"}");
		if (ctd_neighbour_trace_line(trace, cases[i].text, strlen(cases[i].text), &batch,
					     why) != -EBADMSG ||
		    !strstr(why, cases[i].why))
			fail_msg("line %d: '%s'", cases[i].line, why);
		ctd_neighbour_trace_free(trace);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_one_time_are_a_batch),
		cmocka_unit_test(lines_tell_of_caches_in_the_same_order),
		cmocka_unit_test(a_single_time_has_no_length),
		cmocka_unit_test(what_is_wrong_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
