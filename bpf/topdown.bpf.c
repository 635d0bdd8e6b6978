// SPDX-License-Identifier: GPL-2.0-only
/* topdown.bpf.c - charges each CPU's counters to the cgroup that ran, whenever the CPU switches to
 * another one. */
#include "vmlinux.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <cgtopdown/abi.h>

#include "cgroup.bpf.h"
#include "slice.bpf.h"
#include "waits.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/* One call of cgtd_switch in so many is timed: often enough for a figure every second on a quiet
 * machine, rare enough to cost about a nanosecond per switch. A power of two. */
#define COST_SAMPLE_EVERY 64

/* cgtd_resolve: the CPU to look at, and what it found there. */
__u32 resolve_cpu;
struct {
	__u64 config;
	__u32 cpu;
	__u32 reserved;
} resolved[CTD_COUNTERS_MAX];

/* Indices that one run of cgtd_fill puts into `cgtd_free_rows`. */
#define FILL_ROWS 64
/* cgtd_fill: rows whose indices are not there yet. Set by the loader. */
__u32 unfilled_rows;

/* The task that leaves is the running one: the tracepoint fires before the switch, with interrupts
 * off (kernel/sched/core.c, __schedule). */
static __always_inline enum passage pass(bool waits, bool siblings, struct ctd_cpu_state *state,
					 __u32 cpu, struct task_struct *prev,
					 struct task_struct *next)
{
	__u32 read = cfg_read, pid;
	__u64 owner, id = 0;
	int lost = 0;

	if (state->running_task != (__u64)prev) {
		if (waits)
			close_waits(state, cpu);
		lost = is_owner_lost(state);
	}
	/* Before the task's cgroup is read: if another CPU moves the task from here on, that is
	 * noted. A barrier for the compiler is enough: from a move to its tracepoint it takes
	 * longer than until this store is seen. */
	state->running_task = (__u64)next;
	barrier();
	owner = owner_of(next);
	pid = owner_pid_of(next);
	if (read == CTD_READ_SIM)
		simulate(state, cfg_counters);
	/* A switch inside one cgroup closes nothing, unless a task was moved in the middle of it. */
	if (owner == state->owner && (pid == state->owner_pid || owner < CTD_OWNER_TOKENS) &&
	    !state->moved_ns && !lost)
		return PASSAGE_WITHIN;
	if (waits)
		close_waits(state, cpu);
	/* Before the closing, for the verifier's sake, as queue_of() in on_switch(). */
	if (owner >= CTD_OWNER_TOKENS)
		id = owner_id_of(next);
	if (close_slice(state, cpu, lost, siblings)) {
		/* It may have taken a move of this task for one of the task that leaves. */
		adopt(state, next);
	} else {
		state->owner = owner;
		state->owner_pid = pid;
		state->owner_id = id;
	}
	if (siblings)
		begin_stay(state, cpu);
	return lost ? PASSAGE_LOST : PASSAGE_ACROSS;
}

/* @p waits, @p siblings: constants of each program that calls this, and no knobs, of which a load
 * would be left where they are off. */
static __always_inline int on_switch(bool waits, bool siblings, bool preempt,
				     struct task_struct *prev, struct task_struct *next)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct ctd_cpu_state *state = state_of(cpu);
	/* First, where there is one state to verify: each time that a pointer is followed, the
	 * verifier searches all types of the kernel (btf_nested_type_is_trusted(), 6.4). */
	struct rq *queue = waits ? queue_of(next) : NULL;
	enum passage passage;
	__u64 began_ns = 0;

	if (!state)
		return 0;
	if (++state->switches % COST_SAMPLE_EVERY == 0)
		began_ns = bpf_ktime_get_ns();
	passage = pass(waits, siblings, state, cpu, prev, next);
	if (waits)
		pass_waits(state, cpu, passage, preempt, prev, next, queue);
	if (began_ns) {
		state->health[CTD_HEALTH_COST_NS] += bpf_ktime_get_ns() - began_ns;
		state->health[CTD_HEALTH_COST_SAMPLES]++;
	}
	return 0;
}

