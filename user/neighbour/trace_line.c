/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* trace_line.c - takes a sample out of one line of a trace. */
#include "neighbour/trace_line.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

/* Counts that are whole numbers, also as doubles; and times that stay within 64 bits of ns. */
#define COUNT_MAX 9e15
#define SECONDS_MAX 9e9

int ctd_trace_refuse(char why[CTD_TRACE_WHY_BYTES], const char *name, const char *what)
{
	snprintf(why, CTD_TRACE_WHY_BYTES, "%.40s %.110s", name, what);
	return -EBADMSG;
}

/* @return 1: it is there, 0: it is not, -EBADMSG. */
static int take_number(json_t *object, const char *name, double max, double *ret_number,
		       char why[CTD_TRACE_WHY_BYTES])
{
	const json_t *value = json_object_get(object, name);
	double number = value ? json_number_value(value) : 0;

	if (!value || json_is_null(value))
		return 0;
	if (!json_is_number(value) || !isfinite(number) || number < 0 || number > max)
		return ctd_trace_refuse(why, name, "is no number that it could be");
	*ret_number = number;
	return 1;
}

static int take_count(json_t *object, const char *name, uint64_t *ret_count,
		      char why[CTD_TRACE_WHY_BYTES])
{
	double number;
	int found = take_number(object, name, COUNT_MAX, &number, why);

	if (found > 0)
		*ret_count = (uint64_t)number;
	return found;
}

static int take_seconds(json_t *object, const char *name, uint64_t *ret_ns,
			char why[CTD_TRACE_WHY_BYTES])
{
	double number;
	int found = take_number(object, name, SECONDS_MAX, &number, why);

	if (found > 0)
		*ret_ns = (uint64_t)llround(number * 1e9);
	return found;
}

static int take_text(json_t *object, const char *name, const char **ret_text,
		     char why[CTD_TRACE_WHY_BYTES])
{
	const json_t *value = json_object_get(object, name);

	if (!value || json_is_null(value))
		return 0;
	if (!json_is_string(value))
		return ctd_trace_refuse(why, name, "is no text");
	*ret_text = json_string_value(value);
	return 1;
}

static int take_names(json_t *line, struct ctd_neighbour_names *names,
		      char why[CTD_TRACE_WHY_BYTES])
{
	int found = take_text(line, "key", &names->key, why);

	if (found == 0 || (found > 0 && !*names->key))
		return ctd_trace_refuse(why, "key", "is missing: which container the line is of");
	if (found < 0 || take_text(line, "namespace", &names->namespace_name, why) < 0 ||
	    take_text(line, "pod", &names->pod, why) < 0 ||
	    take_text(line, "container", &names->container, why) < 0 ||
	    take_text(line, "container_id", &names->container_id, why) < 0 ||
	    take_text(line, "cgroup", &names->cgroup, why) < 0)
		return -EBADMSG;
	return 0;
}

/* Parts of a whole: more than it is a mistake of the writer. */
static int take_slots(json_t *line, struct ctd_neighbour_sample *sample,
		      char why[CTD_TRACE_WHY_BYTES])
{
	int slots = take_count(line, "slots", &sample->slots, why);
	int retired = take_count(line, "retired_slots", &sample->retired_slots, why);
	int memory = take_count(line, "memory_bound_slots", &sample->memory_slots, why);
	int frontend = take_count(line, "frontend_bound_slots", &sample->frontend_slots, why);
	int backend =
		memory ? 0 : take_count(line, "backend_bound_slots", &sample->memory_slots, why);

	if (slots < 0 || retired < 0 || memory < 0 || frontend < 0 || backend < 0)
		return -EBADMSG;
	if (sample->retired_slots > sample->slots || sample->memory_slots > sample->slots ||
	    sample->frontend_slots > sample->slots)
		return ctd_trace_refuse(why, "slots", "are fewer than a part of them");
	if (slots && retired)
		sample->known |= CTD_NEIGHBOUR_SLOTS | (memory ? CTD_NEIGHBOUR_MEMORY : 0) |
				 (backend ? CTD_NEIGHBOUR_BACKEND : 0) |
				 (frontend ? CTD_NEIGHBOUR_FRONTEND : 0);
	return 0;
}

