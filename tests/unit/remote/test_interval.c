/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_interval.c - two views of a ledger come to what the ledger was given in between. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "remote/interval.h"
#include "unit/remote/told.h"

#define KEPT_ID "1111111111111111111111111111111111111111111111111111111111111111"

/* A window between two views, and its rollup. */
struct window {
	struct ctd_remote_view before, after;
	struct ctd_remote_plan *plan;
	struct ctd_remote_interval interval;
	struct ctd_rollup rollup;
	uint64_t slots; /* the ledger's, at the begin */
};

static void begin(struct window *window, const struct book *book)
{
	char why[CTD_REMOTE_WHY_BYTES];

	*window = (struct window){.before = told_by(book), .slots = book->view->totals.slots};
	assert_int_equal(ctd_remote_plan_new(&window->before, true, &window->plan, why), 0);
}

/* All slots of the window are those of its rows, and of nobody: to the slot. */
static void check_balance(const struct window *window, const struct book *book)
{
	const struct ctd_rollup_totals *totals = &window->rollup.totals[0];
	uint64_t slots = totals->unattributed_slots + (uint64_t)totals->residual_slots;

	for (size_t i = 0; i < window->rollup.rows_count; i++)
		slots += window->rollup.rows[i].slots;
	assert_int_equal(slots, book->view->totals.slots - window->slots);
	assert_int_equal(totals->slots, slots);
}

static void end(struct window *window, const struct book *book, enum ctd_group_by by)
{
	const struct ctd_rollup_options options = {.by = by};

	window->after = told_by(book);
	assert_true(ctd_remote_view_is_of_run(&window->after, &window->before));
	assert_true(ctd_remote_view_is_of_plan(&window->after, &window->before));
	assert_int_equal(ctd_remote_interval_make(window->plan, &window->before, &window->after,
						  &window->interval),
			 0);
	assert_int_equal(ctd_remote_rollup_make(window->plan, &window->interval, &options,
						&window->rollup),
			 0);
	check_balance(window, book);
}

static void window_free(struct window *window)
{
	ctd_rollup_free(&window->rollup);
	ctd_remote_interval_free(&window->interval);
	ctd_remote_plan_free(window->plan);
	ctd_remote_view_free(&window->before);
	ctd_remote_view_free(&window->after);
}

static const struct ctd_rollup_row *find(const struct window *window, enum ctd_rollup_kind kind,
					 const char *path)
{
	for (size_t i = 0; i < window->rollup.rows_count; i++) {
		const struct ctd_rollup_row *row = &window->rollup.rows[i];

		if (row->kind == kind &&
		    (!path || (row->identity && strcmp(row->identity->path, path) == 0)))
			return row;
	}
	fail_msg("no row of %s", path ? path : "that kind");
	return NULL;
}

static void a_row_has_what_it_did_in_between(void **state)
{
	const struct ctd_rollup_row *row;
	const struct ctd_node *dominant;
	struct window window;
	struct book book;

	(void)state;
	sample_fill(&book);
	begin(&window, &book);
	for (int i = 0; i < 2; i++) {
		book_run_cgroup(&book, &sample_web, 100);
		book_run(&book, CTD_ROLLUP_IDLE, 1900);
		book.rollup.totals[0].unattributed_slots = 11;
		book.rollup.totals[0].residual_slots = -2;
		book_add(&book);
	}
	end(&window, &book, CTD_GROUP_CONTAINER);
	row = find(&window, CTD_ROLLUP_CONTAINER, sample_web.path);
	assert_int_equal(row->cpu_ns, 200000000);
	assert_int_equal(row->slots, 2 * slots_of_ms(100));
	assert_int_equal(row->slices, 6);
	assert_int_equal(row->quality, CTD_OK);
	assert_int_equal(row->cgroup_id, 0);
	assert_string_equal(row->identity->names.pod_name, "cart-0");
	assert_string_equal(row->identity->names.owner_kind, "StatefulSet");
	assert_string_equal(row->identity->runtime, "containerd");
	assert_int_equal(row->identity->qos, CTD_QOS_BURSTABLE);
	/* Its model has the nodes of the server's, in their order. */
	assert_string_equal(window.rollup.plan->model->nodes[0].name, "retiring");
	assert_true(fabs(row->parts[0].values[0].ratio - .7) < 1e-6);
	dominant = &window.rollup.plan->model->nodes[row->parts[0].dominant];
	assert_string_equal(window.rollup.plan->model->nodes[dominant->parent].name,
			    "backend_bound");
	assert_int_equal(window.rollup.totals[0].unattributed_slots, 22);
	assert_int_equal(window.rollup.totals[0].residual_slots, -4);
	assert_int_equal(window.rollup.window_ns, 2 * SECOND_NS);
	/* What did nothing has no row, but idle. */
	assert_int_equal(window.rollup.rows_count, 2);
	find(&window, CTD_ROLLUP_IDLE, NULL);
	window_free(&window);
	book_close(&book);
}

