/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_cores.c - core types that are read in different ways have rows of their own. */
#include <cgtopdown/kern.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/auto.h"
#include "rig.h"

#define FAULTS 2000

static struct ctd_counter_plan plans[CTD_CORE_TYPES_MAX];
static uint8_t core_type_of[CTD_CPUS_MAX];

/* The last CPU is the only one of the second kind. */
static void start(struct rig *rig, const char *second)
{
	autofree bool *countable = calloc((size_t)rig->cpus, sizeof(*countable));
	const int last = rig->cpus - 1;
	struct ctd_pmu_facts none = {0};

	memset(plans, 0, sizeof(plans));
	memset(core_type_of, 0, sizeof(core_type_of));
	core_type_of[last] = 1;
	plans[0] = rig->plan;
	assert_int_equal(ctd_pmu_plan(&none, second, 0, false, true, &plans[1]), 0);
	ctd_plans_pad(plans, 2);
	rig->options.plans = plans;
	rig->options.core_types_count = 2;
	rig->options.core_type_of = core_type_of;
	for (int cpu = 0; cpu < rig->cpus; cpu++)
		countable[cpu] = rig->online[cpu] && plans[core_type_of[cpu]].read != CTD_READ_NONE;
	assert_int_equal(ctd_kern_load(&rig->options, &rig->kern), 0);
	assert_int_equal(
		ctd_counters_open(plans, core_type_of, countable, rig->cpus, &rig->counters), 0);
	for (int cpu = 0; cpu < rig->cpus; cpu++) {
		if (countable[cpu])
			assert_int_equal(ctd_kern_set_counters(rig->kern, &rig->counters, cpu), 0);
	}
	assert_int_equal(ctd_counters_enable(&rig->counters), 0);
	assert_int_equal(ctd_kern_attach(rig->kern), 0);
}

/* The first cgroup's row of one core type, or an empty one. */
static struct ctd_snapshot_row row_of(const struct rig *rig, const struct ctd_snapshot *snapshot,
				      uint32_t core)
{
	for (size_t i = 0; i < snapshot->rows_count; i++) {
		const struct ctd_snapshot_row *row = &snapshot->rows[i];

		if (row->kind == CTD_ROW_CGROUP && row->cgroup_id == rig->cgroup_ids[0] &&
		    row->core_type == core)
			return *row;
	}
	return (struct ctd_snapshot_row){};
}

/* Rows of each kind are what its CPUs counted. */
static void assert_kinds_conserved(const struct ctd_snapshot *snapshot)
{
	for (uint32_t i = 0; i < snapshot->counters_count; i++) {
		uint64_t rest[CTD_CORE_TYPES_MAX] = {0};

		for (size_t cpu = 0; cpu < snapshot->cpus_count; cpu++)
			rest[snapshot->cpus[cpu].core_type] +=
				snapshot->cpus[cpu].total[i] - snapshot->cpus[cpu].unattributed[i];
		for (size_t row = 0; row < snapshot->rows_count; row++)
			rest[snapshot->rows[row].core_type] -= snapshot->rows[row].count[i];
		for (int core = 0; core < CTD_CORE_TYPES_MAX; core++)
			assert_int_equal(rest[core], 0);
	}
}

