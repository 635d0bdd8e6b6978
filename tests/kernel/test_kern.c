/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_kern.c - the totals of the running kernel add up, whatever happens. */
#include <cgtopdown/kern.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "kern/topdown/topdown.h"
#include "rig.h"

static void load(void **state, const char *source, enum ctd_by by, bool no_cast)
{
	struct rig *rig = make_rig(state, source);

	rig->options.by = by;
	if (no_cast)
		rig->caps.answer[CTD_CAP_RDONLY_CAST].present = false;
	rig_start(rig);
	rig_watch(rig, 2, 1);
	free_rig(state);
}

static void every_way_to_read_loads_with_any_number_of_counters(void **state)
{
	for (size_t i = 0; i < sizeof(rig_sources) / sizeof(*rig_sources); i++)
		load(state, rig_sources[i], CTD_BY_CGROUP, false);
}

/* Only where there is most to verify. */
static void rows_of_any_kind_load(void **state)
{
	for (int by = CTD_BY_CGROUP + 1; by <= CTD_BY_TASK; by++) {
		load(state, "sim", by, false);
		load(state, "software:16:leader", by, false);
	}
}

static void the_leader_loads_without_casts(void **state)
{
	load(state, "software:1:leader", CTD_BY_CGROUP, true);
	load(state, "software:16:leader", CTD_BY_CGROUP, true);
}

static void watch_under_load(void **state, const char *source, bool no_cast)
{
	struct rig *rig = make_rig(state, source);
	struct ctd_snapshot last;

	if (no_cast)
		rig->caps.answer[CTD_CAP_RDONLY_CAST].present = false;
	rig_start(rig);
	rig_load(rig);
	rig_watch(rig, 200, 5);
	/* The load has no faults, which is what is counted first. */
	if (rig_fork(rig, 1, 0)) {
		rig_fault_pages(200);
		_exit(0);
	}
	rig_reap(rig, RIG_LOAD_CHILDREN, false);
	rig_snapshot(rig, &last);
	/* That there was something to add up. */
	assert_true(rig_row(&last, rig->cgroup_ids[0]).slices > 100);
	assert_true(rig_row(&last, rig->cgroup_ids[1]).slices > 100);
	assert_int_equal(last.cpus[0].health[CTD_HEALTH_READ_ERRORS], 0);
	if (last.counters_count)
		assert_true(last.cpus[0].total[0] > 0);
	ctd_snapshot_free(&last);
}

static void totals_add_up_reading_the_leader(void **state)
{
	watch_under_load(state, "software:9:leader", false);
}

static void totals_add_up_reading_the_leader_without_casts(void **state)
{
	watch_under_load(state, "software:9:leader", true);
}

static void totals_add_up_reading_each(void **state)
{
	watch_under_load(state, "software:9", false);
}

static void totals_add_up_with_simulated_counters(void **state)
{
	watch_under_load(state, "sim", false);
}

