/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_json_walk.c - a text is walked through to its end, or to what is wrong in it. */
#include <errno.h>
#include <inttypes.h>
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

/* @return the value behind "n" of a whole text, or "none", or why it is refused. */
static const char *take_n(const char *text, char said[CTD_JSON_WHY_BYTES])
{
	struct ctd_json_walk walk = {.text = text, .end = text + strlen(text)};
	auto_json json_t *value = ctd_json_walk_value(&walk);
	uint64_t integer;

	if (!value)
		return strcpy(said, walk.why);
	if (ctd_json_walk_end(&walk))
		return "not taken to its end";
	if (!ctd_json_take_integer(json_object_get(value, "n"), &integer))
		return "none";
	snprintf(said, CTD_JSON_WHY_BYTES, "%" PRIu64, integer);
	return said;
}

static void integers_have_all_64_bits(void **state)
{
	static const struct {
		int line;
		const char *text, *said;
	} cases[] = {
		{__LINE__, "{\"n\":9223372036854775807}", "9223372036854775807"},
		{__LINE__, "{\"n\":9223372036854775808}", "9223372036854775808"},
		{__LINE__, "{\"n\" : 18446744073709551615 , \"m\":1}", "18446744073709551615"},
		{__LINE__, "{\"m\":9223372036854775808,\"n\":9007199254740993}",
		 "9007199254740993"},
		{__LINE__, "{\"m\":[18446744073709551615],\"n\":3}", "3"},
		/* Digits that are no integer stay what they are. */
		{__LINE__, "{\"n\":0,\"m\":\"\\\"9223372036854775808\",\"o\":9223372036854775808}",
		 "0"},
		{__LINE__, "{\"n\":1.9223372036854775808,\"o\":9223372036854775808}", "none"},
		{__LINE__, "{\"n\":9223372036854775808e0,\"o\":9223372036854775808}", "none"},
		{__LINE__, "{\"n\":-1}", "none"},
		{__LINE__, "{\"n\":\"5\"}", "none"},
		{__LINE__, "{\"n\":null}", "none"},
		{__LINE__, "{\"n\":18446744073709551616}",
		 "too big integer near '18446744073709551616'"},
		{__LINE__, "{\"n\":-9223372036854775809}",
		 "too big negative integer near '-9223372036854775809'"},
		{__LINE__, "{\"n\":9223372036854775808", "'}' expected near end of file"},
		{__LINE__, "{\"n\":9223372036854775808,\"m\":\"",
		 "premature end of input near '\"'"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char said[CTD_JSON_WHY_BYTES];
		const char *got = take_n(cases[i].text, said);

		if (strcmp(got, cases[i].said) != 0)
			fail_msg("line %d: '%s'", cases[i].line, got);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_is_walked_to_its_end_or_to_what_is_wrong),
		cmocka_unit_test(integers_have_all_64_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
