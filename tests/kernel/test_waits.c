/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_waits.c - waits for a CPU, under schedules that are known, are what the kernel says of the
 * tasks, and are of those who had the CPU. */
#include <cgtopdown/kern.h>
#include <cgtopdown/waits.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "quota.h"
#include "rig.h"
#include "waits.h"

/* What the first cgroup waited behind the second. */
static struct ctd_pair pair_of(const struct rig *rig, const struct ctd_snapshot *snapshot)
{
	const struct ctd_pair wanted = {.victim_id = rig->cgroup_ids[0],
					.occupier_id = rig->cgroup_ids[1]};
	const struct ctd_pair *pair = bsearch(&wanted, snapshot->pairs.items, snapshot->pairs.count,
					      sizeof(wanted), ctd_pair_compare);

	return pair ? *pair : wanted;
}

/* Spins on the CPU in the cgroup until it is killed. */
static pid_t spin(struct rig *rig, int cgroup, int cpu, int niceness)
{
	int at = 0;

	while (rig->children[at])
		at++;
	if (rig_fork(rig, cgroup, cpu)) {
		if (*quota.path[cgroup])
			write_to(quota.path[cgroup], "cgroup.procs", "0", true);
		if (nice(niceness) == -1 && errno)
			_exit(1);
		for (;;)
			rig_spin_ms(1);
	}
	return rig->children[at];
}

/* A realtime task that takes the CPU for 3 ms and leaves it for 7. By pauses and not by times of
 * day: on a machine that does not keep up it would catch up without a pause, and nothing else would
 * run. */
static void take_turns(struct rig *rig, int cgroup, int cpu)
{
	const struct sched_param realtime = {.sched_priority = 1};

	if (!rig_fork(rig, cgroup, cpu))
		return;
	if (sched_setscheduler(0, SCHED_FIFO, &realtime))
		_exit(77);
	for (;;) {
		rig_sleep_ms(7);
		rig_spin_ms(3);
	}
}

/* What came between two snapshots: waits of both cgroups, the pair of them, and how long the second
 * one had CPUs. */
struct watched {
	struct ctd_waits waits[2];
	struct ctd_pair pair;
	uint64_t second_ns;
};

/* The difference of two snapshots @p ms apart, and what the kernel says of the task meanwhile. The
 * task is stopped at both ends, so that both are of the same waits. */
static struct told watch(struct rig *rig, pid_t task, long ms, struct watched *ret)
{
	struct ctd_snapshot before, after;
	uint64_t before_ns, stopped_at_ns;
	struct told first, last;
	struct ctd_pair old_pair;

	stop(task);
	first = told_of(task);
	before_ns = rig_now_ns();
	rig_snapshot(rig, &before);
	kill(task, SIGCONT);
	before_ns = rig_now_ns() - before_ns;
	rig_sleep_ms(ms);
	stopped_at_ns = stop(task);
	last = told_of(task);
	rig_snapshot(rig, &after);
	last.stopped_ns = before_ns + rig_now_ns() - stopped_at_ns;
	kill(task, SIGCONT);
	assert_paired(&before, rig->cgroup_ids[0]);
	assert_paired(&after, rig->cgroup_ids[0]);
	assert_paired(&after, rig->cgroup_ids[1]);
	ret->second_ns = rig_row(&after, rig->cgroup_ids[1]).oncpu_ns -
			 rig_row(&before, rig->cgroup_ids[1]).oncpu_ns;
	ret->pair = pair_of(rig, &after);
	old_pair = pair_of(rig, &before);
	ret->pair.wait_ns -= old_pair.wait_ns;
	ret->pair.waits -= old_pair.waits;
	ret->pair.preempted -= old_pair.preempted;
	for (int i = 0; i < 2; i++) {
		struct ctd_waits old = waits_of(&before, rig->cgroup_ids[i]);
		struct ctd_waits new = waits_of(&after, rig->cgroup_ids[i]);

		assert_true(ctd_waits_subtract(&new, &old, &ret->waits[i]));
		say(i ? "second" : "first", &ret->waits[i]);
	}
	ctd_snapshot_free(&before);
	ctd_snapshot_free(&after);
	told_subtract(&last, &first);
	print_message("the kernel: waited %.3f ms in %llu, involuntary %llu\n",
		      (double)last.waited_ns / 1e6, (unsigned long long)last.runs,
		      (unsigned long long)last.involuntary);
	print_message(
		"behind the second, which ran %.3f ms: %.3f ms in %llu, preempted %llu; stopped %.3f ms\n",
		(double)ret->second_ns / 1e6, (double)ret->pair.wait_ns / 1e6,
		(unsigned long long)ret->pair.waits, (unsigned long long)ret->pair.preempted,
		(double)last.stopped_ns / 1e6);
	return last;
}

