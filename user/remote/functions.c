/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* functions.c - reads the top functions of a profile, which is a tree of calls. */
#include "remote/functions.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_walk.h"

#define TREE_NODES_MAX 1000000
#define NO_FUNCTION UINT32_MAX

/* The members of a profile. */
struct profile {
	const json_t *weights, *rows, *functions, *module_of, *modules, *values;
	size_t nodes_count, functions_count;
	uint32_t *parent; /* owned; of each node of the tree */
	uint32_t *function; /* owned; of each node; NO_FUNCTION: all rows, or a row */
	double *own; /* owned; by function: what it has of a weight by itself */
};

static void profile_free(struct profile *profile)
{
	free(profile->parent);
	free(profile->function);
	free(profile->own);
}

static int refuse(const char *what, char why[CTD_REMOTE_WHY_BYTES])
{
	snprintf(why, CTD_REMOTE_WHY_BYTES, "its profile is of no form that is known: %s", what);
	return -EBADMSG;
}

/* What is no number, or negative, is 0. */
static double number_of(const json_t *value)
{
	double number = json_number_value(value);

	return isfinite(number) && number > 0 ? number : 0;
}

/* @return @p limit: there is none, or a larger one. */
static uint32_t index_of(const json_t *array, size_t at, size_t limit)
{
	const json_t *value = json_array_get(array, at);
	json_int_t index = json_integer_value(value);

	return json_is_integer(value) && index >= 0 && (uint64_t)index < limit ? (uint32_t)index
									       : (uint32_t)limit;
}

static const char *text_at(const json_t *array, size_t at)
{
	const char *text = json_string_value(json_array_get(array, at));

	return text ? text : "";
}

/* Parents come first. Below node 0 are rows, and below these their functions. */
static int take_tree(const json_t *root, struct profile *profile, char why[CTD_REMOTE_WHY_BYTES])
{
	const json_t *parents = json_object_get(root, "parents");
	const json_t *frames = json_object_get(root, "frames");

	profile->nodes_count = json_array_size(parents);
	profile->functions_count = json_array_size(profile->functions);
	if (!profile->nodes_count || json_array_size(frames) != profile->nodes_count)
		return refuse("no tree", why);
	if (profile->nodes_count > TREE_NODES_MAX || profile->functions_count > TREE_NODES_MAX)
		return refuse("too large", why);
	profile->parent = calloc(profile->nodes_count, sizeof(*profile->parent));
	profile->function = calloc(profile->nodes_count, sizeof(*profile->function));
	profile->own = calloc(profile->functions_count + 1, sizeof(*profile->own));
	if (!profile->parent || !profile->function || !profile->own)
		return -ENOMEM;
	profile->function[0] = NO_FUNCTION;
	for (size_t i = 1; i < profile->nodes_count; i++) {
		uint32_t function = index_of(frames, i, profile->functions_count);

		profile->parent[i] = index_of(parents, i, i);
		if (profile->parent[i] == i)
			return refuse("a parent that does not come first", why);
		if (!profile->parent[i])
			function = NO_FUNCTION;
		else if (function == profile->functions_count)
			return refuse("a function that is not there", why);
		profile->function[i] = function;
	}
	return 0;
}

/* @return NULL: it has not one for each node. */
static const json_t *values_of(const struct profile *profile, int weight)
{
	const json_t *values = weight < 0 ? NULL : json_array_get(profile->values, (size_t)weight);

	return json_array_size(values) == profile->nodes_count ? values : NULL;
}

/* Values of nodes are with all that they called. */
static void add_own(struct profile *profile, const json_t *values)
{
	memset(profile->own, 0, profile->functions_count * sizeof(*profile->own));
	for (size_t i = 1; i < profile->nodes_count; i++) {
		double value = number_of(json_array_get(values, i));
		uint32_t caller = profile->function[profile->parent[i]];

		if (profile->function[i] != NO_FUNCTION)
			profile->own[profile->function[i]] += value;
		if (caller != NO_FUNCTION)
			profile->own[caller] -= value;
	}
}

static int find_weight(const struct profile *profile, const char *name)
{
	const json_t *weight;
	size_t i;

	json_array_foreach(profile->weights, i, weight)
	{
		const char *its = json_string_value(json_object_get(weight, "name"));

		if (its && strcmp(its, name) == 0)
			return (int)i;
	}
	return -1;
}

static double share_of(double part, double whole)
{
	return whole > 0 ? fmin(fmax(part / whole, 0), 1) : 0;
}

