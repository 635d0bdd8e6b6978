/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_difference.c - of plain figures, what changed is exact, and what is chance is called so. */
#include "history/difference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"

#define ABSENT CTD_SERIES_ABSENT
#define WINDOW_NS 10

static const struct ctd_node busy = {.name = "busy", .title = "Busy", .level = 1};
static const struct ctd_node lost = {.name = "lost", .title = "Lost", .level = 1};

/* Of two nodes, that are all slots. */
static void begin(struct ctd_series *series, size_t points)
{
	*series = (struct ctd_series){.points = points,
				      .compares = true,
				      .nodes = {&busy, &lost},
				      .nodes_count = 2,
				      .window_ns = calloc(points, sizeof(uint64_t))};
	assert_non_null(series->window_ns);
	for (size_t i = 0; i < points; i++)
		series->window_ns[i] = WINDOW_NS;
}

static uint64_t *copy(const uint64_t *values, size_t points)
{
	uint64_t *column = calloc(points, sizeof(*column));

	assert_non_null(column);
	memcpy(column, values, points * sizeof(*column));
	return column;
}

/* @p busy_slots: of 10 in each point; NULL: slots are not known. */
static void add(struct ctd_series *series, const char *kind, const char *name,
		const uint64_t *cpu_ns, const uint64_t *busy_slots)
{
	struct ctd_series_row *row;

	series->rows = reallocarray(series->rows, series->rows_count + 1, sizeof(*series->rows));
	assert_non_null(series->rows);
	row = &series->rows[series->rows_count++];
	*row = (struct ctd_series_row){
		.key = strdup(name), .name = strdup(name), .kind = kind, .core = strdup("")};
	assert_int_equal(ctd_intern_reserve(&series->keys), 0);
	ctd_intern_add(&series->keys, ctd_hash(name, strlen(name)));
	row->columns[CTD_SERIES_CPU_NS] = copy(cpu_ns, series->points);
	if (!busy_slots)
		return;
	row->columns[CTD_SERIES_SLOTS] = copy(busy_slots, series->points);
	row->columns[CTD_SERIES_NODES] = copy(busy_slots, series->points);
	row->columns[CTD_SERIES_NODES + 1] = copy(busy_slots, series->points);
	row->wholes[0] = copy(busy_slots, series->points);
	row->wholes[1] = copy(busy_slots, series->points);
	for (size_t i = 0; i < series->points; i++) {
		if (busy_slots[i] == ABSENT)
			continue;
		row->columns[CTD_SERIES_SLOTS][i] = row->wholes[0][i] = row->wholes[1][i] = 10;
		row->columns[CTD_SERIES_NODES + 1][i] = 10 - busy_slots[i];
	}
}

static struct ctd_difference make(struct ctd_series *before, struct ctd_series *after)
{
	struct ctd_difference difference;

	assert_int_equal(ctd_difference_make(before, after, &difference), 0);
	return difference;
}

static void end(struct ctd_series *before, struct ctd_series *after,
		struct ctd_difference *difference)
{
	ctd_difference_free(difference);
	ctd_series_free(before);
	ctd_series_free(after);
}

static void is_about(double is, double wanted)
{
	if (!(fabs(is - wanted) < 1e-9))
		fail_msg("%.12f is not %.12f", is, wanted);
}

/* Before 1 and 3 of 10, whose mean has the variance 2 * 2 / 1 / 20^2; after 6 and 6. */
static void a_change_has_the_standard_error_of_both_sides(void **state)
{
	struct ctd_series before, after;
	struct ctd_difference difference;
	const struct ctd_change *cpu;

	(void)state;
	begin(&before, 2);
	begin(&after, 2);
	add(&before, "cgroup", "a", (const uint64_t[]){1, 3}, NULL);
	add(&after, "cgroup", "a", (const uint64_t[]){6, 6}, NULL);
	difference = make(&before, &after);
	assert_int_equal(difference.rows_count, 1);
	cpu = &difference.rows[0].cpu;
	is_about(cpu->before, 0.2);
	is_about(cpu->after, 0.6);
	is_about(cpu->error, 0.1);
	/* Two points on a side leave one degree of freedom. */
	assert_true(fabs(cpu->limit - 1.2706) < 1e-4);
	assert_true(cpu->is_noise && difference.rows[0].is_noise);
	assert_true(isnan(difference.rows[0].nodes[0].before) &&
		    difference.rows[0].nodes[0].is_noise);
	end(&before, &after, &difference);
}

