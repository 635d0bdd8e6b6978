/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_recorded.c - a recording has all that vendors' metrics are computed of, and no more. */
#include "vendor/recorded.h"

#include <errno.h>
#include <stdlib.h>

#include "base/varint.h"
#include "counted.h"
#include "metric/expr.h"

static struct ctd_strbuf payload;
static struct ctd_vendor_recorded *recorded;

static int free_all(void **state)
{
	ctd_vendor_recorded_free(recorded);
	recorded = NULL;
	ctd_strbuf_free(&payload);
	return free_table(state);
}

/* All that formulas can name: other metrics, forms of events, latencies, constants, thresholds. */
static void count_all_kinds(void)
{
	struct ctd_vendor_event other = {.name = ctd_vendor_keep(&table, "UNC_CLOCK"),
					 .description = "",
					 .pmu = ctd_vendor_keep(&table, "CHA"),
					 .fixed_counter = -1,
					 .latency = NAN};

	add_event("CPU_CLK_UNHALTED.THREAD", 0x3c, 0xff);
	add_event("STALLS.ALL", 0x1a3, 0xff);
	add_event("STALLS.MEM", 0x2a3, 0xff);
	add_event("LOADS.LATE", 0x1d1, 0xff);
	add_event("NEVER.NAMED", 0x77, 0xff);
	ctd_vendor_change_event(&table, "LOADS.LATE")->latency = 57.25;
	assert_int_equal(ctd_vendor_add_event(&table, "file", &other), 0);
	table.general_counters = 4;
	add_metric("never_named", "NEVER.NAMED / 2", "", 0, -1);
	add_metric("part", "cpu@STALLS.MEM\\,cmask\\=0x5@ / clocks", "part > 0.1 & whole > 0.2", 2,
		   4);
	add_metric("asked_by_threshold", "STALLS.ALL:u * #slots", "", 0, -1);
	add_metric("clocks", "CPU_CLK_UNHALTED.THREAD + 0 * has_event(UNC_CLOCK)", "", 0, -1);
	add_metric("whole", "STALLS.ALL * LOADS.LATE:R / clocks if #SMT_on else 1 / 0",
		   "whole > 0.2 & (asked_by_threshold > 7 | clocks > 3)", 1, -1);
	add_metric("beyond", "UNC_CLOCK / duration_time", "", 1, -1);
	add_metric("by_time", "STALLS.ALL / duration_time", "", 1, -1);
	assert_int_equal(count(2), 0);
}

static void record_and_read(void)
{
	const char *why = NULL;

	assert_int_equal(ctd_vendor_recorded_add(&counting, &cpu, &machine, &payload), 0);
	assert_int_equal(ctd_vendor_recorded_new(payload.text, payload.bytes, &recorded, &why), 0);
}

static const struct ctd_vendor_metric *recorded_metric(size_t index)
{
	return &recorded->table.metrics[recorded->counting.metrics[index].metric];
}

static void assert_metrics_are_alike(void)
{
	assert_int_equal(recorded->counting.metrics_count, counting.metrics_count);
	for (size_t i = 0; i < counting.metrics_count; i++) {
		const struct ctd_vendor_counted *want = &counting.metrics[i];
		const struct ctd_vendor_counted *got = &recorded->counting.metrics[i];
		const struct ctd_vendor_metric *metric = &table.metrics[want->metric];

		assert_string_equal(recorded_metric(i)->name, metric->name);
		assert_string_equal(recorded_metric(i)->unit, metric->unit);
		assert_true(recorded_metric(i)->scale == metric->scale);
		assert_int_equal(recorded_metric(i)->level, metric->level);
		assert_int_equal(got->parent, want->parent);
		assert_int_equal(got->depth, want->depth);
		assert_int_equal(got->group, want->group);
		assert_true(got->latencies == want->latencies);
		assert_int_equal(!got->why, !want->why);
		if (want->why)
			assert_string_equal(got->why, want->why);
	}
}

/* To the last bit: of counts that are all different. */
static void assert_values_are_alike(uint64_t seed)
{
	uint64_t counts[CTD_ROTATION_GROUPS_MAX * CTD_COUNTERS_MAX],
		count_ns[CTD_ROTATION_GROUPS_MAX];
	struct ctd_vendor_value want[16], got[16];

	assert_in_range(counting.metrics_count, 1, 16);
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		counts[i] = 1000003 * seed + 7919 * i % 997;
	for (size_t i = 0; i < sizeof(count_ns) / sizeof(*count_ns); i++)
		count_ns[i] = 1000000007 + seed * i;
	evaluate(&counting, counts, count_ns, counting.rotation.groups_count, want);
	evaluate(&recorded->counting, counts, count_ns, recorded->counting.rotation.groups_count,
		 got);
	for (size_t i = 0; i < counting.metrics_count; i++) {
		assert_int_equal(isfinite(want[i].value), counting.metrics[i].group >= 0);
		assert_memory_equal(&got[i].value, &want[i].value, sizeof(got[i].value));
		assert_int_equal(got[i].hot, want[i].hot);
	}
}

static void what_was_counted_is_computed_again_to_the_last_bit(void **state)
{
	(void)state;
	count_all_kinds();
	record_and_read();
	assert_int_equal(recorded->counting.rotation.groups_count, counting.rotation.groups_count);
	assert_int_equal(recorded->counting.rotation.events_count, counting.rotation.events_count);
	assert_metrics_are_alike();
	for (uint64_t seed = 1; seed < 100; seed++)
		assert_values_are_alike(seed);
	assert_true(find("by_time") < counting.metrics_count);
	assert_true(counting.metrics[find("whole")].latencies);
	assert_false(counting.metrics[find("by_time")].latencies);
	assert_int_equal(counting.metrics[find("beyond")].group, -1);
}

