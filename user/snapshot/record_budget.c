/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_budget.c - the block of what the measurement itself may cost, and did. */
#include "record_budget.h"

#include <errno.h>

#define PPM_MAX 1000000
#define PARTS ((UINT64_C(1) << CTD_BUDGET_PARTS) - 1)

void ctd_record_put_budget(struct ctd_record_cursor *cursor, const struct ctd_snapshot *snapshot)
{
	struct ctd_record_list head = {.sequence = snapshot->sequence,
				       .items_count = 1,
				       .figures_count = CTD_BUDGET_FIGURES};
	struct ctd_budget_state state = snapshot->budget;

	ctd_record_move_list(cursor, &head);
	ctd_record_move_figures(cursor, (uint64_t *)&state, CTD_BUDGET_FIGURES, CTD_BUDGET_FIGURES);
}

int ctd_record_take_budget(struct ctd_record_held *held, struct ctd_snapshot *snapshot)
{
	struct ctd_budget_state *state = &snapshot->budget;
	struct ctd_record_items items;
	int r = ctd_record_take_held(held, &items);

	if (r <= 0)
		return r;
	if (!items.list.figures_count || items.list.items_count != 1 ||
	    !ctd_record_items_are_of(&items, snapshot->sequence, 0))
		return -EBADMSG;
	ctd_record_move_figures(&items.cursor, (uint64_t *)state, CTD_BUDGET_FIGURES,
				items.list.figures_count);
	/* A later version may give up what is not known here. */
	state->given_up &= PARTS;
	return state->limit_ppm && state->limit_ppm <= PPM_MAX && state->exceeded <= 1 ? 0
										       : -EBADMSG;
}
