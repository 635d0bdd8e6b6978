/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* limits.c - reads what limits of CPU time do to cgroups, from files that stay open. */
#include "collect/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/log.h"
#include "base/root.h"
#include "identity/path/mountinfo.h"

/* Limits change rarely. */
#define LOOK_NS 30000000000ull
/* A runtime may make the cgroup of one controller later than that of another. */
#define RETRY_NS 1000000000ull
#define RETRY_NS_MAX 60000000000ull
#define OPEN_MAX_COUNT 10000
#define TEXT_BYTES 1024
/* The map is gone through once for so many of its members that are removed. */
#define GONE_AT_ONCE 64

/* A cgroup: its file, and where its figures began. */
struct followed {
	int fd; /* owned; -1: not open */
	bool is_older; /* it was there before us: its figures count from the first that are read */
	bool begun;
	uint64_t read; /* number of the last read that met it */
	uint64_t retry_ns, wait_ns, look_ns;
	struct ctd_throttling begin, now;
};

struct reader {
	struct ctd_limits *limits;
	struct ctd_throttlings list;
	size_t capacity;
	uint64_t now_ns;
};

static bool has_cpu(const struct ctd_cgroup_hierarchy *hierarchy)
{
	char path[CTD_PATH_MAX], words[TEXT_BYTES];
	autofclose FILE *file = NULL;

	if (!hierarchy->v2)
		return strcmp(hierarchy->controller, "cpu") == 0;
	snprintf(path, sizeof(path), "%s/cgroup.controllers", hierarchy->mount);
	file = fopen(path, "re");
	if (!file)
		return false;
	while (fscanf(file, "%1023s", words) == 1)
		if (strcmp(words, "cpu") == 0)
			return true;
	return false;
}

void ctd_limits_open(const struct ctd_cgroup_hierarchy *accounted, struct ctd_limits *limits)
{
	struct rlimit files = {0};
	char why[160];

	*limits = (struct ctd_limits){.found = true, .hierarchy = *accounted};
	if (!has_cpu(accounted))
		limits->found = !ctd_cgroup_hierarchy_find("cpu", &limits->hierarchy, why);
	/* Connections, counters and files with names need some, too. */
	getrlimit(RLIMIT_NOFILE, &files);
	limits->open_max =
		files.rlim_cur / 2 < OPEN_MAX_COUNT ? files.rlim_cur / 2 : OPEN_MAX_COUNT;
}

/* @return false: it is not there, or too long. */
static bool path_of(const struct ctd_limits *limits, const struct ctd_identity *identity,
		    const char *file, char ret_path[CTD_PATH_MAX])
{
	const char *path = ctd_mount_path(limits->hierarchy.mounted_path, identity->path);

	return path && snprintf(ret_path, CTD_PATH_MAX, "%s%s/%s", limits->hierarchy.mount, path,
				file) < CTD_PATH_MAX;
}

/* @return whether there is a line that begins with the name. */
static bool take_figure(const char *text, const char *name, uint64_t *ret_figure)
{
	size_t bytes = strlen(name);

	for (; *text; text += *text == '\n') {
		char *end;

		if (strncmp(text, name, bytes) == 0 && text[bytes] == ' ') {
			*ret_figure = strtoull(text + bytes, &end, 10);
			return end > text + bytes;
		}
		text += strcspn(text, "\n");
	}
	return false;
}

/* @return false: the cgroup is gone, or says nothing of limits. */
static bool read_figures(int fd, struct ctd_throttling *ret_figures)
{
	char text[TEXT_BYTES];
	ssize_t bytes = pread(fd, text, sizeof(text) - 1, 0);
	uint64_t throttled_us;

	if (bytes <= 0)
		return false;
	text[bytes] = '\0';
	if (take_figure(text, "throttled_usec", &throttled_us))
		ret_figures->throttled_ns = throttled_us * 1000;
	else if (!take_figure(text, "throttled_time", &ret_figures->throttled_ns))
		return false;
	return take_figure(text, "nr_periods", &ret_figures->periods) &&
	       take_figure(text, "nr_throttled", &ret_figures->throttled);
}

