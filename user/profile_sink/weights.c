/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weights.c - what figures a profile has, what they are called, and what they come to. */
#include "profile_sink/weights.h"

#include <cgtopdown/report.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/auto.h"

int ctd_weights_list(const struct ctd_profile *profile, struct ctd_weight *ret_weights)
{
	const struct ctd_cpu_model *model = profile->rollup->plan->model;
	int count = 0;

	ret_weights[count++] = (struct ctd_weight){CTD_WEIGHT_SAMPLES, 0};
	if (ctd_profile_has_event(profile)) {
		ret_weights[count++] = (struct ctd_weight){CTD_WEIGHT_EVENT, 0};
		return count;
	}
	ret_weights[count++] = (struct ctd_weight){CTD_WEIGHT_CPU, 0};
	if (profile->slots_known)
		ret_weights[count++] = (struct ctd_weight){CTD_WEIGHT_SLOTS, 0};
	for (int node = 0; model && node < model->nodes_count; node++)
		if (profile->node_slots_known & 1u << node)
			ret_weights[count++] = (struct ctd_weight){CTD_WEIGHT_NODE, node};
	return count;
}

const char *ctd_weight_name(const struct ctd_profile *profile, const struct ctd_weight *weight)
{
	switch (weight->kind) {
	case CTD_WEIGHT_SAMPLES:
		return "samples";
	case CTD_WEIGHT_CPU:
		return "cpu";
	case CTD_WEIGHT_SLOTS:
		return "slots";
	case CTD_WEIGHT_EVENT:
		return profile->stacks->event.name;
	default:
		return profile->rollup->plan->model->nodes[weight->node].name;
	}
}

const char *ctd_weight_unit(const struct ctd_weight *weight)
{
	if (weight->kind == CTD_WEIGHT_CPU)
		return "nanoseconds";
	return weight->kind == CTD_WEIGHT_NODE ? "slots" : "count";
}

uint64_t ctd_weight_of(const struct ctd_weight *weight, const struct ctd_profile_stack *stack)
{
	switch (weight->kind) {
	case CTD_WEIGHT_SAMPLES:
		return stack->samples;
	case CTD_WEIGHT_CPU:
		return stack->cpu_ns;
	case CTD_WEIGHT_SLOTS:
		return stack->slots;
	case CTD_WEIGHT_EVENT:
		return stack->events;
	default:
		return stack->node_slots[weight->node];
	}
}

uint64_t ctd_weight_of_row(const struct ctd_weight *weight, const struct ctd_profile_row *row)
{
	switch (weight->kind) {
	case CTD_WEIGHT_SAMPLES:
		return row->samples;
	case CTD_WEIGHT_CPU:
		return row->cpu_ns;
	case CTD_WEIGHT_SLOTS:
		return row->slots;
	case CTD_WEIGHT_EVENT:
		return row->events;
	default:
		return row->node_slots[weight->node];
	}
}

bool ctd_weight_is_told(const struct ctd_weight *weight, const struct ctd_profile_row *row)
{
	if (!row->cpu_ns || (weight->kind != CTD_WEIGHT_SLOTS && weight->kind != CTD_WEIGHT_NODE))
		return true;
	return row->slots_known &&
	       (weight->kind == CTD_WEIGHT_SLOTS || row->node_slots_known & 1u << weight->node);
}

struct ctd_weight ctd_weight_chosen(const struct ctd_profile_sink_options *options,
				    const struct ctd_profile *profile)
{
	if (options->weight)
		return *options->weight;
	if (ctd_profile_has_event(profile))
		return (struct ctd_weight){CTD_WEIGHT_EVENT, 0};
	return (struct ctd_weight){profile->slots_known ? CTD_WEIGHT_SLOTS : CTD_WEIGHT_CPU, 0};
}

static uint64_t sum_of(const struct ctd_weight *weight, const struct ctd_profile *profile)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < profile->rows_count; i++)
		sum += ctd_weight_of_row(weight, &profile->rows[i]);
	return sum;
}

double ctd_weight_base_scale(const struct ctd_profile_sink_options *options,
			     const struct ctd_profile *profile)
{
	bool slots = options->base && profile->slots_known && options->base->slots_known;
	const struct ctd_weight weight = {slots ? CTD_WEIGHT_SLOTS : CTD_WEIGHT_CPU, 0};
	uint64_t base = options->base ? sum_of(&weight, options->base) : 0;

	return base ? (double)sum_of(&weight, profile) / (double)base : 1;
}

uint64_t ctd_weight_scaled(uint64_t value, double scale)
{
	return (uint64_t)llround(fmin((double)value * scale, 1e18));
}

int ctd_weight_parse(const struct ctd_profile *profile, const char *name,
		     struct ctd_weight *ret_weight)
{
	struct ctd_weight weights[CTD_WEIGHTS_MAX];
	int count = ctd_weights_list(profile, weights);

	for (int i = 0; i < count; i++) {
		if (strcmp(ctd_weight_name(profile, &weights[i]), name) != 0)
			continue;
		*ret_weight = weights[i];
		return 0;
	}
	return -EINVAL;
}

static bool counts(const struct ctd_core_type *type, const char *name)
{
	int node;

	if (!type->model || !type->model->slots_per_count)
		return false;
	if (strcmp(name, "slots") == 0)
		return true;
	node = ctd_cpu_model_find_node(type->model, name);
	return node >= 0 && !ctd_node_is_ipc(&type->model->nodes[node]) &&
	       type->model->nodes[node].level <= type->level;
}

bool ctd_weight_is_counted(const struct ctd_rollup_plan *plan, const char *name)
{
	bool counted = strcmp(name, "samples") == 0 || strcmp(name, "cpu") == 0;

	for (int type = 0; type < plan->core_types_count; type++)
		counted |= counts(&plan->core_types[type], name);
	return counted;
}

char *ctd_profile_row_name(const struct ctd_profile *profile, const struct ctd_profile_row *row)
{
	const struct ctd_rollup_plan *plan = profile->rollup->plan;
	autofree char *name = ctd_report_row_name(row->row, "");
	char *with_type;

	if (!name || plan->core_types_count == 1)
		return take_ptr(name);
	if (asprintf(&with_type, "%s (%s)", name, plan->core_types[row->core_type].name) < 0)
		return NULL;
	return with_type;
}

char *ctd_profile_row_name_of(const struct ctd_profile *profile, const struct ctd_profile *base,
			      size_t row)
{
	return row < profile->rows_count
		       ? ctd_profile_row_name(profile, &profile->rows[row])
		       : ctd_profile_row_name(base, &base->rows[row - profile->rows_count]);
}
