/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* accounts.c - subtracts the accounts of two views of the ledger, as samples of containers. */
#include "neighbour/accounts.h"

#include <string.h>

#include "base/hash.h"
#include "base/known.h"
#include "neighbour/detector.h"

/* Slots say something of a sample if they were counted in so much of its CPU time, and if so much
 * of them has a place in the tree. Ratios of some cores do not add up to 1. */
#define COUNTED_LEAST 0.5
#define PLACED_LEAST 0.75

/* One account from one view to the other. */
struct difference {
	const struct ctd_account *before, *after; /* `before` NULL: it was opened since */
	const struct ctd_ledger_core_type *type, *type_before; /* the latter NULL as `before` */
};

/* @return 0: by one at first and then by another. */
static uint64_t counted_by(const struct difference *difference)
{
	const struct ctd_ledger_core_type *type = difference->type;
	const struct ctd_ledger_core_type *before = difference->type_before;

	if (before && (before->level != type->level || strcmp(before->source, type->source) != 0))
		return 0;
	return ctd_hash(type->source, strlen(type->source)) ^
	       (uint64_t)type->level * UINT64_C(0x9e3779b97f4a7c15);
}

static uint64_t grown(uint64_t after, uint64_t before)
{
	return after > before ? after - before : 0;
}

static uint64_t slots_of_node(const struct difference *difference, int node)
{
	const struct ctd_account *before = difference->before;
	bool known = before && node < difference->type_before->nodes_count;

	if (!(difference->after->node_slots_known & 1u << node))
		return 0;
	return grown(difference->after->node_slots[node], known ? before->node_slots[node] : 0);
}

/* @return of the node with the role, whichever model has it; *ret_parent: above it, -1: none. */
static uint64_t slots_of_role(const struct difference *difference, enum ctd_node_role role,
			      int *ret_parent)
{
	uint64_t slots = 0;

	for (int i = 0; i < difference->type->nodes_count && !slots; i++) {
		if (difference->type->nodes[i].role != role)
			continue;
		slots = slots_of_node(difference, i);
		*ret_parent = difference->type->nodes[i].parent;
	}
	return slots;
}

/* Are so many slots, those of a node or with -1 all, divided into what is below? */
static bool is_divided(const struct difference *difference, int parent, uint64_t slots)
{
	uint64_t below = 0;

	for (int i = 0; i < difference->type->nodes_count; i++)
		if (difference->type->nodes[i].parent == parent)
			below += slots_of_node(difference, i);
	return slots && (double)below >= PLACED_LEAST * (double)slots;
}

static void take_slots(const struct difference *difference, struct ctd_neighbour_sample *sample)
{
	const struct ctd_account *before = difference->before, *after = difference->after;
	uint64_t counted_ns = grown(after->counted_ns, before ? before->counted_ns : 0), backend;
	int parent = -1;

	sample->slots = grown(after->slots, before ? before->slots : 0);
	if ((double)counted_ns < COUNTED_LEAST * (double)sample->cpu_ns ||
	    !is_divided(difference, -1, sample->slots))
		return;
	sample->known |= CTD_NEIGHBOUR_SLOTS;
	sample->counted_by = counted_by(difference);
	sample->retired_slots = slots_of_role(difference, CTD_ROLE_RETIRING, &parent);
	sample->frontend_slots = slots_of_role(difference, CTD_ROLE_FRONTEND_BOUND, &parent);
	if (sample->frontend_slots)
		sample->known |= CTD_NEIGHBOUR_FRONTEND;
	backend = slots_of_role(difference, CTD_ROLE_BACKEND_BOUND, &parent);
	sample->memory_slots = slots_of_role(difference, CTD_ROLE_MEMORY_BOUND, &parent);
	if (sample->memory_slots && parent >= 0 &&
	    is_divided(difference, parent, slots_of_node(difference, parent))) {
		sample->known |= CTD_NEIGHBOUR_MEMORY;
		return;
	}
	sample->memory_slots = backend;
	if (backend)
		sample->known |= CTD_NEIGHBOUR_BACKEND;
}

static void take_waits(const struct difference *difference, struct ctd_neighbour_sample *sample)
{
	static const struct ctd_waits none;
	struct ctd_waits waits;

	if (!difference->after->waits_known ||
	    !ctd_waits_subtract(&difference->after->waits,
				difference->before ? &difference->before->waits : &none, &waits))
		return;
	sample->known |= CTD_NEIGHBOUR_WAITS;
	sample->waits = (struct ctd_neighbour_waits){
		.count = ctd_waits_count(&waits),
		.wait_ns = ctd_waits_ns(&waits),
		.own_ns = waits.ns[CTD_WAIT_OWN],
		.other_ns = waits.ns[CTD_WAIT_OTHER],
		.kernel_ns = waits.ns[CTD_WAIT_KERNEL],
		.idle_ns = waits.ns[CTD_WAIT_IDLE],
		.throttled_ns = waits.ns[CTD_WAIT_THROTTLED],
		.unknown_ns = waits.ns[CTD_WAIT_UNKNOWN],
		.short_ns = waits.ns[CTD_WAIT_SHORT],
	};
}

static void take_siblings(const struct difference *difference, struct ctd_neighbour_sample *sample)
{
	static const struct ctd_beside none;
	const struct ctd_beside *after = &difference->after->smt;
	const struct ctd_beside *before = difference->before ? &difference->before->smt : &none;

	if (!after->slots_known || !(sample->known & CTD_NEIGHBOUR_SLOTS))
		return;
	sample->known |= CTD_NEIGHBOUR_SIBLINGS;
	for (int i = 0; i < CTD_SIBLINGS; i++)
		sample->siblings[i] = (struct ctd_neighbour_sibling){
			.cpu_ns = grown(after->parts[i].counted_ns, before->parts[i].counted_ns),
			.retired_slots = grown(after->parts[i].retired_slots,
					       before->parts[i].retired_slots),
		};
}

