/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rdpmc.h - a thread measures where the slots of parts of its own code go. */
#ifndef CGTOPDOWN_RDPMC_H
#define CGTOPDOWN_RDPMC_H

/*
 * For programs that measure themselves: C11 or C++17 on Linux, by this one file. The manual is
 * cgtopdown-rdpmc(3), a whole program docs/examples/self_monitor.c.
 *
 *	struct ctd_rdpmc_group group;
 *	struct ctd_rdpmc_region parse = ctd_rdpmc_named("parse");
 *	int error = ctd_rdpmc_open(&group, 0);
 *
 *	if (error)
 *		fprintf(stderr, "%s\n", ctd_rdpmc_error_text(error));
 *	ctd_rdpmc_begin(&group, &parse); // without counters it only counts as lost
 *	...
 *	ctd_rdpmc_end(&group, &parse);
 *
 * A group is its thread's: no other thread may use it, nor a child after fork(), which lacks the
 * mapped pages. Regions are not locked: each thread has its own.
 *
 * PERF_METRICS, Intel's since Ice Lake, divides the slots of fixed counter 3 since the last reset
 * into 8-bit fractions. A region is the difference of two products of these, as in Linux'
 * tools/perf/Documentation/topdown.txt; the manual says how exact that is.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#define CTD_RDPMC_X86 1
#else
#define CTD_RDPMC_X86 0
#endif

/* Reset at the latest after so many slots: some four seconds at 3 GHz and six slots a cycle. */
#define CTD_RDPMC_RESET_SLOTS (UINT64_C(1) << 36)
/* Opening looks until it has seen so many slots, for so long and so often at most. */
#define CTD_RDPMC_SEEN_SLOTS 10000
#define CTD_RDPMC_WAIT_NS 10000000
#define CTD_RDPMC_TRIES 1000000

/* Flags of opening. */
#define CTD_RDPMC_WITH_KERNEL 1u /* also what the kernel does for the thread: needs CAP_PERFMON */
#define CTD_RDPMC_READS 2u /* read(2) instead of RDPMC: a system call at each end of a region */

/* What cannot be done: constants CTD_RDPMC_<NAME>, and sentences that say what to do. */
/* clang-format off */
#define CTD_RDPMC_ERRORS(X) \
	X(OK, "no error") \
	X(NO_KERNEL, "this kernel has no perf events (CONFIG_PERF_EVENTS)") \
	X(NO_PMU, "there are no hardware counters, as in most virtual machines: measure on another machine") \
	X(NO_LEVEL1, "level 1 of this CPU is not known here: Intel since Ice Lake and AMD since Zen 4 have it") \
	X(FORBIDDEN, "not permitted: set kernel.perf_event_paranoid to 2 or less, or give CAP_PERFMON; " \
		"a container's seccomp profile must allow perf_event_open") \
	X(REFUSED, "the kernel does not open the events of this CPU; `cgtopdown doctor` says more") \
	X(LIMIT, "too many open files, or too little memory: see ulimit -n") \
	X(TAKEN, "the group is enabled and not counted: another has the counters, as `cgtopdown serve`, perf or the " \
		"NMI watchdog do, or the thread runs on cores of another kind; beside serve ask that for the figures of " \
		"this process's cgroup: GET /api/v1/view, or `cgtopdown stat`") \
	X(FALSE_COUNTS, "the counters count what cannot be true: a hypervisor's, most likely") \
	X(NOT_READ, "the counters cannot be read") \
	X(WENT_BACK, "the counters were reset meanwhile: nobody but rdpmc.h may read or reset the group") \
	X(TOO_LONG, "the region is too long for RDPMC: the thread left its CPU within, or 2^47 slots went by; measure " \
		"shorter regions, or read by system calls (CTD_RDPMC_READS)") \
	X(MISUSED, "the group is not open, or the region has begun already or not at all") \
	/* In why_reads: why there is a system call at each end of a region. */ \
	X(ASKED_FOR, "reading by system calls, as was asked for") \
	X(NO_RDPMC, "reading by system calls: no RDPMC, by /sys/bus/event_source/devices/cpu/rdpmc or on this CPU") \
	X(NO_PAGE, "reading by system calls: the counters' page cannot be mapped; see kernel.perf_event_mlock_kb") \
	X(HYBRID, "reading by system calls: RDPMC may end a program on this CPU, which has cores of several kinds")

