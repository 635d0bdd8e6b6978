/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_rollups.c - rollups as they are really made: of groups in rotation, scaled, and with gaps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/ledger/book.h"
#include "unit/rollup/scene.h"

extern const struct ctd_cpu_model ctd_cpu_zen4;

#define ROUNDS 200

struct node {
	struct scene scene;
	struct book book;
	uint64_t random;
};

static uint64_t random_below(struct node *node, uint64_t end)
{
	node->random = node->random * 6364136223846793005u + 1442695040888963407u;
	return (node->random >> 33) % end;
}

/* Counts that need not fit each other, but for those of the leader. */
static void count(struct node *node, struct ctd_interval_row *row)
{
	uint32_t counters = node->scene.interval.counters_count;

	for (uint32_t group = 0; group < node->scene.interval.groups_count; group++) {
		uint64_t leader = 2000000 + random_below(node, 1000000000);

		for (uint32_t i = 0; i < counters; i++)
			row->count[group * counters + i] = i ? random_below(node, leader) : leader;
		row->group_ns[group] = row->oncpu_ns / node->scene.interval.groups_count;
		row->count_ns[group] = row->group_ns[group];
	}
}

static void run(struct node *node, enum ctd_row_kind kind, uint64_t id)
{
	static const enum ctd_quality qualities[] = {CTD_OK, CTD_SCALED, CTD_LOW_CONFIDENCE,
						     CTD_NO_DATA};
	struct ctd_interval_row *row =
		scene_run(&node->scene, kind, id, 1 + random_below(node, 500), .5);

	memset(row->count, 0, SCENE_COUNTS_BYTES);
	row->quality = qualities[random_below(node, 4)];
	if (row->quality != CTD_NO_DATA)
		count(node, row);
	memcpy(row->raw, row->count, SCENE_COUNTS_BYTES);
}

static void one_interval(struct node *node)
{
	struct scene *scene = &node->scene;

	scene->interval.rows_count = 0;
	for (uint64_t id = 4; id <= 9; id++) {
		if (random_below(node, 3))
			run(node, CTD_ROW_CGROUP, id);
	}
	run(node, CTD_ROW_IDLE, 0);
	run(node, CTD_ROW_KERNEL, 0);
	for (uint32_t group = 0; group < scene->interval.groups_count; group++) {
		uint32_t leader = group * scene->interval.counters_count;

		scene->interval.totals[0].unattributed[leader] = random_below(node, 5000);
		scene->interval.totals[0].residual[leader] = -(int64_t)random_below(node, 3);
	}
}

/* Their slots are a part of the account's: of level 1, or of the node above. */
static void check_parts(const struct ctd_ledger_view *view, const struct ctd_account *account)
{
	const struct ctd_ledger_core_type *type = ctd_account_core_type(view, account);
	uint64_t level1 = 0;

	for (int i = 0; i < type->nodes_count; i++) {
		assert_true(account->node_slots[i] <= account->slots);
		assert_true(account->node_slots_known & 1u << i || !account->node_slots[i]);
		if (type->nodes[i].level == 1)
			level1 += account->node_slots[i];
	}
	if (type->model == &ctd_cpu_sim)
		assert_true(level1 <= account->slots);
}

static void add_many(const struct ctd_cpu_model *model, uint32_t counters, uint32_t groups)
{
	struct node node = {.random = counters};

	scene_begin(&node.scene);
	book_open(&node.book, (struct ctd_ledger_options){.accounts_max = 100});
	scene_name(&node.scene, 4, SCENE_POD "/" SCENE_ID_A);
	scene_name(&node.scene, 5, SCENE_POD "/" SCENE_ID_A "/init");
	scene_name(&node.scene, 6, SCENE_POD "/" SCENE_ID_B);
	scene_name(&node.scene, 7, "/system.slice/a.service");
	scene_name(&node.scene, 8, "/system.slice/a.service/worker");
	node.scene.rollup_options.by = CTD_GROUP_CONTAINER;
	snprintf(node.scene.header.model, sizeof(node.scene.header.model), "%s", model->name);
	node.scene.interval.counters_count = counters;
	node.scene.interval.groups_count = groups;
	for (int round = 0; round < ROUNDS; round++) {
		struct ctd_rollup rollup;

		one_interval(&node);
		rollup = scene_rollup(&node.scene);
		assert_int_equal(ctd_ledger_add(node.book.ledger, &rollup), 0);
		node.book.slots += rollup.totals[0].slots;
		ctd_rollup_free(&rollup);
		ctd_ledger_view_release(node.book.view);
		assert_int_equal(ctd_ledger_view(node.book.ledger, &node.book.view), 0);
		assert_int_equal(node.book.view->totals.slots, node.book.slots);
		book_check_sums(node.book.view);
		for (size_t i = 0; i < node.book.view->accounts_count; i++)
			check_parts(node.book.view, &node.book.view->accounts[i]);
	}
	/* Two containers, two cgroups or one unit, an unknown one, kernel, idle. */
	assert_in_range(node.book.view->accounts_count, 6, 7);
	assert_true(node.book.slots > 0);
	book_close(&node.book);
	scene_end(&node.scene);
}

static void one_group_adds_up_to_the_node(void **state)
{
	(void)state;
	add_many(&ctd_cpu_sim, 9, 1);
}

static void four_groups_in_rotation_add_up_to_the_node(void **state)
{
	(void)state;
	add_many(&ctd_cpu_zen4, 6, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_group_adds_up_to_the_node),
		cmocka_unit_test(four_groups_in_rotation_add_up_to_the_node),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
