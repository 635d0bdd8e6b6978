/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tags.c - reads the tags of a running serve. */
#include "remote/tags.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json_walk.h"
#include "base/known.h"
#include "remote/read.h"

#define TAGS_MAX 100000
#define SECONDS_MAX 1e6
#define EVIDENCE_NAME_BYTES_MAX 40

static int refuse(const char *what, char why[CTD_REMOTE_WHY_BYTES])
{
	snprintf(why, CTD_REMOTE_WHY_BYTES, "its tags are of no form that is known: %s", what);
	return -EBADMSG;
}

/* "2026-08-30T12:00:01.250Z"; 0: it is none. */
static uint64_t time_of(const json_t *value)
{
	const char *text = json_string_value(value), *rest;
	struct tm utc = {0};
	time_t seconds;
	unsigned long ms = 0;

	rest = text ? strptime(text, "%Y-%m-%dT%H:%M:%S", &utc) : NULL;
	if (!rest)
		return 0;
	if (*rest == '.')
		ms = strtoul(rest + 1, NULL, 10) % 1000;
	seconds = timegm(&utc);
	return seconds > 0 ? (uint64_t)seconds * 1000000000 + ms * 1000000ull : 0;
}

/* A finite number from 0 on; 0 where there is none. */
static double number_of(const json_t *object, const char *name)
{
	double number = json_number_value(json_object_get(object, name));

	return isfinite(number) && number > 0 ? number : 0;
}

static const char *text_of(const json_t *object, const char *name)
{
	return ctd_known(json_string_value(json_object_get(object, name)));
}

/* @return NULL: it has no key. */
static const struct ctd_neighbour_names *take_names(const json_t *object,
						    struct ctd_neighbour_names *names)
{
	*names = (struct ctd_neighbour_names){
		.key = text_of(object, "key"),
		.namespace_name = text_of(object, "namespace"),
		.pod = text_of(object, "pod"),
		.container = text_of(object, "container"),
		.container_id = text_of(object, "container_id"),
		.cgroup = text_of(object, "cgroup"),
	};
	return names->key ? names : NULL;
}

/* @return -1: it is not known here. */
static int find_mechanism(const char *name)
{
	for (int i = 0; name && i < CTD_MECHANISMS; i++)
		if (strcmp(ctd_mechanism_name((enum ctd_mechanism)i), name) == 0)
			return i;
	return -1;
}

static int find_blame(const char *name)
{
	for (int i = 0; name && i < CTD_BLAMES; i++)
		if (strcmp(ctd_blame_name((enum ctd_blame)i), name) == 0)
			return i;
	return -1;
}

/* They are shown as they are. */
static bool is_plain(const char *name)
{
	return strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name) &&
	       strlen(name) <= EVIDENCE_NAME_BYTES_MAX;
}

static void take_evidence(json_t *evidence, struct ctd_neighbour_tag *tag)
{
	const char *name;
	json_t *value;

	json_object_foreach(evidence, name, value)
	{
		double number = json_number_value(value);

		if (json_is_number(value) && isfinite(number) && is_plain(name) &&
		    tag->evidence_count < CTD_EVIDENCE_MAX)
			tag->evidence[tag->evidence_count++] = (struct ctd_evidence){name, number};
	}
}

static void take_antagonists(const json_t *antagonists, struct ctd_neighbour_names *names,
			     struct ctd_neighbour_tag *tag)
{
	json_t *element;
	size_t i;

	json_array_foreach(antagonists, i, element)
	{
		if (tag->antagonists_count == CTD_ANTAGONISTS_MAX)
			return;
		if (take_names(element, &names[tag->antagonists_count])) {
			tag->antagonists[tag->antagonists_count] = (struct ctd_antagonist){
				&names[tag->antagonists_count], number_of(element, "share")};
			tag->antagonists_count++;
		}
	}
}

/* As many numbers as there are; what is none is not known. */
static void take_figures(const json_t *array, float ret_figures[])
{
	json_t *element;
	size_t i;

	json_array_foreach(array, i, element)
	{
		double number = json_number_value(element);

		ret_figures[i] = json_is_number(element) && fabs(number) <= (double)FLT_MAX
					 ? (float)number
					 : NAN;
	}
}

/* @return how many of its series were taken: 1, or 0 where it has none that can be drawn. */
static size_t take_series(const json_t *object, struct ctd_neighbour_series *series,
			  struct ctd_neighbour_tag *tag)
{
	const json_t *excess = json_object_get(object, "excess");
	const json_t *pressure = json_object_get(object, "pressure");

	series->count = json_array_size(excess);
	if (!series->count || series->count > CTD_NEIGHBOUR_SERIES ||
	    series->count != json_array_size(pressure))
		return 0;
	take_figures(excess, series->excess);
	take_figures(pressure, series->pressure);
	tag->series = series;
	return 1;
}

static enum ctd_scope take_scope(const json_t *object)
{
	const char *name = text_of(object, "shared");

