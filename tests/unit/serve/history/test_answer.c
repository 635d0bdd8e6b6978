/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_answer.c - a time that is over as JSON: nothing is lost on the way, nothing is made up. */
#include "serve/history/answer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../history/folder.h"
#include "../../history/made.h"
#include "base/log.h"
#include "history/segment.h"
#include "history/series.h"
#include "remote/past.h"
#include "serve/history/keeper.h"

#define CGROUPS 8

struct world {
	char path[FOLDER_PATH_BYTES];
	struct ctd_keeper keeper;
	struct made_sum sum;
};

static void world_open(struct world *world)
{
	*world = (struct world){};
	folder_make(world->path);
	ctd_log_set_level(CTD_LOG_ERROR);
	ctd_keeper_init(world->path, 64 << 20, &world->keeper);
}

static void world_close(struct world *world)
{
	ctd_keeper_close(&world->keeper);
	folder_remove(world->path);
}

/* Sums of the made figures are more than 64 bits have, and JSON's readers take 63. */
static struct ctd_interval small_interval(uint64_t second, uint64_t cgroups)
{
	struct ctd_interval interval = made_interval(second, cgroups);
	struct ctd_interval_totals *totals = &interval.totals[0];

	interval.unattributed_ns >>= 16;
	for (int k = 0; k < MADE_COUNTERS; k++) {
		totals->unattributed[k] >>= 16;
		totals->total[k] = totals->unattributed[k] + (uint64_t)totals->residual[k];
	}
	for (size_t i = 0; i < interval.rows_count; i++) {
		struct ctd_interval_row *row = &interval.rows[i];

		row->oncpu_ns >>= 16;
		row->running_ns = row->group_ns[0] = row->count_ns[0] = row->oncpu_ns;
		row->quality = CTD_OK;
		for (int k = 0; k < MADE_COUNTERS; k++) {
			row->raw[k] = row->count[k] = row->raw[k] >> 16;
			totals->total[k] += row->raw[k];
		}
	}
	return interval;
}

/* A segment of intervals that end at these seconds. @p identities: NULL: cgroups have no names. */
static void append_named(struct world *world, uint64_t first, uint64_t last, uint64_t cgroups,
			 const struct ctd_identities *identities)
{
	const struct ctd_record_header header = made_header();
	struct ctd_segment_writer writer = {0};
	struct ctd_strbuf text = {0};

	assert_int_equal(ctd_segment_begin(&writer, &header, &text), 0);
	for (uint64_t second = first; second <= last; second++) {
		struct ctd_interval interval = small_interval(second, cgroups);

		if (identities)
			assert_int_equal(ctd_segment_write_names(&writer, &interval, identities),
					 0);
		assert_int_equal(ctd_segment_write_interval(&writer, &interval), 0);
		assert_int_equal(ctd_keeper_append(&world->keeper, second == first, 1,
						   interval.realtime_ns - interval.window_ns,
						   interval.realtime_ns, text.text, text.bytes),
				 0);
		made_add(&world->sum, &interval);
		ctd_interval_free(&interval);
		text.bytes = 0;
	}
	ctd_segment_end(&writer);
	ctd_strbuf_free(&text);
}

static void append(struct world *world, uint64_t first, uint64_t last, uint64_t cgroups)
{
	append_named(world, first, last, cgroups, NULL);
}

/* Of so many seconds from the begin on. */
static struct ctd_history_question question_of(uint64_t seconds, uint64_t step_s)
{
	return (struct ctd_history_question){.since_ns = MADE_BEGIN_NS,
					     .until_ns = MADE_BEGIN_NS + seconds * MADE_S,
					     .step_ns = step_s * MADE_S,
					     .by = CTD_GROUP_CGROUP,
					     .level = 1,
					     .rows = CTD_HISTORY_ROWS_MAX};
}

