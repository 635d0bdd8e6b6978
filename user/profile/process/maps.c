/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* maps.c - the executable mappings in the text of /proc/PID/maps. */
#include "profile/process/maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DELETED " (deleted)"

/* A number in base 16 or 10 and the character behind it. @return whether they are there. */
static bool take_number(const char **at, int base, char end, uint64_t *ret_number)
{
	char *behind;

	/* strtoull() takes more than digits. */
	if (!strchr("0123456789abcdef", **at) || !**at)
		return false;
	errno = 0;
	*ret_number = strtoull(*at, &behind, base);
	if (errno || *behind != end)
		return false;
	*at = behind + 1;
	return true;
}

/* The kernel writes a newline as "\012", and nothing else so. */
static void copy_path(const char *path, size_t bytes, struct ctd_map *map)
{
	size_t count = 0;

	for (size_t i = 0; i < bytes && count < sizeof(map->path) - 1; i++) {
		if (bytes - i >= 4 && !memcmp(path + i, "\\012", 4)) {
			map->path[count++] = '\n';
			i += 3;
		} else {
			map->path[count++] = path[i];
		}
	}
	map->path[count] = '\0';
	if (count >= strlen(DELETED) && !strcmp(map->path + count - strlen(DELETED), DELETED)) {
		map->path[count - strlen(DELETED)] = '\0';
		map->deleted = true;
	}
}

/* "55d0a3e00000-55d0a3e28000 r-xp 00002000 fe:01 1234      /usr/bin/bash" */
static bool parse_line(const char *at, const char *end, struct ctd_map *map)
{
	uint64_t ignored;
	bool executable;

	map->deleted = false;
	if (!take_number(&at, 16, '-', &map->start) || !take_number(&at, 16, ' ', &map->end) ||
	    map->start >= map->end || end - at < 5 || at[4] != ' ')
		return false;
	executable = at[2] == 'x';
	at += 5;
	if (!executable || !take_number(&at, 16, ' ', &map->offset) ||
	    !take_number(&at, 16, ':', &ignored) || !take_number(&at, 16, ' ', &ignored))
		return false;
	errno = 0;
	map->inode = strtoull(at, (char **)&at, 10);
	if (errno || at > end)
		return false;
	while (at < end && *at == ' ')
		at++;
	copy_path(at, (size_t)(end - at), map);
	return true;
}

bool ctd_maps_next(const char **cursor, struct ctd_map *ret_map)
{
	while (**cursor) {
		const char *line = *cursor;
		const char *end = strchrnul(line, '\n');

		*cursor = *end ? end + 1 : end;
		if (parse_line(line, end, ret_map))
			return true;
	}
	return false;
}
