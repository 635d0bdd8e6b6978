/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* explain.c - tells of one metric what the tables of the core designs have of it. */
#include "app/explain/explain.h"

#include <cgtopdown/counters.h>
#include <cgtopdown/metric.h>

#include <string.h>
#include <strings.h>

#include "app/explain/condition.h"
#include "app/explain/json_text.h"
#include "app/explain/model_text.h"
#include "app/options/options.h"
#include "app/text.h"
#include "base/strbuf.h"
#include "format/colour.h"

#define INDENT 2
#define TREE_STEP 2
#define TREE_COLUMN 32
#define FORMULA_COLUMN 4
#define DESIGN_COLUMN 22

struct explanation {
	FILE *out;
	bool colour;
	struct ctd_machine machine;
	/* What is said once: of this machine's design, else of the one that has most nodes. */
	const struct ctd_cpu_model *model;
	const struct ctd_node *node;
};

static const struct ctd_node *find_node(const struct ctd_cpu_model *model, const char *name)
{
	int node = ctd_cpu_model_find_node(model, name);

	return node < 0 ? NULL : &model->nodes[node];
}

const char *ctd_explain_find(const char *text)
{
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];

		for (int node = 0; node < model->nodes_count; node++)
			if (strcmp(model->nodes[node].name, text) == 0 ||
			    strcasecmp(model->nodes[node].title, text) == 0)
				return model->nodes[node].name;
	}
	return NULL;
}

void ctd_explain_suggest(struct ctd_suggestion *suggestion)
{
	for (size_t i = 0; ctd_cpu_models[i]; i++)
		for (int node = 0; node < ctd_cpu_models[i]->nodes_count; node++)
			ctd_suggestion_try(suggestion, ctd_cpu_models[i]->nodes[node].name);
}

static bool is_here(const struct explanation *explanation, const struct ctd_cpu_model *model)
{
	return ctd_machine_find_model(&explanation->machine, model) != NULL;
}

static void choose_model(struct explanation *explanation, const char *name)
{
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i], *best = explanation->model;
		const struct ctd_node *node = find_node(model, name);
		bool here = is_here(explanation, model);
		bool best_here = best && is_here(explanation, best);

		if (!node ||
		    (best &&
		     (here != best_here ? best_here : model->nodes_count <= best->nodes_count)))
			continue;
		explanation->model = model;
		explanation->node = node;
	}
}

static void print_heading(const struct explanation *explanation, const char *heading)
{
	fputc('\n', explanation->out);
	ctd_text_heading(explanation->out, explanation->colour, heading);
}

static const char *text_of(const struct ctd_strbuf *text)
{
	return text->failed ? "(out of memory)" : text->text;
}

/* @p first: the first characters of the first line, no more than the indent. */
static void print_paragraph(const struct explanation *explanation, const char *first, int indent,
			    const struct ctd_strbuf *text)
{
	fprintf(explanation->out, "%-*s", indent, first);
	ctd_text_wrap(explanation->out, indent, indent, text_of(text));
}

static void add_threshold(struct ctd_strbuf *text, const struct ctd_node *node)
{
	if (ctd_node_is_ipc(node)) {
		ctd_strbuf_addf(text, "It is %s, and has no threshold.", ctd_unit_text(node->unit));
		return;
	}
	ctd_strbuf_add(text, "Worth a look ");
	ctd_condition_add(text, node);
	ctd_strbuf_add(text, ".");
}

/* A help's first sentence is what it means, the rest what to look at next. */
static size_t meaning_bytes(const char *help)
{
	const char *end = strstr(help, ". ");

	return end ? (size_t)(end - help) + 1 : strlen(help);
}

static void print_meaning(const struct explanation *explanation)
{
	const struct ctd_node *node = explanation->node;
	auto_ctd_strbuf struct ctd_strbuf heading = {0}, text = {0};

	ctd_strbuf_addf(&heading, "%s: column %s, ", node->name, node->title);
	if (ctd_node_is_ipc(node))
		ctd_strbuf_add(&heading, "beside the tree");
	else
		ctd_strbuf_addf(&heading, "level %d", node->level);
	ctd_text_heading(explanation->out, explanation->colour, text_of(&heading));
	ctd_strbuf_addf(&text, "%.*s\n", (int)meaning_bytes(node->help), node->help);
	add_threshold(&text, node);
	print_paragraph(explanation, "", INDENT, &text);
}