/* Where the caches are others than those of the earlier view, parts cannot be compared. */
static void take_caches(const struct difference *difference,
			const struct ctd_ledger_view *before_view,
			const struct ctd_ledger_view *after_view,
			struct ctd_neighbour_sample *sample)
{
	const uint64_t *after = difference->after->cache_ns;
	const uint64_t *before = difference->before ? difference->before->cache_ns : NULL;
	uint32_t parts = ctd_caches_parts(&after_view->caches);

	if (!after || (before && !ctd_caches_are_same(&before_view->caches, &after_view->caches)))
		return;
	sample->known |= CTD_NEIGHBOUR_CACHES;
	for (uint32_t i = 0; i < parts; i++)
		sample->cache_ns[i] = grown(after[i], before ? before[i] : 0);
}

/* Of an account that has been opened since, all. */
static void take_throttling(const struct difference *difference,
			    struct ctd_neighbour_sample *sample)
{
	static const struct ctd_throttling none;
	const struct ctd_throttling *after = &difference->after->throttling;
	const struct ctd_throttling *before =
		difference->before ? &difference->before->throttling : &none;

	/* The newest container of an account may be another one than that which waited. */
	if (sample->waits.throttled_ns &&
	    ctd_cgroup_is_above(sample->names.cgroup, difference->after->above_bytes)) {
		sample->throttling.above_bytes = difference->after->above_bytes;
		sample->throttling.above_limit_cpus =
			(double)difference->after->above_limit_ns / 1e9;
	}
	if (!difference->after->throttling_known)
		return;
	sample->known |= CTD_NEIGHBOUR_THROTTLING;
	sample->throttling.periods = grown(after->periods, before->periods);
	sample->throttling.throttled = grown(after->throttled, before->throttled);
	sample->throttling.throttled_ns = grown(after->throttled_ns, before->throttled_ns);
	sample->throttling.limit_cpus = (double)after->limit_ns / 1e9;
}

static struct ctd_neighbour_names names_of(const struct ctd_account_who *who)
{
	return (struct ctd_neighbour_names){
		.key = who->key_text,
		.namespace_name = ctd_known(who->namespace_name),
		.pod = ctd_known(who->pod),
		.container = ctd_known(who->container),
		.container_id = ctd_known(who->container_id),
		.cgroup = ctd_known(who->kind == CTD_ACCOUNT_CGROUP ? who->cgroup : who->path),
	};
}

static int compare(const struct ctd_account *a, const struct ctd_account *b)
{
	return a->who->kind != b->who->kind ? (int)a->who->kind - (int)b->who->kind
					    : strcmp(a->who->key_text, b->who->key_text);
}

/* Has it anything of before the first view that is not in that one? Then it was held, or took
 * another one's totals over. */
static bool is_older(const struct ctd_account *after, const struct ctd_account *before,
		     const struct ctd_ledger_view *first, uint64_t most_ns)
{
	return (!before && after->begun_ns < first->realtime_ns) ||
	       after->cpu_ns - (before ? before->cpu_ns : 0) > most_ns;
}

size_t ctd_samples_of_accounts(const struct ctd_ledger_view *before,
			       const struct ctd_ledger_view *after,
			       struct ctd_neighbour_sample *ret_samples)
{
	/* Twice what there is, as slices that began before the window are in it. */
	uint64_t most_ns = 2 * (after->realtime_ns - before->realtime_ns) * after->cpus_online;
	/* What was not counted for a part of the time is not known. */
	bool has_waits = ctd_budget_measured(&before->health.budget, &after->health.budget,
					     CTD_BUDGET_WAITS);
	size_t count = 0;

	for (size_t i = 0, j = 0; i < after->accounts_count; i++) {
		const struct ctd_account *account = &after->accounts[i], *old = NULL;
		struct difference difference = {.after = account};
		struct ctd_neighbour_sample *sample = &ret_samples[count];

		while (j < before->accounts_count && compare(&before->accounts[j], account) < 0)
			j++;
		if (j < before->accounts_count && compare(&before->accounts[j], account) == 0)
			old = &before->accounts[j];
		/* Another one of the same key begins anew. */
		if (old && (old->begun_ns != account->begun_ns || old->cpu_ns > account->cpu_ns))
			old = NULL;
		if ((account->who->kind != CTD_ACCOUNT_CONTAINER &&
		     account->who->kind != CTD_ACCOUNT_CGROUP) ||
		    is_older(account, old, before, most_ns))
			continue;
		difference.before = old;
		difference.type = ctd_account_core_type(after, account);
		difference.type_before = old ? ctd_account_core_type(before, old) : NULL;
		*sample = (struct ctd_neighbour_sample){
			.names = names_of(account->who),
			.domain = (uint32_t)account->core_type,
			.cpu_ns = account->cpu_ns - (old ? old->cpu_ns : 0),
		};
		if (sample->cpu_ns)
			take_slots(&difference, sample);
		if (has_waits) {
			take_waits(&difference, sample);
			take_throttling(&difference, sample);
			take_siblings(&difference, sample);
			take_caches(&difference, before, after, sample);
		}
		count += sample->cpu_ns || sample->waits.wait_ns;
	}
	return count;
}
