/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* add.c - adds a rollup: all that takes memory first, so that it is added as a whole or not. */
#include "ledger/add.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is to be done, all of it made. */
struct plan {
	const struct ctd_rollup *rollup;
	uint64_t sequence; /* of the ledger's next view */
	struct ctd_plan_map map;
	struct ctd_addition *additions; /* owned */
	size_t count;
	struct ctd_placement *followed; /* owned; of members without a row; the last has no member */
	struct ctd_account_pairs pairs; /* owned */
	struct ctd_waited_limits limits; /* owned */
};

static void plan_free(struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		ctd_placement_free(&plan->additions[i].placement);
	for (struct ctd_placement *at = plan->followed; at && at->member; at++)
		ctd_placement_free(at);
	free(plan->additions);
	free(plan->followed);
	ctd_account_pairs_free(&plan->pairs);
	ctd_waited_limits_free(&plan->limits);
}

static bool is_cgroup(const struct ctd_rollup_row *row)
{
	return row->kind == CTD_ROLLUP_CONTAINER || row->kind == CTD_ROLLUP_CGROUP;
}

static enum ctd_account_kind fixed_kind(const struct ctd_rollup_row *row)
{
	return row->kind == CTD_ROLLUP_KERNEL ? CTD_ACCOUNT_KERNEL
	       : row->kind == CTD_ROLLUP_IDLE ? CTD_ACCOUNT_IDLE
					      : CTD_ACCOUNT_OTHER;
}

static struct ledger_member *get_member(struct ctd_ledger *ledger, int core_type,
					uint64_t cgroup_id)
{
	struct ctd_idmap *members = &ledger->members[core_type];
	struct ledger_member *member;
	uintptr_t value;

	if (ctd_idmap_get(members, cgroup_id, &value))
		return (struct ledger_member *)value;
	member = calloc(1, sizeof(*member));
	if (!member)
		return NULL;
	member->cgroup_id = cgroup_id;
	member->core_type = core_type;
	if (ctd_idmap_set(members, cgroup_id, (uintptr_t)member)) {
		free(member);
		return NULL;
	}
	return member;
}

static int plan_addition(struct ctd_ledger *ledger, const struct plan *plan,
			 struct ctd_addition *addition)
{
	const struct ctd_rollup_row *row = addition->row;
	const char *type = plan->rollup->plan->core_types[addition->type].name;
	struct ctd_row_subject subject;
	struct ledger_member *member;

	if (!is_cgroup(row))
		return 0;
	/* One without an account, if the rest fails, is nothing that is seen. */
	member = get_member(ledger, plan->map.core_type[addition->type], row->cgroup_id);
	if (!member)
		return -ENOMEM;
	member->seen = plan->sequence;
	addition->placement.member = member;
	/* Most are what they were, and to compare all their names takes longer than to add them up.
	 */
	if (ctd_member_is_of(member, row->identity)) {
		addition->placement.rank = member->account->rank;
		return 0;
	}
	ctd_subject_make(row, type, &subject);
	return ctd_placement_make(ledger, member, &subject, &addition->placement);
}

/* Might some get no place? */
static bool is_scarce(const struct ctd_ledger *ledger, const struct plan *plan)
{
	size_t places = ledger->places;

	for (size_t i = 0; i < plan->count; i++)
		places += plan->additions[i].placement.opens;
	return places > ledger->options.accounts_max;
}

static int plan_row(struct ctd_ledger *ledger, const struct ctd_rollup_row *row, struct plan *plan)
{
	int error = 0;

	for (int type = 0; !error && type < plan->rollup->plan->core_types_count; type++) {
		struct ctd_addition *addition = &plan->additions[plan->count];

		if (!row->parts[type].ran)
			continue;
		*addition = (struct ctd_addition){
			.row = row, .part = &row->parts[type], .type = type, .number = plan->count};
		plan->count++;
		error = plan_addition(ledger, plan, addition);
	}
	return error;
}

