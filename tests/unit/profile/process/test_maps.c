/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_maps.c - executable mappings are found in /proc/PID/maps, whatever a path is called. */
#include "profile/process/maps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void executable_mappings_are_found(void **state)
{
	static const char text[] =
		"55d0a3e00000-55d0a3e28000 r--p 00000000 fe:01 1234             /usr/bin/bash\n"
		"55d0a3e28000-55d0a3ed0000 r-xp 00028000 fe:01 1234             /usr/bin/bash\n"
		"7f0000000000-7f0000001000 rwxp 00000000 00:00 0 \n"
		"7f0000001000-7f0000002000 r-xs 00001000 00:2a 99               /a (deleted)\n"
		"7ffd1d9fe000-7ffd1da00000 r-xp 00000000 00:00 0                [vdso]";
	const char *cursor = text;
	struct ctd_map map;

	(void)state;
	assert_true(ctd_maps_next(&cursor, &map));
	assert_int_equal(map.start, 0x55d0a3e28000);
	assert_int_equal(map.end, 0x55d0a3ed0000);
	assert_int_equal(map.offset, 0x28000);
	assert_int_equal(map.inode, 1234);
	assert_string_equal(map.path, "/usr/bin/bash");
	assert_false(map.deleted);
	assert_true(ctd_maps_next(&cursor, &map));
	assert_int_equal(map.inode, 0);
	assert_string_equal(map.path, "");
	assert_true(ctd_maps_next(&cursor, &map));
	assert_int_equal(map.inode, 99);
	assert_string_equal(map.path, "/a");
	assert_true(map.deleted);
	assert_true(ctd_maps_next(&cursor, &map));
	assert_string_equal(map.path, "[vdso]");
	assert_false(map.deleted);
	assert_false(ctd_maps_next(&cursor, &map));
}

static void a_path_may_have_blanks_and_newlines(void **state)
{
	static const char text[] = "1000-2000 r-xp 00000000 00:01 5          /a b  c\\012d\\x\n";
	const char *cursor = text;
	struct ctd_map map;

	(void)state;
	assert_true(ctd_maps_next(&cursor, &map));
	assert_string_equal(map.path, "/a b  c\nd\\x");
}

static void lines_that_are_none_are_left_out(void **state)
{
	static const char text[] = "\n"
				   "rubbish\n"
				   "2000-1000 r-xp 00000000 00:01 5 /a\n"
				   "-1-1000 r-xp 00000000 00:01 5 /a\n"
				   "1000-2000 r-x\n"
				   "1000-2000 r-xp \n"
				   "1000-2000 r-xp 00000000 00:01 99999999999999999999999 /a\n"
				   "1000-2000 r-xp 00000000 00:01 7\n";
	const char *cursor = text;
	struct ctd_map map;

	(void)state;
	assert_true(ctd_maps_next(&cursor, &map));
	assert_int_equal(map.inode, 7);
	assert_false(ctd_maps_next(&cursor, &map));
}

static void a_long_path_is_cut(void **state)
{
	static char text[10000] = "1000-2000 r-xp 00000000 00:01 5 ";
	const char *cursor = text;
	struct ctd_map map;

	(void)state;
	memset(text + strlen(text), 'x', 8000);
	assert_true(ctd_maps_next(&cursor, &map));
	assert_int_equal(strlen(map.path), sizeof(map.path) - 1);
	assert_false(ctd_maps_next(&cursor, &map));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(executable_mappings_are_found),
		cmocka_unit_test(a_path_may_have_blanks_and_newlines),
		cmocka_unit_test(lines_that_are_none_are_left_out),
		cmocka_unit_test(a_long_path_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
