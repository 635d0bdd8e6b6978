/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* text.c - tags as a table, and one victim's with the evidence. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/neighbours/neighbours.h"
#include "base/auto.h"
#include "format/colour.h"
#include "format/format.h"
#include "format/tag_advice.h"
#include "format/tag_json.h"

#define NAME_WIDTH 32
#define BAR_CELLS 30
#define PLOT_CELLS 60

static const char *const instead[CTD_BLAMES] = {
	[CTD_BLAME_NEIGHBOUR] = "",
	[CTD_BLAME_MACHINE] = "(many others)",
	[CTD_BLAME_INPUT] = "(its own work changed)",
	[CTD_BLAME_SELF] = "(itself)",
};

static const char *const shared[CTD_SCOPES] = {
	[CTD_SCOPE_UNKNOWN] = "not told apart: all CPUs are one place here",
	[CTD_SCOPE_MACHINE] = "the machine",
	[CTD_SCOPE_NODE] = "the memory node",
	[CTD_SCOPE_CACHE] = "the last cache",
};

static const char *const colours[CTD_BLAMES] = {
	[CTD_BLAME_NEIGHBOUR] = CTD_COLOUR_BAD,
	[CTD_BLAME_MACHINE] = CTD_COLOUR_WARM,
	[CTD_BLAME_INPUT] = CTD_COLOUR_DIM,
	[CTD_BLAME_SELF] = CTD_COLOUR_DIM,
};

/* What stands in the place of an antagonist. */
static const char *instead_of(const struct ctd_neighbour_tag *tag)
{
	const char *cgroup = tag->victim->cgroup;

	return tag->limit_bytes && cgroup && cgroup[tag->limit_bytes] ? "(a limit above it)"
								      : instead[tag->blame];
}

/* "namespace/pod/container", as far as it is known; else the cgroup, else the key. The caller's. */
static char *name_of(const struct ctd_neighbour_names *names, const struct ctd_tags_style *style)
{
	const char *parts[] = {names->namespace_name, names->pod, names->container};
	auto_ctd_strbuf struct ctd_strbuf name = {0};

	for (size_t i = 0; i < 3; i++)
		if (parts[i])
			ctd_strbuf_addf(&name, "%s%s", name.bytes ? "/" : "", parts[i]);
	if (!name.bytes)
		ctd_strbuf_add(&name, names->cgroup ? names->cgroup : names->key);
	return name.failed ? NULL : ctd_format_printable(name.text, style->unicode);
}

static void add_name(struct ctd_strbuf *out, const char *name, const struct ctd_tags_style *style)
{
	autofree char *cut = name ? ctd_format_shorten(name, NAME_WIDTH, style->unicode) : NULL;
	int width = cut ? ctd_format_width(cut) : 0;

	ctd_strbuf_addf(out, "%s%*s", cut ? cut : "?", width < NAME_WIDTH ? NAME_WIDTH - width : 0,
			"");
}

/* The first antagonist with its share, and how many more. */
static void add_antagonist(struct ctd_strbuf *out, const struct ctd_neighbour_tag *tag,
			   const struct ctd_tags_style *style)
{
	autofree char *name =
		tag->antagonists_count ? name_of(tag->antagonists[0].names, style) : NULL;

	add_name(out, name ? name : instead_of(tag), style);
	if (tag->antagonists_count)
		ctd_strbuf_addf(out, " %3.0f%%", 100 * tag->antagonists[0].share);
	else
		ctd_strbuf_add(out, "    -");
	if (tag->antagonists_count > 1)
		ctd_strbuf_addf(out, " +%zu", tag->antagonists_count - 1);
	else
		ctd_strbuf_add(out, "   ");
}

