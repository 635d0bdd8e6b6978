/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_demangle.c - C++ and Rust are shown as people write them, anything else as it is. */
#include "profile/symbols/demangle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void assert_name(const char *mangled, const char *expected)
{
	auto_ctd_strbuf struct ctd_strbuf buffer = {0};

	ctd_demangle(&buffer, mangled);
	assert_string_equal(buffer.text ? buffer.text : "", expected);
}

static void names_are_demangled_without_parameters(void **state)
{
	(void)state;
	assert_name("_ZNSt6vectorIiSaIiEE9push_backERKi",
		    "std::vector<int, std::allocator<int> >::push_back");
	assert_name("_ZN4node6crypto11TLSWrap_newERKi", "node::crypto::TLSWrap_new");
	/* Rust as it was until 2023, without the hash, and v0. */
	assert_name("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad");
	assert_name("_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar");
}

static void other_names_stay_as_they_are(void **state)
{
	(void)state;
	assert_name("main", "main");
	assert_name("_Z", "_Z");
	assert_name("_Zrubbish", "_Zrubbish");
	assert_name("", "");
	assert_name("runtime.mallocgc", "runtime.mallocgc");
}

static void what_is_no_text_is_escaped(void **state)
{
	(void)state;
	assert_name("a\x1b[31m\nb\xff", "a\\x1b[31m\\x0ab\xef\xbf\xbd");
}

/* f<a, t<a, a>, t<t<a, a>, t<a, a>>, ...>: each argument is twice as long as the one before. */
static void a_name_that_grows_without_end_is_left_as_it_is(void **state)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char mangled[512] = "_Z1fI1a1tIS0_S0_E";

	(void)state;
	for (unsigned int i = 2; i < 34; i++) {
		char next[16];

		snprintf(next, sizeof(next), "S1_IS%c_S%c_E", digits[i], digits[i]);
		strcat(mangled, next);
	}
	strcat(mangled, "Evv");
	assert_name(mangled, mangled);
}

static void a_long_name_is_not_demangled_and_cut(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf buffer = {0};
	static char mangled[6000];

	(void)state;
	memset(mangled, 'N', sizeof(mangled) - 1);
	memcpy(mangled, "_Z", 2);
	ctd_demangle(&buffer, mangled);
	assert_int_equal(buffer.bytes, CTD_DEMANGLED_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_demangled_without_parameters),
		cmocka_unit_test(other_names_stay_as_they_are),
		cmocka_unit_test(what_is_no_text_is_escaped),
		cmocka_unit_test(a_name_that_grows_without_end_is_left_as_it_is),
		cmocka_unit_test(a_long_name_is_not_demangled_and_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
