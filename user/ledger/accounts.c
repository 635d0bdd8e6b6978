/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* accounts.c - the accounts by key and in order. Nothing here takes memory but a new account. */
#include "ledger/ledger.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

struct ledger_account *ctd_account_new(const struct ctd_ledger *ledger,
				       const struct ctd_account_who *who, int core_type)
{
	struct ledger_account *account = calloc(1, sizeof(*account));

	if (account && ledger->options.vendor) {
		account->vendor = ctd_vendor_sums_new(ledger->options.vendor);
		if (!account->vendor) {
			free(account);
			account = NULL;
		}
	}
	if (!account)
		return NULL;
	account->account.who = ctd_who_hold(who);
	account->account.core_type = core_type;
	account->account.node_slots = account->node_slots;
	ctd_account_begin(account, CTD_NODES_MAX);
	return account;
}

void ctd_account_free(struct ledger_account *account)
{
	if (!account)
		return;
	ctd_who_release(account->account.who);
	ctd_account_functions_release(account->account.functions);
	free(account->vendor);
	free(account);
}

static struct ledger_account *new_fixed(const struct ctd_ledger *ledger, enum ctd_account_kind kind,
					const char *core_type_name, int core_type)
{
	struct ctd_account_who who = {
		.kind = kind,
		.namespace_name = "",
		.pod = "",
		.container = "",
		.cgroup = "",
		.core = core_type_name,
		.container_id = "",
		.pod_uid = "",
		.runtime = "",
		.image = "",
		.qos = "",
		.owner_kind = "",
		.owner_name = "",
		.path = "",
		.key_text = "",
	};
	const struct ctd_account_who *copy = ctd_who_new(&who);
	struct ledger_account *account = copy ? ctd_account_new(ledger, copy, core_type) : NULL;

	ctd_who_release(copy);
	return account;
}

int ctd_accounts_make_fixed(struct ctd_ledger *ledger, const struct ctd_rollup_plan *plan,
			    const struct ctd_plan_map *map)
{
	for (int i = 0; i < plan->core_types_count; i++) {
		const char *name = plan->core_types[i].name;
		int type = map->core_type[i];

		for (int kind = CTD_ACCOUNT_KERNEL; kind <= CTD_ACCOUNT_OTHER; kind++) {
			struct ledger_account **fixed = &ledger->fixed[type][kind];

			/* The core type that it was made for did not come. */
			if (*fixed && strcmp((*fixed)->account.who->core, name) != 0) {
				ctd_account_free(*fixed);
				*fixed = NULL;
			}
			if (!*fixed)
				*fixed = new_fixed(ledger, kind, name, type);
			if (!*fixed)
				return -ENOMEM;
		}
	}
	return 0;
}

static struct ledger_account **bucket_of(const struct ctd_ledger *ledger, const char *key_text)
{
	return &ledger->buckets[ctd_hash(key_text, strlen(key_text)) & (ledger->buckets_count - 1)];
}

struct ledger_account *ctd_accounts_find(const struct ctd_ledger *ledger, const char *key_text)
{
	struct ledger_account *account = *bucket_of(ledger, key_text);

	while (account && strcmp(account->account.who->key_text, key_text) != 0)
		account = account->next;
	return account;
}

static int compare(const struct ctd_account_who *a, const struct ctd_account_who *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return strcmp(a->key_text, b->key_text);
}

/* @return the index in ledger->sorted of the account that @p who describes; without one, the index
 * at which it belongs. */