/* @return how many numbers there were: "max" and -1 are none. */
static int read_numbers(const struct ctd_limits *limits, const struct ctd_identity *identity,
			const char *name, uint64_t ret_numbers[2])
{
	char path[CTD_PATH_MAX];
	autofclose FILE *file = path_of(limits, identity, name, path) ? fopen(path, "re") : NULL;
	char text[64], *at = text, *end;

	if (!file || !fgets(text, sizeof(text), file))
		return 0;
	for (int i = 0; i < 2; i++, at = end) {
		long long number = strtoll(at, &end, 10);

		if (end == at || number <= 0)
			return i;
		ret_numbers[i] = (uint64_t)number;
	}
	return 2;
}

/* Of time that is had in each period. */
static uint64_t limit_of(uint64_t quota_us, uint64_t period_us)
{
	return (uint64_t)((double)quota_us / (double)period_us * 1e9);
}

static void look_at_limit(const struct ctd_limits *limits, const struct ctd_identity *identity,
			  struct ctd_throttling *now)
{
	uint64_t numbers[2], period[2];

	now->limit_ns = now->request_ns = now->weight = 0;
	if (limits->hierarchy.v2) {
		if (read_numbers(limits, identity, "cpu.max", numbers) == 2)
			now->limit_ns = limit_of(numbers[0], numbers[1]);
		if (read_numbers(limits, identity, "cpu.weight", numbers) == 1)
			now->weight = numbers[0];
		return;
	}
	if (read_numbers(limits, identity, "cpu.cfs_quota_us", numbers) == 1 &&
	    read_numbers(limits, identity, "cpu.cfs_period_us", period) == 1)
		now->limit_ns = limit_of(numbers[0], period[0]);
	/*
	 * Runtimes make 1024 shares of a CPU that a pod requests. What they make of it with v2 is
	 * not one formula but two (the newer one since crun 1.23 and runc 1.3.2), and a weight does
	 * not tell which.
	 */
	if (*identity->pod_uid && read_numbers(limits, identity, "cpu.shares", numbers) == 1)
		now->request_ns = limit_of(numbers[0], 1024);
}

