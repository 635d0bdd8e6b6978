/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_flame.c - what a row does not tell is no figure of its frames, and none of all rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "profile_sink/weights.h"
#include "unit/profile_sink/sample_profile.h"

/* The graph of a sample, and where its nodes belong. */
struct graph {
	struct sample sample;
	struct ctd_weight weights[CTD_WEIGHTS_MAX];
	size_t weights_count, nodes_count, chosen;
	size_t parents[64], depths[64], rows[64]; /* of each node; root: row SIZE_MAX */
	json_t *json; /* owned */
};

static size_t number_at(const json_t *list, size_t at)
{
	return (size_t)json_integer_value(json_array_get(list, at));
}

static void graph_read(struct graph *graph)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	const json_t *parents, *frames;

	graph->weights_count = (size_t)ctd_weights_list(&graph->sample.profile, graph->weights);
	assert_int_equal(ctd_profile_json(&graph->sample.options, &graph->sample.profile, &text),
			 0);
	graph->json = json_loadb(text.text, text.bytes, 0, NULL);
	assert_non_null(graph->json);
	graph->chosen = (size_t)json_integer_value(json_object_get(graph->json, "weight"));
	parents = json_object_get(graph->json, "parents");
	frames = json_object_get(graph->json, "frames");
	graph->nodes_count = json_array_size(parents);
	assert_in_range(graph->nodes_count, 2, 64);
	graph->rows[0] = SIZE_MAX;
	for (size_t i = 1; i < graph->nodes_count; i++) {
		size_t parent = number_at(parents, i);

		graph->parents[i] = parent;
		graph->depths[i] = graph->depths[parent] + 1;
		graph->rows[i] = parent ? graph->rows[parent] : number_at(frames, i);
	}
}

static void graph_end(struct graph *graph)
{
	json_decref(graph->json);
	sample_end(&graph->sample);
}

static const json_t *value_at(const struct graph *graph, const char *list, size_t weight,
			      size_t node)
{
	return json_array_get(json_array_get(json_object_get(graph->json, list), weight), node);
}

static bool is_of_slots(const struct graph *graph, size_t weight)
{
	return weight == graph->weights_count || graph->weights[weight].kind == CTD_WEIGHT_SLOTS ||
	       graph->weights[weight].kind == CTD_WEIGHT_NODE;
}

/* Whose parent is the root. */
static size_t node_of_row(const struct graph *graph, size_t row)
{
	size_t node = 1;

	while (graph->depths[node] != 1 || graph->rows[node] != row)
		node++;
	return node;
}

static void a_row_that_was_not_counted_has_no_slots_and_the_others_have_theirs(void **state)
{
	struct graph graph = {0};
	const struct ctd_profile *profile = &graph.sample.profile;
	size_t unknown = 0, known = 0;

	(void)state;
	sample_make(&graph.sample);
	sample_forget_slots(&graph.sample.profile.rows[0]);
	graph_read(&graph);
	assert_int_equal(json_array_size(json_object_get(graph.json, "values")),
			 graph.weights_count + 1);
	for (size_t weight = 0; weight <= graph.weights_count; weight++) {
		for (size_t node = 1; node < graph.nodes_count; node++) {
			const json_t *value = value_at(&graph, "values", weight, node);
			bool is_unknown = is_of_slots(&graph, weight) && graph.rows[node] == 0;

			assert_int_equal(json_is_null(value), is_unknown);
			assert_int_equal(json_is_integer(value), !is_unknown);
			unknown += is_unknown;
			known += !is_unknown;
		}
	}
	assert_true(unknown > 0 && known > 0);
	/* All that is known. */
	for (size_t weight = 0; weight < graph.weights_count; weight++) {
		json_int_t sum = 0;

		for (size_t row = 0; row < profile->rows_count; row++)
			if (row || !is_of_slots(&graph, weight))
				sum += (json_int_t)ctd_weight_of_row(&graph.weights[weight],
								     &profile->rows[row]);
		assert_true(json_is_integer(value_at(&graph, "values", weight, 0)));
		assert_int_equal(json_integer_value(value_at(&graph, "values", weight, 0)), sum);
	}
	assert_int_equal(graph.weights[graph.chosen].kind, CTD_WEIGHT_SLOTS);
	graph_end(&graph);
}

