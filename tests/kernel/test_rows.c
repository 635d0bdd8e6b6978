/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_rows.c - a row lives until its last figures are out, and nothing of it lives on. */
#include <cgtopdown/interval.h>
#include <cgtopdown/kern.h>

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "rig.h"

static void a_row_shrinks_by_none_of_its_cpus(void **state)
{
	struct rig *rig = make_rig(state, "software:5");
	struct ctd_snapshot snapshot;
	uint64_t oncpu_ns;

	rig_start(rig);
	/* On each CPU in turn, so that the rows of the first stand still long before the last. */
	for (int cpu = 0; cpu < rig->cpus && cpu < 4; cpu++) {
		if (rig_fork(rig, 0, cpu)) {
			rig_spin_ms(20);
			_exit(0);
		}
		rig_reap(rig, 0, false);
		rig_watch(rig, 3, 1);
	}
	rig_snapshot(rig, &snapshot);
	rig_assert_usage(rig, &snapshot, 0);
	oncpu_ns = rig_row(&snapshot, rig->cgroup_ids[0]).oncpu_ns;
	ctd_snapshot_free(&snapshot);
	if (rig_fork(rig, 0, rig->cpus - 1)) {
		rig_spin_in_parts(4, 5);
		_exit(0);
	}
	rig_reap(rig, 0, false);
	assert_int_equal(rmdir(rig->cgroups[0]), 0);
	/* The snapshot with its last figures, and the one after which it is forgotten. */
	rig_snapshot(rig, &snapshot);
	assert_true(rig_row(&snapshot, rig->cgroup_ids[0]).oncpu_ns > oncpu_ns);
	oncpu_ns = rig_row(&snapshot, rig->cgroup_ids[0]).oncpu_ns;
	assert_false(rig->removed[0]);
	ctd_snapshot_free(&snapshot);
	rig_snapshot(rig, &snapshot);
	assert_int_equal(rig_row(&snapshot, rig->cgroup_ids[0]).slices, 0);
	assert_true(rig->removed[0]);
	rig_assert_conserved(&snapshot);
	ctd_snapshot_free(&snapshot);
}

/* Without memory there may be several in turn that cannot be used. */
static void a_row_stays_until_a_snapshot_that_has_it_is_of_use(void **state)
{
	struct rig *rig = make_rig(state, "sim");
	struct ctd_snapshot before, after;
	struct ctd_interval interval;
	uint64_t oncpu_ns = 0;

	rig_start(rig);
	rig_snapshot(rig, &before);
	if (rig_fork(rig, 0, -1)) {
		rig_spin_in_parts(4, 5);
		_exit(0);
	}
	rig_reap(rig, 0, false);
	assert_int_equal(rmdir(rig->cgroups[0]), 0);
	for (int i = 0; i < 4; i++) {
		rig_snapshot(rig, &after);
		if (!i)
			oncpu_ns = rig_row(&after, rig->cgroup_ids[0]).oncpu_ns;
		assert_true(oncpu_ns > 0);
		assert_int_equal(rig_row(&after, rig->cgroup_ids[0]).oncpu_ns, oncpu_ns);
		assert_false(rig->removed[0]);
		if (i == 3)
			break;
		ctd_snapshot_free(&after);
		ctd_kern_keep(rig->kern);
	}
	assert_int_equal(ctd_interval_make(&before, &after, NULL, &interval), 0);
	for (uint32_t i = 0; i < interval.counters_count; i++)
		assert_int_equal(interval.totals[0].residual[i], 0);
	ctd_interval_free(&interval);
	ctd_snapshot_free(&before);
	ctd_snapshot_free(&after);
	rig_snapshot(rig, &after);
	assert_int_equal(rig_row(&after, rig->cgroup_ids[0]).slices, 0);
	assert_true(rig->removed[0]);
	rig_assert_conserved(&after);
	ctd_snapshot_free(&after);
}

