/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* profile.h - stacks weighted with slots: the exact figures of each row, divided among its stacks. */
#ifndef CGTOPDOWN_PROFILE_H
#define CGTOPDOWN_PROFILE_H

#include <cgtopdown/interval.h>
#include <cgtopdown/rollup.h>
#include <cgtopdown/stacks.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whose windows say into which categories a stack's slots fall. */
enum ctd_shares_of {
	CTD_SHARES_STACK, /* its own */
	CTD_SHARES_FUNCTION, /* those of other stacks of the row with the same innermost function */
	CTD_SHARES_ROW, /* none: the exact shares of the whole row */
	CTD_SHARES_COUNT,
};

struct ctd_profile_stack {
	uint32_t trace; /* index into the stacks' traces; in each row once */
	enum ctd_shares_of shares_of;
	uint64_t samples, windows;
	uint64_t events; /* where an event was sampled: how often it came; the rest is 0 then */
	uint64_t cpu_ns, slots;
	const uint64_t *node_slots; /* by the nodes of the plan's model; 0 where the row's is not
				       known */
};

/*
 * A row of the rollup on one core type. The sums over its stacks are its exact figures: CPU time,
 * slots, and slots of each node, in integers; where an event was sampled, they are its events.
 */
struct ctd_profile_row {
	const struct ctd_rollup_row *row; /* borrowed */
	int core_type; /* index */
	uint64_t cpu_ns, slots; /* slots: 0 unless slots_known */
	uint64_t events; /* as of stacks */
	uint64_t whole_cpu_ns; /* before any of it was left out; 0: nothing was */
	bool slots_known;
	const uint64_t *node_slots; /* by the nodes of the plan's model */
	uint32_t node_slots_known; /* a bit for each node */
	/* Quality. */
	uint64_t samples,
		windows; /* windows / samples: the part that says something of categories */
	double factor; /* exact CPU time / sampled time; NaN without samples */
	uint64_t slots_by_source[CTD_SHARES_COUNT]; /* enum ctd_shares_of; their sum is slots */
	struct ctd_profile_stack *stacks; /* the largest first; at least one */
	size_t stacks_count;
};

struct ctd_profile {
	const struct ctd_rollup *rollup; /* borrowed */
	const struct ctd_stacks *stacks; /* borrowed */
	uint32_t node_slots_known; /* of any row */
	bool slots_known; /* of any row: those of its stacks, which those of an event have not */
	uint64_t samples; /* of all rows */
	uint64_t lost_samples; /* of cgroups that have no row in the interval: in no figure here */
	struct ctd_profile_row *rows; /* owned; in the order of the rollup, without idle */
	size_t rows_count;
	struct ctd_profile_stack *row_stacks; /* owned */
	uint64_t *node_slots; /* owned */
};

/*
 * Divides the figures of each row of @p rollup, which is of @p interval, among the stacks sampled
 * in it. All three must outlive the profile. @return 0, -ENOMEM, or -EBADMSG: the stacks are of
 * other counters.
 */
int ctd_profile_make(const struct ctd_stacks *stacks, const struct ctd_interval *interval,
		     const struct ctd_rollup *rollup, struct ctd_profile *ret_profile);
/*
 * Leaves a trace out of all rows, and time that was not sampled, with their parts of the figures:
 * what stays is no longer exact, but a share by samples of what is. Rows of nothing else go.
 */
void ctd_profile_leave_out(struct ctd_profile *profile, uint32_t trace);
void ctd_profile_free(struct ctd_profile *profile);

/*
 * Lets the profile refer to @p common, where functions are what they are called, whatever their
 * build and address: so profiles of two runs can be compared. A row may have a trace more than once
 * then. With an error it must be freed. @return 0 or -ENOMEM.
 */
int ctd_profile_translate(struct ctd_profile *profile, struct ctd_stacks *common);

#endif