/* What is in proportion to the length of each point has no spread. */
static void points_may_have_any_length(void **state)
{
	struct ctd_series before, after;
	struct ctd_difference difference;

	(void)state;
	begin(&before, 4);
	begin(&after, 4);
	before.window_ns[0] = 20;
	before.window_ns[2] = ABSENT; /* nothing was counted */
	add(&before, "cgroup", "a", (const uint64_t[]){10, 5, ABSENT, 5}, NULL);
	add(&after, "cgroup", "a", (const uint64_t[]){6, 6, 6, 6}, NULL);
	difference = make(&before, &after);
	is_about(difference.rows[0].cpu.before, 0.5);
	is_about(difference.rows[0].cpu.error, 0);
	/* In effect 40^2 / 600 points, of which two are whole. */
	assert_int_equal(difference.rows[0].cpu.freedom, 1);
	assert_false(difference.rows[0].cpu.is_noise);
	end(&before, &after, &difference);
}

static void a_row_that_is_absent_used_no_cpu_and_tells_nothing_of_its_slots(void **state)
{
	struct ctd_series before, after;
	struct ctd_difference difference;
	const struct ctd_difference_row *row;

	(void)state;
	begin(&before, 4);
	begin(&after, 4);
	add(&before, "cgroup", "a", (const uint64_t[]){4, ABSENT, 4, ABSENT},
	    (const uint64_t[]){2, ABSENT, 4, ABSENT});
	add(&after, "cgroup", "a", (const uint64_t[]){2, 2, 2, 2}, (const uint64_t[]){3, 3, 3, 3});
	add(&after, "cgroup", "new", (const uint64_t[]){5, 5, 5, 5},
	    (const uint64_t[]){9, 9, 9, 9});
	difference = make(&before, &after);
	row = &difference.rows[0];
	is_about(row->cpu.before, 0.2);
	is_about(row->cpu.after, 0.2);
	/* Of two points, not of four: 0.3, as after. */
	is_about(row->nodes[0].before, 0.3);
	is_about(row->nodes[0].error, sqrt(2 * 2. / 400));
	assert_true(row->is_noise);
	row = &difference.rows[1];
	assert_string_equal(row->name, "new");
	is_about(row->cpu.before, 0);
	is_about(row->cpu.after, 0.5);
	is_about(row->moved, 0.5);
	assert_true(isnan(row->nodes[0].before) && isnan(row->nodes[0].limit));
	assert_true(row->nodes[0].is_noise && !row->cpu.is_noise && !row->is_noise);
	end(&before, &after, &difference);
}

/* The same CPU time, spent otherwise. */
static void what_moved_is_cpu_time_that_goes_elsewhere(void **state)
{
	struct ctd_series before, after;
	struct ctd_difference difference;

	(void)state;
	begin(&before, 3);
	begin(&after, 3);
	add(&before, "cgroup", "a", (const uint64_t[]){5, 5, 5}, (const uint64_t[]){8, 8, 8});
	add(&after, "cgroup", "a", (const uint64_t[]){5, 5, 5}, (const uint64_t[]){2, 2, 2});
	difference = make(&before, &after);
	is_about(difference.rows[0].moved, 0.5 * 0.6 * 2);
	assert_true(difference.rows[0].cpu.is_noise);
	assert_false(difference.rows[0].nodes[0].is_noise);
	assert_false(difference.rows[0].is_noise);
	end(&before, &after, &difference);
}

static void one_point_tells_nothing_of_chance(void **state)
{
	struct ctd_series before, after;
	struct ctd_difference difference;

	(void)state;
	begin(&before, 1);
	begin(&after, 3);
	add(&before, "cgroup", "a", (const uint64_t[]){1}, NULL);
	add(&after, "cgroup", "a", (const uint64_t[]){9, 9, 9}, NULL);
	difference = make(&before, &after);
	assert_true(isnan(difference.rows[0].cpu.error) && isnan(difference.rows[0].cpu.limit));
	assert_true(difference.rows[0].cpu.is_noise);
	end(&before, &after, &difference);
}

