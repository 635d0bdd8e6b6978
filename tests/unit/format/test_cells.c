/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_cells.c - what is put into a table, cell by cell, is what it shows. */
#include "format/cells.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/auto.h"
#include "format/colour.h"

/* A branch, a name of which some does not print, and a column that is passed over. */
static void assert_shown(bool unicode, const char *wanted)
{
	const struct ctd_sink_options options = {.unicode = unicode};
	auto_ctd_cells struct ctd_cells cells = {0};
	autofree char *text = NULL;

	ctd_cells_begin(&cells, &options);
	ctd_cells_add_column(&cells, "NAME", SCOLS_FL_TREE);
	ctd_cells_add_column(&cells, "LEFT", 0);
	ctd_cells_add_column(&cells, "CPU%", SCOLS_FL_RIGHT);
	ctd_cells_add_line(&cells, -1, NULL);
	ctd_cells_add_name(&cells, "a", 10);
	ctd_cells_add(&cells, "x", NULL);
	ctd_cells_add(&cells, "1.0", CTD_COLOUR_BAD);
	ctd_cells_add_line(&cells, 0, NULL);
	ctd_cells_add_name(&cells, "b\n", 10);
	cells.column++;
	ctd_cells_add(&cells, "22.0", NULL);
	assert_int_equal(ctd_cells_print(&cells, &text), 0);
	assert_string_equal(text, wanted);
}

static void lines_have_branches_and_names_that_print(void **state)
{
	(void)state;
	assert_shown(true, "NAME    LEFT CPU%\n"
			   "a       x     1.0\n"
			   "└─b\\x0a      22.0");
	assert_shown(false, "NAME    LEFT CPU%\n"
			    "a       x     1.0\n"
			    "`-b\\x0a      22.0");
}

static void after_an_error_nothing_is_added(void **state)
{
	static const struct ctd_sink_options options = {0};
	auto_ctd_cells struct ctd_cells cells = {0};
	char *text = NULL;
	int error;

	(void)state;
	ctd_cells_begin(&cells, &options);
	ctd_cells_add_column(&cells, "NAME", 0);
	ctd_cells_add_line(&cells, -1, NULL);
	ctd_cells_add(&cells, "a", NULL);
	ctd_cells_add(&cells, "there is no such column", NULL);
	error = cells.error;
	assert_true(error < 0);
	ctd_cells_add_column(&cells, "LATE", 0);
	ctd_cells_add_line(&cells, -1, NULL);
	ctd_cells_add_name(&cells, "b", 10);
	assert_int_equal(scols_table_get_ncols(cells.table), 1);
	assert_int_equal(scols_table_get_nlines(cells.table), 1);
	assert_int_equal(ctd_cells_print(&cells, &text), error);
	assert_null(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_have_branches_and_names_that_print),
		cmocka_unit_test(after_an_error_nothing_is_added),
	};

	if (!setlocale(LC_ALL, "C.UTF-8")) {
		puts("no C.UTF-8 locale here");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
