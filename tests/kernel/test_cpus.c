/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_cpus.c - when a CPU is read, and what one counts that comes while all is running. */
#include <cgtopdown/kern.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "alone.h"
#include "kern/topdown/topdown.h"

/* Its first slice never ends by itself: without a baseline at once it would begin with the
 * snapshot. */
static void the_first_slice_of_a_cpu_that_came_counts_from_there(void **state)
{
	static const char *const sources[] = {"none", "sim", "software:5", "software:5:leader"};

	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
		volatile struct alone *alone;
		struct rig *rig = alone_start(state, sources[i], 0, &alone);
		const int last = rig->cpus - 1;
		struct ctd_snapshot before, after;
		uint64_t counted_ns, ran_ns, window_ns, left_ns;

		/* Long before it goes, its counters were last read. */
		rig_sleep_ms(100);
		left_ns = rig_now_ns();
		assert_int_equal(ctd_kern_cpu_online(rig->kern, last, false), 0);
		rig_sleep_ms(20);
		rig_snapshot(rig, &before);
		window_ns = rig->snapshot_ns;
		assert_int_equal(before.cpus[last].online, 0);
		/* It is only said to be gone: another task on it for a moment has it come then. */
		if (rig->kern->cpus[last].live)
			window_ns = left_ns;
		if (rig_counts(rig))
			assert_int_equal(ctd_kern_set_counters(rig->kern, &rig->counters, last), 0);
		assert_int_equal(ctd_kern_cpu_online(rig->kern, last, true), 0);
		ran_ns = alone_ran_ns(alone);
		while (alone->ran_ns - ran_ns < 50000000)
			rig_sleep_ms(10);
		ran_ns = alone->ran_ns - ran_ns;
		rig_snapshot(rig, &after);
		/* However long either flush took. */
		window_ns = rig_now_ns() - window_ns;
		counted_ns = rig_row(&after, rig->cgroup_ids[0]).oncpu_ns -
			     rig_row(&before, rig->cgroup_ids[0]).oncpu_ns +
			     after.cpus[last].unattributed_ns - before.cpus[last].unattributed_ns;
		assert_in_range(counted_ns, ran_ns, window_ns);
		/* No slot is of the time before it came: a simulated CPU has so many in a
		 * nanosecond. */
		if (rig->plan.read == CTD_READ_SIM)
			assert_true(after.cpus[last].total[0] - before.cpus[last].total[0] <=
				    CTD_SIM_SLOTS_PER_NS * (rig_now_ns() - left_ns));
		rig_assert_conserved(&after);
		rig_assert_grown(&before, &after);
		ctd_snapshot_free(&before);
		ctd_snapshot_free(&after);
		alone->end = true;
		rig_reap(rig, 0, false);
		alone_free(state);
	}
}

/* Until the kernel side has seen a switch on a CPU that the collector has not been told of. */
static void wait_live(const struct rig *rig, int cpu)
{
	const uint64_t end_ns = rig_now_ns() + 10000000000;

	while (!rig->kern->cpus[cpu].live) {
		assert_true(rig_now_ns() < end_ns);
		rig_sleep_ms(1);
	}
}

/* Two tasks take turns on a CPU that came, which the collector has not been told. */
static void a_cpu_that_came_unnoticed_is_read_between_its_slices(void **state)
{
	struct rig *rig = make_rig(state, "sim");
	const int last = rig->cpus - 1;

	if (last == 0) {
		print_message("this machine has one CPU\n");
		skip();
	}
	rig_start(rig);
	rig_pin(0);
	for (int cgroup = 0; cgroup < 2; cgroup++) {
		if (!rig_fork(rig, cgroup, last))
			continue;
		for (;;)
			sched_yield();
	}
	assert_int_equal(ctd_kern_cpu_online(rig->kern, last, false), 0);
	wait_live(rig, last);
	rig_watch(rig, 30, 5);
	assert_int_equal(ctd_kern_cpu_online(rig->kern, last, true), 0);
	rig_watch(rig, 2, 5);
	free_rig(state);
}

static uint64_t oncpu_ns(const struct ctd_snapshot *snapshot)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < snapshot->rows_count; i++)
		ns += snapshot->rows[i].oncpu_ns;
	return ns;
}

/* Its last slice ended with it: no row has the time until it comes again. */
static void a_cpu_that_came_and_went_unnoticed_begins_anew(void **state)
{
	struct rig *rig = make_rig(state, "none");
	const int last = rig->cpus - 1;
	struct ctd_snapshot before, after;
	uint64_t began_ns, came_ns, most_ns;

	rig_start(rig);
	assert_int_equal(ctd_kern_cpu_online(rig->kern, last, false), 0);
	if (rig_fork(rig, 0, last))
		_exit(0);
	rig_reap(rig, 0, false);
	wait_live(rig, last);
	if (!last || !rig_set_online(rig, last, false)) {
		print_message("no CPU can be taken offline here\n");
		skip();
	}
	began_ns = rig_now_ns();
	rig_snapshot(rig, &before);
	rig_sleep_ms(300);
	came_ns = rig_now_ns();
	assert_true(rig_set_online(rig, last, true));
	assert_int_equal(ctd_kern_cpu_online(rig->kern, last, true), 0);
	rig_snapshot(rig, &after);
	most_ns = (uint64_t)last * (rig_now_ns() - began_ns) + rig_now_ns() - came_ns;
	assert_in_range(oncpu_ns(&after) - oncpu_ns(&before), 0, most_ns);
	ctd_snapshot_free(&before);
	ctd_snapshot_free(&after);
	rig_watch(rig, 2, 5);
	free_rig(state);
}