static void the_programs_load_with_waits_and_any_rows(void **state)
{
	static const char *const sources[] = {"none", "sim", "software:16:leader", "software:16"};

	for (int i = 0; i < 4; i++) {
		/* Rows of all kinds only of the last, where there is most to verify. */
		for (int by = CTD_BY_CGROUP; by <= (i < 3 ? CTD_BY_CGROUP : CTD_BY_TASK); by++) {
			struct rig *rig = make_rig(state, sources[i]);

			rig->options.waits = true;
			rig->options.by = by;
			rig_start(rig);
			rig_load(rig);
			rig_watch(rig, 3, 5);
			free_rig(state);
		}
	}
}

/* The first cgroup's only task is always ready to run, beside the second's on one CPU: it waits
 * whenever that runs. */
static void assert_behind(const struct watched *watched, const struct told *told)
{
	uint64_t rest_ns = watched->pair.wait_ns / 100 + told->stopped_ns + MS;
	uint64_t waited_ns = ctd_waits_ns(&watched->waits[0]);
	/* Longer ago than the ring of owners reaches, or in waits whose end was not told. */
	uint64_t unknown_ns = watched->waits[0].ns[CTD_WAIT_UNKNOWN] +
			      (told->waited_ns > waited_ns ? told->waited_ns - waited_ns : 0);

	assert_true(watched->pair.wait_ns <= watched->second_ns + rest_ns);
	assert_true(watched->second_ns <= watched->pair.wait_ns + unknown_ns + rest_ns);
	assert_true(watched->pair.waits <= ctd_waits_count(&watched->waits[0]));
	assert_true(watched->pair.preempted <= watched->waits[0].preempted_by_other);
	assert_true(watched->pair.preempted <= watched->waits[1].preempted_others);
	assert_true(watched->pair.waits >= watched->pair.preempted / 10 * 9);
}

static void a_realtime_task_makes_the_other_wait_as_long_as_it_runs(void **state)
{
	struct rig *rig = make_waiting(state);
	struct watched watched;
	struct told told;
	pid_t victim;
	bool is_behind = false;

	rig_start(rig);
	take_turns(rig, 1, 0);
	victim = spin(rig, 0, 0, 0);
	rig_sleep_ms(100);
	/* 200 times 3 ms, where the machine keeps up; on a busy one others have the CPU as well. */
	for (int i = 0; i < 5 && !is_behind; i++) {
		told = watch(rig, victim, 2000, &watched);
		assert_told(&watched.waits[0], &told, 30 * MS);
		assert_int_equal(watched.waits[0].ns[CTD_WAIT_OWN], 0);
		assert_int_equal(watched.waits[0].ns[CTD_WAIT_THROTTLED], 0);
		assert_behind(&watched, &told);
		is_behind = watched.waits[0].preempted_by_other >= 50 &&
			    watched.waits[1].preempted_others >= 50 &&
			    watched.waits[0].ns[CTD_WAIT_OTHER] > 300 * MS &&
			    watched.waits[0].ns[CTD_WAIT_OTHER] >
				    ctd_waits_ns(&watched.waits[0]) / 10 * 9;
	}
	assert_true(is_behind);
}

