/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* json_text.h - pieces of what `list --json` and `--explain --json` say. */
#ifndef EXPLAIN_JSON_TEXT_H
#define EXPLAIN_JSON_TEXT_H

#include <cgtopdown/counters.h>
#include <cgtopdown/cpu.h>

#include "base/json.h"

/* Members of a node: "name", "column", ... "help". */
void ctd_json_node(struct ctd_json *json, const struct ctd_cpu_model *model,
		   const struct ctd_node *node);
/* "events" of a group: all, or those whose names are in @p formula. */
void ctd_json_events(struct ctd_json *json, const struct ctd_cpu_model *model, int group,
		     const char *formula);
/* Is the event's count one of the formula's? */
bool ctd_formula_has(const char *formula, const char *event);

#endif
