/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_json_walk.c - a text is walked through to its end, or to what is wrong in it. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_walk.h"

/* Writes down what is met. */
static int take_element(struct ctd_json_walk *walk, const char *name, void *said)
{
	auto_json json_t *value = ctd_json_walk_value(walk);
	size_t bytes = strlen(said);

	if (!value)
		return -EBADMSG;
	snprintf((char *)said + bytes, 64 - bytes, "%s=%d ", name ? name : "",
		 (int)json_integer_value(value));
	return json_integer_value(value) == 7 ? -E2BIG : 0;
}

static int take_member(struct ctd_json_walk *walk, const char *name, void *said)
{
	if (strcmp(name, "list") == 0)
		return ctd_json_walk_array(walk, take_element, said);
	return take_element(walk, name, said);
}

static void a_text_is_walked_to_its_end_or_to_what_is_wrong(void **state)
{
	static const struct {
		int line;
		const char *text;
		int error;
		const char *said, *why;
	} cases[] = {
		{__LINE__, "{}", 0, "", ""},
		{__LINE__, " { \"a\" : 1 , \"list\" : [ 2 , 3 ] , \"b\":4 } \n", 0,
		 "a=1 =2 =3 b=4 ", ""},
		{__LINE__, "{\"list\":[]}", 0, "", ""},
		{__LINE__, "{\"list\":[7,8]}", -E2BIG, "=7 ", ""},
		{__LINE__, "{\"a\":1}2", -EBADMSG, "a=1 ", "follows its end"},
		{__LINE__, "{\"a\":1", -EBADMSG, "a=1 ", "cut off"},
		{__LINE__, "{\"list\":[1", -EBADMSG, "=1 ", "does not end"},
		{__LINE__, "{\"list\":1}", -EBADMSG, "", "in no array"},
		{__LINE__, "{\"a\" 1}", -EBADMSG, "", "':'"},
		{__LINE__, "{\"a\":x}", -EBADMSG, "", "near 'x'"},
		{__LINE__, "[]", -EBADMSG, "", "no JSON object"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ctd_json_walk walk = {.text = cases[i].text,
					     .end = cases[i].text + strlen(cases[i].text)};
		char said[64] = "";
		int error = ctd_json_walk_object(&walk, take_member, said);

		if (!error)
			error = ctd_json_walk_end(&walk);
		if (error != cases[i].error || strcmp(said, cases[i].said) != 0 ||
		    !strstr(walk.why, cases[i].why))
			fail_msg("line %d: %d '%s' '%s'", cases[i].line, error, said, walk.why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_is_walked_to_its_end_or_to_what_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
