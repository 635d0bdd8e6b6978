/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* draw.h - draws what the screen shows on a canvas. */
#ifndef TOP_DRAW_H
#define TOP_DRAW_H

#include "top/canvas.h"
#include "top/state.h"
#include "top/view.h"

/* What is said of the source, for as long as it is one. */
struct ctd_top_source {
	char name[160]; /* "this machine", "run.ctd", "serve at https://node:9753" */
	bool has_time_line; /* it is a recording */
};

/* Everything: settles the state, and tells the view where things are. */
void ctd_top_draw(struct ctd_canvas *canvas, struct ctd_top_state *state, struct ctd_top_view *view,
		  const struct ctd_top_source *source);

/* Private to user/top/. The rows from @p row up to @p end. */
void ctd_top_draw_list(struct ctd_canvas *canvas, int row, int end, struct ctd_top_state *state,
		       struct ctd_top_view *view);
void ctd_top_draw_detail(struct ctd_canvas *canvas, int row, int end, struct ctd_top_state *state,
			 struct ctd_top_view *view);
struct ctd_top_page_text;
/* As far as they are known. @p figure_end: column behind the figures. */
void ctd_top_draw_waits(struct ctd_top_page_text *page, const struct ctd_report_row *row,
			uint64_t window_ns, int figure_end);
/* Where the source samples stacks, or could. */
void ctd_top_draw_functions(struct ctd_top_page_text *page, const struct ctd_top_view *view,
			    const struct ctd_report_row *row);
void ctd_top_draw_text(struct ctd_canvas *canvas, int row, int end, struct ctd_top_state *state,
		       struct ctd_top_view *view);
/* How much is said above and below, in rows; what has no room is left out. */
int ctd_top_draw_head(struct ctd_canvas *canvas, const struct ctd_top_state *state,
		      const struct ctd_top_view *view, const struct ctd_top_source *source);
int ctd_top_draw_foot(struct ctd_canvas *canvas, struct ctd_top_state *state,
		      const struct ctd_top_view *view, const struct ctd_top_source *source);

#endif
