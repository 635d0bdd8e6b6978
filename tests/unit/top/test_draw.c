/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_draw.c - every page fits into any screen. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "golden.h"
#include "top/bar.h"
#include "top/functions.h"
#include "unit/top/past.h"

/* Of the first row, which loses most to the back end. */
static const struct ctd_top_functions made_functions = {
	.known = true,
	.of_row =
		{
			.by_slots = true,
			.seconds = 61.2,
			.samples = 1140,
			.nodes = {"retiring", "backend_bound"},
			.nodes_count = 2,
			.items =
				{
					{"wait_for_memory", "/usr/bin/web", .612, .3, {.1, .881}},
					{"std::map<std::string, int>::find(std::string const&)",
					 "/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.33",
					 .2,
					 .101,
					 {.5, .25}},
					{"page_fault", "[kernel]", .05, .02, {.3, .6}},
					{"0x7f00 in a \033[31mname", "", .004, .001, {0, 1}},
				},
			.items_count = 4,
			.others = 12,
			.others_share = .134,
		},
};

static void every_page_is_drawn_in_any_size(void **state)
{
	static const int widths[] = {1,	 2,  3,	 7,  12,  13,  19,  20,
				     40, 41, 79, 80, 120, 133, 200, 500};
	static const int heights[] = {1, 2, 3, 4, 5, 6, 8, 9, 10, 24, 100};
	struct past past;

	(void)state;
	past_begin(&past);
	past.source.has_time_line = true;
	past.functions = &made_functions;
	for (int i = 0; i < 70; i++)
		past_add(&past, 600, 300, 40);
	free(past_draw(&past, 80, 24));
	past_key(&past, CTD_KEY_DOWN);
	for (int page = CTD_TOP_LIST; page <= CTD_TOP_HELP; page++)
		for (size_t w = 0; w < sizeof(widths) / sizeof(*widths); w++)
			for (size_t h = 0; h < sizeof(heights) / sizeof(*heights); h++)
				for (int look = 0; look < 4; look++) {
					past.state.page = (enum ctd_top_page)page;
					past.state.grouping.tree = look == 3;
					past.state.grouping.by =
						look == 3 ? CTD_GROUP_CGROUP : CTD_GROUP_CONTAINER;
					past.canvas.unicode = look & 1;
					past.canvas.colour = look & 2;
					free(past_draw(&past, widths[w], heights[h]));
				}
	past_end(&past);
}

static void tell_nodes(struct past *past, size_t shown, size_t asked, const char *missing,
		       bool is_of_frame)
{
	struct ctd_top_nodes nodes = {
		.shown = shown, .asked = asked, .missing = missing ? strdup(missing) : NULL};

	assert_int_equal(ctd_top_history_tell_nodes(&past->history, &nodes, is_of_frame), 0);
}

static void nodes_without_figures_are_named(void **state)
{
	static const char *const missing = "c\tit wants a token\nd\x1b[1m\tit is no JSON object\n"
					   "e\tno new figures for 7 s\n[::1]:9753\tgone\n";
	struct past past;
	char *text;

	(void)state;
	past_begin(&past);
	tell_nodes(&past, 0, 1, "c\tit has not answered yet\n", false);
	text = past_draw(&past, 80, 24);
	if (!strstr(text, "  0 of 1 node") || !strstr(text, "\nc: it has not answered yet\n") ||
	    !strstr(text, "The first interval has not ended yet."))
		fail_msg("%s", text);
	free(text);
	past_add(&past, 600, 300, 40);
	tell_nodes(&past, 2, 2, NULL, true);
	past_add(&past, 600, 300, 40);
	tell_nodes(&past, 2, 6, missing, true);
	text = past_draw(&past, 80, 24);
	if (!strstr(text, "  2 of 6 nodes  ") || !strstr(text, "\nc: it wants a token\n") ||
	    !strstr(text, "\nd\\x1b[1m: it is no JSON object\n") ||
	    !strstr(text, "\n[::1]:9753: gone\n") || !strstr(text, "cri:aaaaaaaaaaaa"))
		fail_msg("%s", text);
	free(text);
	/* Of those that there is no room for at least the names. */
	text = past_draw(&past, 80, 12);
	if (!strstr(text, "\nc: it wants a token\n3 more: d\\x1b[1m, e, [::1]:9753\n") &&
	    !strstr(text, "\n4 more: c, d\\x1b[1m, e, [::1]:9753\n"))
		fail_msg("%s", text);
	free(text);
	/* What was then, then. */
	past_key(&past, CTD_KEY_LEFT);
	text = past_draw(&past, 80, 24);
	if (!strstr(text, "  2 of 2 nodes  ") || strstr(text, "token"))
		fail_msg("%s", text);
	free(text);
	past_end(&past);
}

