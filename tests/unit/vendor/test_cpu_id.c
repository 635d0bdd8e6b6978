/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_cpu_id.c - processors are told apart as perf does. */
#include "vendor/cpu_id.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <cgtopdown/vendor.h>

static void patterns_are_of_whole_ids(void **state)
{
	static const struct {
		const char *pattern, *id;
		bool matches;
	} cases[] = {
		{"GenuineIntel-6-8F", "GenuineIntel-6-8F-4", true},
		{"GenuineIntel-6-8F", "GenuineIntel-6-8F", true},
		{"GenuineIntel-6-8F", "GenuineIntel-6-8", false},
		{"GenuineIntel-6-8", "GenuineIntel-6-8F-4", false},
		{"GenuineIntel-6-(97|9A|B7)", "GenuineIntel-6-9A-3", true},
		{"GenuineIntel-6-A[DE]", "GenuineIntel-6-AE-0", true},
		{"GenuineIntel-6-55-[56789ABCDEF]", "GenuineIntel-6-55-7", true},
		{"GenuineIntel-6-55-[56789ABCDEF]", "GenuineIntel-6-55-4", false},
		{"GenuineIntel-6-55-[5-7]", "GenuineIntel-6-55-6", true},
		{"GenuineIntel-6-[0-9A]", "GenuineIntel-6-A-6", true},
		{"AuthenticAMD-25-([245][[:xdigit:]]|[[:xdigit:]])", "AuthenticAMD-25-1-0", true},
		{"AuthenticAMD-25-([245][[:xdigit:]]|[[:xdigit:]])", "AuthenticAMD-25-11-0", false},
		{"AuthenticAMD-25-[[:xdigit:]]+", "AuthenticAMD-25-11-0", true},
		{"Family-model", "GenuineIntel-6-8F-4", false},
		{"", "GenuineIntel-6-8F-4", false},
		/* Neither of these is compiled. */
		{"(((.{1,255}){1,255}){1,255}){1,255}", "GenuineIntel-6-8F-4", false},
		{"(.)\\1", "GenuineIntel-6-8F-4", false},
		{"Ge++++++++++++++++++++++++++++++++++++++nuineIntel-6-8F", "GenuineIntel-6-8F-4",
		 false},
		{"((((((((((.*)+)+)+)+)+)+)+)+)+)+", "GenuineIntel-6-8F-4", false},
		{"G.+-[0-9]+-[0-9A-F]+(-.)+", "GenuineIntel-6-8F-4", true},
		{"GenuineIntel-6-(8F", "GenuineIntel-6-8F-4", false},
		/* The version of an Arm core is the least. */
		{"0x00000000410fd490", "0x00000000410fd493", true},
		{"0x00000000410fd493", "0x00000000410fd490", false},
		{"0x410fd493", "0x00000000411fd490", true},
		{"0x00000000410fd490", "0x000000006d0fd490", false},
		{"0x00000000410fd4f0", "0x00000000410fd490", false},
		{"GenuineIntel-6-8F", "0x00000000410fd490", false},
		{"0x00000000410fd490", "GenuineIntel-6-8F-4", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (ctd_vendor_cpu_matches(cases[i].pattern, cases[i].id) != cases[i].matches)
			fail_msg("%s and %s", cases[i].pattern, cases[i].id);
}

static void a_machines_id_is_as_perf_has_it(void **state)
{
	struct ctd_pmu_facts intel = {.vendor = "GenuineIntel",
				      .pmu_name = "cpu_atom",
				      .id = {.family = 6, .model = 0x97, .stepping = 2}};
	struct ctd_pmu_facts arm = {.vendor = "arm",
				    .pmu_name = "armv8_pmuv3_0",
				    .id = {.family = 0x41, .model = 0xd49, .stepping = 0x13}};
	struct ctd_vendor_cpu cpu;

	(void)state;
	ctd_vendor_cpu_of(&intel, &cpu);
	assert_string_equal(cpu.id, "GenuineIntel-6-97-2");
	assert_string_equal(cpu.pmu, "cpu_atom");
	ctd_vendor_cpu_of(&arm, &cpu);
	assert_string_equal(cpu.id, "0x00000000411fd493");
	assert_string_equal(cpu.pmu, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_are_of_whole_ids),
		cmocka_unit_test(a_machines_id_is_as_perf_has_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
