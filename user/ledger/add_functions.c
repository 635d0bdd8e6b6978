/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* add_functions.c - finds the accounts of what functions of rows had. */
#include <errno.h>
#include <string.h>

#include "ledger/ledger.h"

/* -1: there is none of that name. */
static int find_core_type(const struct ctd_ledger *ledger, const char *name)
{
	for (int type = 0; type < ledger->newest.core_types_count; type++)
		if (strcmp(ledger->newest.core_types[type].name, name) == 0)
			return type;
	return -1;
}

/* The account that ended with a cgroup. NULL: there is none. */
static struct ledger_account *find_ended(const struct ctd_ledger *ledger, int core_type,
					 uint64_t cgroup_id)
{
	for (size_t i = 0; cgroup_id && i < ledger->sorted_count; i++) {
		struct ledger_account *account = ledger->sorted[i];

		if (account->account.ended && account->ended_id == cgroup_id &&
		    account->account.core_type == core_type)
			return account;
	}
	return NULL;
}

/* By its cgroup, as its names may be others by now. NULL: the core type is not there any more. */
static struct ledger_account *account_of(struct ctd_ledger *ledger,
					 const struct ctd_function_row *row)
{
	int type = find_core_type(ledger, row->core);
	struct ledger_account *account;
	uintptr_t member;

	if (type < 0)
		return NULL;
	if (row->cgroup_id && ctd_idmap_get(&ledger->members[type], row->cgroup_id, &member)) {
		account = ((struct ledger_member *)member)->account;
	} else {
		account = find_ended(ledger, type, row->cgroup_id);
		if (!account)
			account = ctd_accounts_find(ledger, row->key);
	}
	return account ? account : ctd_account_fixed(ledger, type, CTD_ACCOUNT_OTHER);
}

/* What accounts took over from others since the last time. */
static int publish_rest(struct ctd_ledger *ledger, uint64_t begun_ns)
{
	const struct ctd_function_row none = {0};

	for (size_t i = 0; i < ledger->sorted_count; i++) {
		struct ledger_account *account = ledger->sorted[i];

		if (account->functions_rest.cpu_ns &&
		    ctd_account_add_functions(ledger, account, &none, begun_ns))
			return -ENOMEM;
	}
	return 0;
}

int ctd_ledger_add_functions(struct ctd_ledger *ledger, struct ctd_functions *functions)
{
	if (!ledger->options.functions_max)
		functions->rows_taken = functions->rows_count;
	for (; functions->rows_taken < functions->rows_count; functions->rows_taken++) {
		const struct ctd_function_row *row = &functions->rows[functions->rows_taken];
		struct ledger_account *account = account_of(ledger, row);

		if (account && ctd_account_add_functions(ledger, account, row, functions->begun_ns))
			return -ENOMEM;
	}
	if (publish_rest(ledger, functions->begun_ns))
		return -ENOMEM;
	ledger->functions_ns = functions->end_ns;
	return 0;
}
