/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* show_models.c - shows the core designs to scripts, as JSON, with the values of given counts. */
#include <cgtopdown/cpu.h>

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../metrics.h"

#define LINE_BYTES 4096

static json_t *show_events(const struct ctd_cpu_event *events)
{
	json_t *array = json_array();

	for (; events->name; events++)
		json_array_append_new(array, json_pack("{s:s, s:I}", "name", events->name, "config",
						       (json_int_t)events->config));
	return array;
}

static json_t *show_groups(const struct ctd_cpu_model *model)
{
	json_t *array = json_array();

	/* By number only those of the tree; that of the IPC metrics, where there is one, is
	 * last. */
	for (int group = 0; group < CTD_GROUPS_MAX; group++) {
		if (model->groups[group])
			json_array_append_new(array, show_events(model->groups[group]));
	}
	return array;
}

static json_t *show_ids(const struct ctd_cpu_model *model)
{
	json_t *array = json_array();

	for (const struct ctd_cpu_id *id = model->ids; id && id->family; id++)
		json_array_append_new(array, json_pack("{s:i, s:i, s:i, s:i, s:i}", "family",
						       (int)id->family, "model", (int)id->model,
						       "model_last", (int)id->model_last,
						       "stepping", (int)id->stepping,
						       "stepping_last", (int)id->stepping_last));
	return array;
}

static json_t *show_nodes(const struct ctd_cpu_model *model)
{
	json_t *array = json_array();

	for (const struct ctd_node *node = model->nodes; node < model->nodes + model->nodes_count;
	     node++) {
		const char *parent = node->parent < 0 ? NULL : model->nodes[node->parent].name;

		json_array_append_new(array, json_pack("{s:s, s:i, s:b, s:s?, s:i, s:i, s:s?, s:s}",
						       "name", node->name, "level", node->level,
						       "ratio", node->unit == CTD_UNIT_RATIO,
						       "parent", parent, "group", node->group,
						       "counters", node->counters, "condition",
						       node->condition, "formula", node->formula));
	}
	return array;
}

static json_t *show_model(const struct ctd_cpu_model *model)
{
	static const char *const smt[] = {
		[CTD_SMT_ANY] = "any", [CTD_SMT_OFF] = "off", [CTD_SMT_ON] = "on"};
	const struct ctd_cpu_event leader[] = {model->leader_by_code, {NULL, 0}};

	return json_pack("{s:s, s:s, s:s?, s:s, s:b, s:i, s:i, s:o, s:o, s:o, s:o}", "name",
			 model->name, "source", model->source, "vendor", model->vendor, "smt",
			 smt[model->smt], "core_scope", model->core_scope, "slots_per_cycle",
			 model->slots_per_cycle, "slots_per_count", model->slots_per_count, "ids",
			 show_ids(model), "leader_by_code", show_events(leader), "groups",
			 show_groups(model), "nodes", show_nodes(model));
}

static void print_models(void)
{
	json_t *models = json_array();

	for (size_t i = 0; ctd_cpu_models[i]; i++)
		json_array_append_new(models, show_model(ctd_cpu_models[i]));
	json_dumpf(models, stdout, JSON_INDENT(1));
	putchar('\n');
	json_decref(models);
}

/* The counts of a group, from an object of counts by event, and of "time_ns"; NaN what it does not
 * have. */
static void take_counts(const struct ctd_cpu_event *events, const json_t *counts,
			double ret_count[CTD_COUNTERS_MAX + 1])
{
	const json_t *time_ns = json_object_get(counts, "time_ns");

	for (int i = 0; events[i].name; i++) {
		const json_t *count = json_object_get(counts, events[i].name);

		ret_count[i] = count ? json_number_value(count) : NAN;
	}
	ret_count[CTD_COUNT_TIME_NS] = time_ns ? json_number_value(time_ns) : NAN;
}

/* What the formulas themselves give: the program keeps it within 0..1, and judges its quality. */
static json_t *evaluate(const struct ctd_cpu_model *model, const json_t *counts)
{
	json_t *ratios = json_object();

	for (int i = 0; i < model->nodes_count; i++) {
		double count[CTD_COUNTERS_MAX + 1] = {0};
		double ratio;

		take_counts(model->groups[model->nodes[i].group], counts, count);
		ratio = node_value(model, i, count);
		json_object_set_new(ratios, model->nodes[i].name,
				    isfinite(ratio) ? json_real(ratio) : json_null());
	}
	return ratios;
}

/* A line: MODEL and an object of counts by event. @return 0, or -EINVAL. */
static int answer(char *line)
{
	char *name = strtok(line, " ");
	char *text = strtok(NULL, "\n");
	const struct ctd_cpu_model *model = name ? ctd_cpu_model_find(name) : NULL;
	json_t *counts = model && text ? json_loads(text, 0, NULL) : NULL;
	json_t *ratios;

	if (!counts)
		return -EINVAL;
	ratios = evaluate(model, counts);
	json_dumpf(ratios, stdout, JSON_COMPACT | JSON_REAL_PRECISION(17));
	putchar('\n');
	json_decref(ratios);
	json_decref(counts);
	return 0;
}

int main(int argc, char **argv)
{
	char line[LINE_BYTES];

	if (argc == 1) {
		print_models();
		return 0;
	}
	if (argc != 2 || strcmp(argv[1], "--evaluate") != 0) {
		fprintf(stderr,
			"usage: %s [--evaluate <LINES]\nA line: MODEL {\"EVENT\": COUNT, ...}\n",
			argv[0]);
		return 2;
	}
	while (fgets(line, sizeof(line), stdin)) {
		if (answer(line)) {
			fprintf(stderr, "show_models: no model, or not an object: %s\n", line);
			return 1;
		}
	}
	return 0;
}
