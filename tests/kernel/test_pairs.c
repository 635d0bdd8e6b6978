/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_pairs.c - many cgroups on one CPU: each waits behind each other one as long as that runs,
 * and what there is no room for is in the sum. */
#include <cgtopdown/pairs_abi.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "waits.h"

/* Of their pairs a CPU's table has room for a third. */
#define CROWD_MAX 40
_Static_assert(CROWD_MAX *(CROWD_MAX - 1) > 3 * CTD_PAIR_SLOTS, "more pairs than places");

/* Cgroups with a task each that spins on the first CPU. */
static struct crowd {
	int count;
	char cgroups[CROWD_MAX][700];
	char weighed[CROWD_MAX][700]; /* with v1 in another hierarchy; "": nowhere */
	uint64_t ids[CROWD_MAX];
	pid_t tasks[CROWD_MAX];
} crowd;
static bool was_removed; /* some cgroup, and its row with it */

static void notice(enum ctd_cgroup_change change, uint64_t cgroup_id, const char *path,
		   void *context)
{
	was_removed |= change == CTD_CGROUP_REMOVED;
	rig_notice(change, cgroup_id, path, context);
}

static bool put(const char *directory, const char *file, const char *text)
{
	char path[800];
	bool done;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", directory, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	done = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	close(fd);
	return done;
}

static struct rig *make_crowd(void **state, int count)
{
	struct rig *rig = make_waiting(state);

	was_removed = false;
	rig->options.notice = notice;
	for (; crowd.count < count; crowd.count++) {
		char *cgroup = crowd.cgroups[crowd.count];

		snprintf(cgroup, sizeof(crowd.cgroups[0]), "%s-%d", rig->cgroups[0], crowd.count);
		assert_int_equal(mkdir(cgroup, 0755), 0);
		assert_int_equal(ctd_cgroup_id_of(cgroup, &crowd.ids[crowd.count]), 0);
	}
	return rig;
}

/* @return whether a controller takes it. */
static bool weigh(int at, int weight)
{
	struct ctd_cgroup_hierarchy cpu;
	char text[32], why[160];

	snprintf(text, sizeof(text), "%d", weight);
	if (put(crowd.cgroups[at], "cpu.weight", text))
		return true;
	if (ctd_cgroup_hierarchy_find("cpu", &cpu, why) || cpu.v2)
		return false;
	snprintf(crowd.weighed[at], sizeof(crowd.weighed[at]), "%s/ctd-kern-%d-crowd-%d", cpu.mount,
		 getpid(), at);
	if (mkdir(crowd.weighed[at], 0755))
		return false;
	snprintf(text, sizeof(text), "%d", 1024 * weight / 100);
	return put(crowd.weighed[at], "cpu.shares", text);
}

static void start_crowd(void)
{
	for (int i = 0; i < crowd.count; i++) {
		crowd.tasks[i] = fork();
		assert_true(crowd.tasks[i] >= 0);
		if (crowd.tasks[i])
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		rig_pin(0);
		if (!put(crowd.cgroups[i], "cgroup.procs", "0") ||
		    (*crowd.weighed[i] && !put(crowd.weighed[i], "cgroup.procs", "0")))
			_exit(1);
		for (;;)
			rig_spin_ms(1);
	}
}

static int free_crowd(void **state)
{
	for (int i = 0; i < crowd.count; i++) {
		if (crowd.tasks[i] > 0) {
			kill(crowd.tasks[i], SIGKILL);
			waitpid(crowd.tasks[i], NULL, 0);
		}
		rmdir(crowd.cgroups[i]);
		if (*crowd.weighed[i])
			rmdir(crowd.weighed[i]);
	}
	crowd = (struct crowd){};
	return free_rig(state);
}

static struct ctd_pair sum_of(const struct ctd_pairs *pairs)
{
	struct ctd_pair sum = {};

	for (size_t i = 0; i < pairs->count; i++) {
		sum.wait_ns += pairs->items[i].wait_ns;
		sum.preempted += pairs->items[i].preempted;
	}
	return sum;
}

/* @return the sum of pairs that gave way to others. */
static struct ctd_pair assert_all_paired(const struct ctd_snapshot *snapshot)
{
	struct ctd_pair evicted = {}, sum = sum_of(&snapshot->pairs);
	uint64_t other_ns = 0, preempted = 0;

	for (int i = 0; i < crowd.count; i++)
		assert_paired(snapshot, crowd.ids[i]);
	for (size_t i = 0; i < snapshot->rows_count; i++) {
		other_ns += snapshot->waits[i].ns[CTD_WAIT_OTHER];
		preempted += snapshot->waits[i].preempted_by_other;
	}
	/* Those of a cgroup that is gone are in pairs for longer than in a row. */
	if (!was_removed) {
		assert_int_equal(sum.wait_ns, other_ns);
		assert_int_equal(sum.preempted, preempted);
	}
	if (snapshot->pairs.count && !snapshot->pairs.items[0].victim_id)
		evicted = snapshot->pairs.items[0];
	assert_true(evicted.wait_ns <= sum.wait_ns);
	return evicted;
}

static void pairs_for_which_there_is_no_room_are_in_the_sum(void **state)
{
	struct rig *rig = make_crowd(state, CROWD_MAX);
	struct ctd_pair evicted = {};

	rig_start(rig);
	start_crowd();
	/* Until all had their turn, however much else runs there. */
	for (int i = 0; i < 30 && !evicted.waits; i++) {
		struct ctd_snapshot snapshot;

		rig_sleep_ms(500);
		rig_snapshot(rig, &snapshot);
		evicted = assert_all_paired(&snapshot);
		print_message("%zu pairs; gave way: %.3f ms in %llu waits%s\n",
			      snapshot.pairs.count, (double)evicted.wait_ns / 1e6,
			      (unsigned long long)evicted.waits,
			      was_removed ? "; cgroups were removed meanwhile" : "");
		ctd_snapshot_free(&snapshot);
	}
	assert_true(evicted.waits > 0);
	assert_true(evicted.wait_ns > 0);
}

