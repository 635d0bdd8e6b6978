/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* series.c - puts beside the first tags what they were decided by, sample by sample. */
#include <math.h>
#include <stddef.h>

#include "neighbour/scope.h"

/* Names of a tag are those of a subject. */
static const struct ctd_subject *subject_of(const struct ctd_neighbour_names *names)
{
	return (const void *)((const char *)names - offsetof(struct ctd_subject, names));
}

/* Is nothing known of it: was it not there yet, or did it run without being counted? */
static bool is_missing(const struct ctd_subject *subject, enum ctd_kind kind, uint64_t tick)
{
	return tick < subject->first_at || ctd_excess_is_uncounted(subject, kind, tick);
}

/* Is nothing known of what reaches the victim of others, if that is 0? So it is where nobody was
 * there yet, and where somebody who would reach it ran without being counted. */
static bool are_others_missing(const struct ctd_neighbours *neighbours,
			       const struct ctd_subject *victim, enum ctd_kind kind,
			       const struct ctd_reach *reach, uint64_t tick)
{
	bool is_alone = true;

	for (size_t i = 0; i < neighbours->subjects_count; i++) {
		const struct ctd_subject *other = neighbours->subjects[i];

		if (other == victim || other->domain != victim->domain || tick < other->first_at)
			continue;
		if (is_missing(other, kind, tick) && ctd_reach_of(reach, other) > 0)
			return true;
		is_alone = false;
	}
	return is_alone;
}

/* Of its first antagonist. */
static void fill_first(const struct ctd_neighbours *neighbours, const struct ctd_subject *first,
		       enum ctd_kind kind, struct ctd_neighbour_series *series)
{
	for (size_t i = 0; i < series->count; i++) {
		uint64_t tick = neighbours->tick - series->count + 1 + i;

		series->pressure[i] = is_missing(first, kind, tick)
					      ? NAN
					      : first->excess[kind].pressure[tick % SERIES];
	}
}

/* What reaches it of all others, whose domain was added up; NAN: nobody was there, or nobody's is
 * known, and somebody ran. */
static void fill_others(const struct ctd_neighbours *neighbours,
			const struct ctd_neighbour_tag *tag, enum ctd_kind kind,
			struct ctd_neighbour_series *series)
{
	const struct ctd_subject *victim = subject_of(tag->victim);
	struct ctd_reach reach = ctd_reach_make(neighbours, victim, tag->scope);
	float others[SERIES];

	ctd_reach_others(neighbours, victim, kind, &reach, others);
	for (size_t i = 0; i < series->count; i++) {
		uint64_t tick = neighbours->tick - series->count + 1 + i;
		float pressure = others[tick % SERIES];

		series->pressure[i] =
			pressure > 0 || !are_others_missing(neighbours, victim, kind, &reach, tick)
				? pressure
				: NAN;
	}
}

static void fill(const struct ctd_neighbours *neighbours, const struct ctd_neighbour_tag *tag,
		 enum ctd_kind kind, struct ctd_neighbour_series *series)
{
	const struct ctd_subject *victim = subject_of(tag->victim);
	uint64_t tick = neighbours->tick, from = tick > SERIES ? tick - SERIES + 1 : 1;

	series->count = (size_t)(tick - from + 1);
	for (size_t i = 0; i < series->count; i++)
		series->excess[i] = victim->excess[kind].excess[(from + i) % SERIES];
	if (tag->antagonists_count)
		fill_first(neighbours, subject_of(tag->antagonists[0].names), kind, series);
	else
		fill_others(neighbours, tag, kind, series);
}

void ctd_series_make(struct ctd_neighbours *neighbours)
{
	const struct ctd_neighbour_tag *summed = NULL; /* whose domain was added up */
	size_t made = 0;

	for (size_t i = 0; i < neighbours->tags_count && made < CTD_NEIGHBOUR_SERIES_TAGS; i++) {
		struct ctd_neighbour_tag *tag = &neighbours->tags[i];
		enum ctd_kind kind =
			tag->mechanism == CTD_MECHANISM_FRONTEND ? KIND_FRONTEND : KIND_MEMORY;

		if (kind == KIND_MEMORY && tag->mechanism != CTD_MECHANISM_MEMORY)
			continue;
		if (!tag->antagonists_count && (!summed || summed->domain != tag->domain)) {
			ctd_scope_add_up(neighbours, tag->domain);
			summed = tag;
		}
		fill(neighbours, tag, kind, &neighbours->series[made]);
		tag->series = &neighbours->series[made++];
	}
}
