/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_vendor.c - vendors' metrics are in the texts and messages with whose they are, and only if
 * asked for. */
#include "unit/export/sample_vendor.h"

#include "base/auto.h"
#include "base/strbuf.h"
#include "golden.h"
#include "protoc.h"

/* The lines of it, with their heads. */
static char *text_of(const struct book *book, enum ctd_exposition exposition)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	struct ctd_strbuf of_vendor = {0};

	assert_int_equal(ctd_export_metrics(exposition, book->view, &sample_self, &text), 0);
	assert_false(text.failed);
	for (char *line = text.text, *end; line < text.text + text.bytes; line = end + 1) {
		end = memchr(line, '\n', text.bytes);
		*end = '\0';
		if (strstr(line, "cgtopdown_vendor"))
			ctd_strbuf_addf(&of_vendor, "%s\n", line);
	}
	ctd_strbuf_add_bytes(&of_vendor, "", 1);
	assert_false(of_vendor.failed);
	return of_vendor.text;
}

static void texts_have_counts_that_grow_and_values_of_the_last_interval(void **state)
{
	static struct beside beside;
	struct book book;

	(void)state;
	sample_fill_vendor(&beside, &book);
	for (int i = 0; i < 2; i++) {
		autofree char *text =
			text_of(&book, i ? CTD_OPENMETRICS_TEXT : CTD_PROMETHEUS_TEXT);

		golden_compare(i ? "metrics-vendor.openmetrics" : "metrics-vendor.prom", text);
	}
	book_close(&book);
}

static void a_name_is_nothing_but_the_value_of_a_label(void **state)
{
	static struct beside beside;
	autofree char *text = NULL;
	struct book book;

	(void)state;
	sample_fill_vendor(&beside, &book);
	table.metrics[counting.metrics[find("first")].metric].name = "a\"} 1\n# EOF\nup{x=\"\\";
	text = text_of(&book, CTD_OPENMETRICS_TEXT);
	assert_non_null(strstr(text, "metric=\"a\\\"} 1\\n# EOF\\nup{x=\\\"\\\\\"} 60\n"));
	book_close(&book);
}

static void they_are_there_only_if_asked_for(void **state)
{
	autofree char *text = NULL;
	struct book book;

	(void)state;
	sample_fill(&book);
	text = text_of(&book, CTD_PROMETHEUS_TEXT);
	assert_string_equal(text, "");
	book_close(&book);
}

static char *message_of(const struct book *book)
{
	static const struct ctd_otlp_resource place = {.host_name = "host-1"};
	auto_ctd_strbuf struct ctd_strbuf message = {0};

	assert_int_equal(ctd_export_otlp(book->view, &sample_self, &place, 0, 100, &message), 0);
	return protoc_decode("cat", "otlp/metrics.proto", "otlp.ExportMetricsServiceRequest",
			     &message);
}

static size_t occurrences(const char *text, const char *part)
{
	size_t count = 0;

	for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
		count++;
	return count;
}

static void messages_have_the_same(void **state)
{
	static struct beside beside;
	autofree char *text = NULL, *none = NULL;
	struct book book;

	(void)state;
	sample_fill_vendor(&beside, &book);
	text = message_of(&book);
	book_close(&book);
	/* 60 % of the last interval; 10 and 60 % of all cycles. */
	assert_int_equal(occurrences(text, "\"container.cpu.vendor.metric_value\""), 1);
	assert_int_equal(occurrences(text, "\"cgroup.cpu.vendor.metric_value\""), 0);
	assert_int_equal(occurrences(text, "as_double: 60\n"), 1);
	assert_int_equal(occurrences(text, "as_int: 280000\n"), 1);
	assert_int_equal(occurrences(text, "\"container.cpu.vendor.events\""), 1);
	assert_int_equal(occurrences(text, "\"cgroup.cpu.vendor.counted_time\""), 1);
	assert_int_equal(occurrences(text, "\"cgtopdown.vendor.metric.info\""), 1);
	assert_int_equal(occurrences(text, "\"cgtopdown.vendor.event\""), 10);
	sample_fill(&book);
	none = message_of(&book);
	assert_null(strstr(none, "vendor"));
	book_close(&book);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, new_table, free_table)
	const struct CMUnitTest tests[] = {
		TEST(texts_have_counts_that_grow_and_values_of_the_last_interval),
		TEST(a_name_is_nothing_but_the_value_of_a_label),
		TEST(they_are_there_only_if_asked_for),
		TEST(messages_have_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
