/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* golden.h - compares a text with a file in tests/golden/, or rewrites it with CTD_GOLDEN_UPDATE=1.
 */
#ifndef TESTS_GOLDEN_H
#define TESTS_GOLDEN_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void golden_compare(const char *name, const char *text)
{
	char path[256], *wanted = NULL;
	size_t capacity = 0, bytes = 0;
	const char *update = getenv("CTD_GOLDEN_UPDATE");
	FILE *file;

	snprintf(path, sizeof(path), "tests/golden/%s", name);
	file = fopen(path, update ? "w" : "r");
	if (!file)
		fail_msg("%s: %s (run from the project's root; `make golden` makes it)", path,
			 strerror(errno));
	if (update) {
		if (fputs(text, file) == EOF || fclose(file) == EOF)
			fail_msg("%s: %s", path, strerror(errno));
		return;
	}
	if (getdelim(&wanted, &capacity, '\0', file) >= 0)
		bytes = strlen(wanted);
	fclose(file);
	if (bytes != strlen(text) || strcmp(wanted ? wanted : "", text) != 0)
		fail_msg("%s differs.\nwanted:\n%s\ngot:\n%s", path, wanted ? wanted : "", text);
	free(wanted);
}

#endif
