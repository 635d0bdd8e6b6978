/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* throttling.c - containers that their own limit of CPU time stops. */
#include <math.h>

#include "neighbour/detector.h"

/* Of the kernel's periods: those in which it was stopped. For a tag to begin, to go on. */
#define THROTTLED 0.05
#define STAYS_THROTTLED 0.02
/* CPUs: stopped for so much. */
#define LOSS_LEAST 0.005

void ctd_judge_throttling(const struct ctd_subject *victim, struct ctd_finding *finding)
{
	const struct ctd_recent *recent = &victim->recent;
	double ratio, stopped_cpus;

	if (!(victim->known & CTD_NEIGHBOUR_THROTTLING) || !(recent->periods > 0))
		return;
	ratio = recent->throttled / recent->periods;
	stopped_cpus = recent->throttled_ns / recent->window_ns;
	/* Of its tasks: where waits are known, those that waited for the next period. */
	finding->tag.loss_cpus = victim->known & CTD_NEIGHBOUR_WAITS
					 ? recent->throttled_wait_ns / recent->window_ns
					 : stopped_cpus;
	finding->enters =
		ratio >= THROTTLED && fmax(stopped_cpus, finding->tag.loss_cpus) >= LOSS_LEAST;
	/* Without a limit there are no more periods, and the ratio of those that were stays. */
	finding->stays = ratio >= STAYS_THROTTLED && victim->is_limited;
	finding->tag.blame = CTD_BLAME_SELF;
	finding->tag.confidence = 1;
	ctd_finding_set_slots(finding, &victim->siblings,
			      finding->tag.loss_cpus * recent->window_ns);
	ctd_finding_add_evidence(finding, "throttled_ratio", ratio);
	ctd_finding_add_evidence(finding, "throttled_cpus", stopped_cpus);
	ctd_finding_add_evidence(finding, "used_cpus", recent->cpu_ns / recent->window_ns);
	if (victim->limit_cpus > 0)
		ctd_finding_add_evidence(finding, "limit_cpus", victim->limit_cpus);
}
