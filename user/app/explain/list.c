/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* list.c - cgtopdown list: explains what is built in. */
#include "app/explain/list.h"

#include <cgtopdown/counters.h>
#include <cgtopdown/runtime.h>
#include <cgtopdown/sink.h>

#include <errno.h>
#include <libsmartcols/libsmartcols.h>
#include <string.h>

#include "app/explain/condition.h"
#include "app/explain/explain.h"
#include "app/explain/model_text.h"
#include "app/explain/vendor.h"
#include "app/options/options.h"
#include "app/text.h"
#include "base/log.h"
#include "base/root.h"
#include "base/strbuf.h"
#include "format/colour.h"

#define INDENT 2
#define NAME_COLUMN 16
#define METRIC_COLUMN 4

struct listing {
	FILE *out;
	const char *head; /* colour of names; "" for none */
	struct ctd_machine machine;
};

static void print_item(const struct listing *listing, const char *name,
		       const struct ctd_strbuf *text)
{
	ctd_text_item(listing->out, INDENT, NAME_COLUMN, listing->head, name,
		      text->failed ? "(out of memory)" : text->text);
}

static bool has_level2(const struct ctd_cpu_model *model)
{
	for (int i = 0; i < model->nodes_count; i++)
		if (model->nodes[i].level >= 2)
			return true;
	return false;
}

/* As /proc/cpuinfo has them: on Arm, implementer and part. */
static void add_ids(struct ctd_strbuf *text, const struct ctd_cpu_model *model)
{
	bool is_arm = model->vendor && strcmp(model->vendor, "arm") == 0;
	unsigned int family = 0;

	for (const struct ctd_cpu_id *id = model->ids; id && id->family; id++) {
		ctd_strbuf_add(text, id == model->ids ? "\nCPU " : ", ");
		if (id->family != family)
			ctd_strbuf_addf(text,
					is_arm ? "implementer 0x%x part " : "family %u model ",
					id->family);
		family = id->family;
		ctd_strbuf_addf(text, "0x%02x", id->model);
		if (id->model_last != id->model)
			ctd_strbuf_addf(text, "-0x%02x", id->model_last);
	}
}

static int list_cpus(const struct listing *listing)
{
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];
		auto_ctd_strbuf struct ctd_strbuf text = {0};

		ctd_strbuf_add(&text, model->title);
		ctd_strbuf_addf(&text, "\nSource %s, %s", model->source,
				has_level2(model) ? "levels 1 and 2" : "level 1");
		if (model->slots_per_cycle)
			ctd_strbuf_addf(&text, ", %d slots a cycle", model->slots_per_cycle);
		else if (!model->slots_per_count)
			ctd_strbuf_add(&text, " in shares of cycles; slots are not counted");
		add_ids(&text, model);
		ctd_strbuf_addf(&text, "\nFormulas: %s", model->publication);
		if (model->caution)
			ctd_strbuf_addf(&text, "\nCaution: %s", model->caution);
		ctd_model_text_add_here(&text, &listing->machine, model);
		print_item(listing, model->name, &text);
	}
	if (*listing->machine.core_types[0].cpu_title) {
		const struct ctd_pmu_facts *facts = &listing->machine.core_types[0];
		auto_ctd_strbuf struct ctd_strbuf text = {0};

		ctd_strbuf_addf(&text, "%s, CPU family %u model 0x%02x", facts->cpu_title,
				facts->id.family, facts->id.model);
		print_item(listing, "(this machine)", &text);
	}
	return 0;
}

/* What this machine's sysfs says of an event, or "-". */
static void read_here(const char *pmu, const char *event, char *ret_text, size_t bytes)
{
	if (ctd_root_read(ret_text, bytes, "/sys/bus/event_source/devices/%s/events/%s", pmu,
			  event) < 0)
		snprintf(ret_text, bytes, "-");
}

/* Is the event one of a model before number @p models? */
static bool is_listed(const char *event, size_t models)
{
	for (size_t i = 0; i < models; i++)
		for (const struct ctd_cpu_event *other = ctd_cpu_models[i]->groups[0]; other->name;
		     other++)
			if (strcmp(other->name, event) == 0)
				return true;
	return false;
}