static int plan_make(struct ctd_ledger *ledger, struct plan *plan)
{
	const struct ctd_rollup *rollup = plan->rollup;
	size_t count = 0;
	int error = ctd_accounts_make_fixed(ledger, rollup->plan, &plan->map);

	for (size_t i = 0; i < rollup->rows_count; i++)
		count += (size_t)rollup->rows[i].core_types;
	plan->additions = malloc((count + 1) * sizeof(*plan->additions));
	if (error || !plan->additions)
		return -ENOMEM;
	for (size_t i = 0; !error && i < rollup->rows_count; i++)
		error = plan_row(ledger, &rollup->rows[i], plan);
	if (!error && rollup->identities)
		error = ctd_members_follow(ledger, rollup->identities, plan->sequence,
					   &plan->followed);
	if (!error)
		error = ctd_account_pairs_make(rollup, &plan->pairs);
	if (!error)
		error = ctd_waited_limits_make(rollup, &plan->limits);
	/* The places that there are go to those with names, and to those that use most. */
	if (!error && is_scarce(ledger, plan))
		ctd_additions_order(plan->additions, plan->count);
	return error;
}

/* What has figures in this rollup is not at its end, though it may have been. */
static void touch(struct ctd_ledger *ledger, const struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct ctd_placement *placement = &plan->additions[i].placement;
		struct ledger_account *next = ctd_placement_account(ledger, placement);

		if (placement->member && placement->member->account)
			placement->member->account->touched = plan->sequence;
		if (next)
			next->touched = plan->sequence;
	}
}

static void begin(const struct ctd_ledger *ledger, struct ledger_account *account)
{
	ctd_account_begin(account,
			  ledger->newest.core_types[account->account.core_type].nodes_count);
	ctd_vendor_sums_begin(ledger->options.vendor, account->vendor);
}

/* Limits are of cgroups, not of core types. */
static bool is_first_part(const struct ctd_addition *addition)
{
	for (int type = 0; type < addition->type; type++)
		if (addition->row->parts[type].ran)
			return false;
	return true;
}

static void add_vendor(const struct ctd_ledger *ledger, const struct plan *plan,
		       const struct ctd_addition *addition, struct ledger_account *account)
{
	const struct ctd_rollup_part *part = ctd_vendor_part(
		plan->rollup, (size_t)(addition->row - plan->rollup->rows), addition->type);

	if (account->vendor && part)
		ctd_vendor_sums_add(ledger->options.vendor, part, account->vendor);
}

static void add(struct ctd_ledger *ledger, struct plan *plan, struct ctd_addition *addition)
{
	const struct ctd_rollup_row *row = addition->row;
	struct ctd_placement *placement = &addition->placement;
	struct ledger_account *account = NULL;

	if (placement->member) {
		if (!ctd_member_is_of(placement->member, row->identity))
			ctd_placement_do(ledger, placement);
		placement->member->gone = row->identity && row->identity->removed;
		account = placement->member->account;
	}
	if (!account)
		account =
			ctd_account_fixed(ledger, plan->map.core_type[addition->type],
					  placement->member ? CTD_ACCOUNT_OTHER : fixed_kind(row));
	ctd_account_pairs_note(&plan->pairs, (size_t)(row - plan->rollup->rows), addition,
			       &account->account);
	account->touched = plan->sequence;
	account->touched_elapsed_ns = ledger->newest.elapsed_ns;
	/* Here and not for all before: its figures are fetched from memory once. */
	if (account->rows_sequence != plan->sequence)
		begin(ledger, account);
	account->rows_sequence = plan->sequence;
	ctd_account_add_part(account, addition->part,
			     plan->rollup->plan->core_types[addition->type].model,
			     plan->map.node[addition->type]);
	add_vendor(ledger, plan, addition, account);
	if (row->throttling_known && account->account.who->kind != CTD_ACCOUNT_OTHER &&
	    is_first_part(addition))
		ctd_account_add_throttling(account, &row->throttling);
	if (row->above_bytes) {
		ctd_waited_limits_note(&plan->limits, account, addition);
	} else if (row->throttling_known && row->throttling.throttled) {
		/* It was stopped, and by its own limit alone. */
		account->account.above_limit_ns = 0;
		account->account.above_bytes = 0;
	}
}

