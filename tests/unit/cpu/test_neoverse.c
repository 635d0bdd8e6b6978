/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_neoverse.c - Arm's cores: the published ratios, by hand, and which revision has which. */
#include <cgtopdown/cpu.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "metrics.h"
#include "tree.h"

/* Computed by hand: cycles, stalled slots, of them of the front end and of the back end, operations
 * that retired and all, wrong branches or cycles of flushing. */
static void neoverse_gives_the_published_ratios(void **state)
{
	static const struct {
		int line;
		const char *model;
		double count[CTD_COUNTERS_MAX];
		double retiring, bad_speculation, frontend_bound, backend_bound;
	} cases[] = {
		/* 8000 slots, 4000 used, 3/4 of them retire; 10 branches in 1000 cycles: 4 % */
		{__LINE__,
		 "neoverse_v1",
		 {1000, 4000, 2400, 1600, 1500, 2000, 10},
		 0.375,
		 0.165,
		 0.26,
		 0.2},
		{__LINE__,
		 "neoverse_v2",
		 {1000, 4000, 2400, 1600, 1500, 2000, 10},
		 0.375,
		 0.165,
		 0.29,
		 0.17},
		/* 5000 slots, 2500 used */
		{__LINE__,
		 "neoverse_n2",
		 {1000, 2500, 1500, 1000, 1500, 2000, 10},
		 0.375,
		 0.165,
		 0.29,
		 0.17},
		/* the same with another stall of the front end in each cycle */
		{__LINE__,
		 "neoverse_n2_r0p0",
		 {1000, 3500, 2500, 1000, 1500, 2000, 10},
		 0.375,
		 0.165,
		 0.29,
		 0.17},
		/* flushing in 40 cycles of 1000 */
		{__LINE__,
		 "neoverse_n3",
		 {1000, 2500, 1500, 1000, 1500, 2000, 40},
		 0.375,
		 0.165,
		 0.26,
		 0.2},
		{__LINE__,
		 "neoverse_v3",
		 {1000, 5000, 3000, 2000, 1500, 2000, 40},
		 0.375,
		 0.165,
		 0.26,
		 0.2},
		/* As published, so that what a branch costs can be more than stalls there were. */
		{__LINE__,
		 "neoverse_v1",
		 {1000, 800, 80, 720, 900, 1000, 10},
		 0.81,
		 0.13,
		 -0.03,
		 0.09},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct ctd_cpu_model *model = ctd_cpu_model_find(cases[i].model);
		const double want[] = {cases[i].retiring, cases[i].bad_speculation,
				       cases[i].frontend_bound, cases[i].backend_bound};

		for (int node = 0; node < 4; node++) {
			double got = node_value(model, node, cases[i].count);

			if (!(fabs(got - want[node]) < 1e-12))
				fail_msg("line %d: %s is %.17g", cases[i].line,
					 model->nodes[node].name, got);
		}
	}
}

static void neoverse_n1_has_shares_of_cycles(void **state)
{
	static const double count[CTD_COUNTERS_MAX] = {1000, 150, 300};
	const struct ctd_cpu_model *model = ctd_cpu_model_find("neoverse_n1");

	(void)state;
	assert_int_equal(tree_nodes(model), 2);
	assert_string_equal(model->nodes[0].name, "frontend_stalled_cycles");
	assert_true(fabs(node_value(model, 0, count) - 0.15) < 1e-12);
	assert_string_equal(model->nodes[1].name, "backend_stalled_cycles");
	assert_true(fabs(node_value(model, 1, count) - 0.3) < 1e-12);
	assert_int_equal(ctd_cpu_model_slots(model, 1000), 0);
}

/* Arm's midr-mapping.json: r0p3 is a case of its own, for either implementer. */
static void the_revision_decides_which_neoverse_n2_it_is(void **state)
{
	static const struct {
		int line;
		struct ctd_cpu_id id;
		const char *want;
	} cases[] = {
		{__LINE__, {.family = 0x41, .model = 0xd49, .stepping = 0x00}, "neoverse_n2_r0p0"},
		{__LINE__, {.family = 0x41, .model = 0xd49, .stepping = 0x02}, "neoverse_n2_r0p0"},
		{__LINE__, {.family = 0x41, .model = 0xd49, .stepping = 0x03}, "neoverse_n2"},
		{__LINE__, {.family = 0x41, .model = 0xd49, .stepping = 0x10}, "neoverse_n2"},
		{__LINE__, {.family = 0x6d, .model = 0xd49, .stepping = 0x00}, "neoverse_n2_r0p0"},
		{__LINE__, {.family = 0x6d, .model = 0xd49, .stepping = 0x03}, "neoverse_n2"},
		{__LINE__, {.family = 0x41, .model = 0xd40, .stepping = 0x11}, "neoverse_v1"},
		{__LINE__, {.family = 0x41, .model = 0xd83, .stepping = 0x00}, "neoverse_v3"},
		{__LINE__, {.family = 0x41, .model = 0xd84, .stepping = 0x01}, "neoverse_v3"},
		{__LINE__, {.family = 0x6d, .model = 0xd40, .stepping = 0x11}, "none"},
		{__LINE__, {.family = 0x41, .model = 0xd0b, .stepping = 0x11}, "none"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *got = "none";

		for (size_t j = 0; ctd_cpu_models[j]; j++) {
			if (ctd_cpu_model_claims(ctd_cpu_models[j], "arm", &cases[i].id))
				got = ctd_cpu_models[j]->name;
		}
		if (strcmp(got, cases[i].want))
			fail_msg("line %d: %s", cases[i].line, got);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(neoverse_gives_the_published_ratios),
		cmocka_unit_test(neoverse_n1_has_shares_of_cycles),
		cmocka_unit_test(the_revision_decides_which_neoverse_n2_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