/* The first four are level 1. The next four are a half of each, and with them the bytes of
 * PERF_METRICS. The last four are the other halves: what remains. */
#define CTD_RDPMC_NODES(X) \
	X(RETIRING, "retiring") X(BAD_SPECULATION, "bad_speculation") \
	X(FRONTEND_BOUND, "frontend_bound") X(BACKEND_BOUND, "backend_bound") \
	X(HEAVY_OPERATIONS, "heavy_operations") X(BRANCH_MISPREDICTS, "branch_mispredicts") \
	X(FETCH_LATENCY, "fetch_latency") X(MEMORY_BOUND, "memory_bound") \
	X(LIGHT_OPERATIONS, "light_operations") X(MACHINE_CLEARS, "machine_clears") \
	X(FETCH_BANDWIDTH, "fetch_bandwidth") X(CORE_BOUND, "core_bound")

#define CTD_RDPMC_CONSTANT(name, text) CTD_RDPMC_##name,
#define CTD_RDPMC_TEXT(name, text) text,
enum ctd_rdpmc_error { CTD_RDPMC_ERRORS(CTD_RDPMC_CONSTANT) CTD_RDPMC_ERRORS_COUNT };
enum ctd_rdpmc_node { CTD_RDPMC_NODES(CTD_RDPMC_CONSTANT) CTD_RDPMC_NODES_COUNT };
/* clang-format on */
#define CTD_RDPMC_LEVEL1_COUNT 4
#define CTD_RDPMC_PARTS 8 /* nodes that are counted */
#define CTD_RDPMC_EVENTS_MAX (1 + CTD_RDPMC_PARTS)

/* A group of counters. Its members are to be read; error_ratio_max may be set. */
struct ctd_rdpmc_group {
	bool open;
	bool metrics; /* by PERF_METRICS; else AMD's Zen, by cycles and four counters */
	int nodes_known; /* 4: level 1; 12: level 2, too */
	int why_reads; /* OK: by RDPMC. Else by read(2), and why */
	int why_closed; /* what ctd_rdpmc_open() returned */
	int system_error; /* errno of what failed last; 0: nothing did */
	unsigned int slots_per_count; /* of the leader: of slots 1, of cycles the core's width */
	unsigned int regions_open; /* while there is one, nothing is reset */
	/* The register is reset before a region, outside of others, whose error would else exceed
	 * this, by its mean length so far: a system call. 0: always. 1e9: every few seconds. */
	double error_ratio_max;
	int events_count;
	int fd[CTD_RDPMC_EVENTS_MAX];
	volatile struct perf_event_mmap_page *page[CTD_RDPMC_EVENTS_MAX];
};

/* All counts at one instant. */
struct ctd_rdpmc_sample {
	uint64_t slots;
	uint64_t part[CTD_RDPMC_PARTS]; /* in slots */
	uint64_t missed_ns; /* for which the thread ran, and the group was not counted */
	int64_t saved; /* by RDPMC of PERF_METRICS: what the kernel has taken from the registers */
};

/* Totals of a part of the program, which only grow. */
struct ctd_rdpmc_region {
	const char *name; /* borrowed */
	uint64_t measured, lost; /* pairs of begin and end; those of which nothing is known */
	int why_lost; /* the last one */
	int nodes_known; /* as the group's */
	uint64_t slots;
	int64_t whole_slots; /* what ratios are of: the sum of level 1, on Zen all slots */
	int64_t part[CTD_RDPMC_PARTS]; /* in slots; a small one may be negative, by rounding */
	uint64_t rounded_slots; /* a part is up to 1/255 of these off */
	bool begun;
	struct ctd_rdpmc_sample begin;
};

