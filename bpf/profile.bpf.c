// SPDX-License-Identifier: GPL-2.0-only
/* profile.bpf.c - samples what runs on each CPU: its stack, and what the counters counted in a
 * short window before. */
#include "vmlinux.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <cgtopdown/abi.h>

#include "stack.bpf.h"
#include "unwind.bpf.h"
#include "window.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/* Each run is timed, up to here. What the interrupt itself takes is not in it. */
static __always_inline void count_cost(struct ctd_sampler_cpu *own, __u64 begun_ns)
{
	own->health[CTD_SAMPLING_COST_NS] += bpf_ktime_get_ns() - begun_ns;
}

/* The first of two cpu-clock events per CPU with one period, which the loader sets cfg_window_ns
 * apart. Neither runs its program while the CPU is idle (exclude_idle). */
SEC("perf_event")
int cgtd_window(struct bpf_perf_event_data *context)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct ctd_cpu_state *state = state_of(cpu);
	struct ctd_sampler_cpu *own = bpf_map_lookup_elem(&cgtd_samplers, &cpu);

	if (!state || !own)
		return 0;
	own->window_at_ns = bpf_ktime_get_ns();
	begin_window(state, own, cpu, PT_REGS_IP(&context->regs));
	count_cost(own, own->window_at_ns);
	return 0;
}

static __always_inline void count_stack(struct ctd_sampler_cpu *own,
					const struct ctd_sampler_key *key)
{
	if (key->user_end == CTD_STACK_TRUNCATED || key->kernel_frames == CTD_STACK_FRAMES_MAX)
		own->health[CTD_SAMPLING_TRUNCATED]++;
	else if (key->user_end == CTD_STACK_BROKEN)
		own->health[CTD_SAMPLING_BROKEN]++;
	else if (key->user_end == CTD_STACK_FRAME_POINTERS)
		own->health[CTD_SAMPLING_FRAME_POINTERS]++;
	else
		own->health[CTD_SAMPLING_COMPLETE]++;
}

/* An event has overflowed, also in a non-maskable interrupt. The period that it had counts, not the
 * one that it has by now; of a clock perf tells the first one that it ever had. @return false: it
 * is of no row that has samples. */
static __always_inline bool count_event(struct bpf_perf_event_data *context,
					struct ctd_sampler_cpu *own)
{
	__u64 period = context->sample_period;

	/* A context is not to be read at an address that was computed. */
	barrier_var(period);
	if (own->clock_period)
		period = own->clock_period;
	own->events += period;
	own->overflows++;
	if (!bpf_get_current_pid_tgid()) {
		own->idle_events += period;
		return false;
	}
	own->weight = period / cfg_event;
	return true;
}

/* The second event: a sample. First of all it ends the window. */
static __always_inline int take_sample(struct bpf_perf_event_data *context, bool by_tables)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct ctd_cpu_state *state = state_of(cpu);
	struct ctd_sampler_cpu *own = bpf_map_lookup_elem(&cgtd_samplers, &cpu);
	struct stack_sample *sample = this_sample();
	enum ctd_sampling_health window = CTD_SAMPLING_CPU_COUNTERS;

	if (!state || !own || !sample)
		return 0;
	own->sample_at_ns = bpf_ktime_get_ns();
	if (!cfg_event) {
		window = end_window(state, own, cpu, own->sample_at_ns);
	} else if (!count_event(context, own)) {
		count_cost(own, own->sample_at_ns);
		return 0;
	}
	own->health[CTD_SAMPLING_SAMPLES]++;
	if (window < CTD_SAMPLING_CPU_COUNTERS)
		own->health[window]++;
	own->busy = 1;
	barrier();
	identify(sample, (void *)bpf_get_current_task(), state->group);
	if (window == CTD_SAMPLING_WINDOWS)
		sample->key.begin_pc = own->pc;
	walk_kernel(context, own, sample);
	if (sample->key.tgid && (!by_tables || unwind(context, own, sample)))
		walk_frame_pointers(context, own, sample);
	count_stack(own, &sample->key);
	add_sample(cpu, window == CTD_SAMPLING_WINDOWS);
	barrier();
	own->busy = 0;
	count_cost(own, own->sample_at_ns);
	return 0;
}

/* One of the two is loaded: a program that refers to what the kernel lacks is refused, although it
 * were never called. */
SEC("perf_event")
int cgtd_sampled(struct bpf_perf_event_data *context)
{
	return take_sample(context, false);
}

SEC("perf_event")
int cgtd_unwound(struct bpf_perf_event_data *context)
{
	return take_sample(context, true);
}
