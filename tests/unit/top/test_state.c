/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_state.c - keys change what is shown at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/top/past.h"

#define WEB "cri:aaaaaaaaaaaa"
#define DB "cri:bbbbbbbbbbbb"
#define SSH "/system.slice/ssh.service"
#define POD "pod:11112222-3333-4444-5555-666677778888"

static void begin(struct past *past)
{
	past_begin(past);
	past_add(past, 100, 500, 50);
	past_add(past, 600, 300, 40);
}

static void sorting_goes_through_all_columns(void **state)
{
	struct past past;

	(void)state;
	begin(&past);
	assert_string_equal(past_names(&past), WEB " " DB " " SSH);
	past_key(&past, '<');
	assert_string_equal(past.state.sort, "name");
	assert_string_equal(past_names(&past), SSH " " WEB " " DB);
	past_key(&past, '>');
	past_key(&past, '>');
	past_key(&past, '>');
	assert_string_equal(past.state.sort, "bottleneck");
	for (int i = 0; i < 3; i++)
		past_key(&past, '>');
	assert_string_equal(past.state.sort, "frontend_bound");
	past_key(&past, '<');
	assert_string_equal(past.state.sort, "bad_speculation");
	assert_string_equal(past_names(&past), SSH " " DB " " WEB);
	/* It is known by its name, and may be gone with the plan. */
	snprintf(past.state.sort, sizeof(past.state.sort), "gone");
	assert_string_equal(past_names(&past), WEB " " DB " " SSH);
	past_key(&past, '<');
	assert_string_equal(past.state.sort, "name");
	past_end(&past);
}

