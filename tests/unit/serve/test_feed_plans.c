/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_feed_plans.c - while source, level and groups are replaced, totals only grow, and balance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "serve/feed.h"
#include "unit/ledger/book.h"

#define CGROUPS 3
#define ROWS (CGROUPS + 2) /* kernel threads and idle time, too */
#define ROUNDS 20

/* Leaders count slots, or cycles with several. */
static const struct plan {
	const char *source, *model;
	uint32_t counters, groups;
	uint64_t slots_per_count;
} plans[] = {
	{"sim", "sim", 5, 1, 1}, /* level 1 */
	{"sim", "sim", 9, 1, 1}, /* level 2 */
	{"zen", "zen4", 6, 4, 6}, /* groups that rotate */
	{"none", "", 0, 1, 0},
	{"sim", "sim", 5, 1, 1},
	{"zen", "zen4", 6, 1, 6}, /* the first group alone */
	{"perf_metrics", "golden_cove", 9, 1, 1},
};

struct node {
	struct ctd_identities *identities; /* owned */
	struct ctd_feed feed; /* owned */
	const struct ctd_ledger_view *view; /* owned */
	uint64_t random, sequence;
	uint32_t plan; /* number */
	/* Totals of the plan: programs that are loaded anew begin at 0. */
	struct ctd_snapshot_row rows[ROWS];
	struct ctd_snapshot_cpu cpu;
	uint64_t cpu_ns[ROWS], slots[ROWS], all_slots; /* what the ledger must come to */
};

static const struct plan *plan_of(const struct node *node)
{
	return &plans[node->plan % (sizeof(plans) / sizeof(*plans))];
}

static uint64_t random_below(struct node *node, uint64_t limit)
{
	node->random = node->random * 6364136223846793005 + 1442695040888963407;
	return (node->random >> 33) % limit;
}

/* All rows run for some time. A quarter of the slots is in each node of level 1. */
static void run(struct node *node, bool is_entered)
{
	const struct plan *plan = plan_of(node);

	for (size_t i = 0; i < ROWS; i++) {
		struct ctd_snapshot_row *row = &node->rows[i];
		uint64_t ns = 1 + random_below(node, 200000000);
		uint64_t leader = plan->counters ? 4 * random_below(node, 1000000000) : 0;

		row->oncpu_ns += ns;
		row->running_ns += plan->counters ? ns : 0;
		row->slices++;
		row->switches += 2;
		for (uint32_t k = 0; k < plan->counters; k++) {
			uint64_t count = !k ? leader : k < 5 ? leader / 4 : leader / 8;

			row->count[k] += count;
			node->cpu.attributed[k] += count;
			node->cpu.total[k] += count;
		}
		if (!is_entered)
			continue;
		node->cpu_ns[i] += ns;
		node->slots[i] += leader * plan->slots_per_count;
		node->all_slots += leader * plan->slots_per_count;
	}
	for (uint32_t k = 0; k < plan->counters; k++) {
		uint64_t unattributed = random_below(node, 5000), residual = random_below(node, 3);

		node->cpu.unattributed[k] += unattributed;
		node->cpu.total[k] += unattributed + residual;
		if (is_entered && !k)
			node->all_slots += (unattributed + residual) * plan->slots_per_count;
	}
}

static struct ctd_snapshot take(struct node *node, uint32_t group, bool is_in_between)
{
	const struct plan *plan = plan_of(node);
	struct ctd_snapshot snapshot = {
		.sequence = ++node->sequence,
		.realtime_ns = BEGIN_NS + node->sequence * SECOND_NS,
		.monotonic_ns = node->sequence * SECOND_NS,
		.counters_count = plan->counters,
		.groups_count = plan->groups,
		.group = group,
		.plan = node->plan,
		.in_between = is_in_between,
		.rows = malloc(sizeof(node->rows)),
		.rows_count = ROWS,
		.cpus = malloc(sizeof(node->cpu)),
		.cpus_count = 1,
	};

	assert_non_null(snapshot.rows);
	assert_non_null(snapshot.cpus);
	memcpy(snapshot.rows, node->rows, sizeof(node->rows));
	*snapshot.cpus = node->cpu;
	return snapshot;
}

static struct ctd_record_header header_of(const struct plan *plan)
{
	struct ctd_record_header header = {.hierarchy = "v2",
					   .core_types_count = 1,
					   .counters_count = plan->counters,
					   .groups_count = plan->groups};

	snprintf(header.source, sizeof(header.source), "%s", plan->source);
	snprintf(header.model, sizeof(header.model), "%s", plan->model);
	return header;
}

static void begin_totals(struct node *node)
{
	static const enum ctd_row_kind kinds[ROWS] = {[CGROUPS] = CTD_ROW_IDLE, CTD_ROW_KERNEL};

	node->cpu = (struct ctd_snapshot_cpu){.online = 1, .flushed = 1};
	for (size_t i = 0; i < ROWS; i++)
		node->rows[i] =
			(struct ctd_snapshot_row){.kind = i < CGROUPS ? CTD_ROW_CGROUP : kinds[i],
						  .cgroup_id = i < CGROUPS ? i + 1 : 0};
}

