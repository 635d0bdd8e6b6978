/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* series.c - puts beside the first tags what they were decided by, sample by sample. */
#include <math.h>
#include <stddef.h>

#include "neighbour/detector.h"

/* Names of a tag are those of a subject. */
static const struct ctd_excess *excess_of(const struct ctd_neighbour_names *names,
					  enum ctd_kind kind)
{
	const struct ctd_subject *subject =
		(const void *)((const char *)names - offsetof(struct ctd_subject, names));

	return &subject->excess[kind];
}

static void fill(const struct ctd_neighbour_tag *tag, enum ctd_kind kind, uint64_t tick,
		 const float *total, struct ctd_neighbour_series *series)
{
	const struct ctd_excess *victim = excess_of(tag->victim, kind);
	const struct ctd_excess *first =
		tag->antagonists_count ? excess_of(tag->antagonists[0].names, kind) : NULL;
	uint64_t from = tick > SERIES ? tick - SERIES + 1 : 1;

	series->count = (size_t)(tick - from + 1);
	for (size_t i = 0; i < series->count; i++) {
		size_t at = (from + i) % SERIES;

		series->excess[i] = victim->excess[at];
		series->pressure[i] =
			first ? first->pressure[at] : fmaxf(total[at] - victim->pressure[at], 0);
	}
}

void ctd_series_make(struct ctd_neighbours *neighbours)
{
	const struct ctd_neighbour_tag *summed = NULL; /* whose domain the totals are of */
	float totals[KINDS][SERIES] = {0};
	size_t made = 0;

	for (size_t i = 0; i < neighbours->tags_count && made < CTD_NEIGHBOUR_SERIES_TAGS; i++) {
		struct ctd_neighbour_tag *tag = &neighbours->tags[i];
		enum ctd_kind kind =
			tag->mechanism == CTD_MECHANISM_FRONTEND ? KIND_FRONTEND : KIND_MEMORY;

		if (kind == KIND_MEMORY && tag->mechanism != CTD_MECHANISM_MEMORY)
			continue;
		if (!tag->antagonists_count && (!summed || summed->domain != tag->domain)) {
			ctd_excess_add_up(neighbours, tag->domain, totals);
			summed = tag;
		}
		fill(tag, kind, neighbours->tick, totals[kind], &neighbours->series[made]);
		tag->series = &neighbours->series[made++];
	}
}
