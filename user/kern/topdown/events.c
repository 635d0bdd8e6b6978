/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* events.c - hands a CPU's open counters to the programs, and takes them back when the CPU goes. */
#include "kern/topdown/topdown.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "bpf/topdown.skel.h"

void ctd_kern_take_core_type(struct ctd_kern *kern, int cpu)
{
	uint8_t core = kern->options.core_type_of ? kern->options.core_type_of[cpu] : 0;
	bool changed = kern->core_type_of[cpu] != core;

	kern->core_type_of[cpu] = core;
	/* Later choose_reading() sets it with each group. */
	if (changed || !kern->cpus[cpu].read)
		__atomic_store_n(&kern->cpus[cpu].read, kern->options.plans[core].read,
				 __ATOMIC_RELEASE);
	/* Rows are sorted by core type, which was unknown until this CPU came. */
	if (changed)
		ctd_kern_sort_rows(kern);
}

void ctd_kern_take_siblings(struct ctd_kern *kern)
{
	for (int cpu = 0; kern->siblings && cpu < kern->options.cpus; cpu++)
		__atomic_store_n(&kern->siblings[cpu].sibling,
				 (uint32_t)(kern->options.siblings[cpu] + 1), __ATOMIC_RELEASE);
}

/* The map holds a reference to each event, which would outlive its file descriptor. */
static void take_counters_back(struct ctd_kern *kern, int cpu)
{
	int map = bpf_map__fd(kern->skeleton->maps.cgtd_counters);

	for (uint32_t i = 0; i < kern->counters_count; i++) {
		uint32_t index = i * (uint32_t)kern->options.cpus + (uint32_t)cpu;

		bpf_map_delete_elem(map, &index);
	}
	/* Readings fail from here on, and new counters begin at 0. */
	__atomic_store_n(&kern->cpus[cpu].counted, 0, __ATOMIC_RELEASE);
}

static int give_counter(struct ctd_kern *kern, const struct ctd_counters *counters, int cpu,
			int group, uint32_t which)
{
	uint32_t index = which * (uint32_t)kern->options.cpus + (uint32_t)cpu;
	int fd = ctd_counters_group(counters, cpu, group)[which];

	if (bpf_map_update_elem(bpf_map__fd(kern->skeleton->maps.cgtd_counters), &index, &fd,
				BPF_ANY))
		return ctd_log_error(
			-errno, "give %s of cpu %d to the BPF programs",
			ctd_plan_event(ctd_kern_plan(kern, cpu), group, (int)which)->name, cpu);
	return 0;
}

static int give_siblings(struct ctd_kern *kern, const struct ctd_counters *counters, int cpu,
			 int group)
{
	int error = 0;

	for (uint32_t i = 1; i < kern->counters_count && !error; i++)
		error = give_counter(kern, counters, cpu, group, i);
	return error;
}

/* Checks that the addresses that the programs noted are those of the events that were opened. */
static int check_addresses(struct ctd_kern *kern, int cpu, int group)
{
	LIBBPF_OPTS(bpf_test_run_opts, run);
	const struct ctd_counter_plan *plan = ctd_kern_plan(kern, cpu);

	kern->skeleton->bss->resolve_cpu = (uint32_t)cpu;
	if (bpf_prog_test_run_opts(bpf_program__fd(kern->skeleton->progs.cgtd_resolve), &run))
		return ctd_log_error(-errno, "look up the events of cpu %d in the kernel", cpu);
	for (uint32_t i = 1; i < kern->counters_count; i++) {
		const struct ctd_event *event = ctd_plan_event(plan, group, (int)i);
		uint64_t config = kern->skeleton->bss->resolved[i].config;

		if (kern->skeleton->bss->resolved[i].cpu == (uint32_t)cpu &&
		    config == event->config)
			continue;
		ctd_log(CTD_LOG_ERROR,
			"the kernel's record of %s on cpu %d is not where it was expected; use --read each",
			event->name, cpu);
		return -ENOTRECOVERABLE;
	}
	return 0;
}

/* Tells the programs how to read the siblings, which they have by now. Those of the IPC group, and
 * of groups beside the plan's own, are read each by itself: no leader updates them. @return 0 or
 * negative errno. */
static int choose_reading(struct ctd_kern *kern, int cpu, int group)
{
	const struct ctd_counter_plan *plan = ctd_kern_plan(kern, cpu);
	bool each = ctd_plan_is_ipc(plan, group) || group >= ctd_plan_own_groups(plan);
	enum ctd_read read = each ? CTD_READ_EACH : plan->read;

	__atomic_store_n(&kern->cpus[cpu].read, read, __ATOMIC_RELEASE);
	__atomic_store_n(&kern->cpus[cpu].group, (uint32_t)group, __ATOMIC_RELEASE);
	return read == CTD_READ_LEADER ? check_addresses(kern, cpu, group) : 0;
}

int ctd_kern_set_counters(struct ctd_kern *kern, const struct ctd_counters *counters, int cpu)
{
	int group = ctd_counters_group_of(counters, cpu, counters->step);
	int error;

	take_counters_back(kern, cpu);
	ctd_kern_take_core_type(kern, cpu);
	error = give_siblings(kern, counters, cpu, group);
	if (!error)
		error = choose_reading(kern, cpu, group);
	/* The leader last: the programs read it first, and its siblings only after it. */
	return error ? error : give_counter(kern, counters, cpu, group, 0);
}

void ctd_kern_end_step(struct ctd_kern *kern, int cpu)
{
	__atomic_store_n(&kern->cpus[cpu].rotating, 1, __ATOMIC_RELEASE);
}

void ctd_kern_pause_counters(struct ctd_kern *kern, int cpu)
{
	ctd_kern_end_step(kern, cpu);
	take_counters_back(kern, cpu);
}

int ctd_kern_begin_step(struct ctd_kern *kern, const struct ctd_counters *counters, int cpu,
			int step)
{
	struct ctd_cpu_state *state = &kern->cpus[cpu];
	int group = ctd_counters_group_of(counters, cpu, step);
	int error;

	take_counters_back(kern, cpu);
	error = ctd_counters_rotate(counters, cpu, step);
	if (!error)
		error = give_siblings(kern, counters, cpu, group);
	if (!error)
		error = choose_reading(kern, cpu, group);
	if (!error)
		error = give_counter(kern, counters, cpu, group, 0);
	__atomic_store_n(&state->rotating, 0, __ATOMIC_RELEASE);
	/* Takes the baseline now, not at the next switch. */
	return error ? error : ctd_kern_flush_cpu(kern, cpu);
}

int ctd_kern_cpu_online(struct ctd_kern *kern, int cpu, bool online)
{
	int error, flushed;

	kern->online[cpu] = online;
	if (online) {
		ctd_kern_take_core_type(kern, cpu);
		ctd_kern_take_siblings(kern);
	}
	if (!online) {
		if (kern->read != CTD_READ_NONE && kern->read != CTD_READ_SIM)
			take_counters_back(kern, cpu);
		ctd_kern_forget_slice(kern, cpu);
	}
	error = ctd_kern_watch_cpu(kern, cpu, online);
	if (error == -ENODEV)
		kern->online[cpu] = false;
	if (!kern->online[cpu] || kern->fenced[cpu])
		return error;
	/* Takes the baseline now, not at the next switch. */
	flushed = ctd_kern_flush_cpu(kern, cpu);
	if (flushed && flushed != -ENXIO)
		return ctd_log_error(flushed, "run the flush program on cpu %d", cpu);
	return error;
}

bool ctd_kern_is_online(const struct ctd_kern *kern, int cpu)
{
	return kern->online[cpu];
}