static void a_forgotten_cgroup_that_runs_again_has_a_new_row(void **state)
{
	struct rig *rig = make_rig(state, "sim");
	struct ctd_snapshot snapshot;

	rig_start(rig);
	for (int round = 0; round < 2; round++) {
		uint64_t began_ns = rig_now_ns(), lived_ns;

		if (rig_fork(rig, 0, -1)) {
			rig_spin_ms(round ? 5 : 50);
			_exit(0);
		}
		rig_reap(rig, 0, false);
		rig_snapshot(rig, &snapshot);
		/* No more than its task can have had: the second time, nothing of the first. */
		lived_ns = rig_now_ns() - began_ns;
		assert_in_range(rig_row(&snapshot, rig->cgroup_ids[0]).oncpu_ns +
					rig_lost_ns(&snapshot),
				1, lived_ns + rig_lost_ns(&snapshot));
		ctd_snapshot_free(&snapshot);
		/* It is there, but the programs cannot know better. */
		assert_int_equal(ctd_kern_forget(rig->kern, rig->cgroup_ids[0]), 0);
		rig->removed[0] = false;
		rig_watch(rig, 3, 1);
		assert_true(rig->removed[0]);
		rig_snapshot(rig, &snapshot);
		assert_int_equal(rig_row(&snapshot, rig->cgroup_ids[0]).slices, 0);
		ctd_snapshot_free(&snapshot);
	}
}

/* More than in its first life, so that no total shrinks. */
static void what_a_row_had_before_it_was_freed_is_not_taken_from_its_next_life(void **state)
{
	struct rig *rig = make_rig(state, "sim");
	struct ctd_snapshot before, after;
	struct ctd_interval interval;
	uint64_t oncpu_ns = 0, lost_ns;

	rig_start(rig);
	for (int round = 0; round < 2; round++) {
		if (rig_fork(rig, 0, -1)) {
			for (int part = 1; part <= 6; part++) {
				while (clock() < part * (round ? 2 : 1) * CLOCKS_PER_SEC / 100)
					;
				rig_sleep_ms(1);
			}
			_exit(0);
		}
		rig_reap(rig, 0, false);
		if (round)
			break;
		rig_snapshot(rig, &before);
		assert_true(rig_row(&before, rig->cgroup_ids[0]).slices > 0);
		ctd_snapshot_free(&before);
		assert_int_equal(ctd_kern_forget(rig->kern, rig->cgroup_ids[0]), 0);
		rig_snapshot(rig, &before);
		assert_int_equal(rig_row(&before, rig->cgroup_ids[0]).slices, 0);
		rig_assert_conserved(&before);
	}
	rig_snapshot(rig, &after);
	lost_ns = rig_lost_ns(&after) - rig_lost_ns(&before);
	assert_int_equal(ctd_interval_make(&before, &after, NULL, &interval), 0);
	for (size_t i = 0; i < interval.rows_count; i++) {
		if (interval.rows[i].cgroup_id == rig->cgroup_ids[0])
			oncpu_ns = interval.rows[i].oncpu_ns;
	}
	assert_true(oncpu_ns + lost_ns > 110000000);
	for (uint32_t i = 0; i < interval.counters_count; i++)
		assert_int_equal(interval.totals[0].residual[i], 0);
	ctd_interval_free(&interval);
	ctd_snapshot_free(&before);
	ctd_snapshot_free(&after);
}

/* Cgroups of a tenant: so deep that no walk from the inside out would find whose they are. */
#define TENANT_DEPTH 24
#define TENANT_CGROUPS 300

static int told_of_tenants;

static void count_tenants(uint64_t cgroup_id, uint64_t rows, void *context)
{
	const struct rig *rig = context;

	assert_int_equal(cgroup_id, rig->cgroup_ids[0]);
	assert_in_range(rows, 1, rig->options.rows_max / 2);
	told_of_tenants++;
}

