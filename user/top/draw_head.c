/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* draw_head.c - above the rows: what is measured, the sum of all; below: time, keys, messages. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/auto.h"
#include "format/budget.h"
#include "format/format.h"
#include "format/health.h"
#include "top/bar.h"
#include "top/draw.h"

#define CLOCK_BYTES 16
#define BAR_LEAST 8
#define BAR_MOST 40
/* Lines of machines without figures: not more than this part of the screen, if it is so high. */
#define MISSING_PART 5
#define MISSING_LEAST 10

/* Of the wall clock, where we are. */
static const char *clock_of(uint64_t realtime_ns, char text[CLOCK_BYTES])
{
	time_t seconds = (time_t)(realtime_ns / 1000000000);
	struct tm tm;

	if (!localtime_r(&seconds, &tm) || !strftime(text, CLOCK_BYTES, "%H:%M:%S", &tm))
		strcpy(text, "-");
	return text;
}

/* Items side by side, as many as fit before @p end. */
struct items {
	struct ctd_canvas *canvas;
	int row, at, end;
};

static void __attribute__((format(printf, 3, 4)))
add(struct items *items, enum ctd_paint paint, const char *format, ...)
{
	char text[256];
	va_list arguments;
	int width;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	width = ctd_format_width(text);
	if (!width || items->at + width > items->end)
		return;
	ctd_canvas_put(items->canvas, items->row, items->at, width, paint, text);
	items->at += width + 2;
}

/* @return the column where it begins. */
static int draw_time(struct ctd_canvas *canvas, const struct ctd_top_state *state,
		     const struct ctd_top_view *view)
{
	char time[CLOCK_BYTES], text[64];
	int width;

	if (!view->frame)
		return canvas->width;
	snprintf(text, sizeof(text), "%s%s  %.*f s",
		 state->paused && !view->history->has_ended ? "PAUSED  " : "",
		 clock_of(view->frame->interval.realtime_ns, time),
		 view->frame->interval.window_ns < 10000000000ull ? 1 : 0,
		 (double)view->frame->interval.window_ns / 1e9);
	width = ctd_format_width(text);
	if (width + 12 > canvas->width)
		return canvas->width;
	ctd_canvas_put_right(canvas, 0, canvas->width,
			     state->paused ? CTD_PAINT_WARM : CTD_PAINT_HEAD, text);
	return canvas->width - width;
}

/* Looking back, those of that time. */
static const struct ctd_top_nodes *nodes_of(const struct ctd_top_state *state,
					    const struct ctd_top_view *view)
{
	return view->frame && state->paused ? &view->frame->nodes : &view->history->nodes;
}

static void draw_title(struct ctd_canvas *canvas, const struct ctd_top_state *state,
		       const struct ctd_top_view *view, const struct ctd_top_source *source)
{
	struct items items = {.canvas = canvas, .end = draw_time(canvas, state, view) - 1};
	const struct ctd_top_nodes *nodes = nodes_of(state, view);
	const struct ctd_report *report = &view->report;

	if (view->frame && report->simulated)
		add(&items, CTD_PAINT_SIMULATED, "SIMULATED");
	add(&items, CTD_PAINT_HEAD, "cgtopdown");
	add(&items, CTD_PAINT_HEAD, "%s", source->name);
	if (nodes->asked)
		add(&items, nodes->shown < nodes->asked ? CTD_PAINT_BAD : CTD_PAINT_HEAD,
		    "%zu of %zu node%s", nodes->shown, nodes->asked, nodes->asked == 1 ? "" : "s");
	if (!view->frame)
		return;
	add(&items, CTD_PAINT_PLAIN, "source %s", report->source);
	if (report->model)
		add(&items, CTD_PAINT_PLAIN, "level %d", report->level);
	if (strcmp(report->scope, "thread") != 0)
		add(&items, CTD_PAINT_WARM, "%s scope", report->scope);
	if (report->groups_count > 1)
		add(&items, CTD_PAINT_WARM, "rotating %d groups", report->groups_count);
	add(&items, CTD_PAINT_PLAIN, "%u CPU%s", report->totals.cpus_online,
	    report->totals.cpus_online == 1 ? "" : "s");
}

