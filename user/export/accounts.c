/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* accounts.c - the figures of accounts, as samples: nearly all of a text, and so in one piece each.
 */
#include "export/families.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"

/* A family takes one or two figures of each account, which are a kilobyte apart: the processor does
 * not see that coming, and each one would be waited for. */
#define AHEAD 12

int ctd_account_keys_make(const struct ctd_ledger_view *view, struct account_keys *ret_keys)
{
	struct account_keys keys = {0};
	size_t bytes = 0;

	for (size_t i = 0; i < view->accounts_count; i++)
		bytes += strlen(view->accounts[i].who->key_text);
	keys.text = malloc(bytes + 1);
	keys.ends = malloc((view->accounts_count + 1) * sizeof(*keys.ends));
	if (!keys.text || !keys.ends) {
		ctd_account_keys_free(&keys);
		return -ENOMEM;
	}
	keys.ends[0] = 0;
	for (size_t i = 0; i < view->accounts_count; i++) {
		const char *text = view->accounts[i].who->key_text;

		bytes = strlen(text);
		memcpy(keys.text + keys.ends[i], text, bytes);
		keys.ends[i + 1] = keys.ends[i] + bytes;
	}
	*ret_keys = keys;
	return 0;
}

void ctd_account_keys_free(struct account_keys *keys)
{
	free(keys->text);
	free(keys->ends);
	*keys = (struct account_keys){0};
}

static char *put(char *at, const char *bytes, size_t count)
{
	memcpy(at, bytes, count);
	return at + count;
}

/* @p more: what follows the key, up to the figure. */
static void write_sample(struct exposition *exposition, size_t account, const char *more,
			 size_t more_bytes, uint64_t figure, bool ns)
{
	const struct account_keys *keys = &exposition->keys;
	const char *key = keys->text + keys->ends[account];
	size_t key_bytes = keys->ends[account + 1] - keys->ends[account];
	struct ctd_strbuf *text = exposition->text;
	char *at;

	ctd_family_describe(exposition);
	if (!ctd_strbuf_reserve(text, exposition->sample_bytes + 1 + key_bytes + more_bytes +
					      CTD_DIGITS_BYTES + 1))
		return;
	at = put(text->text + text->bytes, exposition->sample, exposition->sample_bytes);
	*at++ = '{';
	at = put(at, key, key_bytes);
	at = put(at, more, more_bytes);
	at += ns ? ctd_digits_seconds(at, figure) : ctd_digits_count(at, figure);
	*at++ = '\n';
	text->bytes = (size_t)(at - text->text);
}

static uint64_t figure_of(const struct ctd_account *account, size_t offset)
{
	uint64_t figure;

	memcpy(&figure, (const char *)account + offset, sizeof(figure));
	return figure;
}

static const struct ctd_account *next_account(const struct exposition *exposition, size_t account,
					      size_t offset)
{
	const struct ctd_ledger_view *view = exposition->view;
	size_t ahead = account + AHEAD < view->accounts_count ? account + AHEAD : account;

	__builtin_prefetch((const char *)&view->accounts[ahead] + offset);
	return &view->accounts[account];
}

/* All accounts that @p has, if there is one; in nanoseconds or not. */
static void each_account(struct exposition *exposition, bool (*has)(const struct ctd_account *),
			 bool ns)
{
	size_t offset = exposition->family->offset;
	bool created = ctd_family_has_created(exposition);

	for (size_t i = 0; i < exposition->view->accounts_count; i++) {
		const struct ctd_account *account = next_account(exposition, i, offset);

		if (has && !has(account))
			continue;
		write_sample(exposition, i, "} ", 2, figure_of(account, offset), ns);
		if (created)
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
	size_t offset = exposition->family->offset;
	int which =
		(int)((offset - offsetof(struct ctd_account, general.count)) / sizeof(uint64_t));

	for (size_t i = 0; i < exposition->view->accounts_count; i++) {
		const struct ctd_account *account = next_account(exposition, i, offset);
		const char *cache = "";
		char more[32];
		int bytes;

		if (account->general.known <= which)
			continue;
		if (which == CTD_GENERAL_CACHE_MISSES)
			cache = account->model->cache;
		bytes = snprintf(more, sizeof(more), *cache ? ",cache=\"%s\"} " : "} ", cache);
		write_sample(exposition, i, more, (size_t)bytes, figure_of(account, offset), false);
	}
}

/* The nodes of one level of a model, and how their samples' labels end. */
struct categories {
	const struct ctd_cpu_model *model;
	int count;
	struct {
		int node;
		char label[48];
		size_t label_bytes;
	} items[CTD_NODES_MAX];
};

static void list_categories(const struct ctd_cpu_model *model, int level,
			    struct categories *categories)
{
	categories->model = model;
	categories->count = 0;
	for (int node = 0; model && node < model->nodes_count; node++) {
		__typeof__(*categories->items) *item = &categories->items[categories->count];

		if (model->nodes[node].level != level)
			continue;
		item->node = node;
		item->label_bytes = (size_t)snprintf(item->label, sizeof(item->label),
						     ",category=\"%s\"} ", model->nodes[node].name);
		categories->count++;
	}
}

static void write_level(struct exposition *exposition, int level)
{
	struct categories categories = {0};

	for (size_t i = 0; i < exposition->view->accounts_count; i++) {
		const struct ctd_account *account =
			next_account(exposition, i, offsetof(struct ctd_account, node_slots));

		if (account->model != categories.model)
			list_categories(account->model, level, &categories);
		for (int at = 0; at < categories.count; at++) {
			int node = categories.items[at].node;

			if (account->node_known[node])
				write_sample(exposition, i, categories.items[at].label,
					     categories.items[at].label_bytes,
					     account->node_slots[node], false);
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
