/* SPDX-License-Identifier: GPL-2.0-only */
/* owner.bpf.h - the owner of a task's slices: idle, kernel, or a cgroup of the accounted hierarchy.
 */
#ifndef OWNER_BPF_H
#define OWNER_BPF_H

#include "config.bpf.h"
#include <bpf/bpf_core_read.h>
#include <cgtopdown/waits_abi.h>

/* include/linux/sched.h; macros, so not in BTF. */
#define PF_IDLE 0x00000002
#define PF_KTHREAD 0x00200000

/* Cheap enough for every switch: five loads, no call. The cgroup's address identifies it while one
 * of its tasks runs, because the task keeps the cgroup alive. @p task must be a pointer that the
 * verifier trusts (an argument of a tp_btf program). */
static __always_inline __u64 owner_of(struct task_struct *task)
{
	__s32 subsystem = cfg_subsystem;
	__u32 flags = task->flags;

	if (flags & PF_IDLE)
		return CTD_OWNER_IDLE;
	if (flags & PF_KTHREAD)
		return CTD_OWNER_KERNEL;
	if (subsystem < 0)
		return (__u64)task->cgroups->dfl_cgrp;
	return (__u64)task->cgroups->subsys[subsystem]->cgroup;
}

/* The kernel's id of that cgroup: what bpf_get_current_cgroup_id() and name_to_handle_at() give. */
static __always_inline __u64 owner_id_of(struct task_struct *task)
{
	__s32 subsystem = cfg_subsystem;

	if (subsystem < 0)
		return task->cgroups->dfl_cgrp->kn->id;
	return task->cgroups->subsys[subsystem]->cgroup->kn->id;
}

/* The owner that was noted last, as rings and pairs have it. */
static __always_inline __u64 newest_occupier(const struct ctd_cpu_state *state)
{
	if (state->owner == CTD_OWNER_IDLE)
		return CTD_OCCUPIER_IDLE;
	if (state->owner == CTD_OWNER_KERNEL)
		return CTD_OCCUPIER_KERNEL;
	return state->owner_id;
}

static __always_inline __u32 owner_pid_of(struct task_struct *task)
{
	__u32 by = cfg_by;

	if (by == CTD_BY_PROCESS)
		return task->tgid;
	if (by == CTD_BY_TASK)
		return task->pid;
	return 0;
}

/* The cgroup of a task, for programs without a trusted pointer to it, and where it is rarely asked
 * for. Too slow for every switch: each step is a call. A function, so that what it reads into is
 * not on its callers' stacks. */
static __noinline struct cgroup *find_cgroup(struct task_struct *task)
{
	__s32 subsystem = cfg_subsystem;
	struct cgroup_subsys_state *css = NULL;
	struct css_set *set;

	if (subsystem < 0)
		return BPF_CORE_READ(task, cgroups, dfl_cgrp);
	set = BPF_CORE_READ(task, cgroups);
	bpf_probe_read_kernel(&css, sizeof(css),
			      (void *)set + bpf_core_field_offset(struct css_set, subsys) +
				      subsystem * sizeof(css));
	return BPF_CORE_READ(css, cgroup);
}

/* Notes @p task as the running one, and its owner, where that is rare or there is no trusted
 * pointer. The task is noted before its cgroup is read: then a move between the two is, too. */
static __noinline int adopt(struct ctd_cpu_state *state, struct task_struct *task)
{
	__u32 flags = BPF_CORE_READ(task, flags);
	__u32 by = cfg_by;
	struct cgroup *cgroup;

	state->running_task = (__u64)task;
	barrier();
	state->owner_pid = 0;
	state->owner_id = 0;
	if (flags & PF_IDLE) {
		state->owner = CTD_OWNER_IDLE;
		return 0;
	}
	if (flags & PF_KTHREAD) {
		state->owner = CTD_OWNER_KERNEL;
		return 0;
	}
	cgroup = find_cgroup(task);
	state->owner = (__u64)cgroup;
	state->owner_id = BPF_CORE_READ(cgroup, kn, id);
	if (by == CTD_BY_PROCESS)
		state->owner_pid = BPF_CORE_READ(task, tgid);
	else if (by == CTD_BY_TASK)
		state->owner_pid = BPF_CORE_READ(task, pid);
	return 0;
}

static __always_inline void adopt_current(struct ctd_cpu_state *state)
{
	adopt(state, (void *)bpf_get_current_task());
}

/*
 * Called when the running task is not the one that was noted: some kernels switch without calling
 * the tracepoint. Adopts the running task once there is a baseline. @return 1 if the owner of a
 * part of the open slice is unknown, 0 if all of it is the noted owner's.
 */
static __noinline int is_owner_lost(struct ctd_cpu_state *state)
{
	__u64 owner = state->owner;
	__u32 pid = state->owner_pid;

	/* Waits of the switches that were not told are in the run queue's sum: see move_waits(). */
	if (cfg_waits)
		state->waits_owner = CTD_OWNER_NONE;
	/* Before the baseline there is nothing to lose. Adopting the owner now would make the first
	 * switch within it look like one that closes nothing, and it would take no baseline. */
	if (!state->live)
		return 0;
	adopt_current(state);
	/* It is not known either whether the moved task had left by then. */
	if (state->moved_ns)
		return 1;
	return owner != state->owner || (owner >= CTD_OWNER_TOKENS && pid != state->owner_pid);
}

/* The same for programs that no tracepoint tells which task runs. */
static __always_inline int is_current_lost(struct ctd_cpu_state *state)
{
	return state->running_task != bpf_get_current_task() && is_owner_lost(state);
}

#endif
