/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_facts.c - the facts of machines that stand in for this one. Run from the project's root. */
#include <cgtopdown/counters.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/root.h"

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
		{__LINE__, "neoverse_v2", "", "", 0, 0, 0, false},
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
		cmocka_unit_test(the_watchdog_and_paranoia_are_read_and_unknown_where_absent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
