/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* figures.c - the figures of metric families that are more than one number at one place. */
#include <stddef.h>

#include "export/families.h"

bool ctd_has_slots(const struct subject *subject)
{
	return subject->account->slots_known;
}

bool ctd_has_counters(const struct subject *subject)
{
	return ctd_account_core_type(subject->view, subject->account)->nodes_count > 0;
}

/* Its totals stand still: nobody is to take that for none. They go on when it is back. */
static bool gave_up(const struct subject *subject, enum ctd_budget_part part)
{
	return ctd_budget_gave_up(&subject->view->health.budget, part);
}

bool ctd_has_ipc(const struct subject *subject)
{
	return subject->account->ipc.known && !gave_up(subject, CTD_BUDGET_GENERAL);
}

bool ctd_has_waits(const struct subject *subject)
{
	return subject->account->waits_known && !gave_up(subject, CTD_BUDGET_WAITS);
}

bool ctd_has_smt(const struct subject *subject)
{
	return subject->account->smt.known && !gave_up(subject, CTD_BUDGET_WAITS);
}

bool ctd_has_smt_slots(const struct subject *subject)
{
	return subject->account->smt.slots_known && !gave_up(subject, CTD_BUDGET_WAITS);
}

bool ctd_has_start(const struct subject *subject)
{
	return subject->account->who->started_ns;
}

bool ctd_is_container(const struct subject *subject)
{
	return subject->account->who->kind == CTD_ACCOUNT_CONTAINER ||
	       subject->account->who->kind == CTD_ACCOUNT_SANDBOX;
}

bool ctd_has_core_slots(const struct subject *subject)
{
	return subject->core->totals.slots_known;
}

bool ctd_is_simulated(const struct subject *subject)
{
	return subject->view->simulated;
}

bool ctd_has_kubelet(const struct subject *subject)
{
	return subject->self->kubelet;
}

bool ctd_has_otlp(const struct subject *subject)
{
	return subject->self->otlp;
}

bool ctd_has_kubernetes_events(const struct subject *subject)
{
	return subject->self->kubernetes_events;
}

bool ctd_has_history(const struct subject *subject)
{
	return subject->self->history;
}

bool ctd_has_profiles(const struct subject *subject)
{
	return subject->self->profiles;
}

bool ctd_has_neighbours(const struct subject *subject)
{
	return subject->self->neighbours;
}

static int points_of_level(const struct subject *subject, int level, struct point *points)
{
	const struct ctd_account *account = subject->account;
	const struct ctd_ledger_core_type *type = ctd_account_core_type(subject->view, account);
	int count = 0;

	for (int i = 0; i < type->nodes_count; i++) {
		if (type->nodes[i].level != level || !(account->node_slots_known & 1u << i))
			continue;
		points[count].figure = account->node_slots[i];
		points[count++].values[0] = type->nodes[i].name;
	}
	return count;
}

int ctd_points_level1(const struct family *family, const struct subject *subject,
		      struct point points[FAMILY_POINTS_MAX])
{
	(void)family;
	return points_of_level(subject, 1, points);
}

int ctd_points_level2(const struct family *family, const struct subject *subject,
		      struct point points[FAMILY_POINTS_MAX])
{
	(void)family;
	return gave_up(subject, CTD_BUDGET_LEVEL) ? 0 : points_of_level(subject, 2, points);
}

/* One of the counts of the IPC group: those that the model has come first. */
int ctd_points_ipc(const struct family *family, const struct subject *subject,
		   struct point points[FAMILY_POINTS_MAX])
{
	const struct ctd_account *account = subject->account;
	size_t which = (family->offset - offsetof(struct ctd_account, ipc.count)) /
		       sizeof(account->ipc.count[0]);

	if (!ctd_has_ipc(subject) || account->ipc.known <= (int)which)
		return 0;
	points[0].figure = account->ipc.count[which];
	points[0].values[0] = which == CTD_IPC_CACHE_MISSES
				      ? ctd_account_core_type(subject->view, account)->cache
				      : NULL;
	return 1;
}

