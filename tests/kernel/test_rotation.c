/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_rotation.c - rotating groups of counters on real CPUs, each read in its way. */
#include <cgtopdown/kern.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "kern/topdown/topdown.h"
#include "rig.h"

/* How long a group has counted on a CPU, by its own clock. */
static uint64_t counted_ns(const struct rig *rig, int cpu, int group)
{
	uint64_t count[CTD_COUNTERS_MAX], enabled_ns, running_ns;
	struct ctd_counters counters = rig->counters;

	counters.step = group;
	assert_int_equal(ctd_counters_read(&counters, cpu, count, &enabled_ns, &running_ns), 0);
	return enabled_ns;
}

/* Two that count at once would not be beside each other on a PMU: one would be dead. */
static void one_group_counts_at_a_time(void **state)
{
	struct rig *rig = make_rig(state, "software:2:rotate");

	rig_start(rig);
	for (int turn = 1; turn <= 3; turn++) {
		uint64_t before_ns[3];

		assert_int_equal(ctd_counters_rotate(&rig->counters, 0, turn % 3), 0);
		rig->counters.step = turn % 3;
		for (int group = 0; group < 3; group++)
			before_ns[group] = counted_ns(rig, 0, group);
		rig_sleep_ms(5);
		for (int group = 0; group < 3; group++) {
			uint64_t since_ns = counted_ns(rig, 0, group) - before_ns[group];

			assert_true(group == turn % 3 ? since_ns >= 4000000 : since_ns == 0);
		}
	}
}

/* The last group of a plan that reads the leader is of IPC metrics: there no read of the leader
 * brings the second event up to date, the CPU's clock, which is what it was when it was last read. */
static void ipc_metrics_are_read_each_beside_a_tree_that_is_not(void **state)
{
	struct rig *rig = make_rig(state, "software:2:leader");
	struct ctd_snapshot snapshot;
	struct ctd_snapshot_row rows[3];

	memcpy(&rig->plan.events[2], rig->plan.events, 2 * sizeof(*rig->plan.events));
	rig->plan.groups_count = 2;
	rig->plan.ipc = true;
	rig_start(rig);
	for (int turn = 0; turn < 3; turn++) {
		for (int cpu = 0; turn && cpu < rig->cpus; cpu++) {
			ctd_kern_end_step(rig->kern, cpu);
			if (rig->online[cpu])
				assert_int_equal(ctd_kern_begin_step(rig->kern, &rig->counters, cpu,
								     turn % 2),
						 0);
		}
		rig->counters.step = turn % 2;
		if (rig_fork(rig, 0, 0)) {
			rig_spin_ms(60);
			_exit(0);
		}
		rig_reap(rig, 0, false);
		rig_snapshot(rig, &snapshot);
		rig_assert_conserved(&snapshot);
		rows[turn] = rig_row(&snapshot, rig->cgroup_ids[0]);
		assert_int_equal(snapshot.cpus[0].health[CTD_HEALTH_READ_ERRORS], 0);
		if (turn < 2)
			assert_true(rig->kern->cpus[0].read ==
				    (turn ? CTD_READ_EACH : CTD_READ_LEADER));
		ctd_snapshot_free(&snapshot);
	}
	assert_true(rows[1].running_ns > rows[0].running_ns);
	assert_true(rows[1].count[1] - rows[0].count[1] >
		    (rows[1].running_ns - rows[0].running_ns) / 2);
	assert_true(rig->kern->cpus[0].read == CTD_READ_LEADER);
}

/* @return what the cgroup has when it has run for some time. */
static struct ctd_snapshot_row run_for_a_while(struct rig *rig)
{
	struct ctd_snapshot snapshot;
	struct ctd_snapshot_row row;

	if (rig_fork(rig, 0, 0)) {
		rig_spin_ms(30);
		_exit(0);
	}
	rig_reap(rig, 0, false);
	rig_snapshot(rig, &snapshot);
	rig_assert_conserved(&snapshot);
	for (size_t cpu = 0; cpu < snapshot.cpus_count; cpu++)
		assert_int_equal(snapshot.cpus[cpu].health[CTD_HEALTH_READ_ERRORS], 0);
	row = rig_row(&snapshot, rig->cgroup_ids[0]);
	ctd_snapshot_free(&snapshot);
	return row;
}

/* As after a reading that failed: the old group's, while the change to the next is under way. */
static void counters_that_are_renewed_in_a_change_have_no_turn(void **state)
{
	struct rig *rig = make_rig(state, "software:2:rotate");
	struct ctd_snapshot_row first, changing, next;
	struct ctd_snapshot snapshot;

	rig_start(rig);
	first = run_for_a_while(rig);
	for (int cpu = 0; cpu < rig->cpus; cpu++)
		ctd_kern_end_step(rig->kern, cpu);
	rig_snapshot(rig, &snapshot);
	ctd_snapshot_free(&snapshot);
	for (int cpu = 0; cpu < rig->cpus; cpu++) {
		if (rig->online[cpu])
			assert_int_equal(ctd_kern_set_counters(rig->kern, &rig->counters, cpu), 0);
	}
	changing = run_for_a_while(rig);
	assert_true(changing.oncpu_ns > first.oncpu_ns);
	assert_int_equal(changing.running_ns, first.running_ns);
	assert_memory_equal(changing.count, first.count, sizeof(first.count));
	for (int cpu = 0; cpu < rig->cpus; cpu++) {
		if (rig->online[cpu])
			assert_int_equal(ctd_kern_begin_step(rig->kern, &rig->counters, cpu, 1), 0);
	}
	rig->counters.step = 1;
	next = run_for_a_while(rig);
	assert_true(next.running_ns > changing.running_ns);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(one_group_counts_at_a_time, free_rig),
		cmocka_unit_test_teardown(ipc_metrics_are_read_each_beside_a_tree_that_is_not,
					  free_rig),
		cmocka_unit_test_teardown(counters_that_are_renewed_in_a_change_have_no_turn,
					  free_rig),
	};

	return rig_run(tests, sizeof(tests) / sizeof(*tests), argc, argv);
}
