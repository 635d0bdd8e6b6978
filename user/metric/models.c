/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* models.c - looks up CPU models. */
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

int ctd_cpu_model_events(const struct ctd_cpu_model *model)
{
	int count = 0;

	while (model->events[count])
		count++;
	return count;
}
