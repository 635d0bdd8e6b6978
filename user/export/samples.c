/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* samples.c - the figures of accounts and of the node, as samples. */
#include "export/families.h"

#include <string.h>

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

void ctd_samples_start_time(struct exposition *exposition)
{
	for (size_t i = 0; i < exposition->view->accounts_count; i++) {
		const struct ctd_account_who *who = exposition->view->accounts[i].who;

		if (who->started_ns)
			ctd_sample_ns(exposition, who->key_text, who->started_ns);
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

void ctd_samples_view_slots(struct exposition *exposition)
{
	if (exposition->view->totals.slots_known)
		ctd_samples_view_count(exposition);
}

void ctd_samples_residual(struct exposition *exposition)
{
	if (!exposition->view->totals.slots_known)
		return;
	ctd_sample_begin(exposition, "");
	ctd_export_add_signed(exposition->text, exposition->view->totals.residual_slots);
	ctd_export_add(exposition->text, "\n");
}

void ctd_samples_cpus_online(struct exposition *exposition)
{
	ctd_sample_count(exposition, "", exposition->view->cpus_online);
}