/* @return the object of the name; NULL: there is none. *ret_error: what it is is none. */
static json_t *object_of(json_t *line, const char *name, int *ret_error,
			 char why[CTD_TRACE_WHY_BYTES])
{
	json_t *object = json_object_get(line, name);

	if (!object || json_is_null(object))
		return NULL;
	if (!json_is_object(object))
		*ret_error = ctd_trace_refuse(why, name, "is no object");
	return *ret_error ? NULL : object;
}

/* Rounding of eight figures to a millionth of a second. */
#define WAITS_ROUNDING_NS 8000

/* What no part has of the whole is unknown. More than it is a mistake of the writer. */
static int complete_waits(struct ctd_neighbour_waits *waits, char why[CTD_TRACE_WHY_BYTES])
{
	uint64_t told_ns = waits->own_ns + waits->other_ns + waits->kernel_ns + waits->idle_ns +
			   waits->throttled_ns + waits->unknown_ns + waits->short_ns;

	if (told_ns > waits->wait_ns + WAITS_ROUNDING_NS)
		return ctd_trace_refuse(why, "wait_s", "is less than its parts");
	waits->unknown_ns += told_ns < waits->wait_ns ? waits->wait_ns - told_ns : 0;
	return 0;
}

static int take_waits(json_t *line, struct ctd_neighbour_sample *sample,
		      char why[CTD_TRACE_WHY_BYTES])
{
	struct ctd_neighbour_waits *to = &sample->waits;
	int error = 0, whole;
	json_t *waits = object_of(line, "waits", &error, why);

	if (!waits || !json_object_size(waits))
		return error;
	whole = take_seconds(waits, "wait_s", &to->wait_ns, why);
	if (whole < 0 || take_count(waits, "count", &to->count, why) < 0 ||
	    take_seconds(waits, "own_s", &to->own_ns, why) < 0 ||
	    take_seconds(waits, "other_s", &to->other_ns, why) < 0 ||
	    take_seconds(waits, "kernel_s", &to->kernel_ns, why) < 0 ||
	    take_seconds(waits, "idle_s", &to->idle_ns, why) < 0 ||
	    take_seconds(waits, "throttled_s", &to->throttled_ns, why) < 0 ||
	    take_seconds(waits, "unknown_s", &to->unknown_ns, why) < 0 ||
	    take_seconds(waits, "short_s", &to->short_ns, why) < 0)
		return -EBADMSG;
	if (!whole)
		return ctd_trace_refuse(why, "waits", "lacks wait_s");
	sample->known |= CTD_NEIGHBOUR_WAITS;
	return complete_waits(to, why);
}

static int take_throttling(json_t *line, struct ctd_neighbour_sample *sample,
			   char why[CTD_TRACE_WHY_BYTES])
{
	struct ctd_neighbour_throttling *to = &sample->throttling;
	int error = 0, periods, throttled, time;
	json_t *throttling = object_of(line, "throttling", &error, why);

	if (!throttling)
		return error;
	periods = take_count(throttling, "periods", &to->periods, why);
	throttled = take_count(throttling, "throttled", &to->throttled, why);
	time = take_seconds(throttling, "throttled_s", &to->throttled_ns, why);
	if (periods < 0 || throttled < 0 || time < 0 ||
	    take_number(throttling, "limit_cpus", SECONDS_MAX, &to->limit_cpus, why) < 0)
		return -EBADMSG;
	if (!periods || !throttled || !time)
		return ctd_trace_refuse(why, "throttling",
					"lacks periods, throttled or throttled_s");
	sample->known |= CTD_NEIGHBOUR_THROTTLING;
	return 0;
}

