/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* run_queue.c - judges what a container loses while its tasks wait behind others. */
#include <math.h>

#include "neighbour/detector.h"

/* Waiting behind others, in parts of the time that it would have run: for a tag to begin, to go on.
 */
#define SLOWED 0.05
#define STAYS_SLOWED 0.025
/* CPUs; a smaller loss is no trouble. */
#define LOSS_LEAST 0.005
/* Of the waiting time that is not its own doing: named one by one, and enough for a tag. */
#define SHARE_NAMED 0.15
#define SHARES_BLAMED 0.5
/* Its own tasks wait for each other: in parts of the time that they run, and of the other waits. */
#define SELF 0.25
#define SELF_TO_OTHERS 2

static double part_of(double part, double rest)
{
	return part + rest > 0 ? part / (part + rest) : 0;
}

/* @p preempted: by others that are known; NAN: none is. */
static void add_evidence(struct ctd_finding *finding, const struct ctd_recent *recent,
			 double slowed, double preempted)
{
	ctd_finding_add_evidence(finding, "slowed_ratio", slowed);
	ctd_finding_add_evidence(finding, "waits_per_second",
				 recent->waits / recent->window_ns * 1e9);
	ctd_finding_add_evidence(finding, "waiting_cpus", recent->wait_ns / recent->window_ns);
	ctd_finding_add_evidence(finding, "own_cpus", recent->own_ns / recent->window_ns);
	ctd_finding_add_evidence(finding, "other_cpus", recent->other_ns / recent->window_ns);
	ctd_finding_add_evidence(finding, "kernel_cpus", recent->kernel_ns / recent->window_ns);
	ctd_finding_add_evidence(finding, "throttled_cpus",
				 recent->throttled_wait_ns / recent->window_ns);
	ctd_finding_add_evidence(finding, "short_cpus", recent->short_ns / recent->window_ns);
	if (!isnan(preempted))
		ctd_finding_add_evidence(finding, "preempted_by_others_per_second",
					 preempted / recent->window_ns * 1e9);
}

void ctd_judge_run_queue(const struct ctd_neighbours *neighbours, const struct ctd_subject *victim,
			 struct ctd_finding *finding)
{
	const struct ctd_recent *recent = &victim->recent;
	double contested =
		recent->wait_ns - recent->own_ns - recent->short_ns - recent->throttled_wait_ns;
	double slowed = part_of(recent->other_ns, recent->cpu_ns), preempted = NAN, loss_cpus;
	double behind_ns = 0;
	bool self;

	if (!(victim->known & CTD_NEIGHBOUR_WAITS) || !(recent->window_ns > 0))
		return;
	for (size_t i = 0; i < PAIRS; i++)
		behind_ns += victim->pairs[i].wait_ns;
	/* Pairs may have more than the waits: of a cgroup that found no row in the kernel. */
	behind_ns = fmax(behind_ns, contested);
	for (size_t i = 0; i < PAIRS && contested > 0; i++) {
		const struct ctd_recent_pair *pair = &victim->pairs[i];

		if (!pair->other)
			continue;
		preempted = pair->preemptions + (isnan(preempted) ? 0 : preempted);
		ctd_finding_add_antagonist(finding, ctd_subject_by_serial(neighbours, pair->other),
					   pair->wait_ns / behind_ns, SHARE_NAMED);
	}
	self = slowed < STAYS_SLOWED && part_of(recent->own_ns, recent->cpu_ns) >= SELF &&
	       recent->own_ns > SELF_TO_OTHERS * contested;
	loss_cpus = (self ? recent->own_ns : recent->other_ns) / recent->window_ns;
	finding->enters = (self || slowed >= SLOWED) && loss_cpus >= LOSS_LEAST;
	finding->stays = self || slowed >= STAYS_SLOWED;
	finding->tag.blame = self					    ? CTD_BLAME_SELF
			     : ctd_finding_shares(finding) >= SHARES_BLAMED ? CTD_BLAME_NEIGHBOUR
									    : CTD_BLAME_MACHINE;
	finding->tag.loss_cpus = loss_cpus;
	/* What it would have done in that time, had it gone on as it does. */
	ctd_finding_set_slots(finding, &victim->siblings, loss_cpus * recent->window_ns);
	finding->tag.confidence = contested > 0 && !self ? 1 - recent->unknown_ns / contested : 1;
	add_evidence(finding, recent, slowed, preempted);
}
