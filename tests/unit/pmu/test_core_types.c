/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_core_types.c - the kinds of cores of machines that stand in for this one. */
#include <cgtopdown/counters.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "root.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MIDR "/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1"
#define PMU "/sys/bus/event_source/devices/%s/%s"

/* Every kind as "NAME PMU MODEL.CORE CPUS...", CPUs up to 24. */
static const char *text_of(const struct ctd_machine *machine)
{
	static char text[1024];
	size_t said = 0;

	text[0] = '\0';
	for (int core = 0; core < machine->core_types_count; core++) {
		const struct ctd_pmu_facts *facts = &machine->core_types[core];

		said += (size_t)snprintf(text + said, sizeof(text) - said, "%s%s %s %x.%d",
					 core ? "; " : "", facts->core_name,
					 facts->core_pmu ? facts->pmu_name : "-", facts->id.model,
					 (int)facts->id.core);
		for (int cpu = 0; cpu < 24; cpu++) {
			if (machine->core_type_of[cpu] == core)
				said += (size_t)snprintf(text + said, sizeof(text) - said, " %d",
							 cpu);
		}
	}
	return text;
}

static const char *look_at(const char *root)
{
	static struct ctd_machine machine;

	ctd_root_set(root);
	assert_int_equal(ctd_machine_read(&machine), 0);
	return text_of(&machine);
}

#define ALL " 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23"

static void each_kind_of_core_has_its_pmu_its_id_and_its_cpus(void **state)
{
	static const struct {
		const char *root, *want;
	} cases[] = {
		{"sapphire_rapids", " cpu 8f.0" ALL},
		{"alder_lake", "P-core cpu_core 97.0 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; "
			       "E-core cpu_atom 97.1 16 17 18 19 20 21 22 23"},
		{"arrow_lake_h", "P-core cpu_core c5.0 0 1 2 3 4 5 16 17 18 19 20 21 22 23; "
				 "E-core cpu_atom c5.1 6 7 8 9 10 11 12 13; "
				 "LP E-core cpu_lowpower c5.2 14 15"},
		{"big_little", "Cortex-A53 armv8_cortex_a53 d03.0 2 3 4 5 6 7 8 9 10 11 12 13 14 "
			       "15 16 17 18 19 20 21 22 23; Cortex-A72 armv8_cortex_a72 d08.0 0 1"},
		{"no_pmu", " - 2.0" ALL},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char root[128];

		snprintf(root, sizeof(root), "tests/machines/%s", cases[i].root);
		assert_string_equal(look_at(root), cases[i].want);
	}
}

static void write_midr(const char *root, int cpu, const char *midr)
{
	char path[128];

	snprintf(path, sizeof(path), MIDR, cpu);
	write_file(root, path, midr);
}

static void write_pmu(const char *root, const char *pmu, const char *cpus)
{
	char path[128];

	snprintf(path, sizeof(path), PMU, pmu, "type");
	write_file(root, path, "8");
	snprintf(path, sizeof(path), PMU, pmu, "cpus");
	write_file(root, path, cpus);
}

/* Six CPUs, the first four of which are as given. */
static char *make_root(char *root, const char *possible, const char *online)
{
	assert_non_null(mkdtemp(root));
	write_file(root, "/sys/devices/system/cpu/possible", possible);
	write_file(root, "/sys/devices/system/cpu/online", online);
	return root;
}

