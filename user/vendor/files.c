/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* files.c - a list of files, each once. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "vendor/find.h"

#define FILES_MAX 2000

void ctd_vendor_files_free(struct ctd_vendor_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->files[i].path);
	free(files->files);
	*files = (struct ctd_vendor_files){0};
}

int ctd_vendor_files_add(struct ctd_vendor_files *files, enum ctd_vendor_format format,
			 enum ctd_vendor_kind kind, char *path)
{
	struct ctd_vendor_file *larger;

	for (size_t i = 0; path && i < files->count; i++) {
		if (strcmp(files->files[i].path, path) == 0) {
			free(path);
			return 0;
		}
	}
	if (!path || files->count == FILES_MAX)
		goto no_memory;
	if (files->count == files->room) {
		larger = reallocarray(files->files, 2 * files->room + 16, sizeof(*larger));
		if (!larger)
			goto no_memory;
		files->files = larger;
		files->room = 2 * files->room + 16;
	}
	files->files[files->count++] = (struct ctd_vendor_file){format, kind, path};
	return 0;
no_memory:
	free(path);
	return -ENOMEM;
}
