/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_models.c - models are found by name, and say what they need. */
#include <cgtopdown/cpu.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void a_model_is_found_by_its_whole_name(void **state)
{
	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++)
		assert_ptr_equal(ctd_cpu_model_find(ctd_cpu_models[i]->name), ctd_cpu_models[i]);
	assert_null(ctd_cpu_model_find(""));
	assert_null(ctd_cpu_model_find("golden"));
	assert_null(ctd_cpu_model_find("Golden_Cove"));
}

static void a_node_is_found_by_its_whole_name(void **state)
{
	const struct ctd_cpu_model *deep = ctd_cpu_model_find("golden_cove");
	const struct ctd_cpu_model *flat = ctd_cpu_model_find("sunny_cove");

	(void)state;
	for (int i = 0; i < deep->nodes_count; i++)
		assert_int_equal(ctd_cpu_model_find_node(deep, deep->nodes[i].name), i);
	assert_int_equal(ctd_cpu_model_find_node(flat, "memory_bound"), -1);
	assert_int_equal(ctd_cpu_model_find_node(deep, "memory"), -1);
	assert_true(ctd_cpu_is_node("memory_bound"));
	assert_true(ctd_cpu_is_node("smt_contention"));
	assert_false(ctd_cpu_is_node("memory"));
	assert_false(ctd_cpu_is_node(""));
}

static void a_level_needs_counters_and_counters_give_a_level(void **state)
{
	const struct ctd_cpu_model *deep = ctd_cpu_model_find("golden_cove");
	const struct ctd_cpu_model *flat = ctd_cpu_model_find("sunny_cove");

	(void)state;
	assert_int_equal(ctd_cpu_model_counters(deep, 0, 1), 5);
	assert_int_equal(ctd_cpu_model_counters(deep, 0, 2), 9);
	assert_int_equal(ctd_cpu_model_counters(flat, 0, 1), 5);
	assert_int_equal(ctd_cpu_model_counters(flat, 0, 2), 5);
	assert_int_equal(ctd_cpu_model_level(deep, 9), 2);
	assert_int_equal(ctd_cpu_model_level(deep, 8), 1);
	assert_int_equal(ctd_cpu_model_level(deep, 4), 0);
	assert_int_equal(ctd_cpu_model_level(flat, 9), 1);
}

/* All of them in one order, so that totals of them have one meaning. */
static void the_ipc_group_counts_the_same_on_every_model(void **state)
{
	static const char *const words[CTD_IPC_COUNTS][3] = {{"cyc", "clk", "cyc"},
							     {"inst", "inst", "inst"},
							     {"mis", "mis", "mis"},
							     {"miss", "refill", "fill"}};
	int having = 0;

	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];
		const struct ctd_cpu_event *events = model->groups[CTD_IPC_GROUP];
		int first = model->ipc_first;

		assert_int_equal(model->cache != NULL, events != NULL);
		if (!events)
			continue;
		having++;
		assert_int_equal(first, model->slots_per_count == 1);
		for (int count = 0; count < CTD_IPC_COUNTS; count++) {
			bool found = false;

			for (int word = 0; word < 3; word++)
				found |= strstr(events[first + count].name, words[count][word]) !=
					 NULL;
			if (!found)
				fail_msg("%s: %s", model->name, events[first + count].name);
		}
		assert_true(strcmp(model->cache, "llc") == 0 || strcmp(model->cache, "l2") == 0);
	}
	assert_true(having > 10);
}