/* From the left to the right, then through what there was no room for, and round. */
static void sorting_goes_through_the_columns_as_they_are_seen(void **state)
{
	static const struct {
		int width;
		const char *want;
	} cases[] = {
		{80, "name cpu slots bottleneck retiring bad_speculation frontend_bound "
		     "backend_bound name"},
		{200, "name cpu slots retiring bad_speculation frontend_bound backend_bound "
		      "bottleneck name"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char got[200] = "name";
		struct past past;

		begin(&past);
		strcpy(past.state.sort, "name");
		free(past_draw(&past, cases[i].width, 24));
		for (int presses = 0; presses < 8; presses++) {
			past_key(&past, '>');
			strcat(strcat(got, " "), past.state.sort);
		}
		assert_string_equal(got, cases[i].want);
		past_key(&past, '<');
		assert_string_equal(past.state.sort, i ? "bottleneck" : "backend_bound");
		past_end(&past);
	}
}

/* In the tree lines are not sorted by what holds them up. */
static void sorting_gets_past_a_column_that_cannot_be_sorted_by(void **state)
{
	struct past past;

	(void)state;
	begin(&past);
	past.state.grouping = (struct ctd_top_grouping){.by = CTD_GROUP_CGROUP, .tree = true};
	strcpy(past.state.sort, "slots");
	free(past_draw(&past, 80, 24));
	past_key(&past, '>');
	assert_string_equal(past.state.sort, "bottleneck");
	past_key(&past, '>');
	assert_string_equal(past.state.sort, "retiring");
	past_key(&past, '<');
	past_key(&past, '<');
	assert_string_equal(past.state.sort, "slots");
	past_end(&past);
}

static void the_order_is_turned_round_until_another_is_chosen(void **state)
{
	struct past past;

	(void)state;
	begin(&past);
	past_key(&past, 'R');
	assert_string_equal(past_names(&past), SSH " " DB " " WEB);
	past_key(&past, 'R');
	assert_string_equal(past_names(&past), WEB " " DB " " SSH);
	past_key(&past, 'R');
	past_key(&past, '<');
	assert_string_equal(past.state.sort, "name");
	assert_string_equal(past_names(&past), SSH " " WEB " " DB);
	past_end(&past);
}

static void grouping_goes_round(void **state)
{
	struct past past;

	(void)state;
	begin(&past);
	past_key(&past, 'b');
	assert_string_equal(past_names(&past), POD " " SSH);
	past_key(&past, 'b');
	assert_string_equal(past_names(&past), "(no namespace)");
	past_key(&past, 'b');
	assert_string_equal(past_names(&past), "(no owner)");
	past_key(&past, 'b');
	assert_string_equal(past_names(&past), PAST_WEB " " PAST_DB " " SSH);
	past_key(&past, 'b');
	assert_true(past.state.grouping.tree);
	past_key(&past, 'b');
	assert_string_equal(past_names(&past), WEB " " DB " " SSH);
	past.state.may_tree = false;
	for (int i = 0; i < 5; i++)
		past_key(&past, 'b');
	assert_string_equal(past_names(&past), WEB " " DB " " SSH);
	past_end(&past);
}

static void several_machines_are_a_grouping(void **state)
{
	struct past past;

	(void)state;
	begin(&past);
	past.state.has_nodes = true;
	past.state.grouping.by = CTD_GROUP_OWNER;
	past_key(&past, 'b');
	assert_int_equal(past.state.grouping.by, CTD_GROUP_NODE);
	past_key(&past, 'b');
	assert_int_equal(past.state.grouping.by, CTD_GROUP_CGROUP);
	past_end(&past);
}

static void a_row_is_known_on_its_machine_only(void **state)
{
	static const enum ctd_rollup_kind kinds[] = {CTD_ROLLUP_CGROUP, CTD_ROLLUP_CONTAINER,
						     CTD_ROLLUP_POD, CTD_ROLLUP_NODE};
	struct ctd_identity here = {.path = (char *)"/a",
				    .node = (char *)"here",
				    .container_id = "1",
				    .pod_uid = "2",
				    .names.namespace_name = (char *)"shop"};
	struct ctd_identity there = here;

	(void)state;
	there.node = (char *)"there";
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		assert_int_not_equal(ctd_top_row_key(kinds[i], &here, 0, 0),
				     ctd_top_row_key(kinds[i], &there, 0, 0));
	assert_int_equal(ctd_top_row_key(CTD_ROLLUP_NAMESPACE, &here, 0, 0),
			 ctd_top_row_key(CTD_ROLLUP_NAMESPACE, &there, 0, 0));
}

static void a_folded_row_hides_what_is_below_it(void **state)
{
	struct past past;
	struct ctd_top_view view;

	(void)state;
	begin(&past);
	past.state.grouping = (struct ctd_top_grouping){.by = CTD_GROUP_CGROUP, .tree = true};
	view = past_view(&past);
	assert_int_equal(view.lines_count, 6);
	assert_int_equal(ctd_top_view_row(&view, 0)->cpu_ns, 900000000);
	ctd_top_view_free(&view);
	past_key(&past, CTD_KEY_DOWN);
	past_key(&past, ' ');
	assert_string_equal(past_names(&past), "/kubepods " SSH);
	past_key(&past, '+');
	view = past_view(&past);
	assert_int_equal(view.lines_count, 6);
	ctd_top_view_free(&view);
	past_key(&past, '*');
	assert_string_equal(past_names(&past), "/kubepods /kubepods/burstable " SSH);
	past_key(&past, '*');
	view = past_view(&past);
	assert_int_equal(view.lines_count, 6);
	ctd_top_view_free(&view);
	past_end(&past);
}

static void type(struct past *past, const char *text)
{
	past_key(past, '/');
	for (; *text; text++)
		past_key(past, *text);
}

static void a_filter_takes_effect_with_each_letter(void **state)
{
	struct past past;

	(void)state;
	begin(&past);
	type(&past, "SS");
	assert_string_equal(past_names(&past), SSH);
	/* While it is typed, letters are no keys. */
	type(&past, "q");
	assert_string_equal(past_names(&past), "");
	assert_false(past.state.quit);
	past_key(&past, CTD_KEY_BACKSPACE);
	past_key(&past, CTD_KEY_BACKSPACE);
	past_key(&past, 0xe9);
	past_key(&past, CTD_KEY_BACKSPACE);
	assert_string_equal(past.state.filter, "SS");
	past_key(&past, CTD_KEY_ENTER);
	past_key(&past, CTD_KEY_ESCAPE);
	assert_string_equal(past_names(&past), WEB " " DB " " SSH);
	past_end(&past);
}

static void a_filter_in_a_tree_keeps_what_is_above(void **state)
{
	struct past past;

	(void)state;
	begin(&past);
	past.state.grouping = (struct ctd_top_grouping){.by = CTD_GROUP_CGROUP, .tree = true};
	type(&past, SCENE_ID_B);
	struct ctd_top_view view = past_view(&past);

	assert_int_equal(view.lines_count, 4);
	assert_int_equal(view.hidden, 2);
	ctd_top_view_free(&view);
	past_end(&past);
}

static void a_chosen_row_stays_chosen_wherever_it_goes(void **state)
{
	struct past past;
	struct ctd_top_view view;

	(void)state;
	begin(&past);
	free(past_draw(&past, 80, 24));
	past_key(&past, CTD_KEY_DOWN);
	past_key(&past, CTD_KEY_DOWN);
	view = past_view(&past);
	assert_int_equal(past.state.selected, view.lines[1].id);
	ctd_top_view_free(&view);
	past_add(&past, 100, 900, 0);
	free(past_draw(&past, 80, 24));
	assert_int_equal(past.state.selected_at, 0);
	/* It is gone: another one takes its place. */
	past_add(&past, 100, 0, 90);
	free(past_draw(&past, 80, 24));
	view = past_view(&past);
	assert_int_equal(past.state.selected, view.lines[0].id);
	ctd_top_view_free(&view);
	past_key(&past, CTD_KEY_HOME);
	assert_int_equal(past.state.selected, 0);
	past_end(&past);
}

static void time_stands_still_and_goes_back(void **state)
{
	struct past past;
	struct ctd_top_view view;

	(void)state;
	begin(&past);
	past_key(&past, CTD_KEY_LEFT);
	assert_true(past.state.paused);
	assert_string_equal(past_names(&past), DB " " WEB " " SSH);
	past_add(&past, 1, 2, 3);
	assert_string_equal(past_names(&past), DB " " WEB " " SSH);
	past_key(&past, ']');
	assert_string_equal(past_names(&past), SSH " " DB " " WEB);
	assert_true(*past.state.said);
	past_key(&past, '[');
	past_key(&past, 'p');
	assert_false(past.state.paused);
	view = past_view(&past);
	assert_int_equal(view.frame->number, 3);
	ctd_top_view_free(&view);
	past_end(&past);
}

static void click(struct past *past, int row, int column)
{
	struct ctd_top_view view = past_view(past);
	struct ctd_top_input input = {CTD_KEY_CLICK, row, column};

	ctd_top_state_take(&past->state, &input, &view);
	ctd_top_view_free(&view);
}

/* Where the mark is on the time line. */
static int mark_of(struct past *past)
{
	free(past_draw(past, 80, 24));
	for (int column = 0; column < 80; column++)
		if (ctd_canvas_cell(&past->canvas, past->state.seen.time_row, column)->code == 'O')
			return column;
	return -1;
}

static void a_click_on_the_time_line_leads_to_what_is_there(void **state)
{
	const struct ctd_top_seen *seen;
	struct past past;

	(void)state;
	past_begin(&past);
	past.source.has_time_line = true;
	seen = &past.state.seen;
	/* Of few intervals each has a mark of its own. */
	for (int i = 0; i < 7; i++)
		past_add(&past, 1, 1, 1);
	past.state.paused = true;
	for (uint64_t number = 1; number <= 7; number++) {
		past.state.number = number;
		click(&past, seen->time_row, mark_of(&past));
		assert_int_equal(past.state.number, number);
	}
	/* Of many the mark goes to where the click was. */
	for (int i = 0; i < 93; i++)
		past_add(&past, 1, 1, 1);
	assert_in_range(mark_of(&past), seen->time_from, 79);
	assert_in_range(seen->time_width, 20, 80);
	for (int i = 0; i < seen->time_width; i++) {
		int width = seen->time_width, mark;

		click(&past, seen->time_row, seen->time_from + i);
		mark = mark_of(&past);
		/* A number of more digits takes a column of the bar. */
		assert_in_range(mark, seen->time_from + i - (width - seen->time_width),
				seen->time_from + i);
	}
	/* The times beside it are none. */
	click(&past, seen->time_row, 0);
	click(&past, seen->time_row, 79);
	assert_int_equal(past.state.number, 100);
	past_end(&past);
}

static void pages_lead_back_to_where_they_were_opened(void **state)
{
	struct past past;

	(void)state;
	begin(&past);
	past_key(&past, CTD_KEY_ENTER);
	assert_int_equal(past.state.page, CTD_TOP_DETAIL);
	past_key(&past, 'e');
	assert_int_equal(past.state.page, CTD_TOP_EXPLAIN);
	past_key(&past, CTD_KEY_ESCAPE);
	assert_int_equal(past.state.page, CTD_TOP_DETAIL);
	past_key(&past, '?');
	past_key(&past, 'q');
	past_key(&past, 'q');
	assert_int_equal(past.state.page, CTD_TOP_LIST);
	assert_false(past.state.quit);
	past_key(&past, 'q');
	assert_true(past.state.quit);
	past_end(&past);
}

static void keys_are_harmless_before_the_first_interval(void **state)
{
	static const int keys[] = {CTD_KEY_UP,
				   CTD_KEY_DOWN,
				   CTD_KEY_LEFT,
				   CTD_KEY_RIGHT,
				   CTD_KEY_PAGE_UP,
				   CTD_KEY_END,
				   CTD_KEY_HOME,
				   CTD_KEY_ENTER,
				   CTD_KEY_ESCAPE,
				   CTD_KEY_CLICK,
				   'b',
				   'l',
				   'e',
				   'p',
				   ' ',
				   '*',
				   '<',
				   '>',
				   '[',
				   ']',
				   CTD_KEY_WHEEL_UP,
				   '?',
				   '?',
				   'e'};
	struct past past;

	(void)state;
	past_begin(&past);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		past_key(&past, keys[i]);
		free(past_draw(&past, 60, 20));
	}
	past_end(&past);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorting_goes_through_all_columns),
		cmocka_unit_test(sorting_goes_through_the_columns_as_they_are_seen),
		cmocka_unit_test(sorting_gets_past_a_column_that_cannot_be_sorted_by),
		cmocka_unit_test(the_order_is_turned_round_until_another_is_chosen),
		cmocka_unit_test(grouping_goes_round),
		cmocka_unit_test(several_machines_are_a_grouping),
		cmocka_unit_test(a_row_is_known_on_its_machine_only),
		cmocka_unit_test(a_folded_row_hides_what_is_below_it),
		cmocka_unit_test(a_filter_takes_effect_with_each_letter),
		cmocka_unit_test(a_filter_in_a_tree_keeps_what_is_above),
		cmocka_unit_test(a_chosen_row_stays_chosen_wherever_it_goes),
		cmocka_unit_test(time_stands_still_and_goes_back),
		cmocka_unit_test(a_click_on_the_time_line_leads_to_what_is_there),
		cmocka_unit_test(pages_lead_back_to_where_they_were_opened),
		cmocka_unit_test(keys_are_harmless_before_the_first_interval),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
