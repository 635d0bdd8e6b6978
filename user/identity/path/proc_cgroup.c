/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* proc_cgroup.c - parses the v1 lines of /proc/self/cgroup, cgroups(7). */
#include "identity/path/proc_cgroup.h"

#include <stddef.h>
#include <string.h>

#include "base/num.h"

/* Cuts the text before the next colon off, of one byte at least. @return false if it does not fit. */
static bool take_field(const char **cursor, const char *end, char *ret_text, size_t bytes)
{
	const char *colon = memchr(*cursor, ':', (size_t)(end - *cursor));
	size_t field_bytes = colon ? (size_t)(colon - *cursor) : 0;

	if (!field_bytes || field_bytes >= bytes)
		return false;
	memcpy(ret_text, *cursor, field_bytes);
	ret_text[field_bytes] = '\0';
	*cursor = colon + 1;
	return true;
}

static bool parse_line(const char *line, const char *end, struct ctd_v1_hierarchy *ret_hierarchy)
{
	char id_text[sizeof("4294967295")];
	long long id;

	if (!take_field(&line, end, id_text, sizeof(id_text)) ||
	    ctd_parse_integer(id_text, 1, UINT32_MAX, &id) ||
	    !take_field(&line, end, ret_hierarchy->controllers, sizeof(ret_hierarchy->controllers)))
		return false;
	ret_hierarchy->id = (uint32_t)id;
	return true;
}

bool ctd_v1_hierarchy_next(const char **cursor, struct ctd_v1_hierarchy *ret_hierarchy)
{
	struct ctd_v1_hierarchy hierarchy;

	while (**cursor) {
		const char *line = *cursor;
		const char *end = strchrnul(line, '\n');

		*cursor = *end ? end + 1 : end;
		if (parse_line(line, end, &hierarchy)) {
			*ret_hierarchy = hierarchy;
			return true;
		}
	}
	return false;
}
