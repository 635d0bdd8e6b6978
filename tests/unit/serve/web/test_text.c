/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_text.c - a view as a table: as stat shows the same interval. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <locale.h>

#include "format/format.h"
#include "golden.h"
#include "serve/web/text.h"
#include "unit/export/sample_view.h"

/* @return the table, the caller's. */
static char *text_of(const struct ctd_ledger_view *view, int width)
{
	struct ctd_strbuf text = {0};

	assert_int_equal(ctd_view_text(view, width, &text), 0);
	assert_int_equal(strlen(text.text), text.bytes);
	return text.text;
}

static void the_table_is_as_agreed(void **state)
{
	struct book book;
	char *text;

	(void)state;
	sample_fill(&book);
	text = text_of(book.view, CTD_VIEW_TEXT_WIDTH);
	golden_compare("view-text.txt", text);
	free(text);
	book_close(&book);
}

static void a_table_without_counters_is_as_agreed(void **state)
{
	struct book book;
	char *text;

	(void)state;
	sample_fill_none(&book);
	text = text_of(book.view, CTD_VIEW_TEXT_WIDTH);
	golden_compare("view-text-none.txt", text);
	free(text);
	book_close(&book);
}

static void it_is_as_wide_as_was_asked_for(void **state)
{
	struct book book;
	char *text;

	(void)state;
	sample_fill(&book);
	text = text_of(book.view, 80);
	if (!setlocale(LC_ALL, "C.UTF-8")) {
		print_message("there is no locale C.UTF-8\n");
		skip();
	}
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		assert_in_range(ctd_format_width(line), 1, 80);
	free(text);
	book_close(&book);
}

static void what_did_not_run_has_no_row(void **state)
{
	struct book book;
	char *text;

	(void)state;
	sample_fill(&book);
	book_run_cgroup(&book, &sample_unit, 30);
	book_add(&book);
	text = text_of(book.view, CTD_VIEW_TEXT_WIDTH);
	assert_non_null(strstr(text, "serial"));
	assert_null(strstr(text, "cart-0"));
	free(text);
	book_close(&book);
}

/* A row of either is in the columns of its own core type's nodes. */
static void core_types_share_the_columns_that_they_have_in_common(void **state)
{
	static const struct ctd_account_who who[] = {
		{.kind = CTD_ACCOUNT_CGROUP, .cgroup = "/on-p", .core = "P-core"},
		{.kind = CTD_ACCOUNT_CGROUP, .cgroup = "/on-e", .core = "E-core"}};
	static const struct ctd_value p[] = {{.5, CTD_OK}, {.25, CTD_OK}},
				      e[] = {{.125, CTD_OK}, {.75, CTD_OK}};
	const struct ctd_account accounts[] = {
		{.who = &who[0],
		 .core_type = 0,
		 .recent = {.cpu_ns = SECOND_NS, .values = p, .dominant = -1}},
		{.who = &who[1],
		 .core_type = 1,
		 .recent = {.cpu_ns = SECOND_NS / 2, .values = e, .dominant = 1}}};
	const struct ctd_ledger_view view = {
		.window_ns = SECOND_NS,
		.source = "sim",
		.method = "sim",
		.scope = "thread",
		.level = 1,
		.core_types_count = 2,
		.core_types = {{.name = "P-core",
				.nodes = {{.name = "a", .title = "A", .level = 1, .parent = -1},
					  {.name = "b", .title = "B", .level = 1, .parent = -1}},
				.nodes_count = 2},
			       {.name = "E-core",
				.nodes = {{.name = "b", .title = "B", .level = 1, .parent = -1},
					  {.name = "c", .title = "C", .level = 1, .parent = -1}},
				.nodes_count = 2}},
		.accounts = accounts,
		.accounts_count = 2};
	char *text = text_of(&view, 80);

	(void)state;
	golden_compare("view-text-hybrid.txt", text);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_is_as_agreed),
		cmocka_unit_test(a_table_without_counters_is_as_agreed),
		cmocka_unit_test(it_is_as_wide_as_was_asked_for),
		cmocka_unit_test(what_did_not_run_has_no_row),
		cmocka_unit_test(core_types_share_the_columns_that_they_have_in_common),
	};

	/* Its readers may be anywhere: it is in UTC wherever serve runs. */
	setenv("TZ", "XYZ-9", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