/* What tests replace: the system, and the instruction. */
#ifndef CTD_RDPMC_PERF_EVENT_OPEN
#ifndef __cplusplus
long syscall(long number, ...); /* as -std=c11 hides it */
#endif
#define CTD_RDPMC_SYSFS "/sys/bus/event_source/devices"
#define CTD_RDPMC_PERF_EVENT_OPEN(attr, leader) \
	((int)syscall(__NR_perf_event_open, attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC))
#define CTD_RDPMC_MMAP(fd) mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0)
#define CTD_RDPMC_READ(fd, buffer, bytes) read(fd, buffer, bytes)
#define CTD_RDPMC_IOCTL(fd, request) ioctl(fd, request, 0)
#if CTD_RDPMC_X86
#define CTD_RDPMC_CPUID(leaf, a, b, c, d) __get_cpuid(leaf, a, b, c, d)
#else
#define CTD_RDPMC_CPUID(leaf, a, b, c, d) ((void)(a), (void)(b), (void)(c), (void)(d), 0)
#endif
#endif
#ifndef CTD_RDPMC_INSTRUCTION
#define CTD_RDPMC_INSTRUCTION(counter) ctd_rdpmc_instruction(counter)
/* The register of that number. Where the kernel does not allow it, the thread gets SIGSEGV. */
static inline uint64_t ctd_rdpmc_instruction(uint32_t counter)
{
	uint32_t low = counter, high = 0;

#if CTD_RDPMC_X86
	__asm__ __volatile__("rdpmc" : "=a"(low), "=d"(high) : "c"(counter));
#endif
	return (uint64_t)high << 32 | low;
}
#endif
#define CTD_RDPMC_BARRIER() __asm__ __volatile__("" ::: "memory")

/* A sentence for people, without a full stop: what is wrong, and what to do. */
static inline const char *ctd_rdpmc_error_text(int error)
{
	static const char *const texts[] = {CTD_RDPMC_ERRORS(CTD_RDPMC_TEXT)};

	return error >= 0 && error < CTD_RDPMC_ERRORS_COUNT ? texts[error] : "unknown error";
}

/* A node's name as all of cgtopdown spells it: "retiring", "memory_bound". */
static inline const char *ctd_rdpmc_node_name(int node)
{
	static const char *const names[] = {CTD_RDPMC_NODES(CTD_RDPMC_TEXT)};

	return node >= 0 && node < CTD_RDPMC_NODES_COUNT ? names[node] : "unknown node";
}

/* What a counter of @p width bits, 1 to 64, adds to its page's offset: it may be negative. */
static inline int64_t ctd_rdpmc_extend(uint64_t value, unsigned int width)
{
	return (int64_t)(value << (64 - width)) >> (64 - width);
}

/* Reads one counter by the protocol in linux/perf_event.h, at struct perf_event_mmap_page: again,
 * if the kernel has written the page meanwhile. @p raw: the register as it is, without the offset.
 * @return false: it is not on the PMU, or RDPMC is not allowed. */
static inline bool ctd_rdpmc_counter(const volatile struct perf_event_mmap_page *page, bool raw,
				     uint64_t *ret_count)
{
	uint32_t sequence, index;
	uint64_t value = 0;

	do {
		sequence = page->lock;
		CTD_RDPMC_BARRIER();
		index = page->cap_user_rdpmc ? page->index : 0;
		if (index)
			value = CTD_RDPMC_INSTRUCTION(index - 1);
		if (index && !raw)
			value = (uint64_t)page->offset +
				(uint64_t)ctd_rdpmc_extend(value, page->pmc_width);
		CTD_RDPMC_BARRIER();
	} while (page->lock != sequence);
	if (index)
		*ret_count = value;
	return index;
}