int ctd_points_waits(const struct family *family, const struct subject *subject,
		     struct point points[FAMILY_POINTS_MAX])
{
	(void)family;
	for (int cause = 0; cause < CTD_WAIT_CAUSES; cause++)
		points[cause] = (struct point){subject->account->waits.ns[cause],
					       {ctd_wait_cause_name((enum ctd_wait_cause)cause)}};
	return CTD_WAIT_CAUSES;
}

int ctd_points_waits_count(const struct family *family, const struct subject *subject,
			   struct point points[FAMILY_POINTS_MAX])
{
	(void)family;
	points[0].figure = ctd_waits_count(&subject->account->waits);
	return 1;
}

int ctd_points_preemptions(const struct family *family, const struct subject *subject,
			   struct point points[FAMILY_POINTS_MAX])
{
	const struct ctd_waits *waits = &subject->account->waits;

	(void)family;
	points[0] = (struct point){waits->preempted_by_other, {"suffered"}};
	points[1] = (struct point){waits->preempted_others, {"done"}};
	points[2] = (struct point){waits->preempted - waits->preempted_by_other, {"within"}};
	return 3;
}

/* @p member: of struct ctd_beside_part. */
static int points_of_smt(const struct subject *subject, size_t member, struct point *points)
{
	for (int i = 0; i < CTD_SIBLINGS; i++) {
		const char *part = (const char *)&subject->account->smt.parts[i];

		points[i] = (struct point){*(const uint64_t *)(part + member),
					   {ctd_sibling_name((enum ctd_sibling)i)}};
	}
	return CTD_SIBLINGS;
}

int ctd_points_smt(const struct family *family, const struct subject *subject,
		   struct point points[FAMILY_POINTS_MAX])
{
	(void)family;
	return points_of_smt(subject, offsetof(struct ctd_beside_part, cpu_ns), points);
}

int ctd_points_smt_slots(const struct family *family, const struct subject *subject,
			 struct point points[FAMILY_POINTS_MAX])
{
	(void)family;
	return points_of_smt(subject, offsetof(struct ctd_beside_part, slots), points);
}

int ctd_points_smt_retired(const struct family *family, const struct subject *subject,
			   struct point points[FAMILY_POINTS_MAX])
{
	(void)family;
	return points_of_smt(subject, offsetof(struct ctd_beside_part, retired_slots), points);
}

int ctd_points_container(const struct family *family, const struct subject *subject,
			 struct point points[FAMILY_POINTS_MAX])
{
	const struct ctd_account_who *who = subject->account->who;

	(void)family;
	points[0] = (struct point){1,
				   {who->container_id, who->pod_uid, who->runtime, who->image,
				    who->qos, who->owner_kind, who->owner_name, who->path}};
	return 1;
}

int ctd_points_start(const struct family *family, const struct subject *subject,
		     struct point points[FAMILY_POINTS_MAX])
{
	(void)family;
	points[0].figure = subject->account->who->started_ns;
	return 1;
}

int ctd_points_state(const struct family *family, const struct subject *subject,
		     struct point points[FAMILY_POINTS_MAX])
{
	(void)family;
	for (int i = 0; i < CTD_PMU_STATES; i++)
		points[i] = (struct point){subject->core->state == (enum ctd_pmu_state)i,
					   {ctd_pmu_state_name((enum ctd_pmu_state)i)}};
	return CTD_PMU_STATES;
}

bool ctd_has_budget(const struct subject *subject)
{
	return subject->view->health.budget.limit_ppm;
}

bool ctd_has_budget_cost(const struct subject *subject)
{
	return ctd_has_budget(subject) && subject->view->health.budget.capacity_ns;
}

int ctd_points_budget_limit(const struct family *family, const struct subject *subject,
			    struct point points[FAMILY_POINTS_MAX])
{
	(void)family;
	points[0] = (struct point){1000 * subject->view->health.budget.limit_ppm, {NULL}};
	return 1;
}

