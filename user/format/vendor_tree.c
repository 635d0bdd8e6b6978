/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor_tree.c - vendors' metrics of each row as a tree, for people. */
#include "format/vendor_tree.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "format/colour.h"
#include "format/drill.h"
#include "format/format.h"

#define INDENT 2
#define NAME_WIDTH_LEAST 20
/* Rows with less of a CPU say little of a machine, and their trees are as long as any. As the page
 * has it. */
#define CPUS_LEAST 0.05

struct tree {
	struct ctd_strbuf *out;
	const struct ctd_report *report;
	const struct ctd_sink_options *options;
	int name_width;
};

static const struct ctd_vendor_metric *metric_of(const struct ctd_vendor_counting *vendor,
						 size_t index)
{
	return &vendor->table->metrics[vendor->metrics[index].metric];
}

/* A vendor's file may hold control characters. */
static void add_safe(const struct tree *tree, const char *text)
{
	autofree char *safe = ctd_format_printable(text, tree->options->unicode);

	ctd_strbuf_add(tree->out, safe ? safe : "?");
}

/* Each line says that it is simulated: a copy of one line still does. */
static void begin_line(const struct tree *tree)
{
	if (tree->report->simulated)
		ctd_strbuf_add(tree->out, "sim ");
}

static const char *colour(const struct tree *tree, const char *wanted)
{
	return tree->options->colour ? wanted : "";
}

/* "62.1%", "1.23 per_instr"; marked as the figures of a table are. */
static void format_figure(const struct ctd_vendor_metric *metric, double value,
			  enum ctd_quality quality, char text[CTD_FIGURE_BYTES])
{
	const char *mark = quality == CTD_LOW_CONFIDENCE ? "?" : quality == CTD_SCALED ? "~" : "";

	value *= metric->scale;
	/* Differences of counts that are the same are a little below 0, too. */
	if (fabs(value) < 0.05 && strcmp(metric->unit, "%") == 0)
		value = 0;
	if (isnan(value))
		snprintf(text, CTD_FIGURE_BYTES, "-");
	else if (strcmp(metric->unit, "%") == 0)
		snprintf(text, CTD_FIGURE_BYTES, "%s%.1f%%", mark, value);
	else
		snprintf(text, CTD_FIGURE_BYTES, "%s%.4g", mark, value);
}

/* Of what the metric's latencies are. */
static const char *const marks[] = {
	[CTD_VENDOR_NO_MEANS] = "",
	[CTD_VENDOR_ASSUMED] = "  *",
	[CTD_VENDOR_MEASURED] = "  +",
};

static void add_line(const struct tree *tree, const struct ctd_report_row *row, size_t index,
		     struct ctd_vendor_value value)
{
	const struct ctd_vendor_counting *vendor = ctd_report_vendor(tree->report, row);
	const struct ctd_vendor_counted *counted = &vendor->metrics[index];
	const struct ctd_vendor_metric *metric = metric_of(vendor, index);
	int indent = INDENT * (counted->depth + 1);
	char figure[CTD_FIGURE_BYTES];

	format_figure(metric, value.value, row->quality, figure);
	begin_line(tree);
	ctd_strbuf_addf(tree->out, "%*s%s", indent, "",
			value.hot ? colour(tree, CTD_COLOUR_WARM) : "");
	add_safe(tree, metric->name);
	ctd_strbuf_addf(tree->out, "%s%*s %10s %5.0f%%",
			value.hot ? colour(tree, CTD_COLOUR_OFF) : "",
			tree->name_width - indent - (int)strlen(metric->name), "", figure,
			100 * ctd_report_vendor_coverage(tree->report, row, index));
	if (*metric->unit && strcmp(metric->unit, "%") != 0) {
		ctd_strbuf_add(tree->out, "  ");
		add_safe(tree, metric->unit);
	}
	ctd_strbuf_addf(tree->out, "%s%s\n", value.hot ? "  <" : "",
			marks[ctd_report_vendor_means(tree->report, row->core_type, index)]);
}

/* Is it, or a part of it, counted? Without it, its parts would seem to belong to another metric. */
static bool is_shown(const struct ctd_vendor_counting *vendor, size_t index)
{
	const struct ctd_vendor_counted *counted = vendor->metrics;
	size_t part = index + 1;

	while (part < vendor->metrics_count && counted[part].depth > counted[index].depth &&
	       counted[part].group < 0)
		part++;
	return counted[index].group >= 0 ||
	       (part < vendor->metrics_count && counted[part].depth > counted[index].depth);
}

