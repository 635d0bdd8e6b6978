/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_decode.c - ratios are those of the designs' formulas, and as exact as they say. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <cgtopdown/metric.h>

#include "machine.h"

/* The same numbers each time. */
static uint64_t random_below(uint64_t limit)
{
	static uint64_t number = 1;

	number = number * 6364136223846793005u + 1442695040888963407u;
	return (number >> 24) % limit;
}

static void fractions_times_slots_are_parts(void **state)
{
	static const uint64_t bytes[CTD_RDPMC_PARTS] = {100, 20, 60, 75, 30, 10, 40, 255};
	uint64_t count[CTD_RDPMC_EVENTS_MAX] = {25500}, metrics = 0;

	(void)state;
	for (int i = 0; i < CTD_RDPMC_PARTS; i++)
		metrics |= bytes[i] << (8 * i);
	ctd_rdpmc_decode(metrics, count);
	assert_int_equal(count[0], 25500);
	for (int i = 0; i < CTD_RDPMC_PARTS; i++)
		assert_int_equal(count[1 + i], 100 * bytes[i]);
	/* As many slots as the counter has bits for. */
	count[0] = (UINT64_C(1) << 48) - 1;
	ctd_rdpmc_decode(metrics, count);
	assert_int_equal(count[8], count[0]);
}

/* As in topdown.txt: 30 % of the first 1000 slots retire, and 60 % of the next 1000. */
static void a_region_is_the_difference_of_two_products(void **state)
{
	struct ctd_rdpmc_group group = {.metrics = true, .nodes_known = CTD_RDPMC_LEVEL1_COUNT};
	struct ctd_rdpmc_sample begin = {.slots = 1000, .part = {300, 100, 200, 400}};
	struct ctd_rdpmc_sample end = {.slots = 2000, .part = {900, 150, 250, 700}};
	struct ctd_rdpmc_region region = ctd_rdpmc_named("region");
	double ratio[CTD_RDPMC_NODES_COUNT];

	(void)state;
	assert_int_equal(ctd_rdpmc_ratios(&region, ratio), 0);
	assert_true(isnan(ratio[0]) && isnan(ctd_rdpmc_error_ratio(&region)));
	assert_int_equal(ctd_rdpmc_add(&group, &region, &begin, &end), CTD_RDPMC_OK);
	assert_int_equal(ctd_rdpmc_ratios(&region, ratio), 4);
	assert_float_equal(ratio[CTD_RDPMC_RETIRING], 0.6, 1e-9);
	assert_float_equal(ratio[CTD_RDPMC_BAD_SPECULATION], 0.05, 1e-9);
	assert_float_equal(ratio[CTD_RDPMC_FRONTEND_BOUND], 0.05, 1e-9);
	assert_float_equal(ratio[CTD_RDPMC_BACKEND_BOUND], 0.3, 1e-9);
	for (int i = CTD_RDPMC_HEAVY_OPERATIONS; i < CTD_RDPMC_NODES_COUNT; i++)
		assert_true(isnan(ratio[i]));
	/* 3000 slots were rounded. */
	assert_float_equal(ctd_rdpmc_error_ratio(&region), 3.0 / 255, 1e-9);
	assert_string_equal(region.name, "region");
}

/* By read(2), so that slots and parts are the counts of the model's first group. */
static void assert_nodes_are_those_of(const char *name, const uint64_t *count, int counts,
				      const struct ctd_rdpmc_region *region)
{
	const struct ctd_cpu_model *model = ctd_cpu_model_find(name);
	struct ctd_metric_set *set;
	double ratio[CTD_RDPMC_NODES_COUNT], operands[16] = {0};
	int known = ctd_rdpmc_ratios(region, ratio);

	assert_int_equal(ctd_metric_set_new(model, &set), 0);
	for (int i = 0; i < counts; i++)
		operands[i] = (double)count[i];
	for (int i = 0; i < known; i++) {
		int node = ctd_cpu_model_find_node(model, ctd_rdpmc_node_name(i));
		double want;

		assert_true(node >= 0);
		want = ctd_metric_value(set, node, operands);
		if (fabs(ratio[i] - want) > 1e-9)
			fail_msg("%s of %s: %g, not %g", ctd_rdpmc_node_name(i), name, ratio[i],
				 want);
	}
	ctd_metric_set_free(set);
}

static void nodes_of_perf_metrics_are_those_of_the_models(void **state)
{
	(void)state;
	for (int i = 0; i < 200; i++) {
		struct ctd_rdpmc_group group = {.metrics = true, .slots_per_count = 1};
		uint64_t count[CTD_RDPMC_EVENTS_MAX] = {0};
		struct ctd_rdpmc_sample zero = {0}, sample = {0};
		struct ctd_rdpmc_region region = ctd_rdpmc_named("region");
		bool level2 = i % 2;

		group.nodes_known = level2 ? CTD_RDPMC_NODES_COUNT : CTD_RDPMC_LEVEL1_COUNT;
		for (int part = 0; part < 4; part++) {
			count[1 + part] = random_below(1000000);
			count[5 + part] = random_below(count[1 + part] + 1000);
			count[0] += count[1 + part];
		}
		/* What of slots is in no part. */
		count[0] += random_below(10000);
		ctd_rdpmc_assign(&group, count, &sample);
		assert_int_equal(ctd_rdpmc_add(&group, &region, &zero, &sample), CTD_RDPMC_OK);
		assert_nodes_are_those_of(level2 ? "golden_cove" : "sunny_cove", count,
					  level2 ? 9 : 5, &region);
	}
}

