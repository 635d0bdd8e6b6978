/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_header.c - what a header says of core types that have no counters. */
#include "collect/header.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/snapshot/recording.h"

static const struct ctd_cgroup_hierarchy hierarchy;

static const struct ctd_trial held = {.never = 1, .lie = "never on the PMU"},
			      lied = {.full = 1, .lie = "slots stays 0"};

/* With core types whose sources were tried, and refused: they have none. */
static struct ctd_source *refuse(const struct ctd_trial *trials, int core_types)
{
	struct ctd_source *source = calloc(1, sizeof(*source));

	assert_non_null(source);
	source->core_types_count = source->core_types_planned = core_types;
	for (int type = 0; type < core_types; type++) {
		source->plans[type] = (struct ctd_counter_plan){
			.read = CTD_READ_NONE, .groups_count = 1, .source = "none"};
		source->choices[type].attempts_count = 1;
		source->choices[type].attempts[0] =
			(struct ctd_source_attempt){.trial = trials[type], .refused = true};
	}
	return source;
}

static void counters_that_another_program_holds_are_not_absent(void **state)
{
	struct ctd_source *source = refuse(&held, 1);
	struct ctd_record_header header;

	(void)state;
	ctd_header_fill(&header, source, &hierarchy, CTD_BY_CGROUP);
	assert_true(header.held);
	source->choices[0].attempts[0].trial = lied;
	ctd_header_fill(&header, source, &hierarchy, CTD_BY_CGROUP);
	assert_false(header.held);
	/* Another source took its place. */
	source->choices[0].attempts[0].trial = held;
	source->plans[0].read = CTD_READ_EACH;
	ctd_header_fill(&header, source, &hierarchy, CTD_BY_CGROUP);
	assert_false(header.held);
	free(source);
}

static void each_core_type_is_held_or_not(void **state)
{
	const struct ctd_trial trials[] = {lied, held};
	struct ctd_source *source = refuse(trials, 2);
	struct ctd_record_header header;

	(void)state;
	ctd_header_fill(&header, source, &hierarchy, CTD_BY_CGROUP);
	assert_false(header.core_types[0].held);
	assert_true(header.core_types[1].held);
	/* Where none counts there is one plan for all. */
	source->core_types_count = 1;
	ctd_header_fill(&header, source, &hierarchy, CTD_BY_CGROUP);
	assert_true(header.held);
	free(source);
}

/* A reader refuses all but ASCII: the recording would be lost. */
static void a_reason_that_quotes_a_user_can_be_read_back(void **state)
{
	struct ctd_source *source = refuse((const struct ctd_trial[]){lied, lied}, 2);
	struct memory_file file = memory_file_new();
	struct ctd_record_header header, got;
	struct ctd_record_reader *reader;
	struct ctd_record_writer *writer;
	struct recording recording;
	char why[160];

	(void)state;
	source->plans[0].read = CTD_READ_EACH;
	source->counters.groups_count = 1;
	source->plans[1].simulated = true;
	strcpy(source->plans[1].why, "there is no metric or group '\xc3\xa4\x1b[1m'");
	ctd_header_fill(&header, source, &hierarchy, CTD_BY_CGROUP);
	assert_string_equal(header.core_types[1].why, "there is no metric or group '???[1m'");
	assert_true(header.simulated);
	assert_int_equal(ctd_record_create(file.path, &header, &writer), 0);
	assert_int_equal(ctd_record_close(writer), 0);
	recording = memory_file_take(&file);
	assert_int_equal(
		ctd_record_open_memory(recording.data, recording.bytes, &got, &reader, why), 0);
	assert_string_equal(got.core_types[1].why, header.core_types[1].why);
	ctd_record_reader_free(reader);
	free(recording.data);
	free(source);
}

/* Intervals of the plan's own groups are made of those of all. */
static void groups_beside_those_of_the_plan_are_not_told_of(void **state)
{
	struct ctd_source *source = refuse(&held, 1);
	struct ctd_record_header header;

	(void)state;
	source->plans[0] = (struct ctd_counter_plan){.read = CTD_READ_EACH,
						     .groups_count = 9,
						     .beside_groups = 7,
						     .events_count = 12,
						     .counters_count = 5};
	ctd_header_fill(&header, source, &hierarchy, CTD_BY_CGROUP);
	assert_int_equal(header.groups_count, 2);
	assert_int_equal(header.counters_count, 5);
	assert_int_equal(ctd_source_groups(source), 9);
	source->plans[0].beside_groups = 0;
	ctd_header_fill(&header, source, &hierarchy, CTD_BY_CGROUP);
	assert_int_equal(header.groups_count, 9);
	assert_int_equal(header.counters_count, 12);
	free(source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_that_another_program_holds_are_not_absent),
		cmocka_unit_test(each_core_type_is_held_or_not),
		cmocka_unit_test(a_reason_that_quotes_a_user_can_be_read_back),
		cmocka_unit_test(groups_beside_those_of_the_plan_are_not_told_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
