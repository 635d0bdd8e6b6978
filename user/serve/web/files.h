/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* files.h - the page for people: static files, in the program since it was built. */
#ifndef SERVE_WEB_FILES_H
#define SERVE_WEB_FILES_H

#include <stddef.h>

struct ctd_web_file {
	const char *path; /* "/", "/style.css" */
	const char *content_type;
	const char *etag; /* with its quotes; of what is in the file */
	const unsigned char *plain;
	size_t plain_bytes;
	const unsigned char *gzip; /* NULL: it was built without gzip(1) */
	size_t gzip_bytes;
};

/* Made from the files in user/serve/web/ by its script `embed`. */
extern const struct ctd_web_file ctd_web_files[];
extern const size_t ctd_web_files_count;

/* @return NULL: there is no file for this path. */
const struct ctd_web_file *ctd_web_file_find(const char *path);

#endif
