/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_health.c - what makes a profile another than it seems is warned of, and nothing else. */
#include "app/profile/health.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/pmu/capture.h"

#define WARNING "cgtopdown: warning: "

static void what_a_reader_has_to_know_is_warned_of(void **state)
{
	static const struct {
		int line;
		const char *wanted;
		struct ctd_profile_health health;
	} cases[] = {
		{__LINE__, "", {{0}, {0}, {0}}},
		/* The usual: nothing is said. */
		{__LINE__,
		 "",
		 {.sampling = {[CTD_SAMPLING_SAMPLES] = 1000,
			       [CTD_SAMPLING_COMPLETE] = 402,
			       [CTD_SAMPLING_TRUNCATED] = 49,
			       [CTD_SAMPLING_BROKEN] = 50,
			       [CTD_SAMPLING_FRAME_POINTERS] = 499,
			       [CTD_SAMPLING_WINDOWS] = 301,
			       [CTD_SAMPLING_UNPAIRED] = 499,
			       [CTD_SAMPLING_OTHER] = 100},
		  .forgotten = {9, 9}}},
		/* No counters, no windows. */
		{__LINE__,
		 "",
		 {.sampling = {[CTD_SAMPLING_SAMPLES] = 1000, [CTD_SAMPLING_UNREAD] = 1000}}},
		{__LINE__,
		 WARNING "1 samples found no room and are in no figure\n",
		 {.sampling = {[CTD_SAMPLING_SAMPLES] = 1000, [CTD_SAMPLING_LOST] = 1}}},
		{__LINE__,
		 WARNING
		 "10 % of the samples of all processes have stacks that were cut or are broken: their outer callers are missing\n",
		 {.sampling = {[CTD_SAMPLING_SAMPLES] = 1000,
			       [CTD_SAMPLING_TRUNCATED] = 50,
			       [CTD_SAMPLING_BROKEN] = 50}}},
		{__LINE__,
		 WARNING
		 "50 % of the samples of all processes have stacks by frame pointers alone, in which callers without one are missing: of JITs, of programs that ran for moments, or on a kernel of which 'cgtopdown doctor' says so\n",
		 {.sampling = {[CTD_SAMPLING_SAMPLES] = 1000, [CTD_SAMPLING_FRAME_POINTERS] = 500}}},
		/* Of a machine that is mostly idle: its clocks are as they should be. */
		{__LINE__,
		 WARNING
		 "72 % of the samples of all processes have no window, as the CPU was idle or held up when it had to begin: into which categories their slots fell is taken from others\n",
		 {.sampling = {[CTD_SAMPLING_SAMPLES] = 1000,
			       [CTD_SAMPLING_UNPAIRED] = 720,
			       [CTD_SAMPLING_LOCKS] = 2}}},
		{__LINE__,
		 WARNING
		 "72 % of the samples of all processes have no window, as the CPU was idle or held up when it had to begin, or its clocks could not be set apart: into which categories their slots fell is taken from others\n",
		 {.sampling = {[CTD_SAMPLING_SAMPLES] = 1000,
			       [CTD_SAMPLING_UNPAIRED] = 720,
			       [CTD_SAMPLING_LOCKS] = 2,
			       [CTD_SAMPLING_LOCKS_FAILED] = 1}}},
		{__LINE__,
		 WARNING
		 "files, maps of JITs or processes found no room: functions in them are shown by address\n",
		 {.sampling = {[CTD_SAMPLING_SAMPLES] = 1000}, .refused = {1, 2, 3}}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct capture capture;
		const char *text;

		capture_begin(&capture);
		ctd_profile_health_warn(&cases[i].health);
		text = capture_end(&capture);
		if (strcmp(text, cases[i].wanted) != 0)
			fail_msg("line %d: '%s'", cases[i].line, text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_reader_has_to_know_is_warned_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
