/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor_explain.c - tells of one metric what the files of --metrics-dir have of it. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/explain/vendor.h"
#include "app/options/options.h"
#include "app/options/suggest.h"
#include "app/text.h"
#include "base/auto.h"
#include "base/log.h"
#include "format/colour.h"
#include "format/format.h"
#include "metric/expr_token.h"

#define INDENT 2
#define STEP 2
#define NAME_BYTES 256
#define DEPTH_MAX 16
/* The longest has 89,000 characters. */
#define FORMULA_BYTES_MAX 1500

struct explanation {
	const struct ctd_vendor_view *view;
	size_t index;
	const struct ctd_vendor_metric *metric;
	bool colour;
};

static int refuse(const struct ctd_options *options, const struct ctd_vendor_view *view)
{
	const struct ctd_vendor_table *table = &view->table;
	const char *separator = *view->core ? ": " : "";
	struct ctd_suggestion suggestion = {.given = options->explain};

	for (size_t i = 0; i < table->metrics_count; i++)
		ctd_suggestion_try(&suggestion, table->metrics[i].name);
	if (suggestion.nearest)
		ctd_log(CTD_LOG_ERROR,
			"%s%sthe files of --metrics-dir have no metric '%s', perhaps '%s' is meant",
			view->core, separator, options->explain, suggestion.nearest);
	else
		ctd_log(CTD_LOG_ERROR,
			"%s%sthe files of --metrics-dir have no metric '%s': 'cgtopdown list metrics --metrics-dir %s' shows all",
			view->core, separator, options->explain, options->metrics_dir);
	return -ENOENT;
}

static void print_heading(const struct explanation *explanation, const char *heading)
{
	putchar('\n');
	ctd_text_heading(stdout, explanation->colour, heading);
}

/* Files may hold what does things to a terminal. */
static void print_text(int indent, const struct ctd_strbuf *text)
{
	autofree char *safe =
		text->failed || !text->text ? NULL : ctd_format_printable(text->text, false);

	printf("%*s", indent, "");
	ctd_text_wrap(stdout, indent, indent, safe ? safe : "(out of memory)");
}

__attribute__((format(printf, 2, 3))) static void print_line(int indent, const char *format, ...)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	char *line;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&line, format, arguments) < 0)
		line = NULL;
	va_end(arguments);
	ctd_strbuf_add(&text, line ? line : "(out of memory)");
	free(line);
	print_text(indent, &text);
}

static void print_meaning(const struct explanation *explanation)
{
	const struct ctd_vendor_metric *metric = explanation->metric;
	const char *why, *threshold;
	const char *core = explanation->view->core;
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	autofree char *name = NULL;

	ctd_strbuf_addf(&text, "%s%s%s", metric->name, *core ? ", " : "", core);
	name = text.failed ? NULL : ctd_format_printable(text.text, false);
	ctd_text_heading(stdout, explanation->colour, name ? name : "(out of memory)");
	ctd_strbuf_free(&text);
	if (*metric->description)
		print_line(INDENT, "%s", metric->description);
	ctd_vendor_add_place(&text, &explanation->view->table, metric);
	ctd_strbuf_add(&text, ".");
	print_text(INDENT, &text);
	if (*metric->groups) {
		ctd_strbuf_free(&text);
		ctd_strbuf_add(&text, "Groups: ");
		ctd_vendor_add_names(&text, metric->groups);
		print_text(INDENT, &text);
	}
	if (ctd_vendor_set_lack(explanation->view->set, explanation->index, &why))
		print_line(INDENT, "It cannot be computed here: %s.", why);
	threshold = ctd_vendor_set_threshold_lack(explanation->view->set, explanation->index);
	if (threshold)
		print_line(INDENT, "When it is worth a look is not known: %s.", threshold);
	if (ctd_vendor_set_needs_latency(explanation->view->set, explanation->index))
		print_line(
			INDENT,
			"How long events take to retire is measured where the kernel and the PMU offer it; else it is the vendor's mean.");
	print_line(INDENT, "From %s, %s.", metric->file,
		   ctd_vendor_format_name(explanation->view->table.format));
}

static void print_tree_line(const struct explanation *explanation, size_t index, int depth)
{
	const struct ctd_vendor_metric *metric = &explanation->view->table.metrics[index];
	bool is_it = index == explanation->index;

	print_line(INDENT + depth * STEP, "%s%s", is_it ? "> " : "", metric->name);
}

static void print_parts(const struct explanation *explanation, size_t whole, int depth)
{
	const struct ctd_vendor_table *table = &explanation->view->table;

	for (size_t i = 0; depth < DEPTH_MAX && i < table->metrics_count; i++) {
		if (table->metrics[i].parent != (int)whole)
			continue;
		print_tree_line(explanation, i, depth);
		print_parts(explanation, i, depth + 1);
	}
}

/* Those above it, it, and all below it. */
static void print_tree(const struct explanation *explanation)
{
	const struct ctd_vendor_table *table = &explanation->view->table;
	int above[DEPTH_MAX], depth = 0;

	if (!explanation->metric->level && explanation->metric->parent < 0)
		return;
	print_heading(explanation, "In the tree");
	for (int at = explanation->metric->parent; at >= 0 && depth < DEPTH_MAX;
	     at = table->metrics[at].parent)
		above[depth++] = at;
	for (int i = 0; i < depth; i++)
		print_tree_line(explanation, (size_t)above[depth - 1 - i], i);
	print_tree_line(explanation, explanation->index, depth);
	print_parts(explanation, explanation->index, depth + 1);
}

