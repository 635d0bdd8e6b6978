/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_mountinfo.c - no text of /proc/self/mountinfo or /proc/self/cgroup breaks their parsers. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "identity/path/mountinfo.h"
#include "identity/path/proc_cgroup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void check_mounts(const char *text)
{
	struct ctd_cgroup_mount mount;
	const char *cursor = text;
	const char *before = cursor;

	while (ctd_cgroup_mount_next(&cursor, &mount)) {
		assert(cursor > before);
		before = cursor;
		assert(memchr(mount.point, '\0', sizeof(mount.point)));
		assert(memchr(mount.options, '\0', sizeof(mount.options)));
		assert(ctd_mount_levels_above(mount.root) <= sizeof(mount.root) / strlen("/.."));
	}
	assert(!*cursor);
}

static void check_v1_hierarchies(const char *text)
{
	struct ctd_v1_hierarchy hierarchy;
	const char *cursor = text;

	while (ctd_v1_hierarchy_next(&cursor, &hierarchy)) {
		assert(hierarchy.id > 0);
		assert(hierarchy.controllers[0] && strstr(text, hierarchy.controllers));
	}
	assert(!*cursor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	autofree char *text = malloc(bytes + 1);

	if (!text)
		return 0;
	memcpy(text, data, bytes);
	text[bytes] = '\0';
	check_mounts(text);
	check_v1_hierarchies(text);
	return 0;
}
