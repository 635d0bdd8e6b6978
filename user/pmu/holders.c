/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* holders.c - finds the processes that have perf events open, and so may hold the counters. */
#include "pmu/holders.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/num.h"
#include "base/root.h"

/* On a machine with more, nobody is to wait for a hint: a link takes about a microsecond. */
#define LINKS_MAX 100000
#define NAMES_MAX 3

/* "anon_inode:[perf_event]", of which no descriptor says what it counts. */
static const char event_link[] = "anon_inode:[perf_event]";

static void close_directory(DIR **directory)
{
	if (*directory)
		closedir(*directory);
}

#define auto_directory __attribute__((cleanup(close_directory)))

static DIR *open_directory(int parent, const char *name)
{
	autoclose int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);

	if (directory)
		(void)take_fd(fd);
	return directory;
}

static bool has_event(int process, int *links)
{
	auto_directory DIR *directory = open_directory(process, "fd");
	const struct dirent *entry;
	char target[sizeof(event_link)];

	while (directory && *links < LINKS_MAX && (entry = readdir(directory))) {
		ssize_t bytes = readlinkat(dirfd(directory), entry->d_name, target, sizeof(target));

		++*links;
		if (bytes == sizeof(event_link) - 1 &&
		    memcmp(target, event_link, sizeof(event_link) - 1) == 0)
			return true;
	}
	return false;
}

/* Anybody may call a process what they like. */
static void read_comm(int process, char ret_comm[16])
{
	autoclose int fd = openat(process, "comm", O_RDONLY | O_CLOEXEC);
	ssize_t bytes = fd < 0 ? 0 : read(fd, ret_comm, 15);

	ret_comm[bytes > 0 ? bytes : 0] = '\0';
	ret_comm[strcspn(ret_comm, "\n")] = '\0';
	for (char *at = ret_comm; *at; at++)
		if (*at < 0x20 || *at > 0x7e)
			*at = '?';
}

static void add(char *text, size_t bytes, int count, int process, long long pid)
{
	size_t used = strlen(text);
	char comm[16];

	if (count > NAMES_MAX)
		return;
	read_comm(process, comm);
	snprintf(text + used, bytes - used, "%s%s (pid %lld)", used ? ", " : "", comm, pid);
}

void ctd_holders_name(char *ret_text, size_t bytes)
{
	char path[CTD_PATH_MAX];
	auto_directory DIR *processes =
		ctd_root_path(path, "/proc") ? NULL : open_directory(AT_FDCWD, path);
	const struct dirent *entry;
	int links = 0, count = 0;
	long long pid;

	*ret_text = '\0';
	while (processes && links < LINKS_MAX && (entry = readdir(processes))) {
		autoclose int process = -1;

		if (ctd_parse_integer(entry->d_name, 1, INT_MAX, &pid) || pid == getpid())
			continue;
		process = openat(dirfd(processes), entry->d_name, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (process >= 0 && has_event(process, &links))
			add(ret_text, bytes, ++count, process, pid);
	}
	if (count > NAMES_MAX)
		snprintf(ret_text + strlen(ret_text), bytes - strlen(ret_text), " and %d more",
			 count - NAMES_MAX);
}
