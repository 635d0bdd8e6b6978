/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* budget.h - what the measurement itself may cost, as outputs say it. */
#ifndef FORMAT_BUDGET_H
#define FORMAT_BUDGET_H

#include <cgtopdown/budget.h>

#include "base/json.h"
#include "base/strbuf.h"

/* CPU time of our own, as a part of the machine's, 0..1; NaN: no window is over yet. */
double ctd_budget_cost_ratio(const struct ctd_budget_state *state);
double ctd_budget_limit_ratio(const struct ctd_budget_state *state);
/* Names of what is given up, with blanks between them; nothing where nothing is. */
void ctd_budget_add_given_up(struct ctd_strbuf *text, const struct ctd_budget_state *state);
/* "budget 0.71% of 0.5%, exceeded"; nothing without a budget. */
void ctd_budget_add_text(struct ctd_strbuf *text, const struct ctd_budget_state *state);
/* Adds the member "budget"; nothing without one. */
void ctd_budget_add_json(struct ctd_json *json, const struct ctd_budget_state *state);

#endif