static void siblings_in_memory_are_what_the_helper_reads(void **state)
{
	enum { FAULTS = 20000, LEADER = 0, SIBLING = 2, OTHER = 3 };
	static const struct {
		const char *source;
		bool no_cast;
	} cases[] = {
		{"software:5:leader", false},
		{"software:5:leader", true},
		{"software:5", false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct rig *rig = make_rig(state, cases[i].source);
		struct ctd_snapshot snapshot;
		struct ctd_snapshot_row row;

		if (cases[i].no_cast)
			rig->caps.answer[CTD_CAP_RDONLY_CAST].present = false;
		rig_start(rig);
		if (rig_fork(rig, 0, -1)) {
			rig_fault_pages(FAULTS);
			_exit(0);
		}
		rig_reap(rig, 0, false);
		rig_snapshot(rig, &snapshot);
		row = rig_row(&snapshot, rig->cgroup_ids[0]);
		/* Two events that count the same, and one that counts none of it. A lost switch
		 * takes some away, start and end bring a few more. */
		assert_string_equal(rig->plan.events[LEADER].name, "page-faults");
		assert_string_equal(rig->plan.events[SIBLING].name, "minor-faults");
		assert_string_equal(rig->plan.events[OTHER].name, "major-faults");
		assert_in_range(row.count[LEADER] + rig_lost_count(&snapshot, LEADER), FAULTS,
				FAULTS + FAULTS / 20 + rig_lost_count(&snapshot, LEADER));
		/* Where its move into the cgroup cut a slice by time, each was rounded by itself. */
		assert_in_range(row.count[SIBLING] + row.count[OTHER] + 2 - row.count[LEADER], 0,
				4);
		assert_in_range(row.count[OTHER], 0, FAULTS / 20);
		rig_assert_conserved(&snapshot);
		ctd_snapshot_free(&snapshot);
		free_rig(state);
	}
}

static struct ctd_snapshot_row run_faults(struct rig *rig, struct ctd_snapshot *ret_snapshot)
{
	if (rig_fork(rig, 0, -1)) {
		rig_fault_pages(2000);
		_exit(0);
	}
	rig_reap(rig, 0, false);
	rig_snapshot(rig, ret_snapshot);
	rig_assert_conserved(ret_snapshot);
	return rig_row(ret_snapshot, rig->cgroup_ids[0]);
}

/* Between two groups' turns no group counts, although the first one still does on the PMU. */
static void what_follows_the_end_of_a_turn_is_not_counted(void **state)
{
	struct rig *rig = make_rig(state, "software:5:rotate");
	struct ctd_snapshot snapshots[3], end;
	struct ctd_snapshot_row rows[3];

	rig_start(rig);
	rows[0] = run_faults(rig, &snapshots[0]);
	for (int cpu = 0; cpu < rig->cpus; cpu++)
		ctd_kern_end_step(rig->kern, cpu);
	rig_snapshot(rig, &end);
	rows[1] = run_faults(rig, &snapshots[1]);
	for (int cpu = 0; cpu < rig->cpus; cpu++) {
		if (rig->online[cpu])
			assert_int_equal(ctd_kern_begin_step(rig->kern, &rig->counters, cpu, 1), 0);
	}
	rig->counters.step = 1;
	rows[2] = run_faults(rig, &snapshots[2]);

	/* A lost switch takes some away. */
	assert_in_range(rows[0].count[0] + rig_lost_count(&snapshots[0], 0), 2000, 4000);
	assert_int_equal(rows[1].count[0], rows[0].count[0]);
	assert_true(rows[1].oncpu_ns > rows[0].oncpu_ns);
	assert_in_range(rows[2].count[0] - rows[1].count[0] + rig_lost_count(&snapshots[2], 0),
			2000, 4000);
	for (size_t cpu = 0; cpu < snapshots[2].cpus_count; cpu++)
		assert_int_equal(snapshots[2].cpus[cpu].health[CTD_HEALTH_READ_ERRORS], 0);
	for (int i = 0; i < 3; i++)
		ctd_snapshot_free(&snapshots[i]);
	ctd_snapshot_free(&end);
}

static void counters_that_cannot_be_read_are_told_and_nothing_is_invented(void **state)
{
	static const char *const sources[] = {"software:5", "software:5:leader"};

	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
		struct rig *rig = make_rig(state, sources[i]);
		struct ctd_snapshot snapshot;
		struct ctd_snapshot_row row;
		const int last = rig->cpus - 1;

		if (last == 0) {
			print_message("this machine has one CPU\n");
			skip();
		}
		rig_start_some(rig, last);
		/* In the first cgroup where nothing can be read, in the second where all can. */
		for (int cgroup = 0; cgroup < 2; cgroup++) {
			if (!rig_fork(rig, cgroup, cgroup ? 0 : last))
				continue;
			rig_fault_pages(1000);
			while (clock() < CLOCKS_PER_SEC / 5)
				;
			_exit(0);
		}
		rig_reap(rig, 0, false);
		rig_watch(rig, 5, 10);
		rig_snapshot(rig, &snapshot);
		row = rig_row(&snapshot, rig->cgroup_ids[0]);
		rig_assert_usage(rig, &snapshot, 0);
		assert_int_equal(row.running_ns, 0);
		assert_int_equal(row.count[0], 0);
		row = rig_row(&snapshot, rig->cgroup_ids[1]);
		rig_assert_usage(rig, &snapshot, 1);
		assert_int_equal(row.running_ns, row.oncpu_ns);
		assert_in_range(row.count[0] + rig_lost_count(&snapshot, 0), 1000,
				1100 + rig_lost_count(&snapshot, 0));
		assert_true(snapshot.cpus[last].health[CTD_HEALTH_READ_ERRORS] > 0);
		assert_int_equal(snapshot.cpus[last].total[0], 0);
		assert_int_equal(snapshot.cpus[0].health[CTD_HEALTH_READ_ERRORS], 0);
		rig_assert_conserved(&snapshot);
		ctd_snapshot_free(&snapshot);
		free_rig(state);
	}
}

