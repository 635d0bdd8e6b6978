/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* latencies.c - samples how long events take to retire, within a budget. */
#include "pmu/latencies.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"
#include "pmu/perf_event.h"

/*
 * The budget: so many samples at most in a turn, after which the kernel itself stops the event. At
 * 3 us for an interrupt that comes to 0.02 % of a CPU.
 */
#define TURN_NS 250000000ull
#define TURN_SAMPLES 16
/* Where the vendor does not say how often. A prime, so that no loop beats with it. */
#define PERIOD_DEFAULT 100003
/* What is long ago weighs less: of so many samples half is forgotten. */
#define SAMPLES_MOST 8192
/* After so many that all say 0, the core does not tell, or this kernel does not ask it. */
#define UNTOLD_MOST 200
/* PERF_SAMPLE_WEIGHT_STRUCT, which headers have since Linux 5.12. */
#define SAMPLE_WEIGHT_STRUCT (1u << 24)

struct cpu_sampler {
	int *fds; /* owned; of each event of the core type; -1: it cannot be had */
	uint8_t *left; /* owned; samples after which the kernel stops each; 0: it has */
	struct perf_event_mmap_page *ring; /* owned; of all of them; NULL: none could be had */
	uint32_t now; /* whose turn it is */
	int core_type;
};

struct ctd_latency_sampler {
	struct ctd_rotations rotations; /* what it points to is borrowed */
	struct cpu_sampler *cpus; /* owned */
	int cpus_count;
	size_t page_bytes;
	uint64_t next_ns;
	struct ctd_latencies sums;
};

static uint32_t events_of(const struct ctd_latency_sampler *sampler, const struct cpu_sampler *cpu)
{
	return sampler->rotations.latencies_count[cpu->core_type];
}

/*
 * An interrupt for each sample (wakeup_events). Otherwise the kernel would gather records of an
 * event of this kind in the processor's buffer (intel_pmu_hw_config(), PERF_X86_EVENT_LARGE_PEBS):
 * then it empties that at each context switch, and its limit does not count what it finds there.
 */
void ctd_latency_attr(const struct ctd_latency_event *latency, struct perf_event_attr *ret_attr)
{
	const struct ctd_event *event = &latency->event;

	*ret_attr = (struct perf_event_attr){
		.type = event->type,
		.size = sizeof(*ret_attr),
		.config = event->config,
		.config1 = event->config1,
		.config2 = event->config2,
		.sample_period = latency->period ? latency->period : PERIOD_DEFAULT,
		.sample_type = SAMPLE_WEIGHT_STRUCT,
		.wakeup_events = 1,
		.precise_ip = 1,
		.disabled = 1,
		.exclude_guest = 1,
		.exclude_kernel = event->user_only,
		.exclude_hv = event->user_only,
		.exclude_user = event->kernel_only,
	};
}

static int open_event(const struct ctd_latency_event *latency, int cpu)
{
	struct perf_event_attr attr;

	ctd_latency_attr(latency, &attr);
	return ctd_perf_event_open(&attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* The first one has the ring, the others write into it. @return 0 or negative errno. */
static int share_ring(const struct ctd_latency_sampler *sampler, struct cpu_sampler *cpu, int fd,
		      int first)
{
	void *ring;

	if (cpu->ring)
		return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, first) ? -errno : 0;
	ring = mmap(NULL, 2 * sampler->page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring == MAP_FAILED)
		return -errno;
	cpu->ring = ring;
	return 0;
}

/* @return 0: any can be had, or negative errno: why the last one cannot. */
static int open_cpu(const struct ctd_latency_sampler *sampler, struct cpu_sampler *cpu, int number)
{
	uint32_t count = events_of(sampler, cpu);
	int error = -ENODEV, first = -1;

	cpu->fds = malloc((count + 1) * sizeof(*cpu->fds));
	cpu->left = calloc(count + 1, sizeof(*cpu->left));
	if (cpu->fds)
		memset(cpu->fds, -1, (count + 1) * sizeof(*cpu->fds));
	if (!cpu->fds || !cpu->left)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		int fd = open_event(&sampler->rotations.latencies[cpu->core_type][i], number), r;

		r = fd < 0 ? fd : share_ring(sampler, cpu, fd, first);
		if (r == 0) {
			cpu->fds[i] = fd;
			first = first < 0 ? fd : first;
			continue;
		}
		error = r;
		if (fd >= 0)
			close(fd);
	}
	/* CPUs begin with different ones. */
	cpu->now = count ? (uint32_t)number % count : 0;
	return first < 0 ? error : 0;
}

