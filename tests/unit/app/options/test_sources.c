/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_sources.c - the sources of counters that a command line may name. */
#include "app/options/options.h"

#include <cgtopdown/counters.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/app/options/command_line.h"
#include "unit/pmu/capture.h"

/* A new model's source is on the command line by itself. */
static void every_model_s_source_is_taken(void **state)
{
	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		struct ctd_options options;
		struct command_line line;
		char text[64];

		snprintf(text, sizeof(text), "stat --source %s", ctd_cpu_models[i]->source);
		assert_int_equal(parse(text, &line, &options), 0);
		assert_string_equal(options.source, ctd_cpu_models[i]->source);
	}
}

static void every_source_of_the_command_line_is_one_of_the_planner(void **state)
{
	static const char *const sources[] = {"auto", "perf_metrics", "core_events",	"none",
					      "sim",  "software:3",   "software:leader"};
	static const struct ctd_pmu_facts nothing;

	(void)state;
	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
		struct ctd_counter_plan plan;
		struct ctd_options options;
		struct command_line line;
		struct capture capture;
		char text[64];
		int error;

		snprintf(text, sizeof(text), "stat --source %s", sources[i]);
		assert_int_equal(parse(text, &line, &options), 0);
		capture_begin(&capture);
		error = ctd_pmu_plan(&nothing, options.source, 0, false, true, &plan);
		capture_end(&capture);
		if (error == -EINVAL)
			fail_msg("%s is not known to the planner", sources[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_model_s_source_is_taken),
		cmocka_unit_test(every_source_of_the_command_line_is_one_of_the_planner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