static void open_node(struct node *node)
{
	static const struct ctd_ledger_options options = {.accounts_max = 100};
	static const char *const paths[CGROUPS] = {"/a", "/b", "/c"};
	struct ctd_record_header header = header_of(&plans[0]);
	struct ctd_snapshot first;

	*node = (struct node){.random = 1};
	assert_int_equal(ctd_identities_new(&node->identities), 0);
	for (size_t i = 0; i < CGROUPS; i++) {
		assert_int_equal(ctd_identities_add(node->identities, i + 1, paths[i]), 0);
		ctd_identities_set_names(node->identities, i + 1, NULL, CTD_QOS_UNKNOWN, true);
	}
	begin_totals(node);
	run(node, false);
	first = take(node, 0, false);
	assert_int_equal(ctd_feed_open(&options, &header, (struct ctd_collect_groups){0},
				       node->identities, &first, &node->feed),
			 0);
}

static void close_node(struct node *node)
{
	ctd_ledger_view_release(node->view);
	ctd_feed_close(&node->feed);
	ctd_identities_free(node->identities);
}

static const struct ctd_account *find(const struct ctd_ledger_view *view, uint64_t id)
{
	for (size_t i = 0; i < view->accounts_count; i++)
		if (view->accounts[i].id == id)
			return &view->accounts[i];
	return NULL;
}

static void assert_grown(const struct ctd_ledger_view *before, const struct ctd_ledger_view *view)
{
	for (size_t i = 0; before && i < before->accounts_count; i++) {
		const struct ctd_account *old = &before->accounts[i], *now = find(view, old->id);
		const struct ctd_ledger_core_type *type = ctd_account_core_type(before, old);

		assert_non_null(now);
		assert_true(now->cpu_ns > old->cpu_ns);
		assert_true(now->counted_ns >= old->counted_ns);
		assert_true(now->slices > old->slices && now->switches > old->switches);
		assert_true(now->slots_known >= old->slots_known && now->slots >= old->slots);
		for (int node = 0; node < type->nodes_count; node++) {
			assert_string_equal(type->nodes[node].name,
					    view->core_types[0].nodes[node].name);
			assert_true(now->node_slots[node] >= old->node_slots[node]);
		}
	}
}

/* Each row's account has all that its row had in whole intervals, whatever counted it. */
static void assert_exact(const struct node *node)
{
	size_t found = 0;

	assert_int_equal(node->view->accounts_count, ROWS);
	for (size_t i = 0; i < ROWS; i++)
		for (size_t k = 0; k < ROWS; k++) {
			const struct ctd_account *account = &node->view->accounts[k];

			if (account->cpu_ns != node->cpu_ns[i])
				continue;
			assert_int_equal(account->slots, node->slots[i]);
			found++;
		}
	assert_int_equal(found, ROWS);
	assert_int_equal(node->view->totals.slots, node->all_slots);
	book_check_sums(node->view);
}

/* An interval, with a step of each group. */
static void pass_interval(struct node *node)
{
	const struct ctd_ledger_view *before = node->view;
	uint32_t groups = plan_of(node)->groups;

	for (uint32_t group = 0; group < groups; group++) {
		struct ctd_snapshot snapshot;

		run(node, true);
		snapshot = take(node, group, group + 1 < groups);
		node->view = ctd_feed_enter(&node->feed, &snapshot);
		assert_int_equal(node->view != NULL, group + 1 == groups);
	}
	assert_exact(node);
	assert_grown(before, node->view);
	ctd_ledger_view_release(before);
}

/* As ctd_collector_replace() does: the last snapshot of the old plan ends an interval, and the
 * first one of the new plan only begins one. What is counted between the two is in none. */
static void replace(struct node *node)
{
	struct ctd_record_header header;
	struct ctd_snapshot first;

	pass_interval(node);
	node->plan++;
	begin_totals(node);
	run(node, false);
	header = header_of(plan_of(node));
	first = take(node, 0, false);
	assert_int_equal(ctd_feed_replan(&node->feed, &header, (struct ctd_collect_groups){0}), 0);
	assert_null(ctd_feed_enter(&node->feed, &first));
	assert_false(node->feed.failing);
}

static void totals_only_grow_and_balance_while_counters_are_replaced(void **state)
{
	struct node node;

	(void)state;
	open_node(&node);
	for (int round = 0; round < ROUNDS; round++) {
		for (uint64_t i = random_below(&node, 4); i > 0; i--)
			pass_interval(&node);
		replace(&node);
	}
	pass_interval(&node);
	assert_true(node.plan > 2 * sizeof(plans) / sizeof(*plans));
	close_node(&node);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_only_grow_and_balance_while_counters_are_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
