/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* counted.h - metrics of a vendor that there is not, in groups to be counted. */
#ifndef TESTS_VENDOR_COUNTED_H
#define TESTS_VENDOR_COUNTED_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "vendor/counting.h"
#include "vendor/table.h"

#define PMU_TYPE 4

static const struct ctd_vendor_machine machine = {1, 6, NAN, NAN, 0};
static const struct ctd_vendor_cpu cpu = {"GenuineIntel-6-55-7", ""};

static struct ctd_vendor_table table;
static struct ctd_vendor_set *set;
static struct ctd_vendor_counting counting;
/* All cores are alike. */
static struct ctd_vendor_countings countings;

static inline int new_table(void **state)
{
	(void)state;
	return ctd_vendor_table_new(&table);
}

static inline int free_table(void **state)
{
	(void)state;
	ctd_vendor_countings_free(&countings);
	ctd_vendor_counting_free(&counting);
	ctd_vendor_set_free(set);
	set = NULL;
	ctd_vendor_table_free(&table);
	return 0;
}

static inline void add_event(const char *name, uint64_t config, uint64_t counters)
{
	const struct ctd_vendor_event event = {.name = ctd_vendor_keep(&table, name),
					       .description = "",
					       .config = config,
					       .counters = counters,
					       .fixed_counter = -1,
					       .latency = NAN};

	assert_int_equal(ctd_vendor_add_event(&table, "file", &event), 0);
}

static inline void add_metric(const char *name, const char *expression, const char *threshold,
			      int level, int parent)
{
	const struct ctd_vendor_metric metric = {.name = ctd_vendor_keep(&table, name),
						 .description = "",
						 .expression = ctd_vendor_keep(&table, expression),
						 .threshold = threshold,
						 .scale = 100,
						 .unit = "%",
						 .groups = "",
						 .sample_with = "",
						 .next = "",
						 .constraint = "",
						 .no_group = "",
						 .show_events = "",
						 .parent_name = "",
						 .parent = parent,
						 .level = level,
						 .file = "file"};

	assert_int_equal(ctd_vendor_add_metric(&table, &metric), 0);
}

static inline int count(int level)
{
	const struct ctd_vendor_wish wish = {.level = level};
	char why[CTD_VENDOR_WHY_BYTES];
	struct ctd_vendor_rotation rotation;
	int r;

	assert_int_equal(ctd_vendor_set_new(&table, &cpu, &machine, &set), 0);
	assert_int_equal(ctd_vendor_rotation_make(&table, &cpu, set, &wish, &rotation, why), 0);
	r = ctd_vendor_counting_make(&rotation, PMU_TYPE, &counting);
	ctd_vendor_rotation_free(&rotation);
	countings.core_types_count = 1;
	countings.of[0] = &counting;
	assert_int_equal(ctd_vendor_countings_join(&countings), 0);
	return r;
}

static inline size_t find(const char *name)
{
	size_t i = 0;

	while (strcmp(table.metrics[counting.metrics[i].metric].name, name) != 0)
		assert_true(++i < counting.metrics_count);
	return i;
}

/* The place of an event among the counts of a group; -1: it is not in it. */
static inline int place_of(int group, const char *event)
{
	int events = counting.rotation.events_count;

	for (int i = 0; i < events; i++)
		if (strcmp(counting.rotation.events[group * events + i].name, event) == 0)
			return group * events + i;
	return -1;
}

/* Of one row. */
static inline void evaluate(const struct ctd_vendor_counting *of, const uint64_t *count,
			    const uint64_t *count_ns, int groups_count,
			    struct ctd_vendor_value *ret_values)
{
	const struct ctd_vendor_counted_row row = {groups_count, count, count_ns};

	ctd_vendor_counting_evaluate(of, &row, 1, ret_values);
}

/* Two metrics of six events each, of which four are counted at once with those of cycles. */
static inline void add_two_groups(void)
{
	add_event("CPU_CLK_UNHALTED.THREAD", 0x3c, 0xff);
	for (int i = 0; i < 8; i++) {
		char name[8];

		snprintf(name, sizeof(name), "E%d", i);
		add_event(name, 0x101 + (uint64_t)i, 0xff);
	}
	table.general_counters = 4;
	add_metric("second", "(E4 + E5 + E6 + E7) / CPU_CLK_UNHALTED.THREAD",
		   "second > 0.2 & first > 0.5", 2, 1);
	add_metric("first", "(E0 + E1 + E2 + E3) / CPU_CLK_UNHALTED.THREAD", "first > 0.5", 1, -1);
	add_metric("beyond", "UNC_CHA_CLOCKTICKS / 2", "", 1, -1);
	assert_int_equal(count(2), 0);
	assert_int_equal(counting.rotation.groups_count, 2);
}

#endif