static void a_row_has_what_its_limit_did_in_between(void **state)
{
	static const struct ctd_throttling throttling = {.periods = 10,
							 .throttled = 4,
							 .throttled_ns = 3000,
							 .limit_ns = 250000000,
							 .weight = 79};
	const struct ctd_rollup_row *row;
	struct window window;
	struct book book;

	(void)state;
	sample_fill(&book);
	for (int i = 0; i < 3; i++) {
		struct book_line *line = book_run_cgroup(&book, &sample_web, 100);

		line->row.throttling_known = true;
		line->row.throttling = throttling;
		book_run_cgroup(&book, &sample_unit, 100);
		book_add(&book);
		if (!i)
			begin(&window, &book);
	}
	end(&window, &book, CTD_GROUP_CONTAINER);
	row = find(&window, CTD_ROLLUP_CONTAINER, sample_web.path);
	assert_true(row->throttling_known);
	assert_int_equal(row->throttling.periods, 20);
	assert_int_equal(row->throttling.throttled, 8);
	assert_int_equal(row->throttling.throttled_ns, 6000);
	assert_int_equal(row->throttling.limit_ns, 250000000);
	assert_int_equal(row->throttling.request_ns, 0);
	assert_int_equal(row->throttling.weight, 79);
	row = find(&window, CTD_ROLLUP_CGROUP, sample_unit.path);
	assert_false(row->throttling_known);
	window_free(&window);
	book_close(&book);
}

static void a_row_has_what_it_did_beside_siblings_in_between(void **state)
{
	/* Divided and multiplied again, 15 of 44 is a little less than 15. */
	static const struct ctd_beside smt = {
		.known = true,
		.slots_known = true,
		.parts = {
			[CTD_SIBLING_IDLE] = {20, 44, 15, 19}, [CTD_SIBLING_MIXED] = {7, 24, 9, 5}}};
	const struct ctd_beside *found;
	struct window window;
	struct book book;

	(void)state;
	sample_fill(&book);
	begin(&window, &book);
	book_run_cgroup(&book, &sample_unit, 10)->part.smt = smt;
	book_run(&book, CTD_ROLLUP_IDLE, 10);
	book_add(&book);
	end(&window, &book, CTD_GROUP_CONTAINER);
	found = &find(&window, CTD_ROLLUP_CGROUP, sample_unit.path)->parts[0].smt;
	assert_true(found->known && found->slots_known);
	for (int i = 0; i < CTD_SIBLINGS; i++) {
		assert_int_equal(found->parts[i].cpu_ns, smt.parts[i].cpu_ns);
		assert_int_equal(found->parts[i].counted_ns, smt.parts[i].counted_ns);
		assert_int_equal(found->parts[i].slots, smt.parts[i].slots);
		assert_int_equal(found->parts[i].retired_slots, smt.parts[i].retired_slots);
	}
	assert_false(find(&window, CTD_ROLLUP_IDLE, NULL)->parts[0].smt.known);
	window_free(&window);
	book_close(&book);
}

static void what_stood_still_for_a_budget_is_not_known_and_all_else_is(void **state)
{
	static const struct ctd_beside smt = {.known = true, .parts = {{20, 44, 15, 19}}};
	struct ctd_waits waits = {.ns = {[CTD_WAIT_OTHER] = 5000}};

	(void)state;
	for (int part = 0; part < CTD_BUDGET_PARTS; part++) {
		bool known = part != CTD_BUDGET_WAITS;
		struct window window;
		struct book book;

		if (part == CTD_BUDGET_LEVEL)
			continue;
		sample_fill(&book);
		book_run_cgroup(&book, &sample_unit, 10)->part.waits = &waits;
		book_add(&book);
		begin(&window, &book);
		book.rollup.health.budget.changes[part] += 2;
		book_run_cgroup(&book, &sample_unit, 10)->part.smt = smt;
		book.lines[0]->part.waits = &waits;
		book_add(&book);
		end(&window, &book, CTD_GROUP_CONTAINER);
		assert_int_equal(window.interval.interval.has_waits, known);
		assert_int_equal(window.interval.interval.has_siblings, known);
		assert_int_equal(window.interval.interval.health.budget.changes[part],
				 book.rollup.health.budget.changes[part]);
		assert_int_equal(
			find(&window, CTD_ROLLUP_CGROUP, sample_unit.path)->parts[0].smt.known,
			known);
		window_free(&window);
		book_close(&book);
	}
}