/* The four ways, in their colours: the legend of all bars. */
static void draw_legend(struct ctd_canvas *canvas, int row, int column,
			const struct ctd_top_view *view)
{
	const struct ctd_cpu_model *model = view->report.model;
	struct items items = {.canvas = canvas, .row = row, .at = column, .end = canvas->width};

	for (int i = 0; i < model->nodes_count; i++) {
		struct ctd_value value = view->sum.values[i];
		char share[16] = "-";

		if (model->nodes[i].level != 1)
			continue;
		if (ctd_value_known(value))
			snprintf(share, sizeof(share), "%.0f%%", 100 * value.ratio);
		add(&items, ctd_top_paint(model->nodes[i].role), "%s %s", model->nodes[i].title,
		    share);
	}
}

static int legend_width(const struct ctd_top_view *view)
{
	const struct ctd_cpu_model *model = view->report.model;
	int width = 0;

	for (int i = 0; i < model->nodes_count; i++)
		if (model->nodes[i].level == 1)
			width += (int)strlen(model->nodes[i].title) + 6;
	return width;
}

static void draw_sum(struct ctd_canvas *canvas, int row, const struct ctd_top_view *view)
{
	double cpus = view->frame->interval.window_ns
			      ? (double)view->sum.cpu_ns / (double)view->frame->interval.window_ns
			      : 0;
	int at = ctd_canvas_putf(canvas, row, 0, canvas->width, CTD_PAINT_PLAIN, "%.2f of %u CPUs ",
				 cpus, view->report.totals.cpus_online);
	int room;

	if (!view->report.model)
		return;
	if (!view->sum.known) {
		ctd_canvas_put(canvas, row, at + 1, canvas->width, CTD_PAINT_WARM,
			       "no data on slots");
		return;
	}
	room = canvas->width - at - 2 - legend_width(view);
	if (room < BAR_LEAST)
		room = canvas->width - at < BAR_MOST ? canvas->width - at : BAR_LEAST;
	if (room > BAR_MOST)
		room = BAR_MOST;
	ctd_top_bar(canvas, row, at, room, view->report.model, view->sum.values);
	draw_legend(canvas, row, at + room + 2, view);
}

static void add_budget(struct items *items, const struct ctd_budget_state *state)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0}, given_up = {0};

	ctd_budget_add_text(&text, state);
	ctd_budget_add_given_up(&given_up, state);
	if (text.bytes && !text.failed)
		add(items, state->exceeded ? CTD_PAINT_WARM : CTD_PAINT_DIM, "%s", text.text);
	if (given_up.bytes && !given_up.failed)
		add(items, CTD_PAINT_WARM, "without %s", given_up.text);
}

/* What the measurement costs, and what it missed. */
static void add_health(struct items *items, const struct ctd_top_view *view)
{
	const struct ctd_interval_health *health = &view->report.health;
	double window_s = (double)view->report.window_ns / 1e9, switches_per_s;
	char text[CTD_FIGURE_BYTES];

	if (!view->report.window_ns)
		return;
	if (view->frame->is_past) {
		add(items, CTD_PAINT_DIM,
		    view->frame->is_cut ? "from serve's history, without the smallest rows"
					: "from serve's history");
		return;
	}
	switches_per_s = (double)health->count[CTD_HEALTH_SWITCHES] / window_s;
	ctd_format_count((uint64_t)switches_per_s, text);
	if (isfinite(health->ns_per_switch) && view->report.totals.cpus_online)
		add(items, CTD_PAINT_DIM, "cost %.2g%% (%s switches/s at %.0f ns)",
		    100 * switches_per_s * health->ns_per_switch / 1e9 /
			    view->report.totals.cpus_online,
		    text, health->ns_per_switch);
	else
		add(items, CTD_PAINT_DIM, "%s switches/s", text);
	add_budget(items, &health->budget);
	for (size_t i = 0; i < ctd_health_names_count; i++) {
		const struct ctd_health_name *name = &ctd_health_names[i];

		if (!name->fault || !health->count[name->counter])
			continue;
		ctd_format_count(health->count[name->counter], text);
		add(items, CTD_PAINT_WARM, "%s %s", name->label, text);
	}
}