static void finish(const struct ctd_ledger *ledger, const struct plan *plan,
		   struct ledger_account *account)
{
	/* It did not run in this interval, but in the one before. */
	if (account->rows && account->rows_sequence != plan->sequence)
		begin(ledger, account);
	for (int i = 0; i < plan->rollup->plan->core_types_count; i++) {
		if (account->rows > 1 && plan->map.core_type[i] == account->account.core_type)
			ctd_account_finish(account, &plan->rollup->plan->core_types[i],
					   plan->map.node[i]);
	}
}

static void finish_all(const struct ctd_ledger *ledger, const struct plan *plan)
{
	for (size_t i = 0; i < ledger->sorted_count; i++)
		finish(ledger, plan, ledger->sorted[i]);
	for (struct ledger_account *account = ledger->held; account; account = account->next)
		finish(ledger, plan, account);
}

static void take_header(struct ctd_ledger *ledger, struct plan *plan)
{
	const struct ctd_rollup *rollup = plan->rollup;
	struct ctd_ledger_view *newest = &ledger->newest;

	newest->sequence = plan->sequence;
	newest->realtime_ns = rollup->realtime_ns;
	newest->window_ns = rollup->window_ns;
	newest->scope = rollup->plan->scope;
	newest->simulated = rollup->plan->simulated;
	newest->model = rollup->plan->core_types_count == 1 ? rollup->plan->model : NULL;
	newest->level = rollup->plan->level;
	newest->groups_count = rollup->plan->groups_count;
	newest->ipc = rollup->plan->ipc;
	newest->cpus_online = rollup->cpus_online;
	newest->unattributed_ns = rollup->unattributed_ns;
	newest->health = rollup->health;
	/* Where one interval does not tell them apart, the totals are still by those of before. */
	if (rollup->caches.count)
		newest->caches = rollup->caches;
	snprintf(newest->source, sizeof(newest->source), "%s", rollup->plan->source);
	snprintf(newest->method, sizeof(newest->method), "%s", rollup->plan->method);
	snprintf(newest->hierarchy, sizeof(newest->hierarchy), "%s", rollup->plan->hierarchy);
	newest->elapsed_ns += rollup->window_ns;
	ledger->pairs_known |= rollup->waits != NULL;
	ctd_core_types_take(ledger, rollup, &plan->map);
}

static void add_totals(struct ctd_node_totals *totals, const struct ctd_rollup *rollup)
{
	const struct ctd_interval_health *health = &rollup->health;

	totals->unattributed_ns += rollup->unattributed_ns;
	totals->intervals++;
	for (int i = 0; i < CTD_HEALTH_COUNTERS; i++)
		totals->health[i] += health->count[i];
	if (!isnan(health->ns_per_switch))
		totals->bpf_ns += (uint64_t)(health->ns_per_switch *
					     (double)health->count[CTD_HEALTH_SWITCHES]);
}

/* Nothing fails here. */
static void carry_out(struct ctd_ledger *ledger, struct plan *plan)
{
	for (struct ctd_placement *at = plan->followed; at && at->member; at++)
		ctd_placement_do(ledger, at);
	take_header(ledger, plan);
	touch(ledger, plan);
	ctd_ended_drop(ledger);
	for (size_t i = 0; i < plan->count; i++)
		add(ledger, plan, &plan->additions[i]);
	finish_all(ledger, plan);
	ctd_vendor_evaluate_accounts(ledger);
	ctd_waited_limits_take(&plan->limits);
	ctd_account_pairs_take(&plan->pairs, &ledger->newest.pairs);
	ctd_members_end(ledger);
	/* Views name them by the accounts that are there now. */
	ctd_pair_totals_add(ledger, &plan->rollup->evicted_pairs);
	ctd_core_types_add_totals(&ledger->newest, plan->rollup, &plan->map);
	add_totals(&ledger->newest.totals, plan->rollup);
}

int ctd_ledger_add(struct ctd_ledger *ledger, const struct ctd_rollup *rollup)
{
	__attribute__((cleanup(plan_free))) struct plan plan = {
		.rollup = rollup, .sequence = ledger->newest.sequence + 1};
	int error;

	if (rollup->by != CTD_GROUP_CONTAINER || rollup->filtered || rollup->tree)
		return -EINVAL;
	error = ctd_plan_map_types(&ledger->newest, rollup->plan, &plan.map);
	if (!error)
		error = plan_make(ledger, &plan);
	if (!error)
		carry_out(ledger, &plan);
	return error;
}
