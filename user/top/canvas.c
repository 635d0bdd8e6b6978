/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* canvas.c - cells, into which texts are cut to fit. */
#include "top/canvas.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/auto.h"
#include "base/strbuf.h"
#include "format/format.h"

int ctd_canvas_init(int width, int height, struct ctd_canvas *canvas)
{
	size_t count = (size_t)width * (size_t)height;

	if (width != canvas->width || height != canvas->height || !canvas->cells) {
		void *cells = reallocarray(canvas->cells, count + 1, sizeof(*canvas->cells));

		if (!cells)
			return -ENOMEM;
		canvas->cells = cells;
	}
	canvas->width = width;
	canvas->height = height;
	for (size_t i = 0; i < count; i++)
		canvas->cells[i] = (struct ctd_cell){.code = ' '};
	return 0;
}

void ctd_canvas_free(struct ctd_canvas *canvas)
{
	free(canvas->cells);
	canvas->cells = NULL;
}

struct ctd_cell *ctd_canvas_cell(struct ctd_canvas *canvas, int row, int column)
{
	if (row < 0 || row >= canvas->height || column < 0 || column >= canvas->width)
		return NULL;
	return &canvas->cells[(ptrdiff_t)row * canvas->width + column];
}

int ctd_canvas_put(struct ctd_canvas *canvas, int row, int column, int width, enum ctd_paint paint,
		   const char *text)
{
	int at = 0, code;

	if (width > canvas->width - column)
		width = canvas->width - column;
	if (row < 0 || row >= canvas->height || column < 0)
		return 0;
	for (size_t bytes; *text; text += bytes) {
		int columns;

		bytes = ctd_utf8_next(text, &code);
		columns = ctd_format_code_width(code);
		/* Texts are printable by now; what is not must not move the cursor. */
		if (columns < 1 || code < 0x20 || code == 0x7f) {
			code = '?';
			columns = 1;
		}
		if (at + columns > width)
			break;
		*ctd_canvas_cell(canvas, row, column + at) =
			(struct ctd_cell){.code = code, .paint = (uint8_t)paint};
		if (columns == 2)
			*ctd_canvas_cell(canvas, row, column + at + 1) =
				(struct ctd_cell){.paint = (uint8_t)paint};
		at += columns;
	}
	return at;
}

int ctd_canvas_putf(struct ctd_canvas *canvas, int row, int column, int width, enum ctd_paint paint,
		    const char *format, ...)
{
	autofree char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	return text ? ctd_canvas_put(canvas, row, column, width, paint, text) : 0;
}

void ctd_canvas_put_right(struct ctd_canvas *canvas, int row, int end, enum ctd_paint paint,
			  const char *text)
{
	int width = ctd_format_width(text);

	if (width <= end)
		ctd_canvas_put(canvas, row, end - width, width, paint, text);
}

void ctd_canvas_reverse(struct ctd_canvas *canvas, int row)
{
	for (int column = 0; column < canvas->width; column++) {
		struct ctd_cell *cell = ctd_canvas_cell(canvas, row, column);

		if (cell)
			cell->reversed = true;
	}
}

char *ctd_canvas_text(const struct ctd_canvas *canvas)
{
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	char text[5];

	for (int row = 0; row < canvas->height; row++) {
		const struct ctd_cell *cells = &canvas->cells[(ptrdiff_t)row * canvas->width];
		int end = canvas->width;

		while (end > 0 && cells[end - 1].code == ' ')
			end--;
		for (int column = 0; column < end; column++)
			if (cells[column].code) {
				ctd_utf8_encode(cells[column].code, text);
				ctd_strbuf_add(&out, text);
			}
		ctd_strbuf_add(&out, "\n");
	}
	return out.failed ? NULL : take_ptr(out.text);
}
