/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_read.c - a view is read as it was written, and what is none is refused with a reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unit/export/sample_vendor.h"
#include "unit/remote/told.h"

static void a_view_is_read_as_it_was_written(void **state)
{
	const struct ctd_account *web;
	const struct ctd_remote_row *row;
	struct ctd_remote_view view;
	struct book book;

	(void)state;
	sample_fill(&book);
	view = told_by(&book);
	assert_string_equal(view.node, "node-1");
	assert_string_equal(view.source, "sim");
	assert_string_equal(view.hierarchy, "v2");
	assert_true(view.simulated);
	assert_true(view.history);
	assert_int_equal(view.sequence, 3);
	assert_int_equal(view.time_ns, book.view->realtime_ns);
	assert_int_equal(view.interval_ns, SECOND_NS);
	assert_int_equal(view.level, 2);
	assert_int_equal(view.cpus, 2);
	assert_int_equal(view.health[CTD_HEALTH_SWITCHES], 3000);
	assert_int_equal(view.core_types_count, 1);
	assert_int_equal(view.core_types[0].unattributed_slots, 3 * 24000);
	assert_int_equal(view.core_types[0].residual_slots, -9);
	assert_int_equal(view.core_types[0].nodes_count, ctd_cpu_sim.nodes_count);
	assert_int_equal(view.core_types[0].nodes[0].role, ctd_cpu_sim.nodes[0].role);
	assert_int_equal(view.rows_count, book.view->accounts_count);
	for (size_t i = 0; i < book.view->accounts_count; i++) {
		web = &book.view->accounts[i];
		row = ctd_remote_view_find(&view, web->who->key_text);
		assert_non_null(row);
		assert_int_equal(row->kind, web->who->kind);
		assert_int_equal(row->total.slots, web->slots);
		assert_int_equal(row->total.cpu_ns, web->cpu_ns);
		assert_memory_equal(row->total.node_slots, web->node_slots,
				    (size_t)view.core_types[0].nodes_count * sizeof(uint64_t));
	}
	assert_int_equal(view.budget.limit_ppm, sample_budget.limit_ppm);
	assert_int_equal(view.budget.given_up, sample_budget.given_up);
	assert_memory_equal(view.budget.changes, sample_budget.changes,
			    sizeof(sample_budget.changes));
	assert_int_equal(view.budget.exceeded, 0);
	/* As a ratio, with eight digits. */
	assert_int_equal(view.budget.cost_ns, 4567890);
	assert_int_equal(view.budget.capacity_ns, 1000000000);
	assert_null(ctd_remote_view_find(&view, "kind=\"container\""));
	assert_false(view.vendor);
	ctd_remote_view_free(&view);
	book_close(&book);
}

/* An older serve says of no node whether it is counted, and may be of the same machines. */
static void nodes_that_are_not_shown_lack_nothing(void **state)
{
	struct ctd_remote_view view;
	struct book book;
	int shown = 0;

	(void)state;
	sample_fill(&book);
	book.plan.core_types[0].counters_count = 5;
	book.plan.core_types[0].level = book.plan.level = 1;
	book_add(&book);
	view = told_by(&book);
	for (int i = 0; i < view.core_types[0].nodes_count; i++) {
		assert_false(view.core_types[0].nodes[i].lacks_counters);
		shown += view.core_types[0].nodes[i].level == 1;
	}
	assert_int_equal(shown, 4);
	ctd_remote_view_free(&view);
	book_close(&book);
}

static void metrics_of_a_vendor_are_noticed(void **state)
{
	static struct beside beside;
	struct ctd_remote_view view;
	struct book book;

	(void)state;
	sample_fill_vendor(&beside, &book);
	view = told_by(&book);
	assert_true(view.vendor);
	ctd_remote_view_free(&view);
	book_close(&book);
}

#define HEAD "{\"schema\":\"cgtopdown/view/1\",\"source\":\"x\",\"sequence\":1,\"time_ns\":1,"
#define TYPES "\"core_types\":[{\"source\":\"x\",\"nodes\":["
#define NODE "{\"name\":\"a\",\"level\":1}"