/* Makes counts, as read(2) has them, of slots and the register: fraction times slots, as
 * intel_update_topdown_event() in the kernel. Slots are those since the last reset, or since the
 * thread came to its CPU: see ctd_rdpmc_add(). */
static inline void ctd_rdpmc_decode(uint64_t metrics, uint64_t count[CTD_RDPMC_EVENTS_MAX])
{
	for (int i = 0; i < CTD_RDPMC_PARTS; i++)
		count[1 + i] = count[0] * (metrics >> (8 * i) & 0xff) / 0xff;
}

/* Makes a sample of counts. Zen's formulas are PipelineL1 in Linux' tools/perf/pmu-events/arch/x86/
 * amdzen4 to 6: what was dispatched and did not retire is bad speculation. */
static inline void ctd_rdpmc_assign(const struct ctd_rdpmc_group *group,
				    const uint64_t count[CTD_RDPMC_EVENTS_MAX],
				    struct ctd_rdpmc_sample *ret)
{
	ret->slots = count[0] * group->slots_per_count;
	memcpy(ret->part, count + 1, sizeof(ret->part));
	if (!group->metrics)
		ret->part[CTD_RDPMC_BAD_SPECULATION] -= count[1 + CTD_RDPMC_RETIRING];
}

/* All by RDPMC. The kernel writes the leader's page when the thread comes back to a CPU: then all
 * are read anew. @return OK, or TAKEN: the group is not on the PMU. */
static inline int ctd_rdpmc_sample_pages(const struct ctd_rdpmc_group *group,
					 struct ctd_rdpmc_sample *ret)
{
	const volatile struct perf_event_mmap_page *leader = group->page[0];
	uint64_t count[CTD_RDPMC_EVENTS_MAX] = {0};
	uint32_t sequence;
	bool counted;

	do {
		sequence = leader->lock;
		CTD_RDPMC_BARRIER();
		counted = true;
		for (int i = 0; i < group->events_count && counted; i++)
			counted = ctd_rdpmc_counter(group->page[i], group->metrics, &count[i]);
		ret->missed_ns = leader->time_enabled - leader->time_running;
		ret->saved = group->metrics ? leader->offset : 0;
		CTD_RDPMC_BARRIER();
	} while (leader->lock != sequence);
	if (group->metrics)
		ctd_rdpmc_decode(count[1], count);
	ctd_rdpmc_assign(group, count, ret);
	return counted ? CTD_RDPMC_OK : CTD_RDPMC_TAKEN;
}

/* All by read(2), by which the kernel resets PERF_METRICS and keeps totals. @return OK, NOT_READ. */
static inline int ctd_rdpmc_sample_read(struct ctd_rdpmc_group *group, struct ctd_rdpmc_sample *ret,
					uint64_t *ret_enabled_ns)
{
	uint64_t values[3 + CTD_RDPMC_EVENTS_MAX] = {0}; /* number, time enabled, running, counts */
	size_t bytes = (3 + (size_t)group->events_count) * sizeof(*values);

	if (CTD_RDPMC_READ(group->fd[0], values, bytes) != (ssize_t)bytes) {
		group->system_error = errno;
		return CTD_RDPMC_NOT_READ;
	}
	ctd_rdpmc_assign(group, values + 3, ret);
	ret->missed_ns = values[1] - values[2];
	ret->saved = 0;
	*ret_enabled_ns = values[1];
	return CTD_RDPMC_OK;
}

/* All counts now. @return OK; TAKEN: the group is not on the PMU; NOT_READ; MISUSED, or why it
 * could not be opened. But for OK @p ret is undefined. */
