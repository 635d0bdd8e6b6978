/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pack.c - finds groups for metrics: all events of a metric are in one of them. */
#include "vendor/pack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"

/* Orders that are tried beside that by size: each takes some milliseconds for all of Intel's. */
#define ORDERS 24

struct packing {
	const struct ctd_pack_core *core;
	const struct ctd_pack_event *events;
	const struct ctd_pack_metric *metrics;
	size_t metrics_count;
};

void ctd_pack_free(struct ctd_pack *pack)
{
	if (!pack)
		return;
	free(pack->groups);
	free(pack->group_of);
	free(pack->lack_of);
	*pack = (struct ctd_pack){0};
}

static bool has(const struct ctd_pack_group *group, uint32_t event)
{
	for (size_t i = 0; i < group->events_count; i++)
		if (group->events[i] == event)
			return true;
	return false;
}

/* Adds what a metric needs. @return CTD_PACK_FITS, or why not: then the group is as it was. */
static enum ctd_pack_lack add(const struct packing *packing, size_t metric,
			      struct ctd_pack_group *group)
{
	const struct ctd_pack_metric *added = &packing->metrics[metric];
	struct ctd_pack_group larger = *group;
	enum ctd_pack_lack lack = CTD_PACK_FITS;

	for (size_t i = 0; i < added->events_count; i++) {
		if (has(&larger, added->events[i]))
			continue;
		if (larger.events_count == CTD_COUNTERS_MAX)
			return CTD_PACK_LACKS_ROOM;
		larger.events[larger.events_count++] = added->events[i];
	}
	if (larger.events_count > group->events_count || group->events_count == 1)
		lack = ctd_pack_try(packing->core, packing->events, larger.events,
				    larger.events_count);
	if (lack)
		return lack;
	larger.metrics_count++;
	*group = larger;
	return CTD_PACK_FITS;
}

static struct ctd_pack_group empty(const struct packing *packing)
{
	return (struct ctd_pack_group){.events = {packing->core->leader}, .events_count = 1};
}

/* Puts a metric where it adds the fewest events. @return false: there is no such group. */
static bool place(const struct packing *packing, struct ctd_pack *pack, size_t metric, int not_in)
{
	struct ctd_pack_group best = {0};
	size_t fewest = SIZE_MAX;
	int found = -1;

	for (size_t i = 0; i < pack->groups_count; i++) {
		struct ctd_pack_group group = pack->groups[i];
		size_t before = group.events_count;

		if ((int)i == not_in || add(packing, metric, &group) ||
		    group.events_count - before >= fewest)
			continue;
		fewest = group.events_count - before;
		best = group;
		found = (int)i;
	}
	if (found < 0)
		return false;
	pack->groups[found] = best;
	pack->group_of[metric] = found;
	return true;
}

/* A group that a metric has left: the events that those need which stay. */
static void rebuild(const struct packing *packing, struct ctd_pack *pack, int index)
{
	struct ctd_pack_group group = empty(packing);

	for (size_t i = 0; i < packing->metrics_count; i++)
		if (pack->group_of[i] == index)
			add(packing, i, &group);
	pack->groups[index] = group;
}

static int new_pack(const struct packing *packing, struct ctd_pack *ret_pack)
{
	size_t count = packing->metrics_count + 1;

	*ret_pack = (struct ctd_pack){
		.groups = calloc(count, sizeof(*ret_pack->groups)),
		.group_of = malloc(count * sizeof(*ret_pack->group_of)),
		.lack_of = calloc(count, sizeof(*ret_pack->lack_of)),
	};
	if (!ret_pack->groups || !ret_pack->group_of || !ret_pack->lack_of) {
		ctd_pack_free(ret_pack);
		return -ENOMEM;
	}
	memset(ret_pack->group_of, 0xff, count * sizeof(*ret_pack->group_of));
	return 0;
}

static void copy(const struct packing *packing, const struct ctd_pack *from, struct ctd_pack *to)
{
	size_t metrics = packing->metrics_count;

	to->groups_count = from->groups_count;
	memcpy(to->groups, from->groups, from->groups_count * sizeof(*to->groups));
	memcpy(to->group_of, from->group_of, metrics * sizeof(*to->group_of));
	memcpy(to->lack_of, from->lack_of, metrics * sizeof(*to->lack_of));
}

/* Gives the metrics of a group to others. @return false: one has no place there; @p pack is then
 * to be thrown away. */