static json_t *answer(const struct world *world, const struct ctd_history_question *question)
{
	struct ctd_strbuf text = {0};
	json_error_t error;
	json_t *object;

	assert_int_equal(ctd_history_answer(world->path, question, &text), 0);
	object = json_loads(text.text, JSON_REJECT_DUPLICATES, &error);
	if (!object)
		fail_msg("%s at %d", error.text, error.position);
	ctd_strbuf_free(&text);
	assert_string_equal(json_string_value(json_object_get(object, "schema")),
			    "cgtopdown/history/1");
	return object;
}

static json_int_t at(const json_t *array, size_t point)
{
	return json_integer_value(json_array_get(array, point));
}

static json_int_t sum_of(const json_t *array)
{
	json_int_t sum = 0;

	for (size_t i = 0; i < json_array_size(array); i++)
		sum += at(array, i);
	return sum;
}

static json_int_t sum_of_rows(const json_t *object, const char *member, size_t point)
{
	json_int_t sum = 0;
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(object, "rows"), i, row) sum +=
		at(json_object_get(row, member), point);
	return sum;
}

static json_int_t total_at(const json_t *object, const char *member, size_t point)
{
	const json_t *type = json_array_get(json_object_get(object, "core_types"), 0);

	return at(json_object_get(type, member), point);
}

static uint64_t known(uint64_t value)
{
	return value == CTD_REMOTE_ABSENT ? 0 : value;
}

/* By those that ask for it. */
static void what_is_written_is_read(void **state)
{
	struct ctd_history_question question = question_of(30, 1);
	char why[CTD_REMOTE_WHY_BYTES] = "";
	struct ctd_strbuf text = {0};
	struct ctd_remote_past past;
	struct world world;
	json_t *object;

	(void)state;
	world_open(&world);
	append(&world, 1, 30, CGROUPS);
	question.rows = 5;
	object = answer(&world, &question);
	assert_int_equal(ctd_history_answer(world.path, &question, &text), 0);
	if (ctd_remote_past_parse(text.text, text.bytes, &past, why))
		fail_msg("%s", why);
	assert_true(past.is_cut);
	assert_int_equal(past.points, 30);
	assert_int_equal(past.rows_count, 5);
	assert_int_equal(past.step_ns, MADE_S);
	assert_int_equal(past.kept_until_ns,
			 json_integer_value(json_object_get(object, "kept_until_ns")));
	for (size_t point = 0; point < past.points; point++) {
		uint64_t cpu_ns = 0, slots = 0;

		for (size_t i = 0; i < past.rows_count; i++) {
			cpu_ns += known(past.rows[i].cpu_ns[point]);
			slots += known(past.rows[i].slots[point]);
		}
		assert_int_equal(cpu_ns, sum_of_rows(object, "cpu_ns", point));
		assert_int_equal(slots, sum_of_rows(object, "slots", point));
		assert_int_equal(past.core_types[0].residual_slots[point],
				 total_at(object, "residual_slots", point));
	}
	ctd_remote_past_free(&past);
	ctd_strbuf_free(&text);
	json_decref(object);
	world_close(&world);
}

/* To the last slot, and whatever the step. */
static void sums_balance_at_each_point(void **state)
{
	static const uint64_t steps_s[] = {1, 7, 60, 1000};
	struct world world;

	(void)state;
	world_open(&world);
	append(&world, 1, 100, CGROUPS);
	append(&world, 101, 120, CGROUPS);
	for (size_t i = 0; i < sizeof(steps_s) / sizeof(*steps_s); i++) {
		struct ctd_history_question question = question_of(120, steps_s[i]);
		json_t *object = answer(&world, &question);
		size_t points = (size_t)json_integer_value(json_object_get(object, "points"));
		json_int_t cpu_ns = 0, slots = 0;

		assert_int_equal(sum_of(json_object_get(object, "window_ns")), 120 * MADE_S);
		assert_int_equal(sum_of(json_object_get(object, "unattributed_ns")),
				 world.sum.unattributed_ns);
		for (size_t point = 0; point < points; point++) {
			cpu_ns += sum_of_rows(object, "cpu_ns", point);
			slots += sum_of_rows(object, "slots", point);
			assert_int_equal(sum_of_rows(object, "slots", point) +
						 total_at(object, "unattributed_slots", point) +
						 total_at(object, "residual_slots", point),
					 total_at(object, "slots", point));
		}
		assert_int_equal(cpu_ns, world.sum.oncpu_ns);
		assert_true(slots > 0);
		json_decref(object);
	}
	world_close(&world);
}

