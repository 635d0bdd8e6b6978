/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* quota.h - divides the CPU between the two cgroups of a rig, by the controller there is. */
#ifndef KERNEL_QUOTA_H
#define KERNEL_QUOTA_H

#include <sys/stat.h>

#include "rig.h"

/* Directories of the controller that divides the CPU's time, for the two cgroups: their own, or
 * with v1 others. "": there is none. */
struct quota {
	char path[2][600];
	bool v2;
};
static struct quota quota;

static void write_to(const char *directory, const char *file, const char *text, bool must)
{
	char path[700];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", directory, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text))
		must = false;
	if (fd >= 0)
		close(fd);
	if (must)
		fail_msg("write '%s' to %s", text, path);
}

static void find_quota(struct rig *rig)
{
	struct ctd_cgroup_hierarchy cpu;
	char why[160], path[700];

	snprintf(path, sizeof(path), "%s/..", rig->cgroups[0]);
	write_to(path, "cgroup.subtree_control", "+cpu", false);
	snprintf(path, sizeof(path), "%s/cpu.max", rig->cgroups[0]);
	quota.v2 = !access(path, W_OK);
	for (int i = 0; i < 2; i++) {
		if (quota.v2) {
			snprintf(quota.path[i], sizeof(quota.path[i]), "%s", rig->cgroups[i]);
			continue;
		}
		if (ctd_cgroup_hierarchy_find("cpu", &cpu, why)) {
			print_message("no controller divides the CPU's time\n");
			skip();
		}
		snprintf(quota.path[i], sizeof(quota.path[i]), "%s/ctd-kern-%d-%d", cpu.mount,
			 getpid(), i);
		assert_int_equal(mkdir(quota.path[i], 0755), 0);
	}
}

static int free_rig_and_quota(void **state)
{
	free_rig(state);
	for (int i = 0; i < 2; i++) {
		if (*quota.path[i] && !quota.v2)
			rmdir(quota.path[i]);
	}
	quota = (struct quota){};
	return 0;
}

/* What the kernel says that the first cgroup was throttled. */
static uint64_t throttled_ns(void)
{
	unsigned long long time = 0;
	char path[700], line[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/cpu.stat", quota.path[0]);
	file = fopen(path, "re");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		(void)(quota.v2 ? sscanf(line, "throttled_usec %llu", &time)
				: sscanf(line, "throttled_time %llu", &time));
	fclose(file);
	return quota.v2 ? time * 1000 : time;
}

#endif
