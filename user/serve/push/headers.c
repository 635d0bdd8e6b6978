/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* headers.c - HTTP headers, a line each, as they are sent. */
#include "serve/push/headers.h"

#include <errno.h>
#include <string.h>

#include "base/log.h"

size_t ctd_header_name_bytes(const char *text)
{
	return strspn(text, "!#$%&'*+-.^_`|~0123456789"
			    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
}

/* "NAME: VALUE" becomes "NAME=VALUE" where it stands. */
static int take_line(char *line, struct ctd_headers *headers)
{
	size_t name_bytes = ctd_header_name_bytes(line);
	char *value = line + name_bytes;
	size_t value_bytes;

	if (!name_bytes || *value != ':')
		return -EINVAL;
	if (headers->count == CTD_HEADERS_MAX)
		return -E2BIG;
	*value++ = '=';
	value_bytes = strlen(value + strspn(value, " \t"));
	memmove(value, value + strspn(value, " \t"), value_bytes + 1);
	while (value_bytes && strchr(" \t\r", value[value_bytes - 1]))
		value[--value_bytes] = '\0';
	headers->header[headers->count++] = line;
	return 0;
}

int ctd_headers_read(const char *path, bool again, struct ctd_headers *ret_headers)
{
	struct ctd_headers headers = {0};
	int error = ctd_secret_read(path, again, &headers.file);

	if (error)
		return error;
	if (strlen(headers.file.text) != headers.file.bytes)
		error = -EINVAL;
	for (char *line = headers.file.text, *next; !error && line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (*line && *line != '\r' && *line != '#')
			error = take_line(line, &headers);
	}
	if (error) {
		ctd_log(CTD_LOG_ERROR,
			"'%s': header %zu is not a line NAME: VALUE, or there are more than %d",
			path, headers.count + 1, CTD_HEADERS_MAX);
		ctd_headers_free(&headers);
		return error;
	}
	*ret_headers = headers;
	return 0;
}

void ctd_headers_free(struct ctd_headers *headers)
{
	ctd_secret_free(&headers->file);
	*headers = (struct ctd_headers){0};
}
