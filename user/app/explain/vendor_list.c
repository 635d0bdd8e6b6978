/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor_list.c - lists all metrics of --metrics-dir, the tree first. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/explain/vendor.h"
#include "app/options/options.h"
#include "app/text.h"
#include "base/auto.h"
#include "format/colour.h"
#include "format/format.h"

#define INDENT 2
#define STEP 2
#define TEXT_INDENT 4
/* Six levels are the most that there are. */
#define DEPTH_MAX 16

struct listing {
	const struct ctd_vendor_view *view;
	bool colour;
	size_t of_lack[CTD_VENDOR_CYCLE + 1];
};

static const char *const lacks[] = {
	[CTD_VENDOR_OTHER_PMU] = "of other PMUs than the core's",
	[CTD_VENDOR_OF_SYSTEM] = "of the whole system",
	[CTD_VENDOR_BOTH_THREADS] = "of both threads of a core",
	[CTD_VENDOR_NO_LATENCY] = "for lack of a latency",
	[CTD_VENDOR_NO_EVENT] = "for lack of an event",
	[CTD_VENDOR_MALFORMED] = "malformed",
	[CTD_VENDOR_CYCLE] = "in circles",
};

static size_t count_needs(const struct ctd_vendor_view *view, size_t metric)
{
	size_t counts, needed = 0;
	autofree bool *needs = NULL;

	ctd_vendor_set_counts(view->set, &counts);
	needs = calloc(counts + 1, sizeof(*needs));
	if (!needs)
		return 0;
	ctd_vendor_set_needs(view->set, metric, needs);
	for (size_t i = 0; i < counts; i++)
		needed += needs[i] ? 1 : 0;
	return needed;
}

/* But for those that say its place in the tree: tma_L2_group, tma_backend_bound_group. */
static void add_groups(struct ctd_strbuf *text, const char *groups)
{
	static const char of_place[] = "_group";
	const char *separator = "; groups ";

	for (size_t bytes; *groups; groups += bytes + (groups[bytes] == ';')) {
		bytes = strcspn(groups, ";");
		if (bytes == 0 ||
		    (bytes > strlen(of_place) &&
		     strncmp(groups + bytes - strlen(of_place), of_place, strlen(of_place)) == 0))
			continue;
		ctd_strbuf_addf(text, "%s%.*s", separator, (int)bytes, groups);
		separator = ", ";
	}
}

static void print_metric(const struct listing *listing, size_t index, int depth)
{
	const struct ctd_vendor_view *view = listing->view;
	const struct ctd_vendor_metric *metric = &view->table.metrics[index];
	int indent = INDENT + depth * STEP;
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	autofree char *name = NULL, *safe = NULL;
	const char *why;

	ctd_vendor_add_place(&text, &view->table, metric);
	add_groups(&text, metric->groups);
	if (ctd_vendor_set_lack(view->set, index, &why))
		ctd_strbuf_addf(&text, "; not computed here: %s", why);
	else
		ctd_strbuf_addf(
			&text, "; counts %zu events%s", count_needs(view, index),
			ctd_vendor_set_needs_latency(view->set, index)
				? ", and takes mean latencies: the vendor's, or measured ones"
				: "");
	name = ctd_format_printable(metric->name, false);
	safe = text.failed ? NULL : ctd_format_printable(text.text, false);
	ctd_text_item(stdout, indent, indent + TEXT_INDENT, listing->colour ? CTD_COLOUR_HEAD : "",
		      name ? name : "", safe ? safe : "(out of memory)");
}

/* It, and its parts below it. */
static void print_branch(const struct listing *listing, size_t index, int depth)
{
	const struct ctd_vendor_table *table = &listing->view->table;

	print_metric(listing, index, depth);
	for (size_t i = 0; depth < DEPTH_MAX && i < table->metrics_count; i++)
		if (table->metrics[i].parent == (int)index)
			print_branch(listing, i, depth + 1);
}

static bool has_parts(const struct ctd_vendor_table *table, size_t index)
{
	for (size_t i = 0; i < table->metrics_count; i++)
		if (table->metrics[i].parent == (int)index)
			return true;
	return false;
}

static void print_heading(struct listing *listing)
{
	const struct ctd_vendor_view *view = listing->view;
	const struct ctd_vendor_table *table = &view->table;
	const char *separator = "";
	auto_ctd_strbuf struct ctd_strbuf text = {0};

	for (size_t i = 0; i < table->metrics_count; i++)
		listing->of_lack[ctd_vendor_set_lack(view->set, i, NULL)]++;
	ctd_strbuf_addf(&text, "Metrics of %s for %s%s%s", ctd_vendor_format_name(table->format),
			view->cpu.id, *view->cpu.pmu ? ", " : "", view->cpu.pmu);
	ctd_text_heading(stdout, listing->colour, text.failed ? "Metrics" : text.text);
	ctd_strbuf_free(&text);
	ctd_strbuf_addf(
		&text,
		"%zu files with %zu events and %zu metrics, of which %zu can be computed for containers%s",
		table->files_count, table->events_count, table->metrics_count,
		listing->of_lack[CTD_VENDOR_COMPUTED],
		listing->of_lack[CTD_VENDOR_COMPUTED] < table->metrics_count ? "; not computed are"
									     : "");
	for (size_t lack = 1; lack < sizeof(lacks) / sizeof(*lacks); lack++) {
		if (!listing->of_lack[lack])
			continue;
		ctd_strbuf_addf(&text, "%s %zu %s", separator, listing->of_lack[lack], lacks[lack]);
		separator = ",";
	}
	ctd_strbuf_add(&text, ".");
	ctd_text_wrap(stdout, 0, 0, text.failed ? "(out of memory)" : text.text);
}

int ctd_vendor_show_list(const struct ctd_options *options, const struct ctd_vendor_view *view,
			 struct ctd_json *json)
{
	struct listing listing = {.view = view,
				  .colour = ctd_text_wants_colour(options->colour, stdout)};
	const struct ctd_vendor_table *table = &view->table;

	(void)json;
	print_heading(&listing);
	for (int tree = 1; tree >= 0; tree--)
		for (size_t i = 0; i < table->metrics_count; i++)
			if (table->metrics[i].parent < 0 &&
			    (table->metrics[i].level || has_parts(table, i)) == (tree == 1))
				print_branch(&listing, i, 0);
	return 0;
}
