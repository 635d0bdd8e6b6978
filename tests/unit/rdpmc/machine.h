/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* machine.h - a made-up processor with its kernel, on which rdpmc.h runs. */
#ifndef TESTS_UNIT_RDPMC_MACHINE_H
#define TESTS_UNIT_RDPMC_MACHINE_H

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EVENTS_MAX 9
#define PARTS_MAX 8
#define RDPMC_SLOTS (1u << 30 | 3)
#define RDPMC_METRICS (1u << 29)

/*
 * PERF_METRICS as Linux handles it (arch/x86/events/intel/core.c): registers of the slots since the
 * last reset, saved when the thread leaves its CPU, restored or begun at 0 when it comes back, and
 * counts of each event, which a read brings up to date. Or five general-purpose counters.
 */
static struct machine {
	char sysfs[128];
	uint32_t cpuid[2][2]; /* by leaf: EAX, EBX */
	/* What the kernel does. */
	int refusal; /* errno of perf_event_open(2) */
	bool no_page, no_rdpmc, never_runs, time_stands, counts_nothing;
	bool begins_anew; /* the registers are 0 after a switch */
	uint64_t false_metrics; /* what the register has at all times; 0: what is true */
	bool opening; /* the thread works while it looks */
	/* What was opened. */
	struct perf_event_attr attr[2 * EVENTS_MAX];
	int leader[2 * EVENTS_MAX], fd[2 * EVENTS_MAX], opened, pages_count;
	struct perf_event_mmap_page *page[EVENTS_MAX];
	bool enabled;
	/* The registers: exact parts, of which fractions are made, and what the kernel saved. */
	uint64_t slots, part[PARTS_MAX], saved_slots, saved_metrics;
	uint64_t counter[EVENTS_MAX]; /* general-purpose ones */
	uint64_t count[EVENTS_MAX]; /* of the kernel */
	uint64_t enabled_ns, running_ns;
	/* What was done. */
	int rdpmcs, reads, resets;
	void (*on_rdpmc)(uint32_t counter); /* after the register was read */
} machine;

/* What the thread does, of 1000 slots; the second four are a half of the first each. */
static const uint64_t memory_load[PARTS_MAX] = {120, 20, 60, 800, 10, 15, 40, 700};
static const uint64_t branch_load[PARTS_MAX] = {310, 440, 140, 110, 20, 420, 90, 40};

static void work(const uint64_t load[PARTS_MAX], uint64_t thousands)
{
	machine.enabled_ns += machine.time_stands ? 0 : thousands * 50;
	if (!machine.enabled || machine.never_runs)
		return;
	machine.running_ns += thousands * 50;
	if (machine.counts_nothing)
		return;
	machine.slots += thousands * 1000;
	for (int i = 0; i < PARTS_MAX; i++)
		machine.part[i] += thousands * load[i];
}

/* The register: the four of level 1 are together 255, by the largest remainders; the others are the
 * nearest. */
static uint64_t metrics_register(void)
{
	uint64_t byte[PARTS_MAX], rest[PARTS_MAX], sum = 0, metrics = 0;

	if (!machine.slots || machine.false_metrics)
		return machine.false_metrics;
	for (int i = 0; i < PARTS_MAX; i++) {
		uint64_t scaled = machine.part[i] * 255 + (i < 4 ? 0 : machine.slots / 2);

		byte[i] = scaled / machine.slots;
		rest[i] = scaled % machine.slots;
		sum += i < 4 ? byte[i] : 0;
	}
	while (sum && sum < 255) {
		int largest = 0;

		for (int i = 1; i < 4; i++)
			largest = rest[i] > rest[largest] ? i : largest;
		byte[largest]++;
		rest[largest] = 0;
		sum++;
	}
	for (int i = 0; i < PARTS_MAX; i++)
		metrics |= byte[i] << (8 * i);
	return metrics;
}

static uint64_t value_of(uint64_t slots, uint64_t metrics, int event)
{
	return event ? slots * (metrics >> (8 * (event - 1)) & 0xff) / 255 : slots;
}

/* intel_update_topdown_event(). */
static void update_counts(bool reset)
{
	uint64_t metrics = metrics_register();

	for (int i = 0; i < EVENTS_MAX; i++) {
		uint64_t now = value_of(machine.slots, metrics, i);
		uint64_t last = value_of(machine.saved_slots, machine.saved_metrics, i);

		machine.count[i] += now > last ? now - last : 0;
	}
	machine.saved_slots = reset ? 0 : machine.slots;
	machine.saved_metrics = reset ? 0 : metrics;
	if (reset) {
		machine.slots = 0;
		memset(machine.part, 0, sizeof(machine.part));
	}
}

