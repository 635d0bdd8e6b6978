/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_place.c - accounts follow the names of their cgroups, and there are never too many. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/ledger/book.h"

#define DIGITS_8(a) a a a a a a a a
#define ID(four) DIGITS_8(four) DIGITS_8(four)
#define WEB_KEY "kind=\"container\",namespace=\"shop\",pod=\"cart-0\",container=\"web\""
#define BARE_KEY "kind=\"container\",container=\"" ID("aaaa") "\""

static const struct ctd_ledger_options patient = {
	.accounts_max = 100, .settle_ns = 5 * SECOND_NS, .linger_ns = 300 * SECOND_NS};

static struct ctd_identity bare(void)
{
	return (struct ctd_identity){
		.cgroup_id = 20, .path = (char *)"/kubepods/web", .container_id = ID("aaaa")};
}

static void name(struct ctd_identity *identity)
{
	identity->names = (struct ctd_names)NAMES((char *)"shop", (char *)"cart-0", (char *)"web");
	identity->names_settled = true;
}

static void an_account_without_a_name_comes_with_all_of_its_past(void **state)
{
	struct ctd_identity identity = bare();
	struct book book;

	(void)state;
	book_open(&book, patient);
	for (int i = 0; i < 3; i++) {
		book_run_cgroup(&book, &identity, 100);
		book_add(&book);
		assert_int_equal(book.view->accounts_count, 0);
		assert_int_equal(book.view->totals.held, 1);
		assert_int_equal(book.view->totals.held_slots, (i + 1) * slots_of_ms(100));
		assert_int_equal(book.view->held_count, 1);
		assert_int_equal(book.view->held[0].slots, (i + 1) * slots_of_ms(100));
	}
	name(&identity);
	book_run_cgroup(&book, &identity, 100);
	book_add(&book);
	assert_int_equal(book.view->accounts_count, 1);
	assert_int_equal(book.view->totals.held, 0);
	assert_int_equal(book.view->held_count, 0);
	assert_int_equal(book_find(&book, WEB_KEY)->slots, 4 * slots_of_ms(100));
	assert_int_equal(book_find(&book, WEB_KEY)->begun_ns, BEGIN_NS);
	book_close(&book);
}

static void a_name_that_comes_too_late_takes_everything_along(void **state)
{
	struct ctd_identity identity = bare();
	struct book book;

	(void)state;
	book_open(&book, patient);
	for (int i = 0; i < 7; i++) {
		book_run_cgroup(&book, &identity, 100);
		book_add(&book);
		assert_int_equal(book.view->accounts_count, i < 5 ? 0 : 1);
	}
	assert_int_equal(book_find(&book, BARE_KEY)->slots, 7 * slots_of_ms(100));
	name(&identity);
	book_run_cgroup(&book, &identity, 100);
	book_add(&book);
	assert_null(book_find(&book, BARE_KEY));
	assert_int_equal(book_find(&book, WEB_KEY)->slots, 8 * slots_of_ms(100));
	assert_int_equal(book.view->accounts_count, 1);
	book_close(&book);
}

static void a_restarted_container_goes_on_where_the_first_ended(void **state)
{
	struct ctd_identity first = bare(), second = bare();
	struct book book;
	const struct ctd_account *account;

	(void)state;
	name(&first);
	second.cgroup_id = 21;
	memcpy(second.container_id, "bbbb", 4);
	book_open(&book, patient);
	book_run_cgroup(&book, &first, 100);
	book_add(&book);
	first.removed = true;
	book_run_cgroup(&book, &first, 50);
	book_run_cgroup(&book, &second, 10);
	book_add(&book);
	book_run_cgroup(&book, &second, 10);
	book_add(&book);
	assert_true(book_find(&book, WEB_KEY)->ended);
	assert_int_equal(book_find(&book, WEB_KEY)->slots, slots_of_ms(100) + slots_of_ms(50));
	/* Even where its end was fetched in this moment. */
	ctd_ledger_acknowledge(book.ledger, book.view->sequence);
	name(&second);
	book_run_cgroup(&book, &second, 10);
	book_add(&book);
	account = book_find(&book, WEB_KEY);
	assert_false(account->ended);
	assert_int_equal(account->slots, slots_of_ms(100) + slots_of_ms(50) + 3 * slots_of_ms(10));
	assert_int_equal(account->begun_ns, BEGIN_NS);
	assert_memory_equal(account->who->container_id, "bbbb", 4);
	assert_int_equal(book.view->accounts_count, 1);
	book_close(&book);
}

