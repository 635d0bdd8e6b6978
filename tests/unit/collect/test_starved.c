/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_starved.c - counters that no longer count on any CPU are told from those that cannot show
 * it. */
#include "collect/starved.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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
		.source = {.plans = {{.read = CTD_READ_LEADER}, {.read = CTD_READ_EACH}},
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
	assert_int_equal(ctd_starved_ns(&rig->starved, 0), p_core_ns);
	assert_int_equal(ctd_starved_ns(&rig->starved, 1), e_core_ns);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_core_type_starves_by_itself_and_only_on_all_its_cpus),
		cmocka_unit_test(cpus_that_cannot_show_it_starve_nothing),
		cmocka_unit_test(where_nothing_counts_nothing_starves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
