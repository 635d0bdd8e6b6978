/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* text.h - a page that may be longer than the screen. Private to user/top/. */
#ifndef TOP_TEXT_H
#define TOP_TEXT_H

#include "top/canvas.h"
#include "top/state.h"
#include "top/view.h"

#define CTD_TOP_PAGE_ROWS 120

/* A canvas of its own, of which a part is seen. */
struct ctd_top_page_text {
	struct ctd_canvas canvas; /* owned */
	int row; /* the next one */
};

/* @return 0 or -ENOMEM. */
int ctd_top_text_begin(const struct ctd_canvas *canvas, struct ctd_top_page_text *ret_page);
/* Words, wrapped; all lines but the first begin at @p indent. The next row is the one below. */
void ctd_top_text_add(struct ctd_top_page_text *page, int column, int indent, enum ctd_paint paint,
		      const char *text);
/* Shows the part that the state is at on the rows from @p row up to @p end, and frees the page. */
void ctd_top_text_end(struct ctd_top_page_text *page, struct ctd_canvas *canvas, int row, int end,
		      struct ctd_top_state *state);

#endif
