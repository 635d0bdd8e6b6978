/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_slots.c - ratios become whole slots: all of them where they are the whole, never more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "rollup/sum.h"

extern const struct ctd_cpu_model ctd_cpu_sim;

#define KNOWN(number)                        \
	{                                    \
		(number), CTD_LOW_CONFIDENCE \
	}

struct row {
	uint64_t slots;
	bool slots_known;
	struct ctd_value values[CTD_NODES_MAX];
};

static void split_row(const struct ctd_cpu_model *model, const struct row *row,
		      bool known[CTD_NODES_MAX], uint64_t split[CTD_NODES_MAX])
{
	uint32_t bits = 0;

	memset(split, 0, sizeof(*split) * (size_t)CTD_NODES_MAX);
	if (model)
		bits = ctd_slots_split(model, row->values, row->slots_known ? row->slots : 0,
				       split);
	for (int i = 0; i < CTD_NODES_MAX; i++)
		known[i] = bits & 1u << i;
}

static struct row row_of(uint64_t slots)
{
	struct row row = {.slots = slots, .slots_known = true};

	for (int i = 0; i < CTD_NODES_MAX; i++)
		row.values[i] = (struct ctd_value){NAN, CTD_UNSUPPORTED};
	return row;
}

static void parts_of_the_whole_are_the_whole(void **state)
{
	static const double parts[][4] = {
		{.1, .2, .3, .4}, {1 / 3., 1 / 3., 1 / 3., 0}, {0, 0, 0, 1},
		{1, 0, 0, 0},	  {.25, .25, .25, .25},	       {1e-12, 1e-12, .5, .5 - 2e-12},
	};
	static const uint64_t slots[] = {1, 2, 3, 5, 7, 101, 999999937, 123456789012345};

	(void)state;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		for (size_t j = 0; j < sizeof(slots) / sizeof(*slots); j++) {
			struct row row = row_of(slots[j]);
			bool known[CTD_NODES_MAX];
			uint64_t split[CTD_NODES_MAX], sum = 0;

			for (int node = 0; node < 4; node++)
				row.values[node] = (struct ctd_value)KNOWN(parts[i][node]);
			split_row(&ctd_cpu_sim, &row, known, split);
			for (int node = 0; node < 4; node++) {
				double exact = parts[i][node] * (double)slots[j];

				assert_true(known[node]);
				assert_true(fabs((double)split[node] - exact) <= 1.01);
				assert_true(parts[i][node] > 0 || split[node] == 0);
				sum += split[node];
			}
			assert_int_equal(sum, slots[j]);
		}
	}
}

static void parts_that_are_not_the_whole_are_not_forced_to(void **state)
{
	const struct ctd_cpu_model *zen = ctd_cpu_model_find("zen4");
	static const double parts[2][5] = {{.3, .1, .2, .2, .15}, {.4, .1, .2, .3, .1}};
	bool known[CTD_NODES_MAX];
	uint64_t split[CTD_NODES_MAX];

	(void)state;
	assert_non_null(zen);
	for (int i = 0; i < 2; i++) {
		struct row row = row_of(1000000);

		for (int node = 0; node < 5; node++)
			row.values[node] = (struct ctd_value)KNOWN(parts[i][node]);
		split_row(zen, &row, known, split);
		for (int node = 0; node < 5; node++)
			assert_in_range(split[node], (uint64_t)(parts[i][node] * 1e6) - 1,
					(uint64_t)(parts[i][node] * 1e6) + 1);
	}
}

static void all_five_parts_of_zen_are_the_whole_if_they_are(void **state)
{
	const struct ctd_cpu_model *zen = ctd_cpu_model_find("zen4");
	static const double parts[5] = {.3, .1, .2, .25, .15};
	struct row row = row_of(1000000007);
	bool known[CTD_NODES_MAX];
	uint64_t split[CTD_NODES_MAX], sum = 0;

	(void)state;
	for (int node = 0; node < 5; node++)
		row.values[node] = (struct ctd_value)KNOWN(parts[node]);
	split_row(zen, &row, known, split);
	for (int node = 0; node < 5; node++)
		sum += split[node];
	assert_int_equal(sum, 1000000007);
	/* Held by the watchdog, the counter of the fifth leaves the others as they are. */
	row.values[4].quality = CTD_UNSUPPORTED;
	split_row(zen, &row, known, split);
	assert_false(known[4]);
	assert_int_equal(split[4], 0);
	assert_in_range(split[0], 300000001, 300000003);
}