static void waits_are_on_a_rows_own_screen(void **state)
{
	struct past past;
	char *text;

	(void)state;
	past_begin(&past);
	past_add(&past, 600, 300, 40);
	past_key(&past, CTD_KEY_ENTER);
	text = past_draw(&past, 80, 60);
	if (!strstr(text, " 30.0  7 waits, put off a CPU 0 times\n") ||
	    !strstr(text, " 30.0  for other cgroups\n") || strstr(text, "kernel threads"))
		fail_msg("%s", text);
	free(text);
	past_end(&past);
}

static void what_slows_a_row_down_is_beside_it(void **state)
{
	struct past past;
	char *text;

	(void)state;
	past_begin(&past);
	past_add(&past, 600, 300, 0);
	past.noisy = "run_queue";
	text = past_draw(&past, 120, 24);
	if (!strstr(text, " BOTTLENECK ") || !strstr(text, " NOISY ") ||
	    !strstr(text, " run_queue ") || !strstr(text, " - "))
		fail_msg("%s", text);
	free(text);
	past_key(&past, CTD_KEY_DOWN);
	past_key(&past, CTD_KEY_UP);
	past_key(&past, CTD_KEY_ENTER);
	text = past_draw(&past, 100, 60);
	if (!strstr(text, "Others slow it down (run_queue): "))
		fail_msg("%s", text);
	free(text);
	past.noisy = NULL;
	past_key(&past, CTD_KEY_ESCAPE);
	text = past_draw(&past, 120, 24);
	if (strstr(text, "NOISY"))
		fail_msg("%s", text);
	free(text);
	past_end(&past);
}

/* Without a gap. */
static size_t cells_of_retiring(const char *text)
{
	const char *line = strstr(text, "\nRetiring ");
	size_t cells = 0;

	assert_non_null(line);
	for (const char *end = strchr(line + 1, '\n'); end[-1] != ' '; end--)
		cells++;
	return cells;
}

static void shares_of_a_steady_load_have_no_gap(void **state)
{
	struct past past;
	char *text;

	(void)state;
	past_begin(&past);
	for (int i = 0; i < 70; i++)
		past_add(&past, 600, 300, 40);
	past_key(&past, CTD_KEY_ENTER);
	/* As wide as a cell of each second. */
	text = past_draw(&past, 120, 60);
	assert_int_equal(cells_of_retiring(text), 60);
	free(text);
	past_end(&past);
}

static void shares_before_a_change_of_plan_are_seen_looking_back(void **state)
{
	static const struct ctd_record_header header = {
		.source = "sim", .model = "sim", .counters_count = 5, .groups_count = 1};
	const char *unknown;
	struct past past;
	char *text;

	(void)state;
	past_begin(&past);
	for (int i = 0; i < 60; i++)
		past_add(&past, 600, 300, 40);
	assert_int_equal(ctd_top_history_plan(&past.history, &header, &unknown), 0);
	past_add(&past, 600, 300, 40);
	past_key(&past, CTD_KEY_ENTER);
	/* A cell of each second: of the new plan there is one. */
	text = past_draw(&past, 120, 60);
	assert_int_equal(cells_of_retiring(text), 1);
	free(text);
	past_key(&past, CTD_KEY_LEFT);
	text = past_draw(&past, 120, 60);
	assert_int_equal(cells_of_retiring(text), 60);
	free(text);
	past_end(&past);
}

