/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rotation.c - packs the events of the metrics that are asked for into groups. */
#include "vendor/rotation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/auto.h"

#define NAME_BYTES 256

/* While it is made. */
struct making {
	const struct ctd_vendor_table *table;
	const struct ctd_vendor_cpu *cpu;
	const struct ctd_vendor_set *set;
	struct ctd_vendor_rotation *rotation;
	const struct ctd_vendor_wish *wish;
	struct ctd_pack_metric *needs; /* owned, of the rotation's metrics, and their events */
	size_t counts_count;
};

int ctd_vendor_metric_named(const struct ctd_vendor_table *table, const char *name)
{
	int metric = ctd_vendor_find_metric(table, name);
	char longer[NAME_BYTES];

	if (metric >= 0)
		return metric;
	snprintf(longer, sizeof(longer), "tma_%s", name);
	return ctd_vendor_find_metric(table, longer);
}

static bool is_of_group(const struct ctd_vendor_metric *metric, const char *name)
{
	const char *group = metric->groups;

	for (size_t bytes; *group; group += bytes + (group[bytes] == ';')) {
		bytes = strcspn(group, ";");
		if (bytes == strlen(name) && strncasecmp(group, name, bytes) == 0)
			return true;
	}
	return false;
}

bool ctd_vendor_knows(const struct ctd_vendor_table *table, const char *name)
{
	bool knows = ctd_vendor_metric_named(table, name) >= 0;

	for (size_t i = 0; !knows && i < table->metrics_count; i++)
		knows = is_of_group(&table->metrics[i], name);
	return knows;
}

/* Marks what a name stands for: a metric, or else those of a group. */
static bool choose_name(const struct ctd_vendor_table *table, const char *name, bool *chosen)
{
	int metric = ctd_vendor_metric_named(table, name);
	bool found = metric >= 0;

	if (found)
		chosen[metric] = true;
	for (size_t i = 0; metric < 0 && i < table->metrics_count; i++) {
		if (!is_of_group(&table->metrics[i], name))
			continue;
		chosen[i] = true;
		found = true;
	}
	return found;
}

static int choose(const struct ctd_vendor_table *table, const struct ctd_vendor_wish *wish,
		  bool *chosen, char ret_why[CTD_VENDOR_WHY_BYTES])
{
	autofree char *names = strdup(wish->names ? wish->names : "");
	char *rest = NULL;

	if (!names)
		return -ENOMEM;
	if (wish->names && !names[strspn(names, ",")]) {
		snprintf(ret_why, CTD_VENDOR_WHY_BYTES, "'%.100s' names no metric", names);
		return -ENOENT;
	}
	for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		if (choose_name(table, name, chosen))
			continue;
		snprintf(ret_why, CTD_VENDOR_WHY_BYTES, "there is no metric or group '%.100s'",
			 name);
		if (!wish->partly)
			return -ENOENT;
	}
	for (size_t i = 0; i < table->metrics_count; i++)
		chosen[i] = chosen[i] || (!wish->names && !wish->level) ||
			    (table->metrics[i].level > 0 && table->metrics[i].level <= wish->level);
	return 0;
}

static int take_metrics(struct making *making, const bool *chosen,
			char ret_why[CTD_VENDOR_WHY_BYTES])
{
	struct ctd_vendor_rotation *rotation = making->rotation;
	size_t count = making->table->metrics_count, asked = 0;

	rotation->metrics = calloc(count + 1, sizeof(*rotation->metrics));
	rotation->lacking = calloc(count + 1, sizeof(*rotation->lacking));
	making->needs = calloc(count + 1, sizeof(*making->needs));
	if (!rotation->metrics || !rotation->lacking || !making->needs)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		asked += chosen[i];
		if (chosen[i] && !ctd_vendor_set_lack(making->set, i, NULL))
			rotation->metrics[rotation->metrics_count++] = i;
		else if (chosen[i])
			rotation->lacking[rotation->lacking_count++] = i;
	}
	if (rotation->metrics_count)
		return 0;
	/* It was said already which name is none here. */
	if (making->wish->partly && making->wish->names && !asked && *ret_why)
		return -ENOENT;
	snprintf(ret_why, CTD_VENDOR_WHY_BYTES,
		 asked ? "nothing that is asked for can be computed here"
		       : "no metric of the files is in the tree");
	return -ENOENT;
}

