/* SPDX-License-Identifier: GPL-2.0-only */
/* waits.bpf.h - how long tasks waited for a CPU, and who had it meanwhile. */
#ifndef WAITS_BPF_H
#define WAITS_BPF_H

#include "owner.bpf.h"
#include "pairs.bpf.h"
#include "rows.bpf.h"
#include "slice.bpf.h"

/* kernel/sched/sched.h and include/linux/sched/prio.h; macros, so not in BTF. */
#define TASK_ON_RQ_MIGRATING 2
#define MAX_RT_PRIO 100

/*
 * Waits of the rows, mapped by the loader. Written: as rows are. Read: by the loader. Emptied: by
 * the loader, with the row.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* CTD_WAIT_ROWS(), set by the loader */
	__type(key, __u32);
	__type(value, struct ctd_wait_row);
} cgtd_waits SEC(".maps");

/*
 * Who had a CPU lately, by CPU number. Written: under the lock of the CPU's run queue, but for
 * charged_open_ns, which is the CPU's own. Read: likewise. Emptied: never.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* possible CPUs, set by the loader */
	__type(key, __u32);
	__type(value, struct ctd_wait_cpu);
} cgtd_wait_cpus SEC(".maps");

/* Before "sched: Change task_struct::state" (2f064a59a11f, 5.14). */
struct task_struct___state {
	long state;
} __attribute__((preserve_access_index));

/* A byte since 7.x: a load of what is unsigned is fitted to its size. */
struct task_struct___on_rq {
	unsigned int on_rq;
} __attribute__((preserve_access_index));

/*
 * The total of a run queue's throttled time. "sched: add throttled time stat for throttled
 * children" (6.6) brought the first one; the others stop with the clock of load tracking, and are
 * some per cent short. The last one had its name until 5.19.
 */
struct cfs_rq___self {
	__u64 throttled_clock_self_time;
} __attribute__((preserve_access_index));
struct cfs_rq___pelt {
	__u64 throttled_clock_pelt_time;
} __attribute__((preserve_access_index));
struct cfs_rq___task {
	__u64 throttled_clock_task_time;
} __attribute__((preserve_access_index));

static __always_inline struct rq *queue_of(struct task_struct *task)
{
	return task->se.cfs_rq->rq;
}

static __always_inline bool can_go_on(struct task_struct *task)
{
	struct task_struct___state *old = (void *)task;

	if (bpf_core_field_exists(task->__state))
		return task->__state == 0;
	return old->state == 0;
}

/* The owner of a task's time, as a ring has it. */
static __always_inline __u64 occupier_of(struct task_struct *task)
{
	__u32 flags = task->flags;

	if (flags & PF_IDLE)
		return CTD_OCCUPIER_IDLE;
	if (flags & PF_KTHREAD)
		return CTD_OCCUPIER_KERNEL;
	return owner_id_of(task);
}

static __always_inline struct ctd_wait_row *wait_row(__u32 index)
{
	return bpf_map_lookup_elem(&cgtd_waits, &index);
}

static __always_inline __u32 own_wait_index(__u32 cpu, __u32 which)
{
	return cfg_rows + CTD_WAIT_OWN_ROWS * cpu + which;
}

/* Under CTD_BY_PROCESS and CTD_BY_TASK the loader wants the name of a row's task; here it is not
 * the one that runs. */
static __always_inline void remember_comm_of(struct task_struct *task, __u32 pid)
{
	struct ctd_task_name name = {.process = task->tgid};

	bpf_probe_read_kernel_str(name.comm, sizeof(name.comm), &task->comm);
	bpf_map_update_elem(&cgtd_comms, &pid, &name, BPF_ANY);
}

/* Where the waits of a cgroup's task on this CPU are. @p task: NULL: the row is that of the open
 * slice. */
static __always_inline __u32 cgroup_wait_index(struct ctd_cpu_state *state, __u32 cpu,
					       struct task_struct *task, __u64 cgroup_id, __u32 pid)
{
	struct ctd_row *row = row_find(state, cpu, task, cgroup_id, pid);
	__u32 by = cfg_by;

