/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* judge.c - from findings to tags, that do not come and go with each sample. */
#include <stdlib.h>
#include <string.h>

#include "neighbour/scope.h"

/* After so many samples without anything of a container its tags end. */
#define SILENT 6

/* Judgements in a row that a tag takes to begin, and to end. What looks back for minutes needs no
 * patience to begin. A changed input is believed when it has stayed. */
struct patience {
	uint32_t begin, end;
};
static const struct patience patience[CTD_MECHANISMS] = {
	[CTD_MECHANISM_RUN_QUEUE] = {2, 3},
	[CTD_MECHANISM_SMT] = {3, 6},
	[CTD_MECHANISM_MEMORY] = {1, 3},
	[CTD_MECHANISM_FRONTEND] = {1, 3},
	[CTD_MECHANISM_THROTTLING] = {2, UNSTOPPED},
};

/* @return true if it is tagged after this finding. */
static bool conclude(struct ctd_verdict *verdict, const struct ctd_finding *finding,
		     const struct patience *wanted, uint64_t time_ns)
{
	bool changes = verdict->tagged ? !finding->stays : finding->enters;

	if (finding->waits)
		return verdict->tagged;
	if (!changes) {
		verdict->streak = 0;
		return verdict->tagged;
	}
	if (!verdict->tagged && !verdict->streak)
		verdict->since_ns = time_ns;
	if (++verdict->streak >= (verdict->tagged ? wanted->end : wanted->begin)) {
		verdict->tagged = !verdict->tagged;
		verdict->streak = 0;
	}
	return verdict->tagged;
}

static void judge_one(struct ctd_neighbours *neighbours, struct ctd_subject *subject,
		      enum ctd_mechanism mechanism)
{
	struct ctd_verdict *verdict = &subject->verdicts[mechanism];
	struct ctd_finding finding = {0};

	/* The sums of what is over get smaller, but their ratios do not. Periods without a batch,
	 * as during a restart, say nothing of anybody. */
	if (neighbours->batches - subject->seen_in >= SILENT) {
		*verdict = (struct ctd_verdict){0};
		return;
	}
	/* Of what these two look at is the history; of the others nothing is known yet. */
	if (!subject->seen_in && mechanism != CTD_MECHANISM_MEMORY &&
	    mechanism != CTD_MECHANISM_FRONTEND)
		return;
	switch (mechanism) {
	case CTD_MECHANISM_RUN_QUEUE:
		ctd_judge_run_queue(neighbours, subject, &finding);
		break;
	case CTD_MECHANISM_SMT:
		ctd_judge_siblings(neighbours, subject, &finding);
		break;
	case CTD_MECHANISM_MEMORY:
		ctd_judge_pressure(neighbours, subject, KIND_MEMORY, &finding);
		break;
	case CTD_MECHANISM_FRONTEND:
		ctd_judge_pressure(neighbours, subject, KIND_FRONTEND, &finding);
		break;
	case CTD_MECHANISM_THROTTLING:
		ctd_judge_throttling(neighbours, subject, &finding);
		break;
	case CTD_MECHANISMS:
		break;
	}
	/* A tag without evidence of today would be one of data that is not there. */
	if (!conclude(verdict, &finding, &patience[mechanism], neighbours->time_ns) ||
	    !finding.tag.evidence_count)
		return;
	finding.tag.victim = &subject->names;
	finding.tag.domain = subject->domain;
	finding.tag.mechanism = mechanism;
	finding.tag.since_ns = verdict->since_ns;
	if (finding.tag.blame != CTD_BLAME_NEIGHBOUR)
		finding.tag.antagonists_count = 0;
	neighbours->tags[neighbours->tags_count++] = finding.tag;
}

static int by_domain(const void *a, const void *b)
{
	const struct ctd_subject *of_a = *(struct ctd_subject *const *)a,
				 *of_b = *(struct ctd_subject *const *)b;

	if (of_a->domain != of_b->domain)
		return of_a->domain < of_b->domain ? -1 : 1;
	return of_a->serial < of_b->serial ? -1 : of_a->serial > of_b->serial;
}

static int by_loss(const void *a, const void *b)
{
	const struct ctd_neighbour_tag *of_a = a, *of_b = b;

	if (of_a->blame != of_b->blame)
		return of_a->blame < of_b->blame ? -1 : 1;
	if (of_a->loss_cpus > of_b->loss_cpus || of_a->loss_cpus < of_b->loss_cpus)
		return of_a->loss_cpus > of_b->loss_cpus ? -1 : 1;
	return strcmp(of_a->victim->key, of_b->victim->key);
}

void ctd_judge_all(struct ctd_neighbours *neighbours)
{
	neighbours->tags_count = 0;
	if (!neighbours->tick)
		return;
	for (size_t i = 0; i < neighbours->subjects_count; i++) {
		ctd_scope_place(neighbours, neighbours->subjects[i]);
		for (int kind = 0; kind < KINDS; kind++)
			ctd_excess_update(neighbours->subjects[i], (enum ctd_kind)kind,
					  neighbours->tick);
	}
	qsort(neighbours->subjects, neighbours->subjects_count, sizeof(*neighbours->subjects),
	      by_domain);
	for (size_t i = 0; i < neighbours->subjects_count; i++) {
		struct ctd_subject *subject = neighbours->subjects[i];

		if (!i || subject->domain != neighbours->subjects[i - 1]->domain)
			ctd_scope_add_up(neighbours, subject->domain);
		for (int mechanism = 0; mechanism < CTD_MECHANISMS; mechanism++)
			judge_one(neighbours, subject, (enum ctd_mechanism)mechanism);
	}
	qsort(neighbours->tags, neighbours->tags_count, sizeof(*neighbours->tags), by_loss);
	ctd_series_make(neighbours);
}