/* A second of the cgroup 4 without counters, as it is told now, or was kept. */
static void add_uncounted(struct past *past, uint64_t switches, bool is_past)
{
	struct ctd_interval interval = {
		.realtime_ns = PAST_BEGIN_NS + (past->history.numbers + 1) * 1000000000ull,
		.window_ns = 1000000000,
		.groups_count = 1,
	};
	const struct ctd_rollup_plan *plan = past->history.pipeline.plan;

	assert_int_equal(ctd_interval_reserve(&interval, 1), 0);
	assert_int_equal(ctd_interval_reserve_totals(&interval), 0);
	interval.rows[0].cgroup_id = 4;
	interval.rows[0].kind = CTD_ROW_CGROUP;
	interval.rows[0].oncpu_ns = 600000000;
	interval.rows[0].switches = interval.rows[0].slices = switches;
	interval.rows[0].quality = CTD_UNSUPPORTED;
	interval.rows_count = 1;
	if (is_past)
		assert_int_equal(
			ctd_top_history_add_past(&past->history, plan, &interval, NULL, false), 0);
	else
		assert_int_equal(ctd_top_history_add(&past->history, plan, &interval, NULL), 0);
}

static void what_serves_history_does_not_tell_is_a_dash(void **state)
{
	static const struct ctd_record_header header = {.source = "none", .groups_count = 1};
	const char *unknown;
	struct past past;
	char *text;

	(void)state;
	past_begin(&past);
	assert_int_equal(ctd_top_history_plan(&past.history, &header, &unknown), 0);
	add_uncounted(&past, 0, true);
	text = past_draw(&past, 80, 24);
	if (!strstr(text, "  from serve's history\n") || strstr(text, "switches/s") ||
	    !strstr(text, "        -        - "))
		fail_msg("%s", text);
	free(text);
	add_uncounted(&past, 0, false);
	text = past_draw(&past, 80, 24);
	if (strstr(text, "history") || !strstr(text, " switches/s") ||
	    !strstr(text, "        0        0 "))
		fail_msg("%s", text);
	free(text);
	past_end(&past);
}

/* As with the NMI watchdog, which holds the counter of one node. */
static void a_node_that_is_not_counted_has_no_share_in_the_sum(void **state)
{
	static const struct ctd_record_header header = {
		.source = "zen_dispatch", .model = "zen4", .counters_count = 5, .groups_count = 1};
	const char *unknown;
	struct past past;
	char *text;

	(void)state;
	past_begin(&past);
	assert_int_equal(ctd_top_history_plan(&past.history, &header, &unknown), 0);
	past_add(&past, 600, 300, 40);
	text = past_draw(&past, 160, 24);
	if (!strstr(text, "  SMT -\n") || !strstr(text, "  Retiring 6%  "))
		fail_msg("%s", text);
	free(text);
	past_end(&past);
}

static void the_head_says_what_rows_are_sorted_by(void **state)
{
	static const struct {
		const char *sort;
		bool tree;
		const char *want;
	} cases[] = {
		{"cpu", false, "sorted by CPU%"},
		{"backend_bound", false, "sorted by BackEnd"},
		{"bottleneck", false, "sorted by bottleneck"},
		/* By CPU time, as it is not counted, or no order of a tree. */
		{"ipc", false, "sorted by CPU%"},
		{"memory_bound", false, "sorted by CPU%"},
		{"bottleneck", true, "sorted by CPU%"},
		{"backend_bound", true, "sorted by BackEnd"},
	};
	static const struct ctd_record_header header = {
		.source = "perf_metrics", .model = "golden_cove", .counters_count = 5};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *unknown;
		struct past past;
		char *text;

		past_begin(&past);
		assert_int_equal(ctd_top_history_plan(&past.history, &header, &unknown), 0);
		past_add(&past, 600, 300, 40);
		strcpy(past.state.sort, cases[i].sort);
		past.state.grouping = (struct ctd_top_grouping){
			.by = cases[i].tree ? CTD_GROUP_CGROUP : CTD_GROUP_CONTAINER,
			.tree = cases[i].tree};
		text = past_draw(&past, 120, 24);
		if (!strstr(text, cases[i].want))
			fail_msg("%s: %s", cases[i].sort, text);
		free(text);
		past_end(&past);
	}
}

