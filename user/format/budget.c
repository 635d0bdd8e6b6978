/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* budget.c - says what the measurement itself may cost, and what was given up for it. */
#include "format/budget.h"

#include <math.h>

double ctd_budget_cost_ratio(const struct ctd_budget_state *state)
{
	return state->capacity_ns ? (double)state->cost_ns / (double)state->capacity_ns : NAN;
}

double ctd_budget_limit_ratio(const struct ctd_budget_state *state)
{
	return (double)state->limit_ppm / 1e6;
}

void ctd_budget_add_given_up(struct ctd_strbuf *text, const struct ctd_budget_state *state)
{
	const char *between = "";

	for (int part = 0; part < CTD_BUDGET_PARTS; part++) {
		if (!ctd_budget_gave_up(state, part))
			continue;
		ctd_strbuf_addf(text, "%s%s", between, ctd_budget_part_name(part));
		between = " ";
	}
}

void ctd_budget_add_text(struct ctd_strbuf *text, const struct ctd_budget_state *state)
{
	double cost = ctd_budget_cost_ratio(state);

	if (!state->limit_ppm)
		return;
	if (isnan(cost))
		ctd_strbuf_add(text, "budget -");
	else
		ctd_strbuf_addf(text, "budget %.2g%%", 100 * cost);
	ctd_strbuf_addf(text, " of %.4g%%", 100 * ctd_budget_limit_ratio(state));
	if (state->exceeded)
		ctd_strbuf_add(text, ", exceeded");
}

void ctd_budget_add_json(struct ctd_json *json, const struct ctd_budget_state *state)
{
	if (!state->limit_ppm)
		return;
	ctd_json_begin_object(json, "budget");
	ctd_json_real(json, "limit", ctd_budget_limit_ratio(state), 1e6);
	ctd_json_real(json, "cost", ctd_budget_cost_ratio(state), 1e8);
	ctd_json_begin_array(json, "given_up");
	for (int part = 0; part < CTD_BUDGET_PARTS; part++)
		if (ctd_budget_gave_up(state, part))
			ctd_json_string(json, NULL, ctd_budget_part_name(part));
	ctd_json_end_array(json);
	ctd_json_bool(json, "exceeded", state->exceeded);
	ctd_json_begin_object(json, "changes");
	for (int part = 0; part < CTD_BUDGET_PARTS; part++)
		if (state->changes[part])
			ctd_json_integer(json, ctd_budget_part_name(part), state->changes[part]);
	ctd_json_end_object(json);
	ctd_json_end_object(json);
}
