/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* node_json.c - writes what a node means as members of a JSON object. */
#include "format/node_json.h"

#include <cgtopdown/metric.h>

void ctd_node_add_json(struct ctd_json *json, const struct ctd_node *node,
		       const struct ctd_node *nodes)
{
	ctd_json_integer(json, "level", (uint64_t)node->level);
	ctd_json_string(json, "parent", node->parent < 0 ? NULL : nodes[node->parent].name);
	ctd_json_string(json, "unit", ctd_unit_name(node->unit));
	if (ctd_node_is_ipc(node))
		ctd_json_null(json, "threshold");
	else
		ctd_json_real(json, "threshold", ctd_metric_threshold(node), 1e6);
	ctd_json_string(json, "condition", node->condition);
	ctd_json_string(json, "formula", node->formula);
	ctd_json_string(json, "help", node->help);
}
