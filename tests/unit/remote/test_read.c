/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_read.c - a view is read as it was written, and what is none is refused with a reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

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
	assert_null(ctd_remote_view_find(&view, "kind=\"container\""));
	assert_false(view.vendor);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_view_is_read_as_it_was_written),
		cmocka_unit_test_setup_teardown(metrics_of_a_vendor_are_noticed, new_table,
						free_table),
		cmocka_unit_test(what_is_no_view_is_refused_with_a_reason),
		cmocka_unit_test(members_that_are_not_known_are_passed_over),
		cmocka_unit_test(what_is_null_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
