/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_interval_code.c - an interval is the same behind its code, and damage is no interval. */
#include "history/interval_code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <errno.h>

#include <cmocka.h>

#include "made.h"

static const int l1_counters[4] = {1, 2, 3, 4};

static void expect_same_row(const struct ctd_interval_row *a, const struct ctd_interval_row *b)
{
	assert_true(a->cgroup_id == b->cgroup_id && a->pid == b->pid && a->kind == b->kind &&
		    a->core_type == b->core_type && a->quality == b->quality);
	assert_true(a->oncpu_ns == b->oncpu_ns && a->running_ns == b->running_ns &&
		    a->slices == b->slices && a->switches == b->switches);
	assert_memory_equal(a->raw, b->raw, MADE_COUNTERS * sizeof(*a->raw));
	assert_memory_equal(a->count, b->count, MADE_COUNTERS * sizeof(*a->count));
	assert_memory_equal(a->group_ns, b->group_ns, sizeof(*a->group_ns));
	assert_memory_equal(a->count_ns, b->count_ns, sizeof(*a->count_ns));
}

static void expect_same_totals(const struct ctd_interval *a, const struct ctd_interval *b)
{
	for (int type = 0; type < CTD_CORE_TYPES_MAX; type++) {
		assert_int_equal(a->totals[type].cpus_online, b->totals[type].cpus_online);
		assert_true(a->totals[type].empty_ns == b->totals[type].empty_ns);
	}
	assert_memory_equal(a->total_counts, b->total_counts,
			    3 * sizeof(*a->total_counts) * MADE_COUNTERS * CTD_CORE_TYPES_MAX);
}

static void an_interval_is_the_same_behind_its_code(void **state)
{
	const struct ctd_record_header header = made_header();

	(void)state;
	srandom(1);
	for (uint64_t round = 1; round < 300; round++) {
		struct ctd_interval interval = made_interval(round, round % 40), again;
		struct ctd_strbuf code = {0};
		uint64_t realtime_ns, window_ns;

		assert_int_equal(ctd_interval_encode(&interval, l1_counters, &code), 0);
		assert_int_equal(ctd_interval_decode(code.text, code.bytes, &header, NULL, &again),
				 0);
		assert_int_equal(ctd_interval_decode_time(code.text, code.bytes, &realtime_ns,
							  &window_ns),
				 0);
		assert_true(realtime_ns == interval.realtime_ns && window_ns == MADE_S);
		assert_true(again.realtime_ns == interval.realtime_ns &&
			    again.window_ns == interval.window_ns &&
			    again.sequence == interval.sequence && again.cpus_online == 4);
		assert_int_equal(again.rows_count, interval.rows_count);
		for (size_t i = 0; i < again.rows_count; i++)
			expect_same_row(&interval.rows[i], &again.rows[i]);
		expect_same_totals(&interval, &again);
		assert_memory_equal(again.health.count, interval.health.count,
				    sizeof(again.health.count));
		assert_true(again.unattributed_ns == interval.unattributed_ns);
		ctd_interval_free(&interval);
		ctd_interval_free(&again);
		ctd_strbuf_free(&code);
	}
}

/* Each byte of it, with each of some other values: never another interval without a word that
 * cannot be added up, never a crash. */
static void damage_is_no_interval(void **state)
{
	const struct ctd_record_header header = made_header();
	struct ctd_interval interval = made_interval(1, 10), again;
	struct ctd_strbuf code = {0};

	(void)state;
	assert_int_equal(ctd_interval_encode(&interval, l1_counters, &code), 0);
	for (size_t bytes = 0; bytes < code.bytes; bytes++)
		assert_int_equal(ctd_interval_decode(code.text, bytes, &header, NULL, &again),
				 -EBADMSG);
	for (size_t i = 0; i < code.bytes; i++) {
		code.text[i] ^= 0x55;
		if (!ctd_interval_decode(code.text, code.bytes, &header, NULL, &again))
			ctd_interval_free(&again);
		code.text[i] ^= 0x55;
	}
	ctd_interval_free(&interval);
	ctd_strbuf_free(&code);
}

static void other_counters_are_refused(void **state)
{
	struct ctd_record_header header = made_header();
	struct ctd_interval interval = made_interval(1, 10), again;
	struct ctd_strbuf code = {0};

	(void)state;
	header.counters_count++;
	assert_int_equal(ctd_interval_encode(&interval, l1_counters, &code), 0);
	assert_int_equal(ctd_interval_decode(code.text, code.bytes, &header, NULL, &again),
			 -EBADMSG);
	ctd_interval_free(&interval);
	ctd_strbuf_free(&code);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interval_is_the_same_behind_its_code),
		cmocka_unit_test(damage_is_no_interval),
		cmocka_unit_test(other_counters_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