static void add_row(struct ctd_strbuf *out, const struct ctd_neighbour_tag *tag,
		    const struct ctd_tags_style *style)
{
	autofree char *victim = name_of(tag->victim, style);
	char since[CTD_FIGURE_BYTES];

	ctd_format_time(tag->since_ns, since);
	since[strcspn(since, ".")] = '\0';
	ctd_strbuf_add(out, style->colour ? colours[tag->blame] : "");
	add_name(out, victim, style);
	ctd_strbuf_addf(out, " %-10s ", ctd_mechanism_name(tag->mechanism));
	add_antagonist(out, tag, style);
	ctd_strbuf_addf(out, " %7.2f %4.0f%% %s%s\n", tag->loss_cpus, 100 * tag->confidence,
			since + strlen("2026-"), style->colour ? CTD_COLOUR_OFF : "");
}

void ctd_tags_table(struct ctd_strbuf *out, const struct ctd_neighbour_verdicts *verdicts,
		    const struct ctd_tags_style *style)
{
	const struct ctd_neighbours_status *status = &verdicts->status;
	size_t count = verdicts->tags_count;
	char time[CTD_FIGURE_BYTES];

	ctd_format_time(verdicts->time_ns, time);
	ctd_strbuf_addf(out, "%s  %zu tag%s, %zu containers, %zu of them learning", time, count,
			count == 1 ? "" : "s", status->subjects, status->learning);
	if (status->caches > status->nodes)
		ctd_strbuf_addf(out, "; %u last caches", status->caches);
	if (status->nodes > 1)
		ctd_strbuf_addf(out, "; %u memory nodes", status->nodes);
	ctd_strbuf_add(out, "\n");
	if (!count)
		return;
	ctd_strbuf_addf(out, "%s%-*s %-10s %-*s SHARE   LOSSCPU CONF SINCE%s\n",
			style->colour ? CTD_COLOUR_HEAD : "", NAME_WIDTH, "VICTIM", "MECHANISM",
			NAME_WIDTH, "ANTAGONIST", style->colour ? CTD_COLOUR_OFF : "");
	for (size_t i = 0; i < count; i++)
		add_row(out, &verdicts->tags[i], style);
}

void ctd_tags_add_ended(struct ctd_strbuf *out, const struct ctd_neighbour_tag *tag,
			const struct ctd_tags_style *style)
{
	autofree char *victim = name_of(tag->victim, style);

	ctd_strbuf_add(out, style->colour ? CTD_COLOUR_DIM : "");
	add_name(out, victim, style);
	ctd_strbuf_addf(out, " %-10s (ended)%s\n", ctd_mechanism_name(tag->mechanism),
			style->colour ? CTD_COLOUR_OFF : "");
}

/* A line of so many cells: each the mean of its part, as a height; a blank where nothing is known. */
static void add_plot(struct ctd_strbuf *out, const char *title, const float *series, size_t count,
		     const struct ctd_tags_style *style)
{
	static const char *const heights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	size_t cells = count < PLOT_CELLS ? count : PLOT_CELLS;
	double least = INFINITY, most = -INFINITY;

	for (size_t i = 0; i < count; i++) {
		least = fmin(least, (double)series[i]);
		most = fmax(most, (double)series[i]);
	}
	ctd_strbuf_addf(out, "    %-12s ", title);
	for (size_t cell = 0; cell < cells; cell++) {
		double sum = 0, known = 0;

		for (size_t i = cell * count / cells; i < (cell + 1) * count / cells; i++)
			if (!isnan(series[i])) {
				sum += (double)series[i];
				known++;
			}
		if (!(known > 0)) {
			ctd_strbuf_add(out, " ");
			continue;
		}
		sum = most > least ? (sum / known - least) / (most - least) : 0;
		if (style->unicode)
			ctd_strbuf_add(out, heights[lround(fmin(fmax(sum, 0), 1) * 7)]);
		else
			ctd_strbuf_addf(out, "%ld", lround(fmin(fmax(sum, 0), 1) * 9));
	}
	if (most >= least)
		ctd_strbuf_addf(out, "  %.3g to %.3g\n", least, most);
	else
		ctd_strbuf_add(out, "  not known\n");
}