/* perf_event_update_userpage() of all. */
static void write_pages(void)
{
	for (int i = 0; i < machine.pages_count; i++) {
		struct perf_event_mmap_page *page = machine.page[i];
		uint32_t counter = machine.attr[0].config != 0x400 ? (uint32_t)i
				   : i				   ? RDPMC_METRICS
								   : RDPMC_SLOTS;

		page->lock += 2;
		page->cap_user_rdpmc = !machine.no_rdpmc;
		page->pmc_width = 48;
		page->index = machine.enabled && !machine.never_runs ? counter + 1 : 0;
		page->offset = (int64_t)machine.count[i];
		page->time_enabled = machine.enabled_ns;
		page->time_running = machine.running_ns;
	}
}

/* The thread leaves its CPU, and comes back to one. */
static inline void switch_context(void)
{
	update_counts(machine.begins_anew);
	write_pages();
}

/* Another group has its turn on the PMU, while the thread runs. */
static inline void miss_a_turn(void)
{
	update_counts(false);
	machine.enabled_ns += 4000000;
	write_pages();
}

static inline int open_event(const struct perf_event_attr *attr, int leader)
{
	if (machine.refusal) {
		errno = machine.refusal;
		return -1;
	}
	if (leader < 0)
		machine.pages_count = 0; /* those of a group before are gone */
	machine.attr[machine.opened] = *attr;
	machine.leader[machine.opened] = leader;
	machine.fd[machine.opened] = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return machine.fd[machine.opened++];
}

static inline void *map_page(int fd)
{
	void *page;

	(void)fd;
	page = machine.no_page ? MAP_FAILED
			       : mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE,
				      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page != MAP_FAILED) {
		machine.page[machine.pages_count++] = page;
		write_pages();
	}
	return page;
}

static inline ssize_t read_group(int fd, uint64_t *values, size_t bytes)
{
	(void)fd;
	work(branch_load, machine.opening);
	machine.reads++;
	update_counts(true);
	values[0] = bytes / 8 - 3;
	values[1] = machine.enabled_ns;
	values[2] = machine.running_ns;
	memcpy(values + 3, machine.count, bytes - 24);
	return (ssize_t)bytes;
}

static inline int control_group(int fd, unsigned long request)
{
	(void)fd;
	if (request == PERF_EVENT_IOC_ENABLE) {
		machine.enabled = true;
	} else {
		machine.resets++;
		update_counts(true);
		machine.count[0] = 0; /* the leader's alone */
	}
	write_pages();
	return 0;
}

static inline uint64_t read_register(uint32_t counter)
{
	uint64_t value = counter == RDPMC_SLOTS	    ? machine.slots
			 : counter == RDPMC_METRICS ? metrics_register()
			 : counter < EVENTS_MAX	    ? machine.counter[counter]
						    : 0;

	machine.rdpmcs++;
	work(branch_load, machine.opening && counter == RDPMC_METRICS);
	if (machine.on_rdpmc)
		machine.on_rdpmc(counter);
	return value;
}

static inline int read_cpuid(unsigned int leaf, unsigned int *a, unsigned int *b)
{
	*a = machine.cpuid[leaf][0];
	*b = machine.cpuid[leaf][1];
	return 1;
}

/* An Intel processor with the files of one of tests/machines. */
static inline void machine_begin(const char *name)
{
	memset(&machine, 0, sizeof(machine));
	snprintf(machine.sysfs, sizeof(machine.sysfs),
		 "tests/machines/%s/sys/bus/event_source/devices", name);
	machine.cpuid[0][1] = 0x756e6547; /* "Genu" */
}

#define CTD_RDPMC_SYSFS machine.sysfs
#define CTD_RDPMC_PERF_EVENT_OPEN(attr, leader) open_event(attr, leader)
#define CTD_RDPMC_MMAP(fd) map_page(fd)
#define CTD_RDPMC_READ(fd, values, bytes) read_group(fd, values, bytes)
#define CTD_RDPMC_IOCTL(fd, request) control_group(fd, request)
#define CTD_RDPMC_CPUID(leaf, a, b, c, d) ((void)(c), (void)(d), read_cpuid(leaf, a, b))
#define CTD_RDPMC_INSTRUCTION(counter) read_register(counter)
#include <cgtopdown/rdpmc.h>

static inline int machine_open(struct ctd_rdpmc_group *group, unsigned int flags)
{
	int error;

	machine.opening = true;
	error = ctd_rdpmc_open(group, flags);
	machine.opening = false;
	return error;
}

#endif
