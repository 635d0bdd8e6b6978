/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* counting.c - makes of a rotation groups of events to be opened, and what each has to compute. */
#include "vendor/counting.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "vendor/set.h"

void ctd_vendor_event_of(const struct ctd_vendor_count *count, uint32_t pmu_type,
			 struct ctd_event *ret_event)
{
	*ret_event = (struct ctd_event){
		.type = pmu_type,
		.config = count->config,
		.config1 = count->config1,
		.config2 = count->config2,
		.user_only = count->user_only,
		.kernel_only = count->kernel_only,
	};
	/* A name is cut, and never "": see struct ctd_rotation. */
	snprintf(ret_event->name, sizeof(ret_event->name), "%s",
		 *count->name ? count->name : "event");
}

static int make_groups(const struct ctd_vendor_rotation *rotation, uint32_t pmu_type,
		       struct ctd_vendor_counting *counting)
{
	struct ctd_rotation *opened = &counting->rotation;
	size_t groups = rotation->pack.groups_count, counts;

	ctd_vendor_set_counts(rotation->set, &counts);
	for (size_t i = 0; i < groups; i++)
		if ((int)rotation->pack.groups[i].events_count > opened->events_count)
			opened->events_count = (int)rotation->pack.groups[i].events_count;
	opened->groups_count = (int)groups;
	opened->events = calloc(groups * (size_t)opened->events_count + 1, sizeof(*opened->events));
	counting->groups = calloc(groups, sizeof(*counting->groups));
	if (!opened->events || !counting->groups)
		return -ENOMEM;
	for (size_t i = 0; i < groups; i++) {
		const struct ctd_pack_group *from = &rotation->pack.groups[i];
		struct ctd_vendor_group *group = &counting->groups[i];

		group->events_count = from->events_count;
		for (size_t k = 0; k < from->events_count; k++) {
			group->counts[k] =
				from->events[k] < counts ? from->events[k] : CTD_VENDOR_NO_COUNT;
			ctd_vendor_event_of(ctd_vendor_rotation_count(rotation, from->events[k]),
					    pmu_type,
					    &opened->events[i * (size_t)opened->events_count + k]);
		}
	}
	return 0;
}

/* Metrics that were asked for, and those that cannot be computed behind them. */
struct asked {
	const struct ctd_vendor_rotation *rotation;
	const bool *is; /* of each of the table's metrics: it is one */
};

static size_t metric_of(const struct ctd_vendor_rotation *rotation, size_t index)
{
	return index < rotation->metrics_count ? rotation->metrics[index]
					       : rotation->lacking[index - rotation->metrics_count];
}

/* @return why it is not counted; NULL without memory. */
static char *lack_of(const struct ctd_vendor_rotation *rotation, size_t index)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	const char *why = NULL;

	if (index < rotation->metrics_count)
		ctd_vendor_rotation_add_lack(rotation, index, &text);
	else
		ctd_vendor_set_lack(rotation->set, metric_of(rotation, index), &why);
	if (!why)
		why = text.failed ? NULL : text.text;
	return why ? strdup(why) : NULL;
}

static int add_metric(const struct ctd_vendor_rotation *rotation, size_t index, int parent,
		      struct ctd_vendor_counting *counting)
{
	struct ctd_vendor_counted *counted = &counting->metrics[counting->metrics_count++];

	*counted = (struct ctd_vendor_counted){
		.metric = metric_of(rotation, index),
		.parent = parent,
		.depth = parent < 0 ? 0 : counting->metrics[parent].depth + 1,
		.group = index < rotation->metrics_count ? rotation->pack.group_of[index] : -1,
	};
	if (counted->group >= 0)
		return 0;
	counted->why = lack_of(rotation, index);
	return counted->why ? 0 : -ENOMEM;
}

/* Adds those whose nearest parent that was asked for is @p parent, each with its parts. */
static int add_parts(const struct asked *asked, int parent, struct ctd_vendor_counting *counting)
{
	const struct ctd_vendor_rotation *rotation = asked->rotation;
	const struct ctd_vendor_metric *all = rotation->table->metrics;
	int above = parent < 0 ? -1 : (int)counting->metrics[parent].metric, r = 0;

	for (size_t i = 0; r == 0 && i < rotation->metrics_count + rotation->lacking_count; i++) {
		int of = all[metric_of(rotation, i)].parent, at = (int)counting->metrics_count;

		while (of >= 0 && !asked->is[of])
			of = all[of].parent;
		if (of != above)
			continue;
		r = add_metric(rotation, i, parent, counting);
		if (r == 0)
			r = add_parts(asked, at, counting);
	}
	return r;
}

static int make_metrics(const struct ctd_vendor_rotation *rotation,
			struct ctd_vendor_counting *counting)
{
	size_t count = rotation->metrics_count + rotation->lacking_count;
	autofree bool *is = calloc(rotation->table->metrics_count + 1, sizeof(*is));
	const struct asked asked = {rotation, is};

	counting->metrics = calloc(count + 1, sizeof(*counting->metrics));
	if (!is || !counting->metrics)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		is[metric_of(rotation, i)] = true;
	return add_parts(&asked, -1, counting);
}

