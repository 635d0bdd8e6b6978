/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* add.c - adds a report: all that takes memory first, so that it is added as a whole or not. */
#include "ledger/ledger.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"

/* Where each row of a report goes. */
struct plan {
	struct ctd_placement *placements; /* owned; of rows of cgroups; member NULL: of no cgroup */
	size_t count;
	size_t *order; /* owned; in which rows are added; NULL: as they come */
};

static void plan_free(struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		ctd_placement_free(&plan->placements[i]);
	free(plan->placements);
	free(plan->order);
}

static bool is_cgroup(const struct ctd_report_row *row)
{
	return strcmp(row->kind, "container") == 0 || strcmp(row->kind, "cgroup") == 0;
}

static enum ctd_account_kind fixed_kind(const struct ctd_report_row *row)
{
	return strcmp(row->kind, "kernel") == 0 ? CTD_ACCOUNT_KERNEL
	       : strcmp(row->kind, "idle") == 0 ? CTD_ACCOUNT_IDLE
						: CTD_ACCOUNT_OTHER;
}

static struct ledger_member *find_member(const struct ctd_ledger *ledger, int core,
					 uint64_t cgroup_id)
{
	uintptr_t value;

	return ctd_idmap_get(&ledger->members[core], cgroup_id, &value)
		       ? (struct ledger_member *)value
		       : NULL;
}

static struct ledger_member *get_member(struct ctd_ledger *ledger, int core, uint64_t cgroup_id)
{
	struct ledger_member *member = find_member(ledger, core, cgroup_id);

	if (member)
		return member;
	member = calloc(1, sizeof(*member));
	if (!member)
		return NULL;
	member->cgroup_id = cgroup_id;
	member->core = core;
	if (ctd_idmap_set(&ledger->members[core], cgroup_id, (uintptr_t)member)) {
		free(member);
		return NULL;
	}
	return member;
}

static int plan_row(struct ctd_ledger *ledger, const struct ctd_report *report,
		    const struct ctd_report_row *row, struct ctd_placement *ret_placement)
{
	struct ctd_subject subject;
	struct ledger_member *member;

	if (!is_cgroup(row) || row->core_sum)
		return 0;
	/* One without an account, if the rest fails, is nothing that is seen. */
	member = get_member(ledger, ctd_row_core(report, row), row->cgroup_id);
	if (!member)
		return -ENOMEM;
	ret_placement->member = member;
	/* Most are what they were, and to compare all their names takes longer than to add them up.
	 */
	if (ctd_member_is_of(member, row->identity))
		return 0;
	ctd_subject_make(row->kind, row->name, row->identity, row->core ? row->core : "", &subject);
	return ctd_placement_make(ledger, member, &subject, ret_placement);
}

/* Might some get no place? */
static bool is_scarce(const struct ctd_ledger *ledger, const struct plan *plan)
{
	size_t places = ledger->places;

	for (size_t i = 0; i < plan->count; i++)
		places += plan->placements[i].spare != NULL;
	return places > ledger->options.accounts_max;
}

static int plan_make(struct ctd_ledger *ledger, const struct ctd_report *report, struct plan *plan)
{
	int error = 0;

	plan->placements = calloc(report->rows_count + 1, sizeof(*plan->placements));
	if (!plan->placements)
		return -ENOMEM;
	while (!error && plan->count < report->rows_count) {
		error = plan_row(ledger, report, &report->rows[plan->count],
				 &plan->placements[plan->count]);
		plan->count += !error;
	}
	/* The places that there are go to those that use most. */
	if (!error && is_scarce(ledger, plan))
		error = ctd_rows_by_cpu(report, &plan->order);
	return error;
}

/* Whatever has figures in this report is not at its end, though it may have been. */
static void touch(struct ctd_ledger *ledger, const struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct ctd_placement *placement = &plan->placements[i];
		struct ledger_account *next = ctd_placement_account(ledger, placement);

		if (placement->member && placement->member->account)
			placement->member->account->touched = ledger->newest.sequence;
		if (next)
			next->touched = ledger->newest.sequence;
	}
}

static void add_row(struct ctd_ledger *ledger, const struct ctd_report *report, size_t row,
		    struct ctd_placement *placement)
{
	const struct ctd_report_row *from = &report->rows[row];
	struct ledger_account *account = NULL;

	/* Its parts follow. */
	if (from->core_sum)
		return;
	if (placement->member) {
		if (!ctd_member_is_of(placement->member, from->identity))
			ctd_placement_do(ledger, placement);
		placement->member->seen = ledger->newest.sequence;
		placement->member->gone = from->identity && from->identity->removed;
		account = placement->member->account;
	}
	if (!account)
		account =
			ctd_account_fixed(ledger, ctd_row_core(report, from),
					  placement->member ? CTD_ACCOUNT_OTHER : fixed_kind(from));
	account->touched = ledger->newest.sequence;
	ctd_account_add_row(account, report, from);
}