static int deepest_level(const struct ctd_remote_view *view)
{
	char why[CTD_REMOTE_WHY_BYTES];
	const struct ctd_cpu_model *model;
	struct ctd_remote_plan *plan;
	int deepest = 0;

	assert_int_equal(ctd_remote_plan_new(view, true, &plan, why), 0);
	model = ctd_remote_plan_rollup(plan)->model;
	for (int i = 0; i < model->nodes_count; i++)
		if (model->nodes[i].level > deepest)
			deepest = model->nodes[i].level;
	ctd_remote_plan_free(plan);
	return deepest;
}

/* Their totals are there still: they would be 0 % of what is counted now. */
static void nodes_of_a_level_that_is_given_up_are_left_out(void **state)
{
	struct ctd_remote_view view;
	struct book book;

	(void)state;
	sample_fill(&book);
	view = told_by(&book);
	assert_int_equal(deepest_level(&view), 2);
	view.core_types[0].level = 1;
	assert_int_equal(deepest_level(&view), 1);
	ctd_remote_view_free(&view);
	book_close(&book);
}

/* As with the NMI watchdog on, which takes a counter. */
static void a_node_without_counters_is_not_known(void **state)
{
	const struct ctd_rollup_part *part;
	const struct ctd_node *node;
	struct window window;
	struct book book;
	int lacking = 0;

	(void)state;
	sample_fill(&book);
	book.plan.core_types[0].counters_count = 8;
	book_run_cgroup(&book, &sample_web, 100);
	book_add(&book);
	begin(&window, &book);
	book_run_cgroup(&book, &sample_web, 100);
	book_add(&book);
	end(&window, &book, CTD_GROUP_CONTAINER);
	part = find(&window, CTD_ROLLUP_CONTAINER, sample_web.path)->parts;
	for (int i = 0; i < window.rollup.plan->model->nodes_count; i++) {
		node = &window.rollup.plan->model->nodes[i];
		if (node->level == 0)
			continue;
		assert_string_equal(node->name, ctd_cpu_sim.nodes[i].name);
		assert_int_equal(part->values[i].quality,
				 ctd_cpu_sim.nodes[i].counters > 8 ? CTD_UNSUPPORTED : CTD_OK);
		assert_int_equal(ctd_rollup_plan_counts(window.rollup.plan, i),
				 ctd_cpu_sim.nodes[i].counters <= 8);
		lacking += ctd_cpu_sim.nodes[i].counters > 8;
	}
	assert_int_not_equal(lacking, 0);
	window_free(&window);
	book_close(&book);
}

static void the_time_between_is_of_a_clock_that_is_never_set(void **state)
{
	struct window window;
	struct book book;

	(void)state;
	sample_fill(&book);
	begin(&window, &book);
	window.before.time_ns += 3600 * SECOND_NS;
	book_run_cgroup(&book, &sample_web, 100);
	book_add(&book);
	end(&window, &book, CTD_GROUP_CONTAINER);
	assert_int_equal(window.rollup.window_ns, SECOND_NS);
	assert_int_equal(window.rollup.realtime_ns, book.view->realtime_ns);
	window_free(&window);
	book_close(&book);
}

static void rows_are_grouped_like_those_that_are_counted_here(void **state)
{
	static const struct {
		enum ctd_group_by by;
		enum ctd_rollup_kind kind;
	} cases[] = {
		{CTD_GROUP_CONTAINER, CTD_ROLLUP_CONTAINER},
		{CTD_GROUP_NAMESPACE, CTD_ROLLUP_NAMESPACE},
		{CTD_GROUP_OWNER, CTD_ROLLUP_OWNER},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct window window;
		struct book book;

		sample_fill(&book);
		begin(&window, &book);
		book_run_cgroup(&book, &sample_web, 100);
		book_run_cgroup(&book, &sample_unit, 10)->coverage = .5;
		book_run_cgroup(&book, &sample_hostile, 10);
		book_add(&book);
		end(&window, &book, cases[i].by);
		assert_int_equal(find(&window, cases[i].kind, sample_web.path)->slots,
				 slots_of_ms(100));
		window_free(&window);
		book_close(&book);
	}
}

