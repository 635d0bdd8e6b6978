/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* flame.c - makes the data of a flame graph: its nodes, and the functions and rows that they are. */
#include "profile_sink/flame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/json.h"
#include "profile_sink/top.h"

/* A frame smaller than this part of its row could hardly be seen, zoomed in or not: those of one
 * caller are one node, whose function is -1. */
#define PARTS_MAX 2000

static size_t rows_count(const struct ctd_flame *flame)
{
	return flame->profile->rows_count + (flame->base ? flame->base->rows_count : 0);
}

static void add_weights(const struct ctd_flame *flame, struct ctd_json *json)
{
	const struct ctd_cpu_model *model = flame->profile->rollup->plan->model;

	ctd_json_begin_array(json, "weights");
	for (int i = 0; i < flame->tree.weights_count; i++) {
		const struct ctd_weight *weight = &flame->tree.weights[i];
		const struct ctd_node *node =
			weight->kind == CTD_WEIGHT_NODE ? &model->nodes[weight->node] : NULL;

		ctd_json_begin_object(json, NULL);
		ctd_json_string(json, "name", ctd_weight_name(flame->profile, weight));
		ctd_json_string(json, "role", node ? ctd_node_role_name(node->role) : NULL);
		ctd_json_string(json, "unit", ctd_weight_unit(weight));
		ctd_json_integer(json, "level", node ? (uint64_t)node->level : 0);
		ctd_json_string(json, "parent",
				node && node->parent >= 0 ? model->nodes[node->parent].name : NULL);
		ctd_json_string(json, "help", node ? node->help : NULL);
		ctd_json_end_object(json);
	}
	ctd_json_end_array(json);
	ctd_json_integer(json, "weight", (uint64_t)flame->weight);
}

static void add_rows(const struct ctd_flame *flame, struct ctd_json *json)
{
	ctd_json_begin_array(json, "rows");
	for (size_t i = 0; i < rows_count(flame); i++) {
		size_t own = flame->profile->rows_count;
		const struct ctd_profile_row *row =
			i < own ? &flame->profile->rows[i] : &flame->base->rows[i - own];

		ctd_json_begin_object(json, NULL);
		ctd_json_string(json, "name", flame->row_names[i]);
		ctd_json_integer(json, "samples", row->samples);
		ctd_json_integer(json, "windows", row->windows);
		ctd_json_real(json, "factor", row->factor, 1e4);
		ctd_json_end_object(json);
	}
	ctd_json_end_array(json);
}

/* Functions and modules by the order in which the tree has them: those of rows that are left out
 * are nobody's business. */
struct numbering {
	uint32_t *function, *module; /* owned; number + 1; 0: it is in no node */
	uint32_t *functions, *modules; /* owned; by number */
	size_t functions_count, modules_count;
};

static void numbering_free(struct numbering *numbering)
{
	free(numbering->function);
	free(numbering->module);
	free(numbering->functions);
	free(numbering->modules);
}

static void give_number(uint32_t *numbers, uint32_t *list, size_t *count, uint32_t at)
{
	if (numbers[at])
		return;
	list[(*count)++] = at;
	numbers[at] = (uint32_t)*count;
}

static int number_all(const struct ctd_flame *flame, struct numbering *numbering)
{
	const struct ctd_stacks *stacks = flame->profile->stacks;

	numbering->function = calloc(stacks->functions_count + 1, sizeof(uint32_t));
	numbering->functions = calloc(stacks->functions_count + 1, sizeof(uint32_t));
	numbering->module = calloc(stacks->modules_count + 1, sizeof(uint32_t));
	numbering->modules = calloc(stacks->modules_count + 1, sizeof(uint32_t));
	if (!numbering->function || !numbering->functions || !numbering->module ||
	    !numbering->modules)
		return -ENOMEM;
	for (size_t i = 0; i < flame->tree.nodes_count; i++) {
		uint32_t function = flame->tree.nodes[i].function;

		if (flame->tree.nodes[i].depth < 2 || function == CTD_TREE_REST)
			continue;
		give_number(numbering->function, numbering->functions, &numbering->functions_count,
			    function);
		give_number(numbering->module, numbering->modules, &numbering->modules_count,
			    stacks->functions[function].module);
	}
	return 0;
}

static void add_functions(const struct ctd_flame *flame, const struct numbering *numbering,
			  struct ctd_json *json)
{
	const struct ctd_stacks *stacks = flame->profile->stacks;

	ctd_json_begin_array(json, "functions");
	for (size_t i = 0; i < numbering->functions_count; i++)
		ctd_json_string(json, NULL, stacks->functions[numbering->functions[i]].label);
	ctd_json_end_array(json);
	ctd_json_begin_array(json, "module_of");
	for (size_t i = 0; i < numbering->functions_count; i++) {
		uint32_t module = stacks->functions[numbering->functions[i]].module;

		ctd_json_integer(json, NULL, numbering->module[module] - 1);
	}
	ctd_json_end_array(json);
	ctd_json_begin_array(json, "modules");
	for (size_t i = 0; i < numbering->modules_count; i++)
		ctd_json_string(json, NULL, stacks->modules[numbering->modules[i]].file);
	ctd_json_end_array(json);
}

