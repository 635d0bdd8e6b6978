/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_history.c - what cannot be kept of a history costs nothing else. */
#include "serve/history/history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../history/folder.h"
#include "../../history/made.h"
#include "base/auto.h"
#include "history/parts.h"
#include "history/segment.h"

/* A plan with as many counts as there may be, and an interval with too many rows of it: its segment
 * is begun, and it cannot be written. */
static void enter_too_large(struct ctd_history *history, const struct ctd_identities *identities)
{
	struct ctd_record_header header = made_header();
	struct ctd_interval interval = {.realtime_ns = MADE_BEGIN_NS, .window_ns = MADE_S / 2};

	header.counters_count = interval.counters_count = CTD_COUNTERS_MAX;
	header.groups_count = interval.groups_count = CTD_GROUPS_MAX;
	ctd_history_replan(history, &header, identities);
	assert_int_equal(
		ctd_interval_reserve(&interval, CTD_ROW_FIGURES_MAX / (2 * CTD_COUNTS_MAX)), 0);
	assert_int_equal(ctd_interval_reserve_totals(&interval), 0);
	interval.rows_count = CTD_ROW_FIGURES_MAX / (2 * CTD_COUNTS_MAX);
	for (uint64_t i = 0; i < interval.rows_count; i++)
		interval.rows[i].cgroup_id = 1 + i;
	/* The first half of a second, which waits for the other one. */
	ctd_history_enter(history, &interval, false, identities);
	ctd_interval_free(&interval);
}

/* @return how many intervals are in the only part of the directory, which has no damage. */
static int count_intervals(const char *path)
{
	autoclose int directory_fd = open(path, O_RDONLY | O_DIRECTORY), fd = -1;
	char name[CTD_PART_NAME_BYTES];
	struct ctd_segment_damage damage;
	struct ctd_segment_reader reader;
	struct ctd_record_interval coded;
	struct ctd_strbuf data = {0};
	struct ctd_part *parts;
	size_t parts_count;
	int count = 0;

	assert_int_equal(ctd_parts_list(directory_fd, &parts, &parts_count), 0);
	assert_int_equal(parts_count, 1);
	ctd_part_name(&parts[0], name);
	fd = openat(directory_fd, name, O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(ctd_part_read(fd, &data), 0);
	assert_int_equal(ctd_segment_open(data.text, data.bytes, NULL, &reader, &damage), 0);
	assert_string_equal(damage.why, "");
	while (ctd_segment_next(&reader, &coded) > 0)
		count++;
	ctd_segment_close(&reader);
	ctd_strbuf_free(&data);
	free(parts);
	return count;
}

static void the_next_plan_begins_anew_where_the_last_sum_was_lost(void **state)
{
	const struct ctd_record_header header = made_header();
	struct ctd_interval interval = made_interval(2, 3);
	struct ctd_history_options options = {.bytes_max = 1 << 20, .interval_ns = MADE_S};
	struct ctd_identities *identities;
	struct ctd_history *history;
	char path[FOLDER_PATH_BYTES];

	(void)state;
	folder_make(path);
	options.directory = path;
	assert_int_equal(ctd_identities_new(&identities), 0);
	assert_int_equal(ctd_history_new(&options, &history), 0);
	enter_too_large(history, identities);
	ctd_history_replan(history, &header, identities);
	ctd_history_enter(history, &interval, false, identities);
	ctd_history_free(history, identities);
	assert_int_equal(count_intervals(path), 1);
	ctd_interval_free(&interval);
	ctd_identities_free(identities);
	folder_remove(path);
}

/* As metrics tell it. */
static struct ctd_self told_by(struct ctd_history *history)
{
	struct ctd_self self = {0};

	ctd_history_tell(history, &self);
	return self;
}

static void enter(struct ctd_history *history, struct ctd_identities *identities, uint64_t number,
		  size_t rows)
{
	struct ctd_interval interval = made_interval(number, rows);

	ctd_history_enter(history, &interval, false, identities);
	ctd_interval_free(&interval);
}

/* A file is where the directory should be. */
static void so_much_waits_for_a_disk_and_what_is_lost_is_counted(void **state)
{
	const struct ctd_record_header header = made_header();
	struct ctd_history_options options = {.bytes_max = 64 << 20, .interval_ns = MADE_S};
	char path[FOLDER_PATH_BYTES], directory[FOLDER_PATH_BYTES + 8];
	struct ctd_identities *identities;
	struct ctd_history *history;
	uint64_t entered = 0, lost = 0;

	(void)state;
	folder_make(path);
	snprintf(directory, sizeof(directory), "%s/here", path);
	close(open(directory, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	options.directory = directory;
	assert_int_equal(ctd_identities_new(&identities), 0);
	assert_int_equal(ctd_history_new(&options, &history), 0);
	while (!told_by(history).history_failing)
		usleep(1000);
	ctd_history_replan(history, &header, identities);
	/* 8 MB are some hundreds of these. */
	while (!lost && entered < 10000) {
		enter(history, identities, entered++, 1000);
		lost = told_by(history).history_lost_intervals;
	}
	assert_int_equal(lost, entered);
	assert_true(entered > 8);
	for (int i = 0; i < 3; i++)
		enter(history, identities, entered++, 10);
	assert_int_equal(told_by(history).history_lost_intervals, lost);
	/* What waits is written at the end at the latest. */
	assert_int_equal(unlink(directory), 0);
	assert_int_equal(mkdir(directory, 0700), 0);
	ctd_history_free(history, identities);
	assert_int_equal(count_intervals(directory), 3);
	ctd_identities_free(identities);
	folder_remove(directory);
	folder_remove(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_next_plan_begins_anew_where_the_last_sum_was_lost),
		cmocka_unit_test(so_much_waits_for_a_disk_and_what_is_lost_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