/* Its path, and what to look at next. */
static void add_drill(const struct tree *tree, const struct ctd_vendor_counting *vendor,
		      const struct ctd_drill_path *path)
{
	auto_ctd_strbuf struct ctd_strbuf note = {0};

	begin_line(tree);
	ctd_strbuf_addf(tree->out, "%*s%s", INDENT, "",
			path->steps_count ? colour(tree, CTD_COLOUR_WARM) : "");
	ctd_drill_add_text(tree->out, vendor, path, tree->options->unicode);
	ctd_strbuf_addf(tree->out, "%s\n", path->steps_count ? colour(tree, CTD_COLOUR_OFF) : "");
	if (!ctd_drill_add_note(&note, vendor, path, tree->options->unicode))
		return;
	begin_line(tree);
	ctd_strbuf_addf(tree->out, "%*s(%s)\n", INDENT, "", note.failed ? "?" : note.text);
}

static void add_row(const struct tree *tree, const struct ctd_report_row *row)
{
	const struct ctd_vendor_counting *vendor = ctd_report_vendor(tree->report, row);
	const struct ctd_drill_path *path = ctd_report_drill_path(tree->report, row);
	const struct ctd_vendor_value *values = ctd_report_vendor_values(tree->report, row);

	ctd_strbuf_add(tree->out, "\n");
	begin_line(tree);
	ctd_strbuf_add(tree->out, colour(tree, CTD_COLOUR_HEAD));
	add_safe(tree, row->name);
	ctd_strbuf_add(tree->out, colour(tree, CTD_COLOUR_OFF));
	if (tree->report->core_types_count > 1)
		ctd_strbuf_addf(tree->out, "  %s", ctd_report_core_type_name(tree->report, row));
	ctd_strbuf_add(tree->out, "\n");
	if (path)
		add_drill(tree, vendor, path);
	for (size_t i = 0; i < vendor->metrics_count; i++)
		if (is_shown(vendor, i) &&
		    (!tree->report->drill_paths || ctd_drill_shows(vendor, path, i)))
			add_line(tree, row, i, values[i]);
}

/* What is counted on a core type of the report. NULL: nothing. */
static const struct ctd_vendor_counting *counting_of(const struct tree *tree, int core_type)
{
	const struct ctd_vendor_countings *vendor = tree->report->vendor;

	return core_type < vendor->core_types_count ? vendor->of[core_type] : NULL;
}

static void add_sentence(const struct tree *tree, const char *sentence)
{
	begin_line(tree);
	ctd_strbuf_addf(tree->out, "%s\n", sentence);
}

static void add_legend(const struct tree *tree)
{
	bool any[CTD_VENDOR_MEASURED + 1] = {false};

	for (int type = 0; type < tree->report->core_types_count; type++) {
		const struct ctd_vendor_counting *vendor = counting_of(tree, type);

		for (size_t i = 0; vendor && i < vendor->metrics_count; i++)
			if (vendor->metrics[i].group >= 0)
				any[ctd_report_vendor_means(tree->report, type, i)] = true;
	}
	if (any[CTD_VENDOR_ASSUMED] || any[CTD_VENDOR_MEASURED])
		ctd_strbuf_add(tree->out, "\n");
	if (any[CTD_VENDOR_ASSUMED])
		add_sentence(tree,
			     "*: with mean latencies from the vendor's files, not measured ones");
	if (any[CTD_VENDOR_MEASURED])
		add_sentence(tree, "+: with mean latencies that were measured on this machine");
}

/* "Not counted:", "Not counted on E-core:" */
static void add_lacking_head(const struct tree *tree, int core_type)
{
	ctd_strbuf_add(tree->out, "\n");
	begin_line(tree);
	ctd_strbuf_add(tree->out, "Not counted");
	if (tree->report->core_types_count > 1)
		ctd_strbuf_addf(tree->out, " on %s", tree->report->core_types[core_type].name);
	ctd_strbuf_add(tree->out, ":\n");
}

static void add_reason(const struct tree *tree, const char *names, const char *why)
{
	begin_line(tree);
	ctd_strbuf_addf(tree->out, "%*s", INDENT, "");
	add_safe(tree, names);
	ctd_strbuf_add(tree->out, ": ");
	add_safe(tree, why ? why : "");
	ctd_strbuf_add(tree->out, "\n");
}

