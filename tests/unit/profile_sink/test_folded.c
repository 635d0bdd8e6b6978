/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_folded.c - each line is frames and a number, whatever names hold. */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "golden.h"
#include "unit/profile_sink/sample_profile.h"

static uint64_t sum_of(const char *text)
{
	uint64_t sum = 0;

	for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
		const char *end = strchr(line, '\n');

		assert_non_null(end);
		while (end[-1] != ' ')
			end--;
		sum += strtoull(end, NULL, 10);
	}
	return sum;
}

static uint64_t sum_of_rows(const struct sample *sample, int node)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < sample->profile.rows_count; i++)
		sum += node < 0 ? sample->profile.rows[i].slots
				: sample->profile.rows[i].node_slots[node];
	return sum;
}

static void lines_add_up_to_what_was_counted(void **state)
{
	struct sample sample;
	struct ctd_weight memory;

	(void)state;
	sample_make(&sample);
	struct ctd_strbuf slots = sample_write(&sample, &ctd_profile_folded);

	memory = sample_weight(&sample, "memory_bound");
	sample.options.weight = &memory;
	struct ctd_strbuf lost = sample_write(&sample, &ctd_profile_folded);

	golden_compare("profile.folded", slots.text);
	assert_int_equal(sum_of(slots.text), sum_of_rows(&sample, -1));
	assert_int_equal(sum_of(lost.text), sum_of_rows(&sample, memory.node));
	ctd_strbuf_free(&slots);
	ctd_strbuf_free(&lost);
	sample_end(&sample);
}

static void figures_have_the_names_of_nodes(void **state)
{
	struct sample sample;
	struct ctd_weight weight;

	(void)state;
	sample_make(&sample);
	assert_int_equal(ctd_weight_parse(&sample.profile, "slots", &weight), 0);
	assert_int_equal(weight.kind, CTD_WEIGHT_SLOTS);
	assert_int_equal(ctd_weight_parse(&sample.profile, "retiring", &weight), 0);
	assert_int_equal(weight.node, 0);
	assert_int_equal(ctd_weight_parse(&sample.profile, "ipc", &weight), -EINVAL);
	sample_end(&sample);
	sample_make_empty(&sample);
	assert_int_equal(ctd_weight_parse(&sample.profile, "slots", &weight), -EINVAL);
	assert_int_equal(ctd_weight_parse(&sample.profile, "cpu", &weight), 0);
	sample_end(&sample);
}

static bool is_counted(const struct sample *sample, const char *name)
{
	return ctd_weight_is_counted(sample->profile.rollup->plan, name);
}

static void what_will_be_counted_is_known_before(void **state)
{
	struct sample sample;

	(void)state;
	sample_make(&sample);
	struct ctd_core_type *type =
		&((struct ctd_rollup_plan *)sample.profile.rollup->plan)->core_types[0];

	assert_true(is_counted(&sample, "samples") && is_counted(&sample, "slots"));
	assert_true(is_counted(&sample, "retiring") && is_counted(&sample, "memory_bound"));
	assert_false(is_counted(&sample, "ipc") || is_counted(&sample, "nothing"));
	type->level = 1;
	assert_true(is_counted(&sample, "retiring"));
	assert_false(is_counted(&sample, "memory_bound"));
	type->model = NULL;
	assert_false(is_counted(&sample, "slots") || is_counted(&sample, "retiring"));
	assert_true(is_counted(&sample, "cpu"));
	sample_end(&sample);
}

static void the_suffix_chooses_the_way_out(void **state)
{
	(void)state;
	assert_ptr_equal(ctd_profile_sink_find("a.folded"), &ctd_profile_folded);
	assert_ptr_equal(ctd_profile_sink_find("dir/a.b.pb.gz"), &ctd_profile_pprof);
	assert_ptr_equal(ctd_profile_sink_find("a.speedscope.json"), &ctd_profile_speedscope);
	assert_null(ctd_profile_sink_find("a.json"));
	assert_null(ctd_profile_sink_find(".folded"));
	assert_null(ctd_profile_sink_find(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_add_up_to_what_was_counted),
		cmocka_unit_test(figures_have_the_names_of_nodes),
		cmocka_unit_test(what_will_be_counted_is_known_before),
		cmocka_unit_test(the_suffix_chooses_the_way_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
