/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* table.c - a table for people: where the slots of each row go, and what holds it back. */
#include <cgtopdown/sink.h>

#include <errno.h>
#include <libsmartcols/libsmartcols.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "base/strbuf.h"
#include "format/banner.h"
#include "format/colour.h"
#include "format/format.h"
#include "format/layout.h"
#include "format/vendor_tree.h"

#define BOTTLENECK_BYTES 512

/* A table as it is filled, cell by cell; the first error stays. */
struct drawing {
	const struct ctd_report *report;
	const struct ctd_sink_options *options;
	struct ctd_layout layout;
	struct libscols_table *table; /* owned */
	struct libscols_line *line; /* borrowed from the table */
	size_t column; /* of the next cell */
	int error;
};

static void drawing_free(struct drawing *drawing)
{
	scols_unref_table(drawing->table);
}
#define auto_drawing __attribute__((cleanup(drawing_free)))

static void note(struct drawing *drawing, int error)
{
	if (drawing->error == 0 && error < 0)
		drawing->error = error;
}

static void add_column(struct drawing *drawing, const char *head, int flags)
{
	struct libscols_column *column = scols_table_new_column(drawing->table, head, 0, flags);

	if (!column) {
		note(drawing, -ENOMEM);
		return;
	}
	if (drawing->options->colour)
		note(drawing,
		     scols_cell_set_color(scols_column_get_header(column), CTD_COLOUR_HEAD));
}

static void add_columns(struct drawing *drawing)
{
	const struct ctd_report *report = drawing->report;

	if (report->simulated)
		add_column(drawing, "SIM", 0);
	add_column(drawing, "NAME", report->tree ? SCOLS_FL_TREE : 0);
	if (report->core_types_count > 1)
		add_column(drawing, CTD_LAYOUT_CORE_HEAD, 0);
	add_column(drawing, "CPU%", SCOLS_FL_RIGHT);
	if (report->waits) {
		add_column(drawing, CTD_LAYOUT_WAIT_HEAD, SCOLS_FL_RIGHT);
		add_column(drawing, CTD_LAYOUT_OTHER_HEAD, SCOLS_FL_RIGHT);
	}
	if (report->noisy)
		add_column(drawing, CTD_LAYOUT_NOISY_HEAD, 0);
	if (!report->model) {
		add_column(drawing, "SWITCHES", SCOLS_FL_RIGHT);
		add_column(drawing, "SLICES", SCOLS_FL_RIGHT);
		return;
	}
	for (int i = 0; i < report->model->nodes_count; i++)
		if (ctd_layout_shows(&drawing->layout, report, i))
			add_column(drawing, report->model->nodes[i].title, SCOLS_FL_RIGHT);
	add_column(drawing, "BOTTLENECK", 0);
}

static void add_cell(struct drawing *drawing, const char *text, const char *colour)
{
	size_t column = drawing->column++;

	note(drawing, scols_line_set_data(drawing->line, column, text));
	if (drawing->error == 0 && drawing->options->colour && colour)
		note(drawing,
		     scols_cell_set_color(scols_line_get_cell(drawing->line, column), colour));
}

static void add_name(struct drawing *drawing, const struct ctd_report_row *row)
{
	bool unicode = drawing->options->unicode;
	autofree char *name = ctd_format_printable(ctd_layout_name(drawing->report, row), unicode);
	autofree char *shown = NULL;

	if (name)
		shown = ctd_format_shorten(
			name, drawing->layout.name_width - ctd_layout_indent(row), unicode);
	if (shown)
		add_cell(drawing, shown, NULL);
	else
		note(drawing, -ENOMEM);
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
		add_cell(drawing, row->quality <= CTD_LOW_CONFIDENCE ? "" : "-", NULL);
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
	add_cell(drawing, text, is_dim(row) ? NULL : CTD_COLOUR_BAD);
}

/* Of all the time that its tasks wanted to run; and of it, while others had the CPU. */
static void add_waits(struct drawing *drawing, const struct ctd_report_row *row)
{
	uint64_t window_ns = drawing->report->window_ns;
	char text[CTD_FIGURE_BYTES];

	if (!row->waits_known) {
		add_cell(drawing, "-", NULL);
		add_cell(drawing, "-", NULL);
		return;
	}
	ctd_format_cpu(ctd_waits_ns(&row->waits), window_ns, text);
	add_cell(drawing, text, NULL);
	ctd_format_cpu(row->waits.ns[CTD_WAIT_OTHER], window_ns, text);
	add_cell(drawing, text, NULL);
}

