/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* speedscope.c - the file format of speedscope: one profile for each figure. */
#include <errno.h>

#include "base/auto.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "profile_sink/weights.h"

/* https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources : frames are the
 * functions, then the rows, which are the outermost frames of their stacks. */

static int add_frames(struct ctd_json *json, const struct ctd_profile *profile)
{
	const struct ctd_stacks *stacks = profile->stacks;

	ctd_json_begin_object(json, "shared");
	ctd_json_begin_array(json, "frames");
	for (size_t i = 0; i < stacks->functions_count; i++) {
		const struct ctd_function *function = &stacks->functions[i];
		const char *module = stacks->modules[function->module].file;
		const char *file = function->source ? function->source : module;

		ctd_json_begin_object(json, NULL);
		ctd_json_string(json, "name", stacks->functions[function->whole].label);
		if (*file)
			ctd_json_string(json, "file", file);
		if (function->source)
			ctd_json_integer(json, "line", function->line);
		ctd_json_end_object(json);
	}
	for (size_t i = 0; i < profile->rows_count; i++) {
		autofree char *name = ctd_profile_row_name(profile, &profile->rows[i]);

		if (!name)
			return -ENOMEM;
		ctd_json_begin_object(json, NULL);
		ctd_json_string(json, "name", name);
		ctd_json_end_object(json);
	}
	ctd_json_end_array(json);
	ctd_json_end_object(json);
	return 0;
}

static void add_samples(struct ctd_json *json, const struct ctd_profile *profile,
			const struct ctd_weight *weight)
{
	ctd_json_begin_array(json, "samples");
	for (size_t i = 0; i < profile->rows_count; i++) {
		for (size_t k = 0; k < profile->rows[i].stacks_count; k++) {
			const struct ctd_profile_stack *stack = &profile->rows[i].stacks[k];
			size_t count;
			const uint32_t *frames = ctd_profile_frames(profile, stack, &count);

			if (!ctd_weight_of(weight, stack))
				continue;
			ctd_json_begin_array(json, NULL);
			ctd_json_integer(json, NULL, profile->stacks->functions_count + i);
			while (count > 0)
				ctd_json_integer(json, NULL, frames[--count]);
			ctd_json_end_array(json);
		}
	}
	ctd_json_end_array(json);
}

/* @return their sum. */
static uint64_t add_weights(struct ctd_json *json, const struct ctd_profile *profile,
			    const struct ctd_weight *weight)
{
	uint64_t sum = 0;

	ctd_json_begin_array(json, "weights");
	for (size_t i = 0; i < profile->rows_count; i++) {
		for (size_t k = 0; k < profile->rows[i].stacks_count; k++) {
			uint64_t value = ctd_weight_of(weight, &profile->rows[i].stacks[k]);

			if (value)
				ctd_json_integer(json, NULL, value);
			sum += value;
		}
	}
	ctd_json_end_array(json);
	return sum;
}

static void add_profile(struct ctd_json *json, const struct ctd_profile *profile,
			const struct ctd_weight *weight)
{
	ctd_json_begin_object(json, NULL);
	ctd_json_string(json, "type", "sampled");
	ctd_json_string(json, "name", ctd_weight_name(profile, weight));
	ctd_json_string(json, "unit", weight->kind == CTD_WEIGHT_CPU ? "nanoseconds" : "none");
	add_samples(json, profile, weight);
	ctd_json_integer(json, "startValue", 0);
	ctd_json_integer(json, "endValue", add_weights(json, profile, weight));
	ctd_json_end_object(json);
}

static int speedscope_write(const struct ctd_profile_sink_options *options,
			    const struct ctd_profile *profile, struct ctd_strbuf *out)
{
	struct ctd_weight weights[CTD_WEIGHTS_MAX], chosen = ctd_weight_chosen(options, profile);
	int count = ctd_weights_list(profile, weights), active = 0;
	struct ctd_json json = {.out = out};
	int error;

	ctd_json_begin_object(&json, NULL);
	ctd_json_string(&json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	ctd_json_string(&json, "exporter", "cgtopdown " CTD_VERSION);
	ctd_json_string(&json, "name", "cgtopdown");
	error = add_frames(&json, profile);
	if (error)
		return error;
	ctd_json_begin_array(&json, "profiles");
	for (int i = 0; i < count; i++) {
		if (weights[i].kind == chosen.kind && weights[i].node == chosen.node)
			active = i;
		add_profile(&json, profile, &weights[i]);
	}
	ctd_json_end_array(&json);
	ctd_json_integer(&json, "activeProfileIndex", (uint64_t)active);
	ctd_json_end_object(&json);
	ctd_strbuf_add(out, "\n");
	return out->failed ? -ENOMEM : 0;
}

const struct ctd_profile_sink ctd_profile_speedscope = {
	.suffix = ".speedscope.json",
	.help = "for speedscope, with a profile for each figure",
	.write = speedscope_write,
};
