/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_lost.c - a switch that the kernel does not tell of takes from nobody, gives to nobody, and
 * is counted. */
#include <cgtopdown/kern.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "alone.h"
#include "kern/topdown/topdown.h"

static const char *const sources[] = {"none", "sim", "software:5", "software:5:leader"};
#define PAUSE_NS 3000000 /* shorter than what any limit here leaves */
#define SOURCES (sizeof(sources) / sizeof(*sources))

/*
 * Leaves what a switch to our task would leave that was not told of: another task is noted, and
 * @p owner. CTD_OWNER_NONE: the owner stays, as if the other task were of the same one.
 */
static void forget_switch(struct rig *rig, uint64_t owner)
{
	struct ctd_cpu_state *last = &rig->kern->cpus[rig->cpus - 1];

	if (owner != CTD_OWNER_NONE)
		last->owner = owner;
	last->running_task = rig->kern->cpus[0].running_task;
}

/* What came to be between two snapshots. */
struct change {
	uint64_t window_ns, cgroup_ns, kernel_ns, lost_ns, lost_switches;
};

static uint64_t kernel_ns(const struct ctd_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->rows_count; i++) {
		if (snapshot->rows[i].kind == CTD_ROW_KERNEL)
			return snapshot->rows[i].oncpu_ns;
	}
	return 0;
}

/* Takes the second snapshot, too; frees both. */
static struct change change_since(struct rig *rig, struct ctd_snapshot *before)
{
	const int last = rig->cpus - 1;
	const uint64_t began_ns = rig->snapshot_ns;
	struct ctd_snapshot after;
	struct change change;

	rig_snapshot(rig, &after);
	rig_assert_conserved(&after);
	rig_assert_grown(before, &after);
	change = (struct change){
		/* A busy machine may take its time for either flush. */
		.window_ns = rig_now_ns() - began_ns,
		.cgroup_ns = rig_row(&after, rig->cgroup_ids[0]).oncpu_ns -
			     rig_row(before, rig->cgroup_ids[0]).oncpu_ns,
		.kernel_ns = kernel_ns(&after) - kernel_ns(before),
		.lost_ns = after.cpus[last].unattributed_ns - before->cpus[last].unattributed_ns,
		.lost_switches = after.cpus[last].health[CTD_HEALTH_LOST_SWITCHES] -
				 before->cpus[last].health[CTD_HEALTH_LOST_SWITCHES],
	};
	ctd_snapshot_free(before);
	ctd_snapshot_free(&after);
	return change;
}

/*
 * Lets 60 ms pass, until it finds them undisturbed: a kernel thread may have had the CPU meanwhile,
 * or a hypervisor. Ahead of them it forgets a switch, unless @p owner is NULL; an owner that stays
 * is our task's, then. @p ret_before: as of the beginning.
 */
static void wait_alone(struct rig *rig, volatile struct alone *alone, const uint64_t *owner,
		       struct ctd_snapshot *ret_before)
{
	const int last = rig->cpus - 1;

	for (int attempt = 0; attempt < 100; attempt++) {
		rig_snapshot(rig, ret_before);
		alone->pause_ns = 0;
		if (owner)
			forget_switch(rig, *owner);
		rig_sleep_ms(60);
		if (rig->kern->cpus[last].switches ==
			    ret_before->cpus[last].health[CTD_HEALTH_SWITCHES] &&
		    alone->pause_ns < PAUSE_NS)
			return;
		ctd_snapshot_free(ret_before);
	}
	fail_msg("cpu %d is too busy", last);
}

static void forget_and_wait(struct rig *rig, volatile struct alone *alone, uint64_t owner,
			    struct ctd_snapshot *ret_before)
{
	wait_alone(rig, alone, &owner, ret_before);
}

