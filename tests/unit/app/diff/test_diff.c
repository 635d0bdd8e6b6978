/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_diff.c - of two recordings, or times of a history, what changed is what was put there. */
#include "app/options/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "history/segment.h"
#include "serve/history/keeper.h"
#include "unit/history/made.h"
#include "unit/pmu/capture.h"
#include "unit/snapshot/recording.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

struct shown {
	int status;
	json_t *json; /* owned; NULL: nothing was shown */
	struct capture said;
};

static struct shown show(const struct ctd_options *options)
{
	struct shown shown;
	struct capture printed;
	char *text;

	capture_begin_on(&printed, stdout);
	capture_begin(&shown.said);
	shown.status = ctd_report_main(options);
	capture_end(&shown.said);
	text = capture_take(&printed);
	shown.json = json_loads(text, 0, NULL);
	free(text);
	return shown;
}

static const json_t *row_of(const struct shown *shown, const char *name)
{
	const json_t *rows = json_object_get(shown->json, "rows");

	for (size_t i = 0; i < json_array_size(rows); i++) {
		const json_t *row = json_array_get(rows, i);

		if (strcmp(json_string_value(json_object_get(row, "name")), name) == 0)
			return row;
	}
	fail_msg("there is no row %s", name);
	return NULL;
}

static void change_is(const json_t *change, double before, double after, bool noise)
{
	static const char *const keys[] = {"before", "after", "change"};
	const double wanted[] = {before, after, after - before};

	for (int i = 0; i < 3; i++) {
		double is = json_number_value(json_object_get(change, keys[i]));

		if (!(fabs(is - wanted[i]) < 2e-6))
			fail_msg("%s: %f, not %f", keys[i], is, wanted[i]);
	}
	/* Of what nothing is known it is null. */
	assert_int_equal(!json_is_false(json_object_get(change, "noise")), noise);
}

static const json_t *metric(const json_t *row, const char *name)
{
	return json_object_get(json_object_get(row, "metrics"), name);
}

/*
 * Of a container "web", whose cgroup has that id, and a cgroup beside it that does always the same.
 * In each of @p seconds the container has a CPU for @p cpu_ns, and of its slots @p percent retire;
 * all others wait for the back end.
 */
static struct memory_file record(uint64_t cgroup_id, uint64_t seconds, uint64_t cpu_ns,
				 uint64_t percent)
{
	static const char pairs[] = "container\0web";
	struct memory_file file = memory_file_new();
	struct ctd_record_header header = made_header();
	struct ctd_record_name web = {.cgroup_id = cgroup_id, .text = "/docker/" ID},
			       same = {.cgroup_id = 3, .text = "/same"};
	struct ctd_record_facts facts = {
		.cgroup_id = cgroup_id, .pairs = pairs, .bytes = sizeof(pairs)};
	struct ctd_record_writer *writer;

	assert_true(ctd_record_create(file.path, &header, &writer) >= 0);
	ctd_record_write_name(writer, &same);
	ctd_record_write_name(writer, &web);
	ctd_record_write_facts(writer, &facts);
	for (uint64_t i = 0; i <= seconds; i++) {
		struct ctd_snapshot_row rows[] = {
			{.kind = CTD_ROW_CGROUP,
			 .cgroup_id = 3,
			 .oncpu_ns = i * 100000000,
			 .running_ns = i * 100000000,
			 .count = {i * 1000, i * 250, i * 250, i * 250, i * 250}},
			{.kind = CTD_ROW_CGROUP,
			 .cgroup_id = cgroup_id,
			 .oncpu_ns = i * cpu_ns,
			 .running_ns = i * cpu_ns,
			 .count = {i * 10000, i * 100 * percent, 0, 0, i * 100 * (100 - percent)}},
		};
		struct ctd_snapshot_cpu cpu = {.online = 1, .total = {i * 11000}};
		struct ctd_snapshot snapshot = {
			.sequence = i + 1,
			.realtime_ns = MADE_BEGIN_NS + i * MADE_S,
			.monotonic_ns = (i + 1) * MADE_S,
			.counters_count = MADE_COUNTERS,
			.groups_count = 1,
			.rows = rows,
			.rows_count = 2,
			.cpus = &cpu,
			.cpus_count = 1,
		};

		ctd_record_write_snapshot(writer, &snapshot);
	}
	assert_int_equal(ctd_record_close(writer), 0);
	return file;
}