/* The events of each metric. */
static int take_needs(struct making *making)
{
	autofree bool *needed = NULL;
	int r = 0;

	for (size_t i = 0; r == 0 && i < making->rotation->metrics_count; i++) {
		struct ctd_pack_metric *needs = &making->needs[i];
		uint32_t *events = calloc(making->counts_count + 1, sizeof(*events));

		free(needed);
		needed = calloc(making->counts_count + 1, sizeof(*needed));
		needs->events = events;
		if (!needed || !events)
			return -ENOMEM;
		ctd_vendor_set_needs(making->set, making->rotation->metrics[i], needed);
		for (size_t event = 0; event < making->counts_count; event++)
			if (needed[event])
				events[needs->events_count++] = (uint32_t)event;
	}
	return r;
}

/* The leader is one of the counts, or behind them. */
static uint32_t find_leader(const struct making *making)
{
	const struct ctd_vendor_count *counts = ctd_vendor_set_counts(making->set, &(size_t){0});
	const struct ctd_vendor_count *leader = &making->rotation->leader;

	for (size_t i = 0; i < making->counts_count; i++)
		if (counts[i].config == leader->config && !counts[i].config1 &&
		    !counts[i].config2 && !counts[i].user_only && !counts[i].kernel_only)
			return (uint32_t)i;
	return (uint32_t)making->counts_count;
}

/* Does the core have PERF_METRICS? Not if formulas leave its parts out here. */
static int find_perf_metrics(struct making *making, const struct ctd_vendor_count *counts)
{
	autofree bool *needed = calloc(making->counts_count + 1, sizeof(*needed));

	if (!needed)
		return -ENOMEM;
	for (size_t i = 0; i < making->table->metrics_count; i++)
		ctd_vendor_set_needs(making->set, i, needed);
	for (size_t i = 0; i < making->counts_count; i++)
		making->rotation->perf_metrics |=
			needed[i] &&
			ctd_vendor_is_perf_metric(making->table, making->cpu, &counts[i]);
	return 0;
}

static int take_events(struct making *making)
{
	struct ctd_vendor_rotation *rotation = making->rotation;
	const struct ctd_vendor_wish *wish = making->wish;
	const struct ctd_vendor_count *counts =
		ctd_vendor_set_counts(making->set, &making->counts_count);

	rotation->events = calloc(making->counts_count + 1, sizeof(*rotation->events));
	if (!rotation->events || find_perf_metrics(making, counts))
		return -ENOMEM;
	rotation->watchdog = wish->watchdog;
	rotation->core = ctd_vendor_core(making->table, making->cpu, rotation->perf_metrics,
					 wish->watchdog, &rotation->counters_said);
	for (size_t i = 0; i < making->counts_count; i++)
		rotation->events[i] =
			ctd_vendor_demand(making->table, making->cpu, &rotation->core, &counts[i]);
	rotation->leader = ctd_vendor_leader(making->table, making->cpu, rotation->perf_metrics);
	rotation->core.leader = find_leader(making);
	rotation->events[making->counts_count] =
		ctd_vendor_demand(making->table, making->cpu, &rotation->core, &rotation->leader);
	return 0;
}

static bool is_within(const struct ctd_pack_metric *inner, const struct ctd_pack_metric *outer)
{
	size_t at = 0;

	/* Both are in the order of the counts. */
	for (size_t i = 0; i < inner->events_count; i++) {
		while (at < outer->events_count && outer->events[at] < inner->events[i])
			at++;
		if (at == outer->events_count || outer->events[at] != inner->events[i])
			return false;
	}
	return true;
}

/* As perf does it (tools/perf/util/metricgroup.c, parse_groups()): a metric goes into the group of
 * another whose events include its own, or has one of its own. Of those that fit into some group. */
