/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_siblings.c - what ran on the other hardware thread, of two CPUs that are declared to be
 * threads of one core. */
#include <cgtopdown/kern.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "rig.h"

#define MS 1000000ull

static int *siblings; /* owned */

static int free_all(void **state)
{
	free_rig(state);
	free(siblings);
	siblings = NULL;
	return sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){});
}

/* CPUs 0 and 1 are siblings, if @p paired and there are two. */
static struct rig *make_siblings(void **state, const char *source, bool paired)
{
	struct rig *rig = make_rig(state, source);

	if (!rig->caps.answer[CTD_CAP_WAITS].present) {
		print_message("this kernel does not tell of waits\n");
		skip();
	}
	free(siblings);
	siblings = malloc((size_t)rig->cpus * sizeof(*siblings));
	assert_non_null(siblings);
	for (int cpu = 0; cpu < rig->cpus; cpu++)
		siblings[cpu] = paired && rig->cpus > 1 && cpu < 2 ? 1 - cpu : -1;
	rig->options.waits = true;
	rig->options.siblings = siblings;
	return rig;
}

/* For what needs two CPUs that do what is said. */
static struct rig *make_core(void **state)
{
	struct rig *rig = make_siblings(state, "sim", true);

	if (rig->cpus < 2 || !rig->online[0] || !rig->online[1]) {
		print_message("there are no two CPUs\n");
		skip();
	}
	rig->options.max_slice_ns = 2 * MS;
	return rig;
}

/* The parts are the row, to the last count. */
static void assert_split(const struct ctd_snapshot *snapshot)
{
	assert_non_null(snapshot->siblings);
	for (size_t i = 0; i < snapshot->rows_count; i++) {
		struct ctd_sibling_part sum = {};

		for (int part = 0; part < CTD_SIBLINGS; part++) {
			const struct ctd_sibling_part *from =
				&snapshot->siblings[i * CTD_SIBLINGS + (size_t)part];

			sum.oncpu_ns += from->oncpu_ns;
			sum.running_ns += from->running_ns;
			for (uint32_t at = 0; at < snapshot->counters_count; at++)
				sum.count[at] += from->count[at];
		}
		assert_int_equal(sum.oncpu_ns, snapshot->rows[i].oncpu_ns);
		assert_int_equal(sum.running_ns, snapshot->rows[i].running_ns);
		for (uint32_t at = 0; at < snapshot->counters_count; at++)
			assert_int_equal(sum.count[at], snapshot->rows[i].count[at]);
	}
}

/* Part of the cgroup's time. */
static uint64_t part_ns(const struct rig *rig, const struct ctd_snapshot *snapshot, int cgroup,
			enum ctd_sibling part)
{
	uint64_t sum_ns = 0;

	for (size_t i = 0; i < snapshot->rows_count; i++)
		if (snapshot->rows[i].kind == CTD_ROW_CGROUP &&
		    snapshot->rows[i].cgroup_id == rig->cgroup_ids[cgroup])
			sum_ns += snapshot->siblings[i * CTD_SIBLINGS + part].oncpu_ns;
	return sum_ns;
}

/* So long one of the two ran beside the other. */
static uint64_t beside_ns(const struct rig *rig, const struct ctd_snapshot *snapshot, int cgroup)
{
	const struct ctd_pair wanted = {.victim_id = rig->cgroup_ids[cgroup],
					.occupier_id = rig->cgroup_ids[1 - cgroup]};
	const struct ctd_pair *pair = bsearch(&wanted, snapshot->pairs.items, snapshot->pairs.count,
					      sizeof(wanted), ctd_pair_compare);

	return pair ? pair->beside_ns : 0;
}

/* Runs whenever it can, until it is killed, or in @p stays of 10 ms each. It does so when this
 * returns. */
static void occupy(struct rig *rig, int cgroup, int cpu, int stays)
{
	const struct sched_param realtime = {.sched_priority = 1};
	int ready[2];
	char byte = 0;

	assert_int_equal(pipe(ready), 0);
	if (rig_fork(rig, cgroup, cpu)) {
		if (sched_setscheduler(0, SCHED_FIFO, &realtime) || write(ready[1], &byte, 1) != 1)
			_exit(1);
		for (int i = 0; !stays || i < stays; i++) {
			rig_spin_ms(10);
			if (stays)
				rig_sleep_ms(5);
		}
		_exit(0);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
}

/* Realtime tasks are about to take both CPUs: this one takes them back. */
static void become_first(void)
{
	if (!sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 10}))
		return;
	print_message("no realtime tasks may be had here\n");
	skip();
}

/* @return how long it took: CPUs end their epochs one after the other. */
static uint64_t take_snapshot(struct rig *rig, struct ctd_snapshot *ret_snapshot)
{
	uint64_t began_ns = rig_now_ns();

	rig_snapshot(rig, ret_snapshot);
	assert_split(ret_snapshot);
	return rig_now_ns() - began_ns;
}