static void each_account(struct ctd_ledger *ledger, const struct ctd_report *report,
			 void (*visit)(struct ledger_account *, const struct ctd_report *))
{
	for (size_t i = 0; i < ledger->sorted_count; i++)
		visit(ledger->sorted[i], report);
	for (struct ledger_account *account = ledger->held; account; account = account->next)
		visit(account, report);
}

static void begin(struct ledger_account *account, const struct ctd_report *report)
{
	(void)report;
	if (account->rows)
		ctd_account_begin(account);
}

static void take_header(struct ctd_ledger *ledger, const struct ctd_report *report)
{
	struct ctd_ledger_view *newest = &ledger->newest;

	newest->sequence++;
	newest->realtime_ns = report->realtime_ns;
	newest->window_ns = report->window_ns;
	newest->method = report->method;
	newest->scope = report->scope;
	newest->simulated = report->simulated;
	newest->model = report->cores_count == 1 ? report->model : NULL;
	newest->level = report->level;
	newest->groups_count = report->groups_count;
	newest->cpus_online = report->cpus_online;
	newest->health = report->health;
	snprintf(newest->source, sizeof(newest->source), "%s", report->source);
	snprintf(newest->hierarchy, sizeof(newest->hierarchy), "%s", report->hierarchy);
	ledger->elapsed_ns += report->window_ns;
	ledger->model = report->model;
	ctd_cores_take(ledger, report);
}

static void add_totals(struct ctd_node_totals *totals, const struct ctd_report *report)
{
	const struct ctd_interval_health *health = &report->health;

	totals->unattributed_ns += (uint64_t)llround(report->unattributed_cpu_s * 1e9);
	totals->intervals++;
	for (int i = 0; i < CTD_HEALTH_COUNTERS; i++)
		totals->health[i] += health->count[i];
	if (!isnan(health->ns_per_switch))
		totals->bpf_ns += (uint64_t)(health->ns_per_switch *
					     (double)health->count[CTD_HEALTH_SWITCHES]);
}

static bool is_fit(const struct ctd_ledger *ledger, const struct ctd_report *report)
{
	return report->by == CTD_GROUP_CONTAINER && !report->filtered && !report->tree &&
	       report->cores_count >= 1 && report->cores_count <= CTD_CORES_MAX &&
	       (!ledger->newest.sequence || (report->model == ledger->model &&
					     report->cores_count == ledger->newest.cores_count));
}

int ctd_ledger_add(struct ctd_ledger *ledger, const struct ctd_report *report)
{
	__attribute__((cleanup(plan_free))) struct plan plan = {0};
	int error;

	if (!is_fit(ledger, report))
		return -EINVAL;
	error = ctd_accounts_make_fixed(ledger, report);
	if (!error)
		error = plan_make(ledger, report, &plan);
	if (error)
		return error;
	/* Nothing fails from here on. */
	take_header(ledger, report);
	touch(ledger, &plan);
	ctd_ended_drop(ledger);
	each_account(ledger, report, begin);
	for (size_t i = 0; i < plan.count; i++) {
		size_t row = plan.order ? plan.order[i] : i;

		add_row(ledger, report, row, &plan.placements[row]);
	}
	each_account(ledger, report, ctd_account_finish);
	ctd_members_end(ledger);
	ctd_cores_add_totals(&ledger->newest, report);
	add_totals(&ledger->newest.totals, report);
	return 0;
}

static int follow_member(struct ctd_ledger *ledger, struct ledger_member *member,
			 const struct ctd_identities *identities)
{
	const struct ctd_identity *identity = ctd_identities_get(identities, member->cgroup_id);
	struct ctd_placement placement = {0};
	struct ctd_subject subject;
	int error;

	member->gone = !identity || identity->removed;
	/* The newest report had the names of those in it. */
	if (!identity || !member->account || member->seen == ledger->newest.sequence ||
	    ctd_member_is_of(member, identity))
		return 0;
	ctd_subject_make(identity->container_id[0] ? "container" : "cgroup", identity->path,
			 identity, ledger->newest.cores[member->core].name, &subject);
	error = ctd_placement_make(ledger, member, &subject, &placement);
	if (error)
		return error;
	ctd_placement_do(ledger, &placement);
	ctd_placement_free(&placement);
	return 0;
}

static int follow_core(struct ctd_ledger *ledger, int core, const struct ctd_identities *identities)
{
	uintptr_t value;
	size_t cursor = 0;
	uint64_t id;

	while (ctd_idmap_next(&ledger->members[core], &cursor, &id, &value)) {
		int error = follow_member(ledger, (struct ledger_member *)value, identities);

		if (error)
			return error;
	}
	return 0;
}

int ctd_ledger_follow(struct ctd_ledger *ledger, const struct ctd_identities *identities)
{
	int error = 0;

	for (int core = 0; core < CTD_CORES_MAX && !error; core++)
		error = follow_core(ledger, core, identities);
	return error;
}