static void a_name_is_taken_while_its_cgroup_is_idle(void **state)
{
	struct ctd_names names = {.container_name = strdup("web")};
	struct ctd_identities *identities;
	struct book book;

	(void)state;
	assert_int_equal(ctd_identities_new(&identities), 0);
	assert_int_equal(ctd_identities_add(identities, 20, "/docker/" ID("aaaa")), 0);
	book_open(&book, patient);
	book_run_cgroup(&book, ctd_identities_get(identities, 20), 100);
	book_add(&book);
	book_add(&book);
	assert_int_equal(book.view->accounts_count, 0);
	ctd_identities_set_names(identities, 20, &names, CTD_QOS_UNKNOWN, true);
	book.rollup.identities = identities;
	book_add(&book);
	assert_int_equal(book_find(&book, "kind=\"container\",container=\"web\"")->slots,
			 slots_of_ms(100));
	book_close(&book);
	ctd_identities_free(identities);
}

/* Of what is known already only the version is looked at. */
static void a_name_is_taken_while_its_cgroup_runs(void **state)
{
	struct ctd_names names = {.container_name = strdup("web")};
	struct ctd_identities *identities;
	struct book book;

	(void)state;
	assert_int_equal(ctd_identities_new(&identities), 0);
	assert_int_equal(ctd_identities_add(identities, 20, "/docker/" ID("aaaa")), 0);
	ctd_identities_set_names(identities, 20, NULL, CTD_QOS_UNKNOWN, true);
	book_open(&book, patient);
	for (int i = 0; i < 2; i++) {
		book_run_cgroup(&book, ctd_identities_get(identities, 20), 100);
		book_add(&book);
		assert_non_null(book_find(&book, BARE_KEY));
	}
	ctd_identities_set_names(identities, 20, &names, CTD_QOS_UNKNOWN, true);
	book_run_cgroup(&book, ctd_identities_get(identities, 20), 100);
	book_add(&book);
	assert_null(book_find(&book, BARE_KEY));
	assert_int_equal(book_find(&book, "kind=\"container\",container=\"web\"")->slots,
			 3 * slots_of_ms(100));
	book_close(&book);
	ctd_identities_free(identities);
}

/* That there will be no name is news, too. */
static void what_stays_without_a_name_is_shown_when_that_is_known(void **state)
{
	struct ctd_identities *identities;
	struct book book;

	(void)state;
	assert_int_equal(ctd_identities_new(&identities), 0);
	assert_int_equal(ctd_identities_add(identities, 20, "/docker/" ID("aaaa")), 0);
	book_open(&book, patient);
	for (int i = 0; i < 2; i++) {
		book_run_cgroup(&book, ctd_identities_get(identities, 20), 100);
		book_add(&book);
		assert_int_equal(book.view->accounts_count, 0);
	}
	ctd_identities_set_names(identities, 20, NULL, CTD_QOS_UNKNOWN, true);
	book_run_cgroup(&book, ctd_identities_get(identities, 20), 100);
	book_add(&book);
	assert_int_equal(book_find(&book, BARE_KEY)->slots, 3 * slots_of_ms(100));
	book_close(&book);
	ctd_identities_free(identities);
}

/* Two of one key, and the newer one, whose image is shown, ends. */
static void who_remains_describes_what_was_common(void **state)
{
	struct ctd_identities *identities;
	struct book book;

	(void)state;
	assert_int_equal(ctd_identities_new(&identities), 0);
	book_open(&book, patient);
	for (uint64_t id = 20; id <= 21; id++) {
		struct ctd_names names = {.container_name = strdup("web"),
					  .image = strdup(id == 20 ? "web:1" : "web:2")};

		assert_int_equal(ctd_identities_add(identities, id,
						    id == 20 ? "/docker/" ID("aaaa")
							     : "/docker/" ID("bbbb")),
				 0);
		ctd_identities_set_names(identities, id, &names, CTD_QOS_UNKNOWN, true);
	}
	for (int i = 0; i < 2; i++) {
		book_run_cgroup(&book, ctd_identities_get(identities, 20), 100);
		book_run_cgroup(&book, ctd_identities_get(identities, 21), 100);
		book_add(&book);
		assert_string_equal(book.view->accounts[0].who->image, "web:2");
	}
	ctd_identities_remove(identities, 21);
	book.rollup.identities = identities;
	book_add(&book);
	/* Also where it does nothing. */
	book.rollup.identities = identities;
	book_add(&book);
	assert_int_equal(book.view->accounts_count, 1);
	assert_string_equal(book.view->accounts[0].who->image, "web:1");
	assert_int_equal(book.view->accounts[0].slots, 4 * slots_of_ms(100));
	book_close(&book);
	ctd_identities_free(identities);
}

