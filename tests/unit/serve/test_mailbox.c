/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_mailbox.c - readers get the newest view, and keep what they have. */
#include "serve/mailbox.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void a_reader_keeps_its_view_when_there_is_a_newer_one(void **state)
{
	static const struct ctd_ledger_options options = {.accounts_max = 10};
	struct ctd_mailbox mailbox = CTD_MAILBOX_EMPTY;
	const struct ctd_ledger_view *first, *second, *read;
	struct ctd_ledger *ledger;
	uint64_t put_ns = 77, later_ns;

	(void)state;
	assert_int_equal(ctd_ledger_new(&options, 1, &ledger), 0);
	assert_int_equal(ctd_ledger_view(ledger, &first), 0);
	assert_int_equal(ctd_ledger_view(ledger, &second), 0);
	assert_null(ctd_mailbox_newest(&mailbox, &put_ns));
	assert_int_equal(put_ns, 0);
	ctd_mailbox_put(&mailbox, first);
	ctd_ledger_view_release(first);
	read = ctd_mailbox_newest(&mailbox, &put_ns);
	assert_ptr_equal(read, first);
	assert_true(put_ns > 0);
	ctd_mailbox_put(&mailbox, second);
	ctd_ledger_view_release(second);
	assert_ptr_equal(ctd_mailbox_newest(&mailbox, &later_ns), second);
	assert_true(later_ns >= put_ns);
	assert_int_equal(ctd_mailbox_put_ns(&mailbox), later_ns);
	assert_int_equal(read->accounts_count, 0);
	ctd_ledger_view_release(read);
	ctd_ledger_view_release(second);
	ctd_mailbox_free(&mailbox);
	ctd_ledger_free(ledger);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reader_keeps_its_view_when_there_is_a_newer_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
