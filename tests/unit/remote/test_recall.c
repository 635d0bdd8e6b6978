/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_recall.c - what a history says of the time before a view is intervals like those that
 * follow. */
#include "remote/recall.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unit/remote/machines.h"

#define SECOND_NS 1000000000ull
#define UNIT "/system.slice/ssh.service"
#define INTERVALS_MAX 8

/* Five points of a second before the view, which is of second 100; their figures are to be set. */
struct told {
	const char *simulated, *kept_until, *windows, *nodes, *rows;
};
static const struct told usual = {
	.simulated = "false",
	.kept_until = "1100000000000",
	.windows = "1000000000,1000000000,1000000000,1000000000,1000000000",
	.nodes = "{\"name\":\"retiring\"}",
	.rows = "",
};

#define ROW(key, cpu_ms, slots, retiring)                \
	"{\"key\":\"" key "\",\"cpu_ns\":[null," #cpu_ms \
	"000000,null,null,null],\"slots\":[null," #slots \
	",null,null,null],\"node_slots\":{\"retiring\":[null," #retiring ",null,null,null]}}"

/* The intervals that are made of it. */
struct scene {
	struct ctd_remote_view view;
	struct ctd_remote_plan *plan;
	struct ctd_remote_past past;
	struct ctd_remote_interval intervals[INTERVALS_MAX];
	size_t count;
	struct ctd_rollup rollup; /* of one of them */
};

static int keep(struct ctd_remote_interval *interval, void *context)
{
	struct scene *scene = context;

	assert_true(scene->count < INTERVALS_MAX);
	scene->intervals[scene->count++] = *interval;
	*interval = (struct ctd_remote_interval){0};
	return 0;
}

static void recall(struct scene *scene, const struct told *told)
{
	static const struct machine_view machine = {.node = "a",
						    .model = "zen",
						    .second = 100,
						    .unit_ms = 50,
						    .web_ms = 90,
						    .general = true,
						    .waits = true};
	char text[4096], why[CTD_REMOTE_WHY_BYTES] = "";

	*scene = (struct scene){.view = machine_view(&machine)};
	snprintf(text, sizeof(text),
		 "{\"schema\":\"cgtopdown/history/1\",\"simulated\":%s,\"kept_until_ns\":%s,"
		 "\"since_ns\":1095000000000,\"step_ns\":1000000000,\"points\":5,"
		 "\"window_ns\":[%s],\"unattributed_ns\":[7,8,9,10,11],\"nodes\":[%s],"
		 "\"core_types\":[{\"core\":null,\"unattributed_slots\":[10,20,30,40,50],"
		 "\"residual_slots\":[-1,-2,-3,-4,-5]}],\"rows\":[%s]}",
		 told->simulated, told->kept_until, told->windows, told->nodes, told->rows);
	assert_int_equal(ctd_remote_plan_new(&scene->view, true, &scene->plan, why), 0);
	if (ctd_remote_past_parse(text, strlen(text), &scene->past, why))
		fail_msg("%s", why);
	assert_int_equal(ctd_remote_recall(&scene->past, &scene->view, scene->plan, keep, scene),
			 0);
}

static void roll_up(struct scene *scene, size_t index)
{
	static const struct ctd_rollup_options options = {.by = CTD_GROUP_CONTAINER};

	ctd_rollup_free(&scene->rollup);
	assert_int_equal(ctd_remote_rollup_make(scene->plan, &scene->intervals[index], &options,
						&scene->rollup),
			 0);
}

static const struct ctd_rollup_row *find(const struct scene *scene, enum ctd_rollup_kind kind)
{
	for (size_t i = 0; i < scene->rollup.rows_count; i++)
		if (scene->rollup.rows[i].kind == kind)
			return &scene->rollup.rows[i];
	return NULL;
}

static void scene_free(struct scene *scene)
{
	ctd_rollup_free(&scene->rollup);
	for (size_t i = 0; i < scene->count; i++)
		ctd_remote_interval_free(&scene->intervals[i]);
	ctd_remote_past_free(&scene->past);
	ctd_remote_plan_free(scene->plan);
	ctd_remote_view_free(&scene->view);
}