static void metrics_that_are_elsewhere_are_told_of(void **state)
{
	struct past past;
	char *text;

	(void)state;
	past_begin(&past);
	past_add(&past, 600, 300, 40);
	past_key(&past, CTD_KEY_ENTER);
	text = past_draw(&past, 80, 60);
	assert_null(strstr(text, "--metrics-dir"));
	free(text);
	past.history.has_vendor = true;
	text = past_draw(&past, 80, 60);
	if (!strstr(text,
		    "\nMetrics of --metrics-dir: the page of serve shows those of this row, "))
		fail_msg("%s", text);
	free(text);
	past_end(&past);
}

static char *draw_detail(struct past *past, const struct ctd_top_functions *functions, int width,
			 int height)
{
	past_begin(past);
	past->canvas.unicode = past->canvas.colour = true;
	past->functions = functions;
	past_add(past, 600, 300, 40);
	past_key(past, CTD_KEY_ENTER);
	return past_draw(past, width, height);
}

static void functions_are_on_a_rows_own_screen(void **state)
{
	struct past past;
	char *text;

	(void)state;
	if (!setlocale(LC_CTYPE, "C.UTF-8")) {
		print_message("there is no locale C.UTF-8\n");
		skip();
	}
	text = draw_detail(&past, &made_functions, 80, 40);
	golden_compare("top-80x40-row-profile.txt", text);
	free(text);
	past_end(&past);
	/* Where there is little room, they are found further down. */
	text = draw_detail(&past, &made_functions, 40, 10);
	free(text);
	past_key(&past, CTD_KEY_END);
	for (int i = 0; i < 13; i++)
		past_key(&past, CTD_KEY_UP);
	text = past_draw(&past, 40, 10);
	golden_compare("top-40x10-row-profile.txt", text);
	free(text);
	past_end(&past);
}

static void a_part_that_is_not_known_is_a_dash(void **state)
{
	struct ctd_top_functions functions = made_functions;
	struct past past;
	char *text;

	(void)state;
	functions.of_row.items[0].nodes[1] = NAN;
	text = draw_detail(&past, &functions, 80, 40);
	assert_non_null(strstr(text, "  -  wait_for_memory"));
	assert_null(strstr(text, "nan"));
	free(text);
	past_end(&past);
}

static void functions_that_cannot_be_had_are_a_word(void **state)
{
	static const struct {
		struct ctd_top_functions functions;
		const char *wanted;
	} cases[] = {
		{{.known = false}, "\nFunctions: asking for its stacks ..."},
		{{.why = "No stacks are sampled: start it with --profile."},
		 "\nFunctions: No stacks are sampled: start it with --profile.\n"},
		{{.known = true}, "no stack of it was sampled in the last minute"},
		/* Of several core types: by time. */
		{{.known = true,
		  .of_row = {.seconds = 60,
			     .samples = 2,
			     .items = {{"f", "/bin/m", 1, .5, {0}}},
			     .items_count = 1}},
		 "   CPU%              FUNCTION\n   50.0  ██████████  f (m)\n"},
	};

	(void)state;
	if (!setlocale(LC_CTYPE, "C.UTF-8")) {
		print_message("there is no locale C.UTF-8\n");
		skip();
	}
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct past past;
		char *text = draw_detail(&past, &cases[i].functions, 80, 40);

		if (!strstr(text, cases[i].wanted) || strstr(text, "SLOTS"))
			fail_msg("%s", strstr(text, "WAIT%"));
		free(text);
		past_end(&past);
	}
}

