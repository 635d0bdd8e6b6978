/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_limits.c - figures of limits are those since we began, of either version of cgroups. */
#include "collect/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/auto.h"

#define SECOND_NS 1000000000ull

static char directory[] = "/tmp/ctd-limits-XXXXXX";
static struct ctd_identities *identities;
static struct ctd_limits limits;

static void put(const char *path, const char *text)
{
	char whole[256];
	autofclose FILE *file = NULL;

	snprintf(whole, sizeof(whole), "%s%s", directory, path);
	file = fopen(whole, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
}

static void make(uint64_t id, const char *path)
{
	char whole[256];

	snprintf(whole, sizeof(whole), "%s%s", directory, path);
	assert_int_equal(mkdir(whole, 0700), 0);
	assert_int_equal(ctd_identities_add(identities, id, path), 0);
}

static void put_stat(const char *path, int periods, int throttled, int throttled_us)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "usage_usec 1\nnr_periods %d\nnr_throttled %d\nthrottled_usec %d\nnr_bursts 0\n",
		 periods, throttled, throttled_us);
	put(path, text);
}

static int begin(void **state)
{
	struct ctd_cgroup_hierarchy hierarchy = {.v2 = true, .mounted_path = "/"};

	(void)state;
	strcpy(directory + sizeof(directory) - 7, "XXXXXX");
	assert_non_null(mkdtemp(directory));
	strcpy(hierarchy.mount, directory);
	put("/cgroup.controllers", "cpuset cpu memory\n");
	assert_int_equal(ctd_identities_new(&identities), 0);
	ctd_limits_open(&hierarchy, &limits);
	assert_true(limits.found);
	assert_true(limits.hierarchy.v2);
	make(5, "/web");
	put_stat("/web/cpu.stat", 10, 4, 3000);
	put("/web/cpu.max", "20000 100000\n");
	put("/web/cpu.weight", "79\n");
	return 0;
}

static int end(void **state)
{
	char command[64];

	(void)state;
	ctd_limits_close(&limits);
	ctd_identities_free(identities);
	snprintf(command, sizeof(command), "rm -r %s", directory);
	return system(command);
}

static struct ctd_throttlings read_at(uint64_t seconds)
{
	struct ctd_throttlings list;

	assert_int_equal(ctd_limits_read(&limits, identities, seconds * SECOND_NS, &list), 0);
	assert_true(ctd_throttlings_are_ordered(&list));
	return list;
}

static void totals_begin_with_us_and_with_a_cgroup_that_comes_later(void **state)
{
	struct ctd_throttlings list = read_at(1);

	(void)state;
	assert_int_equal(list.count, 1);
	assert_int_equal(list.items[0].cgroup_id, 5);
	assert_int_equal(list.items[0].periods, 0);
	assert_int_equal(list.items[0].limit_ns, 200000000);
	assert_int_equal(list.items[0].weight, 79);
	assert_int_equal(list.items[0].request_ns, 0);
	ctd_throttlings_free(&list);
	put_stat("/web/cpu.stat", 30, 14, 53000);
	make(3, "/late");
	put_stat("/late/cpu.stat", 2, 1, 9);
	put("/late/cpu.max", "max 100000\n");
	list = read_at(2);
	assert_int_equal(list.count, 2);
	assert_int_equal(list.items[0].cgroup_id, 3);
	assert_int_equal(list.items[0].periods, 2);
	assert_int_equal(list.items[0].throttled_ns, 9000);
	assert_int_equal(list.items[0].limit_ns, 0);
	assert_int_equal(list.items[1].periods, 20);
	assert_int_equal(list.items[1].throttled, 10);
	assert_int_equal(list.items[1].throttled_ns, 50000000);
	ctd_throttlings_free(&list);
}

static void a_cgroup_without_a_limit_has_no_figures_and_a_changed_limit_is_seen(void **state)
{
	struct ctd_throttlings list;

	(void)state;
	make(6, "/free");
	put_stat("/free/cpu.stat", 0, 0, 0);
	make(7, "/plain");
	put("/plain/cpu.stat", "usage_usec 7\nuser_usec 7\n");
	list = read_at(1);
	assert_int_equal(list.count, 1);
	ctd_throttlings_free(&list);
	put("/web/cpu.max", "50000 100000\n");
	list = read_at(2);
	assert_int_equal(list.items[0].limit_ns, 200000000);
	ctd_throttlings_free(&list);
	list = read_at(40);
	assert_int_equal(list.items[0].limit_ns, 500000000);
	ctd_throttlings_free(&list);
}