static void a_cpu_may_go_and_come_back_with_new_counters(void **state)
{
	static const char *const sources[] = {"software:9", "software:9:leader", "sim"};

	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
		struct rig *rig = make_rig(state, sources[i]);
		struct ctd_snapshot before, after;
		const int cpu = rig->cpus - 1;

		rig_start(rig);
		rig_load(rig);
		rig_watch(rig, 5, 5);
		for (int round = 0; round < 5; round++) {
			rig_snapshot(rig, &before);
			assert_int_equal(ctd_kern_cpu_online(rig->kern, cpu, false), 0);
			rig_sleep_ms(5);
			rig_snapshot(rig, &after);
			rig_assert_grown(&before, &after);
			assert_int_equal(after.cpus[cpu].online, 0);
			ctd_snapshot_free(&before);
			before = after;
			if (rig_counts(rig)) {
				ctd_counters_close_cpu(&rig->counters, cpu);
				assert_int_equal(
					ctd_counters_open_cpu(&rig->plan, &rig->counters, cpu), 0);
				assert_int_equal(
					ctd_kern_set_counters(rig->kern, &rig->counters, cpu), 0);
				assert_int_equal(ctd_counters_enable(&rig->counters), 0);
			}
			assert_int_equal(ctd_kern_cpu_online(rig->kern, cpu, true), 0);
			ctd_snapshot_free(&before);
			rig_snapshot(rig, &before);
			if (rig_fork(rig, 1, cpu)) {
				rig_fault_pages(200);
				_exit(0);
			}
			rig_reap(rig, RIG_LOAD_CHILDREN, false);
			rig_snapshot(rig, &after);
			rig_assert_conserved(&after);
			rig_assert_grown(&before, &after);
			assert_int_equal(after.cpus[cpu].online, 1);
			assert_true(after.cpus[cpu].total[0] >= before.cpus[cpu].total[0] + 200);
			ctd_snapshot_free(&before);
			ctd_snapshot_free(&after);
		}
		rig_watch(rig, 5, 5);
		free_rig(state);
	}
}

/*
 * When a real-time task began and was moved: at some time from before to after, which are far
 * apart where the mover waits for the kernel's locks, or for its CPU. And what it had run by
 * then, less than the time where the kernel takes its share of a second from real-time tasks.
 */
struct moved {
	uint64_t start_ns, before_ns, after_ns;
	uint64_t start_cpu_ns, before_cpu_ns, after_cpu_ns, end_cpu_ns;
};

/* Of CPU time, which others may keep from the task for long: before the move, and after it. */
#define RAN_NS 150000000

static uint64_t cpu_ns_of(pid_t process)
{
	struct timespec time;
	clockid_t clock;

	if (clock_getcpuclockid(process, &clock) || clock_gettime(clock, &time))
		return 0;
	return (uint64_t)time.tv_sec * 1000000000ull + (uint64_t)time.tv_nsec;
}

static void spin_cpu_ns(uint64_t ns)
{
	for (uint64_t end_ns = cpu_ns_of(0) + ns; cpu_ns_of(0) < end_ns;)
		;
}

