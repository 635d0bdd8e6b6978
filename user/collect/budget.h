/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* budget.h - decides what of a measurement is given up so that it stays within its budget, and when
 * it comes back. */
#ifndef COLLECT_BUDGET_H
#define COLLECT_BUDGET_H

#include <cgtopdown/budget.h>

/* What was spent is judged by windows. All limits below are counted in windows; one that is judged
 * late is longer, and still one. */
#define CTD_BUDGET_WINDOW_NS 5000000000ull
/* So many in a row above the limit, before something is given up: one may be a peak. */
#define CTD_BUDGET_OVER_WINDOWS 2
/* Something comes back after so many good windows, which are below three quarters of the limit. A
 * window above that cancels so many good ones. */
#define CTD_BUDGET_WAIT_LEAST 12
#define CTD_BUDGET_HIGH_WINDOW 3
/* Each time that what came back is given up again the next wait is twice as long, up to about an
 * hour; each hour without anything to give up halves it. */
#define CTD_BUDGET_WAIT_MOST (64 * CTD_BUDGET_WAIT_LEAST)
#define CTD_BUDGET_HOUR 720
/* What could not be changed is left alone for so many, or for fewer where it was only busy. */
#define CTD_BUDGET_BARRED_WINDOWS CTD_BUDGET_HOUR
#define CTD_BUDGET_BUSY_WINDOWS CTD_BUDGET_WAIT_LEAST

/* Plain data; begins with ctd_budget_begin(), and ctd_budget_settle(). */
struct ctd_budget {
	struct ctd_budget_state state;
	uint64_t window_ns;
	/* The present window: its begin, and what had been spent by then. */
	uint64_t begun_ns, begun_cost_ns;
	bool settles; /* what a change took is in it: it is not judged */
	unsigned int over, within; /* windows in a row above the limit, or not above it */
	unsigned int room; /* windows far below it, less what others took away */
	unsigned int wait; /* how much room it takes for something to come back */
	unsigned int quiet; /* windows since something was given up, or the wait was halved */
	bool came_back; /* something did since then */
	unsigned int wait_before, quiet_before; /* the last change, if that is refused */
	/* Of parts that could not be changed: for so many windows they are left alone. */
	unsigned int barred_windows[CTD_BUDGET_PARTS];
};

/* Bits of enum ctd_budget_part. */
struct ctd_budget_parts {
	uint64_t measured; /* now, or if it were not given up */
	uint64_t asked_for; /* by the user: given up last */
};

enum ctd_budget_step {
	CTD_BUDGET_STAY,
	CTD_BUDGET_GIVE_UP,
	CTD_BUDGET_BRING_BACK,
	/* `exceeded` is another one than before. */
	CTD_BUDGET_EXCEEDED,
	CTD_BUDGET_WITHIN,
};
struct ctd_budget_change {
	enum ctd_budget_step step;
	enum ctd_budget_part part; /* that is given up, or comes back */
};

/* @p limit_ppm 0: there is none, and nothing is ever changed. @p window_ns 0: as above. */
void ctd_budget_begin(struct ctd_budget *budget, uint64_t limit_ppm, uint64_t window_ns);
/* When ctd_budget_look() has anything to judge; UINT64_MAX without a limit. */
uint64_t ctd_budget_next_ns(const struct ctd_budget *budget);
/*
 * Judges a window that is over. @p cost_ns: CPU time that was spent since whenever, a total; of
 * @p cpus. @return what is to be changed, a part at a time; it is in `state` by then. The caller
 * does it and calls ctd_budget_settle(); if it cannot be done, ctd_budget_refuse() before that.
 */
struct ctd_budget_change ctd_budget_look(struct ctd_budget *budget, uint64_t now_ns,
					 uint64_t cost_ns, uint32_t cpus,
					 const struct ctd_budget_parts *parts);
/* A window begins that is not judged, as what the change itself took is in it. */
void ctd_budget_settle(struct ctd_budget *budget, uint64_t now_ns, uint64_t cost_ns);
/* The part stays as it was, and is left alone for so many windows. */
void ctd_budget_refuse(struct ctd_budget *budget, const struct ctd_budget_change *change,
		       unsigned int windows);

#endif