static void nodes_of_zen_are_those_of_the_models(void **state)
{
	static const char *const names[] = {"zen4", "zen5", "zen6"};

	(void)state;
	for (int i = 0; i < 300; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_model_find(names[i % 3]);
		struct ctd_rdpmc_group group = {.slots_per_count =
							(unsigned int)model->slots_per_cycle,
						.nodes_known = CTD_RDPMC_LEVEL1_COUNT};
		uint64_t cycles = 1 + random_below(1000000);
		uint64_t slots = cycles * group.slots_per_count;
		uint64_t retired = random_below(slots / 3 + 1);
		uint64_t dispatched = retired + random_below(slots / 3 + 1);
		uint64_t empty = random_below(slots / 3 + 1), stalled = random_below(slots + 1);
		/* The model's group has them in another order, and that of the other thread. */
		uint64_t of_model[6] = {cycles, empty, stalled, dispatched, retired};
		uint64_t count[CTD_RDPMC_EVENTS_MAX] = {cycles, retired, dispatched, empty,
							stalled};
		struct ctd_rdpmc_sample zero = {0}, sample = {0};
		struct ctd_rdpmc_region region = ctd_rdpmc_named("region");

		ctd_rdpmc_assign(&group, count, &sample);
		assert_int_equal(ctd_rdpmc_add(&group, &region, &zero, &sample), CTD_RDPMC_OK);
		assert_float_equal(ctd_rdpmc_error_ratio(&region), 0, 0);
		assert_nodes_are_those_of(names[i % 3], of_model, 6, &region);
	}
}

/* A difference may come out below 0, and a sum of many does not. */
static void a_part_below_0_is_kept_and_shown_as_0(void **state)
{
	struct ctd_rdpmc_group group = {.metrics = true, .nodes_known = CTD_RDPMC_NODES_COUNT};
	struct ctd_rdpmc_sample begin = {.slots = 1000, .part = {500, 300, 200, 0, 400}};
	struct ctd_rdpmc_sample end = {.slots = 1100, .part = {600, 290, 210, 0, 510}};
	struct ctd_rdpmc_region region = ctd_rdpmc_named("region");
	double ratio[CTD_RDPMC_NODES_COUNT];

	(void)state;
	assert_int_equal(ctd_rdpmc_add(&group, &region, &begin, &end), CTD_RDPMC_OK);
	assert_int_equal(region.part[CTD_RDPMC_BAD_SPECULATION], -10);
	assert_int_equal(ctd_rdpmc_ratios(&region, ratio), CTD_RDPMC_NODES_COUNT);
	assert_float_equal(ratio[CTD_RDPMC_BAD_SPECULATION], 0, 0);
	assert_float_equal(ratio[CTD_RDPMC_LIGHT_OPERATIONS], 0, 0); /* 100 - 110 */
	assert_float_equal(ratio[CTD_RDPMC_RETIRING], 1, 0);
	assert_float_equal(ratio[CTD_RDPMC_HEAVY_OPERATIONS], 1, 0); /* 110 of 100 */
}

/* Any load, any time since the reset, any length: what 8 bits do stays below what is said. */
static void ratios_are_as_exact_as_they_say(void **state)
{
	double worst = 0;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		struct ctd_rdpmc_region region = ctd_rdpmc_named("region");
		struct ctd_rdpmc_group group;
		double ratio[CTD_RDPMC_NODES_COUNT], bound;
		uint64_t load[PARTS_MAX], left = 1000;

		for (int part = 0; part < 4; part++) {
			load[part] = part == 3 ? left : random_below(left + 1);
			load[4 + part] = random_below(load[part] + 1);
			left -= load[part];
		}
		machine_begin("sapphire_rapids");
		assert_int_equal(machine_open(&group, 0), CTD_RDPMC_OK);
		group.regions_open = 1; /* nothing is reset */
		work(i % 2 ? memory_load : branch_load, random_below(10000));
		assert_int_equal(ctd_rdpmc_begin(&group, &region), CTD_RDPMC_OK);
		work(load, 100 + random_below(10000));
		assert_int_equal(ctd_rdpmc_end(&group, &region), CTD_RDPMC_OK);
		assert_int_equal(ctd_rdpmc_ratios(&region, ratio), CTD_RDPMC_NODES_COUNT);
		/* And a slot of each product, and of their sum, as they are whole numbers. */
		bound = ctd_rdpmc_error_ratio(&region) + 10 / (double)region.slots;
		for (int node = 0; node < CTD_RDPMC_NODES_COUNT; node++) {
			uint64_t of_node = node < 8 ? load[node] : load[node - 8] - load[node - 4];
			double off = fabs(ratio[node] - (double)of_node / 1000);

			if (off > (node < 8 ? bound : 2 * bound))
				fail_msg(
					"%d: %s is %g, of %g slots in a thousand, off by more than %g",
					i, ctd_rdpmc_node_name(node), ratio[node], (double)of_node,
					bound);
			worst = fmax(worst, off / bound);
		}
		ctd_rdpmc_close(&group);
	}
	/* Nor is it said too high by far. */
	assert_true(worst > 0.5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fractions_times_slots_are_parts),
		cmocka_unit_test(a_region_is_the_difference_of_two_products),
		cmocka_unit_test(nodes_of_perf_metrics_are_those_of_the_models),
		cmocka_unit_test(nodes_of_zen_are_those_of_the_models),
		cmocka_unit_test(a_part_below_0_is_kept_and_shown_as_0),
		cmocka_unit_test(ratios_are_as_exact_as_they_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