static void what_was_not_counted_is_absent_and_not_zero(void **state)
{
	struct ctd_history_question question = question_of(40, 10);
	struct world world;
	json_t *object, *windows;

	(void)state;
	world_open(&world);
	append(&world, 1, 10, CGROUPS);
	append(&world, 21, 25, CGROUPS);
	object = answer(&world, &question);
	windows = json_object_get(object, "window_ns");
	assert_int_equal(json_array_size(windows), 4);
	assert_int_equal(at(windows, 0), 10 * MADE_S);
	assert_true(json_is_null(json_array_get(windows, 1)));
	assert_int_equal(at(windows, 2), 5 * MADE_S);
	assert_true(json_is_null(json_array_get(windows, 3)));
	json_decref(object);

	/* Nothing at all, where there is a history of another time. */
	question.since_ns += 1000 * MADE_S;
	question.until_ns += 1000 * MADE_S;
	object = answer(&world, &question);
	assert_int_equal(json_array_size(json_object_get(object, "rows")), 0);
	assert_int_equal(json_integer_value(json_object_get(object, "kept_until_ns")),
			 MADE_BEGIN_NS + 25 * MADE_S);
	json_decref(object);
	world_close(&world);
}

static void an_answer_is_bounded(void **state)
{
	struct ctd_history_question question = question_of(10, 1);
	struct ctd_strbuf text = {0};
	struct world world;
	json_t *object;
	json_int_t most;

	(void)state;
	world_open(&world);
	append(&world, 1, 10, CGROUPS);
	question.rows = 3;
	object = answer(&world, &question);
	assert_int_equal(json_array_size(json_object_get(object, "rows")), 3);
	assert_int_equal(json_integer_value(json_object_get(object, "rows_left_out")),
			 CGROUPS + 2 - 3);
	most = sum_of(
		json_object_get(json_array_get(json_object_get(object, "rows"), 0), "cpu_ns"));
	for (size_t i = 1; i < 3; i++)
		assert_true(
			sum_of(json_object_get(json_array_get(json_object_get(object, "rows"), i),
					       "cpu_ns")) <= most);
	json_decref(object);

	append(&world, 11, 12, CTD_SERIES_VALUES_MAX / 2000);
	question = question_of(1000, 1);
	assert_int_equal(ctd_history_answer(world.path, &question, &text), -E2BIG);
	ctd_strbuf_free(&text);
	world_close(&world);
}

static void one_row_can_be_asked_for(void **state)
{
	struct ctd_history_question question = question_of(10, 10);
	struct world world;
	json_t *all, *one;
	const json_t *row;

	(void)state;
	world_open(&world);
	append(&world, 1, 10, CGROUPS);
	all = answer(&world, &question);
	row = json_array_get(json_object_get(all, "rows"), 1);
	question.key = json_string_value(json_object_get(row, "key"));
	one = answer(&world, &question);
	assert_int_equal(json_array_size(json_object_get(one, "rows")), 1);
	assert_true(json_equal(json_array_get(json_object_get(one, "rows"), 0), row));
	assert_int_equal(total_at(one, "slots", 0), total_at(all, "slots", 0));
	json_decref(one);
	question.key = "no such";
	one = answer(&world, &question);
	assert_int_equal(json_array_size(json_object_get(one, "rows")), 0);
	json_decref(one);
	json_decref(all);
	world_close(&world);
}