static void tasks_of_one_cgroup_wait_for_each_other(void **state)
{
	const struct sched_param realtime = {.sched_priority = 1};
	struct rig *rig = make_waiting(state);
	struct watched watched;
	struct told told;
	bool are_own = false;
	pid_t task;

	rig_start(rig);
	/* In turns of 100 ms, whatever else there is. */
	task = spin(rig, 0, 0, 0);
	if (sched_setscheduler(task, SCHED_RR, &realtime) ||
	    sched_setscheduler(spin(rig, 0, 0, 0), SCHED_RR, &realtime)) {
		print_message("no real-time scheduling is to be had\n");
		skip();
	}
	rig_sleep_ms(50);
	for (int i = 0; i < 5 && !are_own; i++) {
		told = watch(rig, task, 1500, &watched);
		/* One group waits for the other's tasks in no figure of the second, which has none.
		 */
		assert_int_equal(ctd_waits_count(&watched.waits[1]), 0);
		are_own = told.waited_ns > 400 * MS &&
			  watched.waits[0].ns[CTD_WAIT_OWN] >
				  ctd_waits_ns(&watched.waits[0]) / 10 * 7;
	}
	assert_true(are_own);
}

static void a_nice_task_waits_longer_and_no_less_exactly(void **state)
{
	struct rig *rig = make_waiting(state);
	struct watched watched;
	struct told told = {};
	bool is_behind = false;
	pid_t victim;

	rig_start(rig);
	spin(rig, 1, 0, 0);
	victim = spin(rig, 0, 0, 10);
	rig_sleep_ms(50);
	/* Where much else runs, the ring of owners does not reach back to the begin of each. */
	for (int i = 0; i < 5; i++) {
		told = watch(rig, victim, 2000, &watched);
		assert_told(&watched.waits[0], &told, 100 * MS);
		assert_behind(&watched, &told);
		is_behind = watched.waits[0].ns[CTD_WAIT_OTHER] >
			    ctd_waits_ns(&watched.waits[0]) / 10 * 8;
		/* By weights of 110 and 1024 it waits nine tenths of the time. */
		if (is_behind && told.waited_ns > 1500 * MS)
			break;
	}
	assert_true(told.waited_ns > 1500 * MS);
	assert_true(is_behind);
}

static void a_cgroup_out_of_quota_waits_throttled(void **state)
{
	struct rig *rig = make_waiting(state);
	struct watched watched;
	uint64_t before_ns, missing;
	bool is_throttled = false;
	struct told told;
	pid_t victim;

	find_quota(rig);
	if (quota.v2) {
		write_to(quota.path[0], "cpu.max", "20000 100000", true);
	} else {
		write_to(quota.path[0], "cpu.cfs_period_us", "100000", true);
		write_to(quota.path[0], "cpu.cfs_quota_us", "20000", true);
	}
	rig_start(rig);
	victim = spin(rig, 0, 0, 0);
	rig_sleep_ms(300);
	/* cpu.stat has also the time in which the task was stopped, at both ends: too much of it
	 * where we are held up there. */
	for (int i = 0; i < 5 && !is_throttled; i++) {
		before_ns = throttled_ns();
		told = watch(rig, victim, 3000, &watched);
		before_ns = throttled_ns() - before_ns;
		print_message("throttled %.3f ms\n", (double)before_ns / 1e6);
		assert_told(&watched.waits[0], &told, 300 * MS);
		missing = told.runs > ctd_waits_count(&watched.waits[0])
				  ? told.runs - ctd_waits_count(&watched.waits[0])
				  : 0;
		is_throttled = before_ns > 500 * MS &&
			       is_about(watched.waits[0].ns[CTD_WAIT_THROTTLED], before_ns,
					before_ns / 8 + 100 * MS + missing * 100 * MS);
	}
	assert_true(is_throttled);
}

/* Has so many children that live for a millisecond each, one after the other. Adds up what the
 * kernel says of them when they are dead, and of this process: from when it stops to its end. */
