/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_core_types.c - accounts of machines with several core types: each has its own totals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/ledger/book.h"
#include "unit/rollup/hybrid.h"

#define ROUNDS 400
#define WEB "kind=\"container\",namespace=\"shop\",pod=\"cart-0\",container=\"web\""

struct node {
	struct scene scene;
	struct book book;
	uint64_t slots[CTD_CORE_TYPES_MAX];
	uint64_t random;
};

static uint64_t random_below(struct node *node, uint64_t end)
{
	node->random = node->random * 6364136223846793005u + 1442695040888963407u;
	return (node->random >> 33) % end;
}

static void node_open(struct node *node, struct ctd_ledger_options options)
{
	*node = (struct node){.random = 1};
	hybrid_begin(&node->scene);
	node->scene.rollup_options.by = CTD_GROUP_CONTAINER;
	node->scene.interval.health.l1_sum_over_slots = (struct ctd_value){1, CTD_OK};
	node->scene.interval.rows_count = 0;
	book_open(&node->book, options);
}

static void node_close(struct node *node)
{
	book_close(&node->book);
	scene_end(&node->scene);
}

static void check_core(const struct ctd_ledger_view *view, const struct ctd_ledger_core_type *core,
		       uint64_t slots)
{
	const struct ctd_core_totals *totals = &core->totals;
	uint64_t sum = totals->fetched_slots + totals->held_slots + totals->unattributed_slots +
		       (uint64_t)totals->residual_slots;

	for (size_t i = 0; i < view->accounts_count; i++) {
		const struct ctd_account *account = &view->accounts[i];

		if (strcmp(account->who->core, core->name) != 0)
			continue;
		assert_ptr_equal(ctd_account_core_type(view, account), core);
		sum += account->slots;
	}
	assert_int_equal(totals->slots, slots);
	assert_int_equal(sum, slots);
}

/* Whatever happens, each core type's totals are right, and so are those of all. */
static const struct ctd_ledger_view *node_add(struct node *node)
{
	struct book *book = &node->book;
	struct ctd_rollup rollup;
	uint64_t slots = 0;

	node->scene.interval.realtime_ns += SECOND_NS;
	rollup = scene_rollup(&node->scene);
	assert_int_equal(ctd_ledger_add(book->ledger, &rollup), 0);
	for (int type = 0; type < rollup.plan->core_types_count; type++)
		node->slots[type] +=
			rollup.totals[type].slots_known ? rollup.totals[type].slots : 0;
	ctd_rollup_free(&rollup);
	ctd_ledger_view_release(book->view);
	assert_int_equal(ctd_ledger_view(book->ledger, &book->view), 0);
	assert_int_equal(book->view->core_types_count, 3);
	for (int core = 0; core < 3; core++) {
		check_core(book->view, &book->view->core_types[core], node->slots[core]);
		slots += node->slots[core];
	}
	assert_int_equal(book->view->totals.slots, slots);
	book_check_sums(book->view);
	node->scene.interval.rows_count = 0;
	return book->view;
}