/* The slice in which a switch was lost is closed by a flush; the one after it is our task's. */
static void time_and_counts_around_a_lost_switch_are_nobodys(void **state)
{
	for (size_t i = 0; i < SOURCES; i++) {
		volatile struct alone *alone;
		struct rig *rig = alone_start(state, sources[i], 0, &alone);
		const int last = rig->cpus - 1;
		struct ctd_snapshot before;
		struct change change = {.kernel_ns = UINT64_MAX};
		uint64_t lost = 0;

		/* Kernel threads of other CPUs have time meanwhile, now and then much of it. */
		for (int attempt = 0; attempt < 20 && change.kernel_ns > 40000000; attempt++) {
			forget_and_wait(rig, alone, CTD_OWNER_KERNEL, &before);
			lost = before.cpus[last].unattributed[0];
			change = change_since(rig, &before);
			assert_int_equal(change.lost_switches, 1);
			assert_in_range(change.lost_ns, 50000000, change.window_ns);
			assert_int_equal(change.cgroup_ns, 0);
		}
		assert_in_range(change.kernel_ns, 0, 40000000);

		wait_alone(rig, alone, NULL, &before);
		if (strcmp(sources[i], "sim") == 0)
			assert_true(before.cpus[last].unattributed[0] - lost >
				    50000000ull * CTD_SIM_SLOTS_PER_NS);
		change = change_since(rig, &before);
		assert_in_range(change.cgroup_ns + change.lost_ns, 50000000, change.window_ns);
		assert_true(change.cgroup_ns > 0);
		alone->end = true;
		rig_reap(rig, 0, false);
		alone_free(state);
	}
}

static void the_next_switch_finds_that_one_was_lost(void **state)
{
	for (size_t i = 0; i < SOURCES; i++) {
		volatile struct alone *alone;
		struct rig *rig = alone_start(state, sources[i], 0, &alone);
		struct ctd_snapshot before;
		struct change change;

		forget_and_wait(rig, alone, CTD_OWNER_IDLE, &before);
		alone->end = true;
		rig_reap(rig, 0, false);
		change = change_since(rig, &before);
		/* More if the kernel loses others meanwhile. */
		assert_true(change.lost_switches >= 1);
		assert_in_range(change.lost_ns, 50000000, change.window_ns);
		assert_in_range(change.cgroup_ns, 0, 5000000);
		alone_free(state);
	}
}

static void the_clock_of_long_slices_finds_it_too(void **state)
{
	static const uint64_t owners[] = {CTD_OWNER_KERNEL, CTD_OWNER_IDLE};

	for (size_t i = 0; i < sizeof(owners) / sizeof(*owners); i++) {
		volatile struct alone *alone;
		struct rig *rig = alone_start(state, "none", 20000000, &alone);
		struct ctd_snapshot before;
		struct change change;

		forget_and_wait(rig, alone, owners[i], &before);
		change = change_since(rig, &before);
		assert_int_equal(change.lost_switches, 1);
		assert_in_range(change.lost_ns, 15000000, 45000000);
		assert_in_range(change.cgroup_ns, 10000000, change.window_ns);
		alone->end = true;
		rig_reap(rig, 0, false);
		alone_free(state);
	}
}

static void a_lost_switch_within_one_cgroup_is_no_loss(void **state)
{
	for (size_t i = 0; i < 2 * SOURCES; i++) {
		volatile struct alone *alone;
		struct rig *rig = alone_start(state, sources[i / 2], 0, &alone);
		struct ctd_snapshot before;
		struct change change;

		forget_and_wait(rig, alone, CTD_OWNER_NONE, &before);
		/* Closed by its last switch, or by the flush. */
		if (i % 2) {
			alone->end = true;
			rig_reap(rig, 0, false);
		}
		change = change_since(rig, &before);
		assert_in_range(change.cgroup_ns, 50000000, change.window_ns);
		if (i % 2 == 0) {
			assert_int_equal(change.lost_switches, 0);
			assert_int_equal(change.lost_ns, 0);
			alone->end = true;
			rig_reap(rig, 0, false);
		}
		alone_free(state);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(time_and_counts_around_a_lost_switch_are_nobodys,
					  alone_free),
		cmocka_unit_test_teardown(the_next_switch_finds_that_one_was_lost, alone_free),
		cmocka_unit_test_teardown(the_clock_of_long_slices_finds_it_too, alone_free),
		cmocka_unit_test_teardown(a_lost_switch_within_one_cgroup_is_no_loss, alone_free),
	};

	return rig_run(tests, sizeof(tests) / sizeof(*tests), argc, argv);
}
