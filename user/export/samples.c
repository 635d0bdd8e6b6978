/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* samples.c - the figures of the node and of its kinds of cores, as samples. */
#include "export/families.h"

#include <string.h>

#include "base/label.h"

static uint64_t count_at(const void *object, size_t offset)
{
	uint64_t count;

	memcpy(&count, (const char *)object + offset, sizeof(count));
	return count;
}

static uint64_t of_view(const struct exposition *exposition)
{
	return count_at(exposition->view, exposition->family->offset);
}

void ctd_samples_view_count(struct exposition *exposition)
{
	ctd_sample_count(exposition, "", of_view(exposition));
}

void ctd_samples_view_ns(struct exposition *exposition)
{
	ctd_sample_ns(exposition, "", of_view(exposition));
}

void ctd_core_label(const struct ctd_ledger_core *core, struct ctd_strbuf *labels)
{
	if (*core->name)
		ctd_label_add(labels, "core", core->name);
}

/* Kinds of cores of which @p has is true, if there is one. */
static void each_core(struct exposition *exposition, bool (*has)(const struct ctd_ledger_core *),
		      void (*add)(struct exposition *, const struct ctd_ledger_core *))
{
	for (int i = 0; i < exposition->view->cores_count; i++) {
		const struct ctd_ledger_core *core = &exposition->view->cores[i];
		auto_ctd_strbuf struct ctd_strbuf labels = {0};

		if (has && !has(core))
			continue;
		ctd_core_label(core, &labels);
		exposition->text->failed |= labels.failed;
		ctd_sample_begin(exposition, labels.text && !labels.failed ? labels.text : "");
		add(exposition, core);
		ctd_strbuf_add_bytes(exposition->text, "\n", 1);
	}
}

static bool knows_slots(const struct ctd_ledger_core *core)
{
	return core->totals.slots_known;
}

static void add_slots(struct exposition *exposition, const struct ctd_ledger_core *core)
{
	ctd_strbuf_add_count(exposition->text, count_at(core, exposition->family->offset));
}

void ctd_samples_core_slots(struct exposition *exposition)
{
	each_core(exposition, knows_slots, add_slots);
}

static void add_residual(struct exposition *exposition, const struct ctd_ledger_core *core)
{
	ctd_strbuf_add_signed(exposition->text, core->totals.residual_slots);
}

void ctd_samples_residual(struct exposition *exposition)
{
	each_core(exposition, knows_slots, add_residual);
}

static void add_cpus_online(struct exposition *exposition, const struct ctd_ledger_core *core)
{
	ctd_strbuf_add_count(exposition->text, core->cpus_online);
}

void ctd_samples_cpus_online(struct exposition *exposition)
{
	each_core(exposition, NULL, add_cpus_online);
}
