/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* series.c - puts beside the first tags what they were decided by, sample by sample. */
#include <math.h>
#include <stddef.h>

#include "neighbour/detector.h"

/* Names of a tag are those of a subject. */
static const struct ctd_subject *subject_of(const struct ctd_neighbour_names *names)
{
	return (const void *)((const char *)names - offsetof(struct ctd_subject, names));
}

/* Is nothing known of it: was it not there yet, or did it run without its slots of that kind being
 * counted? */
static bool is_missing(const struct ctd_subject *subject, enum ctd_kind kind, uint64_t tick)
{
	const struct ctd_point *point = &subject->history[tick % HISTORY];

	return tick < subject->first_at || isnan(point->retired) ||
	       (isfinite(point->retired) && isnan(point->kind[kind]));
}

/* @return NAN: nobody was there, or nobody's is known, and somebody ran. */
static float pressure_of_others(const struct ctd_neighbours *neighbours,
				const struct ctd_subject *victim, enum ctd_kind kind, uint64_t tick,
				float total)
{
	float sum = fmaxf(total - victim->excess[kind].pressure[tick % SERIES], 0);
	bool is_known = sum > 0;

	for (size_t i = 0; i < neighbours->subjects_count && !(sum > 0); i++) {
		const struct ctd_subject *other = neighbours->subjects[i];

		if (other == victim || other->domain != victim->domain || tick < other->first_at)
			continue;
		if (is_missing(other, kind, tick))
			return NAN;
		is_known = true;
	}
	return is_known ? sum : NAN;
}

static void fill(const struct ctd_neighbours *neighbours, const struct ctd_neighbour_tag *tag,
		 enum ctd_kind kind, const float *total, struct ctd_neighbour_series *series)
{
	const struct ctd_subject *victim = subject_of(tag->victim);
	const struct ctd_subject *first =
		tag->antagonists_count ? subject_of(tag->antagonists[0].names) : NULL;
	uint64_t tick = neighbours->tick, from = tick > SERIES ? tick - SERIES + 1 : 1;

	series->count = (size_t)(tick - from + 1);
	for (size_t i = 0; i < series->count; i++) {
		size_t at = (from + i) % SERIES;

		series->excess[i] = victim->excess[kind].excess[at];
		if (!first)
			series->pressure[i] =
				pressure_of_others(neighbours, victim, kind, from + i, total[at]);
		else
			series->pressure[i] = is_missing(first, kind, from + i)
						      ? NAN
						      : first->excess[kind].pressure[at];
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
		fill(neighbours, tag, kind, totals[kind], &neighbours->series[made]);
		tag->series = &neighbours->series[made++];
	}
}
