/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* self.c - looks at what this process uses. */
#include "serve/self.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/log.h"

static uint64_t ns_of(struct timeval time)
{
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_usec * 1000;
}

/* @return 0 if it cannot be told. */
static uint64_t count_descriptors(void)
{
	const struct dirent *entry;
	struct stat status;
	uint64_t count = 0;
	DIR *directory;

	/* Linux 6.2 says it as a size (f1f1f2569901, "proc: report open files as size in stat() for
	 * /proc/pid/fd"): listing takes a microsecond for each, and each CPU has counters. */
	if (!stat("/proc/self/fd", &status) && status.st_size > 0)
		return (uint64_t)status.st_size;
	directory = opendir("/proc/self/fd");
	if (!directory)
		return 0;
	while ((entry = readdir(directory)))
		count += entry->d_name[0] != '.';
	closedir(directory);
	return count - 1; /* without the one that it took to look */
}

void ctd_self_read(struct ctd_self *self)
{
	autofclose FILE *statm = fopen("/proc/self/statm", "re");
	char line[256] = "", *next;
	uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	struct rusage usage;
	struct rlimit files;

	self->version = CTD_VERSION;
	self->lost_log_lines = ctd_log_lost();
	if (!getrusage(RUSAGE_SELF, &usage))
		self->cpu_ns = ns_of(usage.ru_utime) + ns_of(usage.ru_stime);
	if (statm && fgets(line, sizeof(line), statm)) {
		self->virtual_bytes = strtoull(line, &next, 10) * page_bytes;
		self->resident_bytes = strtoull(next, NULL, 10) * page_bytes;
	}
	self->open_fds = count_descriptors();
	if (!getrlimit(RLIMIT_NOFILE, &files))
		self->max_fds = files.rlim_cur;
}
