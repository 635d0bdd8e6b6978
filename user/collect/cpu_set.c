/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cpu_set.c - reads the kernel's lists of CPUs. */
#include "collect/cpu_set.h"

#include <cgtopdown/abi.h>
#include <cgtopdown/kern.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/log.h"
#include "base/num.h"
#include "base/root.h"
#include "collect/caches.h"

#define LIST_BYTES 16384

/* A list file below /sys; one that is not there, or "(null)" (nohz_full without the option), is
 * empty. @return 0, or negative errno: it cannot be read, which is not logged. */
static int read_text(const char *path, char ret_text[LIST_BYTES])
{
	ssize_t bytes = ctd_root_read(ret_text, LIST_BYTES, "%s", path);

	if (bytes == -ENOENT || (bytes >= 0 && strstr(ret_text, "(null)"))) {
		*ret_text = '\0';
		bytes = 0;
	}
	return bytes < 0 ? (int)bytes : 0;
}

static int parse(const char *path, const char *text, bool *ret_set, int cpus)
{
	int error = ctd_parse_cpu_list(text, strlen(text), ret_set, cpus);

	if (error)
		return ctd_log_error(error, "'%s' holds no CPU list: '%s'", path, text);
	return 0;
}

static int read_list(const char *path, bool *ret_set, int cpus)
{
	char text[LIST_BYTES];
	int error = read_text(path, text);

	if (error)
		return ctd_log_error(error, "read '%s'", path);
	return parse(path, text, ret_set, cpus);
}

int ctd_cpu_set_read_online(bool *ret_online, int count)
{
	char text[LIST_BYTES];
	int error = read_text(CTD_CPUS_ONLINE, text);

	return error ? error : parse(CTD_CPUS_ONLINE, text, ret_online, count);
}

/* Possible CPUs are numbered up to the last of the list. */
static int count_possible(int *ret_cpus)
{
	autofree bool *possible = calloc(CTD_CPUS_MAX, sizeof(*possible));
	int error;

	if (!possible)
		return ctd_log_error(-ENOMEM, "read the CPU lists");
	error = read_list("/sys/devices/system/cpu/possible", possible, CTD_CPUS_MAX);
	if (error)
		return error;
	for (int cpu = 0; cpu < CTD_CPUS_MAX; cpu++) {
		if (possible[cpu])
			*ret_cpus = cpu + 1;
	}
	return 0;
}

static int read_fenced(const char *disturbed, bool *ret_fenced, int cpus)
{
	autofree bool *set = calloc(cpus, sizeof(*set));
	int error;

	if (!set)
		return ctd_log_error(-ENOMEM, "read the CPU lists");
	if (disturbed) {
		error = ctd_parse_cpu_list(disturbed, strlen(disturbed), set, cpus);
		if (error) {
			ctd_log(CTD_LOG_ERROR, "CPU list '%s': this machine has CPUs 0 to %d",
				disturbed, cpus - 1);
			return error;
		}
		for (int cpu = 0; cpu < cpus; cpu++)
			ret_fenced[cpu] = !set[cpu];
		return 0;
	}
	error = read_list("/sys/devices/system/cpu/isolated", ret_fenced, cpus);
	if (!error)
		error = read_list("/sys/devices/system/cpu/nohz_full", set, cpus);
	for (int cpu = 0; !error && cpu < cpus; cpu++)
		ret_fenced[cpu] |= set[cpu];
	return error;
}

/* The one other CPU of its core. Which of several ran is not known. */
static int read_sibling(int cpu, bool *threads, int count)
{
	char path[96], text[LIST_BYTES];
	int sibling = CTD_SIBLING_NONE;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
		 cpu);
	memset(threads, 0, (size_t)count * sizeof(*threads));
	if (read_text(path, text) || ctd_parse_cpu_list(text, strlen(text), threads, count) ||
	    !threads[cpu])
		return CTD_SIBLING_UNKNOWN;
	for (int other = 0; other < count; other++) {
		if (other == cpu || !threads[other])
			continue;
		if (sibling >= 0)
			return CTD_SIBLING_UNKNOWN;
		sibling = other;
	}
	return sibling;
}

int ctd_cpu_set_find_siblings(struct ctd_cpu_set *set)
{
	autofree bool *threads = calloc(set->count, sizeof(*threads));
	autofree int *siblings = calloc(set->count, sizeof(*siblings));
	bool any = false;

	if (!threads || !siblings)
		return -ENOMEM;
	for (int cpu = 0; cpu < set->count; cpu++) {
		siblings[cpu] = read_sibling(cpu, threads, set->count);
		any |= siblings[cpu] >= 0;
	}
	/* The collector has borrowed the array: change it in place. */
	if (set->siblings)
		memcpy(set->siblings, siblings, (size_t)set->count * sizeof(*siblings));
	else if (any)
		set->siblings = take_ptr(siblings);
	return 0;
}

int ctd_cpu_set_read(const char *disturbed, struct ctd_cpu_set *ret_set)
{
	struct ctd_cpu_set set = {.count = 1};
	int error = count_possible(&set.count);

	if (error)
		return error;
	set.online = calloc(set.count, sizeof(*set.online));
	set.fenced = calloc(set.count, sizeof(*set.fenced));
	set.cache_of = calloc(set.count, sizeof(*set.cache_of));
	if (!set.online || !set.fenced || !set.cache_of) {
		ctd_cpu_set_free(&set);
		return ctd_log_error(-ENOMEM, "read the CPU lists");
	}
	error = read_list(CTD_CPUS_ONLINE, set.online, set.count);
	if (!error)
		error = read_fenced(disturbed, set.fenced, set.count);
	if (!error)
		error = ctd_cpu_set_find_siblings(&set);
	if (!error)
		error = ctd_caches_find(set.count, set.siblings, &set.caches, set.cache_of);
	if (error)
		ctd_cpu_set_free(&set);
	else
		*ret_set = set;
	return error;
}

void ctd_cpu_set_free(struct ctd_cpu_set *set)
{
	free(set->online);
	free(set->fenced);
	free(set->siblings);
	free(set->cache_of);
	*set = (struct ctd_cpu_set){};
}
