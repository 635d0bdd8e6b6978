/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_shorten.c - of long names the telling parts stay. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/auto.h"
#include "format/format.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void long_names_are_cut_where_they_tell_least(void **state)
{
	static const struct {
		int line, width;
		bool unicode;
		const char *name, *shortened;
	} cases[] = {
		{__LINE__, 25, true, "/system.slice/ssh.service", "/system.slice/ssh.service"},
		{__LINE__, 24, true, "/system.slice/ssh.service", "…/ssh.service"},
		{__LINE__, 24, false, "/system.slice/ssh.service", "../ssh.service"},
		{__LINE__, 13, true, "/system.slice/ssh.service", "…/ssh.service"},
		{__LINE__, 12, true, "/system.slice/ssh.service", "ssh….service"},
		{__LINE__, 12, true, "/a/b/c/d/e/f/g", "…/c/d/e/f/g"},
		{__LINE__, 20, true, "/docker/" ID, "…/0123456789ab…"},
		{__LINE__, 24, true, "/docker/" ID, "/docker/0123456789ab…"},
		/* Also where there is room. */
		{__LINE__, 200, true, "/docker/" ID "/init", "/docker/0123456789ab…/init"},
		{__LINE__, 14, true, "/docker/" ID, "…0123456789ab"},
		{__LINE__, 20, true, "/x/cri-containerd-" ID ".scope", "…ainerd-0123456789ab"},
		{__LINE__, 20, false, "/x/cri-containerd-" ID ".scope", "..inerd-0123456789ab"},
		{__LINE__, 22, true, "/x/docker-" ID ".scope/init", "…/init"},
		{__LINE__, 21, true, "containerd:5efb5600708f", "contai…d:5efb5600708f"},
		{__LINE__, 8, true, "no-slash-at-all", "no…t-all"},
		{__LINE__, 7, true, "中文中文中文", "中…中文"},
		{__LINE__, 1, true, "anything", "…"},
		{__LINE__, 0, true, "anything", "…"},
		{__LINE__, -5, false, "anything", ".."},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		autofree char *text =
			ctd_format_shorten(cases[i].name, cases[i].width, cases[i].unicode);

		if (strcmp(text, cases[i].shortened) != 0)
			fail_msg("line %d: %s", cases[i].line, text);
	}
}

static void no_width_is_exceeded(void **state)
{
	static const char *const names[] = {
		"/system.slice/ssh.service",
		"/docker/" ID,
		"/x/cri-containerd-" ID ".scope/a/b",
		"中文中文中文",
		"/中文/中文中文中文中文",
		"",
		"/",
		"a",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (int width = 2; width < 100; width++) {
			autofree char *text = ctd_format_shorten(names[i], width, width % 2);

			if (ctd_format_width(text) > width)
				fail_msg("%s in %d: %s", names[i], width, text);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_names_are_cut_where_they_tell_least),
		cmocka_unit_test(no_width_is_exceeded),
	};

	if (!setlocale(LC_ALL, "C.UTF-8")) {
		puts("no C.UTF-8 locale here");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
