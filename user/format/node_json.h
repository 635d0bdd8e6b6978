/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* node_json.h - what a node of the tree means, as programs read it. */
#ifndef FORMAT_NODE_JSON_H
#define FORMAT_NODE_JSON_H

#include <cgtopdown/cpu.h>

#include "base/json.h"

/* Adds members to the open object: "level", "parent", "unit", "threshold", "condition", "formula"
 * and "help". @p nodes: those that node->parent is an index into. */
void ctd_node_add_json(struct ctd_json *json, const struct ctd_node *node,
		       const struct ctd_node *nodes);

#endif
