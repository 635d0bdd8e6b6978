/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_starved.c - counters that no longer count on any CPU are told from those that cannot show
 * it. */
#include "collect/starved.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/pmu/capture.h"

#define CPUS 4

/* Four CPUs: two P-cores, two E-cores; the last is not to be disturbed. */
struct rig {
	struct ctd_source source;
	struct ctd_snapshot_cpu cpus[CPUS];
	struct ctd_snapshot snapshot;
	struct ctd_starved starved;
	bool countable[CPUS];
};

static void open_rig(struct rig *rig)
{
	*rig = (struct rig){
		.source = {.wishes.source = "gp_slots",
			   .plans = {{.read = CTD_READ_LEADER}, {.read = CTD_READ_EACH}},
			   .core_types_count = 2,
			   .counters.cpus = CPUS},
		.countable = {true, true, true, true},
	};
	rig->source.countable = rig->countable;
	for (uint32_t cpu = 0; cpu < CPUS; cpu++)
		rig->cpus[cpu] = (struct ctd_snapshot_cpu){.cpu = cpu,
							   .core_type = cpu / 2,
							   .online = 1,
							   .flushed = cpu != 3,
							   .total = {1000}};
	rig->snapshot = (struct ctd_snapshot){.cpus = rig->cpus, .cpus_count = CPUS};
}

/* A moment later the CPUs whose bits are set have counted. */
static void pass(struct rig *rig, unsigned counting)
{
	rig->snapshot.monotonic_ns += 1000;
	for (int cpu = 0; cpu < CPUS; cpu++)
		rig->cpus[cpu].total[0] += counting >> cpu & 1;
	ctd_starved_take(&rig->starved, &rig->source, &rig->snapshot);
}

static void expect(const struct rig *rig, uint64_t p_core_ns, uint64_t e_core_ns)
{
	assert_int_equal(ctd_starved_ns(&rig->starved, 0, 1), p_core_ns);
	assert_int_equal(ctd_starved_ns(&rig->starved, 1, 1), e_core_ns);
}

static void each_core_type_starves_by_itself_and_only_on_all_its_cpus(void **state)
{
	struct rig rig;

	(void)state;
	open_rig(&rig);
	expect(&rig, 0, 0);
	pass(&rig, 0);
	expect(&rig, 0, 0);
	pass(&rig, 1 << 1 | 1 << 2);
	expect(&rig, 0, 0);
	pass(&rig, 1 << 1);
	pass(&rig, 1 << 0);
	expect(&rig, 0, 2000);
	pass(&rig, 1 << 2);
	expect(&rig, 1000, 0);
	/* Late, and the only one. */
	pass(&rig, 1 << 3);
	expect(&rig, 2000, 0);
	ctd_starved_free(&rig.starved);
	expect(&rig, 0, 0);
}

static void cpus_that_cannot_show_it_starve_nothing(void **state)
{
	struct rig rig;

	(void)state;
	open_rig(&rig);
	pass(&rig, 0xf);
	/* Only the CPU that is not disturbed is left of the E-cores, and no P-core. */
	rig.cpus[0].online = rig.cpus[2].online = 0;
	rig.countable[1] = false;
	for (int i = 0; i < 100; i++)
		pass(&rig, 0);
	expect(&rig, 0, 0);
	rig.cpus[2].online = 1;
	pass(&rig, 0);
	pass(&rig, 0);
	expect(&rig, 0, 2000);
	ctd_starved_free(&rig.starved);
}

static void where_nothing_counts_nothing_starves(void **state)
{
	struct rig rig;

	(void)state;
	open_rig(&rig);
	rig.source.counters.cpus = 0;
	for (int i = 0; i < 3; i++)
		pass(&rig, 0);
	expect(&rig, 0, 0);
	/* Another source in its place counts. */
	rig.source.counters.cpus = CPUS;
	pass(&rig, 0xf);
	pass(&rig, 0);
	expect(&rig, 1000, 1000);
	rig.source.counters.cpus = 0;
	pass(&rig, 0);
	ctd_starved_free(&rig.starved);
}

#define GROUPS 3
#define SECOND_NS 1000000000ull

/* Each group of the P-cores counts for a step, but for those whose bits are set. E-cores have
 * one. */
