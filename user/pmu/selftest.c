/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* selftest.c - reads opened counters, and judges whether they count. */
#include <cgtopdown/counters.h>

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Level 1 in the order of the models' events, behind slots. */
#define BAD_SPEC 2
#define LEVEL1_FIRST 1
#define LEVEL1_LAST 4

int ctd_counters_read(const struct ctd_counters *counters, int cpu, uint64_t *ret_count,
		      uint64_t *ret_enabled_ns, uint64_t *ret_running_ns)
{
	/* As of PERF_FORMAT_GROUP, _TOTAL_TIME_ENABLED and _RUNNING, in read(2)'s order. All of the
	 * group at once: one by one, whoever is interrupted in between has counts of two instants. */
	struct {
		uint64_t events_count, enabled_ns, running_ns, count[CTD_COUNTERS_MAX];
	} group;
	size_t fixed_bytes = offsetof(typeof(group), count);
	size_t count_bytes = (size_t)counters->events_count * sizeof(*group.count);
	ssize_t bytes = read(counters->fd[(size_t)cpu * (size_t)counters->events_count], &group,
			     sizeof(group));

	if (bytes < 0)
		return -errno;
	/* End of file: the group is in error state (perf_event_open(2), pinned). */
	if ((size_t)bytes != fixed_bytes + count_bytes)
		return -ENODATA;
	memcpy(ret_count, group.count, count_bytes);
	*ret_enabled_ns = group.enabled_ns;
	*ret_running_ns = group.running_ns;
	return 0;
}

int ctd_counters_judge(const struct ctd_counter_plan *plan, const uint64_t *count,
		       uint64_t running_ns, char ret_why[160])
{
	const char *lie = NULL;
	double level1 = 0;

	for (int i = LEVEL1_FIRST; i <= LEVEL1_LAST && i < plan->events_count; i++)
		level1 += (double)count[i];
	if (!running_ns)
		lie = "they are never on the PMU: another user holds it";
	else if (!plan->topdown_refresh)
		return 0;
	else if (!count[0])
		lie = "slots stays 0 on a busy CPU, as in virtual machines without the fixed counter";
	else if (count[BAD_SPEC] == count[0])
		lie = "topdown-bad-spec equals slots, as in virtual machines without PERF_METRICS";
	else if (level1 < 0.9 * (double)count[0] || level1 > 1.1 * (double)count[0])
		lie = "the four of level 1 do not add up to slots";
	if (!lie)
		return 0;
	snprintf(ret_why, 160, "the counters open but do not count: %s", lie);
	return -ENODATA;
}
