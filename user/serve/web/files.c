/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* files.c - finds a file of the page by its path. */
#include "serve/web/files.h"

#include <string.h>

const struct ctd_web_file *ctd_web_file_find(const char *path)
{
	for (size_t i = 0; i < ctd_web_files_count; i++)
		if (strcmp(ctd_web_files[i].path, path) == 0)
			return &ctd_web_files[i];
	return NULL;
}