static void what_is_not_seen_is_no_change(void **state)
{
	struct ctd_series before, after;
	struct ctd_difference difference;

	(void)state;
	begin(&before, 2);
	begin(&after, 2);
	for (int i = 0; i < 2; i++)
		before.window_ns[i] = after.window_ns[i] = 10000;
	add(&before, "cgroup", "a", (const uint64_t[]){1000, 1000}, NULL);
	add(&after, "cgroup", "a", (const uint64_t[]){1004, 1004}, NULL);
	add(&before, "cgroup", "b", (const uint64_t[]){1000, 1000}, NULL);
	add(&after, "cgroup", "b", (const uint64_t[]){1006, 1006}, NULL);
	difference = make(&before, &after);
	assert_true(difference.rows[0].cpu.is_noise);
	assert_false(difference.rows[1].cpu.is_noise);
	end(&before, &after, &difference);
}

static void names_are(const struct ctd_difference *difference, const char *names)
{
	char text[64] = "";

	for (size_t i = 0; i < difference->rows_count; i++) {
		strcat(text, difference->rows[i].name);
		strcat(text, " ");
	}
	assert_string_equal(text, names);
}

static void noise_comes_after_what_changed_and_idle_last(void **state)
{
	struct ctd_series before, after;
	struct ctd_difference difference;

	(void)state;
	begin(&before, 3);
	begin(&after, 3);
	add(&before, "idle", "(idle)", (const uint64_t[]){10, 10, 10}, NULL);
	add(&before, "cgroup", "gone", (const uint64_t[]){3, 3, 3}, NULL);
	add(&before, "cgroup", "wild", (const uint64_t[]){0, 0, 10}, NULL);
	add(&before, "cgroup", "less", (const uint64_t[]){5, 5, 5}, (const uint64_t[]){5, 5, 5});
	add(&after, "cgroup", "less", (const uint64_t[]){4, 4, 4}, (const uint64_t[]){5, 5, 5});
	add(&after, "cgroup", "wild", (const uint64_t[]){10, 0, 10}, NULL);
	add(&after, "cgroup", "also", (const uint64_t[]){3, 3, 3}, NULL);
	difference = make(&before, &after);
	assert_int_equal(ctd_difference_sort(&difference, NULL), 0);
	names_are(&difference, "also gone less wild (idle) ");
	assert_int_equal(ctd_difference_sort(&difference, "cpu"), 0);
	names_are(&difference, "also gone less wild (idle) ");
	assert_int_equal(ctd_difference_sort(&difference, "busy"), 0);
	names_are(&difference, "less also gone wild (idle) ");
	assert_int_equal(ctd_difference_sort(&difference, "name"), 0);
	names_are(&difference, "also gone less wild (idle) ");
	assert_int_equal(ctd_difference_sort(&difference, "ipc"), -EINVAL);
	end(&before, &after, &difference);
}

/* Always the same numbers: about normal, as the sum of twelve, with a standard deviation of 1. */
static double random_normal(uint64_t *seed)
{
	double sum = -6;

	for (int i = 0; i < 12; i++) {
		*seed = *seed * 6364136223846793005u + 1442695040888963407u;
		sum += (double)(*seed >> 32) / 4294967296.;
	}
	return sum;
}

/*
 * Of how many of 2000 pairs of sides with so many points a change is found. A figure is half of
 * the whole, with a standard deviation of a twentieth of that in each point; in the second side it
 * is larger by @p more. In each the first point is @p longer times as long as the others.
 */
static int found(size_t points, uint64_t longer, double more)
{
	uint64_t seed = 1, *cpu_ns = calloc(points, sizeof(*cpu_ns));
	int count = 0;

	assert_non_null(cpu_ns);
	for (int trial = 0; trial < 2000; trial++) {
		struct ctd_series sides[2];
		struct ctd_difference difference;

		for (int side = 0; side < 2; side++) {
			begin(&sides[side], points);
			for (size_t i = 0; i < points; i++) {
				double share = 0.5 + 0.05 * random_normal(&seed) + side * more;

				sides[side].window_ns[i] = 1000000 * (i ? 1 : longer);
				cpu_ns[i] = (uint64_t)(share * (double)sides[side].window_ns[i]);
			}
			add(&sides[side], "cgroup", "a", cpu_ns, NULL);
		}
		difference = make(&sides[0], &sides[1]);
		count += !difference.rows[0].cpu.is_noise;
		end(&sides[0], &sides[1], &difference);
	}
	free(cpu_ns);
	return count;
}