static void what_was_fetched_in_between_is_in_other(void **state)
{
	struct ctd_identity gone = {.cgroup_id = 5, .path = (char *)"/gone", .names_settled = true};
	struct window window;
	struct book book;

	(void)state;
	sample_fill(&book);
	book_run_cgroup(&book, &gone, 10);
	book_add(&book);
	begin(&window, &book);
	book_run_cgroup(&book, &gone, 20)->part.smt = sample_smt;
	book_add(&book);
	gone.removed = true;
	for (int i = 0; i < 3; i++) {
		book_run_cgroup(&book, &gone, i ? 0 : 1);
		if (i)
			book_clear(&book);
		book_add(&book);
		ctd_ledger_acknowledge(book.ledger, book.view->sequence);
	}
	assert_int_not_equal(book.view->totals.fetched_slots, 0);
	end(&window, &book, CTD_GROUP_CONTAINER);
	assert_int_equal(find(&window, CTD_ROLLUP_OTHER, NULL)->slots,
			 slots_of_ms(20) + slots_of_ms(1));
	assert_true(fabs(find(&window, CTD_ROLLUP_OTHER, NULL)->parts[0].values[0].ratio - .7) <
		    1e-6);
	assert_memory_equal(find(&window, CTD_ROLLUP_OTHER, NULL)->parts[0].smt.parts,
			    sample_smt.parts, sizeof(sample_smt.parts));
	window_free(&window);
	book_close(&book);
}

/* Its totals come with all of its past, of which the window has a part. */
static void a_name_that_comes_late_brings_no_past_along(void **state)
{
	struct ctd_identity web = {
		.cgroup_id = 6,
		.path = (char *)"/kubepods.slice/cri-containerd-" KEPT_ID ".scope",
		.kind = CTD_IS_CONTAINER,
		.runtime = "containerd",
		.container_id = KEPT_ID,
	};
	struct window window;
	struct book book;

	(void)state;
	book_open(&book,
		  (struct ctd_ledger_options){.accounts_max = 10, .settle_ns = 9 * SECOND_NS});
	book_run(&book, CTD_ROLLUP_IDLE, 1000);
	book_run_cgroup(&book, &web, 100);
	book_add(&book);
	assert_int_equal(book.view->totals.held, 1);
	begin(&window, &book);
	web.names = (struct ctd_names)NAMES((char *)"shop", (char *)"cart-0", (char *)"web");
	web.names_settled = true;
	book_run_cgroup(&book, &web, 7);
	book_add(&book);
	assert_int_equal(book.view->totals.held, 0);
	end(&window, &book, CTD_GROUP_CONTAINER);
	assert_int_equal(find(&window, CTD_ROLLUP_CONTAINER, web.path)->slots, slots_of_ms(7));
	window_free(&window);
	book_close(&book);
}

static void what_is_over_the_limit_is_in_other(void **state)
{
	struct ctd_identity one = {.cgroup_id = 5, .path = (char *)"/one", .names_settled = true},
			    two = {.cgroup_id = 6, .path = (char *)"/two", .names_settled = true};
	struct window window;
	struct book book;

	(void)state;
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 1});
	book_run_cgroup(&book, &one, 100);
	book_add(&book);
	begin(&window, &book);
	/* It gives way, with all that it has. */
	for (int i = 0; i < 12; i++) {
		book_run_cgroup(&book, &two, 10);
		book_add(&book);
	}
	end(&window, &book, CTD_GROUP_CONTAINER);
	window_free(&window);
	book_close(&book);
}

static void a_server_without_counters_tells_times(void **state)
{
	struct window window;
	struct book book;

	(void)state;
	sample_fill_none(&book);
	begin(&window, &book);
	book_row(&book, CTD_ROLLUP_CONTAINER)->row.identity = &sample_web;
	book.lines[0]->row.cgroup_id = sample_web.cgroup_id;
	book.lines[0]->part.cpu_ns = 5;
	book_add(&book);
	end(&window, &book, CTD_GROUP_CONTAINER);
	assert_null(window.rollup.plan->model);
	assert_false(find(&window, CTD_ROLLUP_CONTAINER, NULL)->parts[0].smt.known);
	assert_int_equal(find(&window, CTD_ROLLUP_CONTAINER, NULL)->cpu_ns, 5);
	assert_int_equal(find(&window, CTD_ROLLUP_CONTAINER, NULL)->quality, CTD_UNSUPPORTED);
	window_free(&window);
	book_close(&book);
}

