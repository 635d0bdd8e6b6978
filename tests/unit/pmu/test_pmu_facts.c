/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_pmu_facts.c - the facts of machines that stand in for this one. Run from the project's root.
 */
#include <cgtopdown/counters.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "root.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void each_machine_shows_its_pmu(void **state)
{
	static const struct {
		int line;
		const char *root, *pmu_name, *caps_name;
		uint32_t type;
		bool slots, level1, level2;
	} cases[] = {
		{__LINE__, "sapphire_rapids", "cpu", "sapphire_rapids", 4, true, true, true},
		{__LINE__, "ice_lake", "cpu", "icelake", 4, true, true, false},
		{__LINE__, "ice_lake_guest_kernel_5_10", "cpu", "icelake", 4, true, true, false},
		{__LINE__, "skylake", "cpu", "skylake", 4, false, false, false},
		{__LINE__, "alder_lake", "cpu_core", "alderlake_hybrid", 4, true, true, true},
		{__LINE__, "kvm_guest", "cpu", "sapphire_rapids", 4, false, false, false},
		{__LINE__, "neoverse_v2", "armv8_pmuv3_0", "", 8, false, false, false},
		{__LINE__, "arm64_guest", "armv8_pmuv3", "", 8, false, false, false},
		{__LINE__, "neoverse_n2", "armv9_neoverse_n2", "", 8, false, false, false},
		{__LINE__, "big_little", "armv8_cortex_a53", "", 8, false, false, false},
		{__LINE__, "no_pmu", "", "", 0, false, false, false},
		{__LINE__, "not_a_machine", "", "", 0, false, false, false},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char root[128];
		struct ctd_pmu_facts facts;

		snprintf(root, sizeof(root), "tests/machines/%s", cases[i].root);
		ctd_root_set(root);
		if (ctd_pmu_facts_read(&facts) || strcmp(facts.pmu_name, cases[i].pmu_name) ||
		    strcmp(facts.caps_name, cases[i].caps_name) || facts.type != cases[i].type ||
		    facts.core_pmu != (cases[i].pmu_name[0] != '\0') ||
		    facts.slots != cases[i].slots || facts.level1 != cases[i].level1 ||
		    facts.level2 != cases[i].level2)
			fail_msg("line %d: pmu '%s' caps '%s' type %u, %d %d %d", cases[i].line,
				 facts.pmu_name, facts.caps_name, facts.type, facts.slots,
				 facts.level1, facts.level2);
	}
}

static void each_machine_shows_its_processor(void **state)
{
	static const struct {
		int line;
		const char *root, *vendor, *title;
		unsigned int family, model, stepping;
		bool hypervisor;
	} cases[] = {
		{__LINE__, "sapphire_rapids", "GenuineIntel", "Intel(R) Xeon(R) Platinum 8480+", 6,
		 143, 8, false},
		{__LINE__, "alder_lake", "GenuineIntel", "12th Gen Intel(R) Core(TM) i9-12900K", 6,
		 151, 2, false},
		{__LINE__, "no_pmu", "AuthenticAMD", "AMD EPYC", 26, 2, 1, true},
		{__LINE__, "neoverse_v2", "arm", "", 0x41, 0xd4f, 0x01, false},
		{__LINE__, "neoverse_n1", "arm", "", 0x41, 0xd0c, 0x31, false},
		{__LINE__, "cobalt_100", "arm", "", 0x6d, 0xd49, 0x00, false},
		/* Of the kind of core that the PMU is of, which CPU 0 is not. */
		{__LINE__, "big_little", "arm", "", 0x41, 0xd03, 0x04, false},
		{__LINE__, "not_a_machine", "", "", 0, 0, 0, false},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char root[128];
		struct ctd_pmu_facts facts;

		snprintf(root, sizeof(root), "tests/machines/%s", cases[i].root);
		ctd_root_set(root);
		if (ctd_pmu_facts_read(&facts) || strcmp(facts.vendor, cases[i].vendor) ||
		    strcmp(facts.cpu_title, cases[i].title) || facts.id.family != cases[i].family ||
		    facts.id.model != cases[i].model || facts.id.stepping != cases[i].stepping ||
		    facts.hypervisor != cases[i].hypervisor)
			fail_msg("line %d: '%s' '%s' %u-%u-%u hypervisor %d", cases[i].line,
				 facts.vendor, facts.cpu_title, facts.id.family, facts.id.model,
				 facts.id.stepping, facts.hypervisor);
	}
}

static void slots_are_told_in_hexadecimal_or_not_at_all(void **state)
{
	static const struct {
		int line;
		const char *root;
		int slots;
	} cases[] = {
		{__LINE__, "neoverse_v2", 8},	  {__LINE__, "neoverse_n2", 5},
		{__LINE__, "neoverse_n1", 0},	  {__LINE__, "arm64_guest", 0},
		{__LINE__, "sapphire_rapids", 0}, {__LINE__, "not_a_machine", 0},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char root[128];
		struct ctd_pmu_facts facts;

		snprintf(root, sizeof(root), "tests/machines/%s", cases[i].root);
		ctd_root_set(root);
		if (ctd_pmu_facts_read(&facts) || facts.slots_per_cycle != cases[i].slots)
			fail_msg("line %d: %d slots", cases[i].line, facts.slots_per_cycle);
	}
}

