/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pressure.c - whose pressure on memory, or on fetching, a container's excess follows. */
#include <math.h>

#include "neighbour/detector.h"
#include "neighbour/follower.h"
#include "neighbour/scope.h"

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
/* A narrower scope is believed if it makes the excess so much likelier than a wider one: the
 * logarithm of how many times. */
#define SCOPE_LIKELIER 4
/* The best of several correlations is the larger one by chance, too. */
#define NARROW_MORE 0.05
#define BACKEND_CONFIDENCE 0.6

/* What reaches the victim of all others, if what they share is of this scope. */
struct scoped {
	struct ctd_reach reach;
	double all, correlation; /* covariance and correlation with the excess */
};

static struct scoped look_at(const struct ctd_neighbours *neighbours,
			     const struct ctd_subject *victim, enum ctd_kind kind,
			     const struct ctd_follower *follower, enum ctd_scope scope)
{
	struct scoped scoped = {.reach = ctd_reach_make(neighbours, victim, scope)};
	float others[SERIES];

	ctd_reach_others(neighbours, victim, kind, &scoped.reach, others);
	scoped.all = ctd_follower_dot(others, follower->excess);
	scoped.correlation = ctd_follower_correlate(follower, others);
	return scoped;
}

/* Of a normal excess that the pressure explains by so much: the logarithm of its likelihood. */
static double likelihood(const struct ctd_follower *follower, const struct scoped *scoped)
{
	double explained = fmax(scoped->correlation, 0) * fmax(scoped->correlation, 0);

	return -.5 * follower->count * log(fmax(1 - explained, 1e-9));
}

/*
 * The widest scope, or one that explains the excess much better: where as much reaches the victim
 * of all others, it does not. @p ret_best: the correlation in that in which it does best.
 */
static enum ctd_scope choose(const struct ctd_neighbours *neighbours,
			     const struct ctd_subject *victim, enum ctd_kind kind,
			     const struct ctd_follower *follower, struct scoped *ret_scoped,
			     double *ret_best)
{
	enum ctd_scope chosen = neighbours->caches.count ? CTD_SCOPE_MACHINE : CTD_SCOPE_UNKNOWN;

	*ret_scoped = look_at(neighbours, victim, kind, follower, chosen);
	*ret_best = ret_scoped->correlation;
	for (int scope = CTD_SCOPE_NODE; scope < CTD_SCOPES; scope++) {
		struct scoped scoped;

		if (!ctd_scope_exists(neighbours, (enum ctd_scope)scope))
			continue;
		scoped = look_at(neighbours, victim, kind, follower, (enum ctd_scope)scope);
		*ret_best = fmax(*ret_best, scoped.correlation);
		if (likelihood(follower, &scoped) <
		    likelihood(follower, ret_scoped) + SCOPE_LIKELIER)
			continue;
		*ret_scoped = scoped;
		chosen = (enum ctd_scope)scope;
	}
	return chosen;
}

/* The largest shares, and then of each what it did itself. */
static void add_suspects(const struct ctd_neighbours *neighbours, const struct ctd_subject *victim,
			 enum ctd_kind kind, const struct ctd_follower *follower,
			 const struct scoped *scoped, struct ctd_finding *finding,
			 const struct ctd_subject **ret_first)
{
	struct ctd_suspect suspects[CTD_ANTAGONISTS_MAX];
	size_t count = 0;

	for (size_t i = 0; i < neighbours->subjects_count; i++) {
		const struct ctd_subject *subject = neighbours->subjects[i];
		double covariance;

		if (subject == victim || subject->domain != victim->domain)
			continue;
		covariance = ctd_follower_dot(subject->excess[kind].pressure, follower->excess);
		if (covariance > 0)
			ctd_suspect_add(suspects, &count, subject,
					(double)ctd_reach_of(&scoped->reach, subject) * covariance /
						scoped->all);
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

/* Does it follow nothing that others do, of all that may reach it? Then its work is another one. */
static bool is_input(const struct ctd_neighbours *neighbours, const struct ctd_subject *victim,
		     enum ctd_kind kind, const struct ctd_follower *follower)
{
	return ctd_others_are_counted(neighbours, victim, kind) &&
	       ctd_others_elsewhere(neighbours, victim, kind, follower) < INPUT_CORRELATION;
}

static void set_loss(struct ctd_finding *finding, const struct ctd_subject *victim, double lost,
		     double lost_slots)
{
	finding->tag.loss_cpus = lost * victim->siblings.cpu_ns / victim->siblings.window_ns;
	finding->tag.loss_slots = lost_slots;
	finding->tag.loss_slots_known = true;
}

void ctd_judge_pressure(const struct ctd_neighbours *neighbours, const struct ctd_subject *victim,
			enum ctd_kind kind, struct ctd_finding *finding)
{
	const struct thresholds *least = &thresholds[kind];
	const struct ctd_excess *series = &victim->excess[kind];
	struct ctd_follower follower;
	struct scoped scoped;
	const struct ctd_subject *first = NULL;
	double lost_slots, lost, best, one = 0;
	bool is_narrow, is_own;

	if (!series->fitted_at)
		return;
	lost = ctd_excess_lost(victim, kind, neighbours->tick, &lost_slots);
	if (!(lost >= least->stays_lost))
		return;
	ctd_follower_make(victim, kind, neighbours->tick, &follower);
	if (follower.count < SAMPLES_LEAST)
		return;
	finding->tag.scope = choose(neighbours, victim, kind, &follower, &scoped, &best);
	is_narrow = finding->tag.scope > CTD_SCOPE_MACHINE;
	is_own = scoped.correlation < INPUT_CORRELATION;
	/* Whose doing it is nobody knows: without evidence there is no tag. */
	if (is_own && !is_input(neighbours, victim, kind, &follower))
		return;
	if (scoped.all > 0)
		add_suspects(neighbours, victim, kind, &follower, &scoped, finding, &first);
	if (first)
		one = ctd_follower_correlate(&follower, first->excess[kind].pressure);
	finding->enters = lost >= least->lost &&
			  scoped.correlation >= least->all + (is_narrow ? NARROW_MORE : 0);
	finding->stays = lost >= least->stays_lost && scoped.correlation >= least->stays_all;
	finding->tag.blame =
		is_of_few(finding) && one >= least->one ? CTD_BLAME_NEIGHBOUR : CTD_BLAME_MACHINE;
	if (lost >= INPUT_LOST && best < INPUT_CORRELATION)
		finding->enters = finding->stays = true;
	/* Nor is what fades others' doing. */
	if (is_own) {
		finding->tag.blame = CTD_BLAME_INPUT;
		finding->tag.scope = CTD_SCOPE_UNKNOWN;
	}
	set_loss(finding, victim, lost, lost_slots);
	finding->tag.confidence = fmax(scoped.correlation, 0);
	if (kind == KIND_MEMORY && victim->meaning & CTD_NEIGHBOUR_BACKEND)
		finding->tag.confidence *= BACKEND_CONFIDENCE;
	ctd_finding_add_evidence(finding, "samples", follower.count);
	ctd_finding_add_evidence(finding, "lost_ratio", lost);
	ctd_finding_add_evidence(finding, "correlation_all", scoped.correlation);
	if (first)
		ctd_finding_add_evidence(finding, "correlation_first", one);
	if (first && is_narrow)
		ctd_finding_add_evidence(finding, "reach_first",
					 (double)ctd_reach_of(&scoped.reach, first));
	ctd_finding_add_evidence(finding, "slope_retired", series->model.slope[0]);
	ctd_finding_add_evidence(finding, "slope_rest", series->model.slope[1]);
}
