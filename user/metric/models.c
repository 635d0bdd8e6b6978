/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* models.c - looks up CPU models, and what they claim and need. */
#include <cgtopdown/cpu.h>

#include <string.h>

const struct ctd_cpu_model *ctd_cpu_model_find(const char *name)
{
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		if (!strcmp(ctd_cpu_models[i]->name, name))
			return ctd_cpu_models[i];
	}
	return NULL;
}

int ctd_cpu_model_counters(const struct ctd_cpu_model *model, int level)
{
	int most = 0;

	for (int i = 0; i < model->nodes_count; i++) {
		if (model->nodes[i].level <= level && model->nodes[i].counters > most)
			most = model->nodes[i].counters;
	}
	return most;
}

int ctd_cpu_model_level(const struct ctd_cpu_model *model, int counters_count)
{
	int deepest = 0;

	for (int i = 0; i < model->nodes_count; i++) {
		if (model->nodes[i].counters <= counters_count && model->nodes[i].level > deepest)
			deepest = model->nodes[i].level;
	}
	return deepest;
}

bool ctd_cpu_model_claims(const struct ctd_cpu_model *cpu_model, unsigned int family,
			  unsigned int model)
{
	for (const struct ctd_cpu_id *id = cpu_model->ids; id && id->family; id++) {
		if (id->family == family && id->model <= model && model <= id->model_last)
			return true;
	}
	return false;
}
