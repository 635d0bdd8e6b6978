/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* follower.h - a victim's excess over time, held against the pressure that others made meanwhile. */
#ifndef NEIGHBOUR_FOLLOWER_H
#define NEIGHBOUR_FOLLOWER_H

#include "neighbour/detector.h"

/* The excess without what the victim's own controls explain in the window; 0 where not known. */
struct ctd_follower {
	float excess[SERIES];
	double control[3][SERIES]; /* orthonormal */
	double norm;
	int count; /* samples */
};

struct ctd_suspect {
	const struct ctd_subject *subject;
	double share; /* covariance with the excess, of that of all others together */
};

void ctd_follower_make(const struct ctd_subject *victim, enum ctd_kind kind, uint64_t tick,
		       struct ctd_follower *ret_follower);
double ctd_follower_dot(const float *a, const float *b);
/* Correlation of a pressure with the excess, both without the controls. */
double ctd_follower_correlate(const struct ctd_follower *follower, const float *pressure);
/* others.c: are slots of this kind known of what others did, wherever they ran, but for a small
 * part of all CPU time? */
bool ctd_others_are_counted(const struct ctd_neighbours *neighbours,
			    const struct ctd_subject *victim, enum ctd_kind kind);
/* The largest correlation of what others do on CPUs of other domains, whose slots are none of the
 * victim's, but who may share its caches and its memory. Subjects are in the order of domains. */
double ctd_others_elsewhere(const struct ctd_neighbours *neighbours,
			    const struct ctd_subject *victim, enum ctd_kind kind,
			    const struct ctd_follower *follower);
/* Keeps those with the largest shares in suspects[CTD_ANTAGONISTS_MAX], the largest first. */
void ctd_suspect_add(struct ctd_suspect *suspects, size_t *count, const struct ctd_subject *subject,
		     double share);
/*
 * Divides the shares of all suspects anew: by the effect of each while the others are what they
 * are, times how much pressure it made. Covariances alone say who varied most.
 */
void ctd_follower_tell_apart(const struct ctd_follower *follower, enum ctd_kind kind,
			     struct ctd_suspect *suspects, size_t count);

#endif
