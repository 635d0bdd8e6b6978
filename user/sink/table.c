/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* table.c - a table for people: where the slots of each row go, and what holds it back. */
#include <cgtopdown/sink.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "base/strbuf.h"
#include "format/banner.h"
#include "format/cells.h"
#include "format/colour.h"
#include "format/format.h"
#include "format/layout.h"
#include "format/vendor_tree.h"

#define BOTTLENECK_BYTES 512

struct drawing {
	const struct ctd_report *report;
	const struct ctd_sink_options *options;
	struct ctd_layout layout;
	struct ctd_cells *cells; /* borrowed */
};

static void add_columns(struct drawing *drawing)
{
	const struct ctd_report *report = drawing->report;

	if (report->simulated)
		ctd_cells_add_column(drawing->cells, "SIM", 0);
	ctd_cells_add_column(drawing->cells, "NAME", report->tree ? SCOLS_FL_TREE : 0);
	if (report->core_types_count > 1)
		ctd_cells_add_column(drawing->cells, CTD_LAYOUT_CORE_HEAD, 0);
	ctd_cells_add_column(drawing->cells, "CPU%", SCOLS_FL_RIGHT);
	if (report->waits) {
		ctd_cells_add_column(drawing->cells, CTD_LAYOUT_WAIT_HEAD, SCOLS_FL_RIGHT);
		ctd_cells_add_column(drawing->cells, CTD_LAYOUT_OTHER_HEAD, SCOLS_FL_RIGHT);
	}
	if (report->noisy)
		ctd_cells_add_column(drawing->cells, CTD_LAYOUT_NOISY_HEAD, 0);
	if (!report->model) {
		ctd_cells_add_column(drawing->cells, "SWITCHES", SCOLS_FL_RIGHT);
		ctd_cells_add_column(drawing->cells, "SLICES", SCOLS_FL_RIGHT);
		return;
	}
	for (int i = 0; i < report->model->nodes_count; i++)
		if (ctd_layout_shows(&drawing->layout, report, i))
			ctd_cells_add_column(drawing->cells, report->model->nodes[i].title,
					     SCOLS_FL_RIGHT);
	ctd_cells_add_column(drawing->cells, "BOTTLENECK", 0);
}

/* What does no work for anyone in particular is of less interest. */
static bool is_dim(const struct ctd_report_row *row)
{
	return row->kind >= CTD_ROLLUP_KERNEL;
}

static const char *node_colour(const struct ctd_report *report, const struct ctd_report_row *row,
			       int node)
{
	if (is_dim(row) || row->cool & 1u << node || !ctd_value_known(row->values[node]))
		return NULL;
	for (int i = row->dominant; i >= 0; i = report->model->nodes[i].parent)
		if (i == node)
			return CTD_COLOUR_BAD;
	return report->model->nodes[node].role == CTD_ROLE_RETIRING ? CTD_COLOUR_GOOD
								    : CTD_COLOUR_WARM;
}

static void add_bottleneck(struct drawing *drawing, const struct ctd_report_row *row)
{
	const struct ctd_layout *layout = &drawing->layout;
	char title[64], share[16] = "", bar[3 * 64 + 1], text[BOTTLENECK_BYTES];
	double ratio;

	if (row->dominant < 0) {
		ctd_cells_add(drawing->cells, row->quality <= CTD_LOW_CONFIDENCE ? "" : "-", NULL);
		return;
	}
	ratio = row->values[row->dominant].ratio;
	ctd_layout_title(drawing->report, row->dominant, layout->path, drawing->options->unicode,
			 title, sizeof(title));
	ctd_format_bar(ratio, layout->bar_cells, drawing->options->unicode, bar);
	if (layout->share)
		snprintf(share, sizeof(share), " %3.0f%%", 100 * ratio);
	snprintf(text, sizeof(text), "%s%*s%s%s%s", title,
		 layout->title_width - ctd_format_width(title), "", share, *bar ? " " : "", bar);
	ctd_cells_add(drawing->cells, text, is_dim(row) ? NULL : CTD_COLOUR_BAD);
}

/* Of all the time that its tasks wanted to run; and of it, while others had the CPU. */
static void add_waits(struct drawing *drawing, const struct ctd_report_row *row)
{
	uint64_t window_ns = drawing->report->window_ns;
	char text[CTD_FIGURE_BYTES];

	if (!row->waits_known) {
		ctd_cells_add(drawing->cells, "-", NULL);
		ctd_cells_add(drawing->cells, "-", NULL);
		return;
	}
	ctd_format_cpu(ctd_waits_ns(&row->waits), window_ns, text);
	ctd_cells_add(drawing->cells, text, NULL);
	ctd_format_cpu(row->waits.ns[CTD_WAIT_OTHER], window_ns, text);
	ctd_cells_add(drawing->cells, text, NULL);
}

