/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor_plan.c - tells in which turns the metrics of --metrics-dir are counted. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app/explain/vendor.h"
#include "app/options/options.h"
#include "app/text.h"
#include "base/auto.h"
#include "base/log.h"
#include "format/colour.h"
#include "format/format.h"

#define INDENT 2
#define NUMBER_COLUMN 6

struct planning {
	const struct ctd_vendor_view *view;
	const struct ctd_vendor_turns *turns;
	bool colour;
};

int ctd_vendor_plan(const struct ctd_options *options, const struct ctd_vendor_view *view,
		    struct ctd_vendor_turns *ret_turns)
{
	const struct ctd_vendor_wish wish = {options->metrics, options->level, view->watchdog};
	char why[CTD_VENDOR_WHY_BYTES] = "";
	int r = ctd_vendor_turns_make(&view->table, &view->cpu, view->set, &wish, ret_turns, why);

	if (r)
		ctd_log(CTD_LOG_ERROR, "--plan: %s", *why ? why : strerror(-r));
	return r;
}

/* Files may hold what does things to a terminal. */
static void add_safe(struct ctd_strbuf *text, const char *separator, const char *name)
{
	autofree char *safe = ctd_format_printable(name, false);

	ctd_strbuf_addf(text, "%s%s", separator, safe ? safe : "");
}

static void print_item(const struct planning *planning, const char *term,
		       const struct ctd_strbuf *text)
{
	ctd_text_item(stdout, INDENT, NUMBER_COLUMN, planning->colour ? CTD_COLOUR_HEAD : "", term,
		      text->failed || !text->text ? "(out of memory)" : text->text);
}

static void add_counters(struct ctd_strbuf *text, const struct ctd_vendor_turns *turns)
{
	uint64_t counters = turns->core.counters;
	uint64_t general = counters & ((UINT64_C(1) << CTD_PACK_FIXED) - 1);
	const char *separator = "; fixed ";

	ctd_strbuf_addf(text, "%d general-purpose counters%s", __builtin_popcountll(general),
			turns->counters_said ? "" : ", as is usual where no file says");
	for (int i = CTD_PACK_FIXED; i < 64; i++) {
		if (!(counters >> i & 1))
			continue;
		ctd_strbuf_addf(text, "%s%d", separator, i - CTD_PACK_FIXED);
		separator = " ";
	}
	if (turns->perf_metrics)
		ctd_strbuf_add(text, "; PERF_METRICS");
	if (turns->watchdog)
		ctd_strbuf_add(text, "; less the NMI watchdog's");
	ctd_strbuf_add(text, ".");
}

static void print_heading(const struct planning *planning)
{
	const struct ctd_vendor_turns *turns = planning->turns;
	size_t groups = turns->pack.groups_count, metrics = turns->metrics_count;
	auto_ctd_strbuf struct ctd_strbuf text = {0};

	for (size_t i = 0; i < turns->metrics_count; i++)
		metrics -= turns->pack.group_of[i] < 0;
	ctd_strbuf_addf(&text, "Turns of %zu %s of %s for %s%s%s", metrics,
			metrics == 1 ? "metric" : "metrics",
			ctd_vendor_format_name(planning->view->table.format),
			planning->view->cpu.id, *planning->view->cpu.pmu ? ", " : "",
			planning->view->cpu.pmu);
	ctd_text_heading(stdout, planning->colour, text.failed ? "Turns" : text.text);
	ctd_strbuf_free(&text);
	if (groups)
		ctd_strbuf_addf(
			&text,
			"%zu %s, each metric counted %.3g %% of the time; as perf groups metrics it would be %zu. ",
			groups, groups == 1 ? "group" : "groups", 100.0 / (double)groups,
			turns->alone_groups);
	add_counters(&text, turns);
	ctd_text_wrap(stdout, 0, 0, text.failed ? "(out of memory)" : text.text);
}

static void print_group(const struct planning *planning, size_t index)
{
	const struct ctd_vendor_turns *turns = planning->turns;
	const struct ctd_pack_group *group = &turns->pack.groups[index];
	const char *separator = "";
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	char number[24];

	for (size_t i = 0; i < turns->metrics_count; i++) {
		if (turns->pack.group_of[i] != (int)index)
			continue;
		add_safe(&text, separator, turns->table->metrics[turns->metrics[i]].name);
		separator = ", ";
	}
	separator = "\nby ";
	for (size_t i = 0; i < group->events_count; i++) {
		add_safe(&text, separator, ctd_vendor_turns_count(turns, group->events[i])->name);
		separator = ", ";
	}
	snprintf(number, sizeof(number), "%zu", index + 1);
	print_item(planning, number, &text);
}

static void print_left_out(const struct planning *planning)
{
	const struct ctd_vendor_turns *turns = planning->turns;
	bool any = false;

	for (size_t i = 0; i < turns->metrics_count; i++) {
		auto_ctd_strbuf struct ctd_strbuf text = {0}, name = {0};

		if (turns->pack.group_of[i] >= 0)
			continue;
		if (!any) {
			putchar('\n');
			ctd_text_heading(stdout, planning->colour,
					 "Not counted: their events do not fit into one group");
		}
		any = true;
		ctd_vendor_turns_add_lack(turns, i, &text);
		add_safe(&name, "", turns->table->metrics[turns->metrics[i]].name);
		print_item(planning, name.failed ? "(out of memory)" : name.text, &text);
	}
}

int ctd_vendor_show_plan(const struct ctd_options *options, const struct ctd_vendor_view *view,
			 struct ctd_json *json)
{
	struct ctd_vendor_turns turns;
	const struct planning planning = {view, &turns,
					  ctd_text_wants_colour(options->colour, stdout)};
	int r = ctd_vendor_plan(options, view, &turns);

	(void)json;
	if (r)
		return r;
	print_heading(&planning);
	for (size_t i = 0; i < turns.pack.groups_count; i++)
		print_group(&planning, i);
	print_left_out(&planning);
	ctd_vendor_turns_free(&turns);
	return 0;
}