static void what_is_no_view_is_refused_with_a_reason(void **state)
{
	static const struct {
		int line;
		const char *text, *why;
	} cases[] = {
		{__LINE__, "", "no JSON object"},
		{__LINE__, "<html>", "no JSON object"},
		{__LINE__, "{}", "schema"},
		{__LINE__, "{\"schema\":\"cgtopdown/view/2\"}", "schema"},
		{__LINE__, HEAD "\"rows\":[]}", "core types"},
		{__LINE__, HEAD "\"rows\":[{}]}", "before the core types"},
		{__LINE__, HEAD "\"rows\":{}}", "no array"},
		{__LINE__, HEAD TYPES "]}]}", "no core types or no rows"},
		{__LINE__, HEAD TYPES NODE "," NODE "]}]}", "no tree"},
		{__LINE__, HEAD TYPES "{\"name\":\"a\",\"parent\":\"b\"}]}]}", "no tree"},
		{__LINE__, HEAD TYPES "{\"name\":\"a\",\"level\":99}]}]}", "no tree"},
		{__LINE__, HEAD TYPES "{\"name\":\"\\u001b[2J\"}]}]}", "no tree"},
		{__LINE__, HEAD TYPES "]}],\"rows\":[{\"kind\":\"x\"}]}", "no known kind"},
		{__LINE__, HEAD TYPES "]}],\"rows\":[{\"kind\":\"idle\"}]}", "no key"},
		{__LINE__, HEAD TYPES "]}],\"rows\":[{\"kind\":\"cgroup\",\"key\":\"k\"}]}",
		 "no cgroup"},
		{__LINE__, HEAD TYPES "]}],\"rows\":[]", "cut off"},
		{__LINE__, HEAD TYPES "]}],\"rows\":[]}x", "follows its end"},
		{__LINE__, HEAD "\"hierarchy\":\"\\u001b]0;x\"}", "cannot be shown"},
		{__LINE__,
		 HEAD TYPES "]},{\"source\":\"x\"},{\"source\":\"x\"},{\"source\":\"x\"},{}]}",
		 "more core types"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char why[CTD_REMOTE_WHY_BYTES] = "";
		struct ctd_remote_view view;

		if (ctd_remote_view_parse(cases[i].text, strlen(cases[i].text), &view, why) !=
			    -EBADMSG ||
		    !strstr(why, cases[i].why))
			fail_msg("line %d: '%s'", cases[i].line, why);
	}
}

static void members_that_are_not_known_are_passed_over(void **state)
{
	static const char text[] =
		HEAD "\"later\":{\"a\":[1,2]}," TYPES NODE
		     "]}],\"rows\":[{\"kind\":\"idle\",\"key\":\"k\",\"x\":[]}]}";
	char why[CTD_REMOTE_WHY_BYTES] = "";
	struct ctd_remote_view view;

	(void)state;
	assert_int_equal(ctd_remote_view_parse(text, sizeof(text) - 1, &view, why), 0);
	assert_int_equal(view.rows_count, 1);
	ctd_remote_view_free(&view);
}

/* 128 busy CPUs pass INT64_MAX slots, jansson's largest integer, in seven weeks. */
static void totals_of_64_bits_are_read_to_the_last_slot(void **state)
{
	static const char text[] = HEAD
		"\"total\":{\"unattributed_ns\":9223372036854775808},\"core_types\":[{\"source\":"
		"\"x\",\"nodes\":[" NODE "],\"total\":{\"unattributed_slots\":"
		"9223372036854775809,\"residual_slots\":-9}}],\"rows\":[{\"kind\":\"idle\","
		"\"key\":\"9223372036854775808\",\"total\":{\"cpu_ns\":9007199254740993,"
		"\"slots\":18446744073709551615,\"node_slots\":{\"a\":9223372036854775811},"
		"\"ipc_group\":{\"cycles\":9223372036854775812,\"instructions\":5},"
		"\"smt\":{\"idle\":{\"slots\":9223372036854775813}}}}]}";
	const struct ctd_remote_total *total;
	char why[CTD_REMOTE_WHY_BYTES] = "";
	struct ctd_remote_view view;

	(void)state;
	if (ctd_remote_view_parse(text, sizeof(text) - 1, &view, why))
		fail_msg("%s", why);
	assert_int_equal(view.unattributed_ns, 9223372036854775808ull);
	assert_int_equal(view.core_types[0].unattributed_slots, 9223372036854775809ull);
	assert_int_equal(view.core_types[0].residual_slots, -9);
	assert_string_equal(view.rows[0].key, "9223372036854775808");
	total = &view.rows[0].total;
	assert_int_equal(total->cpu_ns, 9007199254740993ull);
	assert_true(total->slots_known);
	assert_int_equal(total->slots, UINT64_MAX);
	assert_int_equal(total->node_slots[0], 9223372036854775811ull);
	assert_int_equal(total->ipc.known, 2);
	assert_int_equal(total->ipc.count[CTD_IPC_CYCLES], 9223372036854775812ull);
	assert_int_equal(total->ipc.count[CTD_IPC_INSTRUCTIONS], 5);
	assert_true(total->smt.slots_known);
	assert_int_equal(total->smt.parts[CTD_SIBLING_IDLE].slots, 9223372036854775813ull);
	ctd_remote_view_free(&view);
}

/* Their zeros would be taken for what was measured. */
static void what_is_null_is_not_known(void **state)
{
	static const char *const totals[] = {
		"{}",
		"{\"waits\":null,\"smt\":null,\"throttling\":null}",
		"{\"waits\":0,\"smt\":[],\"throttling\":false}",
		"{\"waits\":{},\"smt\":{},\"throttling\":{}}",
	};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		bool known = i == 3;
		char text[512], why[CTD_REMOTE_WHY_BYTES] = "";
		const struct ctd_remote_total *total;
		struct ctd_remote_view view;

		snprintf(text, sizeof(text),
			 HEAD TYPES NODE
			 "]}],\"rows\":[{\"kind\":\"idle\",\"key\":\"k\",\"total\":%s}]}",
			 totals[i]);
		assert_int_equal(ctd_remote_view_parse(text, strlen(text), &view, why), 0);
		total = &view.rows[0].total;
		assert_int_equal(total->waits_known, known);
		assert_int_equal(total->smt.known, known);
		assert_int_equal(total->throttling_known, known);
		assert_int_equal(view.waits, known);
		assert_int_equal(view.smt, known);
		ctd_remote_view_free(&view);
	}
}

