/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* throttling.c - containers that a limit of CPU time stops, their own or one above. */
#include <math.h>
#include <string.h>

#include "neighbour/detector.h"

/* Of the kernel's periods: those in which it was stopped; by a limit above, of the time in which it
 * would have run: that in which it was. For a tag to begin, to go on. */
#define THROTTLED 0.05
#define STAYS_THROTTLED 0.02
/* CPUs: stopped for so much. */
#define LOSS_LEAST 0.005

static double ratio_of(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

static void judge_own(const struct ctd_subject *victim, double ratio, struct ctd_finding *finding)
{
	const struct ctd_recent *recent = &victim->recent;
	double stopped_cpus = recent->throttled_ns / recent->window_ns;

	/* Of its tasks: where waits are known, those that waited for the next period. */
	if (!(victim->known & CTD_NEIGHBOUR_WAITS))
		finding->tag.loss_cpus = stopped_cpus;
	finding->enters =
		ratio >= THROTTLED && fmax(stopped_cpus, finding->tag.loss_cpus) >= LOSS_LEAST;
	/* Without a limit there are no more periods, and the ratio of those that were stays. */
	finding->stays = ratio >= STAYS_THROTTLED && victim->is_limited;
	ctd_finding_add_evidence(finding, "throttled_ratio", ratio);
	ctd_finding_add_evidence(finding, "throttled_cpus", stopped_cpus);
	ctd_finding_add_evidence(finding, "used_cpus", recent->cpu_ns / recent->window_ns);
	if (victim->limit_cpus > 0)
		ctd_finding_add_evidence(finding, "limit_cpus", victim->limit_cpus);
}

/* Of a limit that it shares with others the periods say nothing of it: its own waits do. */
static void judge_above(const struct ctd_subject *victim, struct ctd_finding *finding)
{
	const struct ctd_recent *recent = &victim->recent;
	double stopped_ns = recent->throttled_wait_ns;
	double ratio = ratio_of(stopped_ns, recent->cpu_ns + stopped_ns);

	finding->enters = ratio >= THROTTLED && finding->tag.loss_cpus >= LOSS_LEAST;
	finding->stays = ratio >= STAYS_THROTTLED && victim->is_stopped;
	/* It may have another name by now. */
	if (victim->names.cgroup && strlen(victim->names.cgroup) >= victim->above_bytes)
		finding->tag.limit_bytes = victim->above_bytes;
	ctd_finding_add_evidence(finding, "stopped_ratio", ratio);
	ctd_finding_add_evidence(finding, "used_cpus", recent->cpu_ns / recent->window_ns);
	ctd_finding_add_evidence(finding, "limit_cpus", victim->above_limit_cpus);
}

void ctd_judge_throttling(const struct ctd_subject *victim, struct ctd_finding *finding)
{
	const struct ctd_recent *recent = &victim->recent;
	bool is_limited = victim->known & CTD_NEIGHBOUR_THROTTLING && recent->periods > 0;
	double ratio = is_limited ? ratio_of(recent->throttled, recent->periods) : 0;

	finding->tag.blame = CTD_BLAME_SELF;
	finding->tag.confidence = 1;
	if (victim->known & CTD_NEIGHBOUR_WAITS)
		finding->tag.loss_cpus = recent->throttled_wait_ns / recent->window_ns;
	/* Its own limit comes first: what that does not explain is another one's doing. */
	if (victim->known & CTD_NEIGHBOUR_WAITS && victim->above_bytes && ratio < STAYS_THROTTLED)
		judge_above(victim, finding);
	else if (is_limited)
		judge_own(victim, ratio, finding);
	ctd_finding_set_slots(finding, &victim->siblings,
			      finding->tag.loss_cpus * recent->window_ns);
}