static const char *rotate(struct rig *rig, int steps, uint64_t step_ns, unsigned held,
			  struct capture *capture)
{
	capture_begin(capture);
	while (steps--) {
		rig->snapshot.group = (rig->snapshot.group + 1) % GROUPS;
		rig->snapshot.monotonic_ns += step_ns;
		for (int cpu = 0; cpu < CPUS; cpu++)
			rig->cpus[cpu].total[0] += cpu >= 2 || !(held >> rig->snapshot.group & 1);
		ctd_starved_take(&rig->starved, &rig->source, &rig->snapshot);
		ctd_starved_tell(&rig->starved, &rig->source, &rig->snapshot);
	}
	return capture_end(capture);
}

static void a_group_that_starves_among_others_is_told_once(void **state)
{
	struct capture capture;
	struct rig rig;

	(void)state;
	open_rig(&rig);
	rig.source.core_types_planned = 2;
	strcpy(rig.source.machine.core_types[0].core_name, "cpu_core");
	strcpy(rig.source.machine.core_types[1].core_name, "cpu_atom");
	rig.source.plans[0].groups_count = rig.snapshot.core_type_groups[0] = GROUPS;
	rig.source.plans[1].groups_count = rig.snapshot.core_type_groups[1] = 1;
	assert_string_equal(rotate(&rig, 30, SECOND_NS, 0, &capture), "");
	assert_string_equal(rotate(&rig, 9, SECOND_NS, 1 << 1, &capture), "");
	assert_string_equal(
		rotate(&rig, 300, SECOND_NS, 1 << 1, &capture),
		"cgtopdown: warning: cpu_core: group 2 of 3 has counted on no CPU for 10 s: another program holds counters that are needed; the figures are missing until they are free\n");
	assert_in_range(ctd_starved_ns(&rig.starved, 0, GROUPS), 0, GROUPS * SECOND_NS);
	assert_string_equal(rotate(&rig, 3, SECOND_NS, 0, &capture), "");
	/* None starves because its turn comes late, nor by one step that it missed. */
	assert_string_equal(rotate(&rig, 30, 20 * SECOND_NS, 0, &capture), "");
	assert_string_equal(rotate(&rig, GROUPS, 20 * SECOND_NS, 1 << 1, &capture), "");
	assert_string_equal(rotate(&rig, 30, 20 * SECOND_NS, 0, &capture), "");
	/* All of them. */
	assert_non_null(strstr(rotate(&rig, 30, SECOND_NS, 7, &capture), "group 3 of 3"));
	assert_in_range(ctd_starved_ns(&rig.starved, 0, GROUPS), 27 * SECOND_NS, 33 * SECOND_NS);
	assert_int_equal(ctd_starved_ns(&rig.starved, 1, 1), 0);
	ctd_starved_free(&rig.starved);
}

/* The source may be another one before long, and these may be refused by it as well. */
static void of_an_automatic_source_groups_beside_its_own_are_told(void **state)
{
	struct capture capture;
	struct rig rig;

	(void)state;
	open_rig(&rig);
	rig.source.wishes = (struct ctd_source_wishes){.source = "auto", .beside = true};
	rig.source.core_types_count = rig.source.core_types_planned = 1;
	rig.source.plans[0].groups_count = rig.snapshot.core_type_groups[0] = GROUPS;
	rig.source.plans[0].beside_groups = GROUPS - 1;
	assert_string_equal(rotate(&rig, 30, SECOND_NS, 0, &capture), "");
	/* Another source takes the place of its own. */
	assert_string_equal(rotate(&rig, 60, SECOND_NS, 1 << 0, &capture), "");
	assert_in_range(ctd_starved_ns(&rig.starved, 0, 1), 50 * SECOND_NS, 61 * SECOND_NS);
	assert_string_equal(rotate(&rig, 3, SECOND_NS, 0, &capture), "");
	assert_non_null(strstr(rotate(&rig, 60, SECOND_NS, 1 << 2, &capture), "group 3 of 3 has"));
	assert_in_range(ctd_starved_ns(&rig.starved, 0, 1), 0, GROUPS * SECOND_NS);
	ctd_starved_free(&rig.starved);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_core_type_starves_by_itself_and_only_on_all_its_cpus),
		cmocka_unit_test(cpus_that_cannot_show_it_starve_nothing),
		cmocka_unit_test(where_nothing_counts_nothing_starves),
		cmocka_unit_test(a_group_that_starves_among_others_is_told_once),
		cmocka_unit_test(of_an_automatic_source_groups_beside_its_own_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