/* As slots they would all be equal, and those with most time anywhere. */
static void frames_of_a_row_without_slots_are_in_the_order_of_their_time(void **state)
{
	struct graph graph = {0};
	size_t siblings = 0;

	(void)state;
	sample_make(&graph.sample);
	sample_forget_slots(&graph.sample.profile.rows[0]);
	graph_read(&graph);
	for (size_t node = 2; node < graph.nodes_count; node++) {
		size_t before = node - 1;

		if (graph.rows[node] != 0 || graph.depths[node] < 2)
			continue;
		while (graph.depths[before] > graph.depths[node])
			before--;
		if (graph.parents[before] != graph.parents[node])
			continue;
		assert_true(json_integer_value(value_at(&graph, "values", 1, before)) >=
			    json_integer_value(value_at(&graph, "values", 1, node)));
		siblings++;
	}
	assert_true(siblings >= 3);
	graph_end(&graph);
}

static void where_no_row_was_counted_nor_were_all_and_time_is_shown_first(void **state)
{
	struct graph graph = {0};

	(void)state;
	sample_make(&graph.sample);
	for (size_t i = 0; i < graph.sample.profile.rows_count; i++)
		sample_forget_slots(&graph.sample.profile.rows[i]);
	graph_read(&graph);
	for (size_t weight = 0; weight <= graph.weights_count; weight++)
		assert_int_equal(json_is_null(value_at(&graph, "values", weight, 0)),
				 is_of_slots(&graph, weight));
	assert_int_equal(graph.weights[graph.chosen].kind, CTD_WEIGHT_CPU);
	graph_end(&graph);
}

static void a_category_alone_may_be_what_is_not_known(void **state)
{
	struct graph graph = {0};
	size_t last, node;

	(void)state;
	sample_make(&graph.sample);
	last = (size_t)ctd_weights_list(&graph.sample.profile, graph.weights) - 1;
	assert_int_equal(graph.weights[last].kind, CTD_WEIGHT_NODE);
	graph.sample.profile.rows[1].node_slots_known &= ~(1u << graph.weights[last].node);
	graph_read(&graph);
	node = node_of_row(&graph, 1);
	assert_true(json_is_null(value_at(&graph, "values", last, node)));
	assert_true(json_is_integer(value_at(&graph, "values", last - 1, node)));
	assert_true(json_is_integer(value_at(&graph, "values", graph.weights_count, node)));
	assert_true(json_is_integer(value_at(&graph, "values", last, node_of_row(&graph, 0))));
	graph_end(&graph);
}

static void a_base_that_was_not_counted_is_none_to_compare_with(void **state)
{
	struct graph graph = {0};
	struct ctd_profile base;
	size_t slots = 2;

	(void)state;
	sample_make(&graph.sample);
	base = graph.sample.profile;
	base.rows = calloc(base.rows_count, sizeof(*base.rows));
	assert_non_null(base.rows);
	memcpy(base.rows, graph.sample.profile.rows, base.rows_count * sizeof(*base.rows));
	base.rows[1].slots_known = false;
	graph.sample.options.base = &base;
	graph_read(&graph);
	assert_int_equal(graph.weights[slots].kind, CTD_WEIGHT_SLOTS);
	for (size_t node = 1; node < graph.nodes_count; node++) {
		assert_int_equal(json_is_null(value_at(&graph, "base", slots, node)),
				 graph.rows[node] == 1);
		assert_true(json_is_integer(value_at(&graph, "base", 1, node)));
		assert_true(json_is_integer(value_at(&graph, "values", slots, node)));
	}
	free(base.rows);
	graph_end(&graph);
}

static void without_counters_nothing_is_of_windows_either(void **state)
{
	struct sample sample;
	auto_ctd_strbuf struct ctd_strbuf text = {0};

	(void)state;
	sample_make(&sample);
	sample.profile.slots_known = false;
	sample.profile.node_slots_known = 0;
	for (size_t i = 0; i < sample.profile.rows_count; i++)
		sample_forget_slots(&sample.profile.rows[i]);
	assert_int_equal(ctd_profile_json(&sample.options, &sample.profile, &text), 0);

	json_t *json = json_loadb(text.text, text.bytes, 0, NULL);
	const json_t *values = json_object_get(json, "values");

	assert_int_equal(json_array_size(values), 3);
	assert_true(json_is_integer(json_array_get(json_array_get(values, 1), 0)));
	assert_true(json_is_null(json_array_get(json_array_get(values, 2), 0)));
	json_decref(json);
	sample_end(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_row_that_was_not_counted_has_no_slots_and_the_others_have_theirs),
		cmocka_unit_test(frames_of_a_row_without_slots_are_in_the_order_of_their_time),
		cmocka_unit_test(where_no_row_was_counted_nor_were_all_and_time_is_shown_first),
		cmocka_unit_test(a_category_alone_may_be_what_is_not_known),
		cmocka_unit_test(a_base_that_was_not_counted_is_none_to_compare_with),
		cmocka_unit_test(without_counters_nothing_is_of_windows_either),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
