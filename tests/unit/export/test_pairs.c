/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_pairs.c - totals of pairs are in the metrics with whose they are, and both sums. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "unit/export/sample_view.h"

#define VICTIM \
	"victim_kind=\"container\",victim_namespace=\"shop\",victim_pod=\"cart-0\",victim_container=\"web\""
#define OCCUPIER \
	"occupier_kind=\"cgroup\",occupier_cgroup=\"/system.slice/serial\\\\x2dgetty@ttyS0.service\""

static void run(struct book *book)
{
	static struct ctd_pair pairs[] = {{0, 1, 1500000000, 9, 2, 0, 0}, {1, 0, 7, 3, 1, 0, 0}};

	book_run_cgroup(book, &sample_web, 100);
	book_run_cgroup(book, &sample_unit, 100);
	book->rollup.pairs = (struct ctd_pairs){pairs, 2};
	book_add(book);
}

static char *text_of(const struct book *book)
{
	struct ctd_strbuf text = {};

	assert_int_equal(ctd_export_metrics(CTD_PROMETHEUS_TEXT, book->view, &sample_self, &text),
			 0);
	ctd_strbuf_add_bytes(&text, "", 1);
	assert_false(text.failed);
	return text.text;
}

static void each_has_the_names_of_both(void **state)
{
	static const char *const wanted[] = {
		"\ncgtopdown_pair_wait_seconds_total{pair=\"shown\"," VICTIM "," OCCUPIER "} 3\n"
		"cgtopdown_pair_wait_seconds_total{pair=\"other\"} 0.000000014\n"
		"cgtopdown_pair_wait_seconds_total{pair=\"ended\"} 0\n",
		"\ncgtopdown_pair_waits_total{pair=\"shown\"," VICTIM "," OCCUPIER "} 18\n",
		"\ncgtopdown_pair_preemptions_total{pair=\"shown\"," VICTIM "," OCCUPIER "} 4\n"
		"cgtopdown_pair_preemptions_total{pair=\"other\"} 2\n",
	};
	struct book book;
	char *text;

	(void)state;
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 10, .pairs_max = 5});
	book_count_waits(&book);
	run(&book);
	run(&book);
	text = text_of(&book);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++)
		if (!strstr(text, wanted[i]))
			fail_msg("no '%s' in:\n%s", wanted[i], text);
	free(text);
	book_close(&book);
}

static void they_are_there_only_if_asked_for(void **state)
{
	struct book book;
	char *text;

	(void)state;
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 10});
	book_count_waits(&book);
	run(&book);
	text = text_of(&book);
	assert_null(strstr(text, "cgtopdown_pair_"));
	free(text);
	book_close(&book);
}

static void they_are_there_only_if_waits_are_counted(void **state)
{
	struct book book;
	char *text;

	(void)state;
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 10, .pairs_max = 5});
	book_run_cgroup(&book, &sample_web, 100);
	book_add(&book);
	text = text_of(&book);
	assert_null(strstr(text, "cgtopdown_pair_"));
	free(text);
	book_close(&book);
}

static void they_are_not_there_while_waits_are_given_up(void **state)
{
	struct ctd_ledger_view view;
	struct book book;

	(void)state;
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 10, .pairs_max = 5});
	book_count_waits(&book);
	run(&book);
	view = *book.view;
	for (int part = 0; part < CTD_BUDGET_PARTS; part++) {
		auto_ctd_strbuf struct ctd_strbuf text = {0};

		view.health.budget.given_up = UINT64_C(1) << part;
		assert_int_equal(
			ctd_export_metrics(CTD_PROMETHEUS_TEXT, &view, &sample_self, &text), 0);
		assert_int_equal(!strstr(text.text, "\ncgtopdown_pair_waits_total{"),
				 part == CTD_BUDGET_WAITS);
	}
	book_close(&book);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_has_the_names_of_both),
		cmocka_unit_test(they_are_there_only_if_asked_for),
		cmocka_unit_test(they_are_there_only_if_waits_are_counted),
		cmocka_unit_test(they_are_not_there_while_waits_are_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