static void load(void **state, const char *source, uint32_t by)
{
	struct rig *rig = make_siblings(state, source, true);
	struct ctd_snapshot snapshot;

	rig->options.by = by;
	rig_start(rig);
	rig_load(rig);
	rig_watch(rig, 3, 5);
	rig_snapshot(rig, &snapshot);
	assert_split(&snapshot);
	ctd_snapshot_free(&snapshot);
	free_all(state);
}

/* Where there is most to verify: to do so takes half a minute in a guest. */
static void the_programs_load_with_most_counters(void **state)
{
	load(state, "software:16", CTD_BY_TASK);
}

static void they_load_with_none_and_by_the_leader(void **state)
{
	load(state, "none", CTD_BY_CGROUP);
	load(state, "software:16:leader", CTD_BY_CGROUP);
}

/* Watches until both cgroups have had a CPU, which on a busy machine takes its time. */
static void watch_both(struct rig *rig, struct ctd_snapshot *ret_snapshot)
{
	uint64_t until_ns = rig_now_ns() + 10000 * MS;

	for (;;) {
		rig_watch(rig, 3, 10);
		rig_snapshot(rig, ret_snapshot);
		if ((rig_row(ret_snapshot, rig->cgroup_ids[0]).oncpu_ns &&
		     rig_row(ret_snapshot, rig->cgroup_ids[1]).oncpu_ns) ||
		    rig_now_ns() > until_ns)
			return;
		ctd_snapshot_free(ret_snapshot);
	}
}

/* All time of both cgroups is in that part, and none beside each other. */
static void assert_all_time_is(struct rig *rig, enum ctd_sibling part)
{
	struct ctd_snapshot snapshot;

	rig_start(rig);
	rig_load(rig);
	watch_both(rig, &snapshot);
	assert_split(&snapshot);
	for (int cgroup = 0; cgroup < 2; cgroup++) {
		uint64_t oncpu_ns = rig_row(&snapshot, rig->cgroup_ids[cgroup]).oncpu_ns;

		assert_true(oncpu_ns > 0);
		assert_int_equal(part_ns(rig, &snapshot, cgroup, part), oncpu_ns);
		assert_int_equal(beside_ns(rig, &snapshot, cgroup), 0);
	}
	ctd_snapshot_free(&snapshot);
}

static void a_core_of_one_thread_has_an_idle_sibling(void **state)
{
	assert_all_time_is(make_siblings(state, "sim", false), CTD_SIBLING_IDLE);
}

static void what_is_not_known_is_mixed(void **state)
{
	struct rig *rig = make_siblings(state, "sim", false);

	for (int cpu = 0; cpu < rig->cpus; cpu++)
		siblings[cpu] = CTD_SIBLING_UNKNOWN;
	assert_all_time_is(rig, CTD_SIBLING_MIXED);
}

/* Two cgroups with a CPU each are beside each other at least for as long as they would not fit into
 * the time one after the other, and at most for as long as each of them ran. Where nobody else
 * wants the CPUs, the two are the same. */
static void the_time_beside_each_other_is_that_in_which_both_ran(void **state)
{
	struct rig *rig = make_core(state);
	struct ctd_snapshot before, after;
	uint64_t window_ns, oncpu_ns[2], least_ns, most_ns, edges_ns, beside, slack_ns;

	rig_start(rig);
	become_first();
	occupy(rig, 0, 0, 0);
	window_ns = rig_now_ns();
	edges_ns = take_snapshot(rig, &before);
	occupy(rig, 1, 1, 20);
	waitpid(rig->children[1], NULL, 0);
	rig->children[1] = 0;
	edges_ns += take_snapshot(rig, &after);
	window_ns = rig_now_ns() - window_ns;
	for (int i = 0; i < 2; i++)
		oncpu_ns[i] = rig_row(&after, rig->cgroup_ids[i]).oncpu_ns -
			      rig_row(&before, rig->cgroup_ids[i]).oncpu_ns;
	beside = beside_ns(rig, &after, 0);
	assert_int_equal(beside, beside_ns(rig, &after, 1));
	/* Closings of both at the same moment. */
	slack_ns = edges_ns + oncpu_ns[1] / 100;
	least_ns = oncpu_ns[0] + oncpu_ns[1];
	least_ns = least_ns > window_ns + slack_ns ? least_ns - window_ns - slack_ns : 0;
	most_ns = oncpu_ns[oncpu_ns[1] < oncpu_ns[0]] + slack_ns + rig_lost_ns(&after);
	print_message("beside each other %.3f ms, which must be within %.3f and %.3f\n",
		      (double)beside / 1e6, (double)least_ns / 1e6, (double)most_ns / 1e6);
	assert_in_range(beside, least_ns, most_ns);
	ctd_snapshot_free(&before);
	ctd_snapshot_free(&after);
}

