/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sums.c - adds up the records of one program by name. */
#include "regions/sums.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ctd_region_sum *find(const struct ctd_region_sums *sums, const char *name)
{
	for (size_t i = 0; i < sums->count; i++)
		if (strcmp(sums->items[i].name, name) == 0)
			return &sums->items[i];
	return NULL;
}

static int find_or_make(struct ctd_region_sums *sums, const char *name, size_t regions_max,
			struct ctd_region_sum **ret_sum)
{
	struct ctd_region_sum *sum = find(sums, name), *items;

	if (sum) {
		*ret_sum = sum;
		return 0;
	}
	if (sums->count >= CTD_REGIONS_MAX)
		return -EBADMSG;
	if (sums->count >= regions_max)
		return -ENOSPC;
	if (sums->count == sums->capacity) {
		size_t capacity = sums->capacity ? 2 * sums->capacity : 8;

		items = realloc(sums->items, capacity * sizeof(*items));
		if (!items)
			return -ENOMEM;
		sums->items = items;
		sums->capacity = capacity;
	}
	sum = &sums->items[sums->count++];
	memset(sum, 0, sizeof(*sum));
	sum->from_now = sums->from_now;
	snprintf(sum->name, sizeof(sum->name), "%s", name);
	*ret_sum = sum;
	return 0;
}

/* Of signed numbers of any size. */
static int64_t plus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* Of threads on cores of several kinds only what is known of each is known of all. */
static uint64_t known_of_both(const struct ctd_regions_totals *a,
			      const struct ctd_regions_totals *b)
{
	if (!a->measured || !b->measured)
		return a->measured ? a->nodes_known : b->nodes_known;
	return a->nodes_known < b->nodes_known ? a->nodes_known : b->nodes_known;
}

static void add(struct ctd_region_sum *sum, const struct ctd_regions_bank *bank)
{
	const struct ctd_regions_totals *more = &bank->totals;
	struct ctd_regions_totals *to = &sum->reading;

	to->nodes_known = known_of_both(to, more);
	to->measured += more->measured;
	to->lost += more->lost;
	to->measured_ns += more->measured_ns;
	to->lost_ns += more->lost_ns;
	to->slots += more->slots;
	to->whole_slots = plus(to->whole_slots, more->whole_slots);
	to->rounded_slots += more->rounded_slots;
	for (int i = 0; i < CTD_REGIONS_PARTS; i++)
		to->part[i] = plus(to->part[i], more->part[i]);
	if (more->lost)
		memcpy(sum->why_lost, bank->why_lost, sizeof(sum->why_lost));
}

static bool went_back(const struct ctd_region_sum *sum)
{
	const struct ctd_regions_totals *now = &sum->now, *reading = &sum->reading;

	return reading->measured < now->measured || reading->lost < now->lost ||
	       reading->measured_ns < now->measured_ns || reading->lost_ns < now->lost_ns ||
	       reading->slots < now->slots || reading->rounded_slots < now->rounded_slots;
}

static int read_record(struct ctd_region_sums *sums, const void *memory, uint32_t index,
		       size_t regions_max, char *why)
{
	struct ctd_region_sum *sum;
	struct ctd_region_copy copy;
	int error = ctd_region_memory_read(memory, index, &copy);

	if (error == -ENOENT)
		return 0;
	if (error == -EBADMSG)
		snprintf(why, CTD_REGION_REFUSAL_BYTES, "record %u is not what regions.h writes",
			 index);
	if (error)
		return error;
	error = find_or_make(sums, copy.name, regions_max, &sum);
	if (error == -EBADMSG)
		snprintf(why, CTD_REGION_REFUSAL_BYTES, "it has more regions than records");
	if (error)
		return error;
	if (copy.restless)
		sum->partial = true;
	else
		add(sum, &copy.bank);
	return 0;
}

static int take(struct ctd_region_sums *sums, char *why)
{
	for (size_t i = 0; i < sums->count; i++) {
		struct ctd_region_sum *sum = &sums->items[i];

		if (sum->partial)
			continue;
		if (went_back(sum)) {
			snprintf(why, CTD_REGION_REFUSAL_BYTES, "its totals went back");
			return -EBADMSG;
		}
		sum->now = sum->reading;
		if (sum->from_now)
			sum->before = sum->now;
		sum->from_now = false;
	}
	sums->from_now = false;
	return 0;
}

int ctd_region_sums_read(struct ctd_region_sums *sums, const void *memory, size_t bytes,
			 size_t regions_max, char ret_why[CTD_REGION_REFUSAL_BYTES])
{
	uint32_t count = ctd_region_memory_count(memory, bytes);

	for (size_t i = 0; i < sums->count; i++) {
		memset(&sums->items[i].reading, 0, sizeof(sums->items[i].reading));
		sums->items[i].partial = false;
		sums->items[i].from_now |= sums->from_now;
	}
	for (uint32_t i = 0; i < count; i++) {
		int error = read_record(sums, memory, i, regions_max, ret_why);

		if (error)
			return error;
	}
	return take(sums, ret_why);
}

void ctd_region_sums_done(struct ctd_region_sums *sums)
{
	for (size_t i = 0; i < sums->count; i++)
		sums->items[i].before = sums->items[i].now;
}

void ctd_region_sum_growth(const struct ctd_region_sum *sum, struct ctd_regions_totals *ret_growth)
{
	const struct ctd_regions_totals *now = &sum->now, *before = &sum->before;

	*ret_growth = (struct ctd_regions_totals){
		.measured = now->measured - before->measured,
		.lost = now->lost - before->lost,
		.measured_ns = now->measured_ns - before->measured_ns,
		.lost_ns = now->lost_ns - before->lost_ns,
		.nodes_known = now->nodes_known,
		.slots = now->slots - before->slots,
		.whole_slots = minus(now->whole_slots, before->whole_slots),
		.rounded_slots = now->rounded_slots - before->rounded_slots,
	};
	for (int i = 0; i < CTD_REGIONS_PARTS; i++)
		ret_growth->part[i] = minus(now->part[i], before->part[i]);
}

void ctd_region_sums_free(struct ctd_region_sums *sums)
{
	free(sums->items);
	*sums = (struct ctd_region_sums){0};
}