static void cpus_that_one_pmu_has_but_not_one_id_are_not_taken_for_alike(void **state)
{
	char root[] = "/tmp/test_machine.XXXXXX";
	struct ctd_machine machine;

	(void)state;
	make_root(root, "0-3", "0-3");
	write_pmu(root, "armv8_pmuv3_0", "0-3");
	write_midr(root, 0, "0x410fd4f1"); /* Neoverse V2, two revisions */
	write_midr(root, 1, "0x410fd4f0");
	write_midr(root, 2, "0x410fd0c1"); /* N1 */
	write_midr(root, 3, "0x410fd0c1");
	ctd_root_set(root);
	assert_int_equal(ctd_machine_read(&machine), 0);
	assert_int_equal(machine.core_types_count, 2);
	assert_string_equal(machine.core_types[0].core_name, "armv8_pmuv3_0");
	assert_int_equal(machine.core_types[0].id.model, 0xd4f);
	assert_string_equal(machine.core_types[1].core_name, "other");
	assert_false(machine.core_types[1].core_pmu);
	assert_int_equal(machine.core_types[1].id.model, 0xd0c);
	assert_string_equal(machine.core_types[1].unclaimed,
			    "their PMU is of CPUs with another processor id: cpu 2 3");
	assert_memory_equal(machine.core_type_of, ((uint8_t[]){0, 0, 1, 1}), 4);
	nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static void an_offline_cpu_of_the_only_pmu_is_one_of_it(void **state)
{
	char root[] = "/tmp/test_machine.XXXXXX";
	struct ctd_machine machine;

	(void)state;
	make_root(root, "0-3", "0-2");
	write_pmu(root, "armv8_pmuv3_0", "0-2");
	write_midr(root, 0, "0x410fd4f1");
	ctd_root_set(root);
	assert_int_equal(ctd_machine_read(&machine), 0);
	assert_int_equal(machine.core_types_count, 1);
	assert_string_equal(machine.core_types[0].core_name, "");
	assert_int_equal(machine.core_type_of[3], 0);
	nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static void a_cpu_that_comes_is_of_the_kind_that_its_pmu_says(void **state)
{
	char root[] = "/tmp/test_machine.XXXXXX";
	struct ctd_machine machine;

	(void)state;
	make_root(root, "0-3", "0-2");
	write_pmu(root, "armv8_cortex_a53", "0-1");
	write_pmu(root, "armv8_cortex_a72", "2");
	ctd_root_set(root);
	assert_int_equal(ctd_machine_read(&machine), 0);
	assert_int_equal(machine.core_types_count, 3);
	assert_string_equal(machine.core_types[2].core_name, "other");
	assert_memory_equal(machine.core_type_of, ((uint8_t[]){0, 0, 1, 2}), 4);
	write_pmu(root, "armv8_cortex_a72", "2-3");
	write_file(root, "/sys/devices/system/cpu/online", "0-3");
	assert_int_equal(ctd_machine_find_cpu(&machine, 3), 0);
	assert_memory_equal(machine.core_type_of, ((uint8_t[]){0, 0, 1, 1}), 4);
	nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* A processor whose E-cores are all offline: their PMU is there, and its list is empty. */
static void a_pmu_that_has_no_cpu_takes_none_from_another(void **state)
{
	char root[] = "/tmp/test_machine.XXXXXX";
	struct ctd_machine machine;

	(void)state;
	make_root(root, "0-3", "0-1");
	write_pmu(root, "cpu_atom", "\n");
	write_pmu(root, "cpu_core", "0-1");
	write_file(root, "/sys/devices/system/cpu/smt/active", "1");
	ctd_root_set(root);
	assert_int_equal(ctd_machine_read(&machine), 0);
	assert_int_equal(machine.core_types_count, 3);
	assert_true(machine.core_types[0].smt && !machine.core_types[1].smt);
	assert_string_equal(machine.core_types[1].core_name, "E-core");
	assert_string_equal(machine.core_types[2].core_name, "other");
	assert_memory_equal(machine.core_type_of, ((uint8_t[]){0, 0, 2, 2}), 4);
	write_pmu(root, "cpu_atom", "2\n");
	assert_int_equal(ctd_machine_find_cpu(&machine, 2), 0);
	assert_memory_equal(machine.core_type_of, ((uint8_t[]){0, 0, 1, 2}), 4);
	nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static void more_kinds_than_there_is_room_for_have_no_counters(void **state)
{
	char root[] = "/tmp/test_machine.XXXXXX";
	struct ctd_machine machine;

	(void)state;
	make_root(root, "0-3", "0-3");
	write_pmu(root, "armv8_a", "0");
	write_pmu(root, "armv8_b", "1");
	write_pmu(root, "armv8_c", "2");
	write_pmu(root, "armv8_d", "3");
	ctd_root_set(root);
	assert_int_equal(ctd_machine_read(&machine), 0);
	assert_int_equal(machine.core_types_count, CTD_CORE_TYPES_MAX);
	assert_string_equal(machine.core_types[3].core_name, "other");
	assert_string_equal(machine.core_types[3].unclaimed, "no core PMU has them: cpu 3");
	nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_core_has_its_pmu_its_id_and_its_cpus),
		cmocka_unit_test(cpus_that_one_pmu_has_but_not_one_id_are_not_taken_for_alike),
		cmocka_unit_test(an_offline_cpu_of_the_only_pmu_is_one_of_it),
		cmocka_unit_test(a_cpu_that_comes_is_of_the_kind_that_its_pmu_says),
		cmocka_unit_test(a_pmu_that_has_no_cpu_takes_none_from_another),
		cmocka_unit_test(more_kinds_than_there_is_room_for_have_no_counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
