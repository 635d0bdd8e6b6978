/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_histogram.c - buckets of waits in metrics are sums of those that were counted, if asked for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "export/families.h"
#include "unit/export/sample_view.h"

#define NAME "cgtopdown_wait_duration_seconds"
#define WEB "kind=\"container\",namespace=\"shop\",pod=\"cart-0\",container=\"web\""

static char *text_of(enum ctd_exposition format, const struct book *book, bool wait_histogram)
{
	struct ctd_self self = sample_self;
	struct ctd_strbuf text = {};

	self.wait_histogram = wait_histogram;
	assert_int_equal(ctd_export_metrics(format, book->view, &self, &text), 0);
	ctd_strbuf_add_bytes(&text, "", 1);
	assert_false(text.failed);
	return text.text;
}

static int lines_of(const char *text, const char *begin)
{
	int lines = 0;

	for (const char *at = text; (at = strstr(at, begin)); at++)
		lines++;
	return lines;
}

/* Its waits in each of the counted buckets are another power of two. */
static void fill(struct book *book, int intervals)
{
	struct ctd_waits waits = {.ns = {[CTD_WAIT_OWN] = 1500000000, [CTD_WAIT_SHORT] = 7}};

	for (int i = 0; i < CTD_WAIT_BUCKETS; i++)
		waits.histogram[i] = 1u << i;
	book_open(book, (struct ctd_ledger_options){.accounts_max = 10});
	for (int i = 0; i < intervals; i++) {
		book_run_cgroup(book, &sample_web, 100)->part.waits = &waits;
		book_run_cgroup(book, &sample_unit, 100);
		book_run(book, CTD_ROLLUP_IDLE, 100)->part.waits = &waits;
		book_add(book);
	}
}

static void each_counted_wait_is_in_one_bucket_that_is_long_enough(void **state)
{
	(void)state;
	for (int counted = 0; counted < CTD_WAIT_BUCKETS; counted++) {
		uint64_t end_ns = ctd_wait_bucket_ns(counted);
		struct ctd_waits waits = {};
		int found = 0;

		waits.histogram[counted] = 5;
		for (int i = 0; i < FAMILY_BUCKETS; i++) {
			uint64_t bound_ns = ctd_histogram_bound_ns(i);
			uint64_t shorter_ns = i ? ctd_histogram_bound_ns(i - 1) : 0;

			if (!ctd_histogram_count(&waits, i))
				continue;
			assert_int_equal(ctd_histogram_count(&waits, i), 5);
			assert_true(!bound_ns || (end_ns && end_ns <= bound_ns));
			assert_true(!end_ns || end_ns > shorter_ns);
			found++;
		}
		assert_int_equal(found, 1);
	}
}

static void bounds_are_spelled_as_what_they_are(void **state)
{
	(void)state;
	for (int i = 0; i < FAMILY_BUCKETS - 1; i++) {
		double bound = (double)ctd_histogram_bound_ns(i) / 1e9;
		char text[32];

		assert_true(strtod(ctd_histogram_le(i), NULL) == bound);
		snprintf(text, sizeof(text), "%.12g", bound);
		assert_string_equal(ctd_histogram_le(i), text);
	}
	assert_int_equal(ctd_histogram_bound_ns(FAMILY_BUCKETS - 1), 0);
	assert_string_equal(ctd_histogram_le(FAMILY_BUCKETS - 1), "+Inf");
}

static void both_texts_have_it_with_exact_numbers(void **state)
{
	static const char wanted[] = NAME
		"_bucket{" WEB ",le=\"6.5536e-05\"} 62\n" NAME "_bucket{" WEB
		",le=\"0.000262144\"} 254\n" NAME "_bucket{" WEB ",le=\"0.001048576\"} 1022\n" NAME
		"_bucket{" WEB ",le=\"0.004194304\"} 4094\n" NAME "_bucket{" WEB
		",le=\"0.016777216\"} 16382\n" NAME "_bucket{" WEB
		",le=\"0.067108864\"} 65534\n" NAME "_bucket{" WEB
		",le=\"0.268435456\"} 262142\n" NAME "_bucket{" WEB ",le=\"+Inf\"} 1048574\n" NAME
		"_sum{" WEB "} 3.000000014\n" NAME "_count{" WEB "} 1048574\n";
	struct book book;

	(void)state;
	fill(&book, 2);
	for (int format = CTD_PROMETHEUS_TEXT; format <= CTD_OPENMETRICS_TEXT; format++) {
		char *text = text_of(format, &book, true);

		assert_non_null(strstr(text, "\n# TYPE " NAME " histogram\n"));
		if (!strstr(text, wanted))
			fail_msg("not in:\n%s", text);
		/* Nobody waits to be idle, and of the unit nothing is known. */
		assert_int_equal(lines_of(text, "\n" NAME "_count{"), 1);
		free(text);
	}
	book_close(&book);
}

static void it_is_there_only_if_asked_for(void **state)
{
	struct book book;
	char *text;

	(void)state;
	fill(&book, 1);
	text = text_of(CTD_PROMETHEUS_TEXT, &book, false);
	assert_non_null(strstr(text, "\ncgtopdown_waits_total{"));
	assert_null(strstr(text, NAME));
	free(text);
	book_close(&book);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_counted_wait_is_in_one_bucket_that_is_long_enough),
		cmocka_unit_test(bounds_are_spelled_as_what_they_are),
		cmocka_unit_test(both_texts_have_it_with_exact_numbers),
		cmocka_unit_test(it_is_there_only_if_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