	if (!row)
		return own_wait_index(cpu, CTD_WAIT_ROW_OTHER);
	if (task && by != CTD_BY_CGROUP && !row->epoch[0] && !row->epoch[1])
		remember_comm_of(task, pid);
	return state->recent_row[recent_place(cgroup_id, pid)];
}

/* Waits of the task's row on this CPU; NULL only to please the verifier. A kernel thread may be
 * idle, where it injects idle time (play_idle_precise()). What interrupted a program that is at
 * work on the CPU's state must neither take rows nor write to that program's: its waits are those
 * of what has no row. @p occupier: occupier_of() the task. */
static __always_inline struct ctd_wait_row *wait_row_of(struct ctd_cpu_state *state, __u32 cpu,
							struct task_struct *task, __u64 occupier)
{
	if (occupier >= CTD_OCCUPIER_KERNEL)
		return wait_row(own_wait_index(cpu, CTD_WAIT_ROW_KERNEL));
	if (state->busy)
		return wait_row(own_wait_index(cpu, CTD_WAIT_ROW_OTHER));
	return wait_row(cgroup_wait_index(state, cpu, task, occupier, owner_pid_of(task)));
}

/* As row_begin_epoch(). */
static __noinline int waits_begin_epoch(struct ctd_wait_row *row, __u64 epoch)
{
	__u32 older = ((row->epoch[0] - row->epoch[1]) >> 63) ^ 1;

	row->epoch[older & 1] = epoch;
	if (older)
		row->banks[1] = row->banks[0];
	else
		row->banks[0] = row->banks[1];
	return 0;
}

static __always_inline struct ctd_waits *waits_bank(struct ctd_wait_row *row, __u64 epoch)
{
	__u32 bank = (row->epoch[0] - row->epoch[1]) >> 63;

	if (row->epoch[bank & 1] != epoch) {
		waits_begin_epoch(row, epoch);
		bank = (row->epoch[0] - row->epoch[1]) >> 63;
	}
	/* Masked and not multiplied, as in ctd_row_bank(). */
	return (void *)row->banks + (-(__u64)bank & sizeof(struct ctd_waits));
}

/* log2 of the length in units of the first bucket, and one more; the last bucket has the rest. */
static __always_inline __u32 bucket_of(__u64 wait_ns)
{
	__u32 units, bits, step;

	if (wait_ns < CTD_WAIT_BUCKET_NS)
		return 0;
	if (wait_ns >> (CTD_WAIT_BUCKET_BITS + CTD_WAIT_BUCKETS - 2))
		return CTD_WAIT_BUCKETS - 1;
	units = wait_ns >> CTD_WAIT_BUCKET_BITS;
	bits = units > 0;
	step = (units > 0xffff) << 4;
	units >>= step;
	bits += step;
	step = (units > 0xff) << 3;
	units >>= step;
	bits += step;
	step = (units > 0xf) << 2;
	units >>= step;
	bits += step;
	step = (units > 0x3) << 1;
	units >>= step;
	bits += step;
	return bits + (units >> 1);
}

static __always_inline __u64 overlap(__u64 from, __u64 to, __u64 other_from, __u64 other_to)
{
	from = from > other_from ? from : other_from;
	to = to < other_to ? to : other_to;
	return to > from ? to - from : 0;
}

/* Notes the newest time in which the row was throttled on this CPU. Throttling is of the fair class
 * alone. */