/* Each runs for a moment: on one CPU, or where the kernel put the process before. */
static void run_in_all(const char *deep)
{
	char path[PATH_MAX];

	for (int i = 0; i < TENANT_CGROUPS; i++) {
		FILE *file;

		snprintf(path, sizeof(path), "%s/%d", deep, i);
		if (mkdir(path, 0755))
			_exit(1);
		strcat(path, "/cgroup.procs");
		file = fopen(path, "we");
		if (!file || fprintf(file, "0") < 0 || fclose(file))
			_exit(1);
		/* Nothing is charged to a slice that ends before another one has run. */
		rig_sleep_ms(1);
	}
}

static void remove_all(char *deep, size_t top_bytes)
{
	char path[PATH_MAX];

	for (int i = 0; i < TENANT_CGROUPS; i++) {
		snprintf(path, sizeof(path), "%s/%d", deep, i);
		rmdir(path);
	}
	while (strlen(deep) > top_bytes) {
		rmdir(deep);
		*strrchr(deep, '/') = '\0';
	}
}

static size_t count_cgroup_rows(const struct ctd_snapshot *snapshot)
{
	size_t count = 0;

	for (size_t i = 0; i < snapshot->rows_count; i++)
		count += snapshot->rows[i].kind == CTD_ROW_CGROUP;
	return count;
}

static uint64_t sum_health(const struct ctd_snapshot *snapshot, enum ctd_health counter)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < snapshot->cpus_count; i++)
		sum += snapshot->cpus[i].health[counter];
	return sum;
}

static void a_tenant_has_no_more_rows_than_are_free(void **state)
{
	struct rig *rig = make_rig(state, "sim");
	struct ctd_snapshot snapshot;
	size_t top_bytes = strlen(rig->cgroups[0]), rows;
	char deep[PATH_MAX];

	told_of_tenants = 0;
	rig->options.rows_max = 256;
	rig->options.tenant_notice = count_tenants;
	strcpy(deep, rig->cgroups[0]);
	for (int i = 0; i < TENANT_DEPTH; i++) {
		strcat(deep, "/d");
		assert_int_equal(mkdir(deep, 0755), 0);
	}
	assert_int_equal(ctd_kern_load(&rig->options, &rig->kern), 0);
	assert_int_equal(ctd_kern_add_tenant(rig->kern, rig->cgroup_ids[0]), 0);
	assert_int_equal(ctd_kern_attach(rig->kern), 0);
	for (int round = 0; round < 2; round++) {
		if (rig_fork(rig, 0, -1)) {
			run_in_all(deep);
			_exit(0);
		}
		rig_reap(rig, 0, false);
		/* Another one finds a row all the same. */
		if (rig_fork(rig, 1, -1)) {
			rig_spin_in_parts(4, 5);
			_exit(0);
		}
		rig_reap(rig, 0, false);
		rig_snapshot(rig, &snapshot);
		rig_assert_conserved(&snapshot);
		assert_false(ctd_kern_is_full(rig->kern));
		assert_true(sum_health(&snapshot, CTD_HEALTH_REFUSED_ROWS) > 0);
		assert_true(sum_health(&snapshot, CTD_HEALTH_LOST_ROWS) > 0);
		assert_true(rig_row(&snapshot, rig->cgroup_ids[1]).oncpu_ns > 0);
		rows = count_cgroup_rows(&snapshot);
		ctd_snapshot_free(&snapshot);
		assert_int_equal(told_of_tenants, 1);
		remove_all(deep, strlen(deep));
		/* What has gone gives its rows back, in the second round as in the first. */
		for (int i = 0; i < 3; i++) {
			rig_snapshot(rig, &snapshot);
			assert_true(i < 2 || count_cgroup_rows(&snapshot) < rows - 20);
			ctd_snapshot_free(&snapshot);
		}
	}
	remove_all(deep, top_bytes);
}