/* To the slot, also what those had that are in no view any more. */
static void a_point_is_an_interval_with_its_figures(void **state)
{
	struct told told = usual;
	const struct ctd_rollup_row *row;
	struct scene scene;

	(void)state;
	told.rows = ROW("u", 250, 4000000, 1000000) "," ROW("gone", 30, 500001,
							    400000) "," ROW("gone too", 20, 70, 3);
	recall(&scene, &told);
	assert_int_equal(scene.count, 5);
	roll_up(&scene, 1);
	assert_int_equal(scene.rollup.window_ns, SECOND_NS);
	assert_int_equal(scene.rollup.realtime_ns, 1097 * SECOND_NS);
	assert_int_equal(scene.rollup.unattributed_ns, 8);
	assert_int_equal(scene.rollup.rows_count, 2);
	row = find(&scene, CTD_ROLLUP_CGROUP);
	assert_non_null(row);
	assert_string_equal(row->identity->path, UNIT);
	assert_int_equal(row->cpu_ns, 250000000);
	assert_int_equal(row->slots, 4000000);
	assert_int_equal(row->parts[0].node_slots[0], 1000000);
	assert_int_equal(row->quality, CTD_OK);
	row = find(&scene, CTD_ROLLUP_OTHER);
	assert_non_null(row);
	assert_int_equal(row->cpu_ns, 50000000);
	assert_int_equal(row->slots, 500071);
	assert_int_equal(row->parts[0].node_slots[0], 400003);
	assert_int_equal(scene.rollup.totals[0].unattributed_slots, 20);
	assert_int_equal(scene.rollup.totals[0].residual_slots, -2);
	assert_int_equal(scene.rollup.totals[0].slots, 4000000 + 500071 + 20 - 2);
	assert_int_equal(scene.rollup.totals[0].cpus_online, 4);
	/* Nothing is left from one point to the next. */
	roll_up(&scene, 2);
	assert_int_equal(scene.rollup.rows_count, 0);
	scene_free(&scene);
}

static void what_a_history_does_not_tell_is_absent(void **state)
{
	struct told told = usual;
	const struct ctd_rollup_row *row;
	struct scene scene;
	bool has_ipc = false;

	(void)state;
	told.rows = ROW("u", 250, 4000000, 1000000) "," ROW("w", 100, null, null);
	recall(&scene, &told);
	roll_up(&scene, 1);
	row = find(&scene, CTD_ROLLUP_CGROUP);
	assert_false(scene.intervals[1].interval.has_waits);
	assert_false(scene.intervals[1].interval.has_siblings);
	assert_false(scene.intervals[1].interval.throttlings.known);
	assert_true(isnan(scene.intervals[1].interval.health.ns_per_switch));
	assert_int_equal(scene.intervals[1].interval.health.budget.limit_ppm, 0);
	for (int i = 0; i < scene.rollup.plan->model->nodes_count; i++) {
		if (!ctd_node_is_ipc(&scene.rollup.plan->model->nodes[i]))
			continue;
		has_ipc = true;
		assert_int_equal(row->parts[0].values[i].quality, CTD_NO_DATA);
	}
	assert_true(has_ipc);
	/* It ran, and was not counted. */
	row = find(&scene, CTD_ROLLUP_CONTAINER);
	assert_int_equal(row->cpu_ns, 100000000);
	assert_int_equal(row->quality, CTD_NO_DATA);
	assert_false(row->slots_known);
	scene_free(&scene);
}

/* As when it was counted at another level then: they would seem to be 0. */
static void slots_without_their_nodes_are_no_data(void **state)
{
	struct told told = usual;
	const struct ctd_rollup_row *row;
	struct scene scene;

	(void)state;
	told.rows = ROW("u", 250, 4000000, null);
	for (int i = 0; i < 2; i++) {
		recall(&scene, &told);
		roll_up(&scene, 1);
		row = find(&scene, CTD_ROLLUP_CGROUP);
		assert_int_equal(row->cpu_ns, 250000000);
		assert_int_equal(row->quality, CTD_NO_DATA);
		scene_free(&scene);
		told.rows = ROW("u", 250, 4000000, 7);
		told.nodes = "{\"name\":\"other\"}";
	}
}

