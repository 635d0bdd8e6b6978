/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* list_json.c - cgtopdown list --json: what is built in, as JSON of schema cgtopdown/list/1. */
#include <cgtopdown/metric.h>
#include <cgtopdown/runtime.h>
#include <cgtopdown/sink.h>

#include "app/explain/json_text.h"
#include "app/explain/list.h"
#include "export/families.h"

static void add_ids(struct ctd_json *json, const struct ctd_cpu_model *model)
{
	ctd_json_begin_array(json, "ids");
	for (const struct ctd_cpu_id *id = model->ids; id && id->family; id++) {
		ctd_json_begin_object(json, NULL);
		ctd_json_integer(json, "family", id->family);
		ctd_json_integer(json, "model_first", id->model);
		ctd_json_integer(json, "model_last", id->model_last);
		ctd_json_end_object(json);
	}
	ctd_json_end_array(json);
}

static void add_cpus(struct ctd_json *json, const struct ctd_machine *machine)
{
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];

		ctd_json_begin_object(json, NULL);
		ctd_json_string(json, "name", model->name);
		ctd_json_string(json, "title", model->title);
		ctd_json_string(json, "vendor", model->vendor);
		ctd_json_string(json, "source", model->source);
		ctd_json_bool(json, "here", ctd_machine_find_model(machine, model) != NULL);
		ctd_json_count(json, "slots_per_cycle", (uint64_t)model->slots_per_cycle,
			       model->slots_per_cycle);
		add_ids(json, model);
		ctd_json_string(json, "publication", model->publication);
		ctd_json_string(json, "caution", model->caution);
		ctd_json_end_object(json);
	}
}

static void add_events(struct ctd_json *json, const struct ctd_machine *machine)
{
	(void)machine;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];

		for (int group = 0; group < CTD_GROUPS_MAX; group++) {
			if (!model->groups[group])
				continue;
			ctd_json_begin_object(json, NULL);
			ctd_json_string(json, "cpu", model->name);
			ctd_json_integer(json, "group", (uint64_t)group);
			ctd_json_bool(json, "general", group == CTD_IPC_GROUP);
			ctd_json_events(json, model, group, NULL);
			ctd_json_end_object(json);
		}
	}
}

static void add_metrics(struct ctd_json *json, const struct ctd_machine *machine)
{
	(void)machine;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];

		for (int node = 0; node < model->nodes_count; node++) {
			ctd_json_begin_object(json, NULL);
			ctd_json_string(json, "cpu", model->name);
			ctd_json_node(json, model, &model->nodes[node]);
			ctd_json_end_object(json);
		}
	}
}

static void add_family(const struct family *family, void *context)
{
	auto_ctd_strbuf struct ctd_strbuf name = {0}, labels = {0};
	struct ctd_json *json = context;

	if (!family->name)
		return;
	ctd_strbuf_addf(&name, "%s%s", family->name, ctd_family_suffix(family));
	ctd_family_add_labels(family, &labels);
	if (name.failed || labels.failed) {
		json->out->failed = true;
		return;
	}
	ctd_json_begin_object(json, NULL);
	ctd_json_string(json, "name", name.text);
	ctd_json_string(json, "type", ctd_family_type(family));
	ctd_json_string(json, "unit", family->unit);
	ctd_json_string(json, "labels", labels.bytes ? labels.text : NULL);
	ctd_json_string(json, "help", family->help);
	ctd_json_end_object(json);
}

static void add_series(struct ctd_json *json, const struct ctd_machine *machine)
{
	(void)machine;
	ctd_families_each(add_family, json);
}

static void add_named(struct ctd_json *json, const char *name, const char *help)
{
	ctd_json_begin_object(json, NULL);
	ctd_json_string(json, "name", name);
	ctd_json_string(json, "help", help);
	ctd_json_end_object(json);
}

static void add_sinks(struct ctd_json *json, const struct ctd_machine *machine)
{
	(void)machine;
	for (size_t i = 0; ctd_sinks[i]; i++)
		add_named(json, ctd_sinks[i]->name, ctd_sinks[i]->help);
}

static void add_runtimes(struct ctd_json *json, const struct ctd_machine *machine)
{
	(void)machine;
	for (size_t i = 0; ctd_runtimes[i]; i++)
		add_named(json, ctd_runtimes[i]->name, ctd_runtimes[i]->help);
}

/* In the order of ctd_list_name(). */
static void (*const lists[])(struct ctd_json *json, const struct ctd_machine *machine) = {
	add_cpus, add_events, add_metrics, add_series, add_sinks, add_runtimes,
};

void ctd_list_add_json(struct ctd_json *json, size_t number, const char *name,
		       const struct ctd_machine *machine)
{
	ctd_json_begin_array(json, name);
	lists[number](json, machine);
	ctd_json_end_array(json);
}