static void add_figures(struct drawing *drawing, const struct ctd_report_row *row)
{
	const struct ctd_report *report = drawing->report;
	char text[CTD_FIGURE_BYTES];

	ctd_format_cpu(row->cpu_ns, report->window_ns, text);
	add_cell(drawing, text, NULL);
	if (report->waits)
		add_waits(drawing, row);
	if (report->noisy)
		add_cell(drawing, row->noisy ? row->noisy : "-",
			 row->noisy ? CTD_COLOUR_BAD : NULL);
	if (!report->model) {
		ctd_format_count(row->switches, text);
		add_cell(drawing, text, NULL);
		ctd_format_count(row->slices, text);
		add_cell(drawing, text, NULL);
		return;
	}
	for (int i = 0; i < report->model->nodes_count; i++) {
		if (!ctd_layout_shows(&drawing->layout, report, i))
			continue;
		ctd_format_value(row->values[i], report->model->nodes[i].unit, text);
		add_cell(drawing, text, node_colour(report, row, i));
	}
	add_bottleneck(drawing, row);
}

static void add_row(struct drawing *drawing, const struct ctd_report_row *row,
		    struct libscols_line *parent)
{
	drawing->line = scols_table_new_line(drawing->table, parent);
	drawing->column = 0;
	if (!drawing->line) {
		note(drawing, -ENOMEM);
		return;
	}
	if (drawing->options->colour && is_dim(row))
		note(drawing, scols_line_set_color(drawing->line, CTD_COLOUR_DIM));
	if (drawing->report->simulated)
		add_cell(drawing, "sim", CTD_COLOUR_SIMULATED);
	add_name(drawing, row);
	if (drawing->report->core_types_count > 1)
		add_cell(drawing, ctd_report_core_type_name(drawing->report, row), NULL);
	add_figures(drawing, row);
}

static void add_rows(struct drawing *drawing)
{
	const struct ctd_report *report = drawing->report;

	for (size_t i = 0; i < report->rows_count && drawing->error == 0; i++) {
		const struct ctd_report_row *row = &report->rows[i];
		/* Lines are numbered as rows are. */
		struct libscols_line *parent =
			row->parent >= 0 ? scols_table_get_line(drawing->table, (size_t)row->parent)
					 : NULL;

		add_row(drawing, row, parent);
	}
}

/* The columns of a row that has something in the first and in those of the tree. */
static void add_total_nodes(struct drawing *drawing, const struct ctd_report_sum *sum)
{
	const struct ctd_report *report = drawing->report;
	char text[CTD_FIGURE_BYTES];

	for (int i = 0; i < report->model->nodes_count; i++) {
		/* There is no ratio of slots of two core types. */
		struct ctd_value value = {sum->ratio[i], sum->known && report->core_types_count == 1
								 ? sum->quality
								 : CTD_NO_DATA};

		if (!ctd_layout_shows(&drawing->layout, report, i))
			continue;
		ctd_format_value(value, report->model->nodes[i].unit, text);
		add_cell(drawing, ctd_node_is_ipc(&report->model->nodes[i]) ? "" : text, NULL);
	}
}

/* What all rows come to, idle left aside. A single one is its own sum. */
static void add_total(struct drawing *drawing)
{
	const struct ctd_report *report = drawing->report;
	struct ctd_report_sum sum;
	char text[CTD_FIGURE_BYTES];

	ctd_report_add_up(report, &sum);
	if (drawing->error || sum.rows_count < 2)
		return;
	drawing->line = scols_table_new_line(drawing->table, NULL);
	drawing->column = 0;
	if (!drawing->line) {
		note(drawing, -ENOMEM);
		return;
	}
	if (drawing->options->colour)
		note(drawing, scols_line_set_color(drawing->line, CTD_COLOUR_HEAD));
	if (report->simulated)
		add_cell(drawing, "sim", CTD_COLOUR_SIMULATED);
	add_cell(drawing, "(busy)", NULL);
	if (report->core_types_count > 1)
		add_cell(drawing, "", NULL);
	ctd_format_cpu(sum.cpu_ns, report->window_ns, text);
	add_cell(drawing, text, NULL);
	drawing->column += (report->waits ? 2 : 0) + report->noisy;
	if (report->model)
		add_total_nodes(drawing, &sum);
}

static int begin(struct drawing *drawing)
{
	drawing->table = scols_new_table();
	if (!drawing->table)
		return -ENOMEM;
	ctd_layout_make(drawing->report, drawing->options, &drawing->layout);
	/* The layout has made it fit; libsmartcols need not look for a terminal. */
	note(drawing, scols_table_set_termforce(drawing->table, SCOLS_TERMFORCE_NEVER));
	note(drawing, scols_table_enable_colors(drawing->table, drawing->options->colour));
	/* Names are printable by now; encoded again, their backslashes would grow. */
	note(drawing, scols_table_enable_noencoding(drawing->table, 1));
	note(drawing, scols_table_enable_ascii(drawing->table, !drawing->options->unicode));
	return drawing->error;
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
	auto_drawing struct drawing drawing = {.report = report, .options = options};
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	autofree char *text = NULL;

	(void)first;
	note(&drawing, begin(&drawing));
	if (drawing.error == 0)
		add_columns(&drawing);
	if (drawing.error == 0)
		add_rows(&drawing);
	add_total(&drawing);
	if (drawing.error == 0 && report->rows_count > 0)
		note(&drawing, scols_print_table_to_string(drawing.table, &text));
	if (drawing.error)
		return drawing.error;
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
