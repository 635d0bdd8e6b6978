/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_refusal.c - an API server's own words are told apart from a collector's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "remote/refusal.h"

static void what_an_api_server_says_is_said(void **state)
{
	static const struct {
		int line;
		const char *text, *wanted; /* NULL: it is no API server's */
	} cases[] = {
		{__LINE__,
		 "{\"kind\":\"Status\",\"message\":\"pods \\\"a\\\" is forbidden\",\"code\":403}",
		 "API server: pods \"a\" is forbidden"},
		{__LINE__, "{\"kind\":\"Status\"}", "API server: no"},
		{__LINE__, "{\"kind\":\"PodList\",\"message\":\"x\"}", NULL},
		{__LINE__, "{\"message\":\"x\"}", NULL},
		{__LINE__, "[\"Status\"]", NULL},
		{__LINE__, "Unauthorized\n", NULL},
		{__LINE__, "", NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *text = cases[i].text, *wanted = cases[i].wanted;
		char why[CTD_REMOTE_WHY_BYTES] = "";
		bool is_told = ctd_remote_refusal_read(text, strlen(text), why);

		if (is_told != !!wanted || (wanted && strcmp(why, wanted) != 0))
			fail_msg("line %d: %d '%s'", cases[i].line, is_told, why);
	}
	assert_false(ctd_remote_refusal_read(NULL, 0, (char[CTD_REMOTE_WHY_BYTES]){""}));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_an_api_server_says_is_said)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