/* The figures of each node from @p first on. What its row does not tell is null; node 0 has what
 * the others tell, if any does. */
static void add_values(const struct ctd_tree *tree, const char *name, int first, int count,
		       const uint64_t *lacks, uint64_t all_lack, struct ctd_json *json)
{
	ctd_json_begin_array(json, name);
	for (int value = 0; value < count; value++) {
		/* Behind the weights: slots with windows of their own. */
		int weight = value < tree->weights_count ? value : CTD_TREE_SLOTS;
		uint64_t lack = all_lack;

		ctd_json_begin_array(json, NULL);
		for (size_t i = 0; i < tree->nodes_count; i++) {
			if (tree->nodes[i].depth == 1)
				lack = lacks[tree->nodes[i].function];
			ctd_json_count(json, NULL, ctd_tree_values(tree, i)[first + value],
				       !(lack >> weight & 1));
		}
		ctd_json_end_array(json);
	}
	ctd_json_end_array(json);
}

static void add_nodes(const struct ctd_flame *flame, const struct numbering *numbering,
		      struct ctd_json *json)
{
	const struct ctd_tree *tree = &flame->tree;

	ctd_json_begin_array(json, "parents");
	for (size_t i = 0; i < tree->nodes_count; i++)
		ctd_json_integer(json, NULL, tree->nodes[i].parent);
	ctd_json_end_array(json);
	ctd_json_begin_array(json, "frames");
	for (size_t i = 0; i < tree->nodes_count; i++) {
		uint32_t at = tree->nodes[i].function;

		if (at == CTD_TREE_REST)
			ctd_json_real(json, NULL, -1, 1);
		else
			ctd_json_integer(json, NULL,
					 tree->nodes[i].depth < 2 ? at
								  : numbering->function[at] - 1);
	}
	ctd_json_end_array(json);
	/* One more than weights: slots with windows of their own. */
	add_values(tree, "values", 0, tree->weights_count + 1, tree->lacks, tree->all_lack, json);
	if (flame->base)
		add_values(tree, "base", tree->weights_count + 1, tree->weights_count,
			   tree->base_lacks, tree->all_base_lack, json);
}

void ctd_flame_json(const struct ctd_flame *flame, struct ctd_strbuf *out)
{
	__attribute__((cleanup(numbering_free))) struct numbering numbering = {0};
	struct ctd_json json = {.out = out};

	if (number_all(flame, &numbering)) {
		out->failed = true;
		return;
	}
	ctd_json_begin_object(&json, NULL);
	ctd_json_string(&json, "schema", "cgtopdown/profile/1");
	ctd_json_bool(&json, "simulated", flame->profile->rollup->plan->simulated);
	ctd_json_real(&json, "seconds", (double)flame->profile->rollup->window_ns / 1e9, 1e3);
	add_weights(flame, &json);
	add_rows(flame, &json);
	if (flame->has_top)
		ctd_profile_top_json(flame->profile, flame->tree.weights, flame->tree.weights_count,
				     &json);
	add_functions(flame, &numbering, &json);
	add_nodes(flame, &numbering, &json);
	ctd_json_end_object(&json);
}

int ctd_flame_make(const struct ctd_profile_sink_options *options,
		   const struct ctd_profile *profile, struct ctd_flame *ret_flame)
{
	struct ctd_weight chosen = ctd_weight_chosen(options, profile);
	int error;

	*ret_flame = (struct ctd_flame){.profile = profile, .base = options->base};
	ret_flame->tree.weights_count = ctd_weights_list(profile, ret_flame->tree.weights);
	error = options->no_frames ? 0
				   : ctd_tree_make(options, profile, PARTS_MAX, &ret_flame->tree);
	if (error)
		return error;
	ret_flame->row_names = calloc(rows_count(ret_flame) + 1, sizeof(*ret_flame->row_names));
	if (!ret_flame->row_names)
		return -ENOMEM;
	for (size_t i = 0; i < rows_count(ret_flame); i++) {
		ret_flame->row_names[i] = ctd_profile_row_name_of(profile, options->base, i);
		if (!ret_flame->row_names[i])
			return -ENOMEM;
	}
	for (int i = 0; i < ret_flame->tree.weights_count; i++) {
		const struct ctd_weight *weight = &ret_flame->tree.weights[i];

		if (weight->kind == chosen.kind && weight->node == chosen.node)
			ret_flame->weight = i;
	}
	/* Nothing would be as wide as anything. */
	if (!options->weight && ret_flame->tree.all_lack >> ret_flame->weight & 1)
		ret_flame->weight = CTD_TREE_CPU;
	return 0;
}

void ctd_flame_free(struct ctd_flame *flame)
{
	for (size_t i = 0; flame->row_names && i < rows_count(flame); i++)
		free(flame->row_names[i]);
	free(flame->row_names);
	ctd_tree_free(&flame->tree);
}

int ctd_profile_json(const struct ctd_profile_sink_options *options,
		     const struct ctd_profile *profile, struct ctd_strbuf *out)
{
	struct ctd_flame flame;
	int error = ctd_flame_make(options, profile, &flame);

	flame.has_top = true;
	if (!error)
		ctd_flame_json(&flame, out);
	ctd_flame_free(&flame);
	return error || out->failed ? -ENOMEM : 0;
}