static void a_midr_that_makes_no_sense_is_none(void **state)
{
	static char digits[5000];
	static const struct {
		int line;
		const char *text, *vendor;
		unsigned int family, model, stepping;
	} cases[] = {
		{__LINE__, "0x00000000410fd4f1\n", "arm", 0x41, 0xd4f, 0x01},
		{__LINE__, "0x414fd0c1", "arm", 0x41, 0xd0c, 0x41},
		{__LINE__, "0x00000000FFFFFFFF\n", "arm", 0xff, 0xfff, 0xff},
		{__LINE__, "", "", 0, 0, 0},
		{__LINE__, "\n", "", 0, 0, 0},
		{__LINE__, "0x\n", "", 0, 0, 0},
		{__LINE__, "0x0000000000000000\n", "", 0, 0, 0},
		{__LINE__, "410fd4f1\n", "", 0, 0, 0},
		{__LINE__, "-0x410fd4f1\n", "", 0, 0, 0},
		{__LINE__, "0x-410fd4f1\n", "", 0, 0, 0},
		{__LINE__, "0x410fd4f1 0x410fd4f1\n", "", 0, 0, 0},
		{__LINE__, "0x00000001410fd4f1\n", "", 0, 0, 0},
		{__LINE__, "0x000000000410fd4f1\n", "", 0, 0, 0},
		{__LINE__, "garbage\n", "", 0, 0, 0},
		{__LINE__, "\xff\xfe\x01", "", 0, 0, 0},
		{__LINE__, digits, "", 0, 0, 0},
	};
	char root[] = "/tmp/test_facts.XXXXXX";

	(void)state;
	memset(digits, '4', sizeof(digits) - 1);
	assert_non_null(mkdtemp(root));
	ctd_root_set(root);
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_pmu_facts facts = {0};
		int err;

		write_file(root, "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1",
			   cases[i].text);
		err = ctd_pmu_facts_read(&facts);
		if (err || strcmp(facts.vendor, cases[i].vendor) ||
		    facts.id.family != cases[i].family || facts.id.model != cases[i].model ||
		    facts.id.stepping != cases[i].stepping)
			fail_msg("line %d: %d, '%s' 0x%x 0x%x 0x%x", cases[i].line, err,
				 facts.vendor, facts.id.family, facts.id.model, facts.id.stepping);
	}
	nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* The CPUs of a PMU, and whether it is one at all. */
static void the_first_cpu_of_the_pmu_is_looked_at(void **state)
{
	static const struct {
		int line;
		const char *cpus;
		unsigned int want_model; /* CPU 0 is a 0xd03, CPU 12 a 0xd0c */
	} cases[] = {
		{__LINE__, "12-15\n", 0xd0c}, {__LINE__, "12\n", 0xd0c},
		{__LINE__, "12,14\n", 0xd0c}, {__LINE__, "0-12\n", 0xd03},
		{__LINE__, "x\n", 0xd03},     {__LINE__, "99999999999\n", 0xd03},
		{__LINE__, "7\n", 0}, /* offline, it shows no MIDR */
	};
	char root[] = "/tmp/test_facts.XXXXXX";

	(void)state;
	assert_non_null(mkdtemp(root));
	ctd_root_set(root);
	write_file(root, "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", "0x410fd034");
	write_file(root, "/sys/devices/system/cpu/cpu12/regs/identification/midr_el1",
		   "0x413fd0c1");
	write_file(root, "/sys/bus/event_source/devices/armv8_pmuv3_0/type", "8");
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_pmu_facts facts = {0};
		int err;

		write_file(root, "/sys/bus/event_source/devices/armv8_pmuv3_0/cpus", cases[i].cpus);
		err = ctd_pmu_facts_read(&facts);
		if (err || !facts.core_pmu || facts.id.model != cases[i].want_model)
			fail_msg("line %d: %d, PMU %d, model 0x%x", cases[i].line, err,
				 facts.core_pmu, facts.id.model);
	}
	nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static void the_watchdog_and_paranoia_are_read_and_unknown_where_absent(void **state)
{
	static const struct {
		int line;
		const char *root;
		bool nmi_watchdog;
		int paranoid;
	} cases[] = {
		{__LINE__, "sapphire_rapids", true, 2}, {__LINE__, "ice_lake", false, 2},
		{__LINE__, "alder_lake", true, 4},	{__LINE__, "neoverse_v2", false, 2},
		{__LINE__, "not_a_machine", false, -2},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char root[128];
		struct ctd_pmu_facts facts;

		snprintf(root, sizeof(root), "tests/machines/%s", cases[i].root);
		ctd_root_set(root);
		if (ctd_pmu_facts_read(&facts) || facts.nmi_watchdog != cases[i].nmi_watchdog ||
		    facts.perf_event_paranoid != cases[i].paranoid)
			fail_msg("line %d: watchdog %d, paranoid %d", cases[i].line,
				 facts.nmi_watchdog, facts.perf_event_paranoid);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_machine_shows_its_pmu),
		cmocka_unit_test(each_machine_shows_its_processor),
		cmocka_unit_test(slots_are_told_in_hexadecimal_or_not_at_all),
		cmocka_unit_test(a_midr_that_makes_no_sense_is_none),
		cmocka_unit_test(the_first_cpu_of_the_pmu_is_looked_at),
		cmocka_unit_test(the_watchdog_and_paranoia_are_read_and_unknown_where_absent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
