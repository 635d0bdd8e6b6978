/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_quota.c - no tenant and no idle cgroup keeps others out of the places that there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/ledger/book.h"

#define MANY 150
#define OUTER "1111111111111111111111111111111111111111111111111111111111111111"

static struct ctd_identity identities[MANY];
static char paths[MANY][64];
static int refusals;
static size_t most;

static void note(const struct ctd_account_who *who, size_t most_)
{
	assert_non_null(who->path);
	refusals++;
	most = most_;
}

static struct ctd_identity *identity_of(int i, const char *outer_id)
{
	snprintf(paths[i], sizeof(paths[i]), "/x/%d", i);
	identities[i] = (struct ctd_identity){
		.cgroup_id = (uint64_t)i + 100, .path = paths[i], .names_settled = true};
	strcpy(identities[i].outer_id, outer_id);
	snprintf(identities[i].container_id, sizeof(identities[i].container_id), "%064d", i);
	return &identities[i];
}

static struct ctd_identity named(uint64_t cgroup_id, const char *namespace_name)
{
	struct ctd_identity identity = {
		.cgroup_id = cgroup_id,
		.path = (char *)"/docker/web",
		.container_id = "web",
		.names = NAMES((char *)namespace_name, NULL, (char *)"web"),
		.names_settled = true,
	};

	return identity;
}

static const struct ctd_ledger_options limited = {
	.accounts_max = 80, .linger_ns = 300 * SECOND_NS, .refused = note};

static void what_lies_in_one_container_has_a_part_of_the_places(void **state)
{
	struct ctd_identity late = named(20, NULL);
	struct book book;

	(void)state;
	refusals = 0;
	book_open(&book, limited);
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < MANY; i++)
			book_run_cgroup(&book, identity_of(i, OUTER), 10);
		book_add(&book);
		assert_int_equal(book.view->accounts_count, 10 + 1);
	}
	assert_int_equal(book.view->totals.folded, MANY - 10);
	assert_int_equal(book_find(&book, "kind=\"other\"")->slots,
			 3 * (MANY - 10) * slots_of_ms(10));
	assert_int_equal(refusals, 1);
	assert_int_equal(most, 10);
	book_run_cgroup(&book, &late, 1);
	book_add(&book);
	assert_int_equal(book_find(&book, "kind=\"container\",container=\"web\"")->slots,
			 slots_of_ms(1));
	book_close(&book);
}

static void a_namespace_has_half_of_them(void **state)
{
	struct book book;

	(void)state;
	refusals = 0;
	book_open(&book, limited);
	for (int i = 0; i < MANY; i++) {
		struct ctd_identity *identity = identity_of(i, "");

		identity->names = (struct ctd_names)NAMES((char *)"shop", (char *)"cart", paths[i]);
		book_run_cgroup(&book, identity, 10);
	}
	book_add(&book);
	assert_int_equal(book.view->accounts_count, 40 + 1);
	assert_int_equal(refusals, 1);
	book_close(&book);
}

static void a_user_has_a_part_of_them(void **state)
{
	struct book book;

	(void)state;
	book_open(&book, limited);
	for (int i = 0; i < MANY; i++) {
		struct ctd_identity *identity = identity_of(i, "");

		identity->container_id[0] = '\0';
		snprintf(paths[i], sizeof(paths[i]), "/user.slice/user@%d.service/%d", 1000 + i % 2,
			 i);
		identity->delegated_bytes = strlen("/user.slice/user@1000.service");
		book_run_cgroup(&book, identity, 10);
	}
	book_add(&book);
	assert_int_equal(book.view->accounts_count, 20 + 1);
	book_close(&book);
}

static void the_idle_give_way(void **state)
{
	struct ctd_identity late = named(20, NULL), unit = {.cgroup_id = 21,
							    .path = (char *)"/late",
							    .names_settled = true};
	struct book book;

	(void)state;
	book_open(&book,
		  (struct ctd_ledger_options){.accounts_max = 6, .linger_ns = 300 * SECOND_NS});
	for (int i = 0; i < 6; i++) {
		struct ctd_identity *identity = identity_of(i, "");

		identity->container_id[0] = '\0';
		book_run_cgroup(&book, identity, 10);
	}
	book_add(&book);
	assert_int_equal(book.view->accounts_count, 6);
	/* At once to a named container, from 0 on; in ten seconds to one like it. */
	book_run_cgroup(&book, &late, 1);
	book_run_cgroup(&book, &unit, 1);
	book_add(&book);
	assert_non_null(book_find(&book, "kind=\"container\",container=\"web\""));
	assert_null(book_find(&book, "kind=\"cgroup\",cgroup=\"/late\""));
	for (int i = 0; i < 10; i++)
		book_add(&book);
	book_run_cgroup(&book, &unit, 1);
	book_add(&book);
	assert_int_equal(book_find(&book, "kind=\"cgroup\",cgroup=\"/late\"")->slots,
			 slots_of_ms(1));
	/* Those that gave way begin anew, once others do. */
	for (int i = 0; i < 10; i++)
		book_add(&book);
	book_run_cgroup(&book, &identities[0], 10);
	book_add(&book);
	assert_int_equal(book_find(&book, "kind=\"cgroup\",cgroup=\"/x/0\"")->slots,
			 slots_of_ms(10));
	book_close(&book);
}

static void the_unnamed_give_way_to_the_named_and_not_the_other_way_round(void **state)
{
	struct ctd_identity late = named(20, NULL);
	struct book book;

	(void)state;
	book_open(&book,
		  (struct ctd_ledger_options){.accounts_max = 2, .linger_ns = 300 * SECOND_NS});
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 2; i++)
			book_run_cgroup(&book, identity_of(i, ""), 500);
		if (round == 1)
			book_run_cgroup(&book, &late, 1);
		book_add(&book);
		assert_int_equal(!!book_find(&book, "kind=\"container\",container=\"web\""),
				 round > 0);
	}
	for (int i = 0; i < 20; i++) {
		for (int j = 0; j < 2; j++)
			book_run_cgroup(&book, identity_of(j, ""), 500);
		book_add(&book);
	}
	assert_non_null(book_find(&book, "kind=\"container\",container=\"web\""));
	book_close(&book);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_lies_in_one_container_has_a_part_of_the_places),
		cmocka_unit_test(a_namespace_has_half_of_them),
		cmocka_unit_test(a_user_has_a_part_of_them),
		cmocka_unit_test(the_idle_give_way),
		cmocka_unit_test(the_unnamed_give_way_to_the_named_and_not_the_other_way_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