static void one_of_several_that_is_renamed_leaves_the_common_past_behind(void **state)
{
	struct ctd_identity first = bare(), second = bare();
	struct book book;

	(void)state;
	name(&first);
	name(&second);
	second.cgroup_id = 21;
	book_open(&book, patient);
	book_run_cgroup(&book, &first, 100);
	book_run_cgroup(&book, &second, 100);
	book_add(&book);
	second.names.container_name = (char *)"side";
	book_run_cgroup(&book, &first, 100);
	book_run_cgroup(&book, &second, 100);
	book_add(&book);
	assert_int_equal(book.view->accounts_count, 2);
	assert_int_equal(book_find(&book, WEB_KEY)->slots, 3 * slots_of_ms(100));
	book_close(&book);
}

/* Who may make cgroups in a container can give them any ids. */
static void ids_that_begin_alike_are_not_one(void **state)
{
	struct ctd_identity first = bare(), second = bare(), nested = bare();
	struct book book;

	(void)state;
	second.cgroup_id = 21;
	memset(second.container_id + 12, 'c', 52);
	nested.cgroup_id = 22;
	strcpy(nested.outer_id, ID("bbbb"));
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 100});
	book_run_cgroup(&book, &first, 100);
	book_run_cgroup(&book, &second, 10);
	book_run_cgroup(&book, &nested, 1);
	book_add(&book);
	assert_int_equal(book.view->accounts_count, 3);
	assert_int_equal(book_find(&book, BARE_KEY)->slots, slots_of_ms(100));
	assert_int_equal(book_find(&book,
				   "kind=\"container\",container=\"" ID("bbbb") "/" ID("aaaa") "\"")
				 ->slots,
			 slots_of_ms(1));
	book_close(&book);
}

static void sandboxes_and_units_have_keys_of_their_own(void **state)
{
	static const struct {
		int line;
		const char *path, *unit, *key;
	} cases[] = {
		{__LINE__, "/system.slice/ssh.service", "ssh.service",
		 "kind=\"cgroup\",cgroup=\"/system.slice/ssh.service\""},
		{__LINE__, "/system.slice/ssh.service/a/b", "ssh.service",
		 "kind=\"cgroup\",cgroup=\"/system.slice/ssh.service\""},
		/* As where it was parsed within another's tree. */
		{__LINE__, "/a/b", "c.service", "kind=\"cgroup\",cgroup=\"/a/b\""},
		{__LINE__, "/a/b", NULL, "kind=\"cgroup\",cgroup=\"/a/b\""},
		{__LINE__, "/", NULL, "kind=\"cgroup\",cgroup=\"/\""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_identity identity = {.cgroup_id = 5,
						.path = (char *)cases[i].path,
						.unit = (char *)cases[i].unit,
						.names_settled = true};
		struct book book;

		book_open(&book, patient);
		book_run_cgroup(&book, &identity, 1);
		book_add(&book);
		if (strcmp(book.view->accounts[0].who->key_text, cases[i].key) != 0)
			fail_msg("line %d: %s", cases[i].line,
				 book.view->accounts[0].who->key_text);
		book_close(&book);
	}
}

static void a_sandbox_is_known_by_its_pod(void **state)
{
	struct ctd_identity pause = bare();
	struct book book;

	(void)state;
	name(&pause);
	pause.names.container_name = NULL;
	pause.names.sandbox = true;
	book_open(&book, patient);
	book_run_cgroup(&book, &pause, 1);
	book_add(&book);
	assert_string_equal(book.view->accounts[0].who->key_text,
			    "kind=\"sandbox\",namespace=\"shop\",pod=\"cart-0\"");
	book_close(&book);
}

static void what_is_below_a_unit_is_of_the_unit(void **state)
{
	struct ctd_identity top = {.cgroup_id = 5,
				   .path = (char *)"/system.slice/a.service",
				   .unit = (char *)"a.service",
				   .names_settled = true};
	struct ctd_identity below = top;
	struct book book;

	(void)state;
	below.cgroup_id = 6;
	below.path = (char *)"/system.slice/a.service/worker";
	book_open(&book, patient);
	for (int i = 0; i < 2; i++) {
		book_run_cgroup(&book, &top, 10);
		book_run_cgroup(&book, &below, 10);
		book_add(&book);
	}
	assert_int_equal(book.view->accounts_count, 1);
	assert_int_equal(book.view->accounts[0].slots, 4 * slots_of_ms(10));
	/* One of them is gone, the unit is not. */
	below.removed = true;
	book_run_cgroup(&book, &below, 10);
	book_add(&book);
	book_add(&book);
	assert_false(book.view->accounts[0].ended);
	book_close(&book);
}

static void what_is_over_the_limit_is_in_other_until_there_is_a_place(void **state)
{
	struct ctd_identity identities[4];
	struct book book;

	(void)state;
	book_open(&book,
		  (struct ctd_ledger_options){.accounts_max = 2, .linger_ns = SECOND_NS * 9});
	for (int i = 0; i < 4; i++) {
		static char paths[4][8];

		snprintf(paths[i], sizeof(paths[i]), "/%d", i);
		identities[i] = (struct ctd_identity){
			.cgroup_id = (uint64_t)i + 1, .path = paths[i], .names_settled = true};
	}
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 4; i++)
			book_run_cgroup(&book, &identities[i], 10);
		book_add(&book);
	}
	assert_int_equal(book.view->accounts_count, 3);
	assert_int_equal(book.view->totals.folded, 2);
	assert_int_equal(book_find(&book, "kind=\"other\"")->slots, 6 * slots_of_ms(10));
	identities[0].removed = true;
	book_run_cgroup(&book, &identities[0], 10);
	book_run_cgroup(&book, &identities[2], 10);
	book_add(&book);
	book_add(&book);
	ctd_ledger_acknowledge(book.ledger, book.view->sequence);
	book_run_cgroup(&book, &identities[2], 10);
	book_run_cgroup(&book, &identities[3], 10);
	book_add(&book);
	assert_null(book_find(&book, "kind=\"cgroup\",cgroup=\"/0\""));
	/* From 0 on, as what it did before is in `other`, and stays there. */
	assert_int_equal(book_find(&book, "kind=\"cgroup\",cgroup=\"/2\"")->slots, slots_of_ms(10));
	assert_int_equal(book_find(&book, "kind=\"other\"")->slots, 8 * slots_of_ms(10));
	assert_int_equal(book.view->totals.folded, 2);
	book_close(&book);
}

