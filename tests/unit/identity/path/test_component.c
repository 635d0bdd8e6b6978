/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_component.c - components are compared and cut within their bounds. */
#include "identity/path/component.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define HEX32 "0123456789abcdef0123456789abcdef"
#define ID HEX32 HEX32

static struct ctd_component of(const char *text)
{
	return (struct ctd_component){text, strlen(text)};
}

static void a_component_is_its_whole_text(void **state)
{
	(void)state;
	assert_true(ctd_component_is(of("docker"), "docker"));
	assert_false(ctd_component_is(of("docker"), "dock"));
	assert_false(ctd_component_is(of("dock"), "docker"));
	assert_true(ctd_component_is((struct ctd_component){"docker/x", 6}, "docker"));
	assert_true(ctd_component_is(of(""), ""));
}

static void prefix_and_suffix_are_cut_only_if_both_are_there(void **state)
{
	static const struct {
		int line;
		const char *text, *prefix, *suffix, *want;
	} cases[] = {
		{__LINE__, "a-b.scope", "a-", ".scope", "b"},
		{__LINE__, "a-b.scope", "", "", "a-b.scope"},
		{__LINE__, "a-.scope", "a-", ".scope", ""},
		{__LINE__, "a-b.slice", "a-", ".scope", NULL},
		{__LINE__, "b.scope", "a-", ".scope", NULL},
		{__LINE__, "aba", "ab", "ba", NULL}, /* they may not share a byte */
		{__LINE__, "", "", "", ""},
		{__LINE__, "", "a", "", NULL},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_component rest = of("untouched");
		bool got = ctd_component_cut(of(cases[i].text), cases[i].prefix, cases[i].suffix,
					     &rest);
		const char *want = cases[i].want ? cases[i].want : "untouched";

		if (got != !!cases[i].want || !ctd_component_is(rest, want))
			fail_msg("line %d: %d, '%.*s'", cases[i].line, got, (int)rest.bytes,
				 rest.text);
	}
}

static void hex_is_lower_case_and_of_the_exact_length(void **state)
{
	(void)state;
	assert_true(ctd_component_is_hex(of(HEX32), 32));
	assert_false(ctd_component_is_hex(of(HEX32), 31));
	assert_false(ctd_component_is_hex(of(HEX32), 33));
	assert_false(ctd_component_is_hex(of("abcg"), 4));
	assert_false(ctd_component_is_hex(of("ABCD"), 4));
	assert_false(ctd_component_is_hex((struct ctd_component){"ab\0d", 4}, 4));
}

static void a_unit_holds_an_id_as_scope_or_as_a_literal_name(void **state)
{
	static const struct {
		int line;
		const char *text;
		bool want;
	} cases[] = {
		{__LINE__, "docker-" ID ".scope", true},
		{__LINE__, "system.slice:docker:" ID, true},
		{__LINE__, "docker-" ID, false},
		{__LINE__, "docker" ID ".scope", false},
		{__LINE__, "docker-" ID ".scope.scope", false},
		{__LINE__, "docker-" ID ".mount", false},
		{__LINE__, "docker-" HEX32 ".scope", false},
		{__LINE__, "docker-" ID "0.scope", false},
		{__LINE__, "xdocker-" ID ".scope", false},
		{__LINE__, "system:docker:" ID, false},
		{__LINE__, "system.slice:docke:" ID, false},
		{__LINE__, "system.slice:dockers:" ID, false},
		{__LINE__, "system.slice:docker" ID, false},
		{__LINE__, "system.slice:docker:x:" ID, false},
		{__LINE__, "system.slice:docker:" ID ".scope", false},
		{__LINE__, ":docker:" ID, false},
		{__LINE__, ":", false},
		{__LINE__, "", false},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_component id = of("untouched");
		bool got = ctd_component_unit_id(of(cases[i].text), "docker", &id);

		if (got != cases[i].want || !ctd_component_is(id, got ? ID : "untouched"))
			fail_msg("line %d: %d, '%.*s'", cases[i].line, got, (int)id.bytes, id.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_component_is_its_whole_text),
		cmocka_unit_test(prefix_and_suffix_are_cut_only_if_both_are_there),
		cmocka_unit_test(hex_is_lower_case_and_of_the_exact_length),
		cmocka_unit_test(a_unit_holds_an_id_as_scope_or_as_a_literal_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
