/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* write_recorded.c - vendors' metrics that are counted become the block of a recording. */
#include "vendor/recorded.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/varint.h"
#include "metric/expr_token.h"
#include "vendor/counting.h"

#define NAME_BYTES 256

struct writing {
	const struct ctd_vendor_counting *counting;
	const struct ctd_vendor_table *table;
	bool *metrics, *events; /* of the table: they are written */
	bool *formulas; /* of the table: what is counted needs the metric's, or asks for it */
	struct ctd_strbuf *out;
};

static void add_text(struct ctd_strbuf *out, const char *text)
{
	size_t bytes = text ? strlen(text) : 0;

	ctd_varint_add(out, bytes);
	ctd_strbuf_add_bytes(out, text ? text : "", bytes);
}

static void add_real(struct ctd_strbuf *out, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	ctd_varint_add(out, bits);
}

/* Each part that may be an event: "cpu@EVENT,cmask=1@", "EVENT:c1". One too many does no harm. */
static void keep_events(const struct writing *writing, char *name)
{
	char *rest;

	for (char *part = strtok_r(name, "@:,", &rest); part; part = strtok_r(NULL, "@:,", &rest)) {
		const struct ctd_vendor_event *event = ctd_vendor_find_event(writing->table, part);

		if (event)
			writing->events[event - writing->table->events] = true;
	}
}

static void keep_named(const struct writing *writing, const char *formula)
{
	size_t bytes = strlen(formula);
	char name[NAME_BYTES];

	for (struct ctd_token token = ctd_token_read(formula, bytes, 0);
	     token.kind != CTD_TOKEN_END && token.kind != CTD_TOKEN_BAD;
	     token = ctd_token_read(formula, bytes, token.at + token.bytes)) {
		int metric;

		if (token.kind != CTD_TOKEN_NAME ||
		    ctd_token_name(formula, &token, sizeof(name), name))
			continue;
		metric = ctd_vendor_find_metric(writing->table, name);
		if (metric >= 0)
			writing->metrics[metric] = writing->formulas[metric] = true;
		keep_events(writing, name);
	}
}

/* What cannot be computed is so without its formula, too. */
static const char *expression_of(const struct writing *writing, size_t metric)
{
	const struct ctd_vendor_set *set = writing->counting->set;

	return writing->formulas[metric] &&
			       ctd_vendor_set_lack(set, metric, NULL) == CTD_VENDOR_COMPUTED
		       ? writing->table->metrics[metric].expression
		       : "";
}

static const char *threshold_of(const struct writing *writing, size_t metric)
{
	return writing->formulas[metric] &&
			       !ctd_vendor_set_threshold_lack(writing->counting->set, metric)
		       ? writing->table->metrics[metric].threshold
		       : "";
}

static void keep_counted(const struct writing *writing)
{
	for (size_t i = 0; i < writing->counting->metrics_count; i++) {
		const struct ctd_vendor_counted *counted = &writing->counting->metrics[i];

		writing->metrics[counted->metric] = true;
		writing->formulas[counted->metric] |= counted->group >= 0;
	}
}

/* What is counted, what it needs, what its thresholds ask for, and so on; of what is not counted,
 * that it is there. @return 0 or -ENOMEM. */
static int keep_all(const struct writing *writing)
{
	size_t count = writing->table->metrics_count;
	autofree bool *read = calloc(count + 1, sizeof(*read));
	bool more = true;

	if (!read)
		return -ENOMEM;
	keep_counted(writing);
	while (more) {
		more = false;
		for (size_t i = 0; i < count; i++) {
			if (!writing->formulas[i] || read[i])
				continue;
			keep_named(writing, expression_of(writing, i));
			keep_named(writing, threshold_of(writing, i));
			read[i] = more = true;
		}
	}
	return 0;
}

static void add_core(const struct writing *writing, const struct ctd_vendor_cpu *cpu,
		     const struct ctd_vendor_machine *machine)
{
	const double known[] = {machine->smt,
				machine->slots,
				machine->tsc_hz,
				machine->cpus,
				machine->persistent_memory,
				writing->table->slots};

	add_text(writing->out, cpu->id);
	add_text(writing->out, cpu->pmu);
	ctd_varint_add(writing->out, writing->table->arm);
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		add_real(writing->out, known[i]);
}