static void files_of_cgroups_that_are_gone_are_closed(void **state)
{
	struct ctd_throttlings list;

	(void)state;
	for (int i = 0; i < 200; i++) {
		char path[32], file[64];

		snprintf(path, sizeof(path), "/c%d", i);
		make(1000 + (uint64_t)i, path);
		snprintf(file, sizeof(file), "%s/cpu.stat", path);
		put_stat(file, 1, 0, 0);
	}
	list = read_at(1);
	assert_int_equal(list.count, 201);
	assert_int_equal(limits.open_count, 201);
	ctd_throttlings_free(&list);
	for (uint64_t i = 0; i < 200; i++)
		ctd_identities_remove(identities, 1000 + i);
	list = read_at(2);
	assert_int_equal(list.count, 1);
	assert_int_equal(limits.open_count, 1);
	assert_int_equal(limits.followed.count, 1);
	ctd_throttlings_free(&list);
}

static void no_more_files_are_open_than_may_be(void **state)
{
	struct ctd_throttlings list;

	(void)state;
	limits.open_max = 1;
	make(6, "/second");
	put_stat("/second/cpu.stat", 1, 0, 0);
	list = read_at(1);
	assert_int_equal(list.count, 1);
	assert_int_equal(limits.open_count, 1);
	assert_true(limits.told);
	ctd_throttlings_free(&list);
	limits.open_max = 2;
	/* It is tried again, not at once. */
	list = read_at(10);
	assert_int_equal(list.count, 2);
	ctd_throttlings_free(&list);
}

static void version_1_has_other_files_and_tells_what_a_pod_requests(void **state)
{
	static const char path[] = "/pod11112222-3333-4444-5555-666677778888";
	struct ctd_throttlings list;
	char file[128];

	(void)state;
	limits.hierarchy.v2 = false;
	make(9, "/kubepods");
	make(8, "/kubepods/pod11112222-3333-4444-5555-666677778888");
	snprintf(file, sizeof(file), "/kubepods%s/cpu.stat", path);
	put(file, "nr_periods 4\nnr_throttled 3\nthrottled_time 12345\n");
	snprintf(file, sizeof(file), "/kubepods%s/cpu.cfs_quota_us", path);
	put(file, "150000\n");
	snprintf(file, sizeof(file), "/kubepods%s/cpu.cfs_period_us", path);
	put(file, "100000\n");
	snprintf(file, sizeof(file), "/kubepods%s/cpu.shares", path);
	put(file, "256\n");
	put("/web/cpu.shares", "1024\n");
	put("/web/cpu.cfs_quota_us", "-1\n");
	put("/web/cpu.cfs_period_us", "100000\n");
	list = read_at(1);
	assert_int_equal(list.count, 2);
	assert_int_equal(list.items[0].cgroup_id, 5);
	assert_int_equal(list.items[0].limit_ns, 0);
	assert_int_equal(list.items[0].request_ns, 0);
	assert_int_equal(list.items[1].limit_ns, 1500000000);
	assert_int_equal(list.items[1].request_ns, 250000000);
	ctd_throttlings_free(&list);
	snprintf(file, sizeof(file), "/kubepods%s/cpu.stat", path);
	put(file, "nr_periods 5\nnr_throttled 4\nthrottled_time 22345\n");
	list = read_at(2);
	assert_int_equal(list.items[1].throttled_ns, 10000);
	ctd_throttlings_free(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			totals_begin_with_us_and_with_a_cgroup_that_comes_later, begin, end),
		cmocka_unit_test_setup_teardown(
			a_cgroup_without_a_limit_has_no_figures_and_a_changed_limit_is_seen, begin,
			end),
		cmocka_unit_test_setup_teardown(files_of_cgroups_that_are_gone_are_closed, begin,
						end),
		cmocka_unit_test_setup_teardown(no_more_files_are_open_than_may_be, begin, end),
		cmocka_unit_test_setup_teardown(
			version_1_has_other_files_and_tells_what_a_pod_requests, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