static void each_kind_of_cores_has_accounts_and_models_of_its_own(void **state)
{
	static const struct {
		const char *key;
		uint64_t slots; /* 0: not known */
		int retiring_in_ten, ms;
	} wanted[] = {
		{WEB ",core=\"E-core\"", 200 * 15000000ull, 1, 200},
		{WEB ",core=\"P-core\"", 400 * 18000000ull, 5, 400},
		{"kind=\"cgroup\",cgroup=\"/e\",core=\"E-core\"", 700 * 15000000ull, 1, 700},
		{"kind=\"cgroup\",cgroup=\"/e\",core=\"other\"", 0, 0, 100},
		{"kind=\"idle\",core=\"E-core\"", 1100 * 15000000ull, 1, 1100},
		{"kind=\"idle\",core=\"P-core\"", 100 * 18000000ull, 5, 100},
	};
	const struct ctd_ledger_view *view = NULL;
	struct node node;

	(void)state;
	node_open(&node, (struct ctd_ledger_options){.accounts_max = 100});
	scene_name(&node.scene, 6, SCENE_POD "/" SCENE_ID_A);
	scene_describe(&node.scene, 6, "shop", "cart-0", "web");
	for (int i = 0; i < 2; i++) {
		hybrid_run(&node.scene, CTD_ROW_CGROUP, 4, HYBRID_E, 700);
		hybrid_run(&node.scene, CTD_ROW_CGROUP, 4, HYBRID_OTHER, 100);
		hybrid_run(&node.scene, CTD_ROW_CGROUP, 6, HYBRID_P, 400);
		hybrid_run(&node.scene, CTD_ROW_CGROUP, 6, HYBRID_E, 200);
		hybrid_run(&node.scene, CTD_ROW_IDLE, 0, HYBRID_P, 100);
		hybrid_run(&node.scene, CTD_ROW_IDLE, 0, HYBRID_E, 1100);
		view = node_add(&node);
	}
	assert_int_equal(view->accounts_count, sizeof(wanted) / sizeof(*wanted));
	for (size_t i = 0; i < view->accounts_count; i++) {
		const struct ctd_account *account = &view->accounts[i];

		assert_string_equal(account->who->key_text, wanted[i].key);
		assert_int_equal(account->cpu_ns, 2000000ull * (uint64_t)wanted[i].ms);
		assert_int_equal(account->slots_known, wanted[i].slots != 0);
		assert_int_equal(account->slots, 2 * wanted[i].slots);
		assert_int_equal(account->counted_ns, wanted[i].slots ? account->cpu_ns : 0);
		const struct ctd_ledger_core_type *type = ctd_account_core_type(view, account);

		for (int node_at = 0; node_at < type->nodes_count; node_at++) {
			if (type->nodes[node_at].role != CTD_ROLE_RETIRING)
				continue;
			assert_int_equal(account->node_slots_known >> node_at & 1, 1);
			assert_int_equal(account->node_slots[node_at],
					 account->slots / 10 * (uint64_t)wanted[i].retiring_in_ten);
		}
	}
	assert_int_equal(view->accounts[0].who->key_shared_bytes, strlen(WEB));
	assert_int_equal(view->totals.residual_slots, 2 * (6 - 30));
	assert_int_equal(view->core_types[HYBRID_P].totals.residual_slots, 2 * 6);
	assert_int_equal(view->core_types[HYBRID_E].totals.residual_slots, 2 * -30);
	node_close(&node);
}

static const char *dominant_of(const struct node *node, const struct ctd_account *account)
{
	return ctd_account_core_type(node->book.view, account)->nodes[account->recent.dominant].name;
}

static void what_holds_up_a_row_is_told_by_its_own_model(void **state)
{
	const struct ctd_account *account;
	struct node node;

	(void)state;
	node_open(&node, (struct ctd_ledger_options){.accounts_max = 100});
	hybrid_run(&node.scene, CTD_ROW_CGROUP, 2, HYBRID_P, 400);
	hybrid_run(&node.scene, CTD_ROW_CGROUP, 2, HYBRID_E, 200);
	node_add(&node);
	account = book_find(&node.book, "kind=\"cgroup\",cgroup=\"/both\",core=\"E-core\"");
	assert_non_null(account);
	assert_string_equal(dominant_of(&node, account), "frontend_bound");
	account = book_find(&node.book, "kind=\"cgroup\",cgroup=\"/both\",core=\"P-core\"");
	assert_non_null(account);
	assert_string_equal(dominant_of(&node, account), "backend_bound");
	node_close(&node);
}

