/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_named.c - only what a runtime would call a container is looked for by its path. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "identity/path/component.h"
#include "identity/path/named.h"

#define CHARS_32 "0123456789abcdefghijklmnopqrstuv"

static void paths_are_split_into_client_and_name(void **state)
{
	static const struct {
		int line;
		const char *path, *client, *name; /* NULL: it is none */
	} cases[] = {
		{__LINE__, "/default/c1", "default", "c1"},
		{__LINE__, "/default/c1/", "default", "c1"},
		{__LINE__, "/a/b/c/d", "a", "b"},
		{__LINE__, "/my-space/a.b_c-D", "my-space", "a.b_c-D"},
		{__LINE__, "/default/" CHARS_32 CHARS_32, "default", CHARS_32 CHARS_32},
		{__LINE__, "/default/" CHARS_32 CHARS_32 "x", NULL, NULL},
		{__LINE__, "", NULL, NULL},
		{__LINE__, "/", NULL, NULL},
		{__LINE__, "/default", NULL, NULL},
		{__LINE__, "/default/", NULL, NULL},
		{__LINE__, "//c1", NULL, NULL},
		{__LINE__, "/default//c1", NULL, NULL},
		{__LINE__, "default/c1", NULL, NULL},
		{__LINE__, "/../c1", NULL, NULL},
		{__LINE__, "/default/..", NULL, NULL},
		{__LINE__, "/default/.", NULL, NULL},
		{__LINE__, "/default/.hidden", NULL, NULL},
		{__LINE__, "/default/a b", NULL, NULL},
		{__LINE__, "/default/a\xff", NULL, NULL},
		{__LINE__, "/default/a\nb", NULL, NULL},
		{__LINE__, "/system.slice/ssh.service", NULL, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ctd_named_path parts;
		bool is = ctd_named_path_parse(cases[i].path, &parts);

		if (is != !!cases[i].name ||
		    (is && (!ctd_component_is(parts.client, cases[i].client) ||
			    !ctd_component_is(parts.name, cases[i].name))))
			fail_msg("line %d: '%s'", cases[i].line, cases[i].path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_split_into_client_and_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