/* @return NULL without memory. */
static struct ctd_latency_sampler *make(const struct ctd_rotations *rotations, int cpus_count)
{
	struct ctd_latency_sampler *sampler = calloc(1, sizeof(*sampler));
	struct cpu_sampler *cpus = calloc((size_t)cpus_count + 1, sizeof(*cpus));

	if (!sampler || !cpus) {
		free(sampler);
		free(cpus);
		return NULL;
	}
	sampler->cpus = cpus;
	sampler->cpus_count = cpus_count;
	sampler->rotations = *rotations;
	sampler->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	sampler->sums.core_types_count = (uint32_t)rotations->core_types_count;
	for (int type = 0; type < rotations->core_types_count; type++)
		if (rotations->latencies_count[type] > sampler->sums.count)
			sampler->sums.count = rotations->latencies_count[type];
	return sampler;
}

struct ctd_latency_sampler *ctd_latency_sampler_new(const struct ctd_rotations *rotations,
						    const uint8_t *core_type_of, const bool *cpus,
						    int cpus_count)
{
	struct ctd_latency_sampler *sampler = make(rotations, cpus_count);
	int error = sampler ? -ENODEV : -ENOMEM;
	bool any = false;

	for (int number = 0; sampler && number < sampler->cpus_count; number++) {
		struct cpu_sampler *cpu = &sampler->cpus[number];
		int type =
			core_type_of && rotations->core_types_count > 1 ? core_type_of[number] : 0;

		if (!cpus[number] || type >= rotations->core_types_count ||
		    !rotations->latencies_count[type])
			continue;
		cpu->core_type = type;
		error = open_cpu(sampler, cpu, number);
		any |= !error;
	}
	if (any)
		return sampler;
	ctd_info(
		"how long events take to retire is not measured, as the kernel does not offer it (%s): metrics take the means of the vendor's files",
		strerror(-error));
	ctd_latency_sampler_free(sampler);
	return NULL;
}

static void close_cpus(struct ctd_latency_sampler *sampler)
{
	for (int number = 0; number < sampler->cpus_count; number++) {
		struct cpu_sampler *cpu = &sampler->cpus[number];

		for (uint32_t i = 0; cpu->fds && i < events_of(sampler, cpu); i++)
			if (cpu->fds[i] >= 0)
				close(cpu->fds[i]);
		if (cpu->ring)
			munmap(cpu->ring, 2 * sampler->page_bytes);
		free(cpu->fds);
		free(cpu->left);
	}
	sampler->cpus_count = 0;
}

void ctd_latency_sampler_free(struct ctd_latency_sampler *sampler)
{
	if (!sampler)
		return;
	close_cpus(sampler);
	free(sampler->cpus);
	free(sampler);
}

/* What follows the header of a record. All of a record is in eights of bytes. */
static uint64_t number_at(const unsigned char *ring, size_t bytes, uint64_t at)
{
	uint64_t number;

	memcpy(&number, &ring[at & (bytes - 1)], sizeof(number));
	return number;
}

uint64_t ctd_latency_take_records(const unsigned char *ring, size_t bytes, uint64_t head,
				  uint64_t *tail, struct ctd_latency *sum)
{
	uint64_t at = *tail, samples = 0;

	*tail = head;
	if (head - at > bytes || (at | head) % 8)
		return 0;
	while (at != head) {
		struct perf_event_header header;

		memcpy(&header, &ring[at & (bytes - 1)], sizeof(header));
		if (header.size < sizeof(header) || header.size % 8 || header.size > head - at)
			break;
		/* Weight, of which the upper quarter is the latency. */
		if (header.type == PERF_RECORD_SAMPLE && header.size >= 16) {
			sum->cycles += number_at(ring, bytes, at + 8) >> 48;
			sum->samples++;
			samples++;
		}
		/* Id, and how many. */
		if (header.type == PERF_RECORD_LOST && header.size >= 24)
			samples += number_at(ring, bytes, at + 16);
		at += header.size;
	}
	return samples;
}

