/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_history.c - a history keeps what it was given, and in little room less of it, but all time. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "unit/top/past.h"

static void a_full_history_is_coarser_and_loses_no_time(void **state)
{
	struct past past;
	uint64_t cpu_ns = 0, window_ns = 0;

	(void)state;
	past_begin(&past);
	past.history.bytes_max = 200000;
	for (int i = 1; i <= 500; i++)
		past_add(&past, 100, 0, 3);
	assert_true(past.history.bytes <= past.history.bytes_max);
	assert_in_range(past.history.count, 5, 200);
	for (size_t i = 0; i < past.history.count; i++) {
		const struct ctd_interval *interval = &past.history.frames[i]->interval;

		window_ns += interval->window_ns;
		for (size_t row = 0; row < interval->rows_count; row++)
			cpu_ns += interval->rows[row].oncpu_ns;
		assert_true(i == 0 ||
			    past.history.frames[i - 1]->number < past.history.frames[i]->number);
	}
	assert_int_equal(window_ns, 500000000000ull);
	assert_int_equal(cpu_ns, 500 * 103000000ull);
	/* The newest are as they came. */
	assert_int_equal(past.history.frames[past.history.count - 1]->interval.window_ns,
			 1000000000);
	past_end(&past);
}

static void a_frame_is_found_by_the_number_that_it_had(void **state)
{
	struct past past;

	(void)state;
	past_begin(&past);
	assert_null(ctd_top_history_find(&past.history, 1));
	for (int i = 0; i < 5; i++)
		past_add(&past, 1, 1, 1);
	assert_int_equal(ctd_top_history_find(&past.history, 3)->number, 3);
	assert_int_equal(ctd_top_history_find(&past.history, UINT64_MAX)->number, 5);
	assert_int_equal(ctd_top_history_find(&past.history, 0)->number, 1);
	past_end(&past);
}

static void a_frame_that_was_added_up_is_found_in_the_sum(void **state)
{
	struct past past;

	(void)state;
	past_begin(&past);
	past.history.bytes_max = 200000;
	for (int i = 1; i <= 500; i++)
		past_add(&past, 100, 0, 3);
	for (uint64_t number = 1; number <= 500; number++) {
		const struct ctd_interval *interval =
			&ctd_top_history_find(&past.history, number)->interval;
		uint64_t end_ns = PAST_BEGIN_NS + number * 1000000000;

		assert_true(interval->realtime_ns - interval->window_ns < end_ns &&
			    interval->realtime_ns >= end_ns);
	}
	past_end(&past);
}

static void frames_of_another_plan_are_not_added_up(void **state)
{
	static const struct ctd_record_header header = {.source = "none", .groups_count = 1};
	const char *unknown;
	struct past past;

	(void)state;
	past_begin(&past);
	past.history.bytes_max = 1;
	past_add(&past, 1, 1, 1);
	past_add(&past, 1, 1, 1);
	assert_int_equal(ctd_top_history_plan(&past.history, &header, &unknown), 0);
	for (int i = 0; i < 10; i++) {
		struct ctd_interval interval = {.window_ns = 1000000000, .groups_count = 1};

		assert_int_equal(ctd_top_history_add(&past.history, past.history.pipeline.plan,
						     &interval, NULL),
				 0);
	}
	for (size_t i = 0; i < past.history.count; i++)
		assert_true(past.history.frames[i]->plan->model == NULL ||
			    past.history.frames[i]->interval.counters_count == 9);
	past_end(&past);
}

static void take_vendor(struct past *past, const char *payload)
{
	struct ctd_record_item item = {.kind = CTD_RECORD_VENDOR,
				       .vendor = {.payload = payload, .bytes = strlen(payload)}};

	assert_int_equal(ctd_top_history_take(&past->history, &item), 0);
}

static void take_core_vendor(struct past *past, uint32_t core_type, const char *payload)
{
	struct ctd_record_item item = {.kind = CTD_RECORD_VENDOR,
				       .vendor = {.payload = payload,
						  .bytes = strlen(payload),
						  .of_core_type = true,
						  .core_type = core_type}};

	assert_int_equal(ctd_top_history_take(&past->history, &item), 0);
}