static bool dissolve(const struct packing *packing, struct ctd_pack *pack, int index)
{
	size_t last = pack->groups_count - 1;

	for (size_t i = 0; i < packing->metrics_count; i++)
		if (pack->group_of[i] == index && !place(packing, pack, i, index))
			return false;
	pack->groups[index] = pack->groups[last];
	for (size_t i = 0; i < packing->metrics_count; i++)
		if (pack->group_of[i] == (int)last)
			pack->group_of[i] = index;
	pack->groups_count--;
	return true;
}

/* Moves metrics that fit into other groups, too, so that those they leave become smaller. */
static void shift(const struct packing *packing, struct ctd_pack *pack)
{
	for (size_t i = 0; i < packing->metrics_count; i++) {
		int from = pack->group_of[i];

		if (from >= 0 && place(packing, pack, i, from))
			rebuild(packing, pack, from);
	}
}

/* Does without as many groups as it can. */
static void shrink(const struct packing *packing, struct ctd_pack *pack, struct ctd_pack *trial)
{
	for (size_t i = pack->groups_count; i-- > 0;) {
		copy(packing, pack, trial);
		if (dissolve(packing, trial, (int)i))
			copy(packing, trial, pack);
	}
}

static void pack_in_order(const struct packing *packing, const size_t *order, struct ctd_pack *pack)
{
	pack->groups_count = 0;
	for (size_t i = 0; i < packing->metrics_count; i++) {
		struct ctd_pack_group *group = &pack->groups[pack->groups_count];
		size_t metric = order[i];

		pack->group_of[metric] = -1;
		if (pack->lack_of[metric] || place(packing, pack, metric, -1))
			continue;
		*group = empty(packing);
		pack->lack_of[metric] = add(packing, metric, group);
		if (!pack->lack_of[metric])
			pack->group_of[metric] = (int)pack->groups_count++;
	}
}

/* How much of the counters a metric takes: those that can be on few make it larger. */
static double size_of(const struct packing *packing, size_t metric)
{
	const struct ctd_pack_metric *of = &packing->metrics[metric];
	double size = 0;

	for (size_t i = 0; i < of->events_count; i++) {
		const struct ctd_pack_event *event = &packing->events[of->events[i]];

		if (event->counters)
			size += 1 + 1.0 / __builtin_popcountll(event->counters) + event->pair +
				(event->needs != CTD_PACK_NO_REGISTER);
	}
	return size;
}

struct sized {
	double size;
	size_t metric;
};

static int by_size(const void *a, const void *b)
{
	const struct sized *one = a, *two = b;

	if (one->size != two->size)
		return one->size < two->size ? 1 : -1;
	return one->metric < two->metric ? -1 : 1;
}

/* By size, and the higher the number the more by chance; the random numbers are always the same. */
static void sort(const struct packing *packing, int number, struct sized *sized, size_t *ret_order)
{
	uint64_t chance = (uint64_t)number;

	for (size_t i = 0; i < packing->metrics_count; i++) {
		chance = chance * UINT64_C(6364136223846793005) + 1442695040888963407;
		sized[i] = (struct sized){
			size_of(packing, i) + number * 0.25 * (double)(chance >> 33) / 0x1p31, i};
	}
	qsort(sized, packing->metrics_count, sizeof(*sized), by_size);
	for (size_t i = 0; i < packing->metrics_count; i++)
		ret_order[i] = sized[i].metric;
}

int ctd_pack(const struct ctd_pack_core *core, const struct ctd_pack_event *events,
	     const struct ctd_pack_metric *metrics, size_t metrics_count, struct ctd_pack *ret_pack)
{
	const struct packing packing = {core, events, metrics, metrics_count};
	struct ctd_pack best = {0}, pack = {0}, trial = {0};
	autofree struct sized *sized = calloc(metrics_count + 1, sizeof(*sized));
	autofree size_t *order = calloc(metrics_count + 1, sizeof(*order));
	int r = sized && order ? new_pack(&packing, &best) : -ENOMEM;

	if (r == 0)
		r = new_pack(&packing, &pack);
	if (r == 0)
		r = new_pack(&packing, &trial);
	for (int number = 0; r == 0 && number < ORDERS; number++) {
		sort(&packing, number, sized, order);
		pack_in_order(&packing, order, &pack);
		shrink(&packing, &pack, &trial);
		shift(&packing, &pack);
		shrink(&packing, &pack, &trial);
		if (number == 0 || pack.groups_count < best.groups_count)
			copy(&packing, &pack, &best);
	}
	ctd_pack_free(&pack);
	ctd_pack_free(&trial);
	if (r)
		ctd_pack_free(&best);
	else
		*ret_pack = best;
	return r;
}
