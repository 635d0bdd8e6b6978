/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* siblings.c - how much slower a container is while the core's other hardware thread runs others. */
#include <math.h>

#include "neighbour/detector.h"

/* Of its CPU time: in both states for so much, or their rates say nothing. */
#define STATE_LEAST 0.02
/* Lost, in parts of its CPU time: for a tag to begin, to go on. */
#define LOST 0.05
#define STAYS_LOST 0.03
/* Of the time beside others. */
#define SHARE_NAMED 0.15
#define SHARES_BLAMED 0.5

static double rate_of(const struct ctd_recent_siblings *siblings, enum ctd_sibling state)
{
	return siblings->sibling_retired[state] / siblings->sibling_cpu_ns[state];
}

void ctd_judge_siblings(const struct ctd_neighbours *neighbours, const struct ctd_subject *victim,
			struct ctd_finding *finding)
{
	const struct ctd_recent_siblings *siblings = &victim->siblings;
	const double *cpu_ns = siblings->sibling_cpu_ns;
	double all_ns = 0, slower, lost, together_ns = 0;

	for (int i = 0; i < CTD_SIBLINGS; i++)
		all_ns += cpu_ns[i];
	if (!(victim->known & CTD_NEIGHBOUR_SIBLINGS) || !(all_ns > 0) ||
	    cpu_ns[CTD_SIBLING_IDLE] < STATE_LEAST * all_ns ||
	    cpu_ns[CTD_SIBLING_OTHER] < STATE_LEAST * all_ns ||
	    !(siblings->sibling_retired[CTD_SIBLING_IDLE] > 0))
		return;
	slower = 1 - rate_of(siblings, CTD_SIBLING_OTHER) / rate_of(siblings, CTD_SIBLING_IDLE);
	lost = slower * cpu_ns[CTD_SIBLING_OTHER] / all_ns;
	for (size_t i = 0; i < PAIRS; i++)
		together_ns += victim->pairs[i].together_ns;
	/* Some pairs may have found no place. */
	together_ns = fmax(together_ns, cpu_ns[CTD_SIBLING_OTHER]);
	for (size_t i = 0; i < PAIRS; i++) {
		const struct ctd_recent_pair *pair = &victim->pairs[i];

		if (pair->other)
			ctd_finding_add_antagonist(finding,
						   ctd_subject_by_serial(neighbours, pair->other),
						   pair->together_ns / together_ns, SHARE_NAMED);
	}
	finding->enters = lost >= LOST;
	finding->stays = lost >= STAYS_LOST;
	finding->tag.blame = ctd_finding_shares(finding) >= SHARES_BLAMED ? CTD_BLAME_NEIGHBOUR
									  : CTD_BLAME_MACHINE;
	finding->tag.loss_cpus = lost * siblings->cpu_ns / siblings->window_ns;
	ctd_finding_set_slots(finding, siblings, lost * siblings->cpu_ns);
	finding->tag.confidence = 1 - cpu_ns[CTD_SIBLING_MIXED] / all_ns;
	ctd_finding_add_evidence(finding, "lost_ratio", lost);
	ctd_finding_add_evidence(finding, "slower_beside_others_ratio", slower);
	ctd_finding_add_evidence(finding, "beside_idle_ratio", cpu_ns[CTD_SIBLING_IDLE] / all_ns);
	ctd_finding_add_evidence(finding, "beside_others_ratio",
				 cpu_ns[CTD_SIBLING_OTHER] / all_ns);
	ctd_finding_add_evidence(finding, "beside_itself_ratio", cpu_ns[CTD_SIBLING_SAME] / all_ns);
	ctd_finding_add_evidence(finding, "retired_per_ns_beside_idle",
				 rate_of(siblings, CTD_SIBLING_IDLE));
	ctd_finding_add_evidence(finding, "retired_per_ns_beside_others",
				 rate_of(siblings, CTD_SIBLING_OTHER));
}