static void add_figures(struct drawing *drawing, const struct ctd_report_row *row)
{
	const struct ctd_report *report = drawing->report;
	char text[CTD_FIGURE_BYTES];

	ctd_format_cpu(row->cpu_ns, report->window_ns, text);
	ctd_cells_add(drawing->cells, text, NULL);
	if (report->waits)
		add_waits(drawing, row);
	if (report->noisy)
		ctd_cells_add(drawing->cells, row->noisy ? row->noisy : "-",
			      row->noisy ? CTD_COLOUR_BAD : NULL);
	if (!report->model) {
		ctd_format_count(row->switches, text);
		ctd_cells_add(drawing->cells, text, NULL);
		ctd_format_count(row->slices, text);
		ctd_cells_add(drawing->cells, text, NULL);
		return;
	}
	for (int i = 0; i < report->model->nodes_count; i++) {
		if (!ctd_layout_shows(&drawing->layout, report, i))
			continue;
		ctd_format_value(row->values[i], report->model->nodes[i].unit, text);
		ctd_cells_add(drawing->cells, text, node_colour(report, row, i));
	}
	add_bottleneck(drawing, row);
}

static void add_row(struct drawing *drawing, const struct ctd_report_row *row)
{
	/* Lines are numbered as rows are. */
	ctd_cells_add_line(drawing->cells, row->parent, is_dim(row) ? CTD_COLOUR_DIM : NULL);
	if (drawing->report->simulated)
		ctd_cells_add(drawing->cells, "sim", CTD_COLOUR_SIMULATED);
	ctd_cells_add_name(drawing->cells, ctd_layout_name(drawing->report, row),
			   drawing->layout.name_width - ctd_layout_indent(row));
	if (drawing->report->core_types_count > 1)
		ctd_cells_add(drawing->cells, ctd_report_core_type_name(drawing->report, row),
			      NULL);
	add_figures(drawing, row);
}

/* The columns of a row that has something in the first and in those of the tree. */
static void add_total_nodes(struct drawing *drawing, const struct ctd_report_sum *sum)
{
	const struct ctd_report *report = drawing->report;
	char text[CTD_FIGURE_BYTES];

	for (int i = 0; i < report->model->nodes_count; i++) {
		struct ctd_value value = sum->values[i];

		if (!ctd_layout_shows(&drawing->layout, report, i))
			continue;
		/* There is no ratio of slots of two core types. */
		if (report->core_types_count > 1)
			value.quality = CTD_NO_DATA;
		ctd_format_value(value, report->model->nodes[i].unit, text);
		ctd_cells_add(drawing->cells, ctd_node_is_ipc(&report->model->nodes[i]) ? "" : text,
			      NULL);
	}
}

/* What all rows come to, idle left aside. A single one is its own sum. */
static void add_total(struct drawing *drawing)
{
	const struct ctd_report *report = drawing->report;
	struct ctd_report_sum sum;
	char text[CTD_FIGURE_BYTES];

	ctd_report_add_up(report, &sum);
	if (sum.rows_count < 2)
		return;
	ctd_cells_add_line(drawing->cells, -1, CTD_COLOUR_HEAD);
	if (report->simulated)
		ctd_cells_add(drawing->cells, "sim", CTD_COLOUR_SIMULATED);
	ctd_cells_add(drawing->cells, "(busy)", NULL);
	if (report->core_types_count > 1)
		ctd_cells_add(drawing->cells, "", NULL);
	ctd_format_cpu(sum.cpu_ns, report->window_ns, text);
	ctd_cells_add(drawing->cells, text, NULL);
	drawing->cells->column += (report->waits ? 2 : 0) + report->noisy;
	if (report->model)
		add_total_nodes(drawing, &sum);
}

/* Cells that are blank leave blanks behind. */
static void add_trimmed(struct ctd_strbuf *out, const char *text)
{
	while (*text) {
		size_t bytes = strcspn(text, "\n"), kept = bytes;

		while (kept > 0 && text[kept - 1] == ' ')
			kept--;
		ctd_strbuf_add_bytes(out, text, kept);
		ctd_strbuf_add(out, "\n");
		text += bytes + (text[bytes] == '\n');
	}
}

static int table_write(const struct ctd_sink_options *options, const struct ctd_report *report,
		       bool first)
{
	auto_ctd_cells struct ctd_cells cells = {0};
	struct drawing drawing = {.report = report, .options = options, .cells = &cells};
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	autofree char *text = NULL;

	(void)first;
	ctd_layout_make(report, options, &drawing.layout);
	ctd_cells_begin(&cells, options);
	add_columns(&drawing);
	for (size_t i = 0; i < report->rows_count; i++)
		add_row(&drawing, &report->rows[i]);
	add_total(&drawing);
	if (report->rows_count > 0)
		ctd_cells_print(&cells, &text);
	if (cells.error)
		return cells.error;
	ctd_banner_add_head(&out, report, options);
	if (text)
		add_trimmed(&out, text);
	else
		ctd_strbuf_addf(&out, "%s(nothing ran)\n", report->simulated ? "sim " : "");
	if (report->vendor)
		ctd_vendor_tree_add(&out, report, options);
	ctd_banner_add_health(&out, report, options);
	return out.failed ? -ENOMEM : ctd_format_write(options->out, out.text, out.bytes);
}

const struct ctd_sink ctd_sink_table = {
	.name = "table",
	.help = "a table for people: shares in per cent, ~ scaled, ? of low confidence, - not known; (busy) is the sum of all rows but (idle)",
	.write = table_write,
};
