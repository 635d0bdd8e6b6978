/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_latencies.c - metrics take measured latencies once there are enough samples, and say so. */
#include <math.h>
#include <string.h>

#include "counted.h"
#include "metric/expr.h"

static struct ctd_latency measured[CTD_LATENCIES_MAX];

static void add_late_event(const char *name, uint64_t config, double latency)
{
	add_event(name, config, 0xff);
	table.events[table.events_count - 1].latency = latency;
}

/* "l3" rests on one latency, "both" on two, one of them by another metric, and "count" on none. */
static int add_latencies(void **state)
{
	new_table(state);
	memset(measured, 0, sizeof(measured));
	add_event("CPU_CLK_UNHALTED.THREAD", 0x3c, 0xff);
	add_late_event("HIT3", 0x4d1, 50);
	add_late_event("HIT2", 0x2d1, 5);
	add_metric("l3", "HIT3 * min(HIT3:R, 70) / CPU_CLK_UNHALTED.THREAD", "", 1, -1);
	add_metric("both", "l3 + HIT2 * HIT2:retire_latency / CPU_CLK_UNHALTED.THREAD", "l3 > 1", 1,
		   -1);
	add_metric("count", "HIT3 / CPU_CLK_UNHALTED.THREAD", "", 1, -1);
	return count(1);
}

/* Of ten of either in a hundred cycles. */
static void assert_values(double l3, double both)
{
	uint64_t counts[CTD_COUNTERS_MAX] = {0}, count_ns = 1000000000;
	struct ctd_vendor_value values[3];

	assert_int_equal(counting.rotation.groups_count, 1);
	counts[0] = 100;
	counts[place_of(0, "HIT3")] = 10;
	counts[place_of(0, "HIT2")] = 10;
	ctd_vendor_counting_take_latencies(&counting, measured);
	evaluate(&counting, counts, &count_ns, 1, values);
	assert_true(fabs(values[find("l3")].value - l3) < 1e-9);
	assert_true(fabs(values[find("both")].value - both) < 1e-9);
	assert_true(values[find("both")].hot == (l3 > 1));
	assert_true(values[find("count")].value == 0.1);
}

static void assert_means(enum ctd_vendor_means l3, enum ctd_vendor_means both)
{
	assert_int_equal(ctd_vendor_counting_means(&counting, find("l3"), measured), l3);
	assert_int_equal(ctd_vendor_counting_means(&counting, find("both"), measured), both);
	assert_int_equal(ctd_vendor_counting_means(&counting, find("count"), measured),
			 CTD_VENDOR_NO_MEANS);
}

/* Which of the counting's is the event's. */
static struct ctd_latency *measured_of(const char *name)
{
	size_t count, i = 0;
	const struct ctd_vendor_count *counts = ctd_vendor_set_counts(set, &count);

	while (strcmp(counts[counting.latencies[i].count].event->name, name) != 0)
		assert_true(++i < counting.latencies_count);
	return &measured[i];
}

static void without_samples_they_are_the_vendors(void **state)
{
	(void)state;
	assert_int_equal(counting.latencies_count, 2);
	assert_values(5, 5.5);
	assert_means(CTD_VENDOR_ASSUMED, CTD_VENDOR_ASSUMED);
	assert_int_equal(ctd_vendor_counting_means(&counting, find("l3"), NULL),
			 CTD_VENDOR_ASSUMED);
	ctd_vendor_counting_take_latencies(&counting, NULL);
	assert_values(5, 5.5);
	assert_string_equal(ctd_vendor_means_name(CTD_VENDOR_ASSUMED), "assumed");
	assert_null(ctd_vendor_means_name(CTD_VENDOR_NO_MEANS));
}

