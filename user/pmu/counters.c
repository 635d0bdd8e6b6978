/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* counters.c - opens one group of counters per CPU, all of it or nothing. */
#include <cgtopdown/counters.h>

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/log.h"
#include "pmu/perf_event.h"

/* In reverse: a leader that goes first would leave its siblings counting on their own. */
static void close_fds(int *fds, int count)
{
	while (count-- > 0) {
		if (fds[count] >= 0)
			close(fds[count]);
		fds[count] = -1;
	}
}

/*
 * exclude_guest: while a virtual machine with a mediated vPMU exists, the kernel refuses anything
 * else, and an open counter without it would keep such a machine from being made. It is set on
 * all, as topdown members share the control bits of the leader's counter. The siblings run with
 * the leader, which alone starts disabled.
 */
static int open_group(ctd_perf_event_open_fn *open_event, const struct ctd_counter_plan *plan,
		      int group, int cpu, bool silent, int *ret_fds)
{
	for (int i = 0; i < plan->events_count; i++) {
		const struct ctd_event *event = ctd_plan_event(plan, group, i);
		bool leader = i == 0;
		struct perf_event_attr attr = {
			.type = event->type,
			.size = sizeof(attr),
			.config = event->config,
			.config1 = event->config1,
			.config2 = event->config2,
			.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
				       PERF_FORMAT_TOTAL_TIME_RUNNING |
				       (leader ? PERF_FORMAT_GROUP : 0),
			.disabled = leader,
			.pinned = leader && plan->pinned,
			.exclude_guest = 1,
			.exclude_kernel = event->user_only,
			.exclude_hv = event->user_only,
			.exclude_user = event->kernel_only,
		};
		int fd = open_event(&attr, -1, cpu, leader ? -1 : ret_fds[0], PERF_FLAG_FD_CLOEXEC);

		if (fd < 0) {
			ctd_log(silent || fd == -ENODEV ? CTD_LOG_DEBUG : CTD_LOG_ERROR,
				"perf_event_open(%s, cpu %d): %s - %s", event->name, cpu,
				strerror(-fd), ctd_perf_event_advice(-fd));
			close_fds(ret_fds, i);
			return fd;
		}
		ret_fds[i] = fd;
	}
	return 0;
}

static int *fds_of(const struct ctd_counters *counters, int cpu, int group)
{
	assert(cpu >= 0 && cpu < counters->cpus && group >= 0 && group < counters->groups_count);
	return ctd_counters_group(counters, cpu, group);
}

int ctd_counters_open_cpu_with(ctd_perf_event_open_fn *open_event,
			       const struct ctd_counter_plan *plan, struct ctd_counters *counters,
			       int cpu)
{
	if (!ctd_plan_counts(plan))
		return 0;
	assert(plan->events_count == counters->events_count);
	ctd_counters_close_cpu(counters, cpu);
	for (int group = 0; group < plan->groups_count; group++) {
		int err = open_group(open_event, plan, group, cpu, false,
				     fds_of(counters, cpu, group));

		if (err) {
			ctd_counters_close_cpu(counters, cpu);
			return err;
		}
	}
	return 0;
}

/* Opens a group and closes it again. @return 0 or negative errno, silently. */
static int try_group(ctd_perf_event_open_fn *open_event, const struct ctd_counter_plan *plan,
		     int group, int cpu)
{
	int fds[CTD_COUNTERS_MAX];
	int err = open_group(open_event, plan, group, cpu, true, fds);

	if (!err)
		close_fds(fds, plan->events_count);
	return err;
}

static void say_refused(struct ctd_counter_plan *plan, const char *what, int group)
{
	size_t said = strlen(plan->why);
	int events = 0;

	while (events < plan->events_count &&
	       ctd_plan_event(plan, group, events)->type != PERF_TYPE_SOFTWARE)
		events++;
	snprintf(plan->why + said, sizeof(plan->why) - said,
		 ", but %s: the kernel refuses a group of %d counters", what, events);
}

/* The largest number of the first group's events below @p count of which some nodes make use; 0:
 * none. */
static int next_smaller(const struct ctd_cpu_model *model, int count)
{
	int smaller = 0;

	for (int i = 0; i < model->nodes_count; i++) {
		const struct ctd_node *node = &model->nodes[i];

		if (node->group == 0 && node->counters < count && node->counters > smaller)
			smaller = node->counters;
	}
	return smaller;
}

void ctd_counters_fit_with(ctd_perf_event_open_fn *open_event, struct ctd_counter_plan *plan,
			   int cpu)
{
	int planned = plan->events_count;

	if (!ctd_plan_counts(plan) || plan->topdown_refresh || !plan->model)
		return;
	for (int group = plan->groups_count - 1; group > 0; group--) {
		if (try_group(open_event, plan, group, cpu) != -EINVAL)
			continue;
		say_refused(plan, "not all in rotation", group);
		plan->groups_count = group;
	}
	while (try_group(open_event, plan, 0, cpu) == -EINVAL) {
		int smaller = next_smaller(plan->model, plan->events_count);

		if (!smaller)
			return; /* opening it will say what is refused */
		if (plan->events_count == planned)
			say_refused(plan, "less", 0);
		/* The places of further groups would be others. */
		plan->groups_count = 1;
		plan->events_count = plan->counters_count = smaller;
	}
}

/* All that count have as many events; the number of groups is each core type's own. One of which no
 * CPU is online has its place: one may come. */
