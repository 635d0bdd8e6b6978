/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* throttling.c - containers that a limit of CPU time stops, their own or one above. */
#include <cgtopdown/identity.h>
#include <math.h>
#include <string.h>

#include "base/auto.h"
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

static void judge_own(const struct ctd_subject *victim, struct ctd_finding *finding)
{
	const struct ctd_recent *recent = &victim->recent;
	double stopped_cpus = recent->throttled_ns / recent->window_ns;
	double ratio = ratio_of(recent->throttled, recent->periods);

	/* Of its tasks: where waits are known, those that waited for the next period. */
	if (!(victim->known & CTD_NEIGHBOUR_WAITS))
		finding->tag.loss_cpus = stopped_cpus;
	/* Without a limit there are no more periods, and the ratio of those that were stays. */
	finding->enters = victim->is_limited && ratio >= THROTTLED &&
			  fmax(stopped_cpus, finding->tag.loss_cpus) >= LOSS_LEAST;
	finding->stays = victim->is_limited && ratio >= STAYS_THROTTLED;
	ctd_finding_add_evidence(finding, "throttled_ratio", ratio);
	ctd_finding_add_evidence(finding, "throttled_cpus", stopped_cpus);
	ctd_finding_add_evidence(finding, "used_cpus", recent->cpu_ns / recent->window_ns);
	if (victim->limit_cpus > 0)
		ctd_finding_add_evidence(finding, "limit_cpus", victim->limit_cpus);
}

/* Has its container, or unit, the limit's cgroup for itself, or its pod, whose containers are one
 * another's doing? */
static bool is_of_its_own(const struct ctd_identity *identity, const char *cgroup, size_t bytes)
{
	autofree char *path = strndup(cgroup, bytes);
	size_t unit_bytes = ctd_identity_unit_path(cgroup);
	struct ctd_identity limit;

	if (!path)
		return false;
	ctd_identity_parse(path, &limit);
	if (identity->pod_uid[0])
		return strcmp(limit.pod_uid, identity->pod_uid) == 0;
	if (identity->container_id[0])
		return strcmp(limit.container_id, identity->container_id) == 0;
	return unit_bytes && bytes >= unit_bytes;
}

/* Has anything else run there, in the samples that count? */
static bool is_shared(const struct ctd_neighbours *neighbours, const struct ctd_subject *victim)
{
	const char *cgroup = victim->names.cgroup;
	size_t above_bytes = victim->above_bytes, bytes = strlen(cgroup);

	for (size_t i = 0; i < neighbours->subjects_count; i++) {
		const struct ctd_subject *other = neighbours->subjects[i];
		const char *of_other = other->names.cgroup;

		if (other->seen_at + WAITS_DECAY >= neighbours->tick &&
		    ctd_cgroup_is_above(of_other, above_bytes) && of_other[above_bytes] &&
		    strncmp(of_other, cgroup, above_bytes) == 0 &&
		    !(ctd_cgroup_is_above(of_other, bytes) &&
		      strncmp(of_other, cgroup, bytes) == 0))
			return true;
	}
	return false;
}

/* A limit above its pod is used up by other pods, too. */
static enum ctd_blame blame_of(const struct ctd_neighbours *neighbours,
			       const struct ctd_subject *victim)
{
	struct ctd_identity identity;

	ctd_identity_parse(victim->names.cgroup, &identity);
	if (is_of_its_own(&identity, victim->names.cgroup, victim->above_bytes))
		return CTD_BLAME_SELF;
	return identity.pod_uid[0] || is_shared(neighbours, victim) ? CTD_BLAME_MACHINE
								    : CTD_BLAME_SELF;
}

/*
 * Of a limit that it shares with others the periods say nothing of it: its own waits do. Once the
 * limit is gone, what it waited gets less no faster than what it ran: so a tag begins and goes on by
 * samples in which it was stopped. Between two of them there may be others, fewer than end a tag;
 * where there are as many, the next one is the first again. One in which it did nothing is neither.
 * @return is it the limit to be told of?
 */
static bool judge_above(const struct ctd_neighbours *neighbours, const struct ctd_subject *victim,
			struct ctd_finding *finding)
{
	const struct ctd_recent *recent = &victim->recent;
	double stopped_ns = recent->throttled_wait_ns;
	double ratio = ratio_of(stopped_ns, recent->cpu_ns + stopped_ns);
	bool is_stopped = !victim->unstopped, counts = victim->unstopped < UNSTOPPED;
	bool is_bad = ratio >= THROTTLED && finding->tag.loss_cpus >= LOSS_LEAST;

	finding->enters = is_stopped && is_bad;
	finding->stays = is_stopped && ratio >= STAYS_THROTTLED;
	finding->waits =
		victim->seen_at != neighbours->tick ||
		(counts && !is_stopped && !victim->verdicts[CTD_MECHANISM_THROTTLING].tagged);
	finding->tag.blame = blame_of(neighbours, victim);
	finding->tag.limit_bytes = victim->above_bytes;
	ctd_finding_add_evidence(finding, "stopped_ratio", ratio);
	ctd_finding_add_evidence(finding, "used_cpus", recent->cpu_ns / recent->window_ns);
	ctd_finding_add_evidence(finding, "limit_cpus", victim->above_limit_cpus);
	return counts && (is_bad || finding->waits);
}

void ctd_judge_throttling(const struct ctd_neighbours *neighbours, const struct ctd_subject *victim,
			  struct ctd_finding *finding)
{
	const struct ctd_recent *recent = &victim->recent;
	struct ctd_finding above;

	finding->tag.blame = CTD_BLAME_SELF;
	finding->tag.confidence = 1;
	if (victim->known & CTD_NEIGHBOUR_WAITS)
		finding->tag.loss_cpus = recent->throttled_wait_ns / recent->window_ns;
	above = *finding;
	if (victim->known & CTD_NEIGHBOUR_THROTTLING && recent->periods > 0)
		judge_own(victim, finding);
	/* Its own limit comes first: what that does not explain is another one's doing. The cgroup
	 * may have another name by now. */
	if (!finding->enters && victim->known & CTD_NEIGHBOUR_WAITS && victim->above_bytes &&
	    ctd_cgroup_is_above(victim->names.cgroup, victim->above_bytes)) {
		if (judge_above(neighbours, victim, &above) || !finding->stays)
			*finding = above;
	}
	ctd_finding_set_slots(finding, &victim->siblings,
			      finding->tag.loss_cpus * recent->window_ns);
}