static inline int ctd_rdpmc_take(struct ctd_rdpmc_group *group, struct ctd_rdpmc_sample *ret)
{
	uint64_t enabled_ns;

	if (!group->open)
		return group->why_closed ? group->why_closed : CTD_RDPMC_MISUSED;
	return group->why_reads ? ctd_rdpmc_sample_read(group, ret, &enabled_ns)
				: ctd_rdpmc_sample_pages(group, ret);
}

/* A pair of begin and end of which nothing is known. @return @p why. */
static inline int ctd_rdpmc_lose(struct ctd_rdpmc_region *region, int why)
{
	region->lost++;
	region->why_lost = why;
	return why;
}

/* Adds to a region what was counted between two samples. When the thread leaves its CPU the kernel
 * adds the registers to the page's offset. Whether they go on after that, as 2cb5383b30d4
 * ("perf/x86/intel: Support per-thread RDPMC TopDown metrics") says, or begin at 0, as
 * icl_set_topdown_event_period() reads, is not relied on.
 * @return OK, or why it is lost, rather than scaled: TAKEN: not all the time was counted; TOO_LONG;
 * WENT_BACK. */
static inline int ctd_rdpmc_add(const struct ctd_rdpmc_group *group,
				struct ctd_rdpmc_region *region,
				const struct ctd_rdpmc_sample *begin,
				const struct ctd_rdpmc_sample *end)
{
	int64_t slots = (int64_t)(end->slots - begin->slots), level1 = 0;

	if (end->missed_ns != begin->missed_ns)
		return ctd_rdpmc_lose(region, CTD_RDPMC_TAKEN);
	if (end->saved != begin->saved ||
	    (group->metrics && !group->why_reads && end->slots >> 47)) /* of 48 bits */
		return ctd_rdpmc_lose(region, CTD_RDPMC_TOO_LONG);
	if (slots <= 0)
		return ctd_rdpmc_lose(region, CTD_RDPMC_WENT_BACK);
	for (int i = 0; i < CTD_RDPMC_PARTS; i++) {
		int64_t part = (int64_t)(end->part[i] - begin->part[i]);

		region->part[i] += part;
		level1 += i < CTD_RDPMC_LEVEL1_COUNT ? part : 0;
	}
	region->measured++;
	region->nodes_known = group->nodes_known;
	region->slots += (uint64_t)slots;
	region->whole_slots += group->metrics ? level1 : slots;
	if (group->metrics) /* read(2) resets, so that each slot is rounded once */
		region->rounded_slots +=
			group->why_reads ? (uint64_t)slots : begin->slots + end->slots;
	return CTD_RDPMC_OK;
}

/* A region without totals. @p name is borrowed. */
static inline struct ctd_rdpmc_region ctd_rdpmc_named(const char *name)
{
	struct ctd_rdpmc_region region;

	memset(&region, 0, sizeof(region));
	region.name = name;
	return region;
}

/* Is a reset due before a region that would begin at @p slots? See error_ratio_max. */
static inline bool ctd_rdpmc_reset_due(const struct ctd_rdpmc_group *group,
				       const struct ctd_rdpmc_region *region, uint64_t slots)
{
	double length = region->measured ? (double)region->slots / (double)region->measured : 0;

	if (!group->metrics || group->why_reads || group->regions_open || !slots)
		return false;
	return slots > CTD_RDPMC_RESET_SLOTS ||
	       2 * (double)slots + length > 0xff * group->error_ratio_max * length;
}

/* A region begins. It may nest in and overlap with others, but not with itself. One of less than
 * some 10,000 instructions says little: the CPU overlaps its ends with what is around it.
 * @return OK; MISUSED: it has begun already; or as ctd_rdpmc_take(): then it is lost. */
static inline int ctd_rdpmc_begin(struct ctd_rdpmc_group *group, struct ctd_rdpmc_region *region)
{
	int error;

	if (region->begun)
		return CTD_RDPMC_MISUSED;
	error = ctd_rdpmc_take(group, &region->begin);
	if (!error && ctd_rdpmc_reset_due(group, region, region->begin.slots)) {
		(void)CTD_RDPMC_IOCTL(group->fd[0], PERF_EVENT_IOC_RESET);
		error = ctd_rdpmc_take(group, &region->begin);
	}
	if (error)
		return ctd_rdpmc_lose(region, error);
	region->begun = true;
	group->regions_open++;
	return CTD_RDPMC_OK;
}