static size_t count_kept(const bool *kept, size_t count)
{
	size_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += kept[i];
	return sum;
}

static void add_events(const struct writing *writing)
{
	struct ctd_strbuf *out = writing->out;

	ctd_varint_add(out, count_kept(writing->events, writing->table->events_count));
	for (size_t i = 0; i < writing->table->events_count; i++) {
		const struct ctd_vendor_event *event = &writing->table->events[i];

		if (!writing->events[i])
			continue;
		add_text(out, event->name);
		add_text(out, event->pmu);
		add_text(out, event->lack);
		ctd_varint_add(out, event->config);
		ctd_varint_add(out, event->config1);
		ctd_varint_add(out, event->config2);
		add_real(out, event->latency);
	}
}

static void add_metrics(const struct writing *writing)
{
	struct ctd_strbuf *out = writing->out;

	ctd_varint_add(out, count_kept(writing->metrics, writing->table->metrics_count));
	for (size_t i = 0; i < writing->table->metrics_count; i++) {
		const struct ctd_vendor_metric *metric = &writing->table->metrics[i];

		if (!writing->metrics[i])
			continue;
		add_text(out, metric->name);
		add_text(out, expression_of(writing, i));
		add_text(out, threshold_of(writing, i));
		add_text(out, metric->unit);
		add_real(out, metric->scale);
		ctd_varint_add(out, (uint64_t)(metric->level > 0 ? metric->level : 0));
	}
}

/* Counts have no names here: formulas find theirs by the code. */
static void add_groups(const struct writing *writing)
{
	const struct ctd_vendor_counting *counting = writing->counting;
	const struct ctd_vendor_count *counts = ctd_vendor_set_counts(counting->set, &(size_t){0});
	struct ctd_strbuf *out = writing->out;

	ctd_varint_add(out, (uint64_t)counting->rotation.events_count);
	ctd_varint_add(out, (uint64_t)counting->rotation.groups_count);
	for (int i = 0; i < counting->rotation.groups_count; i++) {
		const struct ctd_vendor_group *group = &counting->groups[i];

		ctd_varint_add(out, group->events_count);
		for (size_t k = 0; k < group->events_count; k++) {
			const struct ctd_vendor_count *count;

			ctd_varint_add(out, group->counts[k] != CTD_VENDOR_NO_COUNT);
			if (group->counts[k] == CTD_VENDOR_NO_COUNT)
				continue;
			count = &counts[group->counts[k]];
			ctd_varint_add(out, count->config);
			ctd_varint_add(out, count->config1);
			ctd_varint_add(out, count->config2);
			ctd_varint_add(out, (uint64_t)(count->user_only + 2 * count->kernel_only));
		}
	}
}

static void add_counted(const struct writing *writing)
{
	const struct ctd_vendor_counting *counting = writing->counting;
	struct ctd_strbuf *out = writing->out;

	ctd_varint_add(out, counting->metrics_count);
	for (size_t i = 0; i < counting->metrics_count; i++) {
		const struct ctd_vendor_counted *counted = &counting->metrics[i];

		ctd_varint_add(out, count_kept(writing->metrics, counted->metric));
		ctd_varint_add(out, (uint64_t)counted->parent + 1);
		ctd_varint_add(out, (uint64_t)counted->group + 1);
		add_text(out, counted->why);
	}
}

int ctd_vendor_recorded_add(const struct ctd_vendor_counting *counting,
			    const struct ctd_vendor_cpu *cpu,
			    const struct ctd_vendor_machine *machine, struct ctd_strbuf *payload)
{
	autofree bool *metrics = calloc(counting->table->metrics_count + 1, sizeof(*metrics));
	autofree bool *events = calloc(counting->table->events_count + 1, sizeof(*events));
	autofree bool *formulas = calloc(counting->table->metrics_count + 1, sizeof(*formulas));
	const struct writing writing = {counting, counting->table, metrics,
					events,	  formulas,	   payload};

	if (!metrics || !events || !formulas || keep_all(&writing))
		return -ENOMEM;
	add_core(&writing, cpu, machine);
	add_events(&writing);
	add_metrics(&writing);
	add_groups(&writing);
	add_counted(&writing);
	return payload->failed ? -ENOMEM : 0;
}