static void each_kind_of_core_is_read_in_its_way(void **state)
{
	static const struct {
		const char *first, *second;
		bool counts, no_cast;
	} cases[] = {
		{"software:5:leader", "software:9", true, false},
		{"software:9", "software:5:leader", true, false},
		{"software:9:leader", "none", false, false},
		{"software:9", "none", false, false},
		{"software:3:leader", "software:5", true, true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct rig *rig = rig_new(cases[i].first);
		const int last = rig->cpus - 1;
		struct ctd_snapshot snapshot;
		struct ctd_snapshot_row rows[2];

		if (last == 0) {
			rig_free(rig);
			print_message("this machine has one CPU\n");
			skip();
			return;
		}
		if (cases[i].no_cast)
			rig->caps.answer[CTD_CAP_RDONLY_CAST].present = false;
		start(rig, cases[i].second);
		for (int cpu = 0; cpu <= last; cpu += last) {
			if (!rig_fork(rig, 0, cpu))
				continue;
			rig_fault_pages(FAULTS);
			_exit(0);
		}
		rig_reap(rig, 0, false);
		rig_watch(rig, 3, 10);
		rig_snapshot(rig, &snapshot);
		rig_assert_conserved(&snapshot);
		assert_kinds_conserved(&snapshot);
		for (uint32_t core = 0; core < 2; core++) {
			rows[core] = row_of(rig, &snapshot, core);
			assert_true(rows[core].oncpu_ns > 0 && rows[core].slices > 0);
		}
		assert_in_range(rows[0].count[0] + rig_lost_count(&snapshot, 0), FAULTS,
				2 * FAULTS);
		assert_int_equal(rows[0].running_ns, rows[0].oncpu_ns);
		if (cases[i].counts)
			assert_in_range(rows[1].count[0] + rig_lost_count(&snapshot, 0), FAULTS,
					2 * FAULTS);
		else
			assert_int_equal(rows[1].count[0] + rows[1].running_ns, 0);
		for (size_t cpu = 0; cpu < snapshot.cpus_count; cpu++) {
			assert_int_equal(snapshot.cpus[cpu].core_type, cpu == (size_t)last);
			assert_int_equal(snapshot.cpus[cpu].health[CTD_HEALTH_READ_ERRORS], 0);
		}
		assert_int_equal(snapshot.cpus[last].total[0] > 0, cases[i].counts);
		ctd_snapshot_free(&snapshot);
		rig_free(rig);
	}
}

/* It is offline meanwhile: a CPU's kind may be known only when it comes. */
static void change_kind(struct rig *rig, int cpu, uint8_t core)
{
	assert_int_equal(ctd_kern_cpu_online(rig->kern, cpu, false), 0);
	ctd_counters_close_cpu(&rig->counters, cpu);
	core_type_of[cpu] = core;
	if (ctd_plan_counts(&plans[core])) {
		assert_int_equal(ctd_counters_open_cpu(&plans[core], &rig->counters, cpu), 0);
		assert_int_equal(ctd_kern_set_counters(rig->kern, &rig->counters, cpu), 0);
		assert_int_equal(ctd_counters_enable(&rig->counters), 0);
	}
	assert_int_equal(ctd_kern_cpu_online(rig->kern, cpu, true), 0);
}

static void a_cpu_that_comes_as_of_another_kind_is_read_as_that(void **state)
{
	struct rig *rig = rig_new("software:3");
	const int last = rig->cpus - 1;

	(void)state;
	if (last == 0) {
		rig_free(rig);
		print_message("this machine has one CPU\n");
		skip();
		return;
	}
	start(rig, "none");
	rig_load(rig);
	for (uint8_t core = 0; core < 4; core++) {
		struct ctd_snapshot before, after;

		change_kind(rig, last, core % 2);
		rig_snapshot(rig, &before);
		rig_sleep_ms(30);
		rig_snapshot(rig, &after);
		assert_true(ctd_snapshot_is_ordered(&after));
		assert_int_equal(after.cpus[last].core_type, core % 2);
		assert_int_equal(after.cpus[last].health[CTD_HEALTH_READ_ERRORS],
				 before.cpus[last].health[CTD_HEALTH_READ_ERRORS]);
		assert_int_equal(after.cpus[last].total[1] > before.cpus[last].total[1],
				 core % 2 == 0);
		assert_kinds_conserved(&after);
		ctd_snapshot_free(&before);
		ctd_snapshot_free(&after);
	}
	rig_free(rig);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_core_is_read_in_its_way),
		cmocka_unit_test(a_cpu_that_comes_as_of_another_kind_is_read_as_that),
	};

	return rig_run(tests, sizeof(tests) / sizeof(*tests), argc, argv);
}
