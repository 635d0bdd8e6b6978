/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* canvas.h - the cells of a screen, before any terminal. */
#ifndef TOP_CANVAS_H
#define TOP_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

/* What a colour says. */
enum ctd_paint {
	CTD_PAINT_PLAIN,
	CTD_PAINT_HEAD,
	CTD_PAINT_DIM, /* of less interest */
	CTD_PAINT_SIMULATED,
	CTD_PAINT_WARM, /* above its threshold */
	CTD_PAINT_BAD, /* the bottleneck; an error */
	CTD_PAINT_RETIRING,
	CTD_PAINT_BAD_SPECULATION,
	CTD_PAINT_FRONTEND,
	CTD_PAINT_BACKEND,
	CTD_PAINT_OTHER, /* of level 1, and none of the four */
	CTD_PAINT_TREND,
	CTD_PAINTS,
};

struct ctd_cell {
	int code; /* 0: the right half of the character before */
	uint8_t paint, ground; /* ground: CTD_PAINT_PLAIN is the terminal's own */
	bool reversed;
};

struct ctd_canvas {
	int width, height;
	struct ctd_cell *cells; /* owned */
	bool unicode, colour;
};

/* Empty. @return 0 or -ENOMEM. */
int ctd_canvas_init(int width, int height, struct ctd_canvas *canvas);
void ctd_canvas_free(struct ctd_canvas *canvas);
struct ctd_cell *ctd_canvas_cell(struct ctd_canvas *canvas, int row, int column);

/* Writes as much of a text as has room in @p width columns, and on the canvas. @return the columns
 * that it took. */
int ctd_canvas_put(struct ctd_canvas *canvas, int row, int column, int width, enum ctd_paint paint,
		   const char *text);
int ctd_canvas_putf(struct ctd_canvas *canvas, int row, int column, int width, enum ctd_paint paint,
		    const char *format, ...) __attribute__((format(printf, 6, 7)));
/* The same, to end at the column before @p end. */
void ctd_canvas_put_right(struct ctd_canvas *canvas, int row, int end, enum ctd_paint paint,
			  const char *text);
void ctd_canvas_reverse(struct ctd_canvas *canvas, int row);
/* All rows as text, without colours, blanks at ends cut: the caller's. @return NULL without memory.
 */
char *ctd_canvas_text(const struct ctd_canvas *canvas);

#endif
