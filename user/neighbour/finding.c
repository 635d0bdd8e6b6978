/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* finding.c - puts together what a tag says. */
#include <string.h>

#include "neighbour/detector.h"

const char *ctd_mechanism_name(enum ctd_mechanism mechanism)
{
	static const char *const names[CTD_MECHANISMS] = {
		[CTD_MECHANISM_RUN_QUEUE] = "run_queue",   [CTD_MECHANISM_SMT] = "smt",
		[CTD_MECHANISM_MEMORY] = "memory",	   [CTD_MECHANISM_FRONTEND] = "frontend",
		[CTD_MECHANISM_THROTTLING] = "throttling",
	};

	return names[mechanism];
}

const char *ctd_blame_name(enum ctd_blame blame)
{
	static const char *const names[CTD_BLAMES] = {
		[CTD_BLAME_NEIGHBOUR] = "neighbour",
		[CTD_BLAME_MACHINE] = "machine",
		[CTD_BLAME_INPUT] = "input",
		[CTD_BLAME_SELF] = "self",
	};

	return names[blame];
}

bool ctd_cgroup_is_above(const char *cgroup, size_t bytes)
{
	return cgroup && strnlen(cgroup, bytes) == bytes &&
	       (cgroup[bytes] == '/' || !cgroup[bytes]);
}

static void add_evidence(struct ctd_neighbour_tag *tag, const char *name, double value)
{
	if (tag->evidence_count < CTD_EVIDENCE_MAX)
		tag->evidence[tag->evidence_count++] = (struct ctd_evidence){name, value};
}

void ctd_finding_add_evidence(struct ctd_finding *finding, const char *name, double value)
{
	add_evidence(&finding->tag, name, value);
}

void ctd_neighbours_add_evidence(struct ctd_neighbours *neighbours, size_t tag, const char *name,
				 double value)
{
	if (tag < neighbours->tags_count)
		add_evidence(&neighbours->tags[tag], name, value);
}

void ctd_finding_set_slots(struct ctd_finding *finding, const struct ctd_recent_siblings *siblings,
			   double cpu_ns)
{
	finding->tag.loss_slots_known = siblings->slots > 0 && siblings->counted_cpu_ns > 0;
	if (finding->tag.loss_slots_known)
		finding->tag.loss_slots = cpu_ns * siblings->slots / siblings->counted_cpu_ns;
}

void ctd_finding_add_antagonist(struct ctd_finding *finding, const struct ctd_subject *subject,
				double share, double least)
{
	struct ctd_neighbour_tag *tag = &finding->tag;
	size_t at = tag->antagonists_count;

	if (!subject || !(share >= least))
		return;
	while (at && tag->antagonists[at - 1].share < share)
		at--;
	if (at == CTD_ANTAGONISTS_MAX)
		return;
	if (tag->antagonists_count < CTD_ANTAGONISTS_MAX)
		tag->antagonists_count++;
	memmove(&tag->antagonists[at + 1], &tag->antagonists[at],
		(tag->antagonists_count - at - 1) * sizeof(*tag->antagonists));
	tag->antagonists[at] = (struct ctd_antagonist){&subject->names, share};
}

double ctd_finding_shares(const struct ctd_finding *finding)
{
	double sum = 0;

	for (size_t i = 0; i < finding->tag.antagonists_count; i++)
		sum += finding->tag.antagonists[i].share;
	return sum;
}
