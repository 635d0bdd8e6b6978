/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor.c - reads the files of --metrics-dir for the cores that are asked for. */
#include "app/explain/vendor.h"

#include <cgtopdown/counters.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app/options/options.h"
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

static int show_core(const struct ctd_options *options, const struct ctd_vendor_cpu *cpu,
		     const struct ctd_vendor_machine *machine, ctd_vendor_show_fn *show)
{
	struct ctd_vendor_view view = {.cpu = *cpu};
	char why[CTD_VENDOR_WHY_BYTES] = "";
	int r = ctd_vendor_read(options->metrics_dir, cpu, CTD_VENDOR_FORMATS, &view.table, why);

	if (r == 0 && !view.table.metrics_count) {
		snprintf(why, sizeof(why), "its files have %zu events of %s, and no metrics",
			 view.table.events_count, cpu->id);
		log_notes(&view.table, options->verbose);
		ctd_vendor_table_free(&view.table);
		r = -ENOENT;
	}
	if (r) {
		ctd_log(CTD_LOG_ERROR, "--metrics-dir %s: %s", options->metrics_dir,
			*why ? why : strerror(-r));
		return r;
	}
	r = ctd_vendor_set_new(&view.table, cpu, machine, &view.set);
	if (r)
		ctd_log_error(r, "compile the metrics of '%s'", options->metrics_dir);
	else
		r = show(options, &view);
	log_notes(&view.table, options->verbose);
	ctd_vendor_set_free(view.set);
	ctd_vendor_table_free(&view.table);
	return r;
}

static int show_named(const struct ctd_options *options, ctd_vendor_show_fn *show)
{
	const struct ctd_vendor_machine machine = ctd_vendor_machine_unknown();
	struct ctd_vendor_cpu cpu = {0};

	snprintf(cpu.id, sizeof(cpu.id), "%s", options->cpuid);
	if (options->core)
		snprintf(cpu.pmu, sizeof(cpu.pmu), "%s", options->core);
	return show_core(options, &cpu, &machine, show);
}

static bool is_wanted(const struct ctd_options *options, const struct ctd_pmu_facts *facts)
{
	return !options->core || strcmp(options->core, facts->pmu_name) == 0;
}

static int show_machine(const struct ctd_options *options, ctd_vendor_show_fn *show)
{
	struct ctd_machine machine;
	int r = ctd_machine_read(&machine), shown = 0;

	for (int i = 0; r == 0 && i < machine.core_types_count; i++) {
		const struct ctd_pmu_facts *facts = &machine.core_types[i];
		struct ctd_vendor_machine known;
		struct ctd_vendor_cpu cpu;

		if (!facts->id.family || !is_wanted(options, facts))
			continue;
		if (shown++)
			putchar('\n');
		ctd_vendor_cpu_of(facts, &cpu);
		ctd_vendor_machine_read(facts, &known);
		r = show_core(options, &cpu, &known, show);
	}
	if (r || shown)
		return r;
	if (options->core)
		ctd_log(CTD_LOG_ERROR,
			"--core %s: this machine has no such PMU; --cpuid names another processor",
			options->core);
	else
		ctd_log(CTD_LOG_ERROR,
			"this machine does not say which processor it has: --cpuid names one");
	return -ENODEV;
}

int ctd_vendor_main(const struct ctd_options *options, ctd_vendor_show_fn *show)
{
	return (options->cpuid ? show_named : show_machine)(options, show) ? 1 : 0;
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
