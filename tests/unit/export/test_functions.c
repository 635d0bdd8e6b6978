/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_functions.c - functions are in the metrics with whose they are, and only if asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "unit/export/sample_view.h"

#define WEB "kind=\"container\",namespace=\"shop\",pod=\"cart-0\",container=\"web\""

static char *text_of(const struct book *book)
{
	struct ctd_strbuf text = {};

	assert_int_equal(ctd_export_metrics(CTD_PROMETHEUS_TEXT, book->view, &sample_self, &text),
			 0);
	ctd_strbuf_add_bytes(&text, "", 1);
	assert_false(text.failed);
	return text.text;
}

static size_t count_lines(const char *text, const char *beginning)
{
	size_t count = 0;

	for (const char *at = text; (at = strstr(at, beginning)); at++)
		count += at[-1] == '\n';
	return count;
}

/* Ten seconds of the container, in which @p name had most. */
static void tell(struct book *book, const char *name, bool categories)
{
	struct told told;

	book_run_cgroup(book, &sample_web, 400);
	book_add(book);
	told_begin(&told, book, sample_web.cgroup_id, "");
	told_add(&told, name, 100, 10);
	told_add(&told, "rest", 50, 5);
	if (!categories)
		told.row.categories_known = 0;
	told_take(&told, book);
	book_run_cgroup(book, &sample_web, 400);
	book_add(book);
}

static void each_has_the_labels_of_its_row(void **state)
{
	static const char *const wanted[] = {
		"\ncgtopdown_function_cpu_seconds_total{" WEB ",function=\"walk<int>\"} 0.1\n",
		"\ncgtopdown_function_cpu_seconds_total{" WEB ",function=\"[other]\"} 0.05\n",
		"\ncgtopdown_function_cpu_seconds_total{" WEB ",function=\"[not sampled]\"} 0\n",
		"\ncgtopdown_function_slots_total{" WEB
		",function=\"walk<int>\",category=\"backend_bound\"} 1200000000\n",
		"\ncgtopdown_function_slots_total{" WEB
		",function=\"[other]\",category=\"retiring\"} 600000000\n",
	};
	struct book book;
	char *text;

	(void)state;
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 10, .functions_max = 5});
	tell(&book, "walk<int>", true);
	text = text_of(&book);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++)
		if (!strstr(text, wanted[i]))
			fail_msg("no '%s' in:\n%s", wanted[i], text);
	assert_int_equal(count_lines(text, "cgtopdown_function_cpu_seconds_total{"), 3);
	/* Of the categories that are known. */
	assert_int_equal(count_lines(text, "cgtopdown_function_slots_total{"), 6);
	free(text);
	book_close(&book);
}

static void without_categories_there_are_no_slots(void **state)
{
	struct book book;
	char *text;

	(void)state;
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 10, .functions_max = 5});
	tell(&book, "walk<int>", false);
	text = text_of(&book);
	assert_int_equal(count_lines(text, "cgtopdown_function_cpu_seconds_total{"), 3);
	assert_null(strstr(text, "cgtopdown_function_slots"));
	free(text);
	book_close(&book);
}

/* What a program calls its functions ends no label, no sample and no text. */
static void a_name_is_nothing_but_the_value_of_a_label(void **state)
{
	struct book book;
	char *text;

	(void)state;
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 10, .functions_max = 5});
	tell(&book, "a\"} 1\n# EOF\nup{x=\"\\", true);
	text = text_of(&book);
	assert_non_null(strstr(text, ",function=\"a\\\"} 1\\n# EOF\\nup{x=\\\"\\\\\"} 0.1\n"));
	assert_int_equal(count_lines(text, "up{"), 0);
	assert_int_equal(count_lines(text, "# EOF"), 0);
	free(text);
	book_close(&book);
}

static void they_are_there_only_if_asked_for(void **state)
{
	struct book book;
	char *text;

	(void)state;
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 10});
	tell(&book, "guess_the_price", true);
	text = text_of(&book);
	assert_null(strstr(text, "cgtopdown_function_"));
	assert_null(strstr(text, "guess_the_price"));
	free(text);
	book_close(&book);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_has_the_labels_of_its_row),
		cmocka_unit_test(without_categories_there_are_no_slots),
		cmocka_unit_test(a_name_is_nothing_but_the_value_of_a_label),
		cmocka_unit_test(they_are_there_only_if_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
