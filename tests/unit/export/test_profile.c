/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_profile.c - metrics say how well stacks are sampled, where they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "unit/export/sample_view.h"

/* What a metric's lines add up to. */
static unsigned long long sum_of(const char *text, const char *metric)
{
	unsigned long long sum = 0, figure;

	for (const char *at = text; (at = strstr(at, metric)); at++) {
		if (at[-1] != '\n')
			continue;
		assert_int_equal(sscanf(strchr(at, ' '), "%llu", &figure), 1);
		sum += figure;
	}
	return sum;
}

static char *text_of(enum ctd_exposition format, const struct book *book,
		     const struct ctd_self *self)
{
	struct ctd_strbuf text = {};

	assert_int_equal(ctd_export_metrics(format, book->view, self, &text), 0);
	ctd_strbuf_add_bytes(&text, "", 1);
	assert_false(text.failed);
	return text.text;
}

static void each_sample_is_in_one_window_and_one_stack(void **state)
{
	const uint64_t *sampling = sample_self.profile_health.sampling;
	struct book book;

	(void)state;
	sample_fill(&book);
	for (int format = CTD_PROMETHEUS_TEXT; format <= CTD_OPENMETRICS_TEXT; format++) {
		char *text = text_of(format, &book, &sample_self);

		assert_int_equal(sum_of(text, "cgtopdown_profile_windows_total{"),
				 sampling[CTD_SAMPLING_SAMPLES]);
		assert_int_equal(sum_of(text, "cgtopdown_profile_stacks_total{"),
				 sampling[CTD_SAMPLING_SAMPLES]);
		assert_non_null(
			strstr(text, "\ncgtopdown_profile_stacks_total{end=\"broken\"} 5\n"));
		assert_non_null(strstr(
			text, "\ncgtopdown_profile_windows_total{window=\"unpaired\"} 60\n"));
		assert_non_null(strstr(text, "\ncgtopdown_profile_lost_samples_total 3\n"));
		assert_non_null(strstr(
			text, "\ncgtopdown_profile_tables_refused_total{table=\"jit\"} 2\n"));
		assert_non_null(strstr(
			text,
			"\ncgtopdown_profile_tables_forgotten_total{table=\"executable\"} 7\n"));
		assert_null(strstr(text, "_forgotten_total{table=\"mappings\"}"));
		free(text);
	}
	book_close(&book);
}

static bool pushes(const struct book *book, const struct ctd_self *self, const char *metric)
{
	static const struct ctd_otlp_resource nobody = {};
	struct ctd_strbuf message = {};
	bool found;

	assert_int_equal(ctd_export_otlp(book->view, self, &nobody, 0, 100, &message), 0);
	found = memmem(message.text, message.bytes, metric, strlen(metric));
	ctd_strbuf_free(&message);
	return found;
}

static void where_no_stacks_are_sampled_there_is_none_of_it(void **state)
{
	struct ctd_self self = sample_self;
	struct book book;
	char *text;

	(void)state;
	sample_fill(&book);
	self.profiles = false;
	text = text_of(CTD_PROMETHEUS_TEXT, &book, &self);
	assert_null(strstr(text, "cgtopdown_profile_"));
	free(text);
	assert_true(pushes(&book, &sample_self, "cgtopdown.profile.stacks"));
	assert_true(pushes(&book, &sample_self, "unpaired"));
	assert_false(pushes(&book, &self, "cgtopdown.profile."));
	book_close(&book);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_sample_is_in_one_window_and_one_stack),
		cmocka_unit_test(where_no_stacks_are_sampled_there_is_none_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
