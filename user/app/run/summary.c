/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* summary.c - a command's run, or the mean of several, in words. */
#include "app/run/figures.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/auto.h"
#include "base/strbuf.h"
#include "format/drill.h"
#include "format/format.h"

/* A command line that is longer is cut. */
#define COMMAND_COLUMNS 60

/* A mean, and how far it may be off: as in perf stat, the standard error of the mean. */
struct spread {
	double mean, error;
};

/* The figure that lies @p offset bytes into @p run. */
static double figure_of(const struct ctd_run_figures *run, size_t offset)
{
	double figure;

	memcpy(&figure, (const char *)run + offset, sizeof(figure));
	return figure;
}

/* Of that figure in each of the runs. */
static struct spread spread_of(const struct ctd_run_figures *runs, size_t count, size_t offset)
{
	double sum = 0, squares = 0, mean;

	for (size_t i = 0; i < count; i++)
		sum += figure_of(&runs[i], offset);
	mean = sum / (double)count;
	for (size_t i = 0; i < count; i++) {
		double off = figure_of(&runs[i], offset) - mean;

		squares += off * off;
	}
	return (struct spread){
		.mean = mean,
		.error = count > 1 ? sqrt(squares / (double)(count - 1) / (double)count) : NAN};
}

/* Where runs kept to other core types, there is no mean of their shares. */
static struct spread share_of(const struct ctd_run_figures *runs, size_t count, int node)
{
	for (size_t i = 1; i < count; i++)
		if (runs[i].model != runs[0].model)
			return (struct spread){.mean = NAN, .error = NAN};
	return spread_of(runs, count,
			 offsetof(struct ctd_run_figures, share) + (size_t)node * sizeof(double));
}

static void add_command(struct ctd_strbuf *out, char **argv, bool unicode)
{
	auto_ctd_strbuf struct ctd_strbuf words = {0};
	autofree char *printable = NULL;

	for (char **word = argv; *word; word++)
		ctd_strbuf_addf(&words, "%s%s", word == argv ? "" : " ", *word);
	printable = words.failed ? NULL : ctd_format_printable(words.text, unicode);
	if (!printable) {
		out->failed = true;
		return;
	}
	if (strlen(printable) <= COMMAND_COLUMNS) {
		ctd_strbuf_addf(out, "'%s'", printable);
		return;
	}
	/* Not within a character. */
	size_t bytes = COMMAND_COLUMNS;

	while (bytes > 0 && ((unsigned char)printable[bytes] & 0xc0) == 0x80)
		bytes--;
	ctd_strbuf_addf(out, "'%.*s ...'", (int)bytes, printable);
}

/* The node's help up to the end of its first clause: "slots that did useful work". */
static void add_clause(struct ctd_strbuf *out, const struct ctd_node *node)
{
	const char *const ends[] = {". ", ": ", " ("};
	size_t bytes = strlen(node->help);
	char first[2] = {node->help[0], '\0'};

	if (bytes && node->help[bytes - 1] == '.')
		bytes--;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		const char *end = strstr(node->help, ends[i]);

		if (end && (size_t)(end - node->help) < bytes)
			bytes = (size_t)(end - node->help);
	}
	if (first[0] >= 'A' && first[0] <= 'Z')
		first[0] = (char)(first[0] - 'A' + 'a');
	ctd_strbuf_addf(out, "%s%.*s", first, (int)bytes - 1, node->help + 1);
}

/* What the table would have as the bottleneck; -1 if nothing stands out. */
static int dominant_of(const struct ctd_run_figures *runs, size_t count)
{
	const struct ctd_cpu_model *model = runs[0].model;
	struct ctd_value values[CTD_NODES_MAX] = {0};
	struct ctd_metric_set *set;
	int dominant;

	if (ctd_metric_set_new(model, &set))
		return -1;
	for (int i = 0; i < model->nodes_count; i++) {
		double share = share_of(runs, count, i).mean;

		values[i] = (struct ctd_value){.ratio = share,
					       .quality = isnan(share) ? CTD_NO_DATA : CTD_OK};
	}
	dominant = ctd_metric_dominant(set, values, runs[0].level);
	ctd_metric_set_free(set);
	return dominant;
}

static int find_retiring(const struct ctd_cpu_model *model)
{
	for (int i = 0; i < model->nodes_count; i++)
		if (model->nodes[i].role == CTD_ROLE_RETIRING)
			return i;
	return -1;
}

/* "P-core: ", where core types differ. */
static void add_core(struct ctd_strbuf *out, const struct ctd_run_figures *run)
{
	if (*run->core_name)
		ctd_strbuf_addf(out, "%s: ", run->core_name);
}

/* With --drill: its path down the vendor's tree, and how to look closer. */
static void add_drill(struct ctd_strbuf *out, const struct ctd_run_figures *run, bool unicode)
{
	const struct ctd_vendor_metric *deepest = ctd_drill_deepest(run->vendor, &run->drill);
	autofree char *name = deepest ? ctd_format_printable(deepest->name, unicode) : NULL;
	auto_ctd_strbuf struct ctd_strbuf note = {0};

	ctd_strbuf_add(out, "Drill: ");
	add_core(out, run);
	ctd_drill_add_text(out, run->vendor, &run->drill, unicode);
	if (ctd_drill_add_note(&note, run->vendor, &run->drill, unicode))
		ctd_strbuf_addf(out, " (%s)", note.failed ? "?" : note.text);
	if (deepest)
		ctd_strbuf_addf(out, "; see 'cgtopdown --explain %s --metrics-dir %s'",
				name ? name : "?", run->metrics_dir);
	ctd_strbuf_add(out, "\n");
}