static struct ctd_counters shape_of(const struct ctd_counter_plan *plans,
				    const uint8_t *core_type_of, int cpus)
{
	struct ctd_counters counters = {
		.cpus = cpus, .groups_count = 1, .core_type_of = core_type_of};

	for (int type = 0; type < (core_type_of ? CTD_CORE_TYPES_MAX : 1); type++) {
		const struct ctd_counter_plan *plan = &plans[type];

		counters.core_type_groups[type] = plan->groups_count;
		if (plan->groups_count > counters.groups_count)
			counters.groups_count = plan->groups_count;
		if (plan->events_count > counters.events_count)
			counters.events_count = plan->events_count;
	}
	return counters;
}

/* For a moment the kernel's list of CPUs has one that perf has not yet, or not any more
 * (CPUHP_AP_PERF_ONLINE in include/linux/cpuhotplug.h). @return 0 or negative errno. */
static int say_absent(int cpu, bool others_have)
{
	if (!others_have)
		return ctd_log_error(-ENODEV, "open the counters of cpu %d: %s", cpu,
				     ctd_perf_event_advice(ENODEV));
	ctd_info("cpu %d: %s", cpu, ctd_perf_event_advice(ENODEV));
	return 0;
}

int ctd_counters_open_with(ctd_perf_event_open_fn *open_event, const struct ctd_counter_plan *plans,
			   const uint8_t *core_type_of, const bool *online, int cpus,
			   struct ctd_counters *ret_counters)
{
	struct ctd_counters counters = shape_of(plans, core_type_of, cpus);
	size_t fds = (size_t)cpus * (size_t)counters.groups_count * (size_t)counters.events_count;
	int absent = -1, err = 0;
	bool opened = false;

	assert(counters.events_count >= 0 && counters.events_count <= CTD_COUNTERS_MAX);
	if (fds) {
		counters.fd = malloc(fds * sizeof(*counters.fd));
		if (!counters.fd)
			return ctd_log_error(-ENOMEM, "counters of %d CPUs", cpus);
		memset(counters.fd, -1, fds * sizeof(*counters.fd));
	}
	for (int cpu = 0; cpu < cpus && !err; cpu++) {
		const struct ctd_counter_plan *plan = &plans[core_type_of ? core_type_of[cpu] : 0];

		if (!online[cpu])
			continue;
		err = ctd_counters_open_cpu_with(open_event, plan, &counters, cpu);
		opened = opened || !err;
		if (err == -ENODEV) {
			absent = cpu;
			err = 0;
		}
	}
	if (!err && absent >= 0)
		err = say_absent(absent, opened);
	if (err) {
		ctd_counters_free(&counters);
		return err;
	}
	*ret_counters = counters;
	return 0;
}

int ctd_counters_open(const struct ctd_counter_plan *plans, const uint8_t *core_type_of,
		      const bool *online, int cpus, struct ctd_counters *ret_counters)
{
	return ctd_counters_open_with(ctd_perf_event_open, plans, core_type_of, online, cpus,
				      ret_counters);
}

void ctd_counters_fit(struct ctd_counter_plan *plan, int cpu)
{
	ctd_counters_fit_with(ctd_perf_event_open, plan, cpu);
}

int ctd_counters_try(const struct ctd_counter_plan *plan, int group, int cpu)
{
	return try_group(ctd_perf_event_open, plan, group, cpu);
}

int ctd_counters_open_cpu(const struct ctd_counter_plan *plan, struct ctd_counters *counters,
			  int cpu)
{
	return ctd_counters_open_cpu_with(ctd_perf_event_open, plan, counters, cpu);
}

bool ctd_counters_has(const struct ctd_counters *counters, int cpu)
{
	return counters->fd && *fds_of(counters, cpu, 0) >= 0;
}

void ctd_counters_close_cpu(struct ctd_counters *counters, int cpu)
{
	for (int group = 0; counters->events_count && group < counters->groups_count; group++)
		close_fds(fds_of(counters, cpu, group), counters->events_count);
}

/* The leader of the group that counts in the current step; -1: there is none. */
static int leader_of(const struct ctd_counters *counters, int cpu)
{
	return *fds_of(counters, cpu, ctd_counters_group_of(counters, cpu, counters->step));
}

int ctd_counters_enable(const struct ctd_counters *counters)
{
	for (int cpu = 0; counters->fd && cpu < counters->cpus; cpu++) {
		int leader = leader_of(counters, cpu);

		if (leader >= 0 && ioctl(leader, PERF_EVENT_IOC_ENABLE, 0))
			return ctd_log_error(-errno, "start the counters of cpu %d", cpu);
	}
	return 0;
}

void ctd_counters_disable_cpu(const struct ctd_counters *counters, int cpu)
{
	int leader = leader_of(counters, cpu);

	if (leader >= 0)
		ioctl(leader, PERF_EVENT_IOC_DISABLE, 0);
}

void ctd_counters_disable(const struct ctd_counters *counters)
{
	for (int cpu = 0; counters->fd && cpu < counters->cpus; cpu++)
		ctd_counters_disable_cpu(counters, cpu);
}

int ctd_counters_rotate(const struct ctd_counters *counters, int cpu, int step)
{
	int from = leader_of(counters, cpu);
	int to = *fds_of(counters, cpu, ctd_counters_group_of(counters, cpu, step));

	if (from < 0 || to < 0)
		return -ENODATA; /* they could not be had, which was said then */
	/* Off first: a pinned group that finds its counters taken is dead. */
	if (ioctl(from, PERF_EVENT_IOC_DISABLE, 0) || ioctl(to, PERF_EVENT_IOC_ENABLE, 0))
		return -errno;
	return 0;
}

void ctd_counters_free(struct ctd_counters *counters)
{
	if (!counters)
		return;
	for (int cpu = 0; counters->fd && cpu < counters->cpus; cpu++)
		ctd_counters_close_cpu(counters, cpu);
	free(counters->fd);
	*counters = (struct ctd_counters){0};
}