static void end_turn(struct ctd_latency_sampler *sampler, struct cpu_sampler *cpu)
{
	struct ctd_latency *sum = &sampler->sums.of[cpu->core_type][cpu->now];
	uint64_t tail = cpu->ring->data_tail, head, samples;

	if (cpu->fds[cpu->now] < 0)
		return;
	ioctl(cpu->fds[cpu->now], PERF_EVENT_IOC_DISABLE, 0);
	head = __atomic_load_n(&cpu->ring->data_head, __ATOMIC_ACQUIRE);
	samples = ctd_latency_take_records((const unsigned char *)cpu->ring + sampler->page_bytes,
					   sampler->page_bytes, head, &tail, sum);
	__atomic_store_n(&cpu->ring->data_tail, tail, __ATOMIC_RELEASE);
	cpu->left[cpu->now] = samples < cpu->left[cpu->now] ? cpu->left[cpu->now] - samples : 0;
	if (sum->samples < SAMPLES_MOST)
		return;
	sum->samples /= 2;
	sum->cycles /= 2;
}

uint8_t ctd_latency_let_go_on(ctd_latency_ioctl_fn *call, int fd, uint8_t left)
{
	unsigned long more = left < TURN_SAMPLES ? TURN_SAMPLES - left : 0;

	/* It has none of the last turn yet: REFRESH would add to its limit. */
	if (!more)
		call(fd, PERF_EVENT_IOC_ENABLE, 0);
	else if (call(fd, PERF_EVENT_IOC_REFRESH, more) == 0)
		left = TURN_SAMPLES;
	return left;
}

static int call_ioctl(int fd, unsigned long request, unsigned long argument)
{
	return ioctl(fd, request, argument);
}

static void begin_turn(const struct ctd_latency_sampler *sampler, struct cpu_sampler *cpu)
{
	uint32_t count = events_of(sampler, cpu);

	do
		cpu->now = (cpu->now + 1) % count;
	while (cpu->fds[cpu->now] < 0);
	cpu->left[cpu->now] =
		ctd_latency_let_go_on(call_ioctl, cpu->fds[cpu->now], cpu->left[cpu->now]);
}

/* Nothing comes of the samples of any core type. */
static bool is_untold(const struct ctd_latency_sampler *sampler)
{
	uint64_t samples = 0;

	for (uint32_t type = 0; type < sampler->sums.core_types_count; type++) {
		if (ctd_latency_is_told(sampler->sums.of[type], sampler->sums.count))
			return false;
		for (uint32_t i = 0; i < sampler->sums.count; i++)
			samples += sampler->sums.of[type][i].samples;
	}
	return samples >= UNTOLD_MOST;
}

uint64_t ctd_latency_sampler_turn(struct ctd_latency_sampler *sampler, uint64_t now_ns)
{
	if (!sampler)
		return UINT64_MAX;
	if (now_ns < sampler->next_ns)
		return sampler->next_ns;
	sampler->next_ns = now_ns + TURN_NS;
	for (int number = 0; number < sampler->cpus_count; number++) {
		struct cpu_sampler *cpu = &sampler->cpus[number];

		if (!cpu->ring)
			continue;
		end_turn(sampler, cpu);
		begin_turn(sampler, cpu);
	}
	if (is_untold(sampler)) {
		ctd_info(
			"how long events take to retire is not measured, as samples do not tell it: metrics take the means of the vendor's files");
		close_cpus(sampler);
		sampler->next_ns = UINT64_MAX;
	}
	return sampler->next_ns;
}

void ctd_latency_sampler_read(const struct ctd_latency_sampler *sampler,
			      struct ctd_latencies *ret_latencies)
{
	*ret_latencies = sampler ? sampler->sums : (struct ctd_latencies){0};
}
