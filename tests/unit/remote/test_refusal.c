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
		/* In one line, whatever ends one. */
		{__LINE__,
		 "{\"kind\":\"Status\",\"message\":\"x\\nnode9: gone\\u0085\\u2028y\\t\\u001bz\"}",
		 "API server: x?node9: gone??y??z"},
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

/* A tree of it would take forty times its bytes. */
static void what_is_long_is_not_parsed(void **state)
{
	static const char begin[] = "{\"kind\":\"Status\",\"message\":\"x\",\"y\":[[]";
	size_t bytes = strlen(begin);
	char *text = test_malloc(1 << 20), why[CTD_REMOTE_WHY_BYTES] = "";

	(void)state;
	memcpy(text, begin, bytes);
	for (; bytes + 5 < 1 << 20; bytes += 3)
		memcpy(text + bytes, ",[]", 3);
	memcpy(text + bytes, "]}", 2);
	assert_false(ctd_remote_refusal_read(text, bytes + 2, why));
	assert_string_equal(why, "");
	/* Of so many bytes it is one. */
	bytes = strlen(begin) + 3 * 10000;
	memcpy(text + bytes, "]}", 2);
	assert_true(ctd_remote_refusal_read(text, bytes + 2, why));
	test_free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_an_api_server_says_is_said),
					   cmocka_unit_test(what_is_long_is_not_parsed)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