	for (int i = CTD_SCOPE_UNKNOWN + 1; name && i < CTD_SCOPES; i++)
		if (strcmp(ctd_scope_name((enum ctd_scope)i), name) == 0)
			return (enum ctd_scope)i;
	return CTD_SCOPE_UNKNOWN;
}

/* The part of the victim's cgroup that is the one whose limit it is; 0: its own. */
static size_t take_limit(const json_t *object, const char *cgroup)
{
	const char *limit = text_of(object, "limit_cgroup");
	size_t bytes = limit ? strlen(limit) : 0;

	return limit && cgroup && strncmp(cgroup, limit, bytes) == 0 &&
			       (cgroup[bytes] == '/' || !cgroup[bytes])
		       ? bytes
		       : 0;
}

/* @p names: room for those of the victim and its antagonists. @return false: it is left out. */
static bool take_tag(const json_t *object, struct ctd_neighbour_names *names,
		     struct ctd_neighbour_tag *tag)
{
	int mechanism = find_mechanism(text_of(object, "mechanism"));
	int blame = find_blame(text_of(object, "blame"));

	*tag = (struct ctd_neighbour_tag){
		.victim = take_names(json_object_get(object, "victim"), names),
		.loss_cpus = number_of(object, "loss_cpus"),
		.loss_slots_known = json_is_number(json_object_get(object, "loss_slots")),
		.loss_slots = number_of(object, "loss_slots"),
		.confidence = fmin(number_of(object, "confidence"), 1),
		.since_ns = time_of(json_object_get(object, "since")),
		.scope = take_scope(object),
	};
	if (!tag->victim || mechanism < 0 || blame < 0)
		return false;
	tag->mechanism = (enum ctd_mechanism)mechanism;
	tag->blame = (enum ctd_blame)blame;
	tag->limit_bytes = take_limit(object, tag->victim->cgroup);
	take_antagonists(json_object_get(object, "antagonists"), names + 1, tag);
	take_evidence(json_object_get(object, "evidence"), tag);
	return true;
}

static int take_tags(const json_t *root, const json_t *array, struct ctd_remote_tags *tags)
{
	size_t count = json_array_size(array), series_count = 0, i;
	json_t *element;

	tags->items = calloc(count + 1, sizeof(*tags->items));
	tags->names = calloc((count + 1) * (1 + CTD_ANTAGONISTS_MAX), sizeof(*tags->names));
	tags->series = calloc(CTD_NEIGHBOUR_SERIES_TAGS, sizeof(*tags->series));
	if (!tags->items || !tags->names || !tags->series)
		return -ENOMEM;
	json_array_foreach(array, i, element)
	{
		size_t at = tags->verdicts.tags_count;

		if (!take_tag(element, &tags->names[at * (1 + CTD_ANTAGONISTS_MAX)],
			      &tags->items[at]))
			continue;
		tags->verdicts.tags_count++;
		if (series_count < CTD_NEIGHBOUR_SERIES_TAGS)
			series_count += take_series(json_object_get(element, "series"),
						    &tags->series[series_count], &tags->items[at]);
	}
	tags->judged = true;
	tags->verdicts.tags = tags->items;
	tags->verdicts.time_ns = time_of(json_object_get(root, "time"));
	tags->verdicts.status.subjects = (size_t)ctd_remote_count(root, "containers");
	tags->verdicts.status.learning = (size_t)ctd_remote_count(root, "learning");
	tags->verdicts.status.caches = (uint32_t)ctd_remote_count(root, "caches");
	tags->verdicts.status.nodes = (uint32_t)ctd_remote_count(root, "nodes");
	tags->verdicts.status.refused_samples = ctd_remote_count(root, "refused_samples");
	return 0;
}

int ctd_remote_tags_parse(const char *text, size_t bytes, struct ctd_remote_tags *ret_tags,
			  char ret_why[CTD_REMOTE_WHY_BYTES])
{
	struct ctd_remote_tags tags = {0};
	json_error_t problem;
	json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &problem);
	const json_t *array = json_object_get(root, "tags");
	int error = 0;

	tags.text = root;
	tags.sample_period_ns =
		(uint64_t)(fmin(number_of(root, "sample_period_s"), SECONDS_MAX) * 1e9);
	if (!root)
		error = refuse("no JSON", ret_why);
	else if (!json_is_null(array) && !json_is_array(array))
		error = refuse("no array of tags", ret_why);
	else if (json_array_size(array) > TAGS_MAX)
		error = refuse("too many", ret_why);
	else if (json_is_array(array))
		error = take_tags(root, array, &tags);
	if (!error && tags.judged && !tags.verdicts.time_ns)
		error = refuse("no time", ret_why);
	if (error) {
		ctd_remote_tags_free(&tags);
		return error;
	}
	*ret_tags = tags;
	return 0;
}

void ctd_remote_tags_free(struct ctd_remote_tags *tags)
{
	json_decref(tags->text);
	free(tags->items);
	free(tags->names);
	free(tags->series);
	*tags = (struct ctd_remote_tags){0};
}
