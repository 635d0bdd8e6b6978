/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sampled.c - events that are sampled where they overflow: by name, as precise as can be. */
#include <cgtopdown/counters.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <asm/perf_regs.h>
#endif

#include "base/auto.h"
#include "pmu/perf_event.h"
#include "pmu/sysfs.h"

#define NS_PER_S 1000000000ull
/* Odd, so that no loop that comes round in step with them is sampled in one place. */
#define PERIOD_OFTEN 2000003
#define PERIOD_SOMETIMES 400009
#define PERIOD_SELDOM 100003
#define PERIOD_CLOCK_NS (NS_PER_S / 199)
#define PERIOD_NEVER (1ull << 40)
/* Events that take turns have theirs within some milliseconds. */
#define TRY_NS 4000000
#define TRIES 10

static const struct {
	const char *name;
	uint64_t config, period;
} hardware[] =
	{
		{"cycles", PERF_COUNT_HW_CPU_CYCLES, PERIOD_OFTEN},
		{"cpu-cycles", PERF_COUNT_HW_CPU_CYCLES, PERIOD_OFTEN},
		{"instructions", PERF_COUNT_HW_INSTRUCTIONS, PERIOD_OFTEN},
		{"cache-references", PERF_COUNT_HW_CACHE_REFERENCES, PERIOD_SELDOM},
		{"cache-misses", PERF_COUNT_HW_CACHE_MISSES, PERIOD_SELDOM},
		{"branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, PERIOD_SOMETIMES},
		{"branch-instructions", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, PERIOD_SOMETIMES},
		{"branch-misses", PERF_COUNT_HW_BRANCH_MISSES, PERIOD_SELDOM},
		{"bus-cycles", PERF_COUNT_HW_BUS_CYCLES, PERIOD_SOMETIMES},
		{"stalled-cycles-frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, PERIOD_OFTEN},
		{"stalled-cycles-backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND, PERIOD_OFTEN},
		{"ref-cycles", PERF_COUNT_HW_REF_CPU_CYCLES, PERIOD_OFTEN},
},
  software[] = {
	  {"cpu-clock", PERF_COUNT_SW_CPU_CLOCK, PERIOD_CLOCK_NS},
	  {"task-clock", PERF_COUNT_SW_TASK_CLOCK, PERIOD_CLOCK_NS},
	  {"page-faults", PERF_COUNT_SW_PAGE_FAULTS, 1},
	  {"faults", PERF_COUNT_SW_PAGE_FAULTS, 1},
	  {"minor-faults", PERF_COUNT_SW_PAGE_FAULTS_MIN, 1},
	  {"major-faults", PERF_COUNT_SW_PAGE_FAULTS_MAJ, 1},
	  {"context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES, 1},
	  {"cs", PERF_COUNT_SW_CONTEXT_SWITCHES, 1},
	  {"cpu-migrations", PERF_COUNT_SW_CPU_MIGRATIONS, 1},
	  {"migrations", PERF_COUNT_SW_CPU_MIGRATIONS, 1},
	  {"alignment-faults", PERF_COUNT_SW_ALIGNMENT_FAULTS, 1},
	  {"emulation-faults", PERF_COUNT_SW_EMULATION_FAULTS, 1},
};

/* @return its index in the table of all hardware, or -1. */
static int find_hardware(const char *name)
{
	for (size_t i = 0; i < sizeof(hardware) / sizeof(*hardware); i++)
		if (strcmp(hardware[i].name, name) == 0)
			return (int)i;
	return -1;
}

static bool find_software(const char *name, struct ctd_event *event, uint64_t *ret_period)
{
	for (size_t i = 0; i < sizeof(software) / sizeof(*software); i++) {
		if (strcmp(software[i].name, name) != 0)
			continue;
		event->type = PERF_TYPE_SOFTWARE;
		event->config = software[i].config;
		*ret_period = software[i].period;
		return true;
	}
	return false;
}

/* "u", "k"; perf's others say how precise it is to be, which it is as far as can be, and that it is
 * of the host ("H"), which it always is. */
static int take_letters(const char *letters, struct ctd_event *event)
{
	for (; *letters; letters++) {
		if (*letters == 'u')
			event->user_only = true;
		else if (*letters == 'k')
			event->kernel_only = true;
		else if (!strchr("pPH", *letters))
			return -EINVAL;
	}
	if (event->user_only && event->kernel_only)
		event->user_only = event->kernel_only = false;
	return 0;
}

/* Some PMUs show in sysfs what the kernel has a name for, and simulated ones have nothing else. A
 * hybrid processor's are told apart by the upper half ("perf/core: Add PERF_TYPE_HARDWARE
 * extended", 5.13). */
static int find_of_core(const struct ctd_pmu_facts *facts, const char *name,
			struct ctd_event *event, uint64_t *ret_period)
{
	int known = find_hardware(name);
	const char *shown = strcmp(name, "cycles") == 0 ? "cpu-cycles" : name;

	*ret_period = known < 0 ? 0 : hardware[known].period;
	if (*facts->pmu_name && !strchr(name, '/') &&
	    ctd_sysfs_event_is_there(facts->pmu_name, shown))
		return ctd_sysfs_event_read(facts->pmu_name, facts->type, shown, event);
	if (known < 0)
		return -ENOENT;
	event->type = PERF_TYPE_HARDWARE;
	event->config = hardware[known].config;
	if (*facts->core_name)
		event->config |= (uint64_t)facts->type << 32;
	return 0;
}

/* A processor that tells the instruction of any event does so of these. */
static bool can_be_precise(const char *name)
{
	int known = find_hardware(name);

	if (known < 0)
		return false;
	return hardware[known].config == PERF_COUNT_HW_INSTRUCTIONS ||
	       hardware[known].config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS ||
	       hardware[known].config == PERF_COUNT_HW_BRANCH_MISSES;
}

int ctd_sampled_find(const struct ctd_pmu_facts *facts, const char *name,
		     struct ctd_sampled_core *ret_core, uint64_t *ret_period)
{
	const char *colon = strchr(name, ':');
	struct ctd_event event = {0};
	uint64_t period = 0;
	int error = 0;

	if ((size_t)snprintf(event.name, sizeof(event.name), "%.*s",
			     colon ? (int)(colon - name) : (int)strlen(name),
			     name) >= sizeof(event.name))
		return -ENOENT;
	if (!find_software(event.name, &event, &period)) {
		char plain[sizeof(event.name)];

		memcpy(plain, event.name, sizeof(plain));
		error = find_of_core(facts, plain, &event, &period);
	}
	if (!error && colon)
		error = take_letters(colon + 1, &event);
	if (error)
		return error;
	ret_core->event = event;
	ret_core->can_be_precise = event.type != PERF_TYPE_SOFTWARE && can_be_precise(event.name);
	*ret_period = period;
	return 0;
}

static bool is_precise(enum ctd_precision precision)
{
	return precision > CTD_PRECISION_SKID && precision < CTD_PRECISION_SOFTWARE;
}

/*
 * A precise event has the registers of its instruction, if they are asked for: else those of the
 * interrupt that comes later (arch/x86/events/intel/ds.c). BPF programs may take stacks of it only
 * with the kernel's own chain ("bpf: Fail PERF_EVENT_IOC_SET_BPF when bpf_get_[stack|stackid]
 * cannot work", 5.9); with that each comes at once, too, and not several of a buffer.
 */
static void make_precise(struct perf_event_attr *attr, enum ctd_precision precision)
{
	attr->precise_ip = (unsigned int)precision & 3;
	attr->sample_type = PERF_SAMPLE_CALLCHAIN;
#if defined(__x86_64__)
	attr->sample_type |= PERF_SAMPLE_REGS_INTR;
	attr->sample_regs_intr = (1ull << PERF_REG_X86_64_MAX) - 1;
	attr->sample_regs_intr &= ~(1ull << PERF_REG_X86_DS | 1ull << PERF_REG_X86_ES |
				    1ull << PERF_REG_X86_FS | 1ull << PERF_REG_X86_GS);
#endif
}

void ctd_sampled_attr(const struct ctd_sampled_core *core, uint64_t period,
		      struct perf_event_attr *ret_attr)
{
	const struct ctd_event *event = &core->event;

	*ret_attr = (struct perf_event_attr){
		.type = event->type,
		.size = sizeof(*ret_attr),
		.config = event->config,
		.config1 = event->config1,
		.config2 = event->config2,
		.sample_period = period,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = 1,
		/* Of clocks; a driver may refuse it. */
		.exclude_idle = event->type == PERF_TYPE_SOFTWARE,
		.exclude_guest = 1,
		.exclude_kernel = event->user_only,
		.exclude_hv = event->user_only,
		.exclude_user = event->kernel_only,
	};
	if (is_precise(core->precision))
		make_precise(ret_attr, core->precision);
}

static int try_precision(ctd_perf_event_open_fn *open_event, const struct ctd_sampled_core *core,
			 int cpu)
{
	struct perf_event_attr attr;
	int fd;

	ctd_sampled_attr(core, PERIOD_OFTEN, &attr);
	fd = open_event(&attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

/* Arm's drivers take any precise_ip, and heed none. */
static enum ctd_precision best_precision(const struct ctd_pmu_facts *facts)
{
	return strcmp(facts->vendor, "arm") == 0 ? CTD_PRECISION_SKID : CTD_PRECISION_EXACT;
}

int ctd_sampled_try_with(ctd_perf_event_open_fn *open_event, const struct ctd_pmu_facts *facts,
			 int cpu, struct ctd_sampled_core *core)
{
	int error;

	if (core->event.type == PERF_TYPE_SOFTWARE) {
		core->precision = CTD_PRECISION_SOFTWARE;
		return try_precision(open_event, core, cpu);
	}
	core->precision = best_precision(facts);
	error = try_precision(open_event, core, cpu);
	while (core->precision > CTD_PRECISION_SKID &&
	       (error == -EINVAL || error == -EOPNOTSUPP || error == -ENOENT)) {
		core->precision--;
		error = try_precision(open_event, core, cpu);
	}
	return error;
}

/* What is opened may still find no counter, as long as others have them. */
static int try_to_run(const struct ctd_sampled_core *core, int cpu)
{
	const struct timespec time = {.tv_nsec = TRY_NS};
	uint64_t count[3] = {0}; /* events, time enabled, time running */
	struct perf_event_attr attr;
	autoclose int fd = -1;

	/* No sample comes; a precise event without a period is refused. */
	ctd_sampled_attr(core, PERIOD_NEVER, &attr);
	attr.disabled = 0;
	fd = ctd_perf_event_open(&attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return fd;
	for (int i = 0; i < TRIES && !count[2]; i++) {
		nanosleep(&time, NULL);
		if (read(fd, count, sizeof(count)) != sizeof(count))
			return -EIO;
	}
	return count[1] && !count[2] ? -EBUSY : 0;
}

int ctd_sampled_try(const struct ctd_pmu_facts *facts, int cpu, struct ctd_sampled_core *core)
{
	int error = cpu < 0 ? -ENODEV : ctd_sampled_try_with(ctd_perf_event_open, facts, cpu, core);

	return error ? error : try_to_run(core, cpu);
}

const char *ctd_sampled_why(const struct ctd_pmu_facts *facts, int error)
{
	bool pmu = facts->core_pmu || *facts->pmu_name;

	if ((error == -ENOENT || error == -EOPNOTSUPP || error == -ENODEV) && !pmu)
		return facts->hypervisor
			       ? "this virtual machine has no PMU; see cgtopdown doctor"
			       : "there is no PMU in /sys/bus/event_source/devices; see cgtopdown doctor";
	if (error == -EOPNOTSUPP && facts->hypervisor)
		return "its PMU sends no interrupts here, as in many virtual machines, or it was lent to such";
	if (error == -EOPNOTSUPP)
		return "its PMU sends no interrupts, or the kernel lent it to virtual machines (mediated vPMU)";
	if (error == -EINVAL)
		return "the kernel does not let it be sampled on this PMU, which may lack the event";
	return ctd_perf_event_advice(-error);
}

uint64_t ctd_sampled_count(const struct ctd_sampled_event *event, const bool *online, int cpus,
			   uint64_t ns)
{
	const struct timespec time = {.tv_sec = (time_t)(ns / NS_PER_S),
				      .tv_nsec = (long)(ns % NS_PER_S)};
	autofree int *fds = malloc((size_t)cpus * sizeof(*fds));
	uint64_t most = 0;

	for (int cpu = 0; fds && cpu < cpus; cpu++) {
		const struct ctd_sampled_core *core = &event->core_types[event->core_type_of[cpu]];
		struct perf_event_attr attr;

		ctd_sampled_attr(&(struct ctd_sampled_core){.event = core->event}, 0, &attr);
		attr.disabled = 0;
		attr.read_format = 0;
		fds[cpu] = online[cpu] && core->there
				   ? ctd_perf_event_open(&attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC)
				   : -1;
	}
	nanosleep(&time, NULL);
	for (int cpu = 0; fds && cpu < cpus; cpu++) {
		uint64_t count = 0;

		if (fds[cpu] < 0)
			continue;
		if (read(fds[cpu], &count, sizeof(count)) == sizeof(count) && count > most)
			most = count;
		close(fds[cpu]);
	}
	return most;
}
