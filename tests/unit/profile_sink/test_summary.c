/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_summary.c - what people see of a profile. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "golden.h"
#include "unit/profile_sink/sample_profile.h"

static void compare(const struct sample *sample, const char *golden)
{
	struct ctd_strbuf out = sample_write(sample, &ctd_profile_summary);

	golden_compare(golden, out.text);
	ctd_strbuf_free(&out);
}

static void each_row_shows_what_holds_it_back(void **state)
{
	struct sample sample;

	(void)state;
	sample_make(&sample);
	compare(&sample, "profile-80.txt");
	sample.options.unicode = false;
	sample.options.colour = true;
	struct ctd_weight retiring = sample_weight(&sample, "retiring");

	sample.options.weight = &retiring;
	compare(&sample, "profile-80-retiring-colour-ascii.txt");
	sample_end(&sample);
}

static void of_an_event_there_is_how_often_it_came(void **state)
{
	struct sample sample;

	(void)state;
	sample_make_event(&sample);
	compare(&sample, "profile-80-event.txt");
	sample.stacks->event.precision = CTD_PRECISION_SKID;
	sample.options.unicode = false;
	sample.options.colour = true;
	compare(&sample, "profile-80-event-skid-colour-ascii.txt");
	sample_end(&sample);
}

static void samples_that_are_in_no_row_are_told(void **state)
{
	struct ctd_strbuf out;
	struct sample sample;

	(void)state;
	sample_make(&sample);
	sample.profile.lost_samples = 7;
	out = sample_write(&sample, &ctd_profile_summary);
	assert_non_null(strstr(out.text, "112 samples, 82% with a window, 7 more in no row\n"));
	ctd_strbuf_free(&out);
	sample_end(&sample);
}

static void nothing_is_shown_where_nothing_ran(void **state)
{
	struct sample sample;

	(void)state;
	sample_make_empty(&sample);
	compare(&sample, "profile-80-empty.txt");
	sample_end(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_row_shows_what_holds_it_back),
		cmocka_unit_test(of_an_event_there_is_how_often_it_came),
		cmocka_unit_test(samples_that_are_in_no_row_are_told),
		cmocka_unit_test(nothing_is_shown_where_nothing_ran),
	};

	if (!setlocale(LC_ALL, "C.UTF-8")) {
		print_message("there is no locale C.UTF-8\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
