/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ledger.c - opens and closes a ledger. */
#include "ledger/ledger.h"

#include <errno.h>
#include <stdlib.h>

#include "base/auto.h"

const char *ctd_account_kind_name(enum ctd_account_kind kind)
{
	static const char *const names[CTD_ACCOUNT_KINDS] = {
		[CTD_ACCOUNT_CONTAINER] = "container", [CTD_ACCOUNT_SANDBOX] = "sandbox",
		[CTD_ACCOUNT_CGROUP] = "cgroup",       [CTD_ACCOUNT_KERNEL] = "kernel",
		[CTD_ACCOUNT_IDLE] = "idle",	       [CTD_ACCOUNT_OTHER] = "other",
	};

	return names[kind];
}

static struct ledger_account *new_fixed(enum ctd_account_kind kind)
{
	static const struct ctd_account_who nobody = {
		.namespace_name = "",
		.pod = "",
		.container = "",
		.cgroup = "",
		.core = "",
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
	struct ctd_account_who who = nobody;
	const struct ctd_account_who *copy;
	struct ledger_account *account;

	who.kind = kind;
	copy = ctd_who_new(&who);
	account = copy ? ctd_account_new(copy) : NULL;
	ctd_who_release(copy);
	return account;
}

static size_t power_of_two(size_t least)
{
	size_t power = 64;

	while (power < least)
		power *= 2;
	return power;
}

static void free_ledger(struct ctd_ledger **ledger)
{
	ctd_ledger_free(*ledger);
}

int ctd_ledger_new(const struct ctd_ledger_options *options, uint64_t realtime_ns,
		   struct ctd_ledger **ret_ledger)
{
	/* All that tables may ever hold, so that adding to one never fails: eight bytes each. */
	size_t most = options->accounts_max + CTD_ACCOUNT_KINDS;
	__attribute__((cleanup(free_ledger))) struct ctd_ledger *ledger =
		calloc(1, sizeof(*ledger));

	if (!ledger)
		return -ENOMEM;
	ledger->options = *options;
	ledger->newest.begun_ns = realtime_ns;
	ledger->newest.method = "none";
	ledger->newest.scope = "thread";
	ledger->newest.accounts_max = options->accounts_max;
	ledger->buckets_count = power_of_two(most);
	ledger->buckets = calloc(ledger->buckets_count, sizeof(*ledger->buckets));
	ledger->sorted = calloc(most, sizeof(*ledger->sorted));
	ledger->pool = ctd_view_pool_new();
	if (!ledger->buckets || !ledger->sorted || !ledger->pool)
		return -ENOMEM;
	for (int kind = CTD_ACCOUNT_KERNEL; kind <= CTD_ACCOUNT_OTHER; kind++) {
		ledger->fixed[kind] = new_fixed(kind);
		if (!ledger->fixed[kind])
			return -ENOMEM;
	}
	*ret_ledger = take_ptr(ledger);
	return 0;
}

static void free_held(struct ctd_ledger *ledger)
{
	while (ledger->held) {
		struct ledger_account *account = ledger->held;

		ledger->held = account->next;
		ctd_account_free(account);
	}
}

static bool is_fixed(const struct ctd_ledger *ledger, const struct ledger_account *account)
{
	return ledger->fixed[account->account.who->kind] == account;
}

void ctd_ledger_free(struct ctd_ledger *ledger)
{
	uintptr_t value;
	size_t cursor = 0;
	uint64_t id;

	if (!ledger)
		return;
	for (size_t i = 0; i < ledger->sorted_count; i++) {
		if (!is_fixed(ledger, ledger->sorted[i]))
			ctd_account_free(ledger->sorted[i]);
	}
	for (int kind = 0; kind < CTD_ACCOUNT_KINDS; kind++)
		ctd_account_free(ledger->fixed[kind]);
	free_held(ledger);
	while (ctd_idmap_next(&ledger->members, &cursor, &id, &value))
		free((struct ledger_member *)value);
	ctd_idmap_free(&ledger->members);
	ctd_view_pool_release(ledger->pool);
	free(ledger->buckets);
	free(ledger->sorted);
	free(ledger);
}

void ctd_ledger_acknowledge(struct ctd_ledger *ledger, uint64_t sequence)
{
	if (sequence > ledger->acknowledged)
		ledger->acknowledged = sequence;
}
