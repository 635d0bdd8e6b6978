/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bar.c - stacked bars of the four ways that a slot can end, and sparklines. */
#include "top/bar.h"

#include <math.h>

#define PARTS 8 /* of a cell */

enum ctd_paint ctd_top_paint(enum ctd_node_role role)
{
	switch (role) {
	case CTD_ROLE_RETIRING:
		return CTD_PAINT_RETIRING;
	case CTD_ROLE_BAD_SPECULATION:
		return CTD_PAINT_BAD_SPECULATION;
	case CTD_ROLE_FRONTEND_BOUND:
	case CTD_ROLE_FRONTEND_STALLS:
		return CTD_PAINT_FRONTEND;
	case CTD_ROLE_BACKEND_BOUND:
	case CTD_ROLE_BACKEND_STALLS:
		return CTD_PAINT_BACKEND;
	default:
		return CTD_PAINT_OTHER;
	}
}

enum ctd_paint ctd_top_paint_of(const struct ctd_cpu_model *model, int node)
{
	while (model->nodes[node].parent >= 0)
		node = model->nodes[node].parent;
	return ctd_top_paint(model->nodes[node].role);
}

/* Where colours do not tell the parts, letters do: of retiring, speculation, front and back end. */
static const char letters[CTD_PAINTS] = {
	[CTD_PAINT_RETIRING] = 'r', [CTD_PAINT_BAD_SPECULATION] = 's', [CTD_PAINT_FRONTEND] = 'f',
	[CTD_PAINT_BACKEND] = 'b',  [CTD_PAINT_OTHER] = 'o',
};

/* "▏" to "▉" are U+258F down to U+2589; all of it is U+2588. */
static int block_of(int parts)
{
	return 0x2590 - parts;
}

/* Which share is at @p part, an eighth of a cell; the plain paint: none. */
static enum ctd_paint paint_at(const long ends[CTD_PAINTS], long part)
{
	for (int paint = CTD_PAINT_RETIRING; paint <= CTD_PAINT_OTHER; paint++)
		if (part < ends[paint])
			return (enum ctd_paint)paint;
	return CTD_PAINT_PLAIN;
}

/* One cell can show two shares, with their border at an eighth: those at its left and right end. */
static struct ctd_cell cell_of(const struct ctd_canvas *canvas, const long ends[CTD_PAINTS],
			       long first)
{
	enum ctd_paint left = paint_at(ends, first), right = paint_at(ends, first + PARTS - 1);
	struct ctd_cell cell = {.code = ' '};
	long border = left == CTD_PAINT_PLAIN ? 0 : ends[left] - first;

	if (!canvas->unicode || !canvas->colour) {
		enum ctd_paint middle = paint_at(ends, first + PARTS / 2);

		if (middle == CTD_PAINT_PLAIN)
			return cell;
		cell.code = (unsigned char)letters[middle];
		cell.paint = (uint8_t)middle;
		cell.reversed = canvas->colour;
		return cell;
	}
	if (left == CTD_PAINT_PLAIN)
		return cell;
	cell.paint = (uint8_t)left;
	cell.ground = (uint8_t)(right == left ? CTD_PAINT_PLAIN : right);
	cell.code = block_of(border >= PARTS ? PARTS : (int)border);
	return cell;
}

static void draw(struct ctd_canvas *canvas, int row, int column, int width,
		 const long ends[CTD_PAINTS])
{
	for (int i = 0; i < width; i++) {
		struct ctd_cell *cell = ctd_canvas_cell(canvas, row, column + i);

		if (cell)
			*cell = cell_of(canvas, ends, (long)i * PARTS);
	}
}

void ctd_top_bar(struct ctd_canvas *canvas, int row, int column, int width,
		 const struct ctd_cpu_model *model, const struct ctd_value *values)
{
	double share[CTD_PAINTS] = {0}, sum = 0;
	long ends[CTD_PAINTS];

	for (int i = 0; i < model->nodes_count; i++)
		if (model->nodes[i].level == 1 && ctd_value_known(values[i]))
			share[ctd_top_paint(model->nodes[i].role)] += values[i].ratio;
	for (int paint = CTD_PAINT_RETIRING; paint <= CTD_PAINT_OTHER; paint++) {
		sum += fmax(0, share[paint]);
		ends[paint] = lround(fmin(sum, 1) * width * PARTS);
	}
	draw(canvas, row, column, width, ends);
}

void ctd_top_bar_one(struct ctd_canvas *canvas, int row, int column, int width,
		     enum ctd_paint paint, double ratio)
{
	int parts = (int)lround(fmin(fmax(ratio, 0), 1) * width * PARTS);

	for (int i = 0; i < width && parts > 0; i++, parts -= PARTS) {
		struct ctd_cell *cell = ctd_canvas_cell(canvas, row, column + i);

		if (cell && (canvas->unicode || parts >= PARTS / 2))
			*cell = (struct ctd_cell){
				.code = canvas->unicode ? block_of(parts > PARTS ? PARTS : parts)
							: '#',
				.paint = (uint8_t)paint};
	}
}

void ctd_top_spark(struct ctd_canvas *canvas, int row, int column, int cells, enum ctd_paint paint,
		   const double *values, double most)
{
	static const char ascii[] = "_.-:=+*#";

	for (int i = 0; i < cells; i++) {
		struct ctd_cell *cell = ctd_canvas_cell(canvas, row, column + i);
		long height;

		if (!cell || isnan(values[i]))
			continue;
		height = most > 0 ? lround(fmin(values[i] / most, 1) * (PARTS - 1)) : 0;
		/* "▁" to "█" are U+2581 to U+2588. */
		cell->code = canvas->unicode ? (int)(0x2581 + height) : ascii[height];
		cell->paint = (uint8_t)paint;
	}
}