/* Reports are in no order. */
static void the_busiest_get_the_places_that_there_are(void **state)
{
	struct ctd_identity identities[5];
	struct book book;

	(void)state;
	book_open(&book,
		  (struct ctd_ledger_options){.accounts_max = 2, .linger_ns = SECOND_NS * 9});
	for (uint64_t i = 0; i < 5; i++) {
		static const char *const paths[] = {"/idle", "/busy", "/calm", "/most", "/late"};
		static const uint64_t ms[] = {1, 200, 10, 300, 100};

		identities[i] = (struct ctd_identity){
			.cgroup_id = i + 1, .path = (char *)paths[i], .names_settled = true};
		book_run_cgroup(&book, &identities[i], ms[i]);
	}
	book_add(&book);
	assert_non_null(book_find(&book, "kind=\"cgroup\",cgroup=\"/busy\""));
	assert_non_null(book_find(&book, "kind=\"cgroup\",cgroup=\"/most\""));
	assert_int_equal(book.view->accounts_count, 3);
	assert_int_equal(book.view->totals.folded, 3);
	/* A place that becomes free, too. */
	identities[1].removed = true;
	book_run_cgroup(&book, &identities[1], 200);
	for (int i = 0; i < 2; i++)
		book_add(&book);
	ctd_ledger_acknowledge(book.ledger, book.view->sequence);
	book_run_cgroup(&book, &identities[0], 1);
	book_run_cgroup(&book, &identities[4], 20);
	book_run_cgroup(&book, &identities[2], 10);
	book_add(&book);
	assert_null(book_find(&book, "kind=\"cgroup\",cgroup=\"/busy\""));
	assert_int_equal(book_find(&book, "kind=\"cgroup\",cgroup=\"/late\"")->slots,
			 slots_of_ms(20));
	book_close(&book);
}