/* Arguments: preempt, prev, next; 6.x appends prev_state (9c2136be0878 "sched/tracing: Append
 * prev_state to tp args instead"). One of the two is loaded. */
SEC("tp_btf/sched_switch")
int BPF_PROG(cgtd_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	return on_switch(false, false, preempt, prev, next);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(cgtd_switch_w, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	return on_switch(true, false, preempt, prev, next);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(cgtd_switch_s, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	return on_switch(true, true, preempt, prev, next);
}

/* As a switch does, in all other programs: @p adopt: the running task may be another owner's now. */
static __always_inline void end_slice(struct ctd_cpu_state *state, __u32 cpu, bool adopt)
{
	int lost;

	if (cfg_waits)
		close_waits(state, cpu);
	lost = is_current_lost(state);
	if (cfg_read == CTD_READ_SIM)
		simulate(state, cfg_counters);
	if (cfg_siblings)
		close_slice(state, cpu, lost, true);
	else
		close_slice(state, cpu, lost, false);
	if (adopt)
		adopt_current(state);
	if (cfg_siblings)
		begin_stay(state, cpu);
}

/* Run by the loader on a CPU of its choice (BPF_F_TEST_RUN_ON_CPU), in an interrupt there, or on
 * this CPU with interrupts on: hence `busy`. */
SEC("raw_tp")
int cgtd_flush(void *context)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct ctd_cpu_state *state = state_of(cpu);

	if (!state)
		return 0;
	if (state->busy)
		return 1; /* the loader tries again */
	state->busy = 1;
	barrier();
	end_slice(state, cpu, true);
	barrier();
	state->busy = 0;
	return 0;
}

/* On a cpu-clock event: ends a long slice of a task that does not switch. It does not run while the
 * CPU is idle (exclude_idle), so an idle slice found here means a lost switch. The event's timer
 * still wakes an idle CPU. */
SEC("perf_event")
int cgtd_long_slice(struct bpf_perf_event_data *context)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct ctd_cpu_state *state = state_of(cpu);
	__u64 clock_ns;

	if (!state)
		return 0;
	if (state->busy) {
		state->health[CTD_HEALTH_SKIPPED_BUSY]++;
		return 0;
	}
	clock_ns = bpf_ktime_get_ns() - state->clock_offset_ns;
	if (clock_ns - state->start_ns < cfg_max_slice_ns)
		return 0;
	end_slice(state, cpu, false);
	return 0;
}

/*
 * If a moved task runs on @p cpu, notes the time: the CPU's next closing splits its slice there. A
 * global function, which is verified by itself: inlined, the loop over CPUs would exceed the
 * verifier's limit. @return 1 if such a task runs there.
 */
__noinline int note_move(__u32 cpu, __u32 id, __u32 is_tgid, __u64 now_ns)
{
	struct ctd_cpu_state *state = state_of(cpu);
	struct task_struct *running;

	if (!state)
		return 0;
	running = (void *)state->running_task;
	if ((is_tgid ? BPF_CORE_READ(running, tgid) : BPF_CORE_READ(running, pid)) != (int)id)
		return 0;
	if (cpu != bpf_get_smp_processor_id())
		state->moved_ns = now_ns;
	return 1;
}

/* A task, or all threads of a process, was moved to another cgroup. If one of them runs on this
 * CPU, its slice ends now. TRACE_CGROUP_PATH (kernel/cgroup/cgroup-internal.h) holds a spinlock
 * with interrupts off, or with PREEMPT_RT only the lock: hence `busy`. */
SEC("tp_btf/cgroup_attach_task")
int BPF_PROG(cgtd_attach, struct cgroup *cgroup, const char *path, struct task_struct *task,
	     bool threadgroup)
{
	__u32 this_cpu = bpf_get_smp_processor_id(), cpus_count = cfg_cpus;
	__u32 id = threadgroup ? task->tgid : task->pid;
	__u64 now_ns = bpf_ktime_get_ns();
	struct ctd_cpu_state *state;

	if (!is_accounted(cgroup))
		return 0;
	for (__u32 cpu = 0; cpu < CTD_CPUS_MAX; cpu++) {
		if (cpu >= cpus_count)
			break;
		if (cpu != this_cpu)
			note_move(cpu, id, threadgroup, now_ns);
	}
	state = state_of(this_cpu);
	if (!state || !note_move(this_cpu, id, threadgroup, now_ns))
		return 0;
	state->busy = 1;
	barrier();
	end_slice(state, this_cpu, true);
	barrier();
	state->busy = 0;
	return 0;
}