static size_t count_alone(const struct making *making)
{
	size_t groups = 0, count = making->rotation->metrics_count;
	const enum ctd_pack_lack *lack_of = making->rotation->pack.lack_of;

	for (size_t i = 0; i < count; i++) {
		const struct ctd_pack_metric *metric = &making->needs[i];
		bool shares = false;

		if (lack_of[i])
			continue;
		for (size_t other = 0; !shares && other < count; other++)
			shares = other != i && !lack_of[other] &&
				 is_within(metric, &making->needs[other]) &&
				 (metric->events_count < making->needs[other].events_count ||
				  other < i);
		groups += !shares;
	}
	return groups;
}

static void free_needs(struct making *making)
{
	for (size_t i = 0; making->needs && i < making->rotation->metrics_count; i++)
		free((uint32_t *)making->needs[i].events);
	free(making->needs);
}

int ctd_vendor_rotation_make(const struct ctd_vendor_table *table, const struct ctd_vendor_cpu *cpu,
			     const struct ctd_vendor_set *set, const struct ctd_vendor_wish *wish,
			     struct ctd_vendor_rotation *ret_rotation,
			     char ret_why[CTD_VENDOR_WHY_BYTES])
{
	struct ctd_vendor_rotation rotation = {.table = table, .set = set};
	struct making making = {
		.table = table, .cpu = cpu, .set = set, .rotation = &rotation, .wish = wish};
	autofree bool *chosen = calloc(table->metrics_count + 1, sizeof(*chosen));
	int r = chosen ? choose(table, wish, chosen, ret_why) : -ENOMEM;

	if (r == 0)
		r = take_metrics(&making, chosen, ret_why);
	if (r == 0)
		r = take_events(&making);
	if (r == 0)
		r = take_needs(&making);
	if (r == 0)
		r = ctd_pack(&rotation.core, rotation.events, making.needs, rotation.metrics_count,
			     &rotation.pack);
	if (r == 0)
		rotation.alone_groups = count_alone(&making);
	free_needs(&making);
	if (r)
		ctd_vendor_rotation_free(&rotation);
	else
		*ret_rotation = rotation;
	return r;
}

void ctd_vendor_rotation_free(struct ctd_vendor_rotation *rotation)
{
	if (!rotation)
		return;
	free(rotation->metrics);
	free(rotation->lacking);
	free(rotation->events);
	ctd_pack_free(&rotation->pack);
	*rotation = (struct ctd_vendor_rotation){0};
}

const struct ctd_vendor_count *ctd_vendor_rotation_count(const struct ctd_vendor_rotation *rotation,
							 uint32_t event)
{
	size_t count;
	const struct ctd_vendor_count *counts = ctd_vendor_set_counts(rotation->set, &count);

	return event < count ? &counts[event] : &rotation->leader;
}

void ctd_vendor_rotation_add_lack(const struct ctd_vendor_rotation *rotation, size_t index,
				  struct ctd_strbuf *text)
{
	uint64_t general = rotation->core.counters & ((UINT64_C(1) << CTD_PACK_FIXED) - 1);

	switch (rotation->pack.lack_of[index]) {
	case CTD_PACK_FITS:
		return;
	case CTD_PACK_LACKS_ROOM:
		ctd_strbuf_addf(text, "a group has at most %zu events", rotation->core.room);
		return;
	case CTD_PACK_LACKS_COUNTER:
		ctd_strbuf_addf(text, "no counter that is free can count one of its events%s",
				rotation->watchdog ? "; the NMI watchdog holds one" : "");
		return;
	case CTD_PACK_LACKS_COUNTERS:
		ctd_strbuf_addf(
			text,
			"its events need more counters at once, or other ones, than the %d general-purpose ones%s",
			__builtin_popcountll(general),
			rotation->watchdog ? "; the NMI watchdog holds one" : "");
		return;
	case CTD_PACK_LACKS_RESPONSES:
		ctd_strbuf_addf(text, "it needs more than %d kinds of off-core responses",
				CTD_PACK_OFFCORE);
		return;
	case CTD_PACK_LACKS_REGISTER:
		ctd_strbuf_add(text, "two of its events need the one register that there is");
		return;
	}
}