/* A container on two kinds of cores is restarted; one of its accounts waits for it on each. */
static void a_restarted_container_goes_on_on_each_kind_of_cores(void **state)
{
	const struct ctd_ledger_view *view;
	struct node node;

	(void)state;
	node_open(&node,
		  (struct ctd_ledger_options){.accounts_max = 100, .linger_ns = 300 * SECOND_NS});
	scene_name(&node.scene, 6, SCENE_POD "/" SCENE_ID_A);
	scene_describe(&node.scene, 6, "shop", "cart-0", "web");
	hybrid_run(&node.scene, CTD_ROW_CGROUP, 6, HYBRID_P, 10);
	hybrid_run(&node.scene, CTD_ROW_CGROUP, 6, HYBRID_E, 20);
	node_add(&node);
	ctd_identities_remove(node.scene.identities, 6);
	node_add(&node);
	view = node_add(&node);
	assert_int_equal(view->accounts_count, 2);
	assert_true(view->accounts[0].ended && view->accounts[1].ended);
	scene_name(&node.scene, 7, SCENE_POD "/" SCENE_ID_B);
	scene_describe(&node.scene, 7, "shop", "cart-0", "web");
	hybrid_run(&node.scene, CTD_ROW_CGROUP, 7, HYBRID_E, 5);
	view = node_add(&node);
	assert_int_equal(view->accounts_count, 2);
	assert_false(view->accounts[0].ended);
	assert_int_equal(view->accounts[0].slots, 25 * 15000000);
	assert_true(view->accounts[1].ended);
	/* What was fetched goes, from the totals of its kind. */
	ctd_ledger_acknowledge(node.book.ledger, view->sequence);
	hybrid_run(&node.scene, CTD_ROW_CGROUP, 7, HYBRID_E, 5);
	view = node_add(&node);
	assert_int_equal(view->accounts_count, 1);
	assert_int_equal(view->core_types[HYBRID_P].totals.fetched_slots, 10 * 18000000);
	assert_int_equal(view->core_types[HYBRID_P].totals.fetched_ns, 10000000);
	assert_int_equal(view->core_types[HYBRID_E].totals.fetched_slots, 0);
	node_close(&node);
}

static void what_is_over_the_limit_is_other_of_its_kind(void **state)
{
	const struct ctd_account *other;
	const struct ctd_ledger_view *view;
	struct node node;

	(void)state;
	node_open(&node, (struct ctd_ledger_options){.accounts_max = 3});
	hybrid_run(&node.scene, CTD_ROW_CGROUP, 2, HYBRID_P, 400);
	hybrid_run(&node.scene, CTD_ROW_CGROUP, 2, HYBRID_E, 300);
	hybrid_run(&node.scene, CTD_ROW_CGROUP, 3, HYBRID_P, 200);
	hybrid_run(&node.scene, CTD_ROW_CGROUP, 3, HYBRID_E, 100);
	hybrid_run(&node.scene, CTD_ROW_CGROUP, 4, HYBRID_P, 50);
	hybrid_run(&node.scene, CTD_ROW_CGROUP, 4, HYBRID_E, 25);
	view = node_add(&node);
	assert_int_equal(view->totals.folded, 3);
	assert_int_equal(view->accounts_count, 5);
	other = book_find(&node.book, "kind=\"other\",core=\"P-core\"");
	assert_non_null(other);
	assert_int_equal(other->slots, 50 * 18000000);
	other = book_find(&node.book, "kind=\"other\",core=\"E-core\"");
	assert_non_null(other);
	assert_int_equal(other->slots, 125 * 15000000);
	node_close(&node);
}

static void run_somewhere(struct node *node, enum ctd_row_kind kind, uint64_t id)
{
	for (uint32_t core = HYBRID_P; core <= HYBRID_OTHER; core++) {
		struct ctd_interval_row *row;

		if (random_below(node, 2))
			continue;
		hybrid_run(&node->scene, kind, id, core, 1 + random_below(node, 300));
		row = &node->scene.rows[node->scene.interval.rows_count - 1];
		for (int i = 0; core != HYBRID_OTHER && i < 2; i++)
			row->count[i] += random_below(node, 100);
		if (random_below(node, 5) == 0)
			row->quality = CTD_NO_DATA;
	}
}

