/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* end.c - accounts end with their last cgroup, and go when their figures have been fetched. */
#include "ledger/ledger.h"

#include <stdlib.h>

/* What its functions had at last comes later. */
static bool has_functions(const struct ctd_ledger *ledger, const struct ledger_account *account)
{
	return !ledger->options.functions_max || ledger->functions_ns >= account->ended_ns;
}

static bool is_due(const struct ctd_ledger *ledger, const struct ledger_account *account)
{
	if (!account->account.ended || account->touched == ledger->newest.sequence)
		return false;
	return (ctd_account_is_fetched(ledger, account) && has_functions(ledger, account)) ||
	       ledger->newest.elapsed_ns - account->ended_elapsed_ns >= ledger->options.linger_ns;
}

void ctd_ended_drop(struct ctd_ledger *ledger)
{
	/* From the end, as what goes, and `other` that may come, moves those behind. */
	for (size_t i = ledger->sorted_count; i-- > 0;) {
		if (is_due(ledger, ledger->sorted[i]))
			ctd_account_let_go(ledger, ledger->sorted[i]);
	}
}

/* Puts those that a rollup did not have any more before @p list. In a list, as a map must not
 * change on a walk. */
static struct ledger_member *list_ending(const struct ctd_ledger *ledger, int core_type,
					 struct ledger_member *list)
{
	uintptr_t value;
	size_t cursor = 0;
	uint64_t id;

	while (ctd_idmap_next(&ledger->members[core_type], &cursor, &id, &value)) {
		struct ledger_member *member = (struct ledger_member *)value;

		if (!member->gone || member->seen == ledger->newest.sequence)
			continue;
		member->ending = true;
		member->next = list;
		list = member;
	}
	return list;
}

void ctd_members_end(struct ctd_ledger *ledger)
{
	struct ledger_member *list = NULL, *next;

	for (int type = 0; type < CTD_LEDGER_CORE_TYPES_MAX; type++)
		list = list_ending(ledger, type, list);

	/* No name will come: what was kept out of views has its only chance to be seen. */
	ctd_held_show(ledger);
	for (struct ledger_member *member = list; member; member = next) {
		next = member->next;
		if (member->account)
			ctd_account_leave(ledger, member);
		ctd_idmap_remove(&ledger->members[member->core_type], member->cgroup_id);
		free(member);
	}
}