static int add_event_rows(const char *pmu, struct libscols_table *table)
{
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		for (const struct ctd_cpu_event *event = ctd_cpu_models[i]->groups[0]; event->name;
		     event++) {
			struct libscols_line *line;
			char here[64];

			if (event->config || is_listed(event->name, i))
				continue;
			read_here(pmu, event->name, here, sizeof(here));
			line = scols_table_new_line(table, NULL);
			if (!line || scols_line_set_data(line, 0, event->name) ||
			    scols_line_set_data(line, 1, here))
				return -1;
		}
	}
	return 0;
}

static int print_events_here(const struct listing *listing, const char *pmu)
{
	struct libscols_table *table = scols_new_table();
	int failed = !table || !scols_table_new_column(table, "EVENT", 0, 0) ||
		     !scols_table_new_column(table, "HERE", 0, SCOLS_FL_TRUNC);

	if (!failed) {
		scols_table_set_stream(table, listing->out);
		scols_table_set_termforce(table, SCOLS_TERMFORCE_ALWAYS);
		scols_table_set_termwidth(table, CTD_TEXT_WIDTH);
		failed = add_event_rows(pmu, table) || scols_print_table(table);
	}
	scols_unref_table(table);
	return failed ? ctd_log_error(-ENOMEM, "print the table of events") : 0;
}

static void add_group(struct ctd_strbuf *text, const struct ctd_cpu_model *model, int group)
{
	const struct ctd_cpu_event *events = model->groups[group];

	if (group == CTD_IPC_GROUP)
		ctd_strbuf_add(text, "\nwith --general in rotation with: ");
	else if (group)
		ctd_strbuf_add(text, "\nin rotation with: ");
	for (const struct ctd_cpu_event *event = events; event->name; event++) {
		if (event != events)
			ctd_strbuf_add(text, ", ");
		ctd_model_text_add_event(text, model, group, event);
	}
}

static int list_events(const struct listing *listing)
{
	int failed = 0;

	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];
		auto_ctd_strbuf struct ctd_strbuf text = {0};

		for (int group = 0; group < CTD_IPC_GROUP && model->groups[group]; group++)
			add_group(&text, model, group);
		if (model->groups[CTD_IPC_GROUP])
			add_group(&text, model, CTD_IPC_GROUP);
		print_item(listing, model->name, &text);
	}
	if (!listing->machine.core_types[0].core_pmu) {
		fputs("\nThis machine has no core PMU in sysfs.\n", listing->out);
		return 0;
	}
	for (int type = 0; !failed && type < listing->machine.core_types_count; type++) {
		const struct ctd_pmu_facts *facts = &listing->machine.core_types[type];

		if (!facts->core_pmu)
			continue;
		fprintf(listing->out, "\nIn sysfs of this machine, PMU %s:\n", facts->pmu_name);
		failed = print_events_here(listing, facts->pmu_name);
	}
	return failed;
}

/* Cores that share a node, with its formula, share its entry. */
static bool same_node(const struct ctd_node *a, const struct ctd_node *b)
{
	return strcmp(a->name, b->name) == 0 && strcmp(a->formula, b->formula) == 0;
}

static bool has_node(const struct ctd_cpu_model *model, const struct ctd_node *node)
{
	for (int i = 0; i < model->nodes_count; i++)
		if (same_node(&model->nodes[i], node))
			return true;
	return false;
}

static bool is_first(const struct ctd_node *node, size_t model)
{
	for (size_t i = 0; i < model; i++)
		if (has_node(ctd_cpu_models[i], node))
			return false;
	return true;
}

