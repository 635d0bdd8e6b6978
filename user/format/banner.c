/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* banner.c - what a table says of its window: above it, how it was measured, below it, the totals. */
#include "format/banner.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "format/budget.h"
#include "format/colour.h"
#include "format/format.h"
#include "format/health.h"

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
	double covered_ns = 0, cpu_ns = 0;

	for (size_t i = 0; i < report->rows_count; i++) {
		if (report->rows[i].core_sum)
			continue;
		covered_ns += report->rows[i].coverage[group] * (double)report->rows[i].cpu_ns;
		cpu_ns += (double)report->rows[i].cpu_ns;
	}
	return cpu_ns > 0 ? covered_ns / cpu_ns : 0;
}

/* And of how much of the time a figure is: much the same for all, but in short intervals. */
static void add_rotation(struct banner *banner, const struct ctd_report *report)
{
	double least = 1, most = 0;

	if (report->groups_count < 2)
		return;
	/* Without a model there are no figures of theirs; vendors' groups have their own, and are
	 * more than those of any model. */
	if (!report->model) {
		add(banner, CTD_COLOUR_WARM, "rotating %d groups", report->groups_count);
		return;
	}
	for (int group = 0; group < report->groups_count; group++) {
		bool is_ipc = report->ipc && group == report->groups_count - 1;
		double part = coverage(report, is_ipc ? CTD_IPC_GROUP : group);

		least = fmin(least, part);
		most = fmax(most, part);
	}
	if (most - least < 0.1)
		add(banner, CTD_COLOUR_WARM, "rotating %d groups, %.0f%% each",
		    report->groups_count, 100 * least);
	else
		add(banner, CTD_COLOUR_WARM, "rotating %d groups, %.0f to %.0f%% each",
		    report->groups_count, 100 * least, 100 * most);
}

void ctd_banner_add_head(struct ctd_strbuf *out, const struct ctd_report *report,
			 const struct ctd_sink_options *options)
{
	struct banner banner = {.out = out, .options = options, .prefix = ""};
	char time[CTD_FIGURE_BYTES];

	(options->utc ? ctd_format_time : ctd_format_local_time)(report->realtime_ns, time);
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
	add_rotation(&banner, report);
	add(&banner, CTD_COLOUR_HEAD, "%" PRIu32 " CPU%s", report->totals.cpus_online,
	    report->totals.cpus_online == 1 ? "" : "s");
	if (*report->hierarchy)
		add(&banner, CTD_COLOUR_HEAD, "%s", report->hierarchy);
	end(&banner);
}

static void add_totals(struct banner *banner, const char *name,
		       const struct ctd_rollup_totals *totals)
{
	char text[CTD_FIGURE_BYTES];

	if (!totals->slots_known) {
		add(banner, CTD_COLOUR_BAD, "%sslots -", name);
		return;
	}
	ctd_format_count(totals->slots, text);
	add(banner, CTD_COLOUR_DIM, "%sslots %s", name, text);
	if (totals->slots)
		add(banner, CTD_COLOUR_DIM, "idle %.0f%%",
		    100 * (double)totals->idle_slots / (double)totals->slots);
	ctd_format_signed(totals->residual_slots, text);
	add(banner, totals->residual_slots ? CTD_COLOUR_BAD : CTD_COLOUR_DIM, "residual %s", text);
}

/* Each core type has a line of its own: residuals of two may cancel out. */
static void add_core_type_totals(struct banner *banner, const struct ctd_report_core_type *type)
{
	char name[64];

	snprintf(name, sizeof(name), "%s: %" PRIu32 " CPU%s, ", type->name,
		 type->totals.cpus_online, type->totals.cpus_online == 1 ? "" : "s");
	add_totals(banner, name, &type->totals);
	if (*type->why)
		add(banner, CTD_COLOUR_WARM, "(%s)", type->why);
	end(banner);
	banner->at = 0;
}

