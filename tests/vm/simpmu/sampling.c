// SPDX-License-Identifier: GPL-2.0-only
/* sampling.c - interrupts at overflow: samples of what runs, with latencies that a test has set. */
/*
 * A timer of each CPU takes the place of the interrupt. It is set to the moment at which the first
 * counter will overflow by the rates of what runs now, and again when these change. Where the
 * kernel holds it up until another task runs, what overflowed is delivered at the switch.
 */
#include <asm/irq_regs.h>
#include <linux/kprobes.h>
#include <linux/version.h>

#include "simpmu.h"

/* The timer looks no oftener, and no more seldom: other CPUs may change this one's rates. */
#define WAIT_MIN_NS (50 * NSEC_PER_USEC)
#define WAIT_MAX_NS (10 * NSEC_PER_MSEC)
/* Of a period that is too short for the timer, so many samples at once, and no more. */
#define DELIVERED_MAX 16

/* No module may call it by its name. */
static int (*overflow)(struct perf_event *event, struct perf_sample_data *data,
		       struct pt_regs *registers);

static int find_overflow(void)
{
	struct kprobe probe = {.symbol_name = "perf_event_overflow"};
	int err = register_kprobe(&probe);

	if (err) {
		pr_err("simpmu: cannot find %s: error %d\n", probe.symbol_name, err);
		return err;
	}
	overflow = (void *)probe.addr;
	unregister_kprobe(&probe);
	return 0;
}

/* How long until the event overflows, if all goes on as it is. */
static u64 wait_ns(const struct machine *machine, const struct counter *counter)
{
	s64 left = local64_read(&counter->event->hw.period_left);
	u64 work[QUANTITIES], in_wait;
	unsigned int i;

	if (left <= 0)
		return WAIT_MIN_NS;
	for (i = 0; i < QUANTITIES; i++)
		work[i] = WAIT_MAX_NS * machine->rates[i];
	in_wait = simpmu_counter_value(counter->kind, work);
	if (in_wait <= left)
		return WAIT_MAX_NS;
	/* Below in_wait, which a CPU's counts in 10 ms are: no product is too large. */
	return max_t(u64, WAIT_MIN_NS, div64_u64(left * WAIT_MAX_NS, in_wait) + NSEC_PER_USEC);
}

void simpmu_sampling_arm(struct machine *machine)
{
	u64 wait = WAIT_MAX_NS;
	unsigned int i;

	if (!machine->sampling)
		return;
	for (i = 0; i < machine->active_count; i++) {
		struct counter *counter = machine->active[i];

		if (!counter->active || !is_sampling_event(counter->event))
			continue;
		simpmu_counter_update(machine, counter);
		wait = min(wait, wait_ns(machine, counter));
	}
	hrtimer_start(&machine->timer, ns_to_ktime(wait), HRTIMER_MODE_REL_PINNED_HARD);
}

/* Cycles between the retirement of the sampled instruction and of the one before. */
static void fill_latency(struct counter *counter, struct perf_sample_data *data)
{
#ifdef PERF_SAMPLE_WEIGHT_TYPE
	const struct perf_event_attr *attr = &counter->event->attr;

	if (!(attr->sample_type & PERF_SAMPLE_WEIGHT_STRUCT) || !attr->precise_ip ||
	    !counter->has_latency)
		return;
	data->weight.var3_w = simpmu_control_latency(attr->config, counter->samples);
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 0)
	data->sample_flags |= PERF_SAMPLE_WEIGHT_STRUCT;
#endif
#endif
}

static bool is_wanted(const struct perf_event *event, struct pt_regs *registers)
{
	return user_mode(registers) ? !event->attr.exclude_user : !event->attr.exclude_kernel;
}

static void deliver(struct counter *counter, struct pt_regs *registers)
{
	struct perf_event *event = counter->event;
	unsigned int i;

	for (i = 0; i < DELIVERED_MAX && counter->active; i++) {
		struct perf_sample_data data;

		if (local64_read(&event->hw.period_left) > 0)
			return;
		local64_add(event->hw.sample_period, &event->hw.period_left);
		event->hw.last_period = event->hw.sample_period;
		perf_sample_data_init(&data, 0, event->hw.last_period);
		fill_latency(counter, &data);
		counter->samples++;
		this_cpu_ptr(&simpmu_machine)->samples++;
		if (is_wanted(event, registers) && overflow(event, &data, registers))
			event->pmu->stop(event, 0);
	}
	if (local64_read(&event->hw.period_left) <= 0)
		local64_set(&event->hw.period_left, event->hw.sample_period);
}

/* perf stops and starts events from within, and programs read others: without the lock. */
void simpmu_sampling_deliver(struct pt_regs *registers)
{
	struct counter *counters[ACTIVE_MAX];
	unsigned int count = 0, i;
	unsigned long irq;
	struct machine *machine = simpmu_machine_enter(&irq);

	simpmu_machine_hold(machine, FOR_SAMPLES);
	for (i = 0; i < machine->active_count; i++) {
		struct counter *counter = machine->active[i];

		if (!counter->active || !is_sampling_event(counter->event))
			continue;
		simpmu_counter_update(machine, counter);
		counters[count++] = counter;
	}
	simpmu_machine_leave(machine, irq);
	for (i = 0; i < count; i++)
		deliver(counters[i], registers);
	simpmu_machine_enter(&irq);
	simpmu_machine_release(machine, FOR_SAMPLES);
	simpmu_machine_leave(machine, irq);
}

static enum hrtimer_restart on_timer(struct hrtimer *timer)
{
	struct machine *machine = container_of(timer, struct machine, timer);
	unsigned long irq;

	if (machine->cpu != smp_processor_id())
		return HRTIMER_NORESTART; /* of a CPU that went offline */
	if (get_irq_regs())
		simpmu_sampling_deliver(get_irq_regs());
	simpmu_machine_enter(&irq);
	simpmu_sampling_arm(machine);
	simpmu_machine_leave(machine, irq);
	return HRTIMER_NORESTART;
}

int simpmu_sampling_start(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
	{
		struct hrtimer *timer = &per_cpu_ptr(&simpmu_machine, cpu)->timer;

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
		hrtimer_setup(timer, on_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
#else
		hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
		timer->function = on_timer;
#endif
	}
	return find_overflow();
}

void simpmu_sampling_stop(void)
{
	unsigned int cpu;

	if (!overflow)
		return;
	for_each_possible_cpu(cpu) hrtimer_cancel(&per_cpu_ptr(&simpmu_machine, cpu)->timer);
}
