/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* summary.c - for people: where the slots of each row go, and which functions lose them. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/strbuf.h"
#include "format/colour.h"
#include "format/format.h"
#include "profile_sink/functions.h"
#include "profile_sink/weights.h"

#define BAR_CELLS 14
#define PARTS_CELLS 40
/* Rows below this part of the whole are only counted. */
#define ROW_SHARE_MIN 0.01
#define ROWS_MAX 20

struct drawing {
	const struct ctd_profile_sink_options *options;
	const struct ctd_profile *profile;
	struct ctd_strbuf *out;
};

static void begin_colour(const struct drawing *drawing, const char *colour)
{
	if (drawing->options->colour)
		ctd_strbuf_add(drawing->out, colour);
}

static void end_colour(const struct drawing *drawing)
{
	begin_colour(drawing, CTD_COLOUR_OFF);
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static void add_name(const struct drawing *drawing, const char *name, int width)
{
	ctd_format_add_short(drawing->out, name, width, drawing->options->unicode);
}

static void add_event(const struct drawing *drawing)
{
	static const char *const precisions[CTD_PRECISIONS] = {
		[CTD_PRECISION_SKID] = "skid: functions may be those of some instructions later",
		[CTD_PRECISION_CONSTANT_SKID] = "constant skid",
		[CTD_PRECISION_EXACT_ASKED] = "precise",
		[CTD_PRECISION_EXACT] = "precise",
		[CTD_PRECISION_SOFTWARE] = "of software",
	};
	const struct ctd_stacks_event *event = &drawing->profile->stacks->event;

	ctd_strbuf_addf(drawing->out, "%s (%s), one sample of %" PRIu64 "  ", event->name,
			precisions[event->precision], event->period);
}

static void add_head(const struct drawing *drawing)
{
	const struct ctd_profile *profile = drawing->profile;
	const struct ctd_rollup *rollup = profile->rollup;
	uint64_t samples = 0, windows = 0;
	char time[CTD_FIGURE_BYTES];

	for (size_t i = 0; i < profile->rows_count; i++) {
		samples += profile->rows[i].samples;
		windows += profile->rows[i].windows;
	}
	if (rollup->plan->simulated) {
		begin_colour(drawing, CTD_COLOUR_SIMULATED);
		ctd_strbuf_add(drawing->out, "SIMULATED");
		end_colour(drawing);
		ctd_strbuf_add(drawing->out, "  ");
	}
	ctd_format_time(rollup->realtime_ns, time);
	ctd_strbuf_addf(drawing->out, "%s  %.1f s  source %s  ", time,
			(double)rollup->window_ns / 1e9, rollup->plan->source);
	if (ctd_profile_has_event(profile))
		add_event(drawing);
	else
		ctd_strbuf_addf(drawing->out, "%.0f Hz  ",
				1e9 / (double)profile->stacks->period_ns);
	ctd_format_count(samples, time);
	ctd_strbuf_addf(drawing->out, "%s samples", time);
	if (profile->slots_known)
		ctd_strbuf_addf(drawing->out, ", %.0f%% with a window",
				100 * share(windows, samples));
	if (profile->lost_samples) {
		ctd_format_count(profile->lost_samples, time);
		ctd_strbuf_addf(drawing->out, ", %s more in no row", time);
	}
	ctd_strbuf_add(drawing->out, "\n");
}

struct part_look {
	enum ctd_node_role role;
	const char *colour;
	char letter;
};

static struct part_look part_look(enum ctd_node_role role)
{
	static const struct part_look looks[] = {
		{CTD_ROLE_RETIRING, CTD_COLOUR_RETIRING, 'R'},
		{CTD_ROLE_BAD_SPECULATION, CTD_COLOUR_BAD_SPECULATION, 'S'},
		{CTD_ROLE_FRONTEND_BOUND, CTD_COLOUR_FRONTEND, 'F'},
		{CTD_ROLE_BACKEND_BOUND, CTD_COLOUR_BACKEND, 'B'},
		{CTD_ROLE_NONE, CTD_COLOUR_DIM, '.'},
	};
	size_t i = 0;

	while (looks[i].role != CTD_ROLE_NONE && looks[i].role != role)
		i++;
	return looks[i];
}

/* The colour of the part of level 1 that a node is in. */
static const char *node_colour(const struct drawing *drawing, int node)
{
	const struct ctd_cpu_model *model = drawing->profile->rollup->plan->model;

	while (model->nodes[node].parent >= 0)
		node = model->nodes[node].parent;
	return part_look(model->nodes[node].role).colour;
}

static bool is_part(const struct drawing *drawing, const struct ctd_profile_row *row, int node)
{
	const struct ctd_cpu_model *model = drawing->profile->rollup->plan->model;

	return row->node_slots_known & 1u << node && model->nodes[node].level == 1;
}

/* Level 1 as figures and as one bar, whose parts are told apart by colours, or else by letters. */
static void add_parts(const struct drawing *drawing, const struct ctd_profile_row *row)
{
	const struct ctd_cpu_model *model = drawing->profile->rollup->plan->model;
	struct ctd_strbuf *out = drawing->out;
	const char *between = "  ";
	double passed = 0;
	int cells = 0;

	if (!row->slots_known)
		return;
	for (int node = 0; node < model->nodes_count; node++) {
		if (!is_part(drawing, row, node))
			continue;
		ctd_strbuf_add(out, between);
		begin_colour(drawing, part_look(model->nodes[node].role).colour);
		ctd_strbuf_add(out, model->nodes[node].title);
		end_colour(drawing);
		ctd_strbuf_addf(out, " %.1f%%", 100 * share(row->node_slots[node], row->slots));
	}
	ctd_strbuf_add(out, "\n  ");
	for (int node = 0; node < model->nodes_count; node++) {
		struct part_look look = part_look(model->nodes[node].role);
		bool blocks = drawing->options->colour && drawing->options->unicode;

		if (!is_part(drawing, row, node))
			continue;
		passed += share(row->node_slots[node], row->slots);
		begin_colour(drawing, look.colour);
		for (; cells < (int)lround(fmin(passed, 1) * PARTS_CELLS); cells++)
			ctd_strbuf_addf(out, blocks ? "█" : "%c", look.letter);
		end_colour(drawing);
	}
	ctd_strbuf_add(out, "\n");
}

static void add_figure(const struct drawing *drawing, uint64_t part, uint64_t whole)
{
	ctd_strbuf_addf(drawing->out, " %6.1f%%", 100 * share(part, whole));
}

/* A second of the clock. */
static void add_rate(const struct drawing *drawing, uint64_t events)
{
	double seconds = (double)drawing->profile->rollup->window_ns / 1e9;
	char text[CTD_FIGURE_BYTES];

	ctd_format_count(seconds > 0 ? (uint64_t)llround(fmin((double)events / seconds, 1e18)) : 0,
			 text);
	ctd_strbuf_addf(drawing->out, " %7s", text);
}

/* Where most of a function is: "(walk.c:42, 61% of it)"; or else its file. */
static void add_place(const struct drawing *drawing, const struct ctd_profile_function *function)
{
	const struct ctd_stacks *stacks = drawing->profile->stacks;
	const struct ctd_function *place = &stacks->functions[function->place];
	const char *file = place->source ? place->source : stacks->modules[place->module].file;
	const char *slash = strrchr(file, '/');

	if (!*file || (!*place->name && !place->source))
		return;
	begin_colour(drawing, CTD_COLOUR_DIM);
	ctd_strbuf_add(drawing->out, " (");
	add_name(drawing, slash ? slash + 1 : file, 30);
	if (place->source)
		ctd_strbuf_addf(drawing->out, ":%" PRIu32, place->line);
	if (place->source && function->place_weight < function->weight)
		ctd_strbuf_addf(drawing->out, ", %.0f%% of it",
				100 * share(function->place_weight, function->weight));
	if (place->inlined)
		ctd_strbuf_add(drawing->out, ", inlined");
	ctd_strbuf_add(drawing->out, ")");
	end_colour(drawing);
}

static void add_function(const struct drawing *drawing, const struct ctd_weight *weight,
			 const struct ctd_profile_function *function, uint64_t weight_whole,
			 uint64_t whole)
{
	const struct ctd_stacks *stacks = drawing->profile->stacks;
	const struct ctd_function *known = &stacks->functions[function->function];
	bool unicode = drawing->options->unicode;
	char bar[3 * BAR_CELLS + 1];
	int used = 2 + BAR_CELLS + 8 + 2;

	ctd_format_bar(share(function->weight, weight_whole), BAR_CELLS, unicode, bar);
	ctd_strbuf_add(drawing->out, "  ");
	begin_colour(drawing, weight->kind == CTD_WEIGHT_NODE ? node_colour(drawing, weight->node)
							      : CTD_COLOUR_HEAD);
	ctd_strbuf_add(drawing->out, bar);
	end_colour(drawing);
	ctd_strbuf_addf(drawing->out, "%*s", BAR_CELLS - ctd_format_width(bar), "");
	add_figure(drawing, function->weight, whole);
	if (weight->kind == CTD_WEIGHT_EVENT) {
		add_rate(drawing, function->weight);
		used += 8;
	}
	if (weight->kind == CTD_WEIGHT_NODE) {
		add_figure(drawing, function->whole, whole);
		add_figure(drawing, function->weight, function->whole);
		used += 16;
	}
	ctd_strbuf_add(drawing->out, "  ");
	add_name(drawing, known->label, drawing->options->width - used);
	add_place(drawing, function);
	ctd_strbuf_add(drawing->out, "\n");
}

static int add_functions(const struct drawing *drawing, const struct ctd_profile_row *row,
			 const struct ctd_weight *weight)
{
	const struct ctd_cpu_model *model = drawing->profile->rollup->plan->model;
	bool of_event = ctd_profile_has_event(drawing->profile);
	uint64_t whole = of_event ? row->events : row->slots_known ? row->slots : row->cpu_ns;
	uint64_t rest = 0;
	autofree struct ctd_profile_function *functions = NULL;
	size_t count, shown;
	int error = ctd_profile_functions(drawing->profile, row, 1, weight, &functions, &count);

	if (error)
		return error;
	shown = drawing->options->top && (size_t)drawing->options->top < count
			? (size_t)drawing->options->top
			: count;
	begin_colour(drawing, CTD_COLOUR_HEAD);
	if (weight->kind == CTD_WEIGHT_NODE)
		ctd_strbuf_addf(drawing->out, "  %*s %7s %7s  FUNCTION", BAR_CELLS + 8,
				model->nodes[weight->node].title, "SLOTS", "OF THEM");
	else if (of_event)
		ctd_strbuf_addf(drawing->out, "  %*s %7s  FUNCTION", BAR_CELLS + 8, "EVENTS",
				"PER S");
	else
		ctd_strbuf_addf(drawing->out, "  %*s  FUNCTION", BAR_CELLS + 8,
				row->slots_known ? "SLOTS" : "CPU TIME");
	end_colour(drawing);
	ctd_strbuf_add(drawing->out, "\n");
	for (size_t i = 0; i < count; i++) {
		if (i < shown && functions[i].weight)
			add_function(drawing, weight, &functions[i], ctd_weight_of_row(weight, row),
				     whole);
		else
			rest += functions[i].weight;
	}
	if (rest) {
		ctd_strbuf_addf(drawing->out, "  %*s", BAR_CELLS, "");
		add_figure(drawing, rest, whole);
		if (of_event)
			add_rate(drawing, rest);
		ctd_strbuf_addf(drawing->out, "%*s  in %zu more\n",
				weight->kind == CTD_WEIGHT_NODE ? 16 : 0, "", count - shown);
	}
	return 0;
}

/* What the row's functions are sorted by: as asked for, or what holds the row back. */
static struct ctd_weight weight_of(const struct drawing *drawing, const struct ctd_profile_row *row)
{
	const struct ctd_rollup_plan *plan = drawing->profile->rollup->plan;
	int dominant = row->row->parts[row->core_type].dominant;
	int column = dominant < 0 ? -1 : plan->core_types[row->core_type].column[dominant];

	if (drawing->options->weight)
		return *drawing->options->weight;
	if (ctd_profile_has_event(drawing->profile))
		return (struct ctd_weight){CTD_WEIGHT_EVENT, 0};
	if (column >= 0 && row->node_slots_known & 1u << column)
		return (struct ctd_weight){CTD_WEIGHT_NODE, column};
	return (struct ctd_weight){row->slots_known ? CTD_WEIGHT_SLOTS : CTD_WEIGHT_CPU, 0};
}

/* How far the figures above can be trusted. */
static void add_quality(const struct drawing *drawing, const struct ctd_profile_row *row)
{
	bool of_event = ctd_profile_has_event(drawing->profile);
	struct ctd_strbuf *out = drawing->out;
	char text[CTD_FIGURE_BYTES];

	ctd_format_count(row->samples, text);
	begin_colour(drawing, CTD_COLOUR_DIM);
	ctd_strbuf_addf(out, "  %s samples", text);
	if (row->samples && !of_event)
		ctd_strbuf_addf(out, " x %.2f", row->factor);
	if (row->samples && row->slots_known && !of_event)
		ctd_strbuf_addf(
			out,
			", %.0f%% with a window; shares from the stack %.0f%%, function %.0f%%, row %.0f%%",
			100 * share(row->windows, row->samples),
			100 * share(row->slots_by_source[CTD_SHARES_STACK], row->slots),
			100 * share(row->slots_by_source[CTD_SHARES_FUNCTION], row->slots),
			100 * share(row->slots_by_source[CTD_SHARES_ROW], row->slots));
	end_colour(drawing);
	ctd_strbuf_add(out, "\n");
}

static int add_row(const struct drawing *drawing, const struct ctd_profile_row *row)
{
	const struct ctd_profile *profile = drawing->profile;
	autofree char *name = ctd_profile_row_name(profile, row);
	struct ctd_weight weight = weight_of(drawing, row);
	char text[CTD_FIGURE_BYTES];
	int error;

	if (!name)
		return -ENOMEM;
	ctd_strbuf_add(drawing->out, "\n");
	begin_colour(drawing, CTD_COLOUR_HEAD);
	add_name(drawing, name, drawing->options->width - 30);
	end_colour(drawing);
	ctd_format_cpu(row->cpu_ns, profile->rollup->window_ns, text);
	ctd_strbuf_addf(drawing->out, "  %s%% CPU", text);
	if (row->whole_cpu_ns)
		ctd_strbuf_addf(drawing->out, ", %.1f%% of the row's by samples",
				100 * share(row->cpu_ns, row->whole_cpu_ns));
	if (row->slots_known) {
		ctd_format_count(row->slots, text);
		ctd_strbuf_addf(drawing->out, "  %s slots", text);
	}
	if (ctd_profile_has_event(profile)) {
		ctd_format_count(row->events, text);
		ctd_strbuf_addf(drawing->out, "  %s %s", text, profile->stacks->event.name);
	}
	ctd_strbuf_add(drawing->out, "\n");
	add_parts(drawing, row);
	error = add_functions(drawing, row, &weight);
	add_quality(drawing, row);
	return error;
}

static int compare_rows(const void *left, const void *right)
{
	const struct ctd_profile_row *a = *(const struct ctd_profile_row *const *)left;
	const struct ctd_profile_row *b = *(const struct ctd_profile_row *const *)right;

	if (a->events != b->events)
		return a->events > b->events ? -1 : 1;
	/* Without counters, and on several core types, time is what all have. */
	if (a->cpu_ns != b->cpu_ns)
		return a->cpu_ns > b->cpu_ns ? -1 : 1;
	return a < b ? -1 : a > b;
}

static int summary_write(const struct ctd_profile_sink_options *options,
			 const struct ctd_profile *profile, struct ctd_strbuf *out)
{
	struct drawing drawing = {.options = options, .profile = profile, .out = out};
	autofree const struct ctd_profile_row **rows =
		malloc((profile->rows_count + 1) * sizeof(*rows));
	bool of_event = ctd_profile_has_event(profile);
	const struct ctd_weight size = {of_event ? CTD_WEIGHT_EVENT : CTD_WEIGHT_CPU, 0};
	uint64_t whole = 0, rest = 0;
	size_t shown = 0;
	int error = 0;

	if (!rows)
		return -ENOMEM;
	for (size_t i = 0; i < profile->rows_count; i++) {
		rows[i] = &profile->rows[i];
		whole += ctd_weight_of_row(&size, rows[i]);
	}
	qsort(rows, profile->rows_count, sizeof(*rows), compare_rows);
	add_head(&drawing);
	for (size_t i = 0; i < profile->rows_count && !error; i++) {
		uint64_t own = ctd_weight_of_row(&size, rows[i]);
		bool small = share(own, whole) < ROW_SHARE_MIN || shown == ROWS_MAX;

		if (small && i)
			rest += own;
		else
			error = add_row(&drawing, rows[shown++]);
	}
	if (shown < profile->rows_count)
		ctd_strbuf_addf(out, "\n%zu more with %.1f%% of the %s\n",
				profile->rows_count - shown, 100 * share(rest, whole),
				of_event ? "events" : "CPU time");
	if (!profile->rows_count)
		ctd_strbuf_add(out, "(nothing ran)\n");
	return error ? error : out->failed ? -ENOMEM : 0;
}

const struct ctd_profile_sink ctd_profile_summary = {
	.help = "a summary for people: of each row its bottleneck, and the functions that lose most to it",
	.write = summary_write,
};