static void halves_are_never_more_than_their_node(void **state)
{
	bool known[CTD_NODES_MAX];
	uint64_t split[CTD_NODES_MAX];

	(void)state;
	for (uint64_t slots = 1; slots < 2000; slots++) {
		struct row row = row_of(slots);

		for (int node = 0; node < 4; node++)
			row.values[node] = (struct ctd_value)KNOWN(.25);
		/* Of retiring, a whole; of bad_speculation one is missing; of frontend_bound less. */
		row.values[4] = row.values[5] = (struct ctd_value)KNOWN(.125);
		row.values[6] = (struct ctd_value)KNOWN(.25);
		row.values[8] = row.values[9] = (struct ctd_value)KNOWN(.12);
		split_row(&ctd_cpu_sim, &row, known, split);
		assert_int_equal(split[4] + split[5], split[0]);
		assert_true(split[6] <= split[1]);
		assert_false(known[7]);
		assert_true(split[8] + split[9] <= split[2]);
	}
}

/* Of a group that had another turn than level 1: its ratio of all of the row's slots. */
static void halves_counted_at_another_time_are_taken_as_they_are(void **state)
{
	struct row row = row_of(1000000);
	bool known[CTD_NODES_MAX];
	uint64_t split[CTD_NODES_MAX];

	(void)state;
	for (int node = 0; node < 4; node++)
		row.values[node] = (struct ctd_value)KNOWN(.25);
	row.values[10] = (struct ctd_value)KNOWN(.25);
	row.values[11] = (struct ctd_value)KNOWN(.0625);
	split_row(&ctd_cpu_sim, &row, known, split);
	assert_int_equal(split[10], 250000);
	assert_int_equal(split[11], 62500);
}

static void shares_of_cycles_are_no_slots(void **state)
{
	const struct ctd_cpu_model *n1 = ctd_cpu_model_find("neoverse_n1");
	struct row row = row_of(1000);
	bool known[CTD_NODES_MAX];
	uint64_t split[CTD_NODES_MAX];

	(void)state;
	row.values[0] = row.values[1] = (struct ctd_value)KNOWN(.5);
	split_row(n1, &row, known, split);
	assert_false(known[0] || known[1]);
	row.slots_known = false;
	split_row(&ctd_cpu_sim, &row, known, split);
	assert_false(known[0]);
	split_row(NULL, &row, known, split);
	assert_false(known[0]);
}

static void ipc_metrics_are_no_slots(void **state)
{
	const struct ctd_cpu_model *cove = ctd_cpu_model_find("golden_cove");
	struct row row = row_of(1000003);
	bool known[CTD_NODES_MAX];
	uint64_t split[CTD_NODES_MAX];
	int ipc = 0;

	(void)state;
	for (int i = 0; i < cove->nodes_count; i++)
		row.values[i] = (struct ctd_value)KNOWN(i < 4 ? .25 : 2);
	split_row(cove, &row, known, split);
	assert_int_equal(split[0] + split[1] + split[2] + split[3], 1000003);
	for (int i = 0; i < cove->nodes_count; i++) {
		if (!ctd_node_is_ipc(&cove->nodes[i]))
			continue;
		assert_false(known[i]);
		assert_int_equal(split[i], 0);
		ipc++;
	}
	assert_true(ipc > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_of_the_whole_are_the_whole),
		cmocka_unit_test(parts_that_are_not_the_whole_are_not_forced_to),
		cmocka_unit_test(all_five_parts_of_zen_are_the_whole_if_they_are),
		cmocka_unit_test(halves_are_never_more_than_their_node),
		cmocka_unit_test(halves_counted_at_another_time_are_taken_as_they_are),
		cmocka_unit_test(shares_of_cycles_are_no_slots),
		cmocka_unit_test(ipc_metrics_are_no_slots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
