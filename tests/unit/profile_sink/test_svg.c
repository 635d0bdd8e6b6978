/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_svg.c - no name breaks the file, and its figures are those of the profile. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "profile_sink/tree.h"
#include "unit/profile_sink/sample_profile.h"

/* What the script has of the profile. */
static json_t *data_of(const char *svg)
{
	const char *begin = strstr(svg, "const data = ");

	assert_non_null(begin);
	return json_loads(begin + strlen("const data = "), JSON_DISABLE_EOF_CHECK, NULL);
}

static void names_are_escaped_for_every_reader(void **state)
{
	struct sample sample;

	(void)state;
	sample_make(&sample);
	struct ctd_strbuf out = sample_write(&sample, &ctd_profile_svg);
	const char *data = strstr(out.text, "const data = ");
	size_t script = strcspn(data, "\n");

	/* The picture. */
	assert_non_null(
		strstr(out.text, "a &#34;name&#34;; of [u8; 4]&#60;&#38;&#62;\\x0a]]&#62;"));
	assert_null(strstr(out.text, "<int>"));
	/* The script: one line, and its end is the template's. */
	assert_true(strcspn(data, "<>&") > script);
	assert_null(strstr(out.text, "@@"));
	assert_non_null(strstr(out.text, "]]></script>\n</svg>\n"));
	ctd_strbuf_free(&out);
	sample_end(&sample);
}

static void what_is_too_small_to_tell_has_a_place_in_the_picture(void **state)
{
	struct sample sample;

	(void)state;
	sample_make(&sample);
	/* Nearly all of it is in the first stack: each other one is less than can be seen. */
	for (size_t row = 0; row < sample.profile.rows_count; row++) {
		struct ctd_profile_row *one = &sample.profile.rows[row];

		for (size_t i = 1; i < one->stacks_count; i++) {
			one->stacks[i].slots = one->stacks[0].slots / 2100;
			one->stacks[i].cpu_ns = one->stacks[0].cpu_ns / 2100;
			one->stacks[i].node_slots = one->stacks[0].node_slots;
		}
	}
	struct ctd_strbuf out = sample_write(&sample, &ctd_profile_svg);

	assert_non_null(strstr(out.text, "<title>(too small to tell)</title>"));
	ctd_strbuf_free(&out);
	sample_end(&sample);
}

static void the_script_has_the_figures_of_the_profile(void **state)
{
	struct sample sample;

	(void)state;
	sample_make(&sample);
	struct ctd_weight memory = sample_weight(&sample, "memory_bound");

	sample.options.weight = &memory;
	struct ctd_strbuf out = sample_write(&sample, &ctd_profile_svg);
	json_t *data = data_of(out.text);
	const json_t *values = json_object_get(data, "values");
	const json_t *weights = json_object_get(data, "weights");
	size_t chosen = (size_t)json_integer_value(json_object_get(data, "weight"));

	assert_int_equal(json_array_size(values), json_array_size(weights) + 1);
	assert_string_equal(
		json_string_value(json_object_get(json_array_get(weights, chosen), "name")),
		"memory_bound");
	assert_true(json_is_null(json_object_get(json_array_get(weights, 0), "role")));
	assert_string_equal(
		json_string_value(json_object_get(json_array_get(weights, chosen), "role")),
		"memory_bound");
	/* Slots of all are those of the rows. */
	assert_int_equal(json_integer_value(json_array_get(json_array_get(values, 2), 0)),
			 (800 + 300 + 5 + 20) * (json_int_t)SCENE_SLOTS_PER_MS);
	json_decref(data);
	ctd_strbuf_free(&out);
	sample_end(&sample);
}

static void a_graph_of_nothing_is_a_file_as_well(void **state)
{
	struct sample sample;

	(void)state;
	sample_make_empty(&sample);
	struct ctd_strbuf out = sample_write(&sample, &ctd_profile_svg);
	json_t *data = data_of(out.text);

	assert_non_null(data);
	assert_int_equal(json_array_size(json_object_get(data, "parents")), 1);
	json_decref(data);
	ctd_strbuf_free(&out);
	sample_end(&sample);
}

static void a_node_has_what_it_called(void **state)
{
	struct sample sample;
	struct ctd_tree tree;

	(void)state;
	sample_make(&sample);
	assert_int_equal(ctd_tree_make(&sample.options, &sample.profile, 0, &tree), 0);
	for (size_t node = 0; node < tree.nodes_count; node++) {
		uint64_t called = 0, last = UINT64_MAX;

		for (size_t child = node + 1; child < tree.nodes_count; child++) {
			uint64_t slots = ctd_tree_values(&tree, child)[2];

			if (tree.nodes[child].parent != node)
				continue;
			assert_int_equal(tree.nodes[child].depth, tree.nodes[node].depth + 1);
			assert_true(slots <= last);
			called += last = slots;
		}
		/* In this profile only leaves have slots of their own. */
		if (called)
			assert_int_equal(called, ctd_tree_values(&tree, node)[2]);
	}
	ctd_tree_free(&tree);
	assert_int_equal(ctd_tree_make(&sample.options, &sample.profile, 4, &tree), 0);
	assert_int_equal(ctd_tree_values(&tree, 0)[2],
			 (800 + 300 + 5 + 20) * (uint64_t)SCENE_SLOTS_PER_MS);
	/* "rest" and the stack that is broken. */
	for (size_t node = 0; node < tree.nodes_count; node++)
		if (tree.nodes[node].depth > 1 && tree.nodes[node].function != CTD_TREE_REST)
			assert_string_not_equal(
				sample.stacks->functions[tree.nodes[node].function].label, "rest");
	ctd_tree_free(&tree);
	sample_end(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_escaped_for_every_reader),
		cmocka_unit_test(what_is_too_small_to_tell_has_a_place_in_the_picture),
		cmocka_unit_test(the_script_has_the_figures_of_the_profile),
		cmocka_unit_test(a_graph_of_nothing_is_a_file_as_well),
		cmocka_unit_test(a_node_has_what_it_called),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