static const char *grouping_name(struct ctd_top_grouping grouping)
{
	return grouping.tree ? "cgroup tree" : ctd_group_by_name(grouping.by);
}

static const char *sort_title(const struct ctd_top_view *view)
{
	const struct ctd_cpu_model *model = view->report.model;
	int node = model ? ctd_cpu_model_find_node(model, view->sort) : -1;

	if (node >= 0)
		return model->nodes[node].title;
	return strcmp(view->sort, "cpu") == 0 ? "CPU%" : view->sort;
}

static void draw_choices(struct ctd_canvas *canvas, int row, const struct ctd_top_state *state,
			 const struct ctd_top_view *view)
{
	struct items items = {.canvas = canvas, .row = row, .end = canvas->width};

	if (view->history->writer)
		add(&items, CTD_PAINT_BAD, "RECORDING");
	add(&items, CTD_PAINT_PLAIN, "by %s", grouping_name(state->grouping));
	add(&items, CTD_PAINT_PLAIN, "sorted by %s%s", sort_title(view),
	    state->reversed && !view->report.tree ? ", reversed" : "");
	if (*state->filter || state->typing) {
		add(&items, CTD_PAINT_WARM, "/%s%s", state->filter, state->typing ? "_" : "");
		add(&items, CTD_PAINT_WARM, "%zu of %zu rows", view->lines_count,
		    view->report.rows_count);
	} else {
		add(&items, CTD_PAINT_PLAIN, "%zu row%s", view->lines_count,
		    view->lines_count == 1 ? "" : "s");
	}
	add_health(&items, view);
}

static size_t count_lines(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += *text == '\n';
	return count;
}

/* Of all that have no line of their own: "3 more: node5, node6, node8". */
static void draw_more(struct ctd_canvas *canvas, int row, const char *missing)
{
	size_t count = count_lines(missing);
	int at = ctd_canvas_putf(canvas, row, 0, canvas->width, CTD_PAINT_BAD, "%zu more:", count);

	for (const char *comma = " "; *missing; comma = ", ") {
		autofree char *name = strndup(missing, strcspn(missing, "\t\n"));
		autofree char *shown = name ? ctd_format_printable(name, canvas->unicode) : NULL;

		if (shown)
			at += ctd_canvas_putf(canvas, row, at, canvas->width - at, CTD_PAINT_BAD,
					      "%s%s", comma, shown);
		missing += strcspn(missing, "\n");
		missing += *missing == '\n';
	}
}

/* @p missing: "NAME<tab>WHY" of so many bytes. @return NULL without memory. */
static char *line_of(const char *missing, size_t bytes)
{
	int name = (int)strcspn(missing, "\t\n");
	int why = (int)bytes > name ? (int)bytes - name - 1 : 0;
	char *line;

	return asprintf(&line, "%.*s: %.*s", name, missing, why, missing + bytes - why) < 0 ? NULL
											    : line;
}

/* Which machines have no figures, and why. @return the next row. */
static int draw_missing(struct ctd_canvas *canvas, int row, const struct ctd_top_state *state,
			const struct ctd_top_view *view)
{
	const char *missing = nodes_of(state, view)->missing;
	int most = canvas->height / MISSING_PART;

	if (canvas->height < MISSING_LEAST)
		return row;
	for (; missing && *missing && most > 0; most--) {
		size_t bytes = strcspn(missing, "\n");
		autofree char *line = line_of(missing, bytes);
		autofree char *shown = line ? ctd_format_printable(line, canvas->unicode) : NULL;

		if (most == 1 && count_lines(missing) > 1) {
			draw_more(canvas, row++, missing);
			break;
		}
		if (shown)
			ctd_canvas_put(canvas, row++, 0, canvas->width, CTD_PAINT_BAD, shown);
		missing += bytes + (missing[bytes] == '\n');
	}
	return row;
}

