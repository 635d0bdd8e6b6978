/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* view.c - the ledger at one instant, for readers that take longer than the collector waits. */
#include "ledger/ledger.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The memory of one view that is not held any more, for the next one: of 10,000 accounts it is 9
 * MB, and fresh pages of it take longer than what is written to them. */
struct ctd_view_pool {
	atomic_size_t references; /* by the ledger and by views */
	_Atomic(struct view *) spare;
};

struct view {
	struct ctd_ledger_view view;
	atomic_size_t references;
	struct ctd_view_pool *pool; /* one reference */
	size_t bytes; /* of its memory */
	/* Those in the view, then held ones. Behind them the arrays of each account: values and
	 * slots by node, time by cache, vendors' metrics. */
	struct ctd_account accounts[];
};

struct ctd_view_pool *ctd_view_pool_new(void)
{
	struct ctd_view_pool *pool = calloc(1, sizeof(*pool));

	if (pool)
		atomic_init(&pool->references, 1);
	return pool;
}

void ctd_view_pool_release(struct ctd_view_pool *pool)
{
	if (!pool || atomic_fetch_sub_explicit(&pool->references, 1, memory_order_acq_rel) != 1)
		return;
	free(atomic_load(&pool->spare));
	free(pool);
}

/* A view without a reference, from the pool or new. @return NULL without memory. */
static struct view *get_view(struct ctd_view_pool *pool, size_t bytes)
{
	struct view *view = atomic_exchange(&pool->spare, NULL);
	size_t room = bytes + bytes / 8;

	if (view && view->bytes >= bytes && view->bytes / 4 <= room)
		return view;
	free(view);
	view = malloc(room);
	if (view)
		view->bytes = room;
	return view;
}

static struct view *view_of(const struct ctd_ledger_view *view)
{
	return (struct view *)((char *)view - offsetof(struct view, view));
}

static void add_held(struct ctd_ledger_view *view)
{
	for (size_t i = 0; i < view->held_count; i++) {
		const struct ctd_account *account = &view->held[i];
		struct ctd_core_totals *type = &view->core_types[account->core_type].totals;

		type->held_slots += account->slots;
		type->held_ns += account->cpu_ns;
	}
	view->totals.held = view->held_count;
}

/* In the ledger there are those of core types only. */
static void add_node_totals(struct ctd_ledger_view *view)
{
	struct ctd_node_totals *node = &view->totals;

	for (int i = 0; i < view->core_types_count; i++) {
		const struct ctd_core_totals *type = &view->core_types[i].totals;

		node->slots_known |= type->slots_known;
		node->slots += type->slots;
		node->unattributed_slots += type->unattributed_slots;
		node->residual_slots += type->residual_slots;
		node->fetched_slots += type->fetched_slots;
		node->fetched_ns += type->fetched_ns;
		node->held_slots += type->held_slots;
		node->held_ns += type->held_ns;
	}
}

/* The most nodes that any core type has. */
static size_t nodes_count(const struct ctd_ledger_view *view)
{
	int most = 0;

	for (int i = 0; i < view->core_types_count; i++) {
		if (view->core_types[i].nodes_count > most)
			most = view->core_types[i].nodes_count;
	}
	return (size_t)most;
}

/* Arrays with a place for each account. */
struct arrays {
	size_t nodes, caches; /* of each account */
	struct ctd_value *values;
	uint64_t *slots, *cache_ns;
	/* Vendors' metrics, of vendor_bytes each; the first are the fetched ones'. NULL: none. */
	const struct ctd_vendor_counting *counting;
	char *vendor;
	size_t vendor_bytes;
};

static void copy_account(const struct ledger_account *from, size_t place,
			 const struct arrays *arrays, struct ctd_account *to)
{
	struct ctd_value *values = arrays->values + place * arrays->nodes;
	uint64_t *slots = arrays->slots + place * arrays->nodes;
	uint64_t *cache_ns = arrays->cache_ns + place * arrays->caches;

	*to = from->account;
	ctd_who_hold(to->who);
	ctd_account_functions_hold(to->functions);
	to->node_slots = slots;
	to->recent.values = values;
	to->cache_ns = arrays->caches ? cache_ns : NULL;
	memcpy(slots, from->node_slots, arrays->nodes * sizeof(*slots));
	memcpy(values, from->recent, arrays->nodes * sizeof(*values));
	memcpy(cache_ns, from->cache_ns, arrays->caches * sizeof(*cache_ns));
	if (arrays->counting)
		to->vendor =
			ctd_vendor_sums_copy(arrays->counting, from->vendor,
					     arrays->vendor + (place + 1) * arrays->vendor_bytes);
}