static struct ctd_options options_of(const char *base, const char *file)
{
	return (struct ctd_options){.format = "jsonl",
				    .colour = "never",
				    .by = CTD_GROUP_CONTAINER,
				    .no_sandbox = true,
				    .file = file,
				    .report = {.base = base}};
}

static void a_container_that_was_made_anew_is_compared_with_itself(void **state)
{
	struct memory_file old = record(7, 30, 500000000, 50), new = record(9, 8, 750000000, 40);
	struct ctd_options options = options_of(old.path, new.path);
	struct shown shown = show(&options);
	const json_t *row;

	(void)state;
	assert_int_equal(shown.status, 0);
	assert_string_equal(shown.said.text, "");
	assert_int_equal(json_array_size(json_object_get(shown.json, "rows")), 2);
	row = json_array_get(json_object_get(shown.json, "rows"), 0);
	assert_string_equal(json_string_value(json_object_get(row, "name")), "web");
	assert_false(json_is_true(json_object_get(row, "noise")));
	change_is(json_object_get(row, "cpu"), 0.5, 0.75, false);
	change_is(metric(row, "retiring"), 0.5, 0.4, false);
	change_is(metric(row, "backend_bound"), 0.5, 0.6, false);
	change_is(metric(row, "bad_speculation"), 0, 0, true);
	/* 0.3 - 0.25 retire, 0.45 - 0.25 wait for the back end. */
	assert_true(fabs(json_number_value(json_object_get(row, "moved")) - 0.25) < 1e-6);
	row = row_of(&shown, "/same");
	assert_true(json_is_true(json_object_get(row, "noise")));
	change_is(json_object_get(row, "cpu"), 0.1, 0.1, true);
	change_is(metric(row, "retiring"), 0.25, 0.25, true);
	/* Thirty intervals are cut into twenty, and eight are eight. */
	assert_int_equal(json_integer_value(json_object_get(json_object_get(shown.json, "before"),
							    "segments")),
			 20);
	assert_int_equal(json_integer_value(
				 json_object_get(json_object_get(shown.json, "after"), "segments")),
			 8);
	json_decref(shown.json);
	close(old.fd);
	close(new.fd);
}

static void of_one_interval_nothing_is_known_of_chance(void **state)
{
	struct memory_file old = record(7, 30, 500000000, 50), new = record(9, 1, 750000000, 40);
	struct ctd_options options = options_of(old.path, new.path);
	struct shown shown = show(&options);
	const json_t *cpu = json_object_get(row_of(&shown, "web"), "cpu");

	(void)state;
	change_is(cpu, 0.5, 0.75, true);
	assert_true(json_is_null(json_object_get(cpu, "standard_error")));
	assert_true(json_is_null(json_object_get(cpu, "limit")));
	assert_true(json_is_null(json_object_get(cpu, "noise")));
	json_decref(shown.json);
	close(old.fd);
	close(new.fd);
}

/* What came before is whole, and the exit status says that it is not all. */
static void a_recording_that_is_cut_off_is_compared_up_to_there(void **state)
{
	struct memory_file old = record(7, 30, 500000000, 50), new = record(9, 8, 750000000, 40);
	struct ctd_options options = options_of(old.path, new.path);
	struct shown shown;

	(void)state;
	assert_int_equal(ftruncate(old.fd, (off_t)memory_file_bytes(&old) - 5), 0);
	shown = show(&options);
	assert_int_equal(shown.status, 1);
	assert_non_null(strstr(shown.said.text, "cut off"));
	/* Said once, though it is read twice. */
	assert_null(strstr(strstr(shown.said.text, "cut off") + 1, "cut off"));
	change_is(json_object_get(row_of(&shown, "web"), "cpu"), 0.5, 0.75, false);
	json_decref(shown.json);
	assert_int_equal(ftruncate(old.fd, 100), 0);
	shown = show(&options);
	assert_int_equal(shown.status, 1);
	assert_null(shown.json);
	close(old.fd);
	close(new.fd);
}

/* One cgroup, that has a CPU for @p cpu_ns of this second. */
static struct ctd_interval step(uint64_t second, uint64_t cpu_ns)
{
	struct ctd_interval interval = made_interval(second, 0);
	struct ctd_interval_row *row = &interval.rows[0];

	*row = (struct ctd_interval_row){
		.kind = CTD_ROW_CGROUP,
		.cgroup_id = 5,
		.oncpu_ns = cpu_ns,
		.running_ns = cpu_ns,
		.raw = row->raw,
		.count = row->count,
		.group_ns = row->group_ns,
		.count_ns = row->count_ns,
	};
	row->group_ns[0] = row->count_ns[0] = cpu_ns;
	interval.rows_count = 1;
	return interval;
}

