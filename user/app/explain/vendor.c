/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor.c - reads the files of --metrics-dir for the cores that are asked for. */
#include "app/explain/vendor.h"

#include <cgtopdown/counters.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app/options/options.h"
#include "app/text.h"
#include "base/auto.h"
#include "base/log.h"

/* More are shown with -v. */
#define NOTES_SHOWN 5

static void log_notes(const struct ctd_vendor_table *table, bool all)
{
	size_t shown = all || table->notes_count <= NOTES_SHOWN ? table->notes_count : NOTES_SHOWN;
	size_t rest = table->notes_count - shown + table->notes_lost;

	for (size_t i = 0; i < shown; i++) {
		const struct ctd_vendor_note *note = &table->notes[i];

		ctd_warn("%s%s%s: %s", note->file, *note->entry ? ": " : "", note->entry,
			 note->reason);
	}
	if (rest)
		ctd_warn("%zu more were not read%s", rest, all ? "" : ": -v says of each why");
}

int ctd_vendor_view_read(const struct ctd_options *options,
			 const struct ctd_vendor_machine *machine, struct ctd_vendor_view *view,
			 char ret_why[CTD_VENDOR_WHY_BYTES])
{
	int r;

	*ret_why = 0;
	r = ctd_vendor_read(options->metrics_dir, &view->cpu, CTD_VENDOR_FORMATS, &view->table,
			    ret_why);
	if (r == 0 && !view->table.metrics_count) {
		snprintf(ret_why, CTD_VENDOR_WHY_BYTES,
			 "its files have %zu events of %s%s%s, and no metrics",
			 view->table.events_count, view->cpu.id, *view->cpu.pmu ? ", PMU " : "",
			 view->cpu.pmu);
		r = -ENOENT;
	} else if (r == 0) {
		r = ctd_vendor_set_new(&view->table, &view->cpu, machine, &view->set);
	}
	if (r && !*ret_why)
		snprintf(ret_why, CTD_VENDOR_WHY_BYTES, "%s", strerror(-r));
	if (r) {
		log_notes(&view->table, options->verbose);
		ctd_vendor_table_free(&view->table);
	}
	return r;
}

void ctd_vendor_view_free(struct ctd_vendor_view *view)
{
	ctd_vendor_set_free(view->set);
	view->set = NULL;
	ctd_vendor_table_free(&view->table);
}

struct showing {
	const struct ctd_options *options;
	ctd_vendor_show_fn *show;
	struct ctd_json *json;
	struct ctd_strbuf unknown; /* owned; names of --metrics that no core has so far, ',' ahead */
};

/* Leaves those that are neither a metric nor a group of this core either. */
static void strike_known(struct showing *showing, const struct ctd_vendor_table *table)
{
	autofree char *names = take_ptr(showing->unknown.text);
	char *rest = NULL;

	showing->unknown = (struct ctd_strbuf){0};
	for (char *name = names ? strtok_r(names, ",", &rest) : NULL; name;
	     name = strtok_r(NULL, ",", &rest))
		if (!ctd_vendor_knows(table, name))
			ctd_strbuf_addf(&showing->unknown, ",%s", name);
}

/* @p partly: another core type may have what this one lacks. */
static int show_core(struct showing *showing, const struct ctd_vendor_cpu *cpu,
		     const struct ctd_vendor_machine *machine, const struct ctd_pmu_facts *facts,
		     bool partly)
{
	struct ctd_vendor_view view = {
		.cpu = *cpu, .watchdog = facts && facts->nmi_watchdog, .partly = partly};
	char why[CTD_VENDOR_WHY_BYTES];
	int r = ctd_vendor_view_read(showing->options, machine, &view, why);

	if (r) {
		ctd_log(CTD_LOG_ERROR, "--metrics-dir %s: %s", showing->options->metrics_dir, why);
		return r;
	}
	snprintf(view.core, sizeof(view.core), "%s",
		 *cpu->pmu || !facts ? cpu->pmu : facts->core_name);
	strike_known(showing, &view.table);
	r = showing->show(showing->options, &view, showing->json);
	log_notes(&view.table, showing->options->verbose);
	ctd_vendor_view_free(&view);
	return r;
}