/* A region ends, and is added to its totals. @return OK; MISUSED: it had not begun; or as
 * ctd_rdpmc_take() and ctd_rdpmc_add(): then it is lost. */
static inline int ctd_rdpmc_end(struct ctd_rdpmc_group *group, struct ctd_rdpmc_region *region)
{
	struct ctd_rdpmc_sample end;
	int error;

	if (!region->begun)
		return CTD_RDPMC_MISUSED;
	error = ctd_rdpmc_take(group, &end);
	region->begun = false;
	group->regions_open -= group->regions_open > 0;
	return error ? ctd_rdpmc_lose(region, error)
		     : ctd_rdpmc_add(group, region, &region->begin, &end);
}

/* A region's nodes as ratios, 0 to 1, and NaN from the first that is not known. @return how many
 * are: 0, 4 (level 1) or 12. */
static inline int ctd_rdpmc_ratios(const struct ctd_rdpmc_region *region,
				   double ret_ratio[CTD_RDPMC_NODES_COUNT])
{
	int known = region->whole_slots > 0 ? region->nodes_known : 0;
	const int64_t *part = region->part;

	for (int i = 0; i < CTD_RDPMC_NODES_COUNT; i++) {
		int64_t slots = i < CTD_RDPMC_PARTS ? part[i] : part[i - 8] - part[i - 4];
		double ratio = known ? (double)slots / (double)region->whole_slots : 0;

		ret_ratio[i] = i >= known ? (double)NAN : ratio < 0 ? 0 : ratio > 1 ? 1 : ratio;
	}
	return known;
}

/* How far a ratio may be off by rounding, the last four twice as far. 0.05: five points. 0: counts
 * are exact. NaN: nothing is known. */
static inline double ctd_rdpmc_error_ratio(const struct ctd_rdpmc_region *region)
{
	if (region->whole_slots <= 0)
		return (double)NAN;
	return (double)region->rounded_slots / 0xff / (double)region->whole_slots;
}

/* Also of what is closed already, or was not opened for an error. */
static inline void ctd_rdpmc_close(struct ctd_rdpmc_group *group)
{
	for (int i = 0; i < CTD_RDPMC_EVENTS_MAX; i++) {
		if (group->page[i])
			munmap((void *)(uintptr_t)group->page[i], (size_t)sysconf(_SC_PAGESIZE));
		if (group->fd[i] >= 0)
			close(group->fd[i]);
		group->page[i] = NULL;
		group->fd[i] = -1;
	}
	group->open = false;
	group->regions_open = 0;
}

/* What perf_event_open(2) says. */
static inline int ctd_rdpmc_opening_error(int said)
{
	return said == EACCES || said == EPERM			    ? CTD_RDPMC_FORBIDDEN
	       : said == ENOSYS					    ? CTD_RDPMC_NO_KERNEL
	       : said == ENOENT || said == ENODEV		    ? CTD_RDPMC_NO_PMU
	       : said == EMFILE || said == ENFILE || said == ENOMEM ? CTD_RDPMC_LIMIT
	       : said == EBUSY					    ? CTD_RDPMC_TAKEN
								    : CTD_RDPMC_REFUSED;
}

/* Opens, maps and starts the events: never pinned, so that a collector's go first. Of what is open
 * after an error ctd_rdpmc_close() is to be told. */