static struct ctd_budget_state budget_of(const char *member)
{
	static const char rest[] = TYPES "]}],\"rows\":[]}";
	char text[512], why[CTD_REMOTE_WHY_BYTES] = "";
	struct ctd_remote_view view;
	struct ctd_budget_state budget;

	snprintf(text, sizeof(text), HEAD "\"budget\":%s,%s", member, rest);
	if (ctd_remote_view_parse(text, strlen(text), &view, why))
		fail_msg("%s: %s", member, why);
	budget = view.budget;
	ctd_remote_view_free(&view);
	return budget;
}

static void what_no_budget_can_be_is_none(void **state)
{
	static const char *const none[] = {"null",
					   "5",
					   "[]",
					   "{}",
					   "{\"limit\":0}",
					   "{\"limit\":-1}",
					   "{\"limit\":1.5}",
					   "{\"limit\":\"0.5\"}",
					   "{\"limit\":1e300}"};
	struct ctd_budget_state found;

	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		assert_int_equal(budget_of(none[i]).limit_ppm, 0);
	found = budget_of(
		"{\"limit\":0.005,\"cost\":null,\"given_up\":[\"waits\",7,\"later\"],"
		"\"exceeded\":true,\"changes\":{\"waits\":3,\"level_2\":\"5\",\"later\":9}}");
	assert_int_equal(found.limit_ppm, 5000);
	assert_int_equal(found.capacity_ns, 0);
	assert_int_equal(found.given_up, 1 << CTD_BUDGET_WAITS);
	assert_int_equal(found.exceeded, 1);
	assert_int_equal(found.changes[CTD_BUDGET_WAITS], 3);
	assert_int_equal(found.changes[CTD_BUDGET_LEVEL], 0);
	assert_int_equal(budget_of("{\"limit\":1e-9}").limit_ppm, 1);
	assert_int_equal(budget_of("{\"limit\":0.5,\"cost\":1e300}").capacity_ns, 0);
}

/* Other totals go on: waits that stood still are for ctd_remote_interval_make() to see. */
static void only_a_change_of_level_2_makes_two_plans_of_views(void **state)
{
	struct ctd_remote_view before, after;
	struct book book;

	(void)state;
	sample_fill(&book);
	before = told_by(&book);
	after = told_by(&book);
	assert_true(ctd_remote_view_is_of_plan(&after, &before));
	for (int part = 0; part < CTD_BUDGET_PARTS; part++) {
		after.budget.changes[part]++;
		assert_int_equal(ctd_remote_view_is_of_plan(&after, &before),
				 part != CTD_BUDGET_LEVEL);
		after.budget.changes[part]--;
	}
	ctd_remote_view_free(&before);
	ctd_remote_view_free(&after);
	book_close(&book);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_view_is_read_as_it_was_written),
		cmocka_unit_test(nodes_that_are_not_shown_lack_nothing),
		cmocka_unit_test_setup_teardown(metrics_of_a_vendor_are_noticed, new_table,
						free_table),
		cmocka_unit_test(what_is_no_view_is_refused_with_a_reason),
		cmocka_unit_test(members_that_are_not_known_are_passed_over),
		cmocka_unit_test(totals_of_64_bits_are_read_to_the_last_slot),
		cmocka_unit_test(what_is_null_is_not_known),
		cmocka_unit_test(what_no_budget_can_be_is_none),
		cmocka_unit_test(only_a_change_of_level_2_makes_two_plans_of_views),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