static __always_inline void look_at_throttling(struct ctd_wait_row *row, struct task_struct *task,
					       __u64 queued_ns, __u64 now_ns)
{
	/* By calls, as such waits are rare: see is_accounted(). */
	struct cfs_rq *queue = BPF_CORE_READ(task, se.cfs_rq);
	struct cfs_rq___self *self = (void *)queue;
	struct cfs_rq___pelt *pelt = (void *)queue;
	struct cfs_rq___task *old = (void *)queue;
	__u64 total_ns = 0, grown_ns;

	if (task->prio < MAX_RT_PRIO)
		return;
	if (bpf_core_field_exists(self->throttled_clock_self_time))
		total_ns = BPF_CORE_READ(self, throttled_clock_self_time);
	else if (bpf_core_field_exists(pelt->throttled_clock_pelt_time))
		total_ns = BPF_CORE_READ(pelt, throttled_clock_pelt_time);
	else if (bpf_core_field_exists(old->throttled_clock_task_time))
		total_ns = BPF_CORE_READ(old, throttled_clock_task_time);
	grown_ns = row->throttled_seen ? total_ns + 1 - row->throttled_seen : 0;
	row->throttled_seen = total_ns + 1;
	/* Another run queue's: the cgroup has other controllers than it had. */
	if (!grown_ns || (__s64)grown_ns < 0)
		return;
	/* It began when a task was put off; if none was, all that is known is that it is over. */
	if (row->throttled_from_ns <= row->throttled_to_ns)
		row->throttled_from_ns =
			now_ns - queued_ns > grown_ns ? queued_ns : now_ns - grown_ns;
	row->throttled_to_ns = row->throttled_from_ns + grown_ns;
	if (row->throttled_to_ns > now_ns)
		row->throttled_to_ns = now_ns;
}

static __always_inline __u32 cause_of(__u64 occupier, __u64 own_id)
{
	if (occupier == CTD_OCCUPIER_KERNEL)
		return CTD_WAIT_KERNEL;
	if (occupier == CTD_OCCUPIER_IDLE)
		return CTD_WAIT_IDLE;
	if (occupier == CTD_OCCUPIER_UNKNOWN)
		return CTD_WAIT_UNKNOWN;
	return occupier == own_id ? CTD_WAIT_OWN : CTD_WAIT_OTHER;
}

/*
 * Takes the stay of the occupier @p back places before the newest out of the wait that the CPU's
 * scratch is of. A global function, which is verified by itself and once: each of the 64 steps of a
 * loop around it would be followed along each of its branches, which took the verifier seconds.
 * @return 1 if nothing is left.
 */
__noinline int split_step(__u32 cpu_number, __u32 back)
{
	struct ctd_wait_cpu *cpu = bpf_map_lookup_elem(&cgtd_wait_cpus, &cpu_number);
	__u64 start_ns, end_ns, throttled_ns, occupier_id;
	__u32 at, cause;

	if (!cpu)
		return 1;
	at = (cpu->newest - back) & (CTD_OCCUPIERS - 1);
	start_ns = cpu->occupiers[at].start_ns;
	end_ns = cpu->split.end_ns;
	occupier_id = cpu->occupiers[at].id;
	cause = cause_of(occupier_id, cpu->split.own_id);
	if (start_ns < cpu->split.queued_ns)
		start_ns = cpu->split.queued_ns;
	if (start_ns >= end_ns)
		return 0;
	throttled_ns =
		overlap(start_ns, end_ns, cpu->split.throttled_from_ns, cpu->split.throttled_to_ns);
	cpu->parts[CTD_WAIT_THROTTLED] += throttled_ns;
	cpu->split.end_ns = start_ns;
	end_ns -= throttled_ns;
	cpu->parts[cause & CTD_WAIT_CAUSES] += end_ns - start_ns;
	if (cause == CTD_WAIT_OTHER && end_ns > start_ns)
		charge_pair(CTD_PAIRS_WAITS, cpu->split.own_id, occupier_id, end_ns - start_ns,
			    cpu->split.wait + cpu_number);
	return start_ns <= cpu->split.queued_ns;
}

