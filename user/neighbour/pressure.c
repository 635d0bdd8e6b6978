/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pressure.c - whose pressure on memory, or on fetching, a container's excess follows. */
#include <math.h>

#include "neighbour/detector.h"
#include "neighbour/follower.h"

/* In parts of the victim's slots, and as correlations: facts and figures are in docs/neighbours.md.
 */
struct thresholds {
	double lost, stays_lost; /* for a tag to begin, to go on */
	double all, stays_all; /* correlation of all others' pressure with the excess */
	double one; /* correlation of the first antagonist's */
};
static const struct thresholds thresholds[KINDS] = {
	[KIND_MEMORY] = {.04, .02, .55, .4, .55},
	[KIND_FRONTEND] = {.05, .025, .65, .5, .6},
};
/* Of the others' doing: named; enough for a tag if one did it, or a few, of which one is the first.
 */
#define SHARE_NAMED 0.15
#define SHARE_OF_ONE 0.5
#define SHARE_OF_SEVERAL 0.6
#define SHARE_OF_FIRST 0.35
/* Lost for so long, while the pressure of no other follows: the work is another one. */
#define INPUT_LOST 0.08
#define INPUT_CORRELATION 0.25
#define SAMPLES_LEAST 40
#define BACKEND_CONFIDENCE 0.6

/* The largest shares, and then of each what it did itself. */
static void add_suspects(const struct ctd_neighbours *neighbours, const struct ctd_subject *victim,
			 enum ctd_kind kind, const struct ctd_follower *follower, double all,
			 struct ctd_finding *finding, const struct ctd_subject **ret_first)
{
	struct ctd_suspect suspects[CTD_ANTAGONISTS_MAX];
	size_t count = 0;

	for (size_t i = 0; i < neighbours->subjects_count; i++) {
		const struct ctd_subject *subject = neighbours->subjects[i];

		if (subject != victim && subject->domain == victim->domain)
			ctd_suspect_add(suspects, &count, subject,
					ctd_follower_dot(subject->excess[kind].pressure,
							 follower->excess) /
						all);
	}
	while (count && suspects[count - 1].share < SHARE_NAMED)
		count--;
	ctd_follower_tell_apart(follower, kind, suspects, count);
	for (size_t i = 0; i < count; i++)
		ctd_finding_add_antagonist(finding, suspects[i].subject, suspects[i].share,
					   SHARE_NAMED);
	*ret_first = NULL;
	for (size_t i = 0; i < count && finding->tag.antagonists_count; i++)
		if (&suspects[i].subject->names == finding->tag.antagonists[0].names)
			*ret_first = suspects[i].subject;
}

static bool is_of_few(const struct ctd_finding *finding)
{
	const struct ctd_neighbour_tag *tag = &finding->tag;

	return tag->antagonists_count && (tag->antagonists[0].share >= SHARE_OF_ONE ||
					  (tag->antagonists[0].share >= SHARE_OF_FIRST &&
					   ctd_finding_shares(finding) >= SHARE_OF_SEVERAL));
}

static void set_loss(struct ctd_finding *finding, const struct ctd_subject *victim, double lost,
		     double lost_slots)
{
	finding->tag.loss_cpus = lost * victim->siblings.cpu_ns / victim->siblings.window_ns;
	finding->tag.loss_slots = lost_slots;
	finding->tag.loss_slots_known = true;
}

void ctd_judge_pressure(const struct ctd_neighbours *neighbours, struct ctd_subject *victim,
			enum ctd_kind kind, const float *total, struct ctd_finding *finding)
{
	const struct thresholds *least = &thresholds[kind];
	const struct ctd_excess *series = &victim->excess[kind];
	float others[SERIES];
	struct ctd_follower follower;
	const struct ctd_subject *first = NULL;
	double lost_slots, lost, all, all_correlation, one = 0;

	if (!series->fitted_at)
		return;
	lost = ctd_excess_lost(victim, kind, neighbours->tick, &lost_slots);
	if (!(lost >= least->stays_lost))
		return;
	ctd_follower_make(victim, kind, neighbours->tick, &follower);
	if (follower.count < SAMPLES_LEAST)
		return;
	for (size_t i = 0; i < SERIES; i++)
		others[i] = total[i] - series->pressure[i];
	all = ctd_follower_dot(others, follower.excess);
	all_correlation = ctd_follower_correlate(&follower, others);
	if (all > 0)
		add_suspects(neighbours, victim, kind, &follower, all, finding, &first);
	if (first)
		one = ctd_follower_correlate(&follower, first->excess[kind].pressure);
	finding->enters = lost >= least->lost && all_correlation >= least->all;
	finding->stays = lost >= least->stays_lost && all_correlation >= least->stays_all;
	finding->tag.blame =
		is_of_few(finding) && one >= least->one ? CTD_BLAME_NEIGHBOUR : CTD_BLAME_MACHINE;
	if (lost >= INPUT_LOST && all_correlation < INPUT_CORRELATION) {
		finding->enters = finding->stays = true;
		finding->tag.blame = CTD_BLAME_INPUT;
	}
	set_loss(finding, victim, lost, lost_slots);
	finding->tag.confidence = fmax(all_correlation, 0);
	if (kind == KIND_MEMORY && victim->meaning & CTD_NEIGHBOUR_BACKEND)
		finding->tag.confidence *= BACKEND_CONFIDENCE;
	ctd_finding_add_evidence(finding, "samples", follower.count);
	ctd_finding_add_evidence(finding, "lost_ratio", lost);
	ctd_finding_add_evidence(finding, "correlation_all", all_correlation);
	if (first)
		ctd_finding_add_evidence(finding, "correlation_first", one);
	ctd_finding_add_evidence(finding, "slope_retired", series->model.slope[0]);
	ctd_finding_add_evidence(finding, "slope_rest", series->model.slope[1]);
}