static inline int ctd_rdpmc_start(struct ctd_rdpmc_group *group, unsigned int flags,
				  const uint64_t config[CTD_RDPMC_EVENTS_MAX])
{
	for (int i = 0; i < group->events_count; i++) {
		struct perf_event_attr attr;
		void *page;

		memset(&attr, 0, sizeof(attr));
		attr.size = sizeof(attr);
		attr.type = PERF_TYPE_RAW;
		attr.config = config[i];
		attr.disabled = i == 0;
		attr.exclude_kernel = attr.exclude_hv = !(flags & CTD_RDPMC_WITH_KERNEL);
		attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
				   PERF_FORMAT_TOTAL_TIME_RUNNING;
		group->fd[i] = CTD_RDPMC_PERF_EVENT_OPEN(&attr, i ? group->fd[0] : -1);
		group->system_error = group->fd[i] < 0 ? errno : 0;
		if (group->fd[i] < 0)
			return ctd_rdpmc_opening_error(errno);
		if (group->why_reads)
			continue;
		page = CTD_RDPMC_MMAP(group->fd[i]);
		if (page == MAP_FAILED)
			return CTD_RDPMC_NO_PAGE;
		group->page[i] = (volatile struct perf_event_mmap_page *)page;
		if (!group->page[i]->cap_user_rdpmc)
			return CTD_RDPMC_NO_RDPMC;
	}
	group->open = CTD_RDPMC_IOCTL(group->fd[0], PERF_EVENT_IOC_ENABLE) == 0;
	group->system_error = group->open ? 0 : errno;
	return group->open ? CTD_RDPMC_OK : CTD_RDPMC_REFUSED;
}

/* Is the group counted, and is that true? Level 1 is all slots within a tenth, on Zen not more, and
 * something retires. @return OK, TAKEN, FALSE_COUNTS or NOT_READ. */
static inline int ctd_rdpmc_check(struct ctd_rdpmc_group *group)
{
	struct ctd_rdpmc_sample sample;
	uint64_t enabled_ns = 0;
	int error, tries = 0;
	double level1 = 0;

	do {
		error = ctd_rdpmc_sample_read(group, &sample, &enabled_ns);
	} while (!error && sample.slots < CTD_RDPMC_SEEN_SLOTS && enabled_ns < CTD_RDPMC_WAIT_NS &&
		 ++tries < CTD_RDPMC_TRIES);
	if (!error && sample.missed_ns == enabled_ns)
		return CTD_RDPMC_TAKEN;
	while (!error && !group->why_reads) { /* one event stands for all parts, and began anew */
		error = ctd_rdpmc_sample_pages(group, &sample);
		if (sample.slots >= CTD_RDPMC_SEEN_SLOTS || ++tries >= CTD_RDPMC_TRIES)
			break;
	}
	for (int i = 0; i < CTD_RDPMC_LEVEL1_COUNT && !error; i++)
		level1 += (double)(int64_t)sample.part[i] / (double)sample.slots;
	if (!error &&
	    (!sample.part[CTD_RDPMC_RETIRING] || level1 > 1.1 || (group->metrics && level1 < 0.9)))
		return CTD_RDPMC_FALSE_COUNTS;
	return error;
}

/* Is there such a file of PMUs in sysfs? */
static inline bool ctd_rdpmc_has(const char *pmu, const char *file)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s/%s", CTD_RDPMC_SYSFS, pmu, file);
	return access(path, F_OK) == 0;
}

/* Slots a cycle of AMD's Zen 4 to 6, by CPUID 1's EAX and the models in Linux' arch/x86/kernel/cpu/
 * amd.c. 0: another core. */
static inline unsigned int ctd_rdpmc_zen_width(uint32_t eax)
{
	uint32_t family = (eax >> 8 & 0xf) + (eax >> 20 & 0xff);
	uint32_t model = (eax >> 4 & 0xf) | (eax >> 12 & 0xf0), high = model >> 4;

	if (family == 0x19 && (high == 1 || (high >= 6 && high <= 0xa)))
		return 6;
	return family == 0x1a && high != 3 && high != 0xb && high != 0xf ? 8 : 0;
}

