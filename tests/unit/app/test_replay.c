/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_replay.c - a recording is shown up to where it ends, each plan of counters for itself. */
#include "app/options/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "unit/pmu/capture.h"
#include "unit/snapshot/recording.h"

struct shown {
	int status;
	int lines;
	json_t *line[4]; /* owned */
	struct capture said;
};

static void shown_free(struct shown *shown)
{
	for (int i = 0; i < shown->lines; i++)
		json_decref(shown->line[i]);
}

/* Shows the first @p bytes of a recording as jsonl. */
static struct shown show_as(const struct recording *recording, size_t bytes, enum ctd_group_by by,
			    const char *sort)
{
	struct ctd_options options = {
		.format = "jsonl", .sort = sort, .colour = "never", .no_sandbox = true, .by = by};
	struct memory_file file = memory_file_new();
	struct shown shown = {0};
	struct capture printed;
	char *text, *rest;

	assert_int_equal(write(file.fd, recording->data, bytes), bytes);
	options.file = file.path;
	capture_begin_on(&printed, stdout);
	capture_begin(&shown.said);
	shown.status = ctd_report_main(&options);
	capture_end(&shown.said);
	text = capture_take(&printed);
	close(file.fd);
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		assert_in_range(shown.lines, 0, 3);
		shown.line[shown.lines] = json_loads(line, 0, NULL);
		assert_non_null(shown.line[shown.lines++]);
	}
	free(text);
	return shown;
}

static struct shown show(const struct recording *recording, size_t bytes)
{
	return show_as(recording, bytes, CTD_GROUP_CGROUP, "cpu");
}

static const char *text_of(const json_t *line, const char *key)
{
	return json_string_value(json_object_get(line, key));
}

static void a_new_plan_begins_a_new_interval(void **state)
{
	struct recording recording = hybrid_recording();
	struct shown shown = show(&recording, recording.bytes);

	(void)state;
	assert_int_equal(shown.status, 0);
	assert_string_equal(shown.said.text, "");
	/* Four snapshots: not the time between the second and the third. */
	assert_int_equal(shown.lines, 2);
	for (int i = 0; i < 2; i++) {
		assert_true(json_number_value(json_object_get(shown.line[i], "window_s")) == 1);
		assert_string_equal(text_of(shown.line[i], "source"),
				    i ? "none" : "perf_metrics+atom");
	}
	assert_int_equal(json_array_size(json_object_get(shown.line[0], "cores")), 2);
	assert_null(json_object_get(shown.line[1], "cores"));
	shown_free(&shown);
	free(recording.data);
}

static void a_recording_cut_anywhere_shows_all_that_came_before(void **state)
{
	struct recording recording = hybrid_recording();
	int most = 0;

	(void)state;
	for (size_t bytes = 0; bytes < recording.bytes; bytes++) {
		struct shown shown = show(&recording, bytes);

		assert_true(shown.lines >= most && shown.lines <= most + 1);
		most = shown.lines;
		/* Between two blocks nobody can tell that there was more. */
		assert_true(shown.status == 1 || shown.lines > 0);
		assert_true(shown.status == 0 || strstr(shown.said.text, "cut off") ||
			    strstr(shown.said.text, "not a recording") ||
			    strstr(shown.said.text, "fewer than two"));
		shown_free(&shown);
	}
	assert_int_equal(most, 1);
	free(recording.data);
}

/* Three snapshots of two tasks of one process. */
static struct recording tasks_recording(bool tells_processes)
{
	struct ctd_record_header header = {
		.source = "none", .by = CTD_BY_TASK, .host = "host", .groups_count = 1};
	struct memory_file file = memory_file_new();
	struct ctd_record_writer *writer;

	assert_int_equal(ctd_record_create(file.path, &header, &writer), 0);
	for (uint64_t i = 1; i <= 3; i++) {
		struct ctd_snapshot_row rows[] = {
			{.kind = CTD_ROW_CGROUP, .cgroup_id = 7, .pid = 42, .oncpu_ns = i * 1000},
			{.kind = CTD_ROW_CGROUP, .cgroup_id = 7, .pid = 43, .oncpu_ns = i * 1000},
		};
		struct ctd_snapshot_cpu cpu = {.online = 1};
		struct ctd_snapshot snapshot = {
			.sequence = i,
			.realtime_ns = 1700000000000000000 + i * 1000000000,
			.monotonic_ns = i * 1000000000,
			.groups_count = 1,
			.rows = rows,
			.rows_count = 2,
			.cpus = &cpu,
			.cpus_count = 1,
		};

		for (uint32_t task = 42; tells_processes && i == 1 && task <= 43; task++)
			ctd_record_write_task(writer, &(struct ctd_record_task){task, 42});
		ctd_record_write_snapshot(writer, &snapshot);
	}
	assert_true(ctd_record_close(writer) >= 0);
	return memory_file_take(&file);
}

static void tasks_of_which_no_process_is_known_are_warned_of_once(void **state)
{
	static const struct {
		int line;
		bool tells_processes;
		enum ctd_group_by by;
		size_t rows;
		bool warns;
	} cases[] = {
		{__LINE__, false, CTD_GROUP_PROCESS, 2, true},
		{__LINE__, true, CTD_GROUP_PROCESS, 1, false},
		{__LINE__, false, CTD_GROUP_TASK, 2, false},
		{__LINE__, false, CTD_GROUP_CGROUP, 1, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct recording recording = tasks_recording(cases[i].tells_processes);
		struct shown shown = show_as(&recording, recording.bytes, cases[i].by, "cpu");
		const char *said =
			strstr(shown.said.text, "does not say which process a task is of");

		if (shown.status || shown.lines != 2 || !said == cases[i].warns ||
		    json_array_size(json_object_get(shown.line[0], "rows")) != cases[i].rows)
			fail_msg("line %d: %d, %d lines, '%s'", cases[i].line, shown.status,
				 shown.lines, shown.said.text);
		assert_true(!said || !strstr(said + 1, "does not say"));
		shown_free(&shown);
		free(recording.data);
	}
}

static void a_key_that_no_row_has_is_refused_with_one_that_is_near(void **state)
{
	struct recording recording = hybrid_recording();
	struct shown shown = show_as(&recording, recording.bytes, CTD_GROUP_CGROUP, "retirin");

	(void)state;
	assert_int_equal(shown.status, 1);
	assert_int_equal(shown.lines, 0);
	assert_string_equal(
		shown.said.text,
		"cgtopdown: --sort retirin: there is no such column here, perhaps 'retiring' is meant\n");
	shown_free(&shown);
	free(recording.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_of_which_no_process_is_known_are_warned_of_once),
		cmocka_unit_test(a_new_plan_begins_a_new_interval),
		cmocka_unit_test(a_recording_cut_anywhere_shows_all_that_came_before),
		cmocka_unit_test(a_key_that_no_row_has_is_refused_with_one_that_is_near),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