static void copy_accounts(const struct ctd_ledger *ledger, size_t count, struct view *view)
{
	struct arrays arrays = {.nodes = nodes_count(&ledger->newest),
				.caches = ctd_caches_parts(&ledger->newest.caches),
				.values = (struct ctd_value *)&view->accounts[count],
				.counting = ledger->options.vendor,
				.vendor_bytes = ctd_vendor_view_bytes(ledger->options.vendor)};
	size_t at = 0;

	arrays.slots = (uint64_t *)&arrays.values[count * arrays.nodes];
	arrays.cache_ns = &arrays.slots[count * arrays.nodes];
	arrays.vendor = (char *)(arrays.cache_ns + count * arrays.caches);
	if (arrays.counting)
		view->view.vendor_fetched = ctd_vendor_sums_copy(
			arrays.counting, ledger->vendor_fetched, arrays.vendor);
	for (; at < ledger->sorted_count; at++)
		copy_account(ledger->sorted[at], at, &arrays, &view->accounts[at]);
	for (const struct ledger_account *held = ledger->held; held; held = held->next, at++)
		copy_account(held, at, &arrays, &view->accounts[at]);
	view->view.accounts = view->accounts;
	view->view.accounts_count = ledger->sorted_count;
	view->view.held = &view->accounts[ledger->sorted_count];
	view->view.held_count = at - ledger->sorted_count;
}

/* Behind all else. */
static void copy_pairs(const struct ctd_pairs *from, void *to, struct ctd_ledger_view *view)
{
	view->pairs = (struct ctd_pairs){to, from->count};
	if (from->count)
		memcpy(to, from->items, from->count * sizeof(*from->items));
}

/* With held ones. */
static size_t count_accounts(const struct ctd_ledger *ledger)
{
	size_t count = ledger->sorted_count;

	for (const struct ledger_account *held = ledger->held; held; held = held->next)
		count++;
	return count;
}

int ctd_ledger_view(const struct ctd_ledger *ledger, const struct ctd_ledger_view **ret_view)
{
	size_t each = sizeof(struct ctd_account) +
		      nodes_count(&ledger->newest) * (sizeof(uint64_t) + sizeof(struct ctd_value)) +
		      ctd_caches_parts(&ledger->newest.caches) * sizeof(uint64_t);
	size_t vendor = ctd_vendor_view_bytes(ledger->options.vendor);
	size_t count = count_accounts(ledger);
	/* Vendors' metrics also of fetched ones. */
	size_t bytes = sizeof(struct view) + count * (each + vendor) + vendor;
	const struct ctd_pairs *pairs = &ledger->newest.pairs;
	size_t pairs_bytes = pairs->count * sizeof(*pairs->items);
	size_t totals_count = ctd_pair_totals_count(ledger);
	struct view *view = get_view(
		ledger->pool, bytes + pairs_bytes + totals_count * sizeof(struct ctd_pair_total));
	struct ctd_pair_total *totals;

	if (!view)
		return -ENOMEM;
	view->pool = ledger->pool;
	atomic_fetch_add_explicit(&view->pool->references, 1, memory_order_relaxed);
	view->view = ledger->newest;
	atomic_init(&view->references, 1);
	copy_accounts(ledger, count, view);
	copy_pairs(pairs, (char *)view + bytes, &view->view);
	totals = (void *)((char *)view + bytes + pairs_bytes);
	ctd_pair_totals_copy(ledger, totals);
	view->view.pair_totals = totals;
	view->view.pair_totals_count = totals_count;
	add_held(&view->view);
	add_node_totals(&view->view);
	*ret_view = &view->view;
	return 0;
}

const struct ctd_ledger_view *ctd_ledger_view_hold(const struct ctd_ledger_view *view)
{
	/* Relaxed is enough: the caller already holds a reference. */
	atomic_fetch_add_explicit(&view_of(view)->references, 1, memory_order_relaxed);
	return view;
}

void ctd_ledger_view_release(const struct ctd_ledger_view *view)
{
	struct ctd_view_pool *pool;
	struct view *own;

	if (!view)
		return;
	own = view_of(view);
	if (atomic_fetch_sub_explicit(&own->references, 1, memory_order_acq_rel) != 1)
		return;
	for (size_t i = 0; i < view->accounts_count + view->held_count; i++) {
		ctd_who_release(own->accounts[i].who);
		ctd_account_functions_release(own->accounts[i].functions);
	}
	pool = own->pool;
	free(atomic_exchange(&pool->spare, own));
	ctd_view_pool_release(pool);
}