/* What this CPU counts level 1 by. @return OK, NO_KERNEL, NO_PMU or NO_LEVEL1. */
static inline int ctd_rdpmc_find(struct ctd_rdpmc_group *group, uint64_t ret[CTD_RDPMC_EVENTS_MAX])
{
	/* Cycles; retired, dispatched, no operations, back end. PipelineL1 without SMT contention,
	 * whose counter may be the NMI watchdog's. */
	static const uint64_t zen[] = {0x76, 0xc1, 0x7aa, 0x1000001a0, 0x100001ea0};
	const char *pmu = ctd_rdpmc_has("cpu_core", "") ? "cpu_core" : "cpu";
	unsigned int a = 0, b = 0, c = 0, d = 0;

	if (!ctd_rdpmc_has("", ""))
		return CTD_RDPMC_NO_KERNEL;
	if (CTD_RDPMC_X86 && !ctd_rdpmc_has(pmu, ""))
		return CTD_RDPMC_NO_PMU;
	group->metrics = ctd_rdpmc_has(pmu, "events/slots");
	group->slots_per_count = group->metrics;
	group->nodes_known = CTD_RDPMC_LEVEL1_COUNT;
	if (group->metrics && ctd_rdpmc_has(pmu, "events/topdown-heavy-ops"))
		group->nodes_known = CTD_RDPMC_NODES_COUNT;
	if (!group->metrics && CTD_RDPMC_CPUID(0, &a, &b, &c, &d) && b == 0x68747541 && /* "Auth" */
	    CTD_RDPMC_CPUID(1, &a, &b, &c, &d))
		group->slots_per_count = ctd_rdpmc_zen_width(a);
	group->events_count = group->nodes_known == CTD_RDPMC_LEVEL1_COUNT ? 5 : 9;
	for (int i = 0; i < group->events_count; i++) /* codes of slots and metrics: topdown.txt */
		ret[i] = !group->metrics ? zen[i] : i ? 0x7f00 + 0x100 * (uint64_t)i : 0x400;
	return group->slots_per_count ? CTD_RDPMC_OK : CTD_RDPMC_NO_LEVEL1;
}

/* Opens a group for the calling thread, by RDPMC if that can be, else by read(2): group->why_reads.
 * It takes up to 10 ms. @p flags: CTD_RDPMC_WITH_KERNEL, CTD_RDPMC_READS.
 * @return OK, or what of ctd_rdpmc_error_text() is to be told: nothing is open, and regions are
 * counted as lost. */
static inline int ctd_rdpmc_open(struct ctd_rdpmc_group *group, unsigned int flags)
{
	uint64_t config[CTD_RDPMC_EVENTS_MAX];
	int error, all;

	memset(group, 0, sizeof(*group));
	memset(group->fd, -1, sizeof(group->fd));
	group->error_ratio_max = 0.05;
	group->why_closed = error = ctd_rdpmc_find(group, config);
	if (error)
		return error;
	all = group->events_count;
	/* RDPMC faults on a core without the register, and the thread may be moved just before. */
	group->why_reads = flags & CTD_RDPMC_READS	   ? CTD_RDPMC_ASKED_FOR
			   : ctd_rdpmc_has("cpu_core", "") ? CTD_RDPMC_HYBRID
							   : CTD_RDPMC_OK;
	if (group->metrics && !group->why_reads)
		group->events_count = 2; /* any metric gives the register: topdown.txt */
	error = ctd_rdpmc_start(group, flags, config);
	if (error == CTD_RDPMC_NO_PAGE || error == CTD_RDPMC_NO_RDPMC) {
		ctd_rdpmc_close(group);
		group->events_count = all;
		group->why_reads = error;
		error = ctd_rdpmc_start(group, flags, config);
	}
	group->why_closed = error = error ? error : ctd_rdpmc_check(group);
	if (error)
		ctd_rdpmc_close(group);
	return error;
}

#endif
