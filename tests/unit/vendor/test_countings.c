/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_countings.c - metrics of several core types have a column for each name. */
#include "unit/vendor/hybrid.h"

static void metrics_of_one_name_are_one_column(void **state)
{
	static const struct {
		const char *name;
		int on_p, on_e;
		bool counted;
	} want[] = {
		{"tma_first", 0, 0, true},
		{"tma_second", 1, -1, true},
		{"beyond", 2, -1, false},
		{"tma_resource", -1, 1, true},
	};

	(void)state;
	assert_int_equal(countings.columns_count, 4);
	for (size_t i = 0; i < 4; i++) {
		const struct ctd_vendor_column *column = &countings.columns[i];

		assert_string_equal(column->name, want[i].name);
		assert_int_equal(column->index[ON_P], want[i].on_p);
		assert_int_equal(column->index[ON_E], want[i].on_e);
		assert_int_equal(column->index[ON_OTHER], -1);
		assert_int_equal(ctd_vendor_column_is_counted(&countings, i), want[i].counted);
	}
}

static void a_column_is_found_by_a_metric_that_some_core_type_counts(void **state)
{
	(void)state;
	assert_int_equal(ctd_vendor_countings_find(&countings, "first"), 0);
	assert_int_equal(ctd_vendor_countings_find(&countings, "Tma_Second"), 1);
	assert_int_equal(ctd_vendor_countings_find(&countings, "resource"), 3);
	assert_int_equal(ctd_vendor_countings_find(&countings, "beyond"), -1);
	assert_int_equal(ctd_vendor_countings_find(&countings, "nothing"), -1);
}

static void groups_are_as_many_as_of_the_core_type_with_most(void **state)
{
	(void)state;
	assert_int_equal(made[ON_P].counting.rotation.groups_count, 2);
	assert_int_equal(made[ON_E].counting.rotation.groups_count, 1);
	assert_int_equal(ctd_vendor_countings_groups(&countings), 2);
	countings.of[ON_P] = NULL;
	assert_int_equal(ctd_vendor_countings_join(&countings), 0);
	assert_int_equal(ctd_vendor_countings_groups(&countings), 1);
	assert_int_equal(countings.columns_count, 2);
	assert_string_equal(countings.columns[0].name, "TMA_FIRST");
}

static void a_wider_group_has_its_events_and_room(void **state)
{
	struct ctd_vendor_counting *counting = &made[ON_P].counting;
	struct ctd_rotation *rotation = &counting->rotation;
	int before = rotation->events_count;
	char name[64];

	(void)state;
	snprintf(name, sizeof(name), "%s", rotation->events[before + 1].name);
	assert_int_equal(ctd_vendor_counting_widen(counting, before - 1), 0);
	assert_int_equal(rotation->events_count, before);
	assert_int_equal(ctd_vendor_counting_widen(counting, before + 2), 0);
	assert_int_equal(rotation->events_count, before + 2);
	assert_string_equal(rotation->events[before + 2 + 1].name, name);
	assert_string_equal(rotation->events[before].name, "");
	assert_string_equal(rotation->events[2 * before + 3].name, "");
}

/* Where counts are laid out wider, they are the same metrics. */
static void values_are_those_of_the_core_types_own_counts(void **state)
{
	uint64_t count[2 * CTD_COUNTERS_MAX] = {0}, count_ns[] = {1000, 1000};
	const struct ctd_vendor_counted_row row = {1, count, count_ns};
	struct ctd_vendor_value values[2];

	(void)state;
	hybrid_fill(ON_E, "tma_first", "E0", 1000, 250, count);
	hybrid_fill(ON_E, "tma_resource", "E1", 1000, 50, count);
	ctd_vendor_counting_evaluate(&made[ON_E].counting, &row, 1, values);
	assert_true(values[hybrid_index(ON_E, "tma_first")].value == 0.5);
	assert_true(values[hybrid_index(ON_E, "tma_first")].hot);
	assert_true(values[hybrid_index(ON_E, "tma_resource")].value == 0.05);
	assert_false(values[hybrid_index(ON_E, "tma_resource")].hot);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(metrics_of_one_name_are_one_column, make_hybrid,
						free_hybrid),
		cmocka_unit_test_setup_teardown(
			a_column_is_found_by_a_metric_that_some_core_type_counts, make_hybrid,
			free_hybrid),
		cmocka_unit_test_setup_teardown(groups_are_as_many_as_of_the_core_type_with_most,
						make_hybrid, free_hybrid),
		cmocka_unit_test_setup_teardown(a_wider_group_has_its_events_and_room, make_hybrid,
						free_hybrid),
		cmocka_unit_test_setup_teardown(values_are_those_of_the_core_types_own_counts,
						make_hybrid, free_hybrid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
