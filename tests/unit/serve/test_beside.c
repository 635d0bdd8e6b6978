/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_beside.c - groups that rotate with the tree's are entered apart, each count where it
 * belongs. */
#include "unit/vendor/counted.h"

#include <errno.h>
#include <stdlib.h>

#include "serve/feed.h"

#define MS 1000000ull
#define STEP_MS 100
#define CGROUPS 3
/* Of a cgroup in a step. */
#define SLOTS 24000000ull
/* More than the tree has, as groups of others may be wider. */
#define WIDTH CTD_COUNTERS_MAX

static const struct ctd_record_header header = {
	.source = "sim", .model = "sim", .hierarchy = "v2", .counters_count = 9, .groups_count = 1};

/* A CPU on which each cgroup has a third of the time, in all steps alike. */
struct node {
	struct ctd_identities *identities; /* owned */
	struct ctd_feed feed; /* owned */
	struct ctd_snapshot_row rows[CGROUPS];
	struct ctd_snapshot_cpu cpu;
	uint64_t sequence;
	/* What `entered` got last. */
	uint64_t entered, groups, counters, slots, cpu_ns;
};

static struct ctd_snapshot take(struct node *node, uint32_t group, uint32_t groups, bool in_between)
{
	struct ctd_snapshot snapshot = {
		.sequence = ++node->sequence,
		.realtime_ns = node->sequence * STEP_MS * MS,
		.monotonic_ns = node->sequence * STEP_MS * MS,
		.counters_count = groups > 1 ? WIDTH : header.counters_count,
		.groups_count = groups,
		.group = group,
		.in_between = in_between,
		.rows = malloc(sizeof(node->rows)),
		.rows_count = CGROUPS,
		.cpus = malloc(sizeof(node->cpu)),
		.cpus_count = 1,
	};

	assert_non_null(snapshot.rows);
	assert_non_null(snapshot.cpus);
	memcpy(snapshot.rows, node->rows, sizeof(node->rows));
	*snapshot.cpus = node->cpu;
	return snapshot;
}

/* A step of a group: of the tree's each cgroup has so many slots, of others as many cycles, and of
 * each other event a hundredth of that times its place. */
static void step(struct node *node, uint32_t group)
{
	for (size_t i = 0; i < CGROUPS; i++) {
		struct ctd_snapshot_row *row = &node->rows[i];

		row->oncpu_ns += STEP_MS * MS / CGROUPS;
		row->running_ns += STEP_MS * MS / CGROUPS;
		row->slices++;
		row->switches++;
		for (uint64_t k = 0; k < WIDTH; k++) {
			uint64_t count = group	  ? k ? SLOTS / 100 * k : SLOTS
					 : k == 0 ? SLOTS
					 : k < 5  ? SLOTS / 4
					 : k < 9  ? SLOTS / 8
						  : 0;

			row->count[k] += count;
			node->cpu.attributed[k] += count;
			node->cpu.total[k] += count;
		}
	}
}

static void note(const struct ctd_interval *interval, void *context)
{
	struct node *node = context;

	node->entered++;
	node->groups = interval->groups_count;
	node->counters = interval->counters_count;
	node->slots = node->cpu_ns = 0;
	for (size_t i = 0; i < interval->rows_count; i++) {
		node->slots += interval->rows[i].raw[0];
		node->cpu_ns += interval->rows[i].oncpu_ns;
	}
}

static const struct ctd_collect_groups none = {.all = 1}, foreign = {.all = 3, .beside = 2},
				       alike = {.all = 3, .beside = 2, .beside_slots = true};

static void open_node(struct node *node, bool with_vendor, struct ctd_collect_groups groups)
{
	const struct ctd_ledger_options options = {.accounts_max = 10,
						   .vendor = with_vendor ? &counting : NULL};
	static const char *const paths[CGROUPS] = {"/a", "/b", "/c"};
	struct ctd_snapshot first;

	*node = (struct node){.cpu = {.online = 1, .flushed = 1}};
	add_two_groups();
	assert_int_equal(ctd_identities_new(&node->identities), 0);
	for (size_t i = 0; i < CGROUPS; i++) {
		node->rows[i] =
			(struct ctd_snapshot_row){.kind = CTD_ROW_CGROUP, .cgroup_id = i + 1};
		assert_int_equal(ctd_identities_add(node->identities, i + 1, paths[i]), 0);
		ctd_identities_set_names(node->identities, i + 1, NULL, CTD_QOS_UNKNOWN, true);
	}
	first = take(node, 0, 3, false);
	assert_int_equal(
		ctd_feed_open(&options, &header, groups, node->identities, &first, &node->feed), 0);
	node->feed.entered = note;
	node->feed.context = node;
}