static void print_tree_line(const struct explanation *explanation, int depth,
			    const struct ctd_node *node)
{
	bool is_it = node == explanation->node, colour = is_it && explanation->colour;
	int indent = INDENT + depth * TREE_STEP;

	fprintf(explanation->out, "%*s%s%-*s%s %-9s above %2.0f%%\n", indent, is_it ? "> " : "",
		colour ? CTD_COLOUR_HEAD : "", TREE_COLUMN - indent, node->name,
		colour ? CTD_COLOUR_OFF : "", node->title, 100 * ctd_metric_threshold(node));
}

static void print_parts(const struct explanation *explanation, int depth, int whole)
{
	const struct ctd_cpu_model *model = explanation->model;

	for (int i = 0; i < model->nodes_count; i++) {
		if (model->nodes[i].parent != whole || ctd_node_is_ipc(&model->nodes[i]))
			continue;
		print_tree_line(explanation, depth, &model->nodes[i]);
		if (&model->nodes[i] == explanation->node)
			print_parts(explanation, depth + 1, i);
	}
}

/* Those above it, those beside it, its parts. */
static void print_tree(const struct explanation *explanation)
{
	const struct ctd_node *above[CTD_NODES_MAX];
	const struct ctd_cpu_model *model = explanation->model;
	int depth = 0;

	print_heading(explanation, "In the tree");
	for (int at = explanation->node->parent; at >= 0; at = model->nodes[at].parent)
		above[depth++] = &model->nodes[at];
	for (int i = 0; i < depth; i++)
		print_tree_line(explanation, i, above[depth - 1 - i]);
	print_parts(explanation, depth, explanation->node->parent);
}

static void print_next(const struct explanation *explanation)
{
	const struct ctd_cpu_model *model = explanation->model;
	const struct ctd_node *node = explanation->node;
	const char *advice = node->help + meaning_bytes(node->help);
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	const char *separator = "Its parts: ";
	int level = node->level;

	if (*advice)
		ctd_strbuf_addf(&text, "%s\n", advice + 1);
	for (int i = 0; i < model->nodes_count; i++) {
		if (model->nodes[i].parent != node - model->nodes)
			continue;
		ctd_strbuf_addf(&text, "%s%s", separator, model->nodes[i].name);
		separator = ", ";
		level = model->nodes[i].level;
	}
	if (level > node->level)
		ctd_strbuf_add(&text, "\n");
	ctd_strbuf_add(&text, "Who has most of it: cgtopdown stat ");
	if (ctd_node_is_ipc(node))
		ctd_strbuf_addf(&text, "--general --sort %s", node->name);
	else
		ctd_strbuf_addf(&text, "--level %d --sort %s", level, node->name);
	print_heading(explanation, "Look at next");
	print_paragraph(explanation, "", INDENT, &text);
}

/* "perf_metrics: topdown-retiring, ...", of the events that the formula takes. */
static void add_events(struct ctd_strbuf *text, const struct ctd_cpu_model *model,
		       const struct ctd_node *node)
{
	const char *separator = "";

	ctd_strbuf_addf(text, "%s: ", model->source);
	for (const struct ctd_cpu_event *event = model->groups[node->group]; event->name; event++) {
		if (!ctd_formula_has(node->formula, event->name))
			continue;
		ctd_strbuf_add(text, separator);
		ctd_model_text_add_event(text, model, node->group, event);
		separator = ", ";
	}
}

/* What is alike for several designs is said once for them. */
static bool is_counted_alike(const struct ctd_cpu_model *a, const struct ctd_cpu_model *b,
			     const char *name)
{
	const struct ctd_node *a_node = find_node(a, name), *b_node = find_node(b, name);
	auto_ctd_strbuf struct ctd_strbuf a_events = {0}, b_events = {0};

	if (!a_node || !b_node || !a->vendor != !b->vendor ||
	    strcmp(a_node->formula, b_node->formula) != 0)
		return false;
	add_events(&a_events, a, a_node);
	add_events(&b_events, b, b_node);
	return !a_events.failed && !b_events.failed && strcmp(a_events.text, b_events.text) == 0;
}

static bool is_first(const char *name, size_t number)
{
	for (size_t i = 0; i < number; i++)
		if (is_counted_alike(ctd_cpu_models[i], ctd_cpu_models[number], name))
			return false;
	return true;
}

