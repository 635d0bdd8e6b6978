/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* event.c - an event in the place of a CPU's clocks: its overflows are sampled. */
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "kern/clock.h"
#include "kern/profile/sampler.h"

/* Samples a second of one CPU: above the first its period is raised until there are no more than
 * the second. */
#define RATE_MAX 1000
#define RATE_WANTED 500
#define NS_PER_S 1000000000ull
/* A factor fits into ctd_sampler_cpu.weight, with the divisor of a budget. */
#define FACTOR_MAX (1u << 24)
/* A shorter time would take a burst for a rate, unless it has as many as this one may have. */
#define PACE_NS NS_PER_S

/* As read_format has it in ctd_sampled_attr(). */
struct event_count {
	uint64_t events, enabled_ns, running_ns;
};

static struct event_count read_count(const struct ctd_clocks *clocks)
{
	struct event_count count;

	return read(clocks->sample_fd, &count, sizeof(count)) == sizeof(count)
		       ? count
		       : (struct event_count){0};
}

static size_t ring_bytes(void)
{
	return 2 * (size_t)sysconf(_SC_PAGESIZE);
}

/* What the program samples is not written there: the kernel writes when it stops an event, and when
 * it lets it go on. @return how often it was stopped since the last call. */
static uint64_t take_throttles(const struct ctd_clocks *clocks)
{
	struct perf_event_mmap_page *page = clocks->ring;
	const unsigned char *data = (const unsigned char *)page + ring_bytes() / 2;
	uint64_t mask = ring_bytes() / 2 - 1, stopped = 0;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE), at = page->data_tail;

	while (at < head) {
		/* Records are of whole words, so that no header goes around the end. */
		const struct perf_event_header *header = (const void *)(data + (at & mask));

		stopped += header->type == PERF_RECORD_THROTTLE;
		at += header->size ? header->size : head - at;
	}
	__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
	return stopped;
}

static uint64_t period_of(const struct ctd_sampler *sampler, const struct ctd_clocks *clocks)
{
	return sampler->event->period * sampler->divisor * clocks->factor;
}

/* From here on its overflows are counted: where the CPU idles they interrupt it, too. */
static void begin_pacing(struct ctd_sampler *sampler, int cpu)
{
	sampler->clocks[cpu].paced_overflows = sampler->cpus[cpu].overflows;
	sampler->clocks[cpu].paced_ns = ctd_monotonic_ns();
}

/* After PERF_EVENT_IOC_PERIOD perf_swevent_hrtimer() goes on to tell programs of the period with
 * which the clock was opened, by hw.last_period. */
static bool is_clock(const struct ctd_sampler *sampler, int cpu)
{
	const struct ctd_sampled_event *of = sampler->event;
	const struct ctd_event *event = &of->core_types[of->core_type_of[cpu]].event;

	return event->type == PERF_TYPE_SOFTWARE && (event->config == PERF_COUNT_SW_CPU_CLOCK ||
						     event->config == PERF_COUNT_SW_TASK_CLOCK);
}

static void tell_period(struct ctd_sampler *sampler, int cpu)
{
	uint64_t period = is_clock(sampler, cpu) ? period_of(sampler, &sampler->clocks[cpu]) : 0;

	__atomic_store_n(&sampler->cpus[cpu].clock_period, period, __ATOMIC_RELAXED);
}