/* Of functions that have as much the one that comes first. */
static void choose(const struct profile *profile, struct ctd_remote_functions *ret,
		   uint32_t chosen[CTD_REMOTE_FUNCTIONS_MAX])
{
	for (uint32_t i = 0; i < profile->functions_count; i++) {
		int at = ret->items_count;

		if (profile->own[i] <= 0)
			continue;
		ret->others++;
		while (at && profile->own[chosen[at - 1]] < profile->own[i])
			at--;
		if (at == CTD_REMOTE_FUNCTIONS_MAX)
			continue;
		ret->items_count += ret->items_count < CTD_REMOTE_FUNCTIONS_MAX;
		memmove(&chosen[at + 1], &chosen[at],
			(size_t)(ret->items_count - at - 1) * sizeof(*chosen));
		chosen[at] = i;
	}
	ret->others -= (size_t)ret->items_count;
}

static void take_items(struct profile *profile, const json_t *values,
		       struct ctd_remote_functions *ret, uint32_t chosen[CTD_REMOTE_FUNCTIONS_MAX])
{
	double whole = number_of(json_array_get(values, 0));

	add_own(profile, values);
	choose(profile, ret, chosen);
	ret->others_share = whole > 0;
	for (int i = 0; i < ret->items_count; i++) {
		struct ctd_remote_function *item = &ret->items[i];
		size_t modules = json_array_size(profile->modules);

		item->name = text_at(profile->functions, chosen[i]);
		item->file =
			text_at(profile->modules, index_of(profile->module_of, chosen[i], modules));
		item->share = share_of(profile->own[chosen[i]], whole);
		ret->others_share = fmax(ret->others_share - item->share, 0);
	}
}

/* @p slots: values of this weight; NULL: nothing is known of slots. */
static void take_nodes(struct profile *profile, const json_t *slots,
		       struct ctd_remote_functions *ret,
		       const uint32_t chosen[CTD_REMOTE_FUNCTIONS_MAX])
{
	double own_slots[CTD_REMOTE_FUNCTIONS_MAX];

	add_own(profile, slots);
	for (int i = 0; i < ret->items_count; i++)
		own_slots[i] = profile->own[chosen[i]];
	for (size_t at = 0; at < json_array_size(profile->weights); at++) {
		const json_t *weight = json_array_get(profile->weights, at);
		const json_t *values = values_of(profile, (int)at);
		const char *name = json_string_value(json_object_get(weight, "name"));

		if (!values || !name || ret->nodes_count == CTD_NODES_MAX ||
		    json_integer_value(json_object_get(weight, "level")) <= 0)
			continue;
		add_own(profile, values);
		for (int i = 0; i < ret->items_count; i++)
			ret->items[i].nodes[ret->nodes_count] =
				share_of(profile->own[chosen[i]], own_slots[i]);
		ret->nodes[ret->nodes_count++] = name;
	}
}

static int take_functions(struct profile *profile, struct ctd_remote_functions *ret,
			  char why[CTD_REMOTE_WHY_BYTES])
{
	const json_t *cpu = values_of(profile, find_weight(profile, "cpu"));
	const json_t *slots = values_of(profile, find_weight(profile, "slots"));
	uint32_t chosen[CTD_REMOTE_FUNCTIONS_MAX];

	if (!cpu)
		return refuse("no CPU time", why);
	/* Several rows are core types, whose slots have no sum. */
	ret->by_slots = slots && json_array_size(profile->rows) == 1 &&
			number_of(json_array_get(slots, 0)) > 0;
	take_items(profile, ret->by_slots ? slots : cpu, ret, chosen);
	add_own(profile, cpu);
	for (int i = 0; i < ret->items_count && ret->seconds > 0; i++)
		ret->items[i].cpus = fmax(profile->own[chosen[i]], 0) / ret->seconds / 1e9;
	if (ret->by_slots)
		take_nodes(profile, slots, ret, chosen);
	return 0;
}

int ctd_remote_functions_parse(const char *text, size_t bytes,
			       struct ctd_remote_functions *ret_functions,
			       char ret_why[CTD_REMOTE_WHY_BYTES])
{
	json_error_t problem;
	json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &problem);
	__attribute__((cleanup(profile_free))) struct profile profile = {
		.weights = json_object_get(root, "weights"),
		.rows = json_object_get(root, "rows"),
		.functions = json_object_get(root, "functions"),
		.module_of = json_object_get(root, "module_of"),
		.modules = json_object_get(root, "modules"),
		.values = json_object_get(root, "values"),
	};
	struct ctd_remote_functions functions = {
		.text = root, .seconds = number_of(json_object_get(root, "seconds"))};
	int error = 0;

	if (!root)
		error = refuse("no JSON", ret_why);
	for (size_t i = 0; i < json_array_size(profile.rows); i++)
		functions.samples +=
			number_of(json_object_get(json_array_get(profile.rows, i), "samples"));
	if (!error)
		error = take_tree(root, &profile, ret_why);
	if (!error)
		error = take_functions(&profile, &functions, ret_why);
	if (error) {
		ctd_remote_functions_free(&functions);
		return error;
	}
	*ret_functions = functions;
	return 0;
}

void ctd_remote_functions_free(struct ctd_remote_functions *functions)
{
	json_decref(functions->text);
	*functions = (struct ctd_remote_functions){0};
}
