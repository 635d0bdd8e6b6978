/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weigh.h - the exact figures of one row, divided among its stacks. Private to user/profile/. */
#ifndef PROFILE_WEIGH_H
#define PROFILE_WEIGH_H

#include <cgtopdown/profile.h>

/* What was sampled of one trace in one row on one core type. */
struct ctd_sampled {
	uint32_t trace;
	uint32_t function; /* the innermost */
	uint64_t samples, windows, windows_ns;
	uint64_t *count; /* borrowed; of these windows */
};

/* One row on one core type. */
struct ctd_weigh_input {
	const struct ctd_rollup_plan *plan;
	const struct ctd_rollup_part *part; /* exact */
	int core_type;
	uint64_t period_ns;
	const struct ctd_sampled *sampled; /* at least one */
	size_t sampled_count;
};

/*
 * @p ret_stacks: of each of `sampled`. @p ret_node_slots: for each of them one for each node of the
 * plan's model, all 0 before. The sums are the part's. @return 0 or -ENOMEM.
 */
int ctd_weigh(const struct ctd_weigh_input *input, struct ctd_profile_stack *ret_stacks,
	      uint64_t *ret_node_slots);

/* estimate.c: what windows say of slots. */
struct ctd_estimate {
	bool known; /* it says something of level 1 */
	double slots_per_ns;
	double ratio[CTD_NODES_MAX]; /* by the nodes of the core type's model; NaN: not known */
};

/* From which estimates a stack takes what it needs, the first that knows. */
#define CTD_ESTIMATES_MAX 4
struct ctd_estimate_chain {
	const struct ctd_estimate *at[CTD_ESTIMATES_MAX];
	enum ctd_shares_of shares_of; /* whose the first is */
	int count;
};

/* What is known of the stacks of a row. */
struct ctd_estimates {
	struct ctd_estimate *stacks; /* owned; of each of `sampled` */
	struct ctd_estimate *functions; /* owned; of the innermost functions */
	uint32_t *function_of; /* owned; of each of `sampled` its index in `functions` */
	struct ctd_estimate windows; /* of all windows of the row */
	struct ctd_estimate exact; /* of the row itself */
};

int ctd_estimates_make(const struct ctd_weigh_input *input, struct ctd_estimates *ret_estimates);
void ctd_estimates_free(struct ctd_estimates *estimates);
void ctd_estimates_chain(const struct ctd_estimates *estimates, size_t stack,
			 struct ctd_estimate_chain *ret_chain);
/* A node's part of its parent's slots, or of all slots: 0..1, or 0 where no estimate knows. */
double ctd_estimate_share(const struct ctd_estimate_chain *chain, int node, int parent);

#endif