static void add_series(struct ctd_strbuf *out, const struct ctd_neighbour_series *series,
		       const struct ctd_tags_style *style)
{
	ctd_strbuf_addf(out, "  the last %zu samples:\n", series->count);
	add_plot(out, "excess", series->excess, series->count, style);
	add_plot(out, "pressure", series->pressure, series->count, style);
	ctd_strbuf_add(
		out,
		"    excess: ln of its slots of this kind above what its own past expects;\n"
		"    pressure: slots of this kind of the first antagonist, or of all others\n");
}

/* Users name cgroups that were given to them, and a server says what it likes. */
static void add_limit(struct ctd_strbuf *out, const struct ctd_neighbour_tag *tag,
		      const struct ctd_tags_style *style)
{
	autofree char *limit = strndup(tag->victim->cgroup, tag->limit_bytes);
	autofree char *name = limit ? ctd_format_printable(limit, style->unicode) : NULL;

	ctd_strbuf_addf(out, "  by the limit of %s\n", name ? name : "?");
}

static void add_tag(struct ctd_strbuf *out, const struct ctd_neighbour_tag *tag,
		    const struct ctd_tags_style *style)
{
	autofree char *victim = name_of(tag->victim, style);
	char since[CTD_FIGURE_BYTES], bar[3 * BAR_CELLS + 1], slots[CTD_FIGURE_BYTES];

	ctd_format_time(tag->since_ns, since);
	ctd_strbuf_addf(out, "%s%s: %s%s%s%s\n", style->colour ? colours[tag->blame] : "",
			victim ? victim : "?", ctd_mechanism_name(tag->mechanism),
			*instead_of(tag) ? " " : "", instead_of(tag),
			style->colour ? CTD_COLOUR_OFF : "");
	ctd_strbuf_addf(out, "  loses %.3g CPUs", tag->loss_cpus);
	if (tag->loss_slots_known) {
		ctd_format_count((uint64_t)fmax(tag->loss_slots, 0), slots);
		ctd_strbuf_addf(out, " (%s slots in its window)", slots);
	}
	ctd_strbuf_addf(out, " since %s, confidence %.0f %%\n", since, 100 * tag->confidence);
	if (tag->limit_bytes && tag->victim->cgroup)
		add_limit(out, tag, style);
	for (size_t i = 0; i < tag->antagonists_count; i++) {
		autofree char *name = name_of(tag->antagonists[i].names, style);

		ctd_format_bar(tag->antagonists[i].share, BAR_CELLS, style->unicode, bar);
		ctd_strbuf_add(out, "  by ");
		add_name(out, name, style);
		ctd_strbuf_addf(out, " %3.0f%% %s\n", 100 * tag->antagonists[i].share, bar);
	}
	if ((tag->mechanism == CTD_MECHANISM_MEMORY || tag->mechanism == CTD_MECHANISM_FRONTEND) &&
	    (tag->blame == CTD_BLAME_NEIGHBOUR || tag->blame == CTD_BLAME_MACHINE))
		ctd_strbuf_addf(out, "  %-30s %s\n", "shared", shared[tag->scope]);
	for (size_t i = 0; i < tag->evidence_count; i++)
		ctd_strbuf_addf(out, "  %-30s %.4g\n", tag->evidence[i].name,
				tag->evidence[i].value);
	if (tag->series)
		add_series(out, tag->series, style);
	ctd_strbuf_addf(out, "  %s\n", ctd_tag_advice(tag->mechanism));
}

static bool is_called(const struct ctd_neighbour_names *names, const char *name)
{
	const char *texts[] = {names->key, names->container, names->container_id, names->pod,
			       names->cgroup};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (texts[i] && strcmp(texts[i], name) == 0)
			return true;
	return false;
}

size_t ctd_tags_explain(struct ctd_strbuf *out, const struct ctd_neighbour_verdicts *verdicts,
			const char *name, const struct ctd_tags_style *style)
{
	const struct ctd_neighbour_tag *tags = verdicts->tags;
	size_t explained = 0;

	for (size_t i = 0; i < verdicts->tags_count; i++) {
		if (!is_called(tags[i].victim, name))
			continue;
		if (explained++)
			ctd_strbuf_add(out, "\n");
		add_tag(out, &tags[i], style);
	}
	return explained;
}
