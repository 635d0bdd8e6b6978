/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pairs.c - adds and subtracts sorted lists of pairs. */
#include <cgtopdown/pairs.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void ctd_pairs_free(struct ctd_pairs *pairs)
{
	free(pairs->items);
	*pairs = (struct ctd_pairs){0};
}

int ctd_pair_compare(const void *left, const void *right)
{
	const struct ctd_pair *a = left, *b = right;

	if (a->victim_id != b->victim_id)
		return a->victim_id < b->victim_id ? -1 : 1;
	return (a->occupier_id > b->occupier_id) - (a->occupier_id < b->occupier_id);
}

static void add(struct ctd_pair *to, const struct ctd_pair *from)
{
	to->wait_ns += from->wait_ns;
	to->waits += from->waits;
	to->preempted += from->preempted;
	to->beside_ns += from->beside_ns;
	if (to->sequence < from->sequence)
		to->sequence = from->sequence;
}

void ctd_pairs_sort(struct ctd_pairs *pairs)
{
	size_t count = 0;

	if (!pairs->count)
		return;
	qsort(pairs->items, pairs->count, sizeof(*pairs->items), ctd_pair_compare);
	for (size_t i = 1; i < pairs->count; i++) {
		if (!ctd_pair_compare(&pairs->items[count], &pairs->items[i]))
			add(&pairs->items[count], &pairs->items[i]);
		else
			pairs->items[++count] = pairs->items[i];
	}
	pairs->count = count + 1;
}

int ctd_pairs_add(struct ctd_pairs *to, const struct ctd_pairs *from)
{
	struct ctd_pair *sum;
	size_t a = 0, b = 0, count = 0;

	if (!from->count)
		return 0;
	sum = calloc(to->count + from->count, sizeof(*sum));
	if (!sum)
		return -ENOMEM;
	while (a < to->count || b < from->count) {
		int order = a == to->count     ? 1
			    : b == from->count ? -1
					       : ctd_pair_compare(&to->items[a], &from->items[b]);

		sum[count] = order <= 0 ? to->items[a++] : from->items[b++];
		if (!order)
			add(&sum[count], &from->items[b++]);
		count++;
	}
	free(to->items);
	*to = (struct ctd_pairs){sum, count};
	return 0;
}

int ctd_pairs_subtract(const struct ctd_pairs *after, const struct ctd_pairs *before,
		       struct ctd_pairs *ret_pairs)
{
	struct ctd_pairs grown = {calloc(after->count + 1, sizeof(*grown.items)), 0};
	size_t old = 0;

	if (!grown.items)
		return -ENOMEM;
	for (size_t i = 0; i < after->count; i++) {
		struct ctd_pair pair = after->items[i];

		while (old < before->count && ctd_pair_compare(&before->items[old], &pair) < 0)
			old++;
		if (old < before->count && !ctd_pair_compare(&before->items[old], &pair) &&
		    before->items[old].wait_ns <= pair.wait_ns &&
		    before->items[old].waits <= pair.waits &&
		    before->items[old].preempted <= pair.preempted &&
		    before->items[old].beside_ns <= pair.beside_ns) {
			pair.wait_ns -= before->items[old].wait_ns;
			pair.waits -= before->items[old].waits;
			pair.preempted -= before->items[old].preempted;
			pair.beside_ns -= before->items[old].beside_ns;
		}
		if (pair.wait_ns || pair.waits || pair.preempted || pair.beside_ns)
			grown.items[grown.count++] = pair;
	}
	*ret_pairs = grown;
	return 0;
}

int ctd_pairs_copy(const struct ctd_pairs *from, struct ctd_pairs *ret_pairs)
{
	struct ctd_pair *items = malloc((from->count + 1) * sizeof(*items));

	if (!items)
		return -ENOMEM;
	if (from->count)
		memcpy(items, from->items, from->count * sizeof(*items));
	*ret_pairs = (struct ctd_pairs){items, from->count};
	return 0;
}