static void print_next(const struct explanation *explanation)
{
	const struct ctd_vendor_metric *metric = explanation->metric;
	auto_ctd_strbuf struct ctd_strbuf text = {0};

	if (!*metric->next && !*metric->sample_with)
		return;
	print_heading(explanation, "Look at next");
	if (*metric->next) {
		ctd_strbuf_add(&text, "Groups: ");
		ctd_vendor_add_names(&text, metric->next);
		print_text(INDENT, &text);
	}
	if (*metric->sample_with)
		print_line(INDENT, "Sample with: %s", metric->sample_with);
}

static void print_formula(const struct ctd_vendor_metric *metric, int indent)
{
	size_t bytes = strlen(metric->expression);

	if (bytes > FORMULA_BYTES_MAX)
		print_line(indent, "%s = %.*s ... (%zu characters)", metric->name,
			   FORMULA_BYTES_MAX, metric->expression, bytes);
	else
		print_line(indent, "%s = %s", metric->name, metric->expression);
}

/* The formula, and below it those of the metrics in it that were not shown yet. */
static void print_formulas(const struct explanation *explanation, size_t index, int depth,
			   bool *shown)
{
	const struct ctd_vendor_table *table = &explanation->view->table;
	const char *text = table->metrics[index].expression;
	size_t bytes = strlen(text);
	char name[NAME_BYTES];

	shown[index] = true;
	print_formula(&table->metrics[index], INDENT + depth * STEP);
	for (struct ctd_token token = ctd_token_read(text, bytes, 0);
	     depth < DEPTH_MAX && token.kind != CTD_TOKEN_END && token.kind != CTD_TOKEN_BAD;
	     token = ctd_token_read(text, bytes, token.at + token.bytes)) {
		int other = token.kind == CTD_TOKEN_NAME &&
					    !ctd_token_name(text, &token, sizeof(name), name)
				    ? ctd_vendor_find_metric(table, name)
				    : -1;

		if (other >= 0 && !shown[other])
			print_formulas(explanation, (size_t)other, depth + 1, shown);
	}
}

static void add_counters(struct ctd_strbuf *text, const struct ctd_vendor_event *event)
{
	const char *separator = ", counters ";

	if (event->fixed_counter >= 0)
		ctd_strbuf_addf(text, ", fixed counter %d", event->fixed_counter);
	for (int i = 0; i < 64; i++) {
		if (!(event->counters >> i & 1))
			continue;
		ctd_strbuf_addf(text, "%s%d", separator, i);
		separator = " ";
	}
	if (event->taken_alone)
		ctd_strbuf_add(text, ", counted alone");
	if (event->deprecated)
		ctd_strbuf_add(text, ", deprecated");
}

static void print_count(const struct ctd_vendor_count *count)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};

	ctd_strbuf_addf(&text, "%s: config 0x%" PRIx64, count->name, count->config);
	if (count->config1)
		ctd_strbuf_addf(&text, ", config1 0x%" PRIx64, count->config1);
	if (count->config2)
		ctd_strbuf_addf(&text, ", config2 0x%" PRIx64, count->config2);
	if (count->user_only || count->kernel_only)
		ctd_strbuf_addf(&text, ", %s only", count->user_only ? "user" : "kernel");
	if (count->event)
		add_counters(&text, count->event);
	print_text(INDENT, &text);
}

static void print_counts(const struct explanation *explanation, const bool *needed)
{
	size_t count;
	const struct ctd_vendor_count *counts =
		ctd_vendor_set_counts(explanation->view->set, &count);

	print_heading(explanation, "What is counted for it");
	for (size_t i = 0; i < count; i++)
		if (needed[i])
			print_count(&counts[i]);
}

int ctd_vendor_explained(const struct ctd_options *options, const struct ctd_vendor_view *view)
{
	int metric = ctd_vendor_metric_named(&view->table, options->explain);

	return metric < 0 ? refuse(options, view) : metric;
}

int ctd_vendor_show_metric(const struct ctd_options *options, const struct ctd_vendor_view *view,
			   struct ctd_json *json)
{
	int metric = ctd_vendor_explained(options, view);
	autofree bool *shown = NULL, *needed = NULL;
	struct explanation explanation;
	size_t count;

	(void)json;
	if (metric < 0)
		return metric;
	explanation = (struct explanation){
		.view = view,
		.index = (size_t)metric,
		.metric = &view->table.metrics[metric],
		.colour = ctd_text_wants_colour(options->colour, stdout),
	};
	ctd_vendor_set_counts(view->set, &count);
	shown = calloc(view->table.metrics_count, sizeof(*shown));
	needed = calloc(count + 1, sizeof(*needed));
	if (!shown || !needed)
		return ctd_log_error(-ENOMEM, "explain '%s'", options->explain);
	print_meaning(&explanation);
	print_tree(&explanation);
	print_next(&explanation);
	print_heading(&explanation, "How it is computed");
	print_formulas(&explanation, explanation.index, 0, shown);
	ctd_vendor_set_needs(view->set, explanation.index, needed);
	if (!ctd_vendor_set_lack(view->set, explanation.index, NULL))
		print_counts(&explanation, needed);
	return 0;
}
