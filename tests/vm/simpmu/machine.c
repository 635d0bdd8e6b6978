// SPDX-License-Identifier: GPL-2.0-only
/* machine.c - a CPU that does the work of the task that runs on it, as time goes by. */
#include <linux/cgroup.h>
#include <linux/cpu.h>
#include <linux/kprobes.h>
#include <linux/timekeeping.h>
#include <linux/tracepoint.h>

#include "simpmu.h"

DEFINE_PER_CPU(struct machine, simpmu_machine);

/* One clock for all CPUs: a task may be moved by another CPU. */
static u64 clock_ns(const struct machine *machine)
{
	if (machine->frozen)
		return machine->frozen_ns;
	return ktime_get_mono_fast_ns() - machine->stood_ns;
}

void simpmu_machine_advance(struct machine *machine)
{
	bool counts = !machine->disabled || simpmu_control.count_while_disabled;
	u64 now_ns = clock_ns(machine);
	u64 elapsed_ns = now_ns - machine->clock_ns;
	unsigned int i;

	/* Of two CPUs that look at one, the second one's clock may be behind
	 * (ktime_get_mono_fast_ns()). */
	if ((s64)elapsed_ns < 0)
		return;
	machine->clock_ns = now_ns;
	for (i = 0; i < QUANTITIES; i++) {
		u64 work = elapsed_ns * machine->rates[i];

		machine->truth->whole[i] += work;
		if (!counts)
			continue;
		machine->work[i] += work;
		if (machine->live)
			machine->truth->live[i] += work;
		if (!machine->topdown_runs)
			continue;
		if (i == SLOTS)
			machine->topdown.slots += work;
		else if (i >= RETIRING && i < RETIRING + METRICS_MAX)
			machine->topdown.metric[i - RETIRING] += work;
	}
}

/* Kernel threads are one, and so is idling: their names are many, and say nothing. */
static const char *name_of(const struct task_struct *task, const char *comm)
{
	if (task->pid == 0)
		return "<idle>";
	return task->flags & PF_KTHREAD ? "<kernel>" : comm;
}

/* From now on @p task runs here, under the name @p comm. */
static void run(struct machine *machine, struct task_struct *task, const char *comm)
{
	const char *name = name_of(task, comm);

	simpmu_machine_advance(machine);
	strscpy(machine->comm, name, sizeof(machine->comm));
	machine->pid = task->pid;
	machine->tgid = task->tgid;
	machine->truth = simpmu_truth_find(machine->cpu, name,
					   name == comm ? cgroup_id(task_dfl_cgroup(task)) : 0);
	simpmu_profile_rates(name, machine->core, machine->alone);
	WRITE_ONCE(machine->idle, task->pid == 0);
	simpmu_interference_apply(machine);
	simpmu_sampling_arm(machine);
}

static void freeze(struct machine *machine)
{
	if (!machine->frozen++)
		machine->frozen_ns = ktime_get_mono_fast_ns() - machine->stood_ns;
}

static void thaw(struct machine *machine)
{
	if (!--machine->frozen)
		machine->stood_ns = ktime_get_mono_fast_ns() - machine->frozen_ns;
}

struct machine *simpmu_machine_enter(unsigned long *irq)
{
	struct machine *machine;

	local_irq_save(*irq);
	machine = this_cpu_ptr(&simpmu_machine);
	raw_spin_lock(&machine->lock);
	freeze(machine);
	simpmu_machine_advance(machine);
	return machine;
}

void simpmu_machine_leave(struct machine *machine, unsigned long irq)
{
	thaw(machine);
	raw_spin_unlock(&machine->lock);
	local_irq_restore(irq);
}

void simpmu_machine_hold(struct machine *machine, enum standing why)
{
	if (simpmu_control.clock_runs || machine->held & why)
		return;
	machine->held |= why;
	freeze(machine);
}

void simpmu_machine_release(struct machine *machine, enum standing why)
{
	if (!(machine->held & why))
		return;
	machine->held &= ~why;
	thaw(machine);
}

static void switch_to_task(struct machine *machine, struct task_struct *next)
{
	run(machine, next, next->comm);
	machine->truth->switches++;
	machine->switches++;
}

/* Whose is the time of the probes themselves, if the clock runs? The scheduler's accounting has
 * closed the leaving task's by then, yet it is still the current one. So either can be chosen. */