int ctd_top_draw_head(struct ctd_canvas *canvas, const struct ctd_top_state *state,
		      const struct ctd_top_view *view, const struct ctd_top_source *source)
{
	int rows = 1;

	draw_title(canvas, state, view, source);
	if (!view->frame)
		return draw_missing(canvas, rows, state, view);
	if (canvas->height < 6)
		return rows;
	draw_sum(canvas, rows++, view);
	if (canvas->height >= 9)
		draw_choices(canvas, rows++, state, view);
	return draw_missing(canvas, rows, state, view);
}

static void draw_time_line(struct ctd_canvas *canvas, int row, struct ctd_top_seen *seen,
			   const struct ctd_top_view *view)
{
	const struct ctd_top_history *history = view->history;
	char first[CLOCK_BYTES], last[CLOCK_BYTES], end[64];
	int at, width, mark;

	clock_of(history->frames[0]->interval.realtime_ns, first);
	clock_of(history->frames[history->count - 1]->interval.realtime_ns, last);
	snprintf(end, sizeof(end), "%s  %zu of %zu", last, view->place + 1, history->count);
	at = ctd_canvas_putf(canvas, row, 0, canvas->width, CTD_PAINT_DIM, "%s ", first);
	width = canvas->width - at - (int)strlen(end) - 1;
	ctd_canvas_put_right(canvas, row, canvas->width, CTD_PAINT_DIM, end);
	seen->time_from = at;
	seen->time_width = width < 2 ? 0 : width;
	if (width < 2)
		return;
	mark = history->count > 1 ? (int)((size_t)(width - 1) * view->place / (history->count - 1))
				  : width - 1;
	for (int i = 0; i < width; i++)
		*ctd_canvas_cell(canvas, row, at + i) =
			(struct ctd_cell){.code = canvas->unicode ? (i == mark ? 0x25cf : 0x2500)
						  : i == mark	  ? 'O'
								  : '-',
					  .paint = i == mark ? CTD_PAINT_WARM : CTD_PAINT_DIM};
}

static void draw_keys(struct ctd_canvas *canvas, int row, const struct ctd_top_state *state)
{
	static const char *const list[] = {"?help",    "q quit",   "Enter row", "b group",
					   "< > sort", "/ filter", "e explain", "l level",
					   "p pause",  NULL};
	static const char *const page[] = {"Esc back", "?help",	  "e explain",
					   "l level",  "p pause", NULL};
	static const char *const text[] = {"Esc back", "Up Down scroll", NULL};
	struct items items = {.canvas = canvas, .row = row, .end = canvas->width};
	const char *const *keys = state->page == CTD_TOP_LIST	  ? list
				  : state->page == CTD_TOP_DETAIL ? page
								  : text;

	for (; *keys; keys++)
		add(&items, CTD_PAINT_DIM, "%s", *keys);
}

/* The last row says what matters most now. */
static void draw_last(struct ctd_canvas *canvas, int row, const struct ctd_top_state *state,
		      const struct ctd_top_view *view)
{
	if (state->typing)
		ctd_canvas_putf(canvas, row, 0, canvas->width, CTD_PAINT_HEAD, "Filter: %s%s",
				state->filter, canvas->unicode ? "▏" : "_");
	else if (*view->history->why)
		ctd_canvas_put(canvas, row, 0, canvas->width, CTD_PAINT_BAD, view->history->why);
	else if (*state->said)
		ctd_canvas_put(canvas, row, 0, canvas->width, CTD_PAINT_WARM, state->said);
	else
		draw_keys(canvas, row, state);
}

int ctd_top_draw_foot(struct ctd_canvas *canvas, struct ctd_top_state *state,
		      const struct ctd_top_view *view, const struct ctd_top_source *source)
{
	int rows = 0;

	if (canvas->height < 4)
		return 0;
	draw_last(canvas, canvas->height - ++rows, state, view);
	state->seen.time_row = -1;
	if (view->frame && canvas->height >= 8 && (state->paused || source->has_time_line)) {
		state->seen.time_row = canvas->height - ++rows;
		draw_time_line(canvas, state->seen.time_row, &state->seen, view);
	}
	return rows;
}