/* Those that other core types have and it has not: they lack the same. */
static void add_absent(const struct tree *tree, int core_type, bool any)
{
	const struct ctd_vendor_countings *vendor = tree->report->vendor;
	auto_ctd_strbuf struct ctd_strbuf names = {0};
	size_t last = vendor->columns_count;

	for (size_t i = 0; i < vendor->columns_count; i++) {
		if (vendor->columns[i].index[core_type] >= 0)
			continue;
		if (vendor->of[core_type] || !names.bytes)
			ctd_strbuf_addf(&names, "%s%s", names.bytes ? ", " : "",
					vendor->of[core_type] ? vendor->columns[i].name : "all");
		last = i;
	}
	if (last == vendor->columns_count)
		return;
	if (!any)
		add_lacking_head(tree, core_type);
	add_reason(tree, names.failed ? "?" : names.text,
		   ctd_report_vendor_lack(tree->report, last, core_type));
}

static void add_lacking(const struct tree *tree, int core_type)
{
	const struct ctd_vendor_counting *vendor = tree->report->vendor->of[core_type];
	bool any = false;

	for (size_t i = 0; vendor && i < vendor->metrics_count; i++) {
		if (vendor->metrics[i].group >= 0)
			continue;
		if (!any)
			add_lacking_head(tree, core_type);
		any = true;
		add_reason(tree, metric_of(vendor, i)->name, vendor->metrics[i].why);
	}
	add_absent(tree, core_type, any);
}

static bool has_tree(const struct tree *tree, const struct ctd_report_row *row)
{
	return row->kind != CTD_ROLLUP_IDLE && ctd_report_vendor_values(tree->report, row);
}

/* Rather than a sum of others, or the kernel. */
static bool is_single(const struct ctd_report_row *row)
{
	return row->kind != CTD_ROLLUP_OTHER && row->kind != CTD_ROLLUP_KERNEL;
}

/* Rows that were asked for are, however little they did. */
static bool is_wanted(const struct tree *tree, const struct ctd_report_row *row)
{
	return (tree->report->chosen && is_single(row)) ||
	       (double)row->cpu_ns >= CPUS_LEAST * (double)tree->report->window_ns;
}

/* The trees of rows that are wanted, or of all where no cgroup's is. */
static void add_rows(const struct tree *tree)
{
	const struct ctd_report *report = tree->report;
	size_t folded = 0;
	bool any = false;

	for (size_t i = 0; i < report->rows_count; i++)
		any |= has_tree(tree, &report->rows[i]) && is_single(&report->rows[i]) &&
		       is_wanted(tree, &report->rows[i]);
	for (size_t i = 0; i < report->rows_count; i++) {
		if (!has_tree(tree, &report->rows[i]))
			continue;
		if (any && !is_wanted(tree, &report->rows[i]))
			folded++;
		else
			add_row(tree, &report->rows[i]);
	}
	if (!folded)
		return;
	ctd_strbuf_add(tree->out, "\n");
	begin_line(tree);
	ctd_strbuf_addf(tree->out, "%zu row%s of less than %g CPUs: see --format jsonl\n", folded,
			folded == 1 ? "" : "s", CPUS_LEAST);
}

/* Names of all that is shown of a core type have room. */
static void widen(struct tree *tree, const struct ctd_vendor_counting *vendor)
{
	for (size_t i = 0; vendor && i < vendor->metrics_count; i++) {
		int width = INDENT * (vendor->metrics[i].depth + 1) +
			    (int)strlen(metric_of(vendor, i)->name);

		if (is_shown(vendor, i) && width > tree->name_width)
			tree->name_width = width;
	}
}

void ctd_vendor_tree_add(struct ctd_strbuf *out, const struct ctd_report *report,
			 const struct ctd_sink_options *options)
{
	struct tree tree = {out, report, options, NAME_WIDTH_LEAST};

	for (int type = 0; type < report->core_types_count; type++)
		widen(&tree, counting_of(&tree, type));
	ctd_strbuf_add(out, "\n");
	begin_line(&tree);
	ctd_strbuf_addf(out, "%-*s %10s %6s\n", tree.name_width, "METRIC", "VALUE", "OF CPU");
	add_rows(&tree);
	add_legend(&tree);
	for (int type = 0;
	     type < report->core_types_count && type < report->vendor->core_types_count; type++)
		add_lacking(&tree, type);
}