int ctd_points_budget_cost(const struct family *family, const struct subject *subject,
			   struct point points[FAMILY_POINTS_MAX])
{
	const struct ctd_budget_state *state = &subject->view->health.budget;

	(void)family;
	points[0] = (struct point){
		(uint64_t)(1e9 * (double)state->cost_ns / (double)state->capacity_ns), {NULL}};
	return 1;
}

int ctd_points_given_up(const struct family *family, const struct subject *subject,
			struct point points[FAMILY_POINTS_MAX])
{
	const struct ctd_budget_state *state = &subject->view->health.budget;

	(void)family;
	for (int part = 0; part < CTD_BUDGET_PARTS; part++)
		points[part] = (struct point){ctd_budget_gave_up(state, part),
					      {ctd_budget_part_name(part)}};
	return CTD_BUDGET_PARTS;
}

int ctd_points_budget_changes(const struct family *family, const struct subject *subject,
			      struct point points[FAMILY_POINTS_MAX])
{
	(void)family;
	for (int part = 0; part < CTD_BUDGET_PARTS; part++)
		points[part] = (struct point){subject->view->health.budget.changes[part],
					      {ctd_budget_part_name(part)}};
	return CTD_BUDGET_PARTS;
}

int ctd_points_source(const struct family *family, const struct subject *subject,
		      struct point points[FAMILY_POINTS_MAX])
{
	static const char *const levels[] = {"0", "1", "2", "3", "4"};
	const struct ctd_ledger_view *view = subject->view;
	const struct ctd_ledger_core_type *core = subject->core;
	bool alone = view->core_types_count == 1;

	(void)family;
	points[0] = (struct point){
		1,
		{alone ? view->source : core->source, alone ? view->method : core->source,
		 alone ? view->scope : core->scope, levels[alone ? view->level : core->level],
		 core->model ? core->model->name : NULL, view->simulated ? "true" : "false",
		 view->hierarchy}};
	return 1;
}

int ctd_points_build(const struct family *family, const struct subject *subject,
		     struct point points[FAMILY_POINTS_MAX])
{
	(void)family;
	points[0] = (struct point){1, {subject->self->version}};
	return 1;
}

int ctd_points_names(const struct family *family, const struct subject *subject,
		     struct point points[FAMILY_POINTS_MAX])
{
	(void)family;
	points[0] = (struct point){subject->self->names_waiting, {"waiting"}};
	return 1;
}

int ctd_points_requests(const struct family *family, const struct subject *subject,
			struct point points[FAMILY_POINTS_MAX])
{
	const struct ctd_self *self = subject->self;

	(void)family;
	points[0] = (struct point){self->otlp_sent, {"sent"}};
	points[1] = (struct point){self->otlp_failed, {"failed"}};
	points[2] = (struct point){self->otlp_dropped, {"dropped"}};
	return 3;
}

int ctd_points_kubernetes_events(const struct family *family, const struct subject *subject,
				 struct point points[FAMILY_POINTS_MAX])
{
	const struct ctd_self *self = subject->self;

	(void)family;
	points[0] = (struct point){self->kubernetes_events_sent, {"sent"}};
	points[1] = (struct point){self->kubernetes_events_failed, {"failed"}};
	points[2] = (struct point){self->kubernetes_events_dropped, {"dropped"}};
	return 3;
}

int ctd_points_refusals(const struct family *family, const struct subject *subject,
			struct point points[FAMILY_POINTS_MAX])
{
	static const char *const reasons[CTD_REFUSALS] = {
		[CTD_REFUSED_CROWDED] = "crowded",
		[CTD_REFUSED_DISPLACED] = "displaced",
		[CTD_REFUSED_UNAUTHORIZED] = "unauthorized",
		[CTD_REFUSED_NAME] = "name",
	};

	(void)family;
	for (int i = 0; i < CTD_REFUSALS; i++)
		points[i] = (struct point){subject->self->http_refusals[i], {reasons[i]}};
	return CTD_REFUSALS;
}
