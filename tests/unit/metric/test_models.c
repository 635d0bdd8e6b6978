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
static void the_general_group_counts_the_same_on_every_model(void **state)
{
	static const char *const words[CTD_GENERAL_COUNTS][3] = {{"cyc", "clk", "cyc"},
								 {"inst", "inst", "inst"},
								 {"mis", "mis", "mis"},
								 {"miss", "refill", "fill"}};
	int having = 0;

	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];
		const struct ctd_cpu_event *events = model->groups[CTD_GENERAL_GROUP];
		int first = ctd_cpu_model_general_first(model);
		char cache[8];

		ctd_cpu_model_cache(model, cache);
		assert_int_equal(first >= 0, events != NULL);
		assert_int_equal(*cache != 0, events != NULL);
		if (!events)
			continue;
		having++;
		assert_int_equal(first, model->slots_per_count == 1);
		for (int count = 0; count < CTD_GENERAL_COUNTS; count++) {
			bool found = false;

			for (int word = 0; word < 3; word++)
				found |= strstr(events[first + count].name, words[count][word]) !=
					 NULL;
			if (!found)
				fail_msg("%s: %s", model->name, events[first + count].name);
		}
		assert_true(strcmp(cache, "llc") == 0 || strcmp(cache, "l2") == 0);
	}
	assert_true(having > 10);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_model_is_found_by_its_whole_name),
		cmocka_unit_test(a_level_needs_counters_and_counters_give_a_level),
		cmocka_unit_test(the_general_group_counts_the_same_on_every_model),
		cmocka_unit_test(a_model_claims_the_processors_of_its_ids_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