static bool move_and_note(const struct rig *rig, pid_t process, volatile struct moved *moved)
{
	bool done;

	moved->before_cpu_ns = cpu_ns_of(process);
	moved->before_ns = rig_now_ns();
	done = rig_move(rig, process, 1);
	moved->after_ns = rig_now_ns();
	return done;
}

static void spin_and_be_moved(struct rig *rig, bool by_itself, volatile struct moved *moved)
{
	const struct sched_param realtime = {.sched_priority = 1};

	if (sched_setscheduler(0, SCHED_FIFO, &realtime))
		_exit(77);
	moved->start_cpu_ns = cpu_ns_of(0);
	moved->start_ns = rig_now_ns();
	if (by_itself) {
		spin_cpu_ns(RAN_NS);
		if (!move_and_note(rig, 0, moved))
			_exit(1);
	}
	while (!moved->after_ns)
		;
	moved->after_cpu_ns = cpu_ns_of(0);
	spin_cpu_ns(RAN_NS);
	moved->end_cpu_ns = cpu_ns_of(0);
	_exit(0);
}

static void check_move(void **state, const char *source, bool by_itself)
{
	volatile struct moved *moved = mmap(NULL, sizeof(*moved), PROT_READ | PROT_WRITE,
					    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct rig *rig = make_rig(state, source);
	struct ctd_snapshot snapshot;
	uint64_t first_ns, second_ns, lost_ns, fork_ns, ended_ns;
	int status;

	rig->options.max_slice_ns = 0; /* or it would close the slice for us */
	rig_start(rig);
	fork_ns = rig_now_ns();
	if (rig_fork(rig, 0, rig->cpus - 1))
		spin_and_be_moved(rig, by_itself, moved);
	if (!by_itself) {
		rig_pin(0);
		while (!moved->start_ns && waitpid(rig->children[0], &status, WNOHANG) == 0)
			rig_sleep_ms(1);
		for (int ms = 0; ms < 30000 && moved->start_ns &&
				 cpu_ns_of(rig->children[0]) < moved->start_cpu_ns + RAN_NS;
		     ms++)
			rig_sleep_ms(1);
		if (moved->start_ns)
			assert_true(move_and_note(rig, rig->children[0], moved));
	}
	rig_wait_for_last_switch(rig->children[0]);
	ended_ns = rig_now_ns();
	waitpid(rig->children[0], &status, 0);
	rig->children[0] = 0;
	if (!moved->start_ns) {
		print_message("no real-time scheduling is to be had\n");
		skip();
	}
	rig_snapshot(rig, &snapshot);
	/* The wait for the move may be long where it moves itself: it sleeps then. Others may also
	 * have its CPU before it begins, and between its end and its last switch. */
	first_ns = rig_row(&snapshot, rig->cgroup_ids[0]).oncpu_ns;
	second_ns = rig_row(&snapshot, rig->cgroup_ids[1]).oncpu_ns;
	lost_ns = rig_lost_ns(&snapshot);
	assert_in_range(second_ns + lost_ns + 10000000, moved->end_cpu_ns - moved->after_cpu_ns,
			ended_ns - moved->before_ns + 20000000 + lost_ns);
	assert_true(first_ns < moved->after_ns - fork_ns + 30000000);
	assert_true(first_ns + lost_ns + 10000000 > moved->before_cpu_ns - moved->start_cpu_ns);
	assert_true(moved->before_cpu_ns - moved->start_cpu_ns > 10000000);
	assert_true(moved->end_cpu_ns - moved->after_cpu_ns > 10000000);
	rig_assert_conserved(&snapshot);
	ctd_snapshot_free(&snapshot);
	munmap((void *)moved, sizeof(*moved));
	free_rig(state);
}

static void a_slice_is_split_where_its_task_moves_itself(void **state)
{
	check_move(state, "none", true);
	check_move(state, "software:5:leader", true);
}

static void a_slice_is_split_where_another_cpu_moves_its_task(void **state)
{
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		print_message("this machine has one CPU\n");
		skip();
	}
	check_move(state, "none", false);
	check_move(state, "sim", false);
	check_move(state, "software:5", false);
}