static void a_role_is_of_one_node_and_the_same_in_every_model(void **state)
{
	static const struct {
		enum ctd_node_role role;
		const char *name;
	} cases[] = {
		{CTD_ROLE_RETIRING, "retiring"},
		{CTD_ROLE_BAD_SPECULATION, "bad_speculation"},
		{CTD_ROLE_FRONTEND_BOUND, "frontend_bound"},
		{CTD_ROLE_BACKEND_BOUND, "backend_bound"},
		{CTD_ROLE_SMT_CONTENTION, "smt_contention"},
		{CTD_ROLE_HEAVY_OPERATIONS, "heavy_operations"},
		{CTD_ROLE_LIGHT_OPERATIONS, "light_operations"},
		{CTD_ROLE_BRANCH_MISPREDICTS, "branch_mispredicts"},
		{CTD_ROLE_MACHINE_CLEARS, "machine_clears"},
		{CTD_ROLE_FETCH_LATENCY, "fetch_latency"},
		{CTD_ROLE_FETCH_BANDWIDTH, "fetch_bandwidth"},
		{CTD_ROLE_MEMORY_BOUND, "memory_bound"},
		{CTD_ROLE_CORE_BOUND, "core_bound"},
		{CTD_ROLE_RESOURCE_BOUND, "resource_bound"},
		{CTD_ROLE_FRONTEND_STALLS, "frontend_stalled_cycles"},
		{CTD_ROLE_BACKEND_STALLS, "backend_stalled_cycles"},
		{CTD_ROLE_IPC, "ipc"},
		{CTD_ROLE_CPI, "cpi"},
		{CTD_ROLE_GHZ, "ghz"},
		{CTD_ROLE_BRANCH_MPKI, "branch_mpki"},
	};

	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];
		int cache = ctd_cpu_model_node(model, CTD_ROLE_CACHE_MPKI);

		for (int node = 0; node < model->nodes_count; node++)
			assert_int_equal(ctd_cpu_model_node(model, model->nodes[node].role), node);
		for (size_t j = 0; j < sizeof(cases) / sizeof(*cases); j++) {
			int node = ctd_cpu_model_node(model, cases[j].role);

			if (node >= 0)
				assert_string_equal(model->nodes[node].name, cases[j].name);
		}
		assert_int_equal(cache >= 0, model->cache != NULL);
		if (cache >= 0)
			assert_memory_equal(model->nodes[cache].name, model->cache,
					    strlen(model->cache));
	}
}

static bool claims(const struct ctd_cpu_model *model, unsigned int family, unsigned int number)
{
	return ctd_cpu_model_claims(model, "GenuineIntel",
				    &(struct ctd_cpu_id){.family = family, .model = number});
}

static void a_model_claims_the_processors_of_its_ids_only(void **state)
{
	const struct ctd_cpu_model *model = ctd_cpu_model_find("golden_cove");

	(void)state;
	assert_true(claims(model, 6, 0xad));
	assert_true(claims(model, 6, 0xae));
	assert_false(claims(model, 6, 0xaf));
	assert_false(claims(model, 7, 0xad));
	assert_false(claims(ctd_cpu_model_find("sim"), 6, 0xad));
}

/* The kernel's list (arch/x86/kernel/cpu/amd.c), which is not all of the family. */
static void models_of_amd_family_26_are_the_kernels(void **state)
{
	static const struct {
		unsigned int first, last;
		const char *name;
	} cases[] = {
		{0x00, 0x2f, "zen5"}, {0x30, 0x3f, ""},	    {0x40, 0x4f, "zen5"},
		{0x50, 0x5f, "zen6"}, {0x60, 0x7f, "zen5"}, {0x80, 0xaf, "zen6"},
		{0xb0, 0xbf, ""},     {0xc0, 0xcf, "zen6"}, {0xd0, 0xd7, "zen5"},
		{0xd8, 0xef, "zen6"}, {0xf0, 0xff, ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		for (unsigned int number = cases[i].first; number <= cases[i].last; number++) {
			const struct ctd_cpu_id id = {.family = 26, .model = number};
			const char *name = "";

			for (size_t j = 0; ctd_cpu_models[j]; j++)
				if (ctd_cpu_model_claims(ctd_cpu_models[j], "AuthenticAMD", &id))
					name = ctd_cpu_models[j]->name;
			assert_string_equal(name, cases[i].name);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_model_is_found_by_its_whole_name),
		cmocka_unit_test(a_node_is_found_by_its_whole_name),
		cmocka_unit_test(a_level_needs_counters_and_counters_give_a_level),
		cmocka_unit_test(the_ipc_group_counts_the_same_on_every_model),
		cmocka_unit_test(models_of_amd_family_26_are_the_kernels),
		cmocka_unit_test(a_role_is_of_one_node_and_the_same_in_every_model),
		cmocka_unit_test(a_model_claims_the_processors_of_its_ids_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
