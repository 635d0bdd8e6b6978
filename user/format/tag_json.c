/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tag_json.c - writes a tag as a JSON object. */
#include "format/tag_json.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "format/format.h"

#define DIGITS 1e6
/* More than a plot shows. */
#define SERIES_DIGITS 4

static void add_time(struct ctd_json *json, const char *key, uint64_t time_ns)
{
	char text[CTD_FIGURE_BYTES];

	ctd_format_time(time_ns, text);
	ctd_json_string(json, key, text);
}

static void add_known(struct ctd_json *json, const char *key, const char *text)
{
	if (text)
		ctd_json_string(json, key, text);
}

static void add_names(struct ctd_json *json, const struct ctd_neighbour_names *names)
{
	ctd_json_string(json, "key", names->key);
	add_known(json, "namespace", names->namespace_name);
	add_known(json, "pod", names->pod);
	add_known(json, "container", names->container);
	add_known(json, "container_id", names->container_id);
	add_known(json, "cgroup", names->cgroup);
}

/* Whose limit it is, where that is not its own. */
static void add_limit(struct ctd_json *json, const struct ctd_neighbour_tag *tag)
{
	const char *cgroup = tag->victim->cgroup;
	autofree char *above =
		tag->limit_bytes && cgroup ? strndup(cgroup, tag->limit_bytes) : NULL;

	add_known(json, "limit_cgroup", above);
}

static void add_evidence(struct ctd_json *json, const struct ctd_neighbour_tag *tag)
{
	ctd_json_begin_object(json, "evidence");
	for (size_t i = 0; i < tag->evidence_count; i++)
		ctd_json_real(json, tag->evidence[i].name, tag->evidence[i].value, DIGITS);
	ctd_json_end_object(json);
}

static void add_figures(struct ctd_json *json, const char *key, const float figures[], size_t count)
{
	ctd_json_begin_array(json, key);
	for (size_t i = 0; i < count; i++)
		ctd_json_figure(json, NULL, (double)figures[i], SERIES_DIGITS);
	ctd_json_end_array(json);
}

static void add_series(struct ctd_json *json, const struct ctd_neighbour_series *series)
{
	ctd_json_begin_object(json, "series");
	add_figures(json, "excess", series->excess, series->count);
	add_figures(json, "pressure", series->pressure, series->count);
	ctd_json_end_object(json);
}

void ctd_tag_add_json(struct ctd_json *json, const struct ctd_neighbour_tag *tag, uint64_t time_ns,
		      enum ctd_tag_detail detail)
{
	ctd_json_begin_object(json, NULL);
	add_time(json, "time", time_ns);
	ctd_json_begin_object(json, "victim");
	add_names(json, tag->victim);
	ctd_json_end_object(json);
	ctd_json_string(json, "mechanism", ctd_mechanism_name(tag->mechanism));
	ctd_json_string(json, "blame", ctd_blame_name(tag->blame));
	ctd_json_begin_array(json, "antagonists");
	for (size_t i = 0; i < tag->antagonists_count; i++) {
		ctd_json_begin_object(json, NULL);
		add_names(json, tag->antagonists[i].names);
		ctd_json_real(json, "share", tag->antagonists[i].share, DIGITS);
		ctd_json_end_object(json);
	}
	ctd_json_end_array(json);
	add_limit(json, tag);
	if (tag->scope)
		ctd_json_string(json, "shared", ctd_scope_name(tag->scope));
	ctd_json_real(json, "loss_cpus", tag->loss_cpus, DIGITS);
	if (tag->loss_slots_known)
		ctd_json_real(json, "loss_slots", tag->loss_slots, 1);
	ctd_json_real(json, "confidence", tag->confidence, DIGITS);
	add_time(json, "since", tag->since_ns);
	if (detail == CTD_TAG_ENDED)
		ctd_json_bool(json, "ended", true);
	else
		add_evidence(json, tag);
	if (detail == CTD_TAG_SERIES && tag->series)
		add_series(json, tag->series);
	ctd_json_end_object(json);
}
