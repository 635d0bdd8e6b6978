/* SPDX-License-Identifier: GPL-2.0-only */
/* window.bpf.h - reads the counters at both ends of a short window, in which one task ran. */
#ifndef WINDOW_BPF_H
#define WINDOW_BPF_H

#include "counters.bpf.h"
#include "sampler.bpf.h"

/* Reads without a trace in the accounting: its next closing finds the counters further on, no more.
 * Simulated ones advance here, too, unless that interrupts the one who advances them. @return 0, or
 * nonzero if the reading cannot be used. */
static __always_inline long read_aside(struct ctd_cpu_state *state, __u32 cpu, struct reading *ret)
{
	__u32 read = cfg_read;
	long error;

	if (read == CTD_READ_NONE || (read == CTD_READ_MIXED && state->read == CTD_READ_NONE))
		return 1;
	if (read == CTD_READ_SIM) {
		if (state->busy)
			return 1;
		simulate(state, cfg_counters);
	}
	error = read_counters(state, cpu, ret);
	return error || ret->rotating || !state->counted;
}

static __always_inline void begin_window(struct ctd_cpu_state *state, struct ctd_sampler_cpu *own,
					 __u32 cpu, __u64 pc)
{
	__u32 counters_count = cfg_counters;
	struct reading reading;

	own->pc = pc;
	own->task = bpf_get_current_task();
	own->switches = state->switches;
	own->group = state->group;
	own->window = CTD_WINDOW_UNREAD;
	if (read_aside(state, cpu, &reading))
		return;
	own->clock_ns = reading.clock_ns;
	own->running_ns = reading.running_ns;
	FOR_COUNTERS (i, 0, counters_count)
		own->count[i] = reading.count[i];
	own->window = CTD_WINDOW_OPEN;
}

/* Ends the window: own->clock_ns is its length then, and own->count what was counted in it.
 * @return CTD_SAMPLING_WINDOWS, or why there is no window that can be used. */
static __always_inline enum ctd_sampling_health
end_window(struct ctd_cpu_state *state, struct ctd_sampler_cpu *own, __u32 cpu, __u64 now_ns)
{
	__u32 counters_count = cfg_counters, window = own->window;
	__u64 since_ns = now_ns - own->window_at_ns, back = 0;
	struct reading reading;

	own->window = CTD_WINDOW_NONE;
	if (window == CTD_WINDOW_NONE || since_ns < cfg_window_ns / 2 ||
	    since_ns > cfg_window_ns * 2)
		return CTD_SAMPLING_UNPAIRED;
	if (own->switches != state->switches || own->task != bpf_get_current_task())
		return CTD_SAMPLING_SWITCHED;
	if (window != CTD_WINDOW_OPEN || read_aside(state, cpu, &reading) ||
	    own->group != state->group)
		return CTD_SAMPLING_UNREAD;
	own->clock_ns = reading.clock_ns - own->clock_ns;
	/* New counters, or the group was off the PMU for a while. */
	if ((__s64)own->clock_ns <= 0 || reading.running_ns - own->running_ns != own->clock_ns)
		return CTD_SAMPLING_UNREAD;
	FOR_COUNTERS (i, 0, counters_count) {
		own->count[i] = reading.count[i] - own->count[i];
		back |= own->count[i];
	}
	return back >> 63 ? CTD_SAMPLING_UNREAD : CTD_SAMPLING_WINDOWS;
}

#endif