static void add_all_totals(struct banner *banner, const struct ctd_report *report)
{
	if (!report->model)
		return;
	if (report->core_types_count < 2) {
		add_totals(banner, "", &report->totals);
		return;
	}
	for (int i = 0; i < report->core_types_count; i++)
		add_core_type_totals(banner, &report->core_types[i]);
}

/* The part of all slots, or where they are not known or less of all time, that is in no row. */
static double unattributed(const struct ctd_report *report)
{
	const struct ctd_rollup_totals *totals = &report->totals;
	double time_ns = (double)totals->cpus_online * (double)report->window_ns;
	double of_slots = totals->slots_known && totals->slots
				  ? (double)totals->unattributed_slots / (double)totals->slots
				  : 0;
	double of_time = time_ns > 0 ? (double)report->unattributed_ns / time_ns : 0;

	return fmax(of_slots, of_time);
}

/* In the words of what people see of it: how much is missing, and why. */
static void add_unattributed(struct banner *banner, const struct ctd_report *report)
{
	uint64_t lost = report->health.count[CTD_HEALTH_LOST_SWITCHES];
	double part = unattributed(report);
	char percent[CTD_FIGURE_BYTES] = "<0.1%", text[CTD_FIGURE_BYTES];

	if (part >= 0.0005)
		snprintf(percent, sizeof(percent), "%.1f%%", 100 * part);
	ctd_format_count(lost, text);
	if (lost)
		add(banner, CTD_COLOUR_WARM,
		    "%s not attributed: the kernel did not report %s switch%s (see stat --help)",
		    percent, text, lost == 1 ? "" : "es");
	else if (part > 0)
		add(banner, CTD_COLOUR_WARM, "%s not attributed (see stat --help)", percent);
}

/* Shown where there are any: silence is none. */
static void add_faults(struct banner *banner, const struct ctd_report *report)
{
	for (size_t i = 0; i < ctd_health_names_count; i++) {
		const struct ctd_health_name *name = &ctd_health_names[i];
		uint64_t count = report->health.count[name->counter];
		char text[CTD_FIGURE_BYTES];

		if (!name->fault || !count || name->counter == CTD_HEALTH_LOST_SWITCHES)
			continue;
		ctd_format_count(count, text);
		add(banner, CTD_COLOUR_BAD, "%s %s", name->label, text);
	}
	add_unattributed(banner, report);
}

static void add_budget(struct banner *banner, const struct ctd_budget_state *state)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0}, given_up = {0};

	ctd_budget_add_text(&text, state);
	ctd_budget_add_given_up(&given_up, state);
	banner->out->failed |= text.failed || given_up.failed;
	if (text.bytes && !text.failed)
		add(banner, state->exceeded ? CTD_COLOUR_BAD : CTD_COLOUR_DIM, "%s", text.text);
	if (given_up.bytes && !given_up.failed)
		add(banner, CTD_COLOUR_WARM, "given up: %s", given_up.text);
}

/* What a damaged recording says may be more than a number holds. */
static uint64_t per_second(uint64_t count, uint64_t window_ns)
{
	return (uint64_t)fmin((double)count * 1e9 / (double)window_ns, 1e19);
}

void ctd_banner_add_health(struct ctd_strbuf *out, const struct ctd_report *report,
			   const struct ctd_sink_options *options)
{
	const struct ctd_interval_health *health = &report->health;
	struct banner banner = {
		.out = out, .options = options, .prefix = report->simulated ? "sim " : ""};
	char text[CTD_FIGURE_BYTES];

	add_all_totals(&banner, report);
	if (report->window_ns) {
		ctd_format_count(per_second(health->count[CTD_HEALTH_SWITCHES], report->window_ns),
				 text);
		/* At what cost of our own for each. */
		if (isfinite(health->ns_per_switch))
			add(&banner, CTD_COLOUR_DIM, "%s switches/s at %.0f ns", text,
			    health->ns_per_switch);
		else
			add(&banner, CTD_COLOUR_DIM, "%s switches/s", text);
	}
	add_budget(&banner, &health->budget);
	add_faults(&banner, report);
	end(&banner);
}
