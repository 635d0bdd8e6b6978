/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* model_text.c - pieces of what is said of a core design. */
#include "app/explain/model_text.h"

#include <inttypes.h>

static void add_event(struct ctd_strbuf *text, const struct ctd_cpu_event *event)
{
	ctd_strbuf_add(text, event->name);
	if (event->config)
		ctd_strbuf_addf(text, " (0x%" PRIx64 ")", event->config);
}

void ctd_model_text_add_event(struct ctd_strbuf *text, const struct ctd_cpu_model *model, int group,
			      const struct ctd_cpu_event *event)
{
	add_event(text, event);
	if (event != model->groups[group] || !model->leader_by_code.name)
		return;
	ctd_strbuf_add(text, " or ");
	add_event(text, &model->leader_by_code);
}

void ctd_model_text_add_here(struct ctd_strbuf *text, const struct ctd_machine *machine,
			     const struct ctd_cpu_model *model)
{
	const struct ctd_pmu_facts *facts = ctd_machine_find_model(machine, model);

	if (!facts)
		return;
	ctd_strbuf_add(text, "\n* This machine's");
	if (*facts->core_name)
		ctd_strbuf_addf(text, " %s", facts->core_name);
}