SEC("tp_btf/cgroup_mkdir")
int BPF_PROG(cgtd_made, struct cgroup *cgroup, const char *path)
{
	return cgroup_changed(cgroup, path, CTD_CGROUP_MADE);
}

SEC("tp_btf/cgroup_rmdir")
int BPF_PROG(cgtd_gone, struct cgroup *cgroup, const char *path)
{
	return cgroup_changed(cgroup, path, CTD_CGROUP_REMOVED);
}

SEC("tp_btf/cgroup_rename")
int BPF_PROG(cgtd_renamed, struct cgroup *cgroup, const char *path)
{
	return cgroup_changed(cgroup, path, CTD_CGROUP_RENAMED);
}

/* Under CTD_BY_PROCESS and CTD_BY_TASK: a row made before the exec carries the new name. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(cgtd_exec, struct task_struct *task)
{
	remember_comm(cfg_by == CTD_BY_PROCESS ? task->tgid : task->pid);
	return 0;
}

/* A task's CPU is about to change: in set_task_cpu(), under the lock of the run queue that it
 * leaves, if it was on one. */
SEC("tp_btf/sched_migrate_task")
int BPF_PROG(cgtd_migrate, struct task_struct *task, int cpu)
{
	struct task_struct___on_rq *waiting = (void *)task;
	__u32 this_cpu = bpf_get_smp_processor_id();
	struct ctd_cpu_state *state = state_of(this_cpu);

	if (state && waiting->on_rq == TASK_ON_RQ_MIGRATING)
		move_waits(state, this_cpu, task);
	return 0;
}

/*
 * Run by the loader after the events are in `cgtd_counters`: notes the address of each member's
 * struct perf_event. The verifier forbids following the map itself, so its address is stored and
 * loaded again, which makes it a plain number.
 */
SEC("raw_tp")
int cgtd_resolve(void *context)
{
	__u32 counters_count = cfg_counters, cpus_count = cfg_cpus;
	__u32 cpu = resolve_cpu;
	struct ctd_cpu_state *state = state_of(cpu);
	__u64 array;

	if (!state)
		return 0;
	*(volatile __u64 *)&state->event_address[0] = (__u64)&cgtd_counters;
	array = *(volatile __u64 *)&state->event_address[0];
	FOR_COUNTERS (i, 0, counters_count) {
		struct bpf_event_entry *entry = NULL;
		struct perf_event *event;

		bpf_probe_read_kernel(&entry, sizeof(entry),
				      (void *)array +
					      bpf_core_field_offset(struct bpf_array, ptrs) +
					      (i * cpus_count + cpu) * sizeof(void *));
		event = BPF_CORE_READ(entry, event);
		state->event_address[i] = (__u64)event;
		/* The loader compares these with what it opened before it trusts an address. */
		resolved[i].cpu = BPF_CORE_READ(event, cpu);
		resolved[i].config = BPF_CORE_READ(event, attr.config);
	}
	return 0;
}

/*
 * Run by the loader, before anything is attached, until all rows are free: each row by a system
 * call of its own was a sixth of the time that it takes to start. Low indices come on top: rows in
 * use stay together, and a snapshot reads little memory.
 */
SEC("raw_tp")
int cgtd_fill(void *context)
{
	for (int i = 0; i < FILL_ROWS && unfilled_rows; i++) {
		__u32 index = unfilled_rows - 1;

		if (bpf_map_push_elem(&cgtd_free_rows, &index, BPF_ANY))
			return 1;
		unfilled_rows = index;
		free_rows++;
	}
	return 0;
}