static int show_named(struct showing *showing)
{
	const struct ctd_options *options = showing->options;
	struct ctd_vendor_machine machine = ctd_vendor_machine_unknown();
	struct ctd_vendor_cpu cpu = {0};

	/* Other events are counted where it is off: groups are planned for what servers have. */
	if (options->plan)
		machine.smt = 1;
	snprintf(cpu.id, sizeof(cpu.id), "%s", options->cpuid);
	if (options->core)
		snprintf(cpu.pmu, sizeof(cpu.pmu), "%s", options->core);
	return show_core(showing, &cpu, &machine, NULL, false);
}

static bool is_wanted(const struct ctd_options *options, const struct ctd_pmu_facts *facts)
{
	return !options->core || strcmp(options->core, facts->pmu_name) == 0;
}

/* A name that some core type has is one. @return 0 or -ENOENT, logged. */
static int check_names(const struct showing *showing)
{
	const char *names = showing->unknown.text;

	if (!showing->options->plan || !names)
		return 0;
	ctd_log(CTD_LOG_ERROR, "--plan: no core type has a metric or group '%.100s'", names + 1);
	return -ENOENT;
}

static int show_machine(struct showing *showing)
{
	const struct ctd_options *options = showing->options;
	struct ctd_machine machine;
	int r = ctd_machine_read(&machine), shown = 0, lacking = 0;

	for (int i = 0; r == 0 && i < machine.core_types_count; i++) {
		const struct ctd_pmu_facts *facts = &machine.core_types[i];
		struct ctd_vendor_machine known;
		struct ctd_vendor_cpu cpu;

		if (!facts->id.family || !is_wanted(options, facts))
			continue;
		if (shown++ && !showing->json)
			putchar('\n');
		ctd_vendor_cpu_of(facts, &cpu);
		ctd_vendor_machine_read(facts, &known);
		r = show_core(showing, &cpu, &known, facts,
			      machine.core_types_count > 1 && !options->core);
		/* Another core type may have the metric that is asked for. */
		if (r == -ENOENT) {
			lacking++;
			r = 0;
		}
	}
	if (!r && shown && lacking < shown)
		return check_names(showing);
	if (r || shown)
		return r ? r : -ENOENT;
	if (options->core)
		ctd_log(CTD_LOG_ERROR,
			"--core %s: this machine has no such PMU; --cpuid names another processor",
			options->core);
	else
		ctd_log(CTD_LOG_ERROR,
			"this machine does not say which processor it has: --cpuid names one");
	return -ENODEV;
}

static int show_all(struct showing *showing)
{
	int r;

	if (showing->options->metrics)
		ctd_strbuf_addf(&showing->unknown, ",%s", showing->options->metrics);
	r = (showing->options->cpuid ? show_named : show_machine)(showing);
	ctd_strbuf_free(&showing->unknown);
	return r;
}

static int show_json(const struct ctd_options *options, ctd_vendor_show_fn *show)
{
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	struct ctd_json json = {.out = &out};
	struct showing showing = {.options = options, .show = show, .json = &json};
	int r;

	ctd_json_begin_object(&json, NULL);
	ctd_json_string(&json, "schema", "cgtopdown/vendor-metrics/1");
	ctd_json_begin_array(&json, "cores");
	r = show_all(&showing);
	ctd_json_end_array(&json);
	ctd_json_end_object(&json);
	return r ? r : ctd_text_print_line(&out);
}

int ctd_vendor_main(const struct ctd_options *options, ctd_vendor_show_fn *show)
{
	struct showing showing = {.options = options, .show = show};

	return (options->json ? show_json(options, show) : show_all(&showing)) ? 1 : 0;
}

void ctd_vendor_add_names(struct ctd_strbuf *text, const char *names)
{
	for (; *names; names++) {
		if (*names == ';')
			ctd_strbuf_add(text, ", ");
		else
			ctd_strbuf_add_bytes(text, names, 1);
	}
}

void ctd_vendor_add_place(struct ctd_strbuf *text, const struct ctd_vendor_table *table,
			  const struct ctd_vendor_metric *metric)
{
	if (metric->level)
		ctd_strbuf_addf(text, "Level %d", metric->level);
	else
		ctd_strbuf_add(text, "Beside the tree");
	if (metric->parent >= 0)
		ctd_strbuf_addf(text, ", part of %s", table->metrics[metric->parent].name);
	if (*metric->unit)
		ctd_strbuf_addf(text, ", in %s", metric->unit);
	if (*metric->threshold)
		ctd_strbuf_addf(text, "; worth a look where %s", metric->threshold);
}