int ctd_sampler_open_event(struct ctd_sampler *sampler, struct bpf_program *program, int cpu)
{
	const struct ctd_sampled_event *event = sampler->event;
	const struct ctd_sampled_core *core = &event->core_types[event->core_type_of[cpu]];
	struct ctd_clocks *clocks = &sampler->clocks[cpu];
	struct perf_event_attr attr;
	const struct ctd_clock clock = {
		.purpose = "samples", .cpu = cpu, .event = &attr, .event_name = event->name};
	int error;

	if (!core->there)
		return 0;
	clocks->factor += !clocks->factor;
	begin_pacing(sampler, cpu);
	ctd_sampled_attr(core, period_of(sampler, clocks), &attr);
	tell_period(sampler, cpu);
	sampler->cpus[cpu].marks = (attr.sample_type & PERF_SAMPLE_CALLCHAIN) != 0;
	error = ctd_clock_start(&clock, program, &clocks->sample_link, &clocks->sample_fd);
	if (error)
		return error;
	clocks->ring =
		mmap(NULL, ring_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, clocks->sample_fd, 0);
	if (clocks->ring == MAP_FAILED) {
		clocks->ring = NULL;
		return ctd_log_error(-errno, "map what the kernel says of %s, cpu %d", event->name,
				     cpu);
	}
	return 0;
}

static void add_count(struct ctd_sampled_count *count, const struct ctd_clocks *clocks)
{
	struct event_count own = read_count(clocks);

	count->counted += own.events;
	count->enabled_ns += own.enabled_ns;
	count->running_ns += own.running_ns;
}

void ctd_sampler_close_event(struct ctd_sampler *sampler, int cpu)
{
	struct ctd_clocks *clocks = &sampler->clocks[cpu];

	if (!clocks->ring)
		return;
	add_count(&sampler->count, clocks);
	sampler->count.throttled += take_throttles(clocks);
	munmap(clocks->ring, ring_bytes());
	clocks->ring = NULL;
}

/* Each sample stands for the period that it had: see count_event() in bpf/profile.bpf.c. */
static void slow_down(struct ctd_sampler *sampler, int cpu, uint64_t rate)
{
	struct ctd_clocks *clocks = &sampler->clocks[cpu];
	uint64_t period;

	sampler->count.slowed += clocks->factor == 1;
	/* Odd, as a loop may come round after a power of two of them. */
	for (; rate > RATE_WANTED && clocks->factor < FACTOR_MAX; rate /= 2)
		clocks->factor = 2 * clocks->factor + 1;
	period = period_of(sampler, clocks);
	if (ioctl(clocks->sample_fd, PERF_EVENT_IOC_PERIOD, &period)) {
		ctd_log_error(-errno, "raise the period of %s, cpu %d", sampler->event->name, cpu);
		return;
	}
	/* A sample of the longer period takes longer to come than this. */
	tell_period(sampler, cpu);
	ctd_debug("cpu %d: a sample stands for %llu of %s from here on", cpu,
		  (unsigned long long)period, sampler->event->name);
}

void ctd_sampler_pace_event(struct ctd_sampler *sampler)
{
	uint64_t now_ns = ctd_monotonic_ns();

	for (int cpu = 0; cpu < sampler->kern->options.cpus; cpu++) {
		struct ctd_clocks *clocks = &sampler->clocks[cpu];
		uint64_t overflows = sampler->cpus[cpu].overflows - clocks->paced_overflows;
		uint64_t passed_ns = now_ns - clocks->paced_ns;
		uint64_t may = RATE_MAX * (passed_ns > PACE_NS ? passed_ns : PACE_NS) / NS_PER_S;

		if (!clocks->ring)
			continue;
		sampler->count.throttled += take_throttles(clocks);
		if (overflows > may)
			slow_down(sampler, cpu, overflows * NS_PER_S / passed_ns);
		if (overflows > may || passed_ns >= PACE_NS)
			begin_pacing(sampler, cpu);
	}
}

uint64_t ctd_sampler_event_enabled_ns(const struct ctd_clocks *clocks)
{
	return read_count(clocks).enabled_ns;
}

void ctd_sampler_count_event(struct ctd_sampler *sampler, struct ctd_sampled_count *ret_count)
{
	struct ctd_sampled_count count = sampler->count;

	for (int cpu = 0; sampler->event && cpu < sampler->kern->options.cpus; cpu++) {
		if (sampler->clocks[cpu].ring)
			add_count(&count, &sampler->clocks[cpu]);
		count.sampled += sampler->cpus[cpu].events;
		count.idle += sampler->cpus[cpu].idle_events;
	}
	*ret_count = count;
}