static bool switches_late(void)
{
	return simpmu_control.clock_runs && simpmu_control.switch_late;
}

/* The leaving task's last samples. */
static void sample_switch(void)
{
	struct pt_regs registers;

	perf_fetch_caller_regs(&registers);
	simpmu_sampling_deliver(&registers);
}

/* Before all other probes. */
static void on_switch_first(void *data, bool preempt, struct task_struct *prev,
			    struct task_struct *next)
{
	struct machine *machine = this_cpu_ptr(&simpmu_machine);
	unsigned long irq;

	if (machine->sampling)
		sample_switch();
	simpmu_machine_enter(&irq);
	simpmu_machine_hold(machine, FOR_PROBES);
	machine->updates_before = machine->updates;
	if (!switches_late())
		switch_to_task(machine, next);
	simpmu_machine_leave(machine, irq);
	simpmu_interference_tell(machine->cpu);
}

/* After all other probes. */
static void on_switch_last(void *data, bool preempt, struct task_struct *prev,
			   struct task_struct *next)
{
	unsigned long irq;
	struct machine *machine = simpmu_machine_enter(&irq);

	if (switches_late())
		switch_to_task(machine, next);
	machine->updates_most =
		max(machine->updates_most, machine->updates - machine->updates_before);
	simpmu_machine_release(machine, FOR_PROBES);
	simpmu_machine_leave(machine, irq);
	if (switches_late())
		simpmu_interference_tell(machine->cpu);
}

/* From now on what @p task does here is its new cgroup's. */
static void attach(struct machine *machine, struct cgroup *cgroup, const struct task_struct *task,
		   bool threadgroup)
{
	if (threadgroup ? machine->tgid != task->tgid : machine->pid != task->pid)
		return;
	simpmu_machine_advance(machine);
	if (machine->comm[0] != '<')
		machine->truth = simpmu_truth_find(machine->cpu, machine->comm, cgroup_id(cgroup));
}

/* The task is in its new cgroup by now; wherever it runs, it goes on in that one's name. */
static void on_attach_first(void *data, struct cgroup *cgroup, const char *path,
			    struct task_struct *task, bool threadgroup)
{
	bool accounted = cgroup->root == task_dfl_cgroup(task)->root; /* not of a v1 hierarchy */
	unsigned long irq;
	struct machine *machine = simpmu_machine_enter(&irq);
	unsigned int this_cpu = machine->cpu, cpu;

	simpmu_machine_hold(machine, FOR_PROBES);
	if (accounted)
		attach(machine, cgroup, task, threadgroup);
	simpmu_machine_leave(machine, irq);
	for_each_possible_cpu(cpu)
	{
		struct machine *other = per_cpu_ptr(&simpmu_machine, cpu);

		if (!accounted || cpu == this_cpu)
			continue;
		raw_spin_lock_irqsave(&other->lock, irq);
		attach(other, cgroup, task, threadgroup);
		raw_spin_unlock_irqrestore(&other->lock, irq);
	}
}

static void on_attach_last(void *data, struct cgroup *cgroup, const char *path,
			   struct task_struct *task, bool threadgroup)
{
	unsigned long irq;
	struct machine *machine = simpmu_machine_enter(&irq);

	simpmu_machine_release(machine, FOR_PROBES);
	simpmu_machine_leave(machine, irq);
}

/* Before the name changes. */
static void on_rename(void *data, struct task_struct *task, const char *comm)
{
	unsigned long irq;
	struct machine *machine;

	if (task != current)
		return;
	machine = simpmu_machine_enter(&irq);
	run(machine, task, comm);
	simpmu_machine_leave(machine, irq);
	simpmu_interference_tell(machine->cpu);
}

/*
 * A task is in its new cgroup some time before cgroup_attach_task tells of it (cgroup_migrate() in
 * kernel/cgroup/cgroup.c). A program that is run in between finds it there.
 */
static void follow_current(struct machine *machine)
{
	if (machine->comm[0] != '<' && machine->pid == current->pid)
		machine->truth = simpmu_truth_find(machine->cpu, machine->comm,
						   cgroup_id(task_dfl_cgroup(current)));
}

