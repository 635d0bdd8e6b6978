/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* functions.c - reads the top functions of a profile. */
#include "remote/functions.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_walk.h"

static const char too_old[] = "this serve is of an older version, which does not tell of them";

/* The members of a profile, borrowed. Values of functions are in the order of the weights. */
struct profile {
	const json_t *weights, *rows;
	const json_t *functions, *more_values; /* of "top" */
	size_t by, cpu, slots; /* weights: that of the order; SIZE_MAX: there is none */
	double whole; /* of the weight of the order, all functions */
};

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

static const json_t *value_of(const json_t *function, size_t weight)
{
	return json_array_get(json_object_get(function, "values"), weight);
}

static double share_of(double part, double whole)
{
	return whole > 0 ? fmin(fmax(part / whole, 0), 1) : 0;
}

static size_t find_weight(const struct profile *profile, const char *name)
{
	const json_t *weight;
	size_t i;

	json_array_foreach(profile->weights, i, weight)
	{
		const char *its = json_string_value(json_object_get(weight, "name"));

		if (its && strcmp(its, name) == 0)
			return i;
	}
	return SIZE_MAX;
}

static int take_members(const json_t *root, struct profile *profile, char why[CTD_REMOTE_WHY_BYTES])
{
	const json_t *top = json_object_get(root, "top");
	const json_t *by = json_object_get(top, "weight"), *function;
	size_t i;

	profile->weights = json_object_get(root, "weights");
	profile->rows = json_object_get(root, "rows");
	profile->functions = json_object_get(top, "functions");
	profile->more_values = json_object_get(top, "more_values");
	profile->cpu = find_weight(profile, "cpu");
	profile->slots = find_weight(profile, "slots");
	if (!top && json_is_string(json_object_get(root, "schema"))) {
		snprintf(why, CTD_REMOTE_WHY_BYTES, "%s", too_old);
		return -EBADMSG;
	}
	if (!json_is_array(profile->functions))
		return refuse("no top functions", why);
	profile->by = json_is_integer(by) ? (size_t)json_integer_value(by) : SIZE_MAX;
	if (profile->cpu == SIZE_MAX)
		return refuse("no CPU time", why);
	if (profile->by == SIZE_MAX ||
	    (profile->by != profile->cpu && profile->by != profile->slots))
		return refuse("neither by slots nor by CPU time", why);
	profile->whole = number_of(json_array_get(profile->more_values, profile->by));
	json_array_foreach(profile->functions, i, function)
	{
		profile->whole += number_of(value_of(function, profile->by));
	}
	return 0;
}

static int copy_text(const json_t *text, char **ret_copy)
{
	const char *its = json_string_value(text);

	*ret_copy = strdup(its ? its : "");
	return *ret_copy ? 0 : -ENOMEM;
}

static int take_items(const struct profile *profile, struct ctd_remote_functions *ret)
{
	const json_t *function;
	double rest = profile->whole > 0;
	size_t i;

	json_array_foreach(profile->functions, i, function)
	{
		struct ctd_remote_function *item = &ret->items[i];

		if (i == CTD_REMOTE_FUNCTIONS_MAX)
			break;
		ret->items_count++;
		if (copy_text(json_object_get(function, "name"), &item->name) ||
		    copy_text(json_object_get(function, "file"), &item->file))
			return -ENOMEM;
		item->share = share_of(number_of(value_of(function, profile->by)), profile->whole);
		rest = fmax(rest - item->share, 0);
		if (ret->seconds > 0)
			item->cpus =
				number_of(value_of(function, profile->cpu)) / ret->seconds / 1e9;
	}
	ret->others += json_array_size(profile->functions) - (size_t)ret->items_count;
	ret->others_share = ret->others ? rest : 0;
	return 0;
}

/* The part of its own slots. @return NAN: of some that was added up one of both is not known. */
static double node_of(const struct profile *profile, const json_t *function, size_t weight)
{
	const json_t *value = value_of(function, weight);
	const json_t *slots = value_of(function, profile->slots);

	if (!json_is_number(value) || !json_is_number(slots))
		return NAN;
	return share_of(number_of(value), number_of(slots));
}

static int take_nodes(const struct profile *profile, struct ctd_remote_functions *ret)
{
	for (size_t at = 0; at < json_array_size(profile->weights); at++) {
		const json_t *weight = json_array_get(profile->weights, at);
		const json_t *name = json_object_get(weight, "name");
		bool is_known = false; /* of any */

		if (ret->nodes_count == CTD_NODES_MAX || !json_is_string(name) ||
		    json_integer_value(json_object_get(weight, "level")) <= 0)
			continue;
		for (int i = 0; i < ret->items_count; i++) {
			const json_t *function = json_array_get(profile->functions, (size_t)i);
			double node = node_of(profile, function, at);

			ret->items[i].nodes[ret->nodes_count] = node;
			is_known |= !isnan(node);
		}
		if (!is_known)
			continue;
		if (copy_text(name, &ret->nodes[ret->nodes_count]))
			return -ENOMEM;
		ret->nodes_count++;
	}
	return 0;
}

static int take(const json_t *root, struct ctd_remote_functions *ret,
		char why[CTD_REMOTE_WHY_BYTES])
{
	json_int_t more = json_integer_value(json_object_get(json_object_get(root, "top"), "more"));
	struct profile profile;
	int error = take_members(root, &profile, why);

	if (error)
		return error;
	ret->seconds = number_of(json_object_get(root, "seconds"));
	for (size_t i = 0; i < json_array_size(profile.rows); i++)
		ret->samples +=
			number_of(json_object_get(json_array_get(profile.rows, i), "samples"));
	ret->by_slots = profile.by == profile.slots;
	ret->others = more > 0 ? (size_t)more : 0;
	error = take_items(&profile, ret);
	return error ? error : take_nodes(&profile, ret);
}

int ctd_remote_functions_parse(const char *text, size_t bytes,
			       struct ctd_remote_functions *ret_functions,
			       char ret_why[CTD_REMOTE_WHY_BYTES])
{
	json_error_t problem;
	auto_json json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &problem);
	struct ctd_remote_functions functions = {0};
	int error = root ? take(root, &functions, ret_why) : refuse("no JSON", ret_why);

	if (error) {
		ctd_remote_functions_free(&functions);
		return error;
	}
	*ret_functions = functions;
	return 0;
}

int ctd_remote_functions_refused(const char *text, long status, char ret_why[CTD_REMOTE_WHY_BYTES])
{
	/* Asked for what it does not have, it lists what it has. */
	const char *why = status == 404 && *text == '/' ? too_old : text;

	snprintf(ret_why, CTD_REMOTE_WHY_BYTES, "%.*s", (int)strcspn(why, "\r\n"), why);
	if (!*ret_why)
		snprintf(ret_why, CTD_REMOTE_WHY_BYTES, "it answers with HTTP status %ld", status);
	return status == 403 ? -EACCES : status == 404 ? -ENOENT : -EAGAIN;
}

void ctd_remote_functions_free(struct ctd_remote_functions *functions)
{
	for (int i = 0; i < functions->items_count; i++) {
		free(functions->items[i].name);
		free(functions->items[i].file);
	}
	for (int i = 0; i < functions->nodes_count; i++)
		free(functions->nodes[i]);
	*functions = (struct ctd_remote_functions){0};
}