/* Divides the wait that the CPU's scratch is of among those who had the CPU: into cpu->parts. */
static __noinline int split_wait(struct ctd_wait_cpu *cpu, struct ctd_wait_row *row)
{
	__u64 queued_ns = cpu->split.queued_ns, throttled_ns;
	__u32 number = cpu->number;

	for (int i = 0; i <= CTD_WAIT_CAUSES; i++)
		cpu->parts[i] = 0;
	cpu->split.wait += cfg_cpus;
	cpu->split.throttled_from_ns = row->throttled_from_ns;
	cpu->split.throttled_to_ns = row->throttled_to_ns;
	for (__u32 back = 0; back < CTD_OCCUPIERS; back++) {
		if (split_step(number, back))
			return 0;
	}
	if (cpu->split.end_ns <= queued_ns)
		return 0;
	/* Longer ago than the ring reaches: known is only when the cgroup was throttled. */
	throttled_ns = overlap(queued_ns, cpu->split.end_ns, cpu->split.throttled_from_ns,
			       cpu->split.throttled_to_ns);
	cpu->parts[CTD_WAIT_THROTTLED] += throttled_ns;
	cpu->parts[CTD_WAIT_UNKNOWN] += cpu->split.end_ns - queued_ns - throttled_ns;
	return 0;
}

static __noinline int charge_long_wait(struct ctd_wait_cpu *cpu, struct ctd_wait_row *row,
				       struct ctd_waits *bank, struct task_struct *task)
{
	look_at_throttling(row, task, cpu->split.queued_ns, cpu->split.end_ns);
	split_wait(cpu, row);
	for (int i = 0; i < CTD_WAIT_CAUSES; i++)
		bank->ns[i] += cpu->parts[i];
	return 0;
}

/* A part of a wait, or all of it, has ended on CPU @p number, which @p cpu is of. */
static __always_inline void charge_wait(struct ctd_wait_cpu *cpu, __u32 number,
					struct ctd_wait_row *row, struct ctd_waits *bank,
					struct task_struct *task, __u64 own_id, __u64 queued_ns,
					__u64 now_ns)
{
	if (now_ns - queued_ns < CTD_WAIT_SPLIT_NS) {
		bank->ns[CTD_WAIT_SHORT] += now_ns - queued_ns;
		return;
	}
	cpu->number = number;
	cpu->split.own_id = own_id;
	cpu->split.queued_ns = queued_ns;
	cpu->split.end_ns = now_ns;
	charge_long_wait(cpu, row, bank, task);
}

/* The wait of the task that comes, into @p row. */
static __always_inline void count_wait(struct ctd_cpu_state *state, struct ctd_wait_cpu *wait_cpu,
				       __u32 cpu, struct ctd_wait_row *row,
				       struct task_struct *task, __u64 own_id, __u64 queued_ns,
				       __u64 now_ns)
{
	struct ctd_waits *bank = waits_bank(row, state->epoch);
	__u32 bucket = bucket_of(now_ns - queued_ns);

	if (bucket < CTD_WAIT_BUCKETS)
		bank->histogram[bucket]++;
	charge_wait(wait_cpu, cpu, row, bank, task, own_id, queued_ns, now_ns);
}

/* A task that could go on is put off: by a preemption, a yield, or as its quota is used up, which
 * is the work of no other cgroup. The kernel counts them all as involuntary. @p next_row: of the
 * task that comes, which pass() has just noted; NULL: that is idle, or goes on with the slice. */
static __noinline int preempted(struct ctd_cpu_state *state, struct task_struct *prev,
				struct ctd_wait_row *next_row, __u64 now_ns)
{
	/* First, where the verifier has few states to search types for: as in on_switch(). */
	struct cfs_rq *queue = prev->se.cfs_rq;
	__s32 throttled = bpf_core_field_exists(queue->throttle_count) ? queue->throttle_count : 0;
	__u64 prev_id = occupier_of(prev), next_id = newest_occupier(state);
	__u32 cpu = bpf_get_smp_processor_id();
	struct ctd_wait_row *row = wait_row_of(state, cpu, prev, prev_id);
	struct ctd_waits *bank;