static void have_short_lives(int count, volatile struct told *told)
{
	const struct sched_param realtime = {.sched_priority = 1};
	struct told own = told_of(getpid()), one;

	raise(SIGSTOP);
	told->waited_ns -= own.waited_ns;
	told->runs -= own.runs;
	for (int i = 0; i < count; i++) {
		pid_t child = fork();
		siginfo_t end;

		if (!child) {
			rig_spin_ms(1);
			/* A dead task is told of before it leaves the CPU: it must not wait for it
			 * once more. */
			sched_setscheduler(0, SCHED_FIFO, &realtime);
			_exit(0);
		}
		if (waitid(P_PID, (id_t)child, &end, WEXITED | WNOWAIT))
			_exit(1);
		one = told_of(child);
		waitpid(child, NULL, 0);
		told->waited_ns += one.waited_ns;
		told->runs += one.runs;
	}
	/* Nor must this one. */
	sched_setscheduler(0, SCHED_FIFO, &realtime);
	own = told_of(getpid());
	told->waited_ns += own.waited_ns;
	told->runs += own.runs;
}

static void short_lives_are_in_the_sum(void **state)
{
	volatile struct told *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
					    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct rig *rig = make_waiting(state);
	struct ctd_snapshot snapshot, before;
	struct ctd_waits waits, old;
	struct told told;

	rig_start(rig);
	if (rig_fork(rig, 0, 0)) {
		have_short_lives(200, shared);
		_exit(0);
	}
	rig_wait_for_state(rig->children[0], 'T');
	rig_snapshot(rig, &before);
	kill(rig->children[0], SIGCONT);
	waitpid(rig->children[0], NULL, 0);
	rig->children[0] = 0;
	rig_snapshot(rig, &snapshot);
	told = *shared;
	waits = waits_of(&snapshot, rig->cgroup_ids[0]);
	old = waits_of(&before, rig->cgroup_ids[0]);
	assert_true(ctd_waits_subtract(&waits, &old, &waits));
	say("200 tasks", &waits);
	print_message("the kernel: %.3f ms in %llu\n", (double)told.waited_ns / 1e6,
		      (unsigned long long)told.runs);
	assert_true(told.runs >= 400);
	told.involuntary = waits.preempted; /* which a dead task does not tell */
	assert_told(&waits, &told, 60 * MS);
	ctd_snapshot_free(&before);
	ctd_snapshot_free(&snapshot);
	munmap((void *)shared, sizeof(*shared));
}

/* Two tasks of a cgroup on one CPU: the first passes a byte to the second and back so often, each
 * time that it may go on, and is stopped before and after. The second one ends with it. */
static void pass_bytes(struct rig *rig, int count)
{
	const struct sched_param realtime = {.sched_priority = 1};
	int there[2], back[2];
	char byte = 0;

	assert_int_equal(pipe(there), 0);
	assert_int_equal(pipe(back), 0);
	if (rig_fork(rig, 0, 0)) {
		if (sched_setscheduler(0, SCHED_FIFO, &realtime))
			_exit(77);
		raise(SIGSTOP);
		for (int i = 0; i < count; i++) {
			if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
				_exit(1);
		}
		raise(SIGSTOP);
		_exit(0);
	}
	if (rig_fork(rig, 0, 0)) {
		close(there[1]);
		if (sched_setscheduler(0, SCHED_FIFO, &realtime))
			_exit(77);
		while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
			;
		_exit(0);
	}
	for (int i = 0; i < 2; i++) {
		close(there[i]);
		close(back[i]);
	}
}

/* What the kernel says of both, or of the third child. */
static struct told told_in(const struct rig *rig, int cgroup)
{
	struct told told = told_of(rig->children[cgroup ? 2 : 0]), second;

	if (cgroup)
		return told;
	second = told_of(rig->children[1]);
	told.waited_ns += second.waited_ns;
	told.runs += second.runs;
	told.involuntary += second.involuntary;
	return told;
}

/* Most waits are of a few us, and end in a slice that goes on: they are charged when that is
 * closed, by a snapshot or by another owner, whose they are not. @p gone: the loader takes the CPU
 * for gone meanwhile, as it may a moment too long, and its slice away. */
