/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_subdirectory.c - only the directories of a directory are met. */
#include "identity/path/subdirectory.h"

#include <unistd.h>

#include "unit/identity/tree.h"

static void files_links_and_dots_are_not_met(void **state)
{
	struct tree tree;
	const char *name;
	char link[64];
	int met = 0;
	DIR *directory;

	(void)state;
	tree_new(&tree);
	tree_directory(&tree, "/one");
	tree_directory(&tree, "/.two/below");
	tree_file(&tree, "/file", "x");
	snprintf(link, sizeof(link), "%s/link", tree.root);
	assert_int_equal(symlink("one", link), 0);
	directory = opendir(tree.root);
	assert_non_null(directory);
	for (; (name = ctd_subdirectory_next(directory)); met++)
		assert_true(!strcmp(name, "one") || !strcmp(name, ".two"));
	assert_int_equal(met, 2);
	assert_null(ctd_subdirectory_next(directory));
	closedir(directory);
	tree_free(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_links_and_dots_are_not_met),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
