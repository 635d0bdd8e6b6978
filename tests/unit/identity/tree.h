/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tree.h - a directory tree made for one test, standing in for /sys/fs/cgroup and /proc. */
#ifndef TESTS_IDENTITY_TREE_H
#define TESTS_IDENTITY_TREE_H

#include <ftw.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

struct tree {
	char root[32];
};

static inline void tree_new(struct tree *ret_tree)
{
	strcpy(ret_tree->root, "/tmp/ctd-test-tree-XXXXXX");
	assert_non_null(mkdtemp(ret_tree->root));
}

/* Makes root/path with all directories above it; @p path begins with a slash. */
static inline void tree_directory(const struct tree *tree, const char *path)
{
	char whole[PATH_MAX];

	snprintf(whole, sizeof(whole), "%s%s/", tree->root, path);
	for (char *slash = whole + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		mkdir(whole, 0700);
	}
}

static inline void tree_file(const struct tree *tree, const char *path, const char *text)
{
	char whole[PATH_MAX];
	FILE *file;

	snprintf(whole, sizeof(whole), "%s%s", tree->root, path);
	file = fopen(whole, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static inline int tree_remove_one(const char *path, const struct stat *status, int type,
				  struct FTW *position)
{
	(void)status;
	(void)type;
	(void)position;
	return remove(path);
}

static inline void tree_free(const struct tree *tree)
{
	nftw(tree->root, tree_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