static void of_one_load_at_most_one_pair_in_twenty_seems_to_differ(void **state)
{
	(void)state;
	/* The t of one side's degrees of freedom is a little strict for both. */
	assert_in_range(found(20, 1, 0), 60, 100);
	assert_in_range(found(5, 1, 0), 30, 100);
	assert_in_range(found(2, 1, 0), 1, 100);
	/* Of 20 points, four standard errors of a side are 0.045. */
	assert_in_range(found(20, 1, 0.0632), 1900, 2000);
}

/* Where one point has most of the time, what the others say of chance is little. */
static void a_point_that_is_longer_than_others_makes_no_change_of_chance(void **state)
{
	static const uint64_t longer[] = {2, 3, 5, 10, 20, 30, 50, 100, 1000};

	(void)state;
	for (size_t i = 0; i < sizeof(longer) / sizeof(*longer); i++) {
		int count = found(20, longer[i], 0);

		if (count > 120)
			fail_msg("%d of 2000 with %d times the length", count, (int)longer[i]);
	}
	/* And there, in effect, is one point only. */
	assert_int_equal(found(20, 1000, 0.4), 0);
	assert_in_range(found(20, 3, 0.0632), 1800, 2000);
}

/* Student's t as tables have it: by figures whose standard error is known. */
static void the_limit_is_students_t(void **state)
{
	static const struct {
		size_t points;
		double t;
	} cases[] = {{2, 12.706}, {3, 4.303},  {4, 3.182}, {5, 2.776},
		     {10, 2.262}, {11, 2.228}, {20, 2.093}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint64_t cpu_ns[20];
		struct ctd_series before, after;
		struct ctd_difference difference;
		const struct ctd_change *cpu;

		for (size_t k = 0; k < cases[i].points; k++)
			cpu_ns[k] = k % 2;
		begin(&before, cases[i].points);
		begin(&after, cases[i].points);
		add(&before, "cgroup", "a", cpu_ns, NULL);
		add(&after, "cgroup", "a", cpu_ns, NULL);
		difference = make(&before, &after);
		cpu = &difference.rows[0].cpu;
		if (!(fabs(cpu->limit / cpu->error - cases[i].t) < 0.0006))
			fail_msg("%d points: %f", (int)cases[i].points, cpu->limit / cpu->error);
		end(&before, &after, &difference);
	}
}

/* The figure alone would stand out; beside two others of its row it may be chance. */
static void a_row_changed_if_that_is_more_than_all_of_its_figures_make(void **state)
{
	const uint64_t even[] = {5, 5, 5, 5}, before_slots[] = {4, 6, 4, 6};
	const uint64_t after_slots[] = {7, 9, 7, 9}, far_slots[] = {9, 10, 9, 10};
	struct ctd_series before, after;
	struct ctd_difference difference;

	(void)state;
	begin(&before, 4);
	begin(&after, 4);
	add(&before, "cgroup", "a", even, before_slots);
	add(&after, "cgroup", "a", even, after_slots);
	add(&before, "cgroup", "b", even, before_slots);
	add(&after, "cgroup", "b", even, far_slots);
	difference = make(&before, &after);
	/* 0.3 is 3.67 standard errors: t of 3 is 3.18, and of a third of the chance 4.86. */
	is_about(difference.rows[0].nodes[0].error, sqrt(2. / 300));
	assert_false(difference.rows[0].nodes[0].is_noise);
	assert_true(difference.rows[0].is_noise);
	assert_false(difference.rows[1].is_noise);
	end(&before, &after, &difference);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_change_has_the_standard_error_of_both_sides),
		cmocka_unit_test(points_may_have_any_length),
		cmocka_unit_test(a_row_that_is_absent_used_no_cpu_and_tells_nothing_of_its_slots),
		cmocka_unit_test(what_moved_is_cpu_time_that_goes_elsewhere),
		cmocka_unit_test(one_point_tells_nothing_of_chance),
		cmocka_unit_test(what_is_not_seen_is_no_change),
		cmocka_unit_test(noise_comes_after_what_changed_and_idle_last),
		cmocka_unit_test(of_one_load_at_most_one_pair_in_twenty_seems_to_differ),
		cmocka_unit_test(a_point_that_is_longer_than_others_makes_no_change_of_chance),
		cmocka_unit_test(the_limit_is_students_t),
		cmocka_unit_test(a_row_changed_if_that_is_more_than_all_of_its_figures_make),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
