/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* others.c - whether a container's excess can be held to be of its own making: what others did must
 * be known. */
#include <math.h>
#include <string.h>

#include "neighbour/follower.h"

/* Of all CPU time, others' that may be without slots. Some of 1,000 containers always are, and who
 * hardly runs presses on nobody. */
#define UNCOUNTED_MOST 0.1

static bool is_same_text(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

/* Of one container, on cores of two types? */
static bool is_same(const struct ctd_subject *a, const struct ctd_subject *b)
{
	return a == b || is_same_text(a->names.key, b->names.key) ||
	       is_same_text(a->names.cgroup, b->names.cgroup);
}

bool ctd_others_are_counted(const struct ctd_neighbours *neighbours,
			    const struct ctd_subject *victim, enum ctd_kind kind)
{
	double cpu_ns = 0, uncounted_ns = 0;

	for (size_t i = 0; i < neighbours->subjects_count; i++) {
		const struct ctd_subject *other = neighbours->subjects[i];

		cpu_ns += other->siblings.cpu_ns;
		if (!is_same(other, victim))
			uncounted_ns +=
				other->siblings.cpu_ns * (double)other->excess[kind].uncounted;
	}
	return uncounted_ns <= UNCOUNTED_MOST * cpu_ns;
}

double ctd_others_elsewhere(const struct ctd_neighbours *neighbours,
			    const struct ctd_subject *victim, enum ctd_kind kind,
			    const struct ctd_follower *follower)
{
	float pressure[SERIES] = {0};
	double most = 0;

	/* Subjects of a domain stand together. */
	for (size_t i = 0; i < neighbours->subjects_count; i++) {
		const struct ctd_subject *other = neighbours->subjects[i];
		bool is_last = i + 1 == neighbours->subjects_count ||
			       neighbours->subjects[i + 1]->domain != other->domain;

		if (other->domain == victim->domain)
			continue;
		if (!is_same(other, victim))
			for (size_t t = 0; t < SERIES; t++)
				pressure[t] += other->excess[kind].pressure[t];
		if (!is_last)
			continue;
		most = fmax(most, ctd_follower_correlate(follower, pressure));
		memset(pressure, 0, sizeof(pressure));
	}
	return most;
}
