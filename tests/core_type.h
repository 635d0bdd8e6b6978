/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* core_type.h - the core type of a view that is written by hand. */
#ifndef TESTS_CORE_TYPE_H
#define TESTS_CORE_TYPE_H

#include <cgtopdown/ledger.h>
#include <stdio.h>
#include <string.h>

static inline struct ctd_ledger_core_type core_type_of(const char *name,
						       const struct ctd_cpu_model *model)
{
	struct ctd_ledger_core_type type = {.model = model, .scope = "thread"};

	snprintf(type.name, sizeof(type.name), "%s", name);
	snprintf(type.source, sizeof(type.source), "%s", model ? model->source : "none");
	if (!model)
		return type;
	memcpy(type.nodes, model->nodes, (size_t)model->nodes_count * sizeof(*type.nodes));
	type.nodes_count = model->nodes_count;
	type.cache = model->cache;
	type.level = 2;
	return type;
}

#endif
