/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* samples.c - the figures of accounts and of the node, as samples. */
#include "export/families.h"

#include <string.h>

#include "base/label.h"

static uint64_t count_at(const void *object, size_t offset)
{
	uint64_t count;

	memcpy(&count, (const char *)object + offset, sizeof(count));
	return count;
}

static uint64_t of_account(const struct exposition *exposition, size_t account)
{
	return count_at(&exposition->view->accounts[account], exposition->family->offset);
}

/* All accounts that @p has, if there is one; in nanoseconds or not. */
static void each_account(struct exposition *exposition, bool (*has)(const struct ctd_account *),
			 bool ns)
{
	for (size_t i = 0; i < exposition->view->accounts_count; i++) {
		const struct ctd_account *account = &exposition->view->accounts[i];

		if (has && !has(account))
			continue;
		(ns ? ctd_sample_ns : ctd_sample_count)(exposition, account->who->key_text,
							of_account(exposition, i));
		ctd_sample_created(exposition, account->who->key_text, account->begun_ns);
	}
}

static bool has_slots(const struct ctd_account *account)
{
	return account->slots_known;
}

static bool has_counters(const struct ctd_account *account)
{
	return account->model;
}

void ctd_samples_account_count(struct exposition *exposition)
{
	each_account(exposition, NULL, false);
}

void ctd_samples_account_ns(struct exposition *exposition)
{
	each_account(exposition, NULL, true);
}

void ctd_samples_account_slots(struct exposition *exposition)
{
	each_account(exposition, has_slots, false);
}

void ctd_samples_account_counted_ns(struct exposition *exposition)
{
	each_account(exposition, has_counters, true);
}

static bool has_general(const struct ctd_account *account)
{
	return account->general.known;
}

void ctd_samples_account_general_ns(struct exposition *exposition)
{
	each_account(exposition, has_general, true);
}

void ctd_samples_account_general(struct exposition *exposition)
{
	size_t first = offsetof(struct ctd_account, general.count);
	int which = (int)((exposition->family->offset - first) / sizeof(uint64_t));
	auto_ctd_strbuf struct ctd_strbuf labels = {0};

	for (size_t i = 0; i < exposition->view->accounts_count; i++) {
		const struct ctd_account *account = &exposition->view->accounts[i];
		char cache[8] = "";

		if (account->general.known <= which)
			continue;
		if (which == CTD_GENERAL_CACHE_MISSES)
			ctd_cpu_model_cache(account->model, cache);
		labels.bytes = 0;
		ctd_strbuf_add(&labels, account->who->key_text);
		ctd_label_add(&labels, "cache", cache);
		exposition->text->failed |= labels.failed;
		if (!labels.failed)
			ctd_sample_count(exposition, labels.text, of_account(exposition, i));
	}
}

/* The labels are put together in the text itself: there are many, and they are long. */
static void write_node(struct exposition *exposition, const struct ctd_account *account, int node)
{
	struct ctd_export *text = exposition->text;

	ctd_export_add_bytes(text, exposition->sample, exposition->sample_bytes);
	ctd_export_add_bytes(text, "{", 1);
	ctd_export_add(text, account->who->key_text);
	ctd_export_add_bytes(text, ",category=\"", 11);
	ctd_export_add(text, account->model->nodes[node].name);
	ctd_export_add_bytes(text, "\"} ", 3);
	ctd_export_add_count(text, account->node_slots[node]);
	ctd_export_add_bytes(text, "\n", 1);
}

static void write_level(struct exposition *exposition, int level)
{
	for (size_t i = 0; i < exposition->view->accounts_count; i++) {
		const struct ctd_account *account = &exposition->view->accounts[i];

		for (int node = 0; account->model && node < account->model->nodes_count; node++) {
			if (account->node_known[node] && account->model->nodes[node].level == level)
				write_node(exposition, account, node);
		}
	}
}

void ctd_samples_level1(struct exposition *exposition)
{
	write_level(exposition, 1);
}

void ctd_samples_level2(struct exposition *exposition)
{
	write_level(exposition, 2);
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
		ctd_export_add_bytes(exposition->text, "\n", 1);
	}
}

static bool knows_slots(const struct ctd_ledger_core *core)
{
	return core->totals.slots_known;
}

static void add_slots(struct exposition *exposition, const struct ctd_ledger_core *core)
{
	ctd_export_add_count(exposition->text, count_at(core, exposition->family->offset));
}

void ctd_samples_core_slots(struct exposition *exposition)
{
	each_core(exposition, knows_slots, add_slots);
}

static void add_residual(struct exposition *exposition, const struct ctd_ledger_core *core)
{
	ctd_export_add_signed(exposition->text, core->totals.residual_slots);
}

void ctd_samples_residual(struct exposition *exposition)
{
	each_core(exposition, knows_slots, add_residual);
}

static void add_cpus_online(struct exposition *exposition, const struct ctd_ledger_core *core)
{
	ctd_export_add_count(exposition->text, core->cpus_online);
}

void ctd_samples_cpus_online(struct exposition *exposition)
{
	each_core(exposition, NULL, add_cpus_online);
}