/* A fenced CPU is in the epoch that a snapshot begins once it switches, which may not be for long
 * where it has one task to run: this one visits it. */
static void watch_and_visit(struct rig *rig, int cpu)
{
	rig_watch(rig, 5, 10);
	rig_pin(cpu);
	rig_pin(0);
}

static void a_fenced_cpu_is_not_disturbed_but_accounted(void **state)
{
	struct rig *rig = make_rig(state, "software:5");
	struct ctd_snapshot snapshot;
	const int last = rig->cpus - 1;
	uint64_t closed;

	if (last == 0) {
		print_message("this machine has one CPU\n");
		skip();
	}
	rig->fenced[last] = true;
	rig_start(rig);
	if (rig_fork(rig, 0, last)) {
		spin_cpu_ns(100000000);
		_exit(0);
	}
	rig_sleep_ms(50);
	rig_snapshot(rig, &snapshot);
	assert_int_equal(snapshot.cpus[last].fenced, 1);
	assert_int_equal(snapshot.cpus[last].flushed, 0);
	assert_int_equal(snapshot.cpus[0].flushed, 1);
	closed = snapshot.cpus[last].health[CTD_HEALTH_CLOSED_SLICES];
	ctd_snapshot_free(&snapshot);
	rig_reap(rig, 0, false);
	watch_and_visit(rig, last);
	rig_snapshot(rig, &snapshot);
	assert_true(snapshot.cpus[last].health[CTD_HEALTH_CLOSED_SLICES] > closed);
	assert_true(rig_usage_ns(rig, 0) > 90000000);
	rig_assert_usage(rig, &snapshot, 0);
	ctd_snapshot_free(&snapshot);
}

struct turns {
	int started;
	bool end;
};

/* Two tasks of the first cgroup that have a CPU for themselves, and pass it to and fro until they
 * are told to end. */
static void take_turns(struct rig *rig, int cpu, volatile struct turns *turns)
{
	const struct sched_param realtime = {.sched_priority = 1};

	for (int i = 0; i < 2; i++) {
		if (!rig_fork(rig, 0, -1))
			continue;
		if (sched_setscheduler(0, SCHED_FIFO, &realtime))
			_exit(77);
		/* Not before: the first one leaves no time to one that is not yet its equal. */
		rig_pin(cpu);
		__atomic_add_fetch(&turns->started, 1, __ATOMIC_RELAXED);
		while (!turns->end)
			sched_yield();
		_exit(0);
	}
}

/* CPU time of the first so many children. */
static uint64_t ran_of(const struct rig *rig, int children)
{
	uint64_t ns = 0;

	for (int i = 0; i < children; i++)
		ns += cpu_ns_of(rig->children[i]);
	return ns;
}

