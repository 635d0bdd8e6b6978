/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_plans.c - totals go on under the names of their nodes and core types, whatever plan of
 * counters comes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/ledger/book.h"

#define WEB "kind=\"container\",container=\"web\""
#define ID "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static struct ctd_identity web = {.cgroup_id = 20,
				  .path = (char *)"/docker/web",
				  .container_id = ID,
				  .names = {.container_name = (char *)"web"},
				  .names_settled = true};

static void open_book(struct book *book)
{
	book_open(book, (struct ctd_ledger_options){.accounts_max = 100});
}

/* Slots of the node, or -1: they are not known. */
static int64_t slots_of(const struct book *book, const struct ctd_account *account,
			enum ctd_node_role role)
{
	const struct ctd_ledger_core_type *type = ctd_account_core_type(book->view, account);

	for (int i = 0; i < type->nodes_count; i++) {
		if (type->nodes[i].role == role && account->node_slots_known >> i & 1)
			return (int64_t)account->node_slots[i];
	}
	return -1;
}

/* All slots in level 1: a quarter retiring, the rest back-end bound. Nothing of level 2. */
static void run_model(struct book *book, const struct ctd_cpu_model *model)
{
	struct book_line *line = book_row(book, CTD_ROLLUP_CONTAINER);

	book_use_model(book, model);
	line->row.identity = &web;
	line->row.cgroup_id = web.cgroup_id;
	line->part.cpu_ns = 100000000;
	if (!model)
		return;
	line->part.slots = 4000;
	line->part.slots_known = true;
	line->part.quality = CTD_OK;
	book->rollup.totals[0].slots += 4000;
	for (int i = 0; i < model->nodes_count; i++) {
		const struct ctd_node *node = &model->nodes[i];

		if (node->level == 1)
			line->values[i] = (struct ctd_value){
				.ratio = node->role == CTD_ROLE_RETIRING	? .25
					 : node->role == CTD_ROLE_BACKEND_BOUND ? .75
										: 0};
		if (node->role == CTD_ROLE_BACKEND_BOUND)
			line->part.dominant = i;
	}
}

static void totals_go_on_through_other_models_and_none(void **state)
{
	static const char *const models[] = {"golden_cove", "golden_cove_gp", NULL, "zen4",
					     "golden_cove"};
	const struct ctd_ledger_core_type *type;
	const struct ctd_account *account;
	struct book book;
	int64_t counted = 0;

	(void)state;
	open_book(&book);
	for (size_t i = 0; i < sizeof(models) / sizeof(*models); i++) {
		const struct ctd_cpu_model *model =
			models[i] ? ctd_cpu_model_find(models[i]) : NULL;

		run_model(&book, model);
		book_add(&book);
		counted += model != NULL;
		account = book_find(&book, WEB);
		assert_non_null(account);
		assert_int_equal(account->cpu_ns, (i + 1) * 100000000);
		assert_int_equal(account->slots, counted * 4000);
		assert_int_equal(slots_of(&book, account, CTD_ROLE_RETIRING), counted * 1000);
		assert_int_equal(slots_of(&book, account, CTD_ROLE_BACKEND_BOUND), counted * 3000);
		type = &book.view->core_types[0];
		assert_ptr_equal(type->model, model);
		assert_int_equal(book.view->state == CTD_PMU_ABSENT, !model);
		/* The bottleneck of the last interval, by the ledger's nodes. */
		if (model)
			assert_int_equal(type->nodes[account->recent.dominant].role,
					 CTD_ROLE_BACKEND_BOUND);
		else
			assert_int_equal(account->recent.dominant, -1);
	}
	assert_int_equal(book.view->accounts_count, 1);
	book_close(&book);
}

static void each_node_has_one_place_and_its_parent_there(void **state)
{
	static const char *const models[] = {"zen4", "golden_cove_gp", "golden_cove"};
	const struct ctd_ledger_core_type *type;
	struct book book;

	(void)state;
	open_book(&book);
	for (size_t i = 0; i < sizeof(models) / sizeof(*models); i++) {
		run_model(&book, ctd_cpu_model_find(models[i]));
		book_add(&book);
	}
	type = &book.view->core_types[0];
	for (int i = 0; i < type->nodes_count; i++) {
		for (int j = 0; j < i; j++)
			assert_string_not_equal(type->nodes[i].name, type->nodes[j].name);
		assert_true(type->nodes[i].parent < type->nodes_count);
		if (type->nodes[i].role == CTD_ROLE_MEMORY_BOUND)
			assert_int_equal(type->nodes[type->nodes[i].parent].role,
					 CTD_ROLE_BACKEND_BOUND);
	}
	book_close(&book);
}

/* CPUs of another core type come: from then on core types have names. */
static void core_types_go_on_under_their_names(void **state)
{
	struct book book;

	(void)state;
	open_book(&book);
	book_run_cgroup(&book, &web, 100);
	book_add(&book);
	strcpy(book.plan.core_types[0].name, "P-core");
	book_run_cgroup(&book, &web, 10);
	book_add(&book);
	assert_int_equal(book.view->core_types_count, 2);
	assert_string_equal(book.view->core_types[0].name, "");
	assert_null(book.view->core_types[0].model);
	assert_int_equal(book.view->core_types[0].state, CTD_PMU_ABSENT);
	assert_int_equal(book.view->core_types[0].totals.slots, slots_of_ms(100));
	assert_int_equal(book_find(&book, WEB)->slots, slots_of_ms(100));
	assert_int_equal(book_find(&book, WEB ",core=\"P-core\"")->slots, slots_of_ms(10));
	strcpy(book.plan.core_types[0].name, "");
	book_run_cgroup(&book, &web, 1);
	book_add(&book);
	assert_int_equal(book.view->core_types_count, 2);
	assert_int_equal(book_find(&book, WEB)->slots, slots_of_ms(100) + slots_of_ms(1));
	book_close(&book);
}

static void more_core_types_than_there_is_room_for_are_refused(void **state)
{
	struct book book;

	(void)state;
	open_book(&book);
	for (int i = 0; i < CTD_LEDGER_CORE_TYPES_MAX; i++) {
		snprintf(book.plan.core_types[0].name, sizeof(book.plan.core_types[0].name),
			 "type-%d", i);
		book_run_cgroup(&book, &web, 1);
		book_add(&book);
	}
	strcpy(book.plan.core_types[0].name, "one more");
	book_run_cgroup(&book, &web, 1);
	assert_int_equal(ctd_ledger_add(book.ledger, book_rollup(&book)), -EINVAL);
	book_clear(&book);
	strcpy(book.plan.core_types[0].name, "type-0");
	book_run_cgroup(&book, &web, 1);
	book_add(&book);
	assert_int_equal(book.view->core_types_count, CTD_LEDGER_CORE_TYPES_MAX);
	book_close(&book);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_go_on_through_other_models_and_none),
		cmocka_unit_test(each_node_has_one_place_and_its_parent_there),
		cmocka_unit_test(core_types_go_on_under_their_names),
		cmocka_unit_test(more_core_types_than_there_is_room_for_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