static int on_run_first(struct kretprobe_instance *instance, struct pt_regs *registers)
{
	unsigned long irq;
	struct machine *machine = simpmu_machine_enter(&irq);

	simpmu_machine_hold(machine, FOR_PROBES);
	follow_current(machine);
	simpmu_machine_leave(machine, irq);
	return 0;
}

static int on_run_last(struct kretprobe_instance *instance, struct pt_regs *registers)
{
	unsigned long irq;
	struct machine *machine = simpmu_machine_enter(&irq);

	simpmu_machine_release(machine, FOR_PROBES);
	simpmu_machine_leave(machine, irq);
	return 0;
}

/*
 * A program run on a CPU by bpf(BPF_PROG_TEST_RUN), which has no tracepoint around it. Its readings
 * of a group's counters are some 100 ns apart on hardware. Here the emulator may let another CPU
 * run in between (thread=single: for 100 ms, TCG_KICK_PERIOD), or its host another program.
 */
static struct kretprobe run_probe = {
	.kp.symbol_name = "__bpf_prog_test_run_raw_tp", /* net/bpf/test_run.c */
	.entry_handler = on_run_first,
	.handler = on_run_last,
};
static bool run_probe_registered;

static int probe_runs(void)
{
	int err = register_kretprobe(&run_probe);

	if (err)
		pr_err("simpmu: cannot probe %s: error %d\n", run_probe.kp.symbol_name, err);
	run_probe_registered = !err;
	return err;
}

static struct probe {
	const char *name;
	void *function;
	int priority;
	struct tracepoint *tracepoint;
	bool registered;
} probes[] = {
	{"sched_switch", on_switch_first, INT_MAX},
	{"sched_switch", on_switch_last, INT_MIN},
	{"cgroup_attach_task", on_attach_first, INT_MAX},
	{"cgroup_attach_task", on_attach_last, INT_MIN},
	{"task_rename", on_rename, INT_MAX},
};

static void find(struct tracepoint *tracepoint, void *data)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		if (strcmp(probes[i].name, tracepoint->name) == 0)
			probes[i].tracepoint = tracepoint;
	}
}

static void begin_here(void *unused)
{
	unsigned long irq;
	struct machine *machine = simpmu_machine_enter(&irq);

	run(machine, current, current->comm);
	simpmu_machine_leave(machine, irq);
	simpmu_interference_tell(machine->cpu);
}

void simpmu_machine_refresh(void)
{
	on_each_cpu(begin_here, NULL, 1);
}

static void prepare(unsigned int cpu)
{
	struct machine *machine = per_cpu_ptr(&simpmu_machine, cpu);
	bool hybrid = simpmu_personality->cores[1];

	raw_spin_lock_init(&machine->lock);
	machine->cpu = cpu;
	machine->core = hybrid && cpu >= (num_possible_cpus() + 1) / 2;
	machine->clock_ns = ktime_get_mono_fast_ns();
	machine->truth = simpmu_truth_find(cpu, "<idle>", 0);
	strscpy(machine->comm, "<idle>", sizeof(machine->comm));
	simpmu_profile_rates("<idle>", machine->core, machine->alone);
	memcpy(machine->rates, machine->alone, sizeof(machine->rates));
	machine->full_rate = simpmu_profile_full_rate(machine->core);
	machine->idle = true;
}

int simpmu_machine_start(void)
{
	unsigned int cpu, i;
	int err;

	for_each_possible_cpu(cpu) prepare(cpu);
	for_each_kernel_tracepoint(find, NULL);
	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		if (!probes[i].tracepoint) {
			pr_err("simpmu: this kernel has no tracepoint %s\n", probes[i].name);
			simpmu_machine_stop();
			return -ENOENT;
		}
		err = tracepoint_probe_register_prio(probes[i].tracepoint, probes[i].function, NULL,
						     probes[i].priority);
		if (err) {
			simpmu_machine_stop();
			return err;
		}
		probes[i].registered = true;
	}
	err = probe_runs();
	if (err) {
		simpmu_machine_stop();
		return err;
	}
	simpmu_machine_refresh();
	return 0;
}

void simpmu_machine_stop(void)
{
	unsigned int i;

	if (run_probe_registered)
		unregister_kretprobe(&run_probe);
	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		if (probes[i].registered)
			tracepoint_probe_unregister(probes[i].tracepoint, probes[i].function, NULL);
	}
	tracepoint_synchronize_unregister();
}
