/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor_plan.c - tells in which groups the metrics of --metrics-dir are counted. */
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
	const struct ctd_vendor_rotation *rotation;
	bool colour;
};

/* What this core type lacks another may have: the groups are those of the others. */
static void warn_of_names(const struct ctd_options *options, const struct ctd_vendor_view *view)
{
	autofree char *names = strdup(options->metrics ? options->metrics : "");
	char *rest = NULL;

	for (char *name = names ? strtok_r(names, ",", &rest) : NULL; name;
	     name = strtok_r(NULL, ",", &rest))
		if (!ctd_vendor_knows(&view->table, name))
			ctd_warn("--plan: %s: there is no metric or group '%.100s'", view->core,
				 name);
}

int ctd_vendor_plan(const struct ctd_options *options, const struct ctd_vendor_view *view,
		    struct ctd_vendor_rotation *ret_rotation)
{
	const struct ctd_vendor_wish wish = {
		.names = options->metrics,
		.level = options->level,
		.watchdog = view->watchdog,
		.partly = view->partly,
	};
	char why[CTD_VENDOR_WHY_BYTES] = "";
	int r = ctd_vendor_rotation_make(&view->table, &view->cpu, view->set, &wish, ret_rotation,
					 why);

	if (r)
		ctd_log(CTD_LOG_ERROR, "--plan: %s%s%s", view->core, *view->core ? ": " : "",
			*why ? why : strerror(-r));
	else if (view->partly)
		warn_of_names(options, view);
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

static void add_counters(struct ctd_strbuf *text, const struct ctd_vendor_rotation *rotation)
{
	uint64_t counters = rotation->core.counters;
	uint64_t general = counters & ((UINT64_C(1) << CTD_PACK_FIXED) - 1);
	const char *separator = "; fixed ";

	ctd_strbuf_addf(text, "%d general-purpose counters%s", __builtin_popcountll(general),
			rotation->counters_said ? "" : ", as is usual where no file says");
	for (int i = CTD_PACK_FIXED; i < 64; i++) {
		if (!(counters >> i & 1))
			continue;
		ctd_strbuf_addf(text, "%s%d", separator, i - CTD_PACK_FIXED);
		separator = " ";
	}
	if (rotation->perf_metrics)
		ctd_strbuf_add(text, "; PERF_METRICS");
	if (rotation->watchdog)
		ctd_strbuf_add(text, "; less the NMI watchdog's");
	ctd_strbuf_add(text, ".");
}

static void print_heading(const struct planning *planning)
{
	const struct ctd_vendor_rotation *rotation = planning->rotation;
	size_t groups = rotation->pack.groups_count, metrics = rotation->metrics_count;
	auto_ctd_strbuf struct ctd_strbuf text = {0};

	for (size_t i = 0; i < rotation->metrics_count; i++)
		metrics -= rotation->pack.group_of[i] < 0;
	ctd_strbuf_addf(&text, "Rotation of %zu %s of %s for %s%s%s", metrics,
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
			rotation->alone_groups);
	add_counters(&text, rotation);
	ctd_text_wrap(stdout, 0, 0, text.failed ? "(out of memory)" : text.text);
}

static void print_group(const struct planning *planning, size_t index)
{
	const struct ctd_vendor_rotation *rotation = planning->rotation;
	const struct ctd_pack_group *group = &rotation->pack.groups[index];
	const char *separator = "";
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	char number[24];

	for (size_t i = 0; i < rotation->metrics_count; i++) {
		if (rotation->pack.group_of[i] != (int)index)
			continue;
		add_safe(&text, separator, rotation->table->metrics[rotation->metrics[i]].name);
		separator = ", ";
	}
	separator = "\nby ";
	for (size_t i = 0; i < group->events_count; i++) {
		add_safe(&text, separator,
			 ctd_vendor_rotation_count(rotation, group->events[i])->name);
		separator = ", ";
	}
	snprintf(number, sizeof(number), "%zu", index + 1);
	print_item(planning, number, &text);
}

static void print_left_out(const struct planning *planning)
{
	const struct ctd_vendor_rotation *rotation = planning->rotation;
	bool any = false;

	for (size_t i = 0; i < rotation->metrics_count; i++) {
		auto_ctd_strbuf struct ctd_strbuf text = {0}, name = {0};

		if (rotation->pack.group_of[i] >= 0)
			continue;
		if (!any) {
			putchar('\n');
			ctd_text_heading(stdout, planning->colour,
					 "Not counted: their events do not fit into one group");
		}
		any = true;
		ctd_vendor_rotation_add_lack(rotation, i, &text);
		add_safe(&name, "", rotation->table->metrics[rotation->metrics[i]].name);
		print_item(planning, name.failed ? "(out of memory)" : name.text, &text);
	}
}

int ctd_vendor_show_plan(const struct ctd_options *options, const struct ctd_vendor_view *view,
			 struct ctd_json *json)
{
	struct ctd_vendor_rotation rotation;
	const struct planning planning = {view, &rotation,
					  ctd_text_wants_colour(options->colour, stdout)};
	int r = ctd_vendor_plan(options, view, &rotation);

	(void)json;
	if (r)
		return r;
	print_heading(&planning);
	for (size_t i = 0; i < rotation.pack.groups_count; i++)
		print_group(&planning, i);
	print_left_out(&planning);
	ctd_vendor_rotation_free(&rotation);
	return 0;
}