	if (!row)
		return 0;
	bank = waits_bank(row, state->epoch);
	bank->preempted++;
	if (throttled && prev->prio >= MAX_RT_PRIO) {
		row->throttled_from_ns = now_ns;
		return 0;
	}
	if (prev_id == next_id || next_id >= CTD_OCCUPIER_KERNEL || !next_row)
		return 0;
	bank->preempted_by_other++;
	charge_pair(CTD_PAIRS_WAITS, prev_id, next_id, 0, 0);
	waits_bank(next_row, state->epoch)->preempted_others++;
	return 0;
}

/* A switch was lost: what had the CPU since the newest occupier came is not known. */
static __always_inline void forget_occupier(struct ctd_wait_cpu *cpu)
{
	cpu->occupiers[cpu->newest & (CTD_OCCUPIERS - 1)].id = CTD_OCCUPIER_UNKNOWN;
}

static __always_inline void occupy(struct ctd_wait_cpu *cpu, __u64 id, __u64 now_ns)
{
	__u32 at = cpu->newest & (CTD_OCCUPIERS - 1);

	if (cpu->occupiers[at].id == id)
		return;
	at = (at + 1) & (CTD_OCCUPIERS - 1);
	cpu->occupiers[at].id = id;
	cpu->occupiers[at].start_ns = now_ns;
	cpu->newest = at;
}

/*
 * A switch within an owner closes no slice, and most waits that end there are short: they are kept
 * with the slice, in a cache line that is at hand, and charged when it is closed, as all that it
 * has. The run queue's sum of waits is not read here, either: move_waits() knows what was kept.
 * @return false: the wait is longer, there is none, or the ring does not have this owner.
 */
static __always_inline bool open_wait(struct ctd_cpu_state *state, __u64 wait_ns)
{
	if (wait_ns >= CTD_OPEN_WAITS * CTD_WAIT_BUCKET_NS || state->waits_owner != state->owner)
		return false;
	state->open_waits.count[wait_ns >> CTD_WAIT_BUCKET_BITS & (CTD_OPEN_WAITS - 1)]++;
	state->open_wait_ns += wait_ns;
	return true;
}

/* Call before a slice is closed, and before its owner is lost sight of. A global function. */
__noinline int charge_open_waits(__u32 cpu)
{
	struct ctd_cpu_state *state = state_of(cpu);
	struct ctd_wait_cpu *wait_cpu;
	struct ctd_wait_row *row;
	struct ctd_waits *bank;

	if (!cfg_waits || !state)
		return 0;
	wait_cpu = bpf_map_lookup_elem(&cgtd_wait_cpus, &cpu);
	/* Not state->owner, which the loader takes away from a CPU that went offline. */
	if (state->waits_owner == CTD_OWNER_KERNEL)
		row = wait_row(own_wait_index(cpu, CTD_WAIT_ROW_KERNEL));
	else
		row = wait_row(
			cgroup_wait_index(state, cpu, NULL, state->owner_id, state->owner_pid));
	if (!wait_cpu || !row)
		return 0;
	bank = waits_bank(row, state->epoch);
	bank->ns[CTD_WAIT_SHORT] += state->open_wait_ns - wait_cpu->charged_open_ns;
	wait_cpu->charged_open_ns = state->open_wait_ns;
	_Pragma("clang loop unroll(full)") for (__u64 i = 0; i < CTD_OPEN_WAITS; i++)
	{
		bank->histogram[bucket_of(i << CTD_WAIT_BUCKET_BITS)] += state->open_waits.count[i];
		state->open_waits.count[i] = 0;
	}
	return 0;
}

static __always_inline void close_waits(struct ctd_cpu_state *state, __u32 cpu)
{
	if (state->open_waits.any[0] | state->open_waits.any[1])
		charge_open_waits(cpu);
}

