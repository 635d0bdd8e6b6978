/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bar.h - shares and trends, drawn in cells. */
#ifndef TOP_BAR_H
#define TOP_BAR_H

#include <cgtopdown/report.h>

#include "top/canvas.h"

/* The colour of a node of level 1. */
enum ctd_paint ctd_top_paint(enum ctd_node_role role);
/* That of the node of level 1 which a node is a part of. */
enum ctd_paint ctd_top_paint_of(const struct ctd_cpu_model *model, int node);

/* The nodes of level 1 one after the other, in @p width cells. @p values: of each of the model's
 * nodes; what is not known has no part. */
void ctd_top_bar(struct ctd_canvas *canvas, int row, int column, int width,
		 const struct ctd_cpu_model *model, const struct ctd_value *values);
/* One share of @p width cells. */
void ctd_top_bar_one(struct ctd_canvas *canvas, int row, int column, int width,
		     enum ctd_paint paint, double ratio);
/* Columns as high as @p values are of @p most; NaN has none. */
void ctd_top_spark(struct ctd_canvas *canvas, int row, int column, int cells, enum ctd_paint paint,
		   const double *values, double most);

#endif
