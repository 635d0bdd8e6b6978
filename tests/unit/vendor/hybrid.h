/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* hybrid.h - metrics of a vendor that there is not, counted on P-cores and, otherwise, on E-cores. */
#ifndef TESTS_VENDOR_HYBRID_H
#define TESTS_VENDOR_HYBRID_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "vendor/counting.h"
#include "vendor/table.h"

enum { ON_P, ON_E, ON_OTHER, ON_ALL };

static const struct ctd_vendor_machine hybrid_machine = {1, 6, NAN, NAN, 0};
static const struct ctd_vendor_cpu hybrid_cpus[] = {{"GenuineIntel-6-97-2", "cpu_core"},
						    {"GenuineIntel-6-97-2", "cpu_atom"}};

static struct made_core {
	struct ctd_vendor_table table;
	struct ctd_vendor_set *set;
	struct ctd_vendor_counting counting;
} made[2];
static struct ctd_vendor_countings countings;

static inline void hybrid_metric(int core, const char *name, const char *expression,
				 const char *threshold, int level, int parent)
{
	struct ctd_vendor_table *table = &made[core].table;
	const struct ctd_vendor_metric metric = {.name = name,
						 .description = "",
						 .expression = expression,
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

	assert_int_equal(ctd_vendor_add_metric(table, &metric), 0);
}

static inline void hybrid_events(int core, int general_counters)
{
	static const char *const names[] = {"CLKS", "E0", "E1", "E2", "E3", "E4", "E5", "E6", "E7"};

	assert_int_equal(ctd_vendor_table_new(&made[core].table), 0);
	made[core].table.general_counters = general_counters;
	for (uint64_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const struct ctd_vendor_event event = {.name = names[i],
						       .description = "",
						       .config = i ? 0x100 + i : 0x3c,
						       .counters = 0xff,
						       .fixed_counter = -1,
						       .latency = NAN};

		assert_int_equal(ctd_vendor_add_event(&made[core].table, "file", &event), 0);
	}
}

static inline void hybrid_count(int core)
{
	const struct ctd_vendor_wish wish = {.level = 2};
	struct made_core *of = &made[core];
	char why[CTD_VENDOR_WHY_BYTES];
	struct ctd_vendor_rotation rotation;

	assert_int_equal(
		ctd_vendor_set_new(&of->table, &hybrid_cpus[core], &hybrid_machine, &of->set), 0);
	assert_int_equal(ctd_vendor_rotation_make(&of->table, &hybrid_cpus[core], of->set, &wish,
						  &rotation, why),
			 0);
	assert_int_equal(ctd_vendor_counting_make(&rotation, 4, &of->counting), 0);
	ctd_vendor_rotation_free(&rotation);
}

/* P-cores have two groups of five events, E-cores one, of as many; `first` is another formula on
 * each, and the metric below it another one. Other cores count nothing. */
static inline int make_hybrid(void **state)
{
	(void)state;
	hybrid_events(ON_P, 4);
	hybrid_metric(ON_P, "tma_first", "(E0 + E1 + E2 + E3) / CLKS", "tma_first > 0.5", 1, -1);
	hybrid_metric(ON_P, "tma_second", "(E4 + E5 + E6 + E7) / CLKS",
		      "tma_second > 0.2 & tma_first > 0.5", 2, 0);
	hybrid_metric(ON_P, "beyond", "UNC_CHA_CLOCKTICKS / 2", "", 1, -1);
	hybrid_count(ON_P);
	hybrid_events(ON_E, 8);
	hybrid_metric(ON_E, "TMA_FIRST", "2 * E0 / CLKS", "tma_first > 0.3", 1, -1);
	hybrid_metric(ON_E, "tma_resource", "E1 / CLKS", "tma_resource > 0.1", 2, 0);
	hybrid_count(ON_E);
	assert_int_equal(ctd_vendor_counting_widen(&made[ON_E].counting,
						   made[ON_P].counting.rotation.events_count),
			 0);
	countings = (struct ctd_vendor_countings){
		.core_types_count = ON_ALL, .of = {&made[ON_P].counting, &made[ON_E].counting}};
	assert_int_equal(ctd_vendor_countings_join(&countings), 0);
	return 0;
}

static inline int free_hybrid(void **state)
{
	(void)state;
	ctd_vendor_countings_free(&countings);
	for (int core = 0; core < 2; core++) {
		ctd_vendor_counting_free(&made[core].counting);
		ctd_vendor_set_free(made[core].set);
		made[core].set = NULL;
		ctd_vendor_table_free(&made[core].table);
	}
	return 0;
}

/* The index of a metric of a core type's counting, and of its column. */
static inline size_t hybrid_index(int core, const char *name)
{
	int index = ctd_vendor_counting_find(&made[core].counting, name);

	assert_true(index >= 0);
	return (size_t)index;
}
static inline size_t hybrid_column(const char *name)
{
	size_t i = 0;

	while (strcasecmp(countings.columns[i].name, name) != 0)
		assert_true(++i < countings.columns_count);
	return i;
}

/* Of a row so much of a core type's cycles is each event of @p metric, in parts of a thousand. */
static inline void hybrid_fill(int core, const char *metric, const char *event, uint64_t cycles,
			       uint64_t per_mille, uint64_t *count)
{
	const struct ctd_vendor_counting *counting = &made[core].counting;
	int group = counting->metrics[hybrid_index(core, metric)].group;
	const struct ctd_event *events =
		&counting->rotation.events[group * counting->rotation.events_count];

	for (int i = 0; i < counting->rotation.events_count; i++) {
		uint64_t *of = &count[group * counting->rotation.events_count + i];

		if (strcmp(events[i].name, "CLKS") == 0)
			*of = cycles;
		else if (strcmp(events[i].name, event) == 0)
			*of = cycles * per_mille / 1000;
	}
}

#endif