static void open_file(struct ctd_limits *limits, const struct ctd_identity *identity,
		      uint64_t now_ns, struct followed *followed)
{
	char path[CTD_PATH_MAX];

	if (limits->open_count >= limits->open_max) {
		if (!limits->told)
			ctd_warn(
				"more cgroups than descriptors (%zu): limits of CPU time of some are not known; raise the limit of open files",
				limits->open_max);
		limits->told = true;
	} else if (path_of(limits, identity, "cpu.stat", path)) {
		followed->fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	if (followed->fd >= 0) {
		limits->open_count++;
		return;
	}
	followed->wait_ns = followed->wait_ns ? 2 * followed->wait_ns : RETRY_NS;
	if (followed->wait_ns > RETRY_NS_MAX)
		followed->wait_ns = RETRY_NS_MAX;
	followed->retry_ns = now_ns + followed->wait_ns;
}

static struct followed *follow(struct ctd_limits *limits, uint64_t cgroup_id)
{
	struct followed *followed;
	uintptr_t value;

	if (ctd_idmap_get(&limits->followed, cgroup_id, &value))
		return (struct followed *)value;
	followed = calloc(1, sizeof(*followed));
	if (!followed)
		return NULL;
	followed->fd = -1;
	followed->is_older = limits->reads == 1;
	followed->now.cgroup_id = cgroup_id;
	if (ctd_idmap_set(&limits->followed, cgroup_id, (uintptr_t)followed)) {
		free(followed);
		return NULL;
	}
	return followed;
}

static int add(struct reader *reader, const struct followed *followed)
{
	struct ctd_throttling *to;

	if (reader->list.count == reader->capacity) {
		size_t capacity = reader->capacity ? 2 * reader->capacity : 64;
		void *items = reallocarray(reader->list.items, capacity, sizeof(*to));

		if (!items)
			return -ENOMEM;
		reader->list.items = items;
		reader->capacity = capacity;
	}
	to = &reader->list.items[reader->list.count++];
	*to = followed->now;
	to->periods -= followed->begin.periods;
	to->throttled -= followed->begin.throttled;
	to->throttled_ns -= followed->begin.throttled_ns;
	return 0;
}

static int read_one(const struct ctd_identity *identity, void *context)
{
	struct reader *reader = context;
	struct ctd_limits *limits = reader->limits;
	struct followed *followed;

	if (identity->removed)
		return 0;
	followed = follow(limits, identity->cgroup_id);
	if (!followed)
		return -ENOMEM;
	followed->read = limits->reads;
	if (followed->fd < 0 && reader->now_ns >= followed->retry_ns)
		open_file(limits, identity, reader->now_ns, followed);
	if (followed->fd < 0 || !read_figures(followed->fd, &followed->now))
		return 0;
	if (!followed->begun && followed->is_older)
		followed->begin = followed->now;
	followed->begun = true;
	/* The kernel counts periods where there is a limit only. */
	if (!followed->now.periods)
		return 0;
	if (reader->now_ns >= followed->look_ns) {
		look_at_limit(limits, identity, &followed->now);
		followed->look_ns = reader->now_ns + LOOK_NS;
	}
	return add(reader, followed);
}

/* Those that the last read did not meet, some of them. @return how many. */
static size_t find_gone(const struct ctd_limits *limits, struct followed *ret_gone[GONE_AT_ONCE])
{
	size_t cursor = 0, count = 0;
	uintptr_t value;
	uint64_t id;

	while (count < GONE_AT_ONCE && ctd_idmap_next(&limits->followed, &cursor, &id, &value)) {
		ret_gone[count] = (struct followed *)value;
		count += ret_gone[count]->read != limits->reads;
	}
	return count;
}

static void forget_gone(struct ctd_limits *limits)
{
	struct followed *gone[GONE_AT_ONCE];
	size_t count;

	do {
		count = find_gone(limits, gone);
		for (size_t i = 0; i < count; i++) {
			ctd_idmap_remove(&limits->followed, gone[i]->now.cgroup_id);
			if (gone[i]->fd >= 0) {
				close(gone[i]->fd);
				limits->open_count--;
			}
			free(gone[i]);
		}
	} while (count == GONE_AT_ONCE);
}

static int by_id(const void *a, const void *b)
{
	const struct ctd_throttling *one = a, *other = b;

	return one->cgroup_id < other->cgroup_id ? -1 : one->cgroup_id > other->cgroup_id;
}

int ctd_limits_read(struct ctd_limits *limits, const struct ctd_identities *identities,
		    uint64_t monotonic_ns, struct ctd_throttlings *ret_list)
{
	struct reader reader = {
		.limits = limits, .list.known = limits->found, .now_ns = monotonic_ns};
	int error;

	if (!limits->found) {
		*ret_list = reader.list;
		return 0;
	}
	limits->reads++;
	error = ctd_identities_each(identities, read_one, &reader);
	if (error) {
		ctd_throttlings_free(&reader.list);
		return error;
	}
	forget_gone(limits);
	if (reader.list.count)
		qsort(reader.list.items, reader.list.count, sizeof(*reader.list.items), by_id);
	*ret_list = reader.list;
	return 0;
}

void ctd_limits_close(struct ctd_limits *limits)
{
	limits->reads++;
	forget_gone(limits);
	ctd_idmap_free(&limits->followed);
	*limits = (struct ctd_limits){0};
}
