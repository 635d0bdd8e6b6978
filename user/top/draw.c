/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* draw.c - puts the parts of the screen together. */
#include "top/draw.h"

static void draw_nothing(struct ctd_canvas *canvas, int row, const struct ctd_top_view *view)
{
	const struct ctd_top_history *history = view->history;

	ctd_canvas_put(canvas, row, 0, canvas->width,
		       history->has_ended ? CTD_PAINT_BAD : CTD_PAINT_DIM,
		       history->has_ended ? "There is no interval to show."
					  : "The first interval has not ended yet.");
}

void ctd_top_draw(struct ctd_canvas *canvas, struct ctd_top_state *state, struct ctd_top_view *view,
		  const struct ctd_top_source *source)
{
	int row = ctd_top_draw_head(canvas, state, view, source);
	int end = canvas->height - ctd_top_draw_foot(canvas, state, view, source);

	state->seen.list_row = row;
	state->seen.page_lines = 0;
	if (!view->frame && state->page != CTD_TOP_HELP)
		draw_nothing(canvas, row, view);
	else if (state->page == CTD_TOP_HELP || state->page == CTD_TOP_EXPLAIN)
		ctd_top_draw_text(canvas, row, end, state, view);
	else if (state->page == CTD_TOP_DETAIL)
		ctd_top_draw_detail(canvas, row, end, state, view);
	else
		ctd_top_draw_list(canvas, row, end, state, view);
}
