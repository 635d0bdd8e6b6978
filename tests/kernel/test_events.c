/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_events.c - no count is taken from memory before it is known to be that of the event opened. */
#include <cgtopdown/kern.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "kern/topdown/topdown.h"
#include "rig.h"

enum { SIBLING = 2, OTHER = 3 };

/* Loaded, counters open, none handed over yet. */
static struct rig *start(void **state, const char *source)
{
	struct rig *rig = make_rig(state, source);

	rig_start_some(rig, 0);
	return rig;
}

static int *fd_of(struct rig *rig, int cpu, int event)
{
	return &rig->counters.fd[cpu * rig->counters.events_count + event];
}

static void swap(int *a, int *b)
{
	int old = *a;

	*a = *b;
	*b = old;
}

/* Nothing is counted on the first CPU, and nothing is made up. */
static void expect_no_counts(struct rig *rig)
{
	struct ctd_snapshot snapshot;

	if (rig_fork(rig, 0, 0)) {
		rig_spin_ms(20);
		_exit(0);
	}
	rig_reap(rig, 0, false);
	rig_snapshot(rig, &snapshot);
	assert_true(snapshot.cpus[0].health[CTD_HEALTH_READ_ERRORS] > 0);
	assert_int_equal(snapshot.cpus[0].total[0], 0);
	assert_int_equal(snapshot.cpus[0].total[SIBLING], 0);
	assert_int_equal(rig_row(&snapshot, rig->cgroup_ids[0]).running_ns, 0);
	rig_assert_conserved(&snapshot);
	ctd_snapshot_free(&snapshot);
}

static void another_configuration_is_refused(void **state)
{
	struct rig *rig = start(state, "software:5:leader");
	uint64_t config = rig->plan.events[SIBLING].config;

	rig->plan.events[SIBLING].config = config + 77;
	assert_int_equal(ctd_kern_set_counters(rig->kern, &rig->counters, 0), -ENOTRECOVERABLE);
	rig->plan.events[SIBLING].config = config;
	expect_no_counts(rig);
}

static void an_event_in_the_place_of_another_is_refused(void **state)
{
	struct rig *rig = start(state, "software:5:leader");

	swap(fd_of(rig, 0, SIBLING), fd_of(rig, 0, OTHER));
	assert_int_equal(ctd_kern_set_counters(rig->kern, &rig->counters, 0), -ENOTRECOVERABLE);
	expect_no_counts(rig);
}

static void an_event_of_another_cpu_is_refused(void **state)
{
	struct rig *rig = start(state, "software:5:leader");
	const int last = rig->cpus - 1;

	if (last == 0) {
		print_message("this machine has one CPU\n");
		skip();
	}
	swap(fd_of(rig, 0, SIBLING), fd_of(rig, last, SIBLING));
	assert_int_equal(ctd_kern_set_counters(rig->kern, &rig->counters, 0), -ENOTRECOVERABLE);
	expect_no_counts(rig);
}

static void what_was_refused_may_come_right(void **state)
{
	struct rig *rig = start(state, "software:5:leader");
	struct ctd_snapshot snapshot;

	swap(fd_of(rig, 0, SIBLING), fd_of(rig, 0, OTHER));
	assert_int_equal(ctd_kern_set_counters(rig->kern, &rig->counters, 0), -ENOTRECOVERABLE);
	swap(fd_of(rig, 0, SIBLING), fd_of(rig, 0, OTHER));
	assert_int_equal(ctd_kern_set_counters(rig->kern, &rig->counters, 0), 0);
	for (int event = 1; event < rig->plan.events_count; event++)
		assert_true(rig->kern->cpus[0].event_address[event] != 0);
	rig_watch(rig, 3, 5);
	rig_snapshot(rig, &snapshot);
	assert_true(snapshot.cpus[0].health[CTD_HEALTH_READ_ERRORS] > 0);
	assert_true(snapshot.cpus[0].health[CTD_HEALTH_CLOSED_SLICES] >
		    snapshot.cpus[0].health[CTD_HEALTH_READ_ERRORS]);
	ctd_snapshot_free(&snapshot);
}

/* It takes no address, so there is nothing to doubt: what the message names as the way out. */
static void reading_each_does_not_look_at_addresses(void **state)
{
	struct rig *rig = start(state, "software:5");

	rig->plan.events[SIBLING].config += 77;
	assert_int_equal(ctd_kern_set_counters(rig->kern, &rig->counters, 0), 0);
	rig_watch(rig, 3, 5);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(another_configuration_is_refused, free_rig),
		cmocka_unit_test_teardown(an_event_in_the_place_of_another_is_refused, free_rig),
		cmocka_unit_test_teardown(an_event_of_another_cpu_is_refused, free_rig),
		cmocka_unit_test_teardown(what_was_refused_may_come_right, free_rig),
		cmocka_unit_test_teardown(reading_each_does_not_look_at_addresses, free_rig),
	};

	return rig_run(tests, sizeof(tests) / sizeof(*tests), argc, argv);
}
