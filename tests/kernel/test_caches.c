/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_caches.c - time is of the caches that rows ran on: of CPUs that are declared to have some. */
#include <cgtopdown/kern.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig.h"

#define CACHES 2
#define PARTS (CACHES + 1)

static uint8_t *cache_of; /* owned */

static int free_all(void **state)
{
	int result = free_rig(state);

	free(cache_of);
	cache_of = NULL;
	return result;
}

/* The first CPU has a cache, the second another one; of further ones it is not known. */
static struct rig *make_caches(void **state)
{
	struct rig *rig = make_rig(state, "sim");

	cache_of = calloc((size_t)rig->cpus, sizeof(*cache_of));
	assert_non_null(cache_of);
	for (int cpu = 0; cpu < rig->cpus; cpu++)
		cache_of[cpu] = (uint8_t)(cpu < CACHES ? cpu : CACHES);
	rig->options.caches.count = CACHES;
	rig->options.cache_of = cache_of;
	return rig;
}

static void assert_divided(const struct ctd_snapshot *snapshot)
{
	assert_int_equal(snapshot->caches.count, CACHES);
	for (size_t i = 0; i < snapshot->rows_count; i++) {
		uint64_t sum_ns = 0;

		for (int part = 0; part < PARTS; part++)
			sum_ns += snapshot->cache_ns[i * PARTS + (size_t)part];
		assert_int_equal(sum_ns, snapshot->rows[i].oncpu_ns);
	}
}

static void what_rows_have_of_all_caches_is_their_time(void **state)
{
	struct rig *rig = make_caches(state);

	rig_start(rig);
	rig_load(rig);
	for (int i = 0; i < 5; i++) {
		struct ctd_snapshot snapshot;

		rig_sleep_ms(50);
		rig_snapshot(rig, &snapshot);
		assert_divided(&snapshot);
		ctd_snapshot_free(&snapshot);
	}
}

/* @return the time of the cgroup's rows, all of it on the CPU's cache: its task was pinned before
 * it came into it. */
static uint64_t take_time_on(struct rig *rig, uint64_t cgroup_id, int cpu)
{
	struct ctd_snapshot snapshot;
	uint64_t oncpu_ns = 0;

	rig_snapshot(rig, &snapshot);
	assert_divided(&snapshot);
	for (size_t i = 0; i < snapshot.rows_count; i++) {
		if (snapshot.rows[i].cgroup_id != cgroup_id)
			continue;
		oncpu_ns += snapshot.rows[i].oncpu_ns;
		assert_int_equal(snapshot.cache_ns[i * PARTS + (size_t)cpu],
				 snapshot.rows[i].oncpu_ns);
	}
	ctd_snapshot_free(&snapshot);
	return oncpu_ns;
}

static void who_stays_on_a_cpu_runs_on_its_cache(void **state)
{
	struct rig *rig = make_caches(state);
	int cpu = rig->cpus > 1 && rig->online[1] ? 1 : 0;
	uint64_t oncpu_ns = 0;

	rig_start(rig);
	if (rig_fork(rig, 1, cpu)) {
		rig_give_way(rig);
		for (;;)
			rig_spin_ms(1);
	}
	for (int i = 0; i < 500 && oncpu_ns < 50000000; i++) {
		rig_sleep_ms(20);
		oncpu_ns = take_time_on(rig, rig->cgroup_ids[1], cpu);
	}
	assert_true(oncpu_ns >= 50000000);
}

/* The last rows of a cgroup leave the others with what is theirs. */
static void rows_that_are_gone_leave_the_others_as_they_were(void **state)
{
	struct rig *rig = make_caches(state);
	struct ctd_snapshot snapshot;

	rig_start(rig);
	rig_load(rig);
	rig_sleep_ms(50);
	rig_snapshot(rig, &snapshot);
	ctd_snapshot_free(&snapshot);
	rig_reap(rig, 0, true);
	for (int i = 0; i < 2; i++)
		rmdir(rig->cgroups[i]);
	for (int i = 0; i < 100 && !(rig->removed[0] && rig->removed[1]); i++) {
		rig_sleep_ms(20);
		rig_snapshot(rig, &snapshot);
		assert_divided(&snapshot);
		ctd_snapshot_free(&snapshot);
	}
	assert_true(rig->removed[0] && rig->removed[1]);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(what_rows_have_of_all_caches_is_their_time, free_all),
		cmocka_unit_test_teardown(who_stays_on_a_cpu_runs_on_its_cache, free_all),
		cmocka_unit_test_teardown(rows_that_are_gone_leave_the_others_as_they_were,
					  free_all),
	};

	return rig_run(tests, sizeof(tests) / sizeof(*tests), argc, argv);
}