/* So long CPU 0 was in each state in the next 20 ms. */
static void watch_parts(struct rig *rig, uint64_t ret_ns[CTD_SIBLINGS])
{
	struct ctd_snapshot before, after;

	take_snapshot(rig, &before);
	rig_sleep_ms(20);
	take_snapshot(rig, &after);
	for (int part = 0; part < CTD_SIBLINGS; part++)
		ret_ns[part] = part_ns(rig, &after, 0, part) - part_ns(rig, &before, 0, part);
	ctd_snapshot_free(&before);
	ctd_snapshot_free(&after);
}

/* Two cgroups, or one, that always run have a CPU each. What interrupts them, as the limit of
 * realtime tasks does, makes slices mixed: there is a moment in which nothing does. */
static void assert_never_idle(void **state, int second, enum ctd_sibling expected)
{
	struct rig *rig = make_core(state);
	uint64_t ns[CTD_SIBLINGS];
	int tries = 0;

	rig_start(rig);
	become_first();
	occupy(rig, 0, 0, 0);
	occupy(rig, second, 1, 0);
	do {
		watch_parts(rig, ns);
		print_message("beside: idle %.3f ms, same %.3f, other %.3f, mixed %.3f\n",
			      (double)ns[0] / 1e6, (double)ns[1] / 1e6, (double)ns[2] / 1e6,
			      (double)ns[3] / 1e6);
		assert_true(++tries < 1000);
	} while (ns[CTD_SIBLING_IDLE] || ns[expected] <= ns[CTD_SIBLING_MIXED]);
	if (expected == CTD_SIBLING_OTHER)
		assert_int_equal(ns[CTD_SIBLING_SAME], 0);
}

static void slices_beside_another_cgroup_are_told(void **state)
{
	assert_never_idle(state, 1, CTD_SIBLING_OTHER);
}

static void slices_beside_its_own_are_told(void **state)
{
	assert_never_idle(state, 0, CTD_SIBLING_SAME);
}

/* Of all pairs of a cgroup. */
static uint64_t all_beside_ns(const struct rig *rig, const struct ctd_snapshot *snapshot,
			      int cgroup)
{
	uint64_t sum_ns = 0;

	for (size_t i = 0; i < snapshot->pairs.count; i++)
		if (snapshot->pairs.items[i].victim_id == rig->cgroup_ids[cgroup])
			sum_ns += snapshot->pairs.items[i].beside_ns;
	return sum_ns;
}

/* The CPUs ask each other without a lock. */
static void no_time_is_in_two_pairs_where_both_switch_all_the_time(void **state)
{
	struct rig *rig = make_core(state);
	struct ctd_snapshot snapshot;
	uint64_t edges_ns;
	int tries = 0;

	rig_start(rig);
	rig_load(rig);
	/* That may run on any CPUs: these are on the core. */
	for (int cgroup = 0; cgroup < 2; cgroup++) {
		if (!rig_fork(rig, cgroup, cgroup))
			continue;
		for (;;) {
			rig_spin_ms(1);
			rig_sleep_ms(1);
		}
	}
	rig_watch(rig, 10, 20);
	edges_ns = take_snapshot(rig, &snapshot);
	while (!beside_ns(rig, &snapshot, 0)) {
		assert_true(++tries < 500);
		ctd_snapshot_free(&snapshot);
		rig_sleep_ms(20);
		edges_ns = take_snapshot(rig, &snapshot);
	}
	assert_int_equal(beside_ns(rig, &snapshot, 0), beside_ns(rig, &snapshot, 1));
	for (int cgroup = 0; cgroup < 2; cgroup++) {
		uint64_t most_ns = part_ns(rig, &snapshot, cgroup, CTD_SIBLING_OTHER) +
				   part_ns(rig, &snapshot, cgroup, CTD_SIBLING_MIXED);
		uint64_t all_ns = all_beside_ns(rig, &snapshot, cgroup);

		print_message("cgroup %d: %.3f ms in pairs, of %.3f ms at most\n", cgroup,
			      (double)all_ns / 1e6, (double)most_ns / 1e6);
		assert_true(all_ns <= most_ns + most_ns / 100 + edges_ns + rig_lost_ns(&snapshot));
	}
	ctd_snapshot_free(&snapshot);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(the_programs_load_with_most_counters, free_all),
		cmocka_unit_test_teardown(they_load_with_none_and_by_the_leader, free_all),
		cmocka_unit_test_teardown(a_core_of_one_thread_has_an_idle_sibling, free_all),
		cmocka_unit_test_teardown(what_is_not_known_is_mixed, free_all),
		cmocka_unit_test_teardown(the_time_beside_each_other_is_that_in_which_both_ran,
					  free_all),
		cmocka_unit_test_teardown(slices_beside_another_cgroup_are_told, free_all),
		cmocka_unit_test_teardown(slices_beside_its_own_are_told, free_all),
		cmocka_unit_test_teardown(no_time_is_in_two_pairs_where_both_switch_all_the_time,
					  free_all),
	};

	return rig_run(tests, sizeof(tests) / sizeof(*tests), argc, argv);
}