/* Containers come, share names, are named late, end, are fetched or not, and do not all fit. */
static void nothing_is_lost_or_counted_twice_on_any_kind_of_cores(void **state)
{
	static const char *const ids[] = {SCENE_ID_A, SCENE_ID_B};
	uint64_t ids_there[8] = {0}; /* 0: none */
	struct node node;

	(void)state;
	node_open(&node, (struct ctd_ledger_options){.accounts_max = 9,
						     .settle_ns = 3 * SECOND_NS,
						     .linger_ns = 20 * SECOND_NS});
	for (uint64_t round = 0; round < ROUNDS; round++) {
		uint64_t which = random_below(&node, 8), id = ids_there[which];
		char path[256];

		snprintf(path, sizeof(path), "/%d/%s", (int)which, ids[which % 2]);
		if (id && random_below(&node, 3) == 0) {
			ctd_identities_remove(node.scene.identities, id);
			ids_there[which] = 0;
		} else if (!id) {
			scene_name(&node.scene, 100 + round, path);
			ids_there[which] = 100 + round;
		} else {
			scene_describe(&node.scene, id, "shop", "cart-0", which % 3 ? "a" : "b");
		}
		for (uint64_t i = 0; i < 8; i++) {
			if (ids_there[i])
				run_somewhere(&node, CTD_ROW_CGROUP, ids_there[i]);
		}
		run_somewhere(&node, CTD_ROW_IDLE, 0);
		run_somewhere(&node, CTD_ROW_KERNEL, 0);
		node_add(&node);
		if (random_below(&node, 4) == 0)
			ctd_ledger_acknowledge(node.book.ledger, node.book.view->sequence);
	}
	assert_true(node.book.view->totals.folded > 0);
	assert_true(node.book.view->core_types[HYBRID_P].totals.fetched_slots > 0);
	assert_true(node.book.view->core_types[HYBRID_E].totals.fetched_slots > 0);
	node_close(&node);
}

/* The last group of a kind's own; leaders differ, and so does where cycles are. */
static void run_ipc(struct node *node, uint32_t core, const uint64_t *count, size_t bytes)
{
	struct ctd_interval_row *row;

	hybrid_run(&node->scene, CTD_ROW_CGROUP, 2, core, 400);
	row = &node->scene.rows[node->scene.interval.rows_count - 1];
	row->group_ns[0] = row->count_ns[0] = row->oncpu_ns / 2;
	row->group_ns[1] = row->count_ns[1] = row->oncpu_ns / 2;
	memcpy(&row->count[node->scene.interval.counters_count], count, bytes);
}

static void each_kind_of_cores_has_its_own_cycles_and_instructions(void **state)
{
	static const uint64_t of_p[] = {6000000000, 1000000000, 2000000000, 30, 40};
	static const uint64_t of_e[] = {500000000, 250000000, 10, 20};
	const struct ctd_ledger_view *view;
	struct node node;

	(void)state;
	node_open(&node, (struct ctd_ledger_options){.accounts_max = 100});
	node.scene.header.ipc = 1;
	node.scene.header.groups_count = node.scene.interval.groups_count = 2;
	for (int core = HYBRID_P; core <= HYBRID_E; core++) {
		node.scene.header.core_types[core].ipc = 1;
		node.scene.header.core_types[core].groups_count = 2;
	}
	run_ipc(&node, HYBRID_P, of_p, sizeof(of_p));
	run_ipc(&node, HYBRID_E, of_e, sizeof(of_e));
	hybrid_run(&node.scene, CTD_ROW_CGROUP, 2, HYBRID_OTHER, 10);
	view = node_add(&node);
	assert_int_equal(view->accounts_count, 3);
	for (int i = 0; i < 2; i++) {
		const struct ctd_ipc_counts *ipc = &view->accounts[i].ipc;

		assert_int_equal(ipc->known, CTD_IPC_COUNTS);
		assert_memory_equal(ipc->count, i == 0 ? of_e : of_p + 1, sizeof(ipc->count));
		assert_int_equal(ipc->counted_ns, 200000000);
		assert_int_equal(view->accounts[i].counted_ns, 400000000);
	}
	assert_int_equal(view->accounts[2].ipc.known, 0);
	/* Those of both groups, in the slots of each. */
	assert_int_equal(view->accounts[1].slots, 400 * 18000000ull + 6000000000);
	assert_int_equal(view->accounts[0].slots, 400 * 15000000ull + 5 * 500000000ull);
	node_close(&node);
}

