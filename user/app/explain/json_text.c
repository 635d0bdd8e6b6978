/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* json_text.c - pieces of what `list --json` and `--explain --json` say. */
#include "app/explain/json_text.h"

#include <string.h>

#include "format/node_json.h"
#include "metric/expr_token.h"

#define NAME_BYTES 64

void ctd_json_node(struct ctd_json *json, const struct ctd_cpu_model *model,
		   const struct ctd_node *node)
{
	ctd_json_string(json, "name", node->name);
	ctd_json_string(json, "column", node->title);
	ctd_node_add_json(json, node, model->nodes);
}

bool ctd_formula_has(const char *formula, const char *event)
{
	size_t bytes = strlen(formula);
	char name[NAME_BYTES];

	for (struct ctd_token token = ctd_token_read(formula, bytes, 0);
	     token.kind != CTD_TOKEN_END && token.kind != CTD_TOKEN_BAD;
	     token = ctd_token_read(formula, bytes, token.at + token.bytes)) {
		if (token.kind == CTD_TOKEN_NAME &&
		    !ctd_token_name(formula, &token, sizeof(name), name) &&
		    strcmp(name, event) == 0)
			return true;
	}
	return false;
}

void ctd_json_events(struct ctd_json *json, const struct ctd_cpu_model *model, int group,
		     const char *formula)
{
	ctd_json_begin_array(json, "events");
	for (const struct ctd_cpu_event *event = model->groups[group]; event->name; event++) {
		if (formula && !ctd_formula_has(formula, event->name))
			continue;
		ctd_json_begin_object(json, NULL);
		ctd_json_string(json, "name", event->name);
		ctd_json_count(json, "config", event->config, event->config);
		ctd_json_end_object(json);
	}
	ctd_json_end_array(json);
}
