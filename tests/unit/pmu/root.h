/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* root.h - a machine made up file by file below a folder of its own. */
#ifndef TESTS_UNIT_PMU_ROOT_H
#define TESTS_UNIT_PMU_ROOT_H

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/root.h"

static inline void make_directories(char *path)
{
	for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		if (mkdir(path, 0777) && errno != EEXIST)
			fail_msg("mkdir %s: %s", path, strerror(errno));
		*at = '/';
	}
}

static inline void write_file(const char *root, const char *name, const char *text)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s%s", root, name);
	make_directories(path);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static inline int remove_entry(const char *path, const struct stat *status, int type,
			       struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

#endif