static int prepare_group(const struct ctd_vendor_counting *counting, int index)
{
	struct ctd_vendor_group *group = &counting->groups[index];
	size_t all = counting->table->metrics_count;
	autofree bool *wanted = calloc(all + 1, sizeof(*wanted));

	group->order = calloc(all + 1, sizeof(*group->order));
	group->own = calloc(counting->metrics_count + 1, sizeof(*group->own));
	if (!wanted || !group->order || !group->own)
		return -ENOMEM;
	for (size_t i = 0; i < counting->metrics_count; i++) {
		if (counting->metrics[i].group != index)
			continue;
		wanted[counting->metrics[i].metric] = true;
		group->own[group->own_count++] = i;
	}
	group->order_count = ctd_vendor_set_order(counting->set, wanted, group->order);
	return 0;
}

int ctd_vendor_counting_prepare(struct ctd_vendor_counting *counting)
{
	size_t room = ctd_vendor_set_room(counting->set) * CTD_EXPR_LANES;
	int r = 0;

	counting->values = calloc(room, sizeof(*counting->values));
	if (!counting->values)
		return -ENOMEM;
	for (size_t i = 0; i < room; i++)
		counting->values[i] = NAN;
	r = ctd_vendor_counting_find_latencies(counting);
	ctd_vendor_counting_take_latencies(counting, NULL);
	for (int i = 0; r == 0 && i < counting->rotation.groups_count; i++)
		r = prepare_group(counting, i);
	return r;
}

int ctd_vendor_counting_make(const struct ctd_vendor_rotation *rotation, uint32_t pmu_type,
			     struct ctd_vendor_counting *ret_counting)
{
	struct ctd_vendor_counting counting = {.table = rotation->table, .set = rotation->set};
	size_t groups = rotation->pack.groups_count;
	int r = groups > CTD_ROTATION_GROUPS_MAX ? -E2BIG : groups ? 0 : -ENOENT;

	if (r == 0)
		r = make_groups(rotation, pmu_type, &counting);
	if (r == 0)
		r = make_metrics(rotation, &counting);
	if (r == 0)
		r = ctd_vendor_counting_prepare(&counting);
	if (r)
		ctd_vendor_counting_free(&counting);
	else
		*ret_counting = counting;
	return r;
}

int ctd_vendor_counting_find(const struct ctd_vendor_counting *counting, const char *name)
{
	int metric = ctd_vendor_metric_named(counting->table, name);

	for (size_t i = 0; metric >= 0 && i < counting->metrics_count; i++)
		if (counting->metrics[i].metric == (size_t)metric &&
		    counting->metrics[i].group >= 0)
			return (int)i;
	return -1;
}

const char *ctd_vendor_counting_event(const struct ctd_vendor_counting *counting, int group,
				      int index)
{
	const struct ctd_vendor_group *of = &counting->groups[group];
	size_t count;
	const struct ctd_vendor_count *counts = ctd_vendor_set_counts(counting->set, &count);

	if ((size_t)index >= of->events_count || of->counts[index] == CTD_VENDOR_NO_COUNT)
		return NULL;
	return counts[of->counts[index]].name;
}

bool ctd_vendor_counting_leave_out(struct ctd_vendor_counting *counting, int group, const char *why)
{
	struct ctd_rotation *rotation = &counting->rotation;
	size_t after = (size_t)(--rotation->groups_count - group);
	struct ctd_event *events = &rotation->events[(ptrdiff_t)group * rotation->events_count];

	free(counting->groups[group].order);
	free(counting->groups[group].own);
	memmove(&counting->groups[group], &counting->groups[group + 1],
		after * sizeof(*counting->groups));
	memmove(events, events + rotation->events_count,
		after * (size_t)rotation->events_count * sizeof(*events));
	for (size_t i = 0; i < counting->metrics_count; i++) {
		struct ctd_vendor_counted *counted = &counting->metrics[i];

		if (counted->group == group) {
			counted->group = -1;
			counted->why = strdup(why);
		} else if (counted->group > group) {
			counted->group--;
		}
	}
	return rotation->groups_count > 0;
}

int ctd_vendor_counting_widen(struct ctd_vendor_counting *counting, int events_count)
{
	struct ctd_rotation *rotation = &counting->rotation;
	size_t groups = (size_t)rotation->groups_count, from = (size_t)rotation->events_count,
	       to = (size_t)events_count;
	struct ctd_event *events;

	if (to <= from)
		return 0;
	events = calloc(groups * to + 1, sizeof(*events));
	if (!events)
		return -ENOMEM;
	for (size_t i = 0; i < groups; i++)
		memcpy(&events[i * to], &rotation->events[i * from], from * sizeof(*events));
	free(rotation->events);
	rotation->events = events;
	rotation->events_count = events_count;
	return 0;
}

void ctd_vendor_counting_free(struct ctd_vendor_counting *counting)
{
	if (!counting)
		return;
	for (int i = 0; counting->groups && i < counting->rotation.groups_count; i++) {
		free(counting->groups[i].order);
		free(counting->groups[i].own);
	}
	for (size_t i = 0; counting->metrics && i < counting->metrics_count; i++)
		free(counting->metrics[i].why);
	free(counting->groups);
	free(counting->metrics);
	free(counting->rotation.events);
	free(counting->latencies);
	free(counting->values);
	*counting = (struct ctd_vendor_counting){0};
}