static void shares_share_a_cell_at_their_border(void **state)
{
	const struct ctd_value values[CTD_NODES_MAX] = {
		{.5, CTD_OK}, {.25, CTD_OK}, {.125, CTD_OK}, {.125, CTD_OK}};
	struct ctd_canvas canvas = {.unicode = true, .colour = true};
	struct ctd_cell *cell;
	char *text;

	(void)state;
	assert_int_equal(ctd_canvas_init(5, 1, &canvas), 0);
	/* 20 eighths, 10, 5 and 5. */
	ctd_top_bar(&canvas, 0, 0, 5, &ctd_cpu_sim, values);
	cell = ctd_canvas_cell(&canvas, 0, 2);
	assert_int_equal(cell->code, 0x258c); /* the left half */
	assert_int_equal(cell->paint, CTD_PAINT_RETIRING);
	assert_int_equal(cell->ground, CTD_PAINT_BAD_SPECULATION);
	assert_int_equal(ctd_canvas_cell(&canvas, 0, 0)->ground, CTD_PAINT_PLAIN);
	/* Without colours letters tell them apart. */
	canvas.colour = false;
	assert_int_equal(ctd_canvas_init(8, 1, &canvas), 0);
	ctd_top_bar(&canvas, 0, 0, 8, &ctd_cpu_sim, values);
	text = ctd_canvas_text(&canvas);
	assert_string_equal(text, "rrrrssfb\n");
	free(text);
	ctd_canvas_free(&canvas);
}

static void wide_characters_are_not_cut_in_halves(void **state)
{
	struct ctd_canvas canvas = {.unicode = true};

	(void)state;
	assert_int_equal(ctd_canvas_init(6, 1, &canvas), 0);
	if (!setlocale(LC_CTYPE, "C.UTF-8")) {
		print_message("there is no locale C.UTF-8\n");
		skip();
	}
	assert_int_equal(ctd_canvas_put(&canvas, 0, 1, 4, CTD_PAINT_PLAIN, "a日本"), 3);
	assert_int_equal(ctd_canvas_cell(&canvas, 0, 3)->code, 0);
	assert_int_equal(ctd_canvas_cell(&canvas, 0, 4)->code, ' ');
	assert_int_equal(ctd_canvas_put(&canvas, 0, 5, 9, CTD_PAINT_PLAIN, "\033日"), 1);
	assert_int_equal(ctd_canvas_cell(&canvas, 0, 5)->code, '?');
	assert_int_equal(ctd_canvas_put(&canvas, 1, 0, 9, CTD_PAINT_PLAIN, "a"), 0);
	ctd_canvas_free(&canvas);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_page_is_drawn_in_any_size),
		cmocka_unit_test(nodes_without_figures_are_named),
		cmocka_unit_test(shares_of_a_steady_load_have_no_gap),
		cmocka_unit_test(shares_before_a_change_of_plan_are_seen_looking_back),
		cmocka_unit_test(waits_are_on_a_rows_own_screen),
		cmocka_unit_test(what_slows_a_row_down_is_beside_it),
		cmocka_unit_test(what_serves_history_does_not_tell_is_a_dash),
		cmocka_unit_test(a_node_that_is_not_counted_has_no_share_in_the_sum),
		cmocka_unit_test(the_head_says_what_rows_are_sorted_by),
		cmocka_unit_test(metrics_that_are_elsewhere_are_told_of),
		cmocka_unit_test(functions_are_on_a_rows_own_screen),
		cmocka_unit_test(a_part_that_is_not_known_is_a_dash),
		cmocka_unit_test(functions_that_cannot_be_had_are_a_word),
		cmocka_unit_test(shares_share_a_cell_at_their_border),
		cmocka_unit_test(wide_characters_are_not_cut_in_halves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