/* Of those that were flushed, however long that took; of the end of the flush where none was. */
static void a_snapshot_is_of_the_mean_of_its_cpus(void **state)
{
	struct rig *rig = make_rig(state, "none");

	rig_start(rig);
	for (int fenced = 0; fenced <= rig->cpus; fenced++) {
		uint64_t began_ns = rig_now_ns(), sum_ns = 0, flushed = 0;
		struct ctd_snapshot snapshot;

		for (int cpu = 0; cpu < fenced; cpu++)
			rig->kern->fenced[cpu] = true;
		rig_snapshot(rig, &snapshot);
		assert_in_range(snapshot.monotonic_ns, began_ns, rig_now_ns());
		for (int cpu = 0; cpu < rig->cpus; cpu++) {
			assert_int_equal(snapshot.cpus[cpu].flushed,
					 rig->online[cpu] && cpu >= fenced);
			if (!snapshot.cpus[cpu].flushed)
				continue;
			sum_ns += rig->kern->cpus[cpu].epoch_ns;
			flushed++;
		}
		if (flushed)
			assert_in_range(snapshot.monotonic_ns, sum_ns / flushed,
					sum_ns / flushed + 1);
		ctd_snapshot_free(&snapshot);
	}
	free_rig(state);
}

/* A CPU's own clock is the monotonic one with this source: their offset is 0. */
static void assert_epochs_begin(struct rig *rig, int64_t late_ns)
{
	uint64_t began_ns = rig_now_ns() + (uint64_t)late_ns;
	struct ctd_snapshot snapshot;

	rig_snapshot(rig, &snapshot);
	ctd_snapshot_free(&snapshot);
	for (int cpu = 0; cpu < rig->cpus; cpu++) {
		if (rig->online[cpu])
			assert_in_range(rig->kern->cpus[cpu].epoch_ns, began_ns,
					rig_now_ns() + (uint64_t)late_ns);
	}
}

static void measure(struct rig *rig, int64_t offset_ns)
{
	for (int cpu = 0; cpu < rig->cpus; cpu++)
		rig->kern->cpus[cpu].measured_offset_ns = (uint64_t)offset_ns;
}

static void a_pause_between_its_clocks_shifts_no_epoch(void **state)
{
	const int64_t second_ns = 1000000000;
	struct rig *rig = make_rig(state, "none");

	rig_start(rig);
	assert_epochs_begin(rig, 0);
	/* As if the next measured offset were too large by a second: once, but not for ever. */
	measure(rig, -second_ns);
	assert_epochs_begin(rig, -second_ns);
	assert_epochs_begin(rig, 0);
	/* An offset that was too large is corrected at once. */
	measure(rig, second_ns);
	assert_epochs_begin(rig, 0);
	free_rig(state);
}

/* As if the CPU had read its counters already when another CPU moved its task. */
static void a_slice_whose_task_was_moved_after_the_reading_is_the_old_owners(void **state)
{
	struct rig *rig = make_rig(state, "none");
	volatile struct ctd_cpu_state *other;
	struct ctd_snapshot snapshot;
	uint64_t before_ns;

	if (rig->cpus < 2 || !rig->online[1]) {
		print_message("this machine has one CPU\n");
		skip();
	}
	rig->options.max_slice_ns = 0; /* or it would close the slice for us */
	rig_start(rig);
	other = &rig->kern->cpus[1];
	if (rig_fork(rig, 0, 1))
		for (;;)
			;
	rig_pin(0);
	rig_wait_for_child_in(rig, 0);
	do
		before_ns = rig_now_ns();
	while (before_ns < other->start_ns + 2000000);
	assert_true(rig_move(rig, rig->children[0], 1));
	if (other->moved_ns)
		other->moved_ns = before_ns + 3600000000000;
	rig_snapshot(rig, &snapshot);
	assert_true(rig_row(&snapshot, rig->cgroup_ids[1]).oncpu_ns <= rig_now_ns() - before_ns);
	rig_assert_conserved(&snapshot);
	ctd_snapshot_free(&snapshot);
	free_rig(state);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(the_first_slice_of_a_cpu_that_came_counts_from_there,
					  alone_free),
		cmocka_unit_test_teardown(a_cpu_that_came_unnoticed_is_read_between_its_slices,
					  free_rig),
		cmocka_unit_test_teardown(a_cpu_that_came_and_went_unnoticed_begins_anew, free_rig),
		cmocka_unit_test_teardown(a_snapshot_is_of_the_mean_of_its_cpus, free_rig),
		cmocka_unit_test_teardown(a_pause_between_its_clocks_shifts_no_epoch, free_rig),
		cmocka_unit_test_teardown(
			a_slice_whose_task_was_moved_after_the_reading_is_the_old_owners, free_rig),
	};

	return rig_run(tests, sizeof(tests) / sizeof(*tests), argc, argv);
}