static void print_metric(const struct listing *listing, const struct ctd_cpu_model *model,
			 const struct ctd_node *node)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};

	ctd_strbuf_addf(&text, "Column %s, ", node->title);
	if (ctd_node_is_ipc(node)) {
		ctd_strbuf_addf(&text, "with --general, %s.", ctd_unit_text(node->unit));
	} else {
		ctd_strbuf_addf(&text, "level %d", node->level);
		if (node->parent >= 0)
			ctd_strbuf_addf(&text, ", part of %s", model->nodes[node->parent].name);
		ctd_strbuf_add(&text, "; worth a look ");
		ctd_condition_add(&text, node);
		ctd_strbuf_add(&text, ".");
	}
	ctd_strbuf_addf(&text, "\n%s\n= %s\nOn:", node->help, node->formula);
	for (size_t i = 0; ctd_cpu_models[i]; i++)
		if (has_node(ctd_cpu_models[i], node))
			ctd_strbuf_addf(&text, " %s", ctd_cpu_models[i]->name);
	ctd_text_item(listing->out, INDENT, METRIC_COLUMN, listing->head, node->name,
		      text.failed ? "(out of memory)" : text.text);
}

static int list_metrics(const struct listing *listing)
{
	for (size_t i = 0; ctd_cpu_models[i]; i++)
		for (int node = 0; node < ctd_cpu_models[i]->nodes_count; node++)
			if (is_first(&ctd_cpu_models[i]->nodes[node], i))
				print_metric(listing, ctd_cpu_models[i],
					     &ctd_cpu_models[i]->nodes[node]);
	return 0;
}

static int list_sinks(const struct listing *listing)
{
	for (size_t i = 0; ctd_sinks[i]; i++)
		ctd_text_item(listing->out, INDENT, NAME_COLUMN, listing->head, ctd_sinks[i]->name,
			      ctd_sinks[i]->help);
	return 0;
}

static int list_runtimes(const struct listing *listing)
{
	for (size_t i = 0; ctd_runtimes[i]; i++)
		ctd_text_item(listing->out, INDENT, NAME_COLUMN, listing->head,
			      ctd_runtimes[i]->name, ctd_runtimes[i]->help);
	return 0;
}

static int list_series(const struct listing *listing)
{
	return ctd_list_series(listing->out, listing->head);
}

static const struct {
	const char *name, *heading;
	int (*list)(const struct listing *listing); /* @return 0, or not if it failed */
} lists[] = {
	{"cpus", "CPUs: core designs whose slots can be counted", list_cpus},
	{"events", "Events: what is opened on each core design, the leader first", list_events},
	{"metrics", "Metrics: the nodes of the top-down tree, and those beside it", list_metrics},
	{"series", "Series: what /metrics of serve has", list_series},
	{"sinks", "Sinks: what --format takes", list_sinks},
	{"runtimes", "Container runtimes: how their cgroups look", list_runtimes},
};
#define LISTS (sizeof(lists) / sizeof(*lists))

const char *ctd_list_name(size_t number)
{
	return number < LISTS ? lists[number].name : NULL;
}

static int print_json(const struct ctd_options *options, const struct ctd_machine *machine)
{
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	struct ctd_json json = {.out = &out};

	ctd_json_begin_object(&json, NULL);
	ctd_json_string(&json, "schema", "cgtopdown/list/1");
	for (size_t i = 0; i < LISTS; i++)
		if (!options->what || strcmp(options->what, lists[i].name) == 0)
			ctd_list_add_json(&json, i, lists[i].name, machine);
	ctd_json_end_object(&json);
	return ctd_text_print_line(&out);
}

int ctd_list_main(const struct ctd_options *options)
{
	bool colour = ctd_text_wants_colour(options->colour, stdout), first = true;
	struct listing listing = {.out = stdout, .head = colour ? CTD_COLOUR_HEAD : ""};
	int failed;

	if (options->metrics_dir)
		return ctd_vendor_main(options, options->json	   ? ctd_vendor_show_json
						: options->plan	   ? ctd_vendor_show_plan
						: options->explain ? ctd_vendor_show_metric
								   : ctd_vendor_show_list);
	if (options->explain)
		return ctd_explain_main(options);
	failed = ctd_machine_read(&listing.machine);
	if (!failed && options->json)
		return print_json(options, &listing.machine);
	for (size_t i = 0; !failed && i < LISTS; i++) {
		if (options->what && strcmp(options->what, lists[i].name) != 0)
			continue;
		if (!first)
			fputc('\n', listing.out);
		first = false;
		ctd_text_heading(listing.out, colour, lists[i].heading);
		failed = lists[i].list(&listing);
	}
	return failed ? 1 : 0;
}
