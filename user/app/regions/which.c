/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* which.c - goes through the processes whose regions are wanted. */
#include "app/regions/which.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "base/num.h"
#include "base/root.h"

struct looking {
	const struct ctd_region_wanted *wanted;
	struct ctd_region_programs *programs;
	struct ctd_region_looked looked;
};

static bool is_wanted(const struct ctd_region_wanted *wanted, uint32_t pid)
{
	char text[4 * CTD_REGION_CGROUP_BYTES], cgroup[CTD_REGION_CGROUP_BYTES];

	if (!wanted->cgroup_glob)
		return true;
	if (ctd_root_read(text, sizeof(text), "/proc/%u/cgroup", pid) < 0)
		return false;
	ctd_region_cgroup_of(text, cgroup);
	return fnmatch(wanted->cgroup_glob, cgroup, 0) == 0;
}

/* Is it a zombie? The name in its stat file may have anything in it, also parentheses. */
static bool is_zombie(uint32_t pid)
{
	char text[1024];
	const char *name_end;

	if (ctd_root_read(text, sizeof(text), "/proc/%u/stat", pid) < 0)
		return false;
	name_end = strrchr(text, ')');
	return name_end && (strncmp(name_end, ") Z", 3) == 0 || strncmp(name_end, ") X", 3) == 0);
}

/* One that ends meanwhile is none. */
static int look_at(struct looking *looking, uint32_t pid)
{
	int error;

	if (!is_wanted(looking->wanted, pid))
		return 0;
	error = ctd_region_programs_look(looking->programs, pid);
	if (error == -ENOMEM || error == -EMFILE || error == -ENFILE)
		return error;
	if (error == -ENOENT || error == -ESRCH)
		return 0;
	/* Of one that has ended nobody but root may see that it has no files. */
	if ((error || looking->wanted->pids.count) && is_zombie(pid))
		return 0;
	looking->looked.there++;
	if (error == -EACCES || error == -EPERM) {
		looking->looked.denied++;
		looking->looked.denied_pid = pid;
	}
	return 0;
}

static int look_at_text(struct looking *looking, const char *text)
{
	long long pid;

	return ctd_parse_integer(text, 1, INT_MAX, &pid) ? 0 : look_at(looking, (uint32_t)pid);
}

static int look_at_all(struct looking *looking)
{
	const struct dirent *entry;
	DIR *processes = opendir("/proc");
	int error = 0;

	if (!processes)
		return -errno;
	while (!error && (entry = readdir(processes)))
		error = look_at_text(looking, entry->d_name);
	closedir(processes);
	return error;
}

static int look_at_cgroup(struct looking *looking)
{
	char path[CTD_PATH_MAX], line[32];
	autofclose FILE *processes = NULL;
	int error = 0;

	snprintf(path, sizeof(path), "%s/cgroup.procs", looking->wanted->directory);
	processes = fopen(path, "re");
	if (!processes)
		return -errno;
	while (!error && fgets(line, sizeof(line), processes)) {
		line[strcspn(line, "\n")] = '\0';
		error = look_at_text(looking, line);
	}
	return error;
}

int ctd_region_look(const struct ctd_region_wanted *wanted, struct ctd_region_programs *programs,
		    struct ctd_region_looked *ret_looked)
{
	struct looking looking = {.wanted = wanted, .programs = programs};
	int error = 0;

	ctd_region_programs_begin(programs);
	if (wanted->directory)
		error = look_at_cgroup(&looking);
	else if (!wanted->pids.count)
		error = look_at_all(&looking);
	for (size_t i = 0; !error && i < wanted->pids.count; i++)
		error = look_at(&looking, wanted->pids.pids[i]);
	if (!error)
		*ret_looked = looking.looked;
	return error;
}
