/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* budget.h - what the measurement itself may cost, what it did cost, and what was given up for it:
 * plain data. */
#ifndef CGTOPDOWN_BUDGET_H
#define CGTOPDOWN_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* What can be given up, in this order; what the user asked for by an option comes after all that
 * was not asked for. It comes back in the opposite order. */
enum ctd_budget_part {
	CTD_BUDGET_WAITS, /* waits for a CPU, their pairs, and parts by hardware threads */
	CTD_BUDGET_FREQUENCY, /* three of four samples of stacks */
	/* Four of five steps in which groups of counters rotate, by which a drill-down goes. */
	CTD_BUDGET_ROTATION,
	CTD_BUDGET_GENERAL, /* the group beside the tree */
	CTD_BUDGET_LEVEL, /* level 2 */
	CTD_BUDGET_INTERVAL, /* four of five intervals */
	CTD_BUDGET_PARTS,
};

/* As of a snapshot. The members are 64-bit figures, as a recording has them: new parts come last. */
struct ctd_budget_state {
	uint64_t limit_ppm; /* millionths of all CPU time of the machine; 0: there is no budget */
	/* Of the last window that was judged: CPU time of our own, and that of all CPUs. */
	uint64_t cost_ns, capacity_ns; /* 0: none was yet */
	uint64_t given_up; /* bits of enum ctd_budget_part */
	uint64_t exceeded; /* 1: all that can be given up is, and the budget is exceeded still */
	uint64_t changes[CTD_BUDGET_PARTS]; /* times that a part was given up, or came back */
};
#define CTD_BUDGET_FIGURES (sizeof(struct ctd_budget_state) / sizeof(uint64_t))

static inline bool ctd_budget_gave_up(const struct ctd_budget_state *state,
				      enum ctd_budget_part part)
{
	return state->given_up >> part & 1;
}

/* Was the part measured all the time from @p before to @p after? Else its totals stood still for
 * some of it. */
static inline bool ctd_budget_measured(const struct ctd_budget_state *before,
				       const struct ctd_budget_state *after,
				       enum ctd_budget_part part)
{
	return !ctd_budget_gave_up(after, part) && before->changes[part] == after->changes[part];
}

/* How long an interval is to be: where that was given up five times as long as was asked for, up to
 * these five seconds. */
#define CTD_BUDGET_INTERVAL_NS 5000000000ull
static inline uint64_t ctd_budget_stretch(const struct ctd_budget_state *state,
					  uint64_t interval_ns)
{
	if (!ctd_budget_gave_up(state, CTD_BUDGET_INTERVAL) ||
	    interval_ns >= CTD_BUDGET_INTERVAL_NS)
		return interval_ns;
	return interval_ns < CTD_BUDGET_INTERVAL_NS / 5 ? 5 * interval_ns : CTD_BUDGET_INTERVAL_NS;
}

/* "level_2", for programs. */
const char *ctd_budget_part_name(enum ctd_budget_part part);
/* What is missing without it, for people: "level 2 of the tree". */
const char *ctd_budget_part_text(enum ctd_budget_part part);

#endif
