/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* text.c - pages of words that can be scrolled. */
#include "top/text.h"

#include <string.h>

#include "base/auto.h"
#include "format/format.h"

int ctd_top_text_begin(const struct ctd_canvas *canvas, struct ctd_top_page_text *ret_page)
{
	*ret_page = (struct ctd_top_page_text){
		.canvas = {.unicode = canvas->unicode, .colour = canvas->colour}};
	return ctd_canvas_init(canvas->width, CTD_TOP_PAGE_ROWS, &ret_page->canvas);
}

/* One that is wider than the page goes on in the next row. @return the column behind it. */
static int add_word(struct ctd_top_page_text *page, int at, int indent, enum ctd_paint paint,
		    const char *word)
{
	struct ctd_canvas *canvas = &page->canvas;

	while (indent < canvas->width - 2 && ctd_format_width(word) > canvas->width - at) {
		int room = canvas->width - at, code;
		size_t bytes;

		ctd_canvas_put(canvas, page->row, at, room, paint, word);
		for (; *word; word += bytes) {
			bytes = ctd_utf8_next(word, &code);
			room -= ctd_format_code_width(code);
			if (room < 0)
				break;
		}
		page->row++;
		at = indent;
	}
	return at + ctd_canvas_put(canvas, page->row, at, canvas->width - at, paint, word);
}

void ctd_top_text_add(struct ctd_top_page_text *page, int column, int indent, enum ctd_paint paint,
		      const char *text)
{
	int width = page->canvas.width, at = column;
	bool empty = true;

	while (*text) {
		size_t bytes = strcspn(text, " ");
		autofree char *word = strndup(text, bytes);
		int columns = word ? ctd_format_width(word) : 0;

		if (!empty && at + 1 + columns > width) {
			page->row++;
			at = indent;
			empty = true;
		}
		at += !empty;
		if (word)
			at = add_word(page, at, indent, paint, word);
		empty = false;
		text += bytes;
		text += strspn(text, " ");
	}
	page->row++;
}

void ctd_top_text_end(struct ctd_top_page_text *page, struct ctd_canvas *canvas, int row, int end,
		      struct ctd_top_state *state)
{
	int height = end > row ? end - row : 0;
	int last = page->row > height ? page->row - height : 0;

	if (state->text_first > (size_t)last)
		state->text_first = (size_t)last;
	state->seen.text_lines = (size_t)page->row;
	state->seen.text_page = (size_t)height;
	for (int i = 0; i < height && (int)state->text_first + i < CTD_TOP_PAGE_ROWS; i++)
		for (int column = 0; column < canvas->width; column++)
			*ctd_canvas_cell(canvas, row + i, column) =
				*ctd_canvas_cell(&page->canvas, (int)state->text_first + i, column);
	ctd_canvas_free(&page->canvas);
}