static int take_siblings(json_t *line, struct ctd_neighbour_sample *sample,
			 char why[CTD_TRACE_WHY_BYTES])
{
	static const char *const states[CTD_SIBLINGS] = {"idle", "same", "other", "mixed"};
	int error = 0;
	json_t *smt = object_of(line, "smt", &error, why);

	for (size_t i = 0; smt && !error && i < CTD_SIBLINGS; i++) {
		json_t *state = object_of(smt, states[i], &error, why);
		struct ctd_neighbour_sibling *to = &sample->siblings[i];
		int time, retired;

		if (!state)
			continue;
		time = take_seconds(state, "cpu_s", &to->cpu_ns, why);
		retired = take_count(state, "retired_slots", &to->retired_slots, why);
		if (time < 0 || retired < 0)
			error = -EBADMSG;
		else if (!time || !retired)
			error = ctd_trace_refuse(why, states[i], "lacks cpu_s or retired_slots");
	}
	if (smt)
		sample->known |= CTD_NEIGHBOUR_SIBLINGS;
	return error;
}

/* Where it ran: an element for each last cache, always in the same order. */
static int take_caches(json_t *line, struct ctd_neighbour_sample *sample, struct ctd_caches *caches,
		       char why[CTD_TRACE_WHY_BYTES])
{
	json_t *array = json_object_get(line, "caches"), *element;
	size_t count = json_array_size(array), i;

	if (!array || json_is_null(array))
		return 0;
	if (!json_is_array(array) || count > CTD_CACHES_MAX)
		return ctd_trace_refuse(why, "caches", "is no array of 32 objects at most");
	json_array_foreach(array, i, element)
	{
		uint64_t node = caches->node[i]; /* as lines before have it */

		if (!json_is_object(element))
			return ctd_trace_refuse(why, "caches", "has an element that is no object");
		if (take_seconds(element, "cpu_s", &sample->cache_ns[i], why) < 0 ||
		    take_count(element, "node", &node, why) < 0)
			return -EBADMSG;
		if (node > UINT32_MAX)
			return ctd_trace_refuse(why, "node", "is no number that it could be");
		caches->node[i] = (uint32_t)node;
	}
	if (caches->count < count)
		caches->count = (uint32_t)count;
	sample->known |= CTD_NEIGHBOUR_CACHES;
	return 0;
}

int ctd_trace_take_pair(json_t *element, const char **ret_key, struct ctd_neighbour_pair *pair,
			char why[CTD_TRACE_WHY_BYTES])
{
	*ret_key = NULL;
	if (!json_is_object(element) || take_text(element, "key", ret_key, why) <= 0)
		return ctd_trace_refuse(why, "pairs", "has an element without a key");
	if (take_seconds(element, "wait_s", &pair->wait_ns, why) < 0 ||
	    take_count(element, "waits", &pair->waits, why) < 0 ||
	    take_count(element, "preemptions", &pair->preemptions, why) < 0 ||
	    take_seconds(element, "together_s", &pair->together_ns, why) < 0)
		return -EBADMSG;
	return 0;
}

int ctd_trace_take_line(json_t *line, struct ctd_neighbour_sample *sample,
			struct ctd_caches *caches, uint64_t *ret_time_ns,
			char why[CTD_TRACE_WHY_BYTES])
{
	const json_t *pairs = json_object_get(line, "pairs");
	struct ctd_neighbour_pair pair;
	uint64_t domain = 0;
	const char *key;
	json_t *element;
	size_t i;
	int found;

	if (!json_is_object(line))
		return ctd_trace_refuse(why, "the line", "is no JSON object");
	found = take_seconds(line, "time", ret_time_ns, why);
	if (found <= 0)
		return found < 0 ? found
				 : ctd_trace_refuse(why, "time", "is missing: seconds since 1970");
	if (take_names(line, &sample->names, why) || take_slots(line, sample, why) ||
	    take_seconds(line, "cpu_s", &sample->cpu_ns, why) < 0 ||
	    take_count(line, "domain", &domain, why) < 0 || take_waits(line, sample, why) ||
	    take_throttling(line, sample, why) || take_siblings(line, sample, why) ||
	    take_caches(line, sample, caches, why))
		return -EBADMSG;
	if (domain > UINT32_MAX)
		return ctd_trace_refuse(why, "domain", "is no number that it could be");
	sample->domain = (uint32_t)domain;
	if (pairs && !json_is_array(pairs))
		return ctd_trace_refuse(why, "pairs", "is no array");
	json_array_foreach(pairs, i, element) if (ctd_trace_take_pair(element, &key, &pair,
								      why)) return -EBADMSG;
	return 0;
}