static size_t rows_named(const json_t *object, const char *name)
{
	const json_t *row;
	size_t i, count = 0;

	json_array_foreach(json_object_get(object, "rows"), i, row) count +=
		strcmp(json_string_value(json_object_get(row, "name")), name) == 0;
	return count;
}

static void by_cgroup_each_cgroup_of_a_unit_is_a_row(void **state)
{
	struct ctd_history_question question = question_of(20, 20);
	struct ctd_identities *identities;
	struct world world;
	json_t *object;

	(void)state;
	assert_int_equal(ctd_identities_new(&identities), 0);
	assert_int_equal(ctd_identities_add(identities, 1000, "/system.slice/x.service/a"), 0);
	assert_int_equal(ctd_identities_add(identities, 1003, "/system.slice/x.service/b"), 0);
	world_open(&world);
	append_named(&world, 1, 20, 2, identities);
	object = answer(&world, &question);
	assert_int_equal(rows_named(object, "/system.slice/x.service/a"), 1);
	assert_int_equal(rows_named(object, "/system.slice/x.service/b"), 1);
	json_decref(object);
	question.by = CTD_GROUP_CONTAINER;
	object = answer(&world, &question);
	/* The unit, the kernel and idle time. */
	assert_int_equal(json_array_size(json_object_get(object, "rows")), 3);
	json_decref(object);
	world_close(&world);
	ctd_identities_free(identities);
}

/* Evaluated in parts, as adding up many rows at each step takes long. */
static void many_rows_balance_and_too_many_are_refused(void **state)
{
	struct ctd_history_question question = question_of(5, 1000);
	struct ctd_strbuf text = {0};
	struct world world;
	json_t *object;

	(void)state;
	question.rows = SIZE_MAX;
	world_open(&world);
	append(&world, 1, 5, 6000);
	object = answer(&world, &question);
	assert_int_equal(sum_of(json_object_get(object, "window_ns")), 5 * MADE_S);
	assert_int_equal(sum_of_rows(object, "cpu_ns", 0), world.sum.oncpu_ns);
	assert_int_equal(sum_of_rows(object, "slots", 0) +
				 total_at(object, "unattributed_slots", 0) +
				 total_at(object, "residual_slots", 0),
			 total_at(object, "slots", 0));
	json_decref(object);
	append(&world, 6, 6, 30000);
	question.until_ns += MADE_S;
	assert_int_equal(ctd_history_answer(world.path, &question, &text), -E2BIG);
	ctd_strbuf_free(&text);
	world_close(&world);
}

static bool is_wanted_twice(void *context)
{
	int *times = context;

	return (*times)++ < 2;
}

static void what_is_not_wanted_any_more_is_given_up(void **state)
{
	struct ctd_history_question question = question_of(100, 10);
	struct ctd_strbuf text = {0};
	struct world world;
	int times = 0;

	(void)state;
	world_open(&world);
	append(&world, 1, 100, CGROUPS);
	question.is_wanted = is_wanted_twice;
	question.context = &times;
	assert_int_equal(ctd_history_answer(world.path, &question, &text), -ECANCELED);
	assert_int_equal(times, 3);
	assert_int_equal(text.bytes, 0);
	world_close(&world);
}

static void a_directory_that_is_not_there_is_an_error(void **state)
{
	struct ctd_history_question question = question_of(10, 10);
	struct ctd_strbuf text = {0};

	(void)state;
	assert_int_equal(ctd_history_answer("/proc/no/such", &question, &text), -ENOENT);
	assert_int_equal(text.bytes, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(sums_balance_at_each_point),
		cmocka_unit_test(what_was_not_counted_is_absent_and_not_zero),
		cmocka_unit_test(an_answer_is_bounded),
		cmocka_unit_test(one_row_can_be_asked_for),
		cmocka_unit_test(by_cgroup_each_cgroup_of_a_unit_is_a_row),
		cmocka_unit_test(many_rows_balance_and_too_many_are_refused),
		cmocka_unit_test(what_is_not_wanted_any_more_is_given_up),
		cmocka_unit_test(a_directory_that_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
