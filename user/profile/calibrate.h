/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* calibrate.h - corrects how often stacks were sampled, by what was counted exactly. Private to
 * user/profile/. */
#ifndef PROFILE_CALIBRATE_H
#define PROFILE_CALIBRATE_H

#include <cgtopdown/cpu.h>
#include <stddef.h>
#include <stdint.h>

/* A figure that is known exactly of all stacks together, and by estimate of each. */
struct ctd_control {
	const uint64_t *estimates; /* of each stack; borrowed */
	uint64_t total;
};

/*
 * @p ret_factors: for each stack how many samples it should have had for one that it had: 1/2 to 2.
 * Stacks with the same mix of figures get the same factor.
 */
void ctd_calibrate(const struct ctd_control *controls, int controls_count, const uint64_t *samples,
		   size_t stacks_count, double *ret_factors);

#endif
