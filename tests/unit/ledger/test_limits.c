/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_limits.c - which limit above an account is named does not hang on the order of its rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/ledger/book.h"

/* Cgroups of one unit: the length of the limit's path, and how long each waited for it. */
#define SLICE "/some.slice"
#define UNIT SLICE "/a.service"
enum { UNIT_ROWS = 4 };
struct unit_row {
	size_t above_bytes;
	uint64_t waited_ns;
};

/* From each row on, forwards and backwards. What waits for none above is stopped by its own. */
static void add_unit(struct book *book, const struct unit_row *rows, size_t order)
{
	static const char *const paths[UNIT_ROWS] = {UNIT "/one", UNIT "/two", UNIT "/in/three",
						     UNIT "/in/four"};
	struct ctd_identity identities[UNIT_ROWS];
	struct ctd_waits waits[UNIT_ROWS] = {0};

	for (size_t i = 0; i < UNIT_ROWS; i++) {
		size_t at = (order + (order < UNIT_ROWS ? i : UNIT_ROWS - i)) % UNIT_ROWS;
		struct book_line *line;

		identities[at] = (struct ctd_identity){.cgroup_id = at + 1,
						       .path = (char *)paths[at],
						       .unit = (char *)"a.service",
						       .names_settled = true};
		line = book_run_cgroup(book, &identities[at], 100);
		waits[at].ns[CTD_WAIT_THROTTLED] = rows[at].waited_ns;
		line->part.waits = &waits[at];
		line->row.above_bytes = rows[at].above_bytes;
		line->row.above_limit_ns = 100 * rows[at].above_bytes;
		line->row.throttling_known = true;
		line->row.throttling.throttled = !rows[at].above_bytes;
	}
	book_add(book);
}

static void of_several_limits_the_one_waited_for_longest_is_named(void **state)
{
#define OF(limit, waited_ns)                   \
	{                                      \
		sizeof(limit) - 1, (waited_ns) \
	}
	static const struct {
		int line;
		struct unit_row rows[UNIT_ROWS];
		size_t expected;
	} cases[] = {
		{__LINE__, {OF(SLICE, 50), OF(UNIT, 40)}, sizeof(SLICE) - 1},
		{__LINE__, {OF(SLICE, 40), OF(UNIT, 50)}, sizeof(UNIT) - 1},
		/* Added up, and of the same the outermost. */
		{__LINE__, {OF(SLICE, 50), OF(UNIT, 26), OF(UNIT, 26)}, sizeof(UNIT) - 1},
		{__LINE__, {OF(SLICE, 50), OF(UNIT, 25), OF(UNIT, 25)}, sizeof(SLICE) - 1},
		{__LINE__,
		 {OF(SLICE, 20), OF(UNIT, 10), OF(UNIT, 25), OF(SLICE, 20)},
		 sizeof(SLICE) - 1},
		/* That its own limit stops another row takes nothing from it. */
		{__LINE__, {OF(SLICE, 1), OF("", 50)}, sizeof(SLICE) - 1},
		{__LINE__, {OF("", 50), OF("", 1)}, 0},
	};

	(void)state;
	for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		for (size_t order = 0; order < 2 * UNIT_ROWS; order++) {
			const struct ctd_account *account;
			struct book book;

			book_open(&book, (struct ctd_ledger_options){.accounts_max = 10});
			add_unit(&book, cases[k].rows, order);
			account = &book.view->accounts[0];
			assert_int_equal(book.view->accounts_count, 1);
			if (account->above_bytes != cases[k].expected ||
			    account->above_limit_ns != 100 * cases[k].expected)
				fail_msg("line %d, order %zu: %zu", cases[k].line, order,
					 account->above_bytes);
			book_close(&book);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_several_limits_the_one_waited_for_longest_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