static void print_design(const struct explanation *explanation, const struct ctd_cpu_model *model)
{
	const struct ctd_node *node = find_node(model, explanation->node->name);
	auto_ctd_strbuf struct ctd_strbuf text = {0};

	ctd_strbuf_addf(&text, "%s.", model->publication);
	if (strcmp(node->help, explanation->node->help) != 0)
		ctd_strbuf_addf(&text, " %s", node->help);
	if (node->condition && strcmp(node->condition, explanation->node->condition) != 0) {
		ctd_strbuf_add(&text, " ");
		add_threshold(&text, node);
	}
	/* Which is of the slots. */
	if (model->caution && !ctd_node_is_ipc(node))
		ctd_strbuf_addf(&text, "\n%s", model->caution);
	ctd_model_text_add_here(&text, &explanation->machine, model);
	ctd_text_item(explanation->out, FORMULA_COLUMN, DESIGN_COLUMN,
		      explanation->colour ? CTD_COLOUR_HEAD : "", model->name, text_of(&text));
}

static void print_formula(const struct explanation *explanation, size_t number)
{
	const char *name = explanation->node->name;
	const struct ctd_node *node = find_node(ctd_cpu_models[number], name);
	auto_ctd_strbuf struct ctd_strbuf formula = {0}, events = {0};

	ctd_strbuf_add(&formula, node->formula);
	print_paragraph(explanation, "  = ", FORMULA_COLUMN, &formula);
	add_events(&events, ctd_cpu_models[number], node);
	print_paragraph(explanation, "", FORMULA_COLUMN, &events);
	for (size_t i = number; ctd_cpu_models[i]; i++)
		if (is_counted_alike(ctd_cpu_models[number], ctd_cpu_models[i], name))
			print_design(explanation, ctd_cpu_models[i]);
}

/* Not of the simulated core, which has no events to count. */
static void print_formulas(const struct explanation *explanation)
{
	bool first = true;

	print_heading(explanation, "How it is counted, by source and core design");
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		if (!ctd_cpu_models[i]->vendor ||
		    !find_node(ctd_cpu_models[i], explanation->node->name))
			continue;
		if (!is_first(explanation->node->name, i))
			continue;
		if (!first)
			fputc('\n', explanation->out);
		first = false;
		print_formula(explanation, i);
	}
}

/* Of the simulated core, too: a program may ask for what it shows. */
static void add_designs(struct ctd_json *json, const struct explanation *explanation)
{
	ctd_json_begin_array(json, "cpus");
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];
		const struct ctd_node *node = find_node(model, explanation->node->name);

		if (!node)
			continue;
		ctd_json_begin_object(json, NULL);
		ctd_json_string(json, "cpu", model->name);
		ctd_json_bool(json, "here", is_here(explanation, model));
		ctd_json_string(json, "source", model->source);
		ctd_json_node(json, model, node);
		ctd_json_events(json, model, node->group, node->formula);
		ctd_json_string(json, "publication", model->publication);
		ctd_json_string(json, "caution", ctd_node_is_ipc(node) ? NULL : model->caution);
		ctd_json_end_object(json);
	}
	ctd_json_end_array(json);
}

static int print_json(const struct explanation *explanation)
{
	const struct ctd_cpu_model *model = explanation->model;
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	struct ctd_json json = {.out = &out};

	ctd_json_begin_object(&json, NULL);
	ctd_json_string(&json, "schema", "cgtopdown/explain/1");
	ctd_json_node(&json, model, explanation->node);
	ctd_json_begin_array(&json, "parts");
	for (int i = 0; i < model->nodes_count; i++)
		if (model->nodes[i].parent == explanation->node - model->nodes)
			ctd_json_string(&json, NULL, model->nodes[i].name);
	ctd_json_end_array(&json);
	add_designs(&json, explanation);
	ctd_json_end_object(&json);
	return ctd_text_print_line(&out);
}

int ctd_explain_main(const struct ctd_options *options)
{
	struct explanation explanation = {
		.out = stdout,
		.colour = ctd_text_wants_colour(options->colour, stdout),
	};

	if (ctd_machine_read(&explanation.machine))
		return 1;
	choose_model(&explanation, options->explain);
	if (options->json)
		return print_json(&explanation);
	print_meaning(&explanation);
	if (!ctd_node_is_ipc(explanation.node))
		print_tree(&explanation);
	print_next(&explanation);
	print_formulas(&explanation);
	return 0;
}
