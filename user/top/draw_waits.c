/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* draw_waits.c - how long a row's tasks waited for a CPU, and who had it. */
#include <cgtopdown/waits.h>

#include <inttypes.h>

#include "format/format.h"
#include "top/draw.h"
#include "top/text.h"

#define CAUSE_COLUMN 2

static const char *const cause_texts[CTD_WAIT_CAUSES] = {
	[CTD_WAIT_OWN] = "for tasks of its own",   [CTD_WAIT_OTHER] = "for other cgroups",
	[CTD_WAIT_KERNEL] = "for kernel threads",  [CTD_WAIT_IDLE] = "for a CPU to wake up",
	[CTD_WAIT_THROTTLED] = "for its quota",	   [CTD_WAIT_UNKNOWN] = "for what is not known",
	[CTD_WAIT_SHORT] = "less than 50 us each",
};

void ctd_top_draw_waits(struct ctd_top_page_text *page, const struct ctd_report_row *row,
			uint64_t window_ns, int figure_end)
{
	char text[CTD_FIGURE_BYTES];

	if (!row->waits_known)
		return;
	page->row++;
	ctd_format_cpu(ctd_waits_ns(&row->waits), window_ns, text);
	ctd_canvas_put(&page->canvas, page->row, 0, page->canvas.width, CTD_PAINT_HEAD, "WAIT%");
	ctd_canvas_put_right(&page->canvas, page->row, figure_end, CTD_PAINT_HEAD, text);
	ctd_canvas_putf(&page->canvas, page->row++, figure_end + CAUSE_COLUMN, page->canvas.width,
			CTD_PAINT_DIM, "%" PRIu64 " waits, put off a CPU %" PRIu64 " times",
			ctd_waits_count(&row->waits), (uint64_t)row->waits.preempted);
	for (int cause = 0; cause < CTD_WAIT_CAUSES; cause++) {
		if (!row->waits.ns[cause])
			continue;
		ctd_format_cpu(row->waits.ns[cause], window_ns, text);
		ctd_canvas_put_right(&page->canvas, page->row, figure_end, CTD_PAINT_PLAIN, text);
		ctd_canvas_put(&page->canvas, page->row++, figure_end + CAUSE_COLUMN,
			       page->canvas.width, CTD_PAINT_DIM, cause_texts[cause]);
	}
}