/* In the newest cgroup of the tenant, on one CPU: each sleep is a switch, and each is charged. */
static void sleep_often(const char *path)
{
	char procs[PATH_MAX];
	FILE *file;

	rig_pin(0);
	snprintf(procs, sizeof(procs), "%s/cgroup.procs", path);
	file = fopen(procs, "we");
	if (!file || fprintf(file, "0") < 0 || fclose(file))
		_exit(1);
	for (int i = 0; i < 200; i++)
		usleep(100);
}

static void what_was_refused_asks_again_in_the_next_epoch_only(void **state)
{
	struct rig *rig = make_rig(state, "sim");
	struct ctd_snapshot before, after;
	char path[PATH_MAX], filler[PATH_MAX];
	uint64_t cgroup_id;

	rig->options.rows_max = 64;
	assert_int_equal(ctd_kern_load(&rig->options, &rig->kern), 0);
	assert_int_equal(ctd_kern_add_tenant(rig->kern, rig->cgroup_ids[0]), 0);
	assert_int_equal(ctd_kern_attach(rig->kern), 0);
	strcpy(filler, rig->cgroups[0]);
	strcat(filler, "/filler");
	assert_int_equal(mkdir(filler, 0755), 0);
	snprintf(path, sizeof(path), "%s/late", rig->cgroups[0]);
	assert_int_equal(mkdir(path, 0755), 0);
	assert_int_equal(ctd_cgroup_id_of(path, &cgroup_id), 0);
	if (rig_fork(rig, 0, -1)) {
		run_in_all(filler);
		_exit(0);
	}
	rig_reap(rig, 0, false);
	rig_snapshot(rig, &before);
	for (int round = 0; round < 2; round++) {
		uint64_t asked = sum_health(&before, CTD_HEALTH_REFUSED_ROWS);
		uint64_t charged = sum_health(&before, CTD_HEALTH_LOST_ROWS);

		if (rig_fork(rig, 1, 0)) {
			sleep_often(path);
			_exit(0);
		}
		rig_reap(rig, 0, false);
		rig_snapshot(rig, &after);
		rig_assert_conserved(&after);
		assert_true(sum_health(&after, CTD_HEALTH_LOST_ROWS) > charged + 150);
		/* In this epoch and, at its end, in the next. */
		assert_in_range(sum_health(&after, CTD_HEALTH_REFUSED_ROWS) - asked, 1, 2);
		assert_int_equal(rig_row(&after, cgroup_id).slices, 0);
		ctd_snapshot_free(&before);
		before = after;
	}
	remove_all(filler, strlen(rig->cgroups[0]));
	ctd_snapshot_free(&before);
	for (int i = 0; i < 3; i++) {
		rig_snapshot(rig, &after);
		ctd_snapshot_free(&after);
	}
	if (rig_fork(rig, 1, 0)) {
		sleep_often(path);
		_exit(0);
	}
	rig_reap(rig, 0, false);
	rig_snapshot(rig, &after);
	assert_true(rig_row(&after, cgroup_id).slices > 150);
	ctd_snapshot_free(&after);
	rmdir(path);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_row_shrinks_by_none_of_its_cpus, free_rig),
		cmocka_unit_test_teardown(a_row_stays_until_a_snapshot_that_has_it_is_of_use,
					  free_rig),
		cmocka_unit_test_teardown(a_forgotten_cgroup_that_runs_again_has_a_new_row,
					  free_rig),
		cmocka_unit_test_teardown(a_tenant_has_no_more_rows_than_are_free, free_rig),
		cmocka_unit_test_teardown(what_was_refused_asks_again_in_the_next_epoch_only,
					  free_rig),
		cmocka_unit_test_teardown(
			what_a_row_had_before_it_was_freed_is_not_taken_from_its_next_life,
			free_rig),
	};

	return rig_run(tests, sizeof(tests) / sizeof(*tests), argc, argv);
}
