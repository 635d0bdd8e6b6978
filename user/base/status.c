/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* status.c - numbers that the kernel tells of a process or thread. */
#include "base/status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/root.h"

static const char *find_line(const char *text, const char *field)
{
	size_t length = strlen(field);

	while (strncmp(text, field, length) != 0 || text[length] != ':') {
		text = strchr(text, '\n');
		if (!text)
			return NULL;
		text++;
	}
	return text;
}

int ctd_status_number(uint32_t task, const char *field, uint32_t *ret_number)
{
	char text[8192];
	const char *line, *number;
	ssize_t got = ctd_root_read(text, sizeof(text), "/proc/%u/status", task);

	if (got < 0)
		return (int)got;
	line = find_line(text, field);
	if (!line)
		return -ENODATA;
	number = memrchr(line, '\t', (size_t)(strchrnul(line, '\n') - line));
	if (!number)
		return -ENODATA;
	*ret_number = (uint32_t)strtoul(number + 1, NULL, 10);
	return 0;
}
