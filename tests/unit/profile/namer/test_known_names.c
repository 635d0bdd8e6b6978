/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_known_names.c - names are those of the function that they were kept for, or none. */
#include "profile/namer/known_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void names_are_of_their_functions(void **state)
{
	struct ctd_known_names known = {0};
	const struct ctd_symbols one = {.names.serial = 1}, other = {.names.serial = 2};
	char name[32];
	int found = 0;

	(void)state;
	assert_null(ctd_known_names_find(&known, &one, &(struct ctd_symbol){.start = 16}));
	for (uint64_t start = 0; start < 3 * CTD_KNOWN_NAMES; start++) {
		snprintf(name, sizeof(name), "f%llu", (unsigned long long)start);
		ctd_known_names_keep(&known, &one, &(struct ctd_symbol){.start = start}, name);
	}
	for (uint64_t start = 0; start < 3 * CTD_KNOWN_NAMES; start++) {
		const struct ctd_symbol symbol = {.start = start};
		const char *is = ctd_known_names_find(&known, &one, &symbol);

		assert_null(ctd_known_names_find(&known, &other, &symbol));
		if (!is)
			continue;
		snprintf(name, sizeof(name), "f%llu", (unsigned long long)start);
		assert_string_equal(is, name);
		found++;
	}
	/* As many as there are places, less those that none fell into. */
	assert_in_range(found, CTD_KNOWN_NAMES / 2, CTD_KNOWN_NAMES);
	ctd_known_names_free(&known);
	assert_null(ctd_known_names_find(&known, &one, &(struct ctd_symbol){.start = 1}));
}

static void long_names_are_not_kept(void **state)
{
	struct ctd_known_names known = {0};
	const struct ctd_symbols symbols = {.names.serial = 1};
	const struct ctd_symbol symbol = {.start = 7};
	char name[CTD_KNOWN_NAME_BYTES + 1];

	(void)state;
	memset(name, 'n', sizeof(name));
	name[CTD_KNOWN_NAME_BYTES] = '\0';
	ctd_known_names_keep(&known, &symbols, &symbol, name);
	assert_null(ctd_known_names_find(&known, &symbols, &symbol));
	ctd_known_names_keep(&known, &symbols, &symbol, name + 1);
	assert_string_equal(ctd_known_names_find(&known, &symbols, &symbol), name + 1);
	ctd_known_names_free(&known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_of_their_functions),
		cmocka_unit_test(long_names_are_not_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