/* The same of vendors' metrics. */
static void add_vendor_advice(struct ctd_strbuf *out, const struct ctd_run_figures *run,
			      bool unicode)
{
	autofree char *name = run->hot ? ctd_format_printable(run->hot->name, unicode) : NULL;
	autofree char *unit = run->hot ? ctd_format_printable(run->hot->unit, unicode) : NULL;
	bool percent = run->hot && strcmp(run->hot->unit, "%") == 0;

	add_core(out, run);
	if (!run->hot) {
		ctd_strbuf_add(
			out,
			run->any_known
				? "No metric that was counted is above its vendor's threshold\n"
				: "It ran too briefly to tell what holds it back\n");
		return;
	}
	if (!name || !unit) {
		out->failed = true;
		return;
	}
	if (percent)
		ctd_strbuf_addf(out, "%s is %.1f%%", name, run->hot_value);
	else
		ctd_strbuf_addf(out, "%s is %.4g%s%s", name, run->hot_value, *unit ? " " : "",
				unit);
	ctd_strbuf_addf(
		out,
		", above its vendor's threshold; see 'cgtopdown --explain %s --metrics-dir %s'\n",
		name, run->metrics_dir);
}

/* What to look at. */
static void add_advice(struct ctd_strbuf *out, const struct ctd_run_figures *runs, size_t count,
		       bool unicode)
{
	const struct ctd_cpu_model *model = runs[0].model;
	const char *hint = "";
	int node;

	if (runs[0].drilled) {
		add_drill(out, &runs[0], unicode);
		return;
	}
	if (runs[0].vendor) {
		add_vendor_advice(out, &runs[0], unicode);
		return;
	}
	if (!model) {
		ctd_strbuf_add(out,
			       "No slots were counted, only CPU time; see 'cgtopdown doctor'\n");
		return;
	}
	node = dominant_of(runs, count);
	if (node < 0) {
		node = find_retiring(model);
		hint = ", and nothing stands out that holds it back";
	}
	if (node < 0 || isnan(share_of(runs, count, node).mean)) {
		ctd_strbuf_add(out, "It ran too briefly to tell what holds it back\n");
		return;
	}
	ctd_strbuf_addf(out, "%.0f%% were ", 100 * share_of(runs, count, node).mean);
	add_clause(out, &model->nodes[node]);
	ctd_strbuf_addf(out, "%s; see 'cgtopdown --explain %s'\n", hint, model->nodes[node].name);
}

static void add_line(struct ctd_strbuf *out, const char *name, struct spread figure,
		     const char *unit, bool unicode)
{
	/* A figure that some run lacks is none. */
	if (isnan(figure.mean))
		return;
	ctd_strbuf_addf(out, "  %-10s %12.4f %s", name, figure.mean, unit);
	if (!isnan(figure.error))
		ctd_strbuf_addf(out, "  %s %.4f", unicode ? "\u00b1" : "+-", figure.error);
	ctd_strbuf_add(out, "\n");
}

#define SPREAD(field) spread_of(runs, count, offsetof(struct ctd_run_figures, field))

static struct spread times(struct spread figure, double factor)
{
	return (struct spread){.mean = figure.mean * factor, .error = figure.error * factor};
}

static void add_means(struct ctd_strbuf *out, const struct ctd_run_figures *runs, size_t count,
		      bool unicode)
{
	const struct ctd_cpu_model *model = runs[0].model;

	add_line(out, "elapsed", SPREAD(elapsed_s), "s", unicode);
	add_line(out, "user", SPREAD(user_s), "s", unicode);
	add_line(out, "system", SPREAD(system_s), "s", unicode);
	add_line(out, "CPU time", SPREAD(cpu_s), "s", unicode);
	add_line(out, "slots", times(SPREAD(slots), 1e-9), "G", unicode);
	for (int i = 0; model && i < model->nodes_count; i++)
		if (model->nodes[i].unit == CTD_UNIT_RATIO)
			add_line(out, model->nodes[i].title, times(share_of(runs, count, i), 100),
				 "%", unicode);
}

int ctd_run_summary_write(const struct ctd_sink_options *options, char **argv,
			  const struct ctd_run_figures *runs, size_t runs_count)
{
	auto_ctd_strbuf struct ctd_strbuf out = {0};

	add_command(&out, argv, options->unicode);
	if (runs_count == 1)
		ctd_strbuf_addf(&out, ": %.3f s elapsed, %.3f s user, %.3f s system\n",
				runs->elapsed_s, runs->user_s, runs->system_s);
	else
		ctd_strbuf_addf(&out, ": %zu runs, mean %s its standard error\n", runs_count,
				options->unicode ? "\u00b1" : "+-");
	if (runs_count > 1)
		add_means(&out, runs, runs_count, options->unicode);
	add_advice(&out, runs, runs_count, options->unicode);
	return out.failed ? -ENOMEM : ctd_format_write(options->out, out.text, out.bytes);
}