static size_t place_of(const struct ctd_ledger *ledger, const struct ctd_account_who *who)
{
	size_t low = 0, high = ledger->sorted_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(ledger->sorted[middle]->account.who, who) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The same of ledger->by_id. */
static size_t place_of_id(const struct ctd_ledger *ledger, uint64_t id)
{
	size_t low = 0, high = ledger->sorted_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ledger->by_id[middle]->account.id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct ctd_account *ctd_accounts_get(const struct ctd_ledger *ledger, uint64_t id)
{
	size_t place = place_of_id(ledger, id);

	return place < ledger->sorted_count && ledger->by_id[place]->account.id == id
		       ? &ledger->by_id[place]->account
		       : NULL;
}

/* Makes a place for one more of @p count in a table, and fills it. */
static void put_in(struct ledger_account **table, size_t count, size_t place,
		   struct ledger_account *account)
{
	memmove(&table[place + 1], &table[place],
		(count - place) * sizeof(struct ledger_account *));
	table[place] = account;
}

/* @p count: of those that are left. */
static void take_out(struct ledger_account **table, size_t count, size_t place)
{
	memmove(&table[place], &table[place + 1],
		(count - place) * sizeof(struct ledger_account *));
}

static void give_id(struct ctd_ledger *ledger, struct ledger_account *account)
{
	if (!account->account.id)
		account->account.id = ++ledger->ids;
}

void ctd_accounts_insert(struct ctd_ledger *ledger, struct ledger_account *account)
{
	struct ledger_account **bucket = bucket_of(ledger, account->account.who->key_text);
	size_t place = place_of(ledger, account->account.who);

	give_id(ledger, account);
	account->next = *bucket;
	*bucket = account;
	put_in(ledger->by_id, ledger->sorted_count, place_of_id(ledger, account->account.id),
	       account);
	put_in(ledger->sorted, ledger->sorted_count, place, account);
	ledger->sorted_count++;
	ledger->newest.names_version++;
}

static void unlink_from(struct ledger_account **list, const struct ledger_account *account)
{
	while (*list != account)
		list = &(*list)->next;
	*list = account->next;
}

void ctd_accounts_remove(struct ctd_ledger *ledger, struct ledger_account *account)
{
	size_t place = place_of(ledger, account->account.who);
	size_t place_by_id = place_of_id(ledger, account->account.id);

	unlink_from(bucket_of(ledger, account->account.who->key_text), account);
	ledger->sorted_count--;
	take_out(ledger->by_id, ledger->sorted_count, place_by_id);
	take_out(ledger->sorted, ledger->sorted_count, place);
	ledger->newest.names_version++;
}

void ctd_accounts_hold(struct ctd_ledger *ledger, struct ledger_account *account)
{
	give_id(ledger, account);
	account->next = ledger->held;
	ledger->held = account;
}

void ctd_accounts_unhold(struct ctd_ledger *ledger, struct ledger_account *account)
{
	unlink_from(&ledger->held, account);
}

void ctd_account_leave(struct ctd_ledger *ledger, struct ledger_member *member)
{
	struct ledger_account *account = member->account;

	member->account = NULL;
	if (account->describer == member->cgroup_id)
		account->describer = 0;
	if (--account->members)
		return;
	account->account.ended = true;
	ledger->newest.names_version++;
	account->ended_sequence = ledger->newest.sequence;
	account->ended_elapsed_ns = ledger->newest.elapsed_ns;
	account->ended_ns = ledger->newest.realtime_ns;
	account->ended_id = member->cgroup_id;
}

struct ledger_account *ctd_account_fixed(struct ctd_ledger *ledger, int core_type,
					 enum ctd_account_kind kind)
{
	struct ledger_account *account = ledger->fixed[core_type][kind];

	if (!account->open) {
		account->open = true;
		account->account.begun_ns = ledger->newest.realtime_ns - ledger->newest.window_ns;
		ctd_accounts_insert(ledger, account);
	}
	return account;
}

void ctd_account_drop(struct ctd_ledger *ledger, struct ledger_account *account)
{
	ctd_accounts_remove(ledger, account);
	ledger->places--;
	ctd_account_free(account);
}

void ctd_account_fold(struct ctd_ledger *ledger, struct ledger_account *account)
{
	struct ledger_account *other =
		ctd_account_fixed(ledger, account->account.core_type, CTD_ACCOUNT_OTHER);

	ctd_account_merge(ledger, other, account);
	ctd_account_drop(ledger, account);
}

bool ctd_account_is_fetched(const struct ctd_ledger *ledger, const struct ledger_account *account)
{
	return account->account.ended && account->ended_sequence <= ledger->acknowledged;
}

void ctd_account_let_go(struct ctd_ledger *ledger, struct ledger_account *account)
{
	int type = account->account.core_type;

	if (!ctd_account_is_fetched(ledger, account)) {
		ctd_account_fold(ledger, account);
	} else {
		ctd_account_add_fetched(account, &ledger->newest.core_types[type].totals);
		ctd_vendor_sums_merge(ledger->options.vendor, ledger->vendor_fetched,
				      account->vendor);
		ctd_account_drop(ledger, account);
	}
}