static void metrics_in_rotation_and_those_left_out_are_so_again(void **state)
{
	(void)state;
	add_two_groups();
	assert_true(ctd_vendor_counting_leave_out(&counting, counting.metrics[find("first")].group,
						  "refused"));
	record_and_read();
	assert_int_equal(recorded->counting.rotation.groups_count, 1);
	assert_int_equal(recorded->counting.rotation.events_count, counting.rotation.events_count);
	assert_metrics_are_alike();
	assert_values_are_alike(1);
}

static void what_no_formula_names_is_not_recorded(void **state)
{
	(void)state;
	count_all_kinds();
	record_and_read();
	assert_int_equal(recorded->table.metrics_count, table.metrics_count - 1);
	assert_int_equal(ctd_vendor_find_metric(&recorded->table, "never_named"), -1);
	assert_true(ctd_vendor_find_metric(&recorded->table, "asked_by_threshold") >= 0);
	assert_null(ctd_vendor_find_event(&recorded->table, "NEVER.NAMED"));
	assert_non_null(ctd_vendor_find_event(&recorded->table, "UNC_CLOCK"));
}

/* A formula that is longer than any that is computed: its metric is not counted, others are. */
static void what_is_too_long_to_be_computed_is_recorded_without_its_formula(void **state)
{
	size_t bytes = CTD_EXPR_BYTES_MAX;
	char *formula = malloc(bytes + 3);

	(void)state;
	assert_non_null(formula);
	memset(formula, ' ', bytes);
	strcpy(formula + bytes, "E0");
	add_event("CPU_CLK_UNHALTED.THREAD", 0x3c, 0xff);
	add_event("E0", 0x1a3, 0xff);
	table.general_counters = 4;
	add_metric("long", formula, "", 1, -1);
	add_metric("deep", "UNC_CLOCK", "deep > 1", 1000, -1);
	add_metric("good", "E0 / CPU_CLK_UNHALTED.THREAD", "good > 0.5 & long > 2", 1, -1);
	add_metric("strange", "E0 * 2 / CPU_CLK_UNHALTED.THREAD", "", 1, -1);
	ctd_vendor_change_metric(&table, "strange")->threshold = ctd_vendor_keep(&table, formula);
	free(formula);
	assert_int_equal(count(1000), 0);
	assert_int_equal(counting.metrics[find("long")].group, -1);
	assert_true(counting.metrics[find("good")].group >= 0);
	record_and_read();
	assert_metrics_are_alike();
	for (size_t i = 0; i < counting.metrics_count; i++)
		assert_int_equal(strlen(recorded_metric(i)->expression) > 0,
				 counting.metrics[i].group >= 0);
}

/* Each number and text, too large, too small or cut: nothing is believed, and all is freed. */
static void what_is_damaged_is_refused_or_is_another_plan(void **state)
{
	static const unsigned char others[] = {0, 1, 2, 0x7f, 0x80, 0xff};

	(void)state;
	count_all_kinds();
	assert_int_equal(ctd_vendor_recorded_add(&counting, &cpu, &machine, &payload), 0);
	for (size_t at = 0; at < payload.bytes; at++) {
		unsigned char before = (unsigned char)payload.text[at];

		for (size_t i = 0; i < sizeof(others); i++) {
			const char *why = NULL;
			int r;

			payload.text[at] = (char)others[i];
			recorded = NULL;
			r = ctd_vendor_recorded_new(payload.text, payload.bytes, &recorded, &why);
			assert_true(r == 0 || (r == -EBADMSG && why && *why));
			ctd_vendor_recorded_free(recorded);
			recorded = NULL;
		}
		payload.text[at] = (char)before;
	}
}

static void what_is_cut_off_or_too_long_is_refused(void **state)
{
	(void)state;
	count_all_kinds();
	assert_int_equal(ctd_vendor_recorded_add(&counting, &cpu, &machine, &payload), 0);
	ctd_varint_add(&payload, 0);
	for (size_t bytes = 0; bytes <= payload.bytes; bytes++) {
		const char *why = NULL;
		/* So that reading beyond its end is seen. */
		char *copy = malloc(bytes + 1);
		int wanted = bytes == payload.bytes - 1 ? 0 : -EBADMSG;

		assert_non_null(copy);
		memcpy(copy, payload.text, bytes);
		recorded = NULL;
		assert_int_equal(ctd_vendor_recorded_new(copy, bytes, &recorded, &why), wanted);
		assert_true(!wanted || (why && *why));
		ctd_vendor_recorded_free(recorded);
		recorded = NULL;
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_was_counted_is_computed_again_to_the_last_bit,
						new_table, free_all),
		cmocka_unit_test_setup_teardown(metrics_in_rotation_and_those_left_out_are_so_again,
						new_table, free_all),
		cmocka_unit_test_setup_teardown(what_no_formula_names_is_not_recorded, new_table,
						free_all),
		cmocka_unit_test_setup_teardown(
			what_is_too_long_to_be_computed_is_recorded_without_its_formula, new_table,
			free_all),
		cmocka_unit_test_setup_teardown(what_is_damaged_is_refused_or_is_another_plan,
						new_table, free_all),
		cmocka_unit_test_setup_teardown(what_is_cut_off_or_too_long_is_refused, new_table,
						free_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