/* Ends of intervals that were told, in hundredths of a second after the first point begins. */
static void check_ends(const struct told *told, const int *ends, size_t count)
{
	struct scene scene;

	recall(&scene, told);
	assert_int_equal(scene.count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(scene.intervals[i].interval.realtime_ns,
				 1095 * SECOND_NS + (uint64_t)ends[i] * SECOND_NS / 100);
	scene_free(&scene);
}

static void intervals_follow_each_other_where_they_were(void **state)
{
	struct told told = usual;

	(void)state;
	check_ends(&told, (const int[]){100, 200, 300, 400, 500}, 5);
	/* Where the newest ends is known, and so where the others do. */
	told.kept_until = "1099700000000";
	check_ends(&told, (const int[]){70, 170, 270, 370, 470}, 5);
	/* One that ends just after its point is in the next one, with the one that ends there. */
	told.windows = "1000000000,1000000000,null,2000000000,1000000000";
	check_ends(&told, (const int[]){70, 170, 370, 470}, 4);
	/* No serve ran: there is a gap. */
	told.windows = "1000000000,null,null,500000000,1000000000";
	check_ends(&told, (const int[]){100, 370, 470}, 3);
	told.windows = "null,null,0,null,null";
	check_ends(&told, NULL, 0);
}

/* What ended after the view is in the intervals that follow it. */
static void nothing_is_there_twice(void **state)
{
	struct told told = usual;
	struct scene scene;

	(void)state;
	told.kept_until = "1101000000000";
	check_ends(&told, (const int[]){100, 200, 300, 400, 500}, 5);
	recall(&scene, &told);
	for (size_t i = 0; i < scene.count; i++)
		ctd_remote_interval_free(&scene.intervals[i]);
	scene.count = 0;
	/* Of the last point, in which the view is, nobody knows which part was before. */
	scene.view.time_ns -= SECOND_NS / 2;
	assert_int_equal(ctd_remote_recall(&scene.past, &scene.view, scene.plan, keep, &scene), 0);
	assert_int_equal(scene.count, 4);
	assert_int_equal(scene.intervals[3].interval.realtime_ns, 1099 * SECOND_NS);
	scene_free(&scene);
	told.kept_until = "null";
	check_ends(&told, NULL, 0);
}

static void what_was_made_up_is_not_shown_as_measured(void **state)
{
	struct told told = usual;

	(void)state;
	told.simulated = "true";
	check_ends(&told, NULL, 0);
}

#define TYPE(name)                                                                       \
	"{\"core\":\"" name "\",\"source\":\"x\",\"level\":1,\"rotation\":1,\"cpus\":2," \
	"\"model\":{\"name\":\"" name "\"},\"nodes\":[{\"name\":\"" name                 \
	"_retiring\",\"level\":1,"                                                       \
	"\"title\":\"Retiring\",\"role\":\"retiring\"}]}"
#define TOLD_TYPE(name, unattributed) \
	"{\"core\":\"" name "\",\"unattributed_slots\":[" #unattributed "],\"residual_slots\":[-1]}"
#define TOLD_ROW(key, core, slots)                                                                \
	"{\"key\":\"" key "\",\"core\":\"" core "\",\"cpu_ns\":[5000000],\"slots\":[" #slots "]," \
	"\"node_slots\":{\"" core "_retiring\":[" #slots "]}}"

/* Whatever their order is there. */
static void each_core_type_has_its_own_figures(void **state)
{
	static const char view[] =
		"{\"schema\":\"cgtopdown/view/1\",\"source\":\"x\",\"sequence\":1,"
		"\"time_ns\":1000000000000,\"core_types\":[" TYPE("P") "," TYPE(
			"E") "],\"rows\":["
			     "{\"key\":\"u,E\",\"core\":\"E\",\"kind\":\"cgroup\",\"cgroup\":\"" UNIT
			     "\"}]}";
	static const char past[] =
		"{\"schema\":\"cgtopdown/history/1\",\"kept_until_ns\":1000000000000,\"points\":1,"
		"\"since_ns\":999000000000,\"step_ns\":1000000000,\"window_ns\":[1000000000],"
		"\"unattributed_ns\":[0],\"nodes\":[{\"name\":\"E_retiring\"},"
		"{\"name\":\"P_retiring\"}],\"core_types\":[" TOLD_TYPE("E", 7) "," TOLD_TYPE("gone", 9) "," TOLD_TYPE(
			"P",
			8) "],\"rows\":[" TOLD_ROW("u,E", "E",
						   4000) "," TOLD_ROW("old", "P",
								      3000) "," TOLD_ROW("older",
											 "gone",
											 2000) "]}";
	char why[CTD_REMOTE_WHY_BYTES] = "";
	const struct ctd_rollup_row *row;
	struct scene scene = {0};

	(void)state;
	assert_int_equal(ctd_remote_view_parse(view, strlen(view), &scene.view, why), 0);
	assert_int_equal(ctd_remote_past_parse(past, strlen(past), &scene.past, why), 0);
	assert_int_equal(ctd_remote_plan_new(&scene.view, false, &scene.plan, why), 0);
	assert_int_equal(ctd_remote_recall(&scene.past, &scene.view, scene.plan, keep, &scene), 0);
	assert_int_equal(scene.count, 1);
	roll_up(&scene, 0);
	assert_int_equal(scene.rollup.rows_count, 2);
	row = find(&scene, CTD_ROLLUP_CGROUP);
	assert_false(row->parts[0].ran);
	assert_int_equal(row->parts[1].slots, 4000);
	row = find(&scene, CTD_ROLLUP_OTHER);
	assert_int_equal(row->parts[0].slots, 3000);
	assert_false(row->parts[1].ran);
	assert_int_equal(scene.rollup.totals[0].slots, 3000 + 8 - 1);
	assert_int_equal(scene.rollup.totals[1].slots, 4000 + 7 - 1);
	scene_free(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_point_is_an_interval_with_its_figures),
		cmocka_unit_test(what_a_history_does_not_tell_is_absent),
		cmocka_unit_test(slots_without_their_nodes_are_no_data),
		cmocka_unit_test(intervals_follow_each_other_where_they_were),
		cmocka_unit_test(nothing_is_there_twice),
		cmocka_unit_test(each_core_type_has_its_own_figures),
		cmocka_unit_test(what_was_made_up_is_not_shown_as_measured),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