/* All tasks stand still. */
struct moment {
	struct told told[CROWD_MAX];
	struct ctd_snapshot snapshot;
	uint64_t stopping_ns; /* for so long, some ran, and others did no more */
};

static struct moment stop_all(struct rig *rig)
{
	struct moment moment = {};
	uint64_t from_ns = rig_now_ns();

	for (int i = 0; i < crowd.count; i++)
		stop(crowd.tasks[i]);
	moment.stopping_ns = rig_now_ns() - from_ns;
	for (int i = 0; i < crowd.count; i++)
		moment.told[i] = told_of(crowd.tasks[i]);
	rig_snapshot(rig, &moment.snapshot);
	return moment;
}

static uint64_t continue_all(void)
{
	uint64_t from_ns = rig_now_ns();

	for (int i = 0; i < crowd.count; i++)
		kill(crowd.tasks[i], SIGCONT);
	return rig_now_ns() - from_ns;
}

static uint64_t waited_ns(const struct ctd_snapshot *snapshot, int victim, int other)
{
	const struct ctd_pair wanted = {.victim_id = crowd.ids[victim],
					.occupier_id = crowd.ids[other]};
	const struct ctd_pair *pair = bsearch(&wanted, snapshot->pairs.items, snapshot->pairs.count,
					      sizeof(wanted), ctd_pair_compare);

	return pair ? pair->wait_ns : 0;
}

static uint64_t ran_ns(const struct ctd_snapshot *snapshot, int at)
{
	return rig_row(snapshot, crowd.ids[at]).oncpu_ns;
}

/* What the kernel says of its waits; and each other one's time is time that it waited behind that. */
static void assert_waited(const struct moment *before, const struct moment *after, int victim,
			  uint64_t slack_ns)
{
	struct ctd_waits now = waits_of(&after->snapshot, crowd.ids[victim]), waits;
	struct ctd_waits old = waits_of(&before->snapshot, crowd.ids[victim]);
	struct told told = after->told[victim];
	uint64_t unknown_ns;

	told_subtract(&told, &before->told[victim]);
	assert_true(ctd_waits_subtract(&now, &old, &waits));
	say("one of three", &waits);
	assert_told(&waits, &told, 1000 * MS);
	unknown_ns =
		waits.ns[CTD_WAIT_UNKNOWN] + waits.ns[CTD_WAIT_SHORT] +
		(told.waited_ns > ctd_waits_ns(&waits) ? told.waited_ns - ctd_waits_ns(&waits) : 0);
	for (int other = 0; other < crowd.count; other++) {
		uint64_t pair_ns = waited_ns(&after->snapshot, victim, other) -
				   waited_ns(&before->snapshot, victim, other);
		uint64_t other_ns =
			ran_ns(&after->snapshot, other) - ran_ns(&before->snapshot, other);
		uint64_t rest_ns = other_ns / 100 + slack_ns;

		if (other == victim)
			continue;
		print_message("%d behind %d, which ran %.3f ms: %.3f ms\n", victim, other,
			      (double)other_ns / 1e6, (double)pair_ns / 1e6);
		assert_true(pair_ns <= other_ns + rest_ns);
		assert_true(other_ns <= pair_ns + unknown_ns + rest_ns);
	}
}

/* @return whether the kernel did as it was told: else nothing was asked of us. */
static bool watch_weights(struct rig *rig)
{
	struct moment before = stop_all(rig), after;
	uint64_t slack_ns = continue_all() + MS, last_ns;
	bool is_divided = true;

	rig_sleep_ms(3000);
	after = stop_all(rig);
	slack_ns += after.stopping_ns;
	print_message("of that, some stood still for %.3f ms\n", (double)slack_ns / 1e6);
	for (int i = 0; i < 3; i++)
		assert_waited(&before, &after, i, slack_ns);
	last_ns = ran_ns(&after.snapshot, 2) - ran_ns(&before.snapshot, 2);
	for (int i = 0; i < 2; i++)
		is_divided &=
			ran_ns(&after.snapshot, i) - ran_ns(&before.snapshot, i) > 2 * last_ns;
	ctd_snapshot_free(&before.snapshot);
	ctd_snapshot_free(&after.snapshot);
	return is_divided;
}

static void each_waits_behind_each_as_long_as_that_runs_whatever_their_weights(void **state)
{
	static const int weights[] = {400, 400, 100};
	struct rig *rig = make_crowd(state, 3);
	bool is_divided = false;

	put(rig->cgroups[0], "../cgroup.subtree_control", "+cpu");
	for (int i = 0; i < 3; i++) {
		if (!weigh(i, weights[i])) {
			print_message("no controller divides the CPU's time\n");
			skip();
		}
	}
	rig_start(rig);
	start_crowd();
	rig_sleep_ms(100);
	/* Where the first ones are stopped long before the last one, that has the more time. */
	for (int i = 0; i < 5 && !is_divided; i++)
		is_divided = watch_weights(rig);
	assert_true(is_divided);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(pairs_for_which_there_is_no_room_are_in_the_sum,
					  free_crowd),
		cmocka_unit_test_teardown(
			each_waits_behind_each_as_long_as_that_runs_whatever_their_weights,
			free_crowd),
	};

	return rig_run(tests, sizeof(tests) / sizeof(*tests), argc, argv);
}