#define NODE(name, level) "{\"name\":\"" name "\",\"title\":\"" name "\",\"level\":" level "}"
#define TYPE(core)                                                           \
	"{\"core\":\"" core "\",\"source\":\"atom\",\"level\":1,\"cpus\":1," \
	"\"model\":{\"name\":\"x\"},\"nodes\":[" NODE("retiring", "1") "]}"
#define ROW(key, core)                                                                      \
	"{\"key\":\"" key "\",\"kind\":\"cgroup\",\"core\":\"" core "\",\"cgroup\":\"/a\"," \
	"\"total\":{\"since\":\"2026\",\"cpu_ns\":%d,\"counted_ns\":%d,\"slots\":%d,"       \
	"\"node_slots\":{\"retiring\":%d}}}"

/* A cgroup that ran so many milliseconds on each of two core types. */
static struct ctd_remote_view hybrid(int sequence, int p_ms, int e_ms)
{
	char text[2048], why[CTD_REMOTE_WHY_BYTES] = "";
	struct ctd_remote_view view;

	snprintf(
		text, sizeof(text),
		"{\"schema\":\"cgtopdown/view/1\",\"source\":\"perf_metrics+atom\",\"sequence\":%d,"
		"\"time_ns\":%d,\"core_types\":[" TYPE("P-core") "," TYPE(
			"E-core") "],"
				  "\"rows\":[" ROW("p", "P-core") "," ROW("e", "E-core") "]}",
		sequence, sequence, p_ms * 1000000, p_ms * 1000000, p_ms * 6000000, p_ms * 3000000,
		e_ms * 1000000, e_ms * 1000000, e_ms * 5000000, e_ms * 1000000);
	if (ctd_remote_view_parse(text, strlen(text), &view, why))
		fail_msg("%s", why);
	return view;
}

static void a_cgroup_on_two_core_types_is_one_row_of_two_parts(void **state)
{
	static const struct ctd_rollup_options options = {.by = CTD_GROUP_CONTAINER};
	struct ctd_remote_view before = hybrid(1, 10, 20), after = hybrid(2, 13, 22);
	char why[CTD_REMOTE_WHY_BYTES];
	struct ctd_remote_interval interval;
	const struct ctd_rollup_row *row;
	struct ctd_remote_plan *plan;
	struct ctd_rollup rollup;

	(void)state;
	assert_int_equal(ctd_remote_plan_new(&before, true, &plan, why), 0);
	assert_int_equal(ctd_remote_interval_make(plan, &before, &after, &interval), 0);
	assert_int_equal(ctd_remote_rollup_make(plan, &interval, &options, &rollup), 0);
	assert_int_equal(rollup.rows_count, 1);
	row = &rollup.rows[0];
	assert_int_equal(row->core_types, 2);
	assert_int_equal(row->slots, 3 * 6000000 + 2 * 5000000);
	assert_int_equal(row->parts[0].slots, 3 * 6000000);
	assert_int_equal(row->parts[1].slots, 2 * 5000000);
	assert_true(fabs(row->parts[0].values[0].ratio - .5) < 1e-6);
	assert_true(fabs(row->parts[1].values[0].ratio - .2) < 1e-6);
	assert_int_equal(rollup.totals[1].slots, 2 * 5000000);
	ctd_rollup_free(&rollup);
	ctd_remote_interval_free(&interval);
	ctd_remote_plan_free(plan);
	ctd_remote_view_free(&before);
	ctd_remote_view_free(&after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_has_what_it_did_in_between),
		cmocka_unit_test(a_row_has_what_its_limit_did_in_between),
		cmocka_unit_test(a_row_has_what_it_did_beside_siblings_in_between),
		cmocka_unit_test(what_stood_still_for_a_budget_is_not_known_and_all_else_is),
		cmocka_unit_test(nodes_of_a_level_that_is_given_up_are_left_out),
		cmocka_unit_test(a_node_without_counters_is_not_known),
		cmocka_unit_test(the_time_between_is_of_a_clock_that_is_never_set),
		cmocka_unit_test(rows_are_grouped_like_those_that_are_counted_here),
		cmocka_unit_test(what_was_fetched_in_between_is_in_other),
		cmocka_unit_test(a_name_that_comes_late_brings_no_past_along),
		cmocka_unit_test(what_is_over_the_limit_is_in_other),
		cmocka_unit_test(a_server_without_counters_tells_times),
		cmocka_unit_test(a_cgroup_on_two_core_types_is_one_row_of_two_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
