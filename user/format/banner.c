/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* banner.c - what a table says of its window: above it, how it was measured, below it, the books. */
#include "format/banner.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/auto.h"
#include "format/colour.h"
#include "format/format.h"

/* Items are set side by side and wrapped between them; every line of a simulation says so. */
struct banner {
	struct ctd_strbuf *out;
	const struct ctd_sink_options *options;
	const char *prefix; /* of each line */
	int at; /* columns used on this line, 0: none begun */
};

static void __attribute__((format(printf, 3, 4)))
add(struct banner *banner, const char *colour, const char *format, ...)
{
	autofree char *item = NULL;
	va_list arguments;
	int bytes;

	va_start(arguments, format);
	bytes = vasprintf(&item, format, arguments);
	va_end(arguments);
	if (bytes < 0) {
		item = NULL;
		banner->out->failed = true;
		return;
	}
	if (banner->at > 0 && banner->at + 2 + bytes > banner->options->width) {
		ctd_strbuf_add(banner->out, "\n");
		banner->at = 0;
	}
	ctd_strbuf_add(banner->out, banner->at > 0 ? "  " : banner->prefix);
	banner->at += banner->at > 0 ? 2 : (int)strlen(banner->prefix);
	if (banner->options->colour)
		ctd_strbuf_addf(banner->out, "%s%s%s", colour, item, CTD_COLOUR_OFF);
	else
		ctd_strbuf_add(banner->out, item);
	banner->at += bytes;
}

static void end(struct banner *banner)
{
	ctd_strbuf_add(banner->out, "\n");
}

/* The part of all CPU time that a group's figures are of. */
static double coverage(const struct ctd_report *report, int group)
{
	double covered_s = 0, cpu_s = 0;

	for (size_t i = 0; i < report->rows_count; i++) {
		covered_s += report->rows[i].coverage[group] * report->rows[i].cpu_s;
		cpu_s += report->rows[i].cpu_s;
	}
	return cpu_s > 0 ? covered_s / cpu_s : 0;
}

/* And of how much of the time a figure is: much the same for all, but in short intervals. */
static void add_turns(struct banner *banner, const struct ctd_report *report)
{
	double least = 1, most = 0;

	if (report->groups_count < 2)
		return;
	for (int turn = 0; turn < report->groups_count; turn++) {
		bool is_general = report->general && turn == report->groups_count - 1;
		double part = coverage(report, is_general ? CTD_GENERAL_GROUP : turn);

		least = fmin(least, part);
		most = fmax(most, part);
	}
	/* Without a model there are no figures of theirs. */
	if (!report->model)
		add(banner, CTD_COLOUR_WARM, "in %d turns", report->groups_count);
	else if (most - least < 0.1)
		add(banner, CTD_COLOUR_WARM, "in %d turns of %.0f%%", report->groups_count,
		    100 * least);
	else
		add(banner, CTD_COLOUR_WARM, "in %d turns of %.0f to %.0f%%", report->groups_count,
		    100 * least, 100 * most);
}

void ctd_banner_add_head(struct ctd_strbuf *out, const struct ctd_report *report,
			 const struct ctd_sink_options *options)
{
	struct banner banner = {.out = out, .options = options, .prefix = ""};
	char time[CTD_FIGURE_BYTES];

	ctd_format_time(report->realtime_ns, time);
	if (report->simulated)
		add(&banner, CTD_COLOUR_SIMULATED, "SIMULATED");
	add(&banner, CTD_COLOUR_HEAD, "%s", time);
	add(&banner, CTD_COLOUR_HEAD, "%.3f s", (double)report->window_ns / 1e9);
	add(&banner, CTD_COLOUR_HEAD, "source %s", report->source);
	if (strcmp(report->method, report->source) != 0)
		add(&banner, CTD_COLOUR_HEAD, "method %s", report->method);
	if (report->model)
		add(&banner, CTD_COLOUR_HEAD, "level %d", report->level);
	if (strcmp(report->scope, "thread") != 0)
		add(&banner, CTD_COLOUR_WARM, "%s scope", report->scope);
	add_turns(&banner, report);
	add(&banner, CTD_COLOUR_HEAD, "%" PRIu32 " CPU%s", report->cpus_online,
	    report->cpus_online == 1 ? "" : "s");
	if (*report->hierarchy)
		add(&banner, CTD_COLOUR_HEAD, "%s", report->hierarchy);
	end(&banner);
}

static void add_books(struct banner *banner, const struct ctd_report *report)
{
	char text[CTD_FIGURE_BYTES];

	if (!report->model)
		return;
	if (!report->slots_known) {
		add(banner, CTD_COLOUR_BAD, "slots -");
		return;
	}
	ctd_format_count(report->slots, text);
	add(banner, CTD_COLOUR_DIM, "slots %s", text);
	if (report->slots)
		add(banner, CTD_COLOUR_DIM, "idle %.0f%%",
		    100 * (double)report->idle_slots / (double)report->slots);
	ctd_format_count(report->unattributed_slots, text);
	add(banner, report->unattributed_slots ? CTD_COLOUR_WARM : CTD_COLOUR_DIM,
	    "unattributed %s", text);
	ctd_format_signed(report->residual_slots, text);
	add(banner, report->residual_slots ? CTD_COLOUR_BAD : CTD_COLOUR_DIM, "residual %s", text);
}

static void add_errors(struct banner *banner, const char *what, uint64_t count)
{
	char text[CTD_FIGURE_BYTES];

	ctd_format_count(count, text);
	if (count)
		add(banner, CTD_COLOUR_BAD, "%s %s", what, text);
}

/* With the time that is therefore in no row. */
static void add_lost_switches(struct banner *banner, const struct ctd_report *report)
{
	char text[CTD_FIGURE_BYTES];

	ctd_format_count(report->health.lost_switches, text);
	if (report->health.lost_switches)
		add(banner, CTD_COLOUR_WARM, "lost switches %s (%.1f ms)", text,
		    1e3 * report->unattributed_cpu_s);
}

void ctd_banner_add_health(struct ctd_strbuf *out, const struct ctd_report *report,
			   const struct ctd_sink_options *options)
{
	const struct ctd_interval_health *health = &report->health;
	struct banner banner = {
		.out = out, .options = options, .prefix = report->simulated ? "sim " : ""};
	char text[CTD_FIGURE_BYTES];

	add_books(&banner, report);
	if (report->window_ns) {
		ctd_format_count(
			(uint64_t)((double)health->switches * 1e9 / (double)report->window_ns),
			text);
		/* At what cost of our own for each. */
		if (isfinite(health->ns_per_switch))
			add(&banner, CTD_COLOUR_DIM, "%s switches/s at %.0f ns", text,
			    health->ns_per_switch);
		else
			add(&banner, CTD_COLOUR_DIM, "%s switches/s", text);
	}
	/* Shown where there are any: silence is none. */
	add_errors(&banner, "read errors", health->read_errors);
	add_lost_switches(&banner, report);
	add_errors(&banner, "lost rows", health->lost_rows);
	add_errors(&banner, "lost events", health->lost_events);
	add_errors(&banner, "restarts", health->restarts);
	end(&banner);
}