/* Nobody asks a fenced CPU for its first reading: its first switch must take it. */
static void a_fenced_cpu_that_switches_within_one_cgroup_has_a_baseline(void **state)
{
	volatile struct turns *turns = mmap(NULL, sizeof(*turns), PROT_READ | PROT_WRITE,
					    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct rig *rig = make_rig(state, "none");
	struct ctd_snapshot snapshot;
	const int last = rig->cpus - 1;
	uint64_t ran_ns;
	int status;

	if (last == 0) {
		print_message("this machine has one CPU\n");
		skip();
	}
	rig->fenced[last] = true;
	rig_pin(0);
	take_turns(rig, last, turns);
	for (int ms = 0; ms < 30000 && turns->started < 2; ms++) {
		if (waitpid(rig->children[0], &status, WNOHANG)) {
			rig->children[0] = 0;
			print_message("no real-time scheduling is to be had\n");
			skip();
		}
		rig_sleep_ms(1);
	}
	assert_int_equal(turns->started, 2);
	rig_start(rig);
	for (int ms = 0; ms < 30000 && !rig->kern->cpus[last].live; ms++)
		rig_sleep_ms(1);
	rig_sleep_ms(50);
	assert_true(rig->kern->cpus[last].switches > 0);
	assert_int_equal(rig->kern->cpus[last].live, 1);
	/* The machine holds back real-time tasks for some of each second. */
	ran_ns = ran_of(rig, 2);
	for (int ms = 0; ms < 30000 && ran_of(rig, 2) - ran_ns < 100000000; ms++)
		rig_sleep_ms(1);
	turns->end = true;
	rig_reap(rig, 0, false);
	watch_and_visit(rig, last);
	rig_snapshot(rig, &snapshot);
	assert_true(rig_row(&snapshot, rig->cgroup_ids[0]).oncpu_ns + rig_lost_ns(&snapshot) >
		    50000000);
	rig_assert_conserved(&snapshot);
	ctd_snapshot_free(&snapshot);
	munmap((void *)turns, sizeof(*turns));
}

static void a_process_that_is_gone_has_kept_its_name(void **state)
{
	struct rig *rig = make_rig(state, "none");
	struct ctd_task_name name = {.comm = "untouched"};
	struct ctd_snapshot snapshot;
	pid_t child;

	rig->options.by = CTD_BY_PROCESS;
	rig_start(rig);
	prctl(PR_SET_NAME, "of-the-child");
	if (rig_fork(rig, 0, -1)) {
		rig_spin_in_parts(4, 1);
		_exit(0);
	}
	prctl(PR_SET_NAME, "test_kern");
	child = rig->children[0];
	rig_reap(rig, 0, false);
	rig_snapshot(rig, &snapshot);
	assert_int_equal(rig_row(&snapshot, rig->cgroup_ids[0]).pid, child);
	ctd_snapshot_free(&snapshot);
	assert_int_equal(ctd_kern_task_name(rig->kern, 0x7fffffff, &name), -ENOENT);
	assert_string_equal(name.comm, "untouched");
	assert_int_equal(ctd_kern_task_name(rig->kern, (uint32_t)child, &name), 0);
	assert_string_equal(name.comm, "of-the-child");
	assert_int_equal(name.process, child);
}

/* An argument is a pattern of the tests to run. */
int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(every_way_to_read_loads_with_any_number_of_counters,
					  free_rig),
		cmocka_unit_test_teardown(rows_of_any_kind_load, free_rig),
		cmocka_unit_test_teardown(the_leader_loads_without_casts, free_rig),
		cmocka_unit_test_teardown(totals_add_up_reading_the_leader, free_rig),
		cmocka_unit_test_teardown(totals_add_up_reading_the_leader_without_casts, free_rig),
		cmocka_unit_test_teardown(totals_add_up_reading_each, free_rig),
		cmocka_unit_test_teardown(totals_add_up_with_simulated_counters, free_rig),
		cmocka_unit_test_teardown(siblings_in_memory_are_what_the_helper_reads, free_rig),
		cmocka_unit_test_teardown(what_follows_the_end_of_a_turn_is_not_counted, free_rig),
		cmocka_unit_test_teardown(
			counters_that_cannot_be_read_are_told_and_nothing_is_invented, free_rig),
		cmocka_unit_test_teardown(a_cpu_may_go_and_come_back_with_new_counters, free_rig),
		cmocka_unit_test_teardown(a_slice_is_split_where_its_task_moves_itself, free_rig),
		cmocka_unit_test_teardown(a_slice_is_split_where_another_cpu_moves_its_task,
					  free_rig),
		cmocka_unit_test_teardown(a_fenced_cpu_is_not_disturbed_but_accounted, free_rig),
		cmocka_unit_test_teardown(
			a_fenced_cpu_that_switches_within_one_cgroup_has_a_baseline, free_rig),
		cmocka_unit_test_teardown(a_process_that_is_gone_has_kept_its_name, free_rig),
	};

	return rig_run(tests, sizeof(tests) / sizeof(*tests), argc, argv);
}