static void take_plan(struct past *past, const char *source, uint32_t core_types_count)
{
	struct ctd_record_item item = {.kind = CTD_RECORD_PLAN,
				       .header = {.groups_count = 6,
						  .core_types_count = core_types_count}};

	for (uint32_t i = 0; i < core_types_count; i++)
		item.header.core_types[i] = (struct ctd_record_core_type){
			.name = "core", .source = "vendor", .groups_count = 1};

	strcpy(item.header.source, source);
	assert_int_equal(ctd_top_history_take(&past->history, &item), 0);
}

/* Up to the end: "[plan's source]" and the payloads of blocks. */
static void assert_recorded(int fd, const char *wanted)
{
	struct ctd_record_header header;
	struct ctd_record_reader *reader;
	struct ctd_record_item item;
	char why[160], got[200] = "";
	size_t bytes;

	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(ctd_record_open(fd, &header, &reader, why), 0);
	bytes = (size_t)sprintf(got, "[%s]", header.source);
	while (!ctd_record_next(reader, &item, why) && item.kind != CTD_RECORD_END) {
		if (item.kind == CTD_RECORD_PLAN)
			bytes += (size_t)sprintf(got + bytes, "[%s]", item.header.source);
		if (item.kind == CTD_RECORD_VENDOR && item.vendor.of_core_type)
			bytes += (size_t)sprintf(got + bytes, "%u:", item.vendor.core_type);
		if (item.kind == CTD_RECORD_VENDOR)
			bytes += (size_t)sprintf(got + bytes, "%.*s", (int)item.vendor.bytes,
						 (const char *)item.vendor.payload);
	}
	assert_string_equal(got, wanted);
	ctd_record_reader_free(reader);
}

static void a_recording_has_the_vendors_metrics_of_each_plan(void **state)
{
	struct past past;
	int fd, copy;

	(void)state;
	past_begin(&past);
	take_plan(&past, "first", 0);
	take_vendor(&past, "of the first");
	take_plan(&past, "second", 0);
	take_vendor(&past, "of the second");
	fd = memfd_create("recording", MFD_CLOEXEC);
	copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	assert_true(fd >= 0 && copy >= 0);
	assert_int_equal(ctd_top_history_record(&past.history, fd), 0);
	take_plan(&past, "third", 0);
	take_plan(&past, "fourth", 0);
	take_vendor(&past, "of the fourth");
	assert_int_equal(ctd_top_history_record_end(&past.history), 0);
	assert_recorded(copy, "[second]of the second[third][fourth]of the fourth");
	past_end(&past);
}

static void a_recording_has_the_vendors_metrics_of_each_core_type(void **state)
{
	struct past past;
	int fd, copy;

	(void)state;
	past_begin(&past);
	take_plan(&past, "first", 3);
	take_core_vendor(&past, 0, "P");
	take_core_vendor(&past, 2, "L");
	fd = memfd_create("recording", MFD_CLOEXEC);
	copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	assert_true(fd >= 0 && copy >= 0);
	assert_int_equal(ctd_top_history_record(&past.history, fd), 0);
	take_plan(&past, "second", 2);
	take_core_vendor(&past, 1, "E");
	assert_int_equal(ctd_top_history_record_end(&past.history), 0);
	assert_recorded(copy, "[first]0:P2:L[second]1:E");
	past_end(&past);
}

/* What is known when it begins, and what comes later. */
static void a_recording_has_the_processes_of_tasks(void **state)
{
	struct ctd_record_item item = {.kind = CTD_RECORD_TASK, .task = {43, 42}};
	struct ctd_record_header header;
	struct ctd_record_reader *reader;
	struct past past;
	uint32_t found[2] = {0};
	char why[160];
	int fd, copy;

	(void)state;
	past_begin(&past);
	assert_int_equal(ctd_top_history_take(&past.history, &item), 0);
	fd = memfd_create("recording", MFD_CLOEXEC);
	copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	assert_true(fd >= 0 && copy >= 0);
	assert_int_equal(ctd_top_history_record(&past.history, fd), 0);
	item.task.task = 44;
	assert_int_equal(ctd_top_history_take(&past.history, &item), 0);
	assert_int_equal(ctd_top_history_record_end(&past.history), 0);
	assert_int_equal(ctd_identities_process(past.history.identities, 44), 42);
	past_end(&past);
	assert_int_equal(lseek(copy, 0, SEEK_SET), 0);
	assert_int_equal(ctd_record_open(copy, &header, &reader, why), 0);
	while (!ctd_record_next(reader, &item, why) && item.kind != CTD_RECORD_END)
		if (item.kind == CTD_RECORD_TASK)
			found[item.task.task - 43] = item.task.process;
	assert_int_equal(found[0], 42);
	assert_int_equal(found[1], 42);
	ctd_record_reader_free(reader);
}

