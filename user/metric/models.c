/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* models.c - looks up CPU models, and what they claim and need. */
#include <cgtopdown/cpu.h>

#include <string.h>

const char *ctd_unit_text(enum ctd_unit unit)
{
	static const char *const texts[] = {
		[CTD_UNIT_RATIO] = "a share",
		[CTD_UNIT_PER_CYCLE] = "per cycle",
		[CTD_UNIT_CYCLES] = "in cycles",
		[CTD_UNIT_GHZ] = "in GHz",
		[CTD_UNIT_PER_THOUSAND] = "per thousand instructions",
	};

	return texts[unit];
}

const struct ctd_cpu_model *ctd_cpu_model_find(const char *name)
{
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		if (!strcmp(ctd_cpu_models[i]->name, name))
			return ctd_cpu_models[i];
	}
	return NULL;
}

bool ctd_cpu_is_source(const char *source)
{
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		if (!strcmp(ctd_cpu_models[i]->source, source))
			return true;
	}
	return false;
}

int ctd_cpu_model_counters(const struct ctd_cpu_model *model, int group, int level)
{
	int most = 0;

	for (int i = 0; i < model->nodes_count; i++) {
		if (model->nodes[i].group == group && model->nodes[i].level <= level &&
		    model->nodes[i].counters > most)
			most = model->nodes[i].counters;
	}
	return most;
}

int ctd_cpu_model_groups(const struct ctd_cpu_model *model, int level)
{
	int last = 0;

	for (int i = 0; i < model->nodes_count; i++) {
		if (!ctd_node_is_ipc(&model->nodes[i]) && model->nodes[i].level <= level &&
		    model->nodes[i].group > last)
			last = model->nodes[i].group;
	}
	return last + 1;
}

int ctd_cpu_model_level(const struct ctd_cpu_model *model, int counters_count)
{
	int deepest = 0;

	for (int i = 0; i < model->nodes_count; i++) {
		if (model->nodes[i].group == 0 && model->nodes[i].counters <= counters_count &&
		    model->nodes[i].level > deepest)
			deepest = model->nodes[i].level;
	}
	return deepest;
}

bool ctd_cpu_model_claims(const struct ctd_cpu_model *cpu_model, const char *vendor,
			  const struct ctd_cpu_id *id)
{
	if (!cpu_model->ids || strcmp(cpu_model->vendor, vendor) != 0)
		return false;
	for (const struct ctd_cpu_id *own = cpu_model->ids; own->family; own++) {
		if (own->family == id->family && own->core == id->core && own->model <= id->model &&
		    id->model <= own->model_last &&
		    (!own->stepping_last ||
		     (own->stepping <= id->stepping && id->stepping <= own->stepping_last)))
			return true;
	}
	return false;
}

uint64_t ctd_cpu_model_slots(const struct ctd_cpu_model *model, uint64_t leader_count)
{
	return leader_count * (uint64_t)model->slots_per_count;
}

int ctd_cpu_model_node(const struct ctd_cpu_model *model, enum ctd_node_role role)
{
	for (int i = 0; i < model->nodes_count; i++) {
		if (model->nodes[i].role == role)
			return i;
	}
	return -1;
}

int ctd_cpu_model_find_node(const struct ctd_cpu_model *model, const char *name)
{
	for (int i = 0; i < model->nodes_count; i++) {
		if (strcmp(model->nodes[i].name, name) == 0)
			return i;
	}
	return -1;
}

bool ctd_cpu_is_node(const char *name)
{
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		if (ctd_cpu_model_find_node(ctd_cpu_models[i], name) >= 0)
			return true;
	}
	return false;
}