static void what_joins_another_account_takes_no_place(void **state)
{
	struct ctd_identity last = {
		.cgroup_id = 99, .path = (char *)"/last", .names_settled = true};
	struct ctd_ledger_options options = patient;
	struct book book;

	(void)state;
	options.accounts_max = 2;
	book_open(&book, options);
	for (uint64_t i = 0; i < 6; i++) {
		struct ctd_identity restarted = bare();

		restarted.cgroup_id = 20 + i;
		restarted.container_id[0] = (char)('a' + i);
		book_run_cgroup(&book, &restarted, 10);
		book_add(&book);
		name(&restarted);
		restarted.removed = true;
		book_run_cgroup(&book, &restarted, 10);
		book_add(&book);
	}
	book_run_cgroup(&book, &last, 10);
	book_add(&book);
	assert_int_equal(book_find(&book, WEB_KEY)->slots, 12 * slots_of_ms(10));
	assert_non_null(book_find(&book, "kind=\"cgroup\",cgroup=\"/last\""));
	assert_int_equal(book.view->totals.folded, 0);
	/* And the place of what is gone is free. */
	for (int i = 0; i < 2; i++) {
		book_add(&book);
		ctd_ledger_acknowledge(book.ledger, book.view->sequence);
	}
	last.cgroup_id++;
	last.path = (char *)"/next";
	book_run_cgroup(&book, &last, 10);
	book_add(&book);
	assert_null(book_find(&book, WEB_KEY));
	assert_non_null(book_find(&book, "kind=\"cgroup\",cgroup=\"/next\""));
	book_close(&book);
}

/* "docker rename a c; docker rename b a", within one interval: the name that one gives up is the
 * other's before its own new one is looked at. */
static void names_may_be_handed_on_within_one_interval(void **state)
{
	struct ctd_identity giver = bare(), taker = bare();
	struct book book;

	(void)state;
	taker.cgroup_id = 19;
	memcpy(taker.container_id, "bbbb", 4);
	giver.names_settled = taker.names_settled = true;
	giver.names.container_name = (char *)"a";
	taker.names.container_name = (char *)"b";
	giver.version = taker.version = 1;
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 100});
	book_run_cgroup(&book, &taker, 10);
	book_run_cgroup(&book, &giver, 100);
	book_add(&book);
	giver.names.container_name = (char *)"c";
	taker.names.container_name = (char *)"a";
	giver.version = taker.version = 2;
	book_run_cgroup(&book, &taker, 10);
	book_run_cgroup(&book, &giver, 100);
	book_add(&book);
	assert_int_equal(book.view->accounts_count, 2);
	/* What was counted under a name stays there. */
	assert_int_equal(book_find(&book, "kind=\"container\",container=\"a\"")->slots,
			 slots_of_ms(100) + 2 * slots_of_ms(10));
	assert_int_equal(book_find(&book, "kind=\"container\",container=\"c\"")->slots,
			 slots_of_ms(100));
	book_close(&book);
}

/* One whose names are not settled joins another at last: book_add() compares the views' names. */
static void names_have_a_version(void **state)
{
	struct ctd_identity first = bare(), second = bare();
	struct book book;
	uint64_t version = 0;

	(void)state;
	name(&first);
	name(&second);
	second.cgroup_id = 21;
	memset(second.container_id, 'b', 64);
	second.names_settled = false;
	book_open(&book, patient);
	for (int i = 0; i < 8; i++) {
		book_run_cgroup(&book, &first, 100);
		if (i)
			book_run_cgroup(&book, &second, 100);
		book_add(&book);
		if (i == 0)
			version = book.view->names_version;
		assert_string_equal(book_find(&book, WEB_KEY)->who->container_id,
				    i < 6 ? first.container_id : second.container_id);
		/* Figures are no names. */
		assert_int_equal(book.view->names_version == version, i < 6);
	}
	book_close(&book);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_account_without_a_name_comes_with_all_of_its_past),
		cmocka_unit_test(a_name_that_comes_too_late_takes_everything_along),
		cmocka_unit_test(a_restarted_container_goes_on_where_the_first_ended),
		cmocka_unit_test(a_name_is_taken_while_its_cgroup_is_idle),
		cmocka_unit_test(a_name_is_taken_while_its_cgroup_runs),
		cmocka_unit_test(who_remains_describes_what_was_common),
		cmocka_unit_test(what_stays_without_a_name_is_shown_when_that_is_known),
		cmocka_unit_test(one_of_several_that_is_renamed_leaves_the_common_past_behind),
		cmocka_unit_test(ids_that_begin_alike_are_not_one),
		cmocka_unit_test(sandboxes_and_units_have_keys_of_their_own),
		cmocka_unit_test(a_sandbox_is_known_by_its_pod),
		cmocka_unit_test(what_is_below_a_unit_is_of_the_unit),
		cmocka_unit_test(what_joins_another_account_takes_no_place),
		cmocka_unit_test(what_is_over_the_limit_is_in_other_until_there_is_a_place),
		cmocka_unit_test(the_busiest_get_the_places_that_there_are),
		cmocka_unit_test(names_may_be_handed_on_within_one_interval),
		cmocka_unit_test(names_have_a_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