/* A file that may not grow beyond @p bytes, as on a full disk. */
static int full_file(off_t bytes)
{
	int fd = memfd_create("recording", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, bytes), 0);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_GROW), 0);
	return fd;
}

static void a_recording_that_cannot_go_on_tells_why_once(void **state)
{
	int fd = memfd_create("recording", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	struct past past;

	(void)state;
	past_begin(&past);
	assert_int_equal(ctd_top_history_record(&past.history, fd), 0);
	past_name(&past, 7, "/a");
	assert_non_null(past.history.writer);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_GROW), 0);
	/* The screen goes on. */
	past_name(&past, 8, "/b");
	past_name(&past, 9, "/c");
	assert_null(past.history.writer);
	assert_int_equal(past.history.writer_error, -EPERM);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
	assert_int_equal(ctd_top_history_record_end(&past.history), -EPERM);
	assert_int_equal(ctd_top_history_record_end(&past.history), 0);
	past_end(&past);
}

static void a_recording_that_cannot_begin_takes_its_file(void **state)
{
	struct ctd_record_writer *writer;
	struct past past;
	int fd = memfd_create("recording", MFD_CLOEXEC), full;
	off_t header_bytes;

	(void)state;
	past_begin(&past);
	assert_int_equal(ctd_record_begin(fd, &past.history.header, &writer), 0);
	header_bytes = lseek(fd, 0, SEEK_CUR);
	assert_int_equal(ctd_record_close(writer), 0);
	/* There is no room for the header, or for the names behind it. */
	for (int has_header = 0; has_header < 2; has_header++) {
		full = full_file(has_header ? header_bytes : 0);
		assert_int_equal(ctd_top_history_record(&past.history, full), -EPERM);
		assert_int_equal(fcntl(full, F_GETFD), -1);
		assert_null(past.history.writer);
	}
	past_end(&past);
}

static void a_recording_of_tasks_may_lack_their_processes(void **state)
{
	struct ctd_record_item item = {.kind = CTD_RECORD_TASK, .task = {43, 42}};
	struct past past;

	(void)state;
	past_begin(&past);
	past.history.header.by = CTD_BY_TASK;
	/* Nothing is there yet. */
	assert_false(ctd_top_history_lacks_processes(&past.history));
	past_add(&past, 1, 1, 1);
	assert_true(ctd_top_history_lacks_processes(&past.history));
	past.history.header.by = CTD_BY_PROCESS;
	assert_false(ctd_top_history_lacks_processes(&past.history));
	past.history.header.by = CTD_BY_TASK;
	assert_int_equal(ctd_top_history_take(&past.history, &item), 0);
	assert_false(ctd_top_history_lacks_processes(&past.history));
	past_end(&past);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_history_is_coarser_and_loses_no_time),
		cmocka_unit_test(a_frame_is_found_by_the_number_that_it_had),
		cmocka_unit_test(a_frame_that_was_added_up_is_found_in_the_sum),
		cmocka_unit_test(frames_of_another_plan_are_not_added_up),
		cmocka_unit_test(a_recording_has_the_vendors_metrics_of_each_plan),
		cmocka_unit_test(a_recording_has_the_vendors_metrics_of_each_core_type),
		cmocka_unit_test(a_recording_has_the_processes_of_tasks),
		cmocka_unit_test(a_recording_that_cannot_go_on_tells_why_once),
		cmocka_unit_test(a_recording_that_cannot_begin_takes_its_file),
		cmocka_unit_test(a_recording_of_tasks_may_lack_their_processes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