static void close_node(struct node *node)
{
	ctd_feed_close(&node->feed);
	ctd_identities_free(node->identities);
}

static const struct ctd_ledger_view *end_step(struct node *node, uint32_t group, bool last)
{
	struct ctd_snapshot snapshot;

	step(node, group);
	snapshot = take(node, group, 3, !last);
	return ctd_feed_enter(&node->feed, &snapshot);
}

static void each_count_is_where_it_belongs(void **state)
{
	const struct ctd_ledger_view *view;
	int events, e5;
	struct node node;

	(void)state;
	open_node(&node, true, foreign);
	events = counting.rotation.events_count;
	e5 = place_of(counting.metrics[find("second")].group, "E5");
	assert_null(end_step(&node, 0, false));
	assert_null(end_step(&node, 1, false));
	assert_null(end_step(&node, 0, false));
	view = end_step(&node, 2, true);
	assert_non_null(view);
	assert_int_equal(view->accounts_count, CGROUPS);
	assert_int_equal(view->totals.slots, 2 * CGROUPS * SLOTS);
	assert_int_equal(view->totals.residual_slots, 0);
	assert_int_equal(view->groups_count, 1);
	for (size_t i = 0; i < CGROUPS; i++) {
		const struct ctd_account *account = &view->accounts[i];

		assert_int_equal(account->cpu_ns, 4 * (STEP_MS * MS / CGROUPS));
		assert_int_equal(account->counted_ns, 2 * (STEP_MS * MS / CGROUPS));
		assert_int_equal(account->slots, 2 * SLOTS);
		assert_int_equal(account->vendor.group_ns[0], STEP_MS * MS / CGROUPS);
		assert_int_equal(account->vendor.group_ns[1], STEP_MS * MS / CGROUPS);
		assert_int_equal(account->vendor.count[0], SLOTS);
		assert_int_equal(account->vendor.count[events], SLOTS);
		assert_int_equal(account->vendor.count[e5], SLOTS / 100 * (uint64_t)(e5 % events));
		assert_true(isfinite(account->vendor.values[find("first")].value));
	}
	/* Others get what they would have got without these groups, of a part of the time. */
	assert_int_equal(node.entered, 1);
	assert_int_equal(node.groups, 1);
	assert_int_equal(node.counters, 9);
	assert_int_equal(node.slots, 2 * CGROUPS * SLOTS);
	assert_int_equal(node.cpu_ns, 4 * CGROUPS * (STEP_MS * MS / CGROUPS));
	ctd_ledger_view_release(view);
	close_node(&node);
}

/* An interval may be too short for all. */
static void a_group_without_a_turn_has_no_values(void **state)
{
	const struct ctd_ledger_view *view;
	struct node node;
	int first;

	(void)state;
	open_node(&node, true, foreign);
	first = counting.metrics[find("first")].group;
	ctd_ledger_view_release(end_step(&node, 0, true));
	view = end_step(&node, (uint32_t)(1 + first), true);
	assert_true(isfinite(view->accounts[0].vendor.values[find("first")].value));
	assert_true(isnan(view->accounts[0].vendor.values[find("second")].value));
	assert_int_equal(view->accounts[0].vendor.group_ns[!first], 0);
	/* Nor has the tree any of this interval. */
	assert_int_equal(view->accounts[0].slots, SLOTS);
	assert_false(view->accounts[0].recent.slots_known);
	ctd_ledger_view_release(view);
	close_node(&node);
}

/* As where a CPU must not be disturbed, or for the time that another source counts. */
static void a_plan_may_have_no_groups_beside_its_own(void **state)
{
	const struct ctd_ledger_view *view;
	struct ctd_snapshot snapshot;
	struct node node;

	(void)state;
	open_node(&node, true, alike);
	ctd_ledger_view_release(end_step(&node, 1, true));
	assert_int_equal(ctd_feed_replan(&node.feed, &header, none), 0);
	snapshot = take(&node, 0, 1, false);
	snapshot.plan = 1;
	assert_null(ctd_feed_enter(&node.feed, &snapshot));
	step(&node, 0);
	snapshot = take(&node, 0, 1, false);
	snapshot.plan = 1;
	view = ctd_feed_enter(&node.feed, &snapshot);
	assert_int_equal(view->accounts[0].vendor.count[0], SLOTS);
	assert_int_equal(view->accounts[0].vendor.recent_ns[0], 0);
	assert_true(isnan(view->accounts[0].vendor.values[find("first")].value));
	assert_int_equal(view->accounts[0].slots, 2 * SLOTS);
	ctd_ledger_view_release(view);
	close_node(&node);
}

