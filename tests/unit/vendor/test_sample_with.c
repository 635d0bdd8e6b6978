/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_sample_with.c - what vendors have sampled for a metric is found, as their files name it. */
#include <errno.h>

#include "unit/vendor/files.h"

static struct tree tree;
static struct ctd_vendor_table table;
static struct ctd_vendor_cpu cpu;
static struct ctd_vendor_machine machine;
static char why[CTD_VENDOR_WHY_BYTES];

static int begin(void **state)
{
	(void)state;
	tree_new(&tree);
	put_perf(&tree);
	put(&tree, "/linux/x86/rapid/memory.json",
	    "[{\"EventName\": \"MEM_LOAD.L3_MISS\", \"EventCode\": \"0xd1\", \"UMask\": \"0x20\","
	    "  \"PEBS\": \"1\", \"SampleAfterValue\": \"100007\"},"
	    " {\"EventName\": \"OLD_PS\", \"EventCode\": \"0xd2\", \"SampleAfterValue\": \"many\"}]");
	cpu = (struct ctd_vendor_cpu){.id = INTEL_ID};
	machine = ctd_vendor_machine_unknown();
	return ctd_vendor_read(tree.root, &cpu, CTD_VENDOR_FORMATS, &table, why);
}

static int end(void **state)
{
	(void)state;
	ctd_vendor_table_free(&table);
	tree_free(&tree);
	return 0;
}

static void metrics_are_found_by_what_people_call_them(void **state)
{
	(void)state;
	int memory = ctd_vendor_find_node(&table, "tma_memory_bound");

	assert_true(memory >= 0);
	assert_int_equal(ctd_vendor_find_node(&table, "memory_bound"), memory);
	assert_int_equal(ctd_vendor_find_node(&table, "Memory_Bound"), memory);
	assert_int_equal(ctd_vendor_find_node(&table, "bound"), -1);
}

static void each_name_is_told_whatever_is_between(void **state)
{
	const char *at = " A_PS;B.X:u,  C@x=1@;";
	char name[CTD_VENDOR_NAME_BYTES];

	(void)state;
	assert_true(ctd_vendor_next_sample(&at, name));
	assert_string_equal(name, "A_PS");
	assert_true(ctd_vendor_next_sample(&at, name));
	assert_string_equal(name, "B.X:u");
	assert_true(ctd_vendor_next_sample(&at, name));
	assert_string_equal(name, "C@x=1@");
	assert_false(ctd_vendor_next_sample(&at, name));
	at = "";
	assert_false(ctd_vendor_next_sample(&at, name));
}

static void events_are_found_with_modifiers_and_periods(void **state)
{
	static const struct {
		int line;
		const char *name;
		int error;
		uint64_t config, sample_after;
		bool user_only;
		const char *why;
	} cases[] = {
		{__LINE__, "MEM_LOAD.L3_MISS", 0, 0x20d1, 100007, false, ""},
		{__LINE__, "mem_load.l3_miss_ps", 0, 0x20d1, 100007, false, ""},
		{__LINE__, "MEM_LOAD.L3_MISS_PS:u", 0, 0x20d1, 100007, true, ""},
		/* Some are really called so. */
		{__LINE__, "OLD_PS", 0, 0xd2, 0, false, ""},
		{__LINE__, "cpu@MEM_LOAD.L3_MISS,cmask=2@", 0, 0x20020d1, 100007, false, ""},
		{__LINE__, "topdown-be-bound", 0, 0x8300, 0, false, ""},
		{__LINE__, "NO.SUCH", -ENOENT, 0, 0, false, "no file has the event NO.SUCH"},
		{__LINE__, "UNC_CHA_CLOCKTICKS", -ENOENT, 0, 0, false, "of another PMU"},
		{__LINE__, "MEM.L3:R", -ENOENT, 0, 0, false, "it is a number"},
		{__LINE__, "#SMT_on", -ENOENT, 0, 0, false, ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_vendor_count count = {0};
		int error;

		*why = 0;
		error = ctd_vendor_find_count(&table, &cpu, &machine, cases[i].name, &count, why);
		if (error != cases[i].error || count.config != cases[i].config ||
		    count.user_only != cases[i].user_only || !strstr(why, cases[i].why) ||
		    (count.event ? count.event->sample_after : 0) != cases[i].sample_after)
			fail_msg("line %d: %d, config %#llx, '%s'", cases[i].line, error,
				 (unsigned long long)count.config, why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(metrics_are_found_by_what_people_call_them),
		cmocka_unit_test(each_name_is_told_whatever_is_between),
		cmocka_unit_test(events_are_found_with_modifiers_and_periods),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