static void assert_short_waits(void **state, enum ctd_by by, bool gone)
{
	struct rig *rig = make_waiting(state);
	struct ctd_snapshot before, after;
	struct told first[2];

	rig->options.by = by;
	rig_start(rig);
	pass_bytes(rig, 5000);
	take_turns(rig, 1, 0);
	rig_wait_for_child_in(rig, 1);
	rig_wait_for_state(rig->children[0], 'T');
	stop(rig->children[2]);
	for (int i = 0; i < 2; i++)
		first[i] = told_in(rig, i);
	rig_snapshot(rig, &before);
	kill(rig->children[2], SIGCONT);
	kill(rig->children[0], SIGCONT);
	for (int i = 0; gone && i < 10; i++) {
		assert_int_equal(ctd_kern_cpu_online(rig->kern, 0, false), 0);
		rig_sleep_ms(1);
		assert_int_equal(ctd_kern_cpu_online(rig->kern, 0, true), 0);
	}
	rig_watch(rig, 10, 2);
	rig_wait_for_state(rig->children[0], 'T');
	stop(rig->children[2]);
	rig_snapshot(rig, &after);
	for (int i = 0; i < 2; i++) {
		struct ctd_waits waits = waits_of(&after, rig->cgroup_ids[i]);
		struct ctd_waits old = waits_of(&before, rig->cgroup_ids[i]);
		struct told told = told_in(rig, i);

		told_subtract(&told, &first[i]);
		assert_true(ctd_waits_subtract(&waits, &old, &waits));
		say(i ? "third" : "both", &waits);
		print_message("the kernel: %.3f ms in %llu\n", (double)told.waited_ns / 1e6,
			      told.runs);
		assert_true(told.runs >= (i ? 2 : 10000));
		assert_told(&waits, &told, 10 * MS);
	}
	ctd_snapshot_free(&before);
	ctd_snapshot_free(&after);
	free_rig(state);
}

static void short_waits_within_a_cgroup_are_in_the_sum(void **state)
{
	assert_short_waits(state, CTD_BY_CGROUP, false);
	assert_short_waits(state, CTD_BY_TASK, false);
	assert_short_waits(state, CTD_BY_CGROUP, true);
}

/* From one of the first two CPUs to the other, until killed. */
static void move_to_and_fro(pid_t task)
{
	for (int cpu = 0;; cpu ^= 1) {
		cpu_set_t set;

		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		sched_setaffinity(task, sizeof(set), &set);
		rig_sleep_ms(3);
	}
}

static void waits_are_carried_to_another_cpu(void **state)
{
	struct rig *rig = make_waiting(state);
	struct watched watched;
	bool are_carried = false;
	struct told told;
	pid_t victim;

	if (!rig->caps.answer[CTD_CAP_MOVED_WAITS].present || rig->cpus < 2) {
		print_message("one CPU, or a kernel without the sum of waits\n");
		skip();
	}
	rig_start(rig);
	take_turns(rig, 1, 0);
	take_turns(rig, 1, 1);
	victim = spin(rig, 0, 0, 0);
	if (rig_fork(rig, -1, -1))
		move_to_and_fro(victim);
	rig_sleep_ms(100);
	/* A wait of which the kernel told no end is missing, and each of these hundreds of moves
	 * may be where it happens. */
	for (int i = 0; i < 5 && !are_carried; i++) {
		told = watch(rig, victim, 2000, &watched);
		are_carried = is_about(ctd_waits_ns(&watched.waits[0]), told.waited_ns,
				       told.waited_ns / 200 + 20000);
		/* There is never too much. */
		assert_true(are_carried || ctd_waits_ns(&watched.waits[0]) < told.waited_ns);
	}
	assert_true(are_carried);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(the_programs_load_with_waits_and_any_rows, free_rig),
		cmocka_unit_test_teardown(a_realtime_task_makes_the_other_wait_as_long_as_it_runs,
					  free_rig),
		cmocka_unit_test_teardown(tasks_of_one_cgroup_wait_for_each_other, free_rig),
		cmocka_unit_test_teardown(a_nice_task_waits_longer_and_no_less_exactly, free_rig),
		cmocka_unit_test_teardown(a_cgroup_out_of_quota_waits_throttled,
					  free_rig_and_quota),
		cmocka_unit_test_teardown(short_lives_are_in_the_sum, free_rig),
		cmocka_unit_test_teardown(short_waits_within_a_cgroup_are_in_the_sum, free_rig),
		cmocka_unit_test_teardown(waits_are_carried_to_another_cpu, free_rig),
	};

	return rig_run(tests, sizeof(tests) / sizeof(*tests), argc, argv);
}