static void with_enough_samples_they_are_measured(void **state)
{
	struct ctd_latency *l3 = measured_of("HIT3"), *l2 = measured_of("HIT2");

	(void)state;
	*l3 = (struct ctd_latency){CTD_LATENCY_SAMPLES_LEAST - 1, 600};
	assert_values(5, 5.5);
	assert_means(CTD_VENDOR_ASSUMED, CTD_VENDOR_ASSUMED);
	*l3 = (struct ctd_latency){CTD_LATENCY_SAMPLES_LEAST, 600};
	assert_values(3, 3.5);
	assert_means(CTD_VENDOR_MEASURED, CTD_VENDOR_ASSUMED);
	*l2 = (struct ctd_latency){100, 150};
	assert_values(3, 3.15);
	assert_means(CTD_VENDOR_MEASURED, CTD_VENDOR_MEASURED);
	assert_string_equal(ctd_vendor_means_name(CTD_VENDOR_MEASURED), "measured");
	/* The formula has bounds for measured ones, too. */
	*l3 = (struct ctd_latency){20, 20 * 1000};
	assert_values(7, 7.15);
	/* They may be lost again, as with another plan. */
	memset(measured, 0, sizeof(measured));
	assert_values(5, 5.5);
}

/* 0 is a latency, if others show that the core tells any. */
static void samples_that_all_say_0_say_nothing(void **state)
{
	struct ctd_latency *l3 = measured_of("HIT3"), *l2 = measured_of("HIT2");

	(void)state;
	l3->samples = l2->samples = 1000;
	assert_values(5, 5.5);
	assert_means(CTD_VENDOR_ASSUMED, CTD_VENDOR_ASSUMED);
	l3->cycles = 20000;
	assert_values(2, 2);
	assert_means(CTD_VENDOR_MEASURED, CTD_VENDOR_MEASURED);
}

static void no_counter_is_wanted_for_a_latency(void **state)
{
	size_t count;
	const struct ctd_vendor_count *counts = ctd_vendor_set_counts(set, &count);
	bool needed[8] = {false};
	struct ctd_event event;

	(void)state;
	assert_true(count <= 8);
	ctd_vendor_set_needs(set, counting.metrics[find("both")].metric, needed);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(needed[i], !counts[i].latency);
	ctd_vendor_event_of(&counts[counting.latencies[0].count], PMU_TYPE, &event);
	assert_int_equal(event.type, PMU_TYPE);
	assert_int_equal(event.config, 0x4d1);
	assert_string_equal(event.name, "HIT3:R");
}

static void those_for_which_there_is_no_room_stay_the_vendors(void **state)
{
	char name[16], formula[32];

	new_table(state);
	memset(measured, 0, sizeof(measured));
	add_event("CPU_CLK_UNHALTED.THREAD", 0x3c, 0xff);
	for (int i = 0; i <= CTD_LATENCIES_MAX; i++) {
		snprintf(name, sizeof(name), "E%d", i);
		add_late_event(name, 0x100 + (uint64_t)i, 7);
		snprintf(formula, sizeof(formula), "E%d:R", i);
		snprintf(name, sizeof(name), "m%d", i);
		add_metric(name, formula, "", 1, -1);
	}
	assert_int_equal(count(1), 0);
	assert_int_equal(counting.latencies_count, CTD_LATENCIES_MAX);
	for (int i = 0; i < CTD_LATENCIES_MAX; i++)
		measured[i] = (struct ctd_latency){20, 20};
	snprintf(name, sizeof(name), "m%d", CTD_LATENCIES_MAX - 1);
	assert_int_equal(ctd_vendor_counting_means(&counting, find(name), measured),
			 CTD_VENDOR_MEASURED);
	snprintf(name, sizeof(name), "m%d", CTD_LATENCIES_MAX);
	assert_int_equal(ctd_vendor_counting_means(&counting, find(name), measured),
			 CTD_VENDOR_ASSUMED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(without_samples_they_are_the_vendors, add_latencies,
						free_table),
		cmocka_unit_test_setup_teardown(with_enough_samples_they_are_measured,
						add_latencies, free_table),
		cmocka_unit_test_setup_teardown(samples_that_all_say_0_say_nothing, add_latencies,
						free_table),
		cmocka_unit_test_setup_teardown(no_counter_is_wanted_for_a_latency, add_latencies,
						free_table),
		cmocka_unit_test_teardown(those_for_which_there_is_no_room_stay_the_vendors,
					  free_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