static void each_kind_of_cores_has_a_state(void **state)
{
	const struct ctd_ledger_view *view;
	struct node node;

	(void)state;
	node_open(&node, (struct ctd_ledger_options){.accounts_max = 100});
	hybrid_run(&node.scene, CTD_ROW_CGROUP, 2, HYBRID_P, 400);
	hybrid_run(&node.scene, CTD_ROW_CGROUP, 2, HYBRID_E, 200);
	hybrid_run(&node.scene, CTD_ROW_CGROUP, 2, HYBRID_OTHER, 200);
	view = node_add(&node);
	assert_int_equal(view->core_types[HYBRID_P].state, CTD_PMU_LIVE);
	assert_int_equal(view->core_types[HYBRID_E].state, CTD_PMU_LIVE);
	assert_int_equal(view->core_types[HYBRID_OTHER].state, CTD_PMU_ABSENT);
	assert_int_equal(view->state, CTD_PMU_LIVE);
	/* Somebody takes those of the E-cores. */
	hybrid_run(&node.scene, CTD_ROW_CGROUP, 2, HYBRID_P, 400);
	hybrid_run(&node.scene, CTD_ROW_CGROUP, 2, HYBRID_E, 200);
	node.scene.rows[1].running_ns = node.scene.rows[1].group_ns[0] = 0;
	node.scene.rows[1].quality = CTD_NO_DATA;
	view = node_add(&node);
	assert_int_equal(view->core_types[HYBRID_P].state, CTD_PMU_LIVE);
	assert_int_equal(view->core_types[HYBRID_E].state, CTD_PMU_STARVED);
	assert_int_equal(view->state, CTD_PMU_STARVED);
	/* On the PMU of the E-cores nothing is counted. */
	hybrid_run(&node.scene, CTD_ROW_CGROUP, 2, HYBRID_P, 400);
	hybrid_run(&node.scene, CTD_ROW_CGROUP, 2, HYBRID_E, 200);
	node.scene.interval.totals[HYBRID_E].empty_ns = 100000000;
	view = node_add(&node);
	assert_int_equal(view->core_types[HYBRID_P].state, CTD_PMU_LIVE);
	assert_int_equal(view->core_types[HYBRID_E].state, CTD_PMU_IMPLAUSIBLE);
	assert_int_equal(view->state, CTD_PMU_IMPLAUSIBLE);
	assert_ptr_equal(view->core_types[HYBRID_P].model, &ctd_cpu_golden_cove);
	assert_ptr_equal(view->core_types[HYBRID_E].model, &ctd_cpu_gracemont);
	assert_null(view->core_types[HYBRID_OTHER].model);
	assert_null(view->model);
	node_close(&node);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_cores_has_accounts_and_models_of_its_own),
		cmocka_unit_test(what_holds_up_a_row_is_told_by_its_own_model),
		cmocka_unit_test(a_restarted_container_goes_on_on_each_kind_of_cores),
		cmocka_unit_test(what_is_over_the_limit_is_other_of_its_kind),
		cmocka_unit_test(nothing_is_lost_or_counted_twice_on_any_kind_of_cores),
		cmocka_unit_test(each_kind_of_cores_has_its_own_cycles_and_instructions),
		cmocka_unit_test(each_kind_of_cores_has_a_state),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