/* The wait of the task that comes, which pass() has just noted. @return its row, or NULL: idle. */
static __always_inline struct ctd_wait_row *end_wait(struct ctd_cpu_state *state, __u32 cpu,
						     bool lost, struct task_struct *task,
						     struct rq *queue)
{
	struct ctd_wait_cpu *wait_cpu = bpf_map_lookup_elem(&cgtd_wait_cpus, &cpu);
	__u64 now_ns = queue->clock, queued_ns = task->sched_info.last_queued, wait_ns = 0;
	__u64 own_id = newest_occupier(state);
	struct ctd_wait_row *row = NULL;

	if (!wait_cpu)
		return NULL;
	if (lost)
		forget_occupier(wait_cpu);
	/* The idle task never waits. */
	if (own_id == CTD_OCCUPIER_KERNEL)
		row = wait_row(own_wait_index(cpu, CTD_WAIT_ROW_KERNEL));
	else if (own_id != CTD_OCCUPIER_IDLE)
		row = wait_row(cgroup_wait_index(state, cpu, task, own_id, state->owner_pid));
	if (queued_ns && queued_ns <= now_ns) {
		wait_ns = now_ns - queued_ns;
		if (row)
			count_wait(state, wait_cpu, cpu, row, task, own_id, queued_ns, now_ns);
	}
	occupy(wait_cpu, own_id, now_ns);
	state->waits_owner = state->owner;
	if (bpf_core_field_exists(queue->rq_sched_info))
		wait_cpu->run_delay_ns =
			queue->rq_sched_info.run_delay + wait_ns - state->open_wait_ns;
	return row;
}

/*
 * Call at sched_switch, after the slice was closed. What the next task waited is what the kernel is
 * about to add to its run_delay: in __schedule() the run queue's clock is updated, then comes the
 * tracepoint, then sched_info_arrive(). @p queue: queue_of() the next task.
 */
static __always_inline void pass_waits(struct ctd_cpu_state *state, __u32 cpu, enum passage passage,
				       bool preempt, struct task_struct *prev,
				       struct task_struct *next, struct rq *queue)
{
	__u64 now_ns = queue->clock;
	struct ctd_wait_row *next_row = NULL;

	if (passage != PASSAGE_WITHIN || !open_wait(state, now_ns - next->sched_info.last_queued))
		next_row = end_wait(state, cpu, passage == PASSAGE_LOST, next, queue);
	if ((preempt || can_go_on(prev)) && prev->pid)
		preempted(state, prev, next_row, now_ns);
}

/*
 * A task is moved to another CPU while it waits: what it waited so far was added to its run_delay,
 * and to that of its run queue, whose lock is held. Charged on this CPU, which may be a third one.
 * It is the wait's time; its number and length are those of its end.
 */
static __always_inline void move_waits(struct ctd_cpu_state *state, __u32 cpu,
				       struct task_struct *task)
{
	struct rq *queue = queue_of(task);
	__u64 now_ns = queue->clock, sum_ns = 0, wait_ns;
	__u32 queue_cpu = queue->cpu;
	struct ctd_wait_cpu *wait_cpu = bpf_map_lookup_elem(&cgtd_wait_cpus, &queue_cpu);
	struct ctd_cpu_state *queue_state = state_of(queue_cpu);
	__u64 occupier = occupier_of(task);
	struct ctd_wait_row *row;

	if (!wait_cpu || !queue_state)
		return;
	if (bpf_core_field_exists(queue->rq_sched_info))
		sum_ns = queue->rq_sched_info.run_delay - queue_state->open_wait_ns;
	wait_ns = sum_ns - wait_cpu->run_delay_ns;
	wait_cpu->run_delay_ns = sum_ns;
	/* Before the first switch that was told, and after one that was not, the sum has grown by
	 * others' waits, too. */
	if (queue_state->waits_owner == CTD_OWNER_NONE)
		return;
	row = wait_row_of(state, cpu, task, occupier);
	if (row && (__s64)wait_ns > 0 && wait_ns <= now_ns)
		charge_wait(wait_cpu, queue_cpu, row, waits_bank(row, state->epoch), task, occupier,
			    now_ns - wait_ns, now_ns);
}

#endif
