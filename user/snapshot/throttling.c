/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* throttling.c - arithmetic of what limits of CPU time did to cgroups. */
#include <cgtopdown/throttling.h>

#include <errno.h>
#include <stdlib.h>

void ctd_throttlings_free(struct ctd_throttlings *list)
{
	free(list->items);
	*list = (struct ctd_throttlings){0};
}

bool ctd_throttlings_are_ordered(const struct ctd_throttlings *list)
{
	for (size_t i = 1; i < list->count; i++)
		if (list->items[i - 1].cgroup_id >= list->items[i].cgroup_id)
			return false;
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct ctd_throttling *one = a, *other = b;

	return one->cgroup_id < other->cgroup_id ? -1 : one->cgroup_id > other->cgroup_id;
}

const struct ctd_throttling *ctd_throttlings_find(const struct ctd_throttlings *list,
						  uint64_t cgroup_id)
{
	const struct ctd_throttling wanted = {.cgroup_id = cgroup_id};

	return list->count
		       ? bsearch(&wanted, list->items, list->count, sizeof(*list->items), compare)
		       : NULL;
}

void ctd_throttling_add(struct ctd_throttling *to, const struct ctd_throttling *from)
{
	to->periods += from->periods;
	to->throttled += from->throttled;
	to->throttled_ns += from->throttled_ns;
	to->limit_ns = from->limit_ns;
	to->request_ns = from->request_ns;
	to->weight = from->weight;
}

static void take_away(struct ctd_throttling *from, const struct ctd_throttling *before)
{
	if (from->periods < before->periods || from->throttled < before->throttled ||
	    from->throttled_ns < before->throttled_ns)
		return;
	from->periods -= before->periods;
	from->throttled -= before->throttled;
	from->throttled_ns -= before->throttled_ns;
}

int ctd_throttlings_subtract(const struct ctd_throttlings *after,
			     const struct ctd_throttlings *before,
			     struct ctd_throttlings *ret_difference)
{
	struct ctd_throttlings difference = {.known = true, .count = after->count};

	if (!after->known || !before->known) {
		*ret_difference = (struct ctd_throttlings){0};
		return 0;
	}
	difference.items = calloc(after->count + 1, sizeof(*difference.items));
	if (!difference.items)
		return -ENOMEM;
	for (size_t i = 0; i < after->count; i++) {
		const struct ctd_throttling *then =
			ctd_throttlings_find(before, after->items[i].cgroup_id);

		difference.items[i] = after->items[i];
		if (then)
			take_away(&difference.items[i], then);
	}
	*ret_difference = difference;
	return 0;
}

int ctd_throttlings_sum(const struct ctd_throttlings *list, const struct ctd_throttlings *later,
			struct ctd_throttlings *ret_sum)
{
	struct ctd_throttlings sum = {.known = list->known && later->known};
	size_t a = 0, b = 0;

	sum.items = calloc(list->count + later->count + 1, sizeof(*sum.items));
	if (!sum.items)
		return -ENOMEM;
	while (a < list->count || b < later->count) {
		int order = a == list->count	? 1
			    : b == later->count ? -1
						: compare(&list->items[a], &later->items[b]);
		struct ctd_throttling *to = &sum.items[sum.count++];

		*to = order <= 0 ? list->items[a++] : later->items[b++];
		if (order == 0)
			ctd_throttling_add(to, &later->items[b++]);
	}
	*ret_sum = sum;
	return 0;
}
