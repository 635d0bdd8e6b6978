/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_pprof.c - what protoc reads in the message is what the profile says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "golden.h"
#include "protoc.h"
#include "unit/profile_sink/sample_profile.h"

static char *decode(const struct ctd_strbuf *out)
{
	return protoc_decode("gzip -dc", "pprof/profile.proto", "pprof.Profile", out);
}

static void protoc_reads_the_whole_profile(void **state)
{
	struct sample sample;

	(void)state;
	sample_make(&sample);
	struct ctd_strbuf out = sample_write(&sample, &ctd_profile_pprof);
	char *text = decode(&out);

	golden_compare("profile-pprof.txt", text);
	free(text);
	ctd_strbuf_free(&out);
	sample_end(&sample);
}

static void an_event_is_the_only_figure_beside_samples(void **state)
{
	struct sample sample;

	(void)state;
	sample_make_event(&sample);
	struct ctd_strbuf out = sample_write(&sample, &ctd_profile_pprof);
	char *text = decode(&out);

	golden_compare("profile-event-pprof.txt", text);
	free(text);
	ctd_strbuf_free(&out);
	sample_end(&sample);
}

static void a_profile_of_nothing_is_valid(void **state)
{
	struct sample sample;

	(void)state;
	sample_make_empty(&sample);
	struct ctd_strbuf out = sample_write(&sample, &ctd_profile_pprof);
	char *text = decode(&out);

	assert_non_null(strstr(text, "sample_type"));
	assert_non_null(strstr(text, "string_table: \"\""));
	assert_null(strstr(text, "sample {"));
	free(text);
	ctd_strbuf_free(&out);
	sample_end(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(protoc_reads_the_whole_profile),
		cmocka_unit_test(an_event_is_the_only_figure_beside_samples),
		cmocka_unit_test(a_profile_of_nothing_is_valid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