static void fill(const char *directory, uint64_t seconds, uint64_t change_at)
{
	const struct ctd_record_header header = made_header();
	struct ctd_segment_writer writer = {0};
	struct ctd_keeper keeper;
	struct ctd_strbuf text = {0};

	ctd_keeper_init(directory, 64 << 20, &keeper);
	assert_int_equal(ctd_segment_begin(&writer, &header, &text), 0);
	for (uint64_t second = 1; second <= seconds; second++) {
		struct ctd_interval interval =
			step(second, second <= change_at ? 250000000 : 800000000);

		assert_int_equal(ctd_segment_write_interval(&writer, &interval), 0);
		assert_int_equal(ctd_keeper_append(&keeper, second == 1, 1,
						   interval.realtime_ns - interval.window_ns,
						   interval.realtime_ns, text.text, text.bytes),
				 0);
		ctd_interval_free(&interval);
		text.bytes = 0;
	}
	ctd_segment_end(&writer);
	ctd_strbuf_free(&text);
	ctd_keeper_close(&keeper);
}

static void clear(const char *directory)
{
	DIR *opened = opendir(directory);
	const struct dirent *entry;

	assert_non_null(opened);
	while ((entry = readdir(opened)))
		unlinkat(dirfd(opened), entry->d_name, 0);
	closedir(opened);
	assert_int_equal(rmdir(directory), 0);
}

/* @p half: half a second past, where a step has its middle. */
static struct shown compare_times(const char *directory, int base, int since, int until, bool half)
{
	struct ctd_options options;
	struct shown shown;
	char text[32];

	snprintf(text, sizeof(text), "@%llu", MADE_BEGIN_NS / MADE_S + (unsigned)base);
	options = options_of(text, directory);
	options.by = CTD_GROUP_CGROUP;
	options.report.since_ns = MADE_BEGIN_NS + (unsigned)since * MADE_S + half * MADE_S / 2;
	options.report.until_ns = MADE_BEGIN_NS + (unsigned)until * MADE_S;
	shown = show(&options);
	return shown;
}

static void times_of_a_history_are_compared_and_no_step_is_in_both(void **state)
{
	char directory[] = "/dev/shm/ctd-diff-XXXXXX";
	struct shown shown;

	(void)state;
	assert_non_null(mkdtemp(directory));
	fill(directory, 100, 50);
	shown = compare_times(directory, 10, 50, 90, false);
	assert_int_equal(shown.status, 0);
	change_is(json_object_get(row_of(&shown, "cgroup:5"), "cpu"), 0.25, 0.8, false);
	json_decref(shown.json);
	/* What is before ends where what is after begins, though as long a time would be longer.
	 * The step from 50 to 51 has its middle there, and is after. */
	shown = compare_times(directory, 40, 50, 90, true);
	change_is(json_object_get(row_of(&shown, "cgroup:5"), "cpu"), 0.25, 0.8, false);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(shown.json, "before"),
							    "segments")),
			 10);
	json_decref(shown.json);
	/* Half of what is before had changed already. */
	shown = compare_times(directory, 40, 60, 90, false);
	change_is(json_object_get(row_of(&shown, "cgroup:5"), "cpu"), 0.525, 0.8, false);
	json_decref(shown.json);
	shown = compare_times(directory, 60, 80, 100, false);
	assert_int_equal(shown.status, 0);
	change_is(json_object_get(row_of(&shown, "cgroup:5"), "cpu"), 0.8, 0.8, true);
	json_decref(shown.json);
	shown = compare_times(directory, 150, 200, 250, false);
	assert_int_equal(shown.status, 1);
	assert_non_null(strstr(shown.said.text, "nothing of that time is in"));
	assert_null(shown.json);
	shown = compare_times(directory, 60, 50, 250, false);
	assert_int_equal(shown.status, 1);
	assert_non_null(strstr(shown.said.text, "--diff is to be a time before --since"));
	clear(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_container_that_was_made_anew_is_compared_with_itself),
		cmocka_unit_test(of_one_interval_nothing_is_known_of_chance),
		cmocka_unit_test(a_recording_that_is_cut_off_is_compared_up_to_there),
		cmocka_unit_test(times_of_a_history_are_compared_and_no_step_is_in_both),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
