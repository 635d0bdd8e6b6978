/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* top.c - the few functions that have most of all rows, as JSON. */
#include "profile_sink/top.h"

#include "base/auto.h"
#include "profile_sink/functions.h"

#define FUNCTIONS_MAX 10

struct top {
	const struct ctd_profile *profile; /* borrowed, as these */
	const struct ctd_weight *weights;
	int weights_count;
	bool has_sum[CTD_WEIGHTS_MAX]; /* some row has it, and all rows' can be added up */
	int weight; /* what functions are sorted by: all rows have it */
	const struct ctd_profile_function *functions;
	size_t count, more; /* functions: the largest; others that have anything */
	/* By weights: of each function; behind them that of all others. */
	uint64_t sums[FUNCTIONS_MAX + 1][CTD_WEIGHTS_MAX];
	bool lacks[FUNCTIONS_MAX + 1][CTD_WEIGHTS_MAX]; /* what some row does not tell */
};

/* Slots of several core types have no sum. */
static bool has_sum(const struct ctd_profile *profile, const struct ctd_weight *weight)
{
	uint64_t slots = 0;

	if (weight->kind != CTD_WEIGHT_SLOTS && weight->kind != CTD_WEIGHT_NODE)
		return true;
	for (size_t i = 0; i < profile->rows_count; i++) {
		const struct ctd_profile_row *row = &profile->rows[i];

		if (row->core_type != profile->rows[0].core_type)
			return false;
		slots += row->slots_known ? row->slots : 0;
	}
	return slots > 0;
}

static bool is_told_by_all(const struct ctd_profile *profile, const struct ctd_weight *weight)
{
	for (size_t i = 0; i < profile->rows_count; i++)
		if (profile->rows[i].stacks_count && !ctd_weight_is_told(weight, &profile->rows[i]))
			return false;
	return true;
}

/* Slots, else CPU time: those that are not known would be the smallest. */
static void choose_weight(struct top *top)
{
	for (int i = 0; i < top->weights_count; i++) {
		const struct ctd_weight *weight = &top->weights[i];

		top->has_sum[i] = has_sum(top->profile, weight);
		if (top->has_sum[i] && is_told_by_all(top->profile, weight) &&
		    (weight->kind == CTD_WEIGHT_CPU || weight->kind == CTD_WEIGHT_SLOTS ||
		     weight->kind == CTD_WEIGHT_EVENT))
			top->weight = i;
	}
}

static void add_row(struct top *top, const struct ctd_profile_row *row)
{
	for (size_t stack = 0; stack < row->stacks_count; stack++) {
		size_t frames, at = 0;
		uint32_t place = *ctd_profile_frames(top->profile, &row->stacks[stack], &frames),
			 function = top->profile->stacks->functions[place].whole;

		while (at < top->count && top->functions[at].function != function)
			at++;
		for (int i = 0; i < top->weights_count; i++) {
			const struct ctd_weight *weight = &top->weights[i];

			top->sums[at][i] += ctd_weight_of(weight, &row->stacks[stack]);
			top->lacks[at][i] |= !ctd_weight_is_told(weight, row);
		}
	}
}

static void add_values(const struct top *top, const char *key, size_t at, struct ctd_json *json)
{
	ctd_json_begin_array(json, key);
	for (int i = 0; i < top->weights_count; i++)
		ctd_json_count(json, NULL, top->sums[at][i], top->has_sum[i] && !top->lacks[at][i]);
	ctd_json_end_array(json);
}

static void write_top(const struct top *top, struct ctd_json *json)
{
	const struct ctd_stacks *stacks = top->profile->stacks;

	ctd_json_begin_object(json, "top");
	ctd_json_integer(json, "weight", (uint64_t)top->weight);
	ctd_json_begin_array(json, "functions");
	for (size_t i = 0; i < top->count; i++) {
		const struct ctd_function *function =
			&stacks->functions[top->functions[i].function];

		ctd_json_begin_object(json, NULL);
		ctd_json_string(json, "name", function->label);
		ctd_json_string(json, "file", stacks->modules[function->module].file);
		add_values(top, "values", i, json);
		ctd_json_end_object(json);
	}
	ctd_json_end_array(json);
	ctd_json_integer(json, "more", top->more);
	add_values(top, "more_values", top->count, json);
	ctd_json_end_object(json);
}

void ctd_profile_top_json(const struct ctd_profile *profile, const struct ctd_weight *weights,
			  int weights_count, struct ctd_json *json)
{
	struct top top = {.profile = profile, .weights = weights, .weights_count = weights_count};
	autofree struct ctd_profile_function *functions = NULL;
	size_t count;

	choose_weight(&top);
	if (ctd_profile_functions(profile, profile->rows, profile->rows_count, &weights[top.weight],
				  &functions, &count)) {
		json->out->failed = true;
		return;
	}
	while (count && !functions[count - 1].weight)
		count--;
	top.functions = functions;
	top.count = count < FUNCTIONS_MAX ? count : FUNCTIONS_MAX;
	top.more = count - top.count;
	for (size_t i = 0; i < profile->rows_count; i++)
		add_row(&top, &profile->rows[i]);
	write_top(&top, json);
}
