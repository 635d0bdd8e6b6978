/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* mountinfo.c - parses the cgroup mounts of /proc/self/mountinfo, proc_pid_mountinfo(5). */
#include "identity/path/mountinfo.h"

#include <string.h>

/* Fields of a line, parted by single spaces; any number of optional fields stand before the "-". */
enum { FIELD_ROOT = 3, FIELD_POINT = 4, FIELD_OPTIONAL = 6 };

struct field {
	const char *text;
	size_t bytes;
};

/* @return false at the end of the line. */
static bool next_field(const char **cursor, const char *end, struct field *ret_field)
{
	const char *text = *cursor;
	const char *space;

	if (text > end)
		return false;
	space = memchr(text, ' ', (size_t)(end - text));
	if (!space)
		space = end;
	*ret_field = (struct field){text, (size_t)(space - text)};
	*cursor = space + 1;
	return true;
}

static bool field_is(struct field field, const char *text)
{
	return field.bytes == strlen(text) && !memcmp(field.text, text, field.bytes);
}

static bool is_octal(char digit)
{
	return digit >= '0' && digit <= '7';
}

/* Copies with the escapes of the kernel's mangle() undone: space, tab, newline, '\\' and '#' as
 * three octal digits. @return false if it does not fit. */
static bool unescape(struct field field, char *ret_text, size_t bytes)
{
	const char *text = field.text;
	const char *end = text + field.bytes;
	size_t at = 0;

	while (text < end) {
		char character = *text++;

		if (at + 1 >= bytes)
			return false;
		if (character == '\\' && end - text >= 3 && is_octal(text[0]) &&
		    is_octal(text[1]) && is_octal(text[2])) {
			character = (char)((text[0] - '0') << 6 | (text[1] - '0') << 3 |
					   (text[2] - '0'));
			text += 3;
		}
		ret_text[at++] = character;
	}
	ret_text[at] = '\0';
	return true;
}

static bool parse_line(const char *line, const char *end, struct ctd_cgroup_mount *ret_mount)
{
	struct field root = {0}, point = {0}, type, source, options;
	struct field field = {0};

	for (int i = 0; i < FIELD_OPTIONAL || !field_is(field, "-"); i++) {
		if (!next_field(&line, end, &field))
			return false;
		if (i == FIELD_ROOT)
			root = field;
		if (i == FIELD_POINT)
			point = field;
	}
	if (!next_field(&line, end, &type) || !next_field(&line, end, &source) ||
	    !next_field(&line, end, &options))
		return false;
	ret_mount->v2 = field_is(type, "cgroup2");
	return (ret_mount->v2 || field_is(type, "cgroup")) &&
	       unescape(root, ret_mount->root, sizeof(ret_mount->root)) &&
	       unescape(point, ret_mount->point, sizeof(ret_mount->point)) &&
	       unescape(options, ret_mount->options, sizeof(ret_mount->options));
}

bool ctd_cgroup_mount_next(const char **cursor, struct ctd_cgroup_mount *ret_mount)
{
	struct ctd_cgroup_mount mount;

	while (**cursor) {
		const char *line = *cursor;
		const char *end = strchrnul(line, '\n');

		*cursor = *end ? end + 1 : end;
		if (parse_line(line, end, &mount)) {
			*ret_mount = mount;
			return true;
		}
	}
	return false;
}

size_t ctd_mount_levels_above(const char *root)
{
	size_t levels = 0;

	for (; !strncmp(root, "/..", 3) && (root[3] == '/' || !root[3]); root += 3)
		levels++;
	return levels;
}

const char *ctd_mount_prefix(const char *root)
{
	return !strcmp(root, "/") || ctd_mount_levels_above(root) ? "" : root;
}

const char *ctd_mount_path(const char *root, const char *path)
{
	const char *prefix = ctd_mount_prefix(root);
	size_t bytes = strlen(prefix);
	bool is_in = strncmp(path, prefix, bytes) == 0 && (path[bytes] == '/' || !path[bytes]);

	return is_in ? path + bytes : NULL;
}