/* As where a formula needs no counts of its own of them: leaders are slots on both sides. */
static void slots_of_all_steps_are_in_the_balance_where_leaders_are_alike(void **state)
{
	const struct ctd_ledger_view *view;
	struct node node;

	(void)state;
	open_node(&node, true, alike);
	end_step(&node, 0, false);
	end_step(&node, 1, false);
	end_step(&node, 0, false);
	view = end_step(&node, 2, true);
	assert_int_equal(view->totals.slots, 4 * CGROUPS * SLOTS);
	assert_int_equal(view->totals.residual_slots, 0);
	assert_int_equal(view->state, CTD_PMU_LIVE);
	for (size_t i = 0; i < CGROUPS; i++) {
		const struct ctd_account *account = &view->accounts[i];

		assert_int_equal(account->counted_ns, account->cpu_ns);
		assert_int_equal(account->slots, 4 * SLOTS);
		/* By the ratios of the tree's steps. */
		assert_int_equal(account->node_slots[0], SLOTS);
		assert_int_equal(account->node_slots[0] + account->node_slots[1] +
					 account->node_slots[2] + account->node_slots[3],
				 4 * SLOTS);
		assert_int_equal(account->vendor.count[0], SLOTS);
	}
	/* Others get what the tree's groups counted. */
	assert_int_equal(node.slots, 2 * CGROUPS * SLOTS);
	ctd_ledger_view_release(view);
	/* It ran, and it was not the tree's turn: nobody knows where its slots went. */
	view = end_step(&node, 1, true);
	assert_int_equal(view->accounts[0].slots, 5 * SLOTS);
	assert_int_equal(view->accounts[0].node_slots[0], SLOTS);
	assert_int_equal(view->totals.slots, 5 * CGROUPS * SLOTS);
	assert_int_equal(view->state, CTD_PMU_LIVE);
	ctd_ledger_view_release(view);
	close_node(&node);
}

/* A step in which another program has the counters of the tree. */
static const struct ctd_ledger_view *starve(struct node *node)
{
	struct ctd_snapshot snapshot;

	for (size_t i = 0; i < CGROUPS; i++) {
		node->rows[i].oncpu_ns += STEP_MS * MS / CGROUPS;
		node->rows[i].slices++;
		node->rows[i].switches++;
	}
	snapshot = take(node, 0, 3, true);
	return ctd_feed_enter(&node->feed, &snapshot);
}

static void a_tree_that_starves_is_told_whatever_others_count(void **state)
{
	const struct ctd_ledger_view *view;
	struct node node;

	(void)state;
	open_node(&node, true, alike);
	end_step(&node, 0, false);
	view = end_step(&node, 1, true);
	assert_int_equal(view->state, CTD_PMU_LIVE);
	ctd_ledger_view_release(view);
	assert_null(starve(&node));
	view = end_step(&node, 1, true);
	assert_int_equal(view->state, CTD_PMU_STARVED);
	assert_true(isfinite(view->accounts[0]
				     .vendor
				     .values[counting.metrics[find("first")].group ? find("second")
										   : find("first")]
				     .value));
	ctd_ledger_view_release(view);
	close_node(&node);
}

static void without_metrics_there_is_no_plan_for_them(void **state)
{
	const struct ctd_ledger_view *view;
	struct ctd_snapshot snapshot;
	struct node node;

	(void)state;
	open_node(&node, false, none);
	assert_null(node.feed.beside);
	snapshot = take(&node, 0, 1, false);
	snapshot.plan = 1;
	assert_int_equal(ctd_feed_replan(&node.feed, &header, none), 0);
	assert_null(ctd_feed_enter(&node.feed, &snapshot));
	step(&node, 0);
	snapshot = take(&node, 0, 1, false);
	snapshot.plan = 1;
	view = ctd_feed_enter(&node.feed, &snapshot);
	assert_null(view->vendor);
	assert_int_equal(view->totals.slots, CGROUPS * SLOTS);
	ctd_ledger_view_release(view);
	close_node(&node);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, new_table, free_table)
	const struct CMUnitTest tests[] = {
		TEST(each_count_is_where_it_belongs),
		TEST(slots_of_all_steps_are_in_the_balance_where_leaders_are_alike),
		TEST(a_tree_that_starves_is_told_whatever_others_count),
		TEST(a_group_without_a_turn_has_no_values),
		TEST(a_plan_may_have_no_groups_beside_its_own),
		TEST(without_metrics_there_is_no_plan_for_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
