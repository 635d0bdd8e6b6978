// SPDX-License-Identifier: GPL-2.0-only
/* pmu.c - the PMU as perf sees it: which events it takes, and when they count. */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/version.h>

#include "simpmu.h"

static struct core_pmu {
	struct pmu pmu;
	const struct simpmu_core *core;
	struct cpumask cpus;
	bool registered;
} core_pmus[CORES_MAX];

static struct core_pmu *core_pmu_of(struct pmu *pmu)
{
	return container_of(pmu, struct core_pmu, pmu);
}

static struct counter *counter_of(struct perf_event *event)
{
	return event->pmu_private;
}

/* An event whose code nobody here knows: a rate of its own, from its code. */
static void make_generic(u64 config, struct simpmu_event *ret)
{
	*ret = (struct simpmu_event){
		.config = config,
		.terms = {{CYCLES, 1 + hweight64(config) % 7, 8}},
	};
}

/* PERF_TYPE_HARDWARE's own numbers for what every core has. @return false: it does not. */
static bool make_hardware(u64 config, struct simpmu_event *ret)
{
	switch (config) {
	case PERF_COUNT_HW_CPU_CYCLES:
		*ret = (struct simpmu_event){
			.counters = FIXED(1) | ALL_GENERAL,
			.terms = {{CYCLES, 1, 1}},
		};
		return true;
	case PERF_COUNT_HW_INSTRUCTIONS:
		*ret = (struct simpmu_event){
			.counters = FIXED(0) | ALL_GENERAL,
			.terms = {{RETIRING, 1, 1}, {HEAVY_OPS, -1, 1}},
		};
		return true;
	default:
		return false;
	}
}

static int find_kind(const struct simpmu_core *core, const struct perf_event_attr *attr,
		     struct counter *counter)
{
	const struct simpmu_event *kind;

	counter->kind = &counter->generic;
	if (attr->type == PERF_TYPE_HARDWARE)
		return make_hardware(attr->config & 0xffffffff, &counter->generic) ? 0 : -ENOENT;
	for (kind = core->events; kind->name || kind->terms[0].denominator; kind++) {
		if (kind->config == attr->config &&
		    (!kind->value || kind->value == attr->config1)) {
			counter->kind = kind;
			return 0;
		}
	}
	make_generic(attr->config, &counter->generic);
	return 0;
}

/* The rules for topdown events of intel_pmu_hw_config(): metrics follow slots, none samples. */
static int check_topdown(struct perf_event *event)
{
	struct counter *counter = counter_of(event);
	struct perf_event *leader = event->group_leader;

	if (!is_topdown(counter))
		return 0;
	if (event->attr.sample_period)
		return -EINVAL;
	if (counter->kind->kind == METRIC_EVENT && (leader == event || leader->pmu != event->pmu ||
						    counter_of(leader)->kind->kind != SLOTS_EVENT))
		return -EINVAL;
	return 0;
}

/* Can the group ever be scheduled? Other users do not count, as in x86's validate_group(). */
static int check_group(struct perf_event *event, const struct simpmu_core *core)
{
	const struct counter *counters[ACTIVE_MAX];
	struct perf_event *sibling;
	unsigned int count = 0;

	counters[count++] = counter_of(event);
	if (event->group_leader == event)
		goto check;
	if (event->group_leader->pmu == event->pmu)
		counters[count++] = counter_of(event->group_leader);
	for_each_sibling_event(sibling, event->group_leader)
	{
		if (sibling->pmu != event->pmu)
			continue;
		if (count == ACTIVE_MAX)
			return -EINVAL;
		counters[count++] = counter_of(sibling);
	}
check:
	return simpmu_counters_fit(core, counters, count, core->counters) ? 0 : -EINVAL;
}

/* As x86_pmu_hw_config() has it. */
static int check_precise(struct perf_event *event)
{
	if (!event->attr.precise_ip)
		return 0;
	if (!counter_of(event)->kind->precise)
		return -EOPNOTSUPP;
	return is_sampling_event(event) ? 0 : -EINVAL;
}

static void destroy(struct perf_event *event)
{
	kfree(event->pmu_private);
	event->pmu_private = NULL;
}

static int simpmu_event_init(struct perf_event *event)
{
	struct core_pmu *core_pmu = core_pmu_of(event->pmu);
	const struct perf_event_attr *attr = &event->attr;
	struct counter *counter;
	int err;

	if (attr->type != event->pmu->type && attr->type != PERF_TYPE_HARDWARE)
		return -ENOENT;
	if (attr->type == PERF_TYPE_HARDWARE && core_pmu != &core_pmus[0])
		return -ENOENT;
	if (event->cpu >= 0 && !cpumask_test_cpu(event->cpu, &core_pmu->cpus))
		return -ENOENT;
	if (has_branch_stack(event))
		return -EOPNOTSUPP;
	if (simpmu_control.refused && simpmu_control.refused == attr->config)
		return simpmu_control.refusal;
	counter = kzalloc(sizeof(*counter), GFP_KERNEL);
	if (!counter)
		return -ENOMEM;
	counter->event = event;
	counter->has_latency = core_pmu->core->has_latency;
	counter->watched = strcmp(current->comm, simpmu_control.watch) == 0;
	event->pmu_private = counter;
	err = find_kind(core_pmu->core, attr, counter);
	err = err ?: check_topdown(event);
	err = err ?: check_precise(event);
	err = err ?: check_group(event, core_pmu->core);
	if (err) {
		destroy(event);
		return err;
	}
	event->destroy = destroy;
	return 0;
}

static void start_locked(struct machine *machine, struct counter *counter)
{
	if (is_topdown(counter))
		simpmu_topdown_start(machine, counter);
	else
		counter->before = simpmu_counter_value(counter->kind, machine->work);
	counter->active = true;
	counter->restarted = true;
	counter->live = counter->watched && (counter->was_read || !simpmu_control.live_since_read);
	machine->live += counter->live;
	if (counter->kind->kind == SLOTS_EVENT)
		machine->topdown_runs = true;
	counter->event->hw.state = 0;
	if (!is_sampling_event(counter->event))
		return;
	machine->sampling++;
	simpmu_sampling_arm(machine);
}

static void stop_locked(struct machine *machine, struct counter *counter)
{
	if (counter->event->hw.state & PERF_HES_STOPPED)
		return;
	/* First off, then brought up to date: the order says that its registers are to be saved. */
	counter->active = false;
	if (is_topdown(counter))
		simpmu_topdown_update(machine, counter);
	else
		simpmu_counter_update(machine, counter);
	machine->sampling -= is_sampling_event(counter->event);
	machine->live -= counter->live;
	counter->live = false;
	if (counter->kind->kind == SLOTS_EVENT)
		machine->topdown_runs = false;
	counter->event->hw.state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static void simpmu_start(struct perf_event *event, int flags)
{
	unsigned long irq;
	struct machine *machine = simpmu_machine_enter(&irq);

	start_locked(machine, counter_of(event));
	simpmu_machine_leave(machine, irq);
}

static void simpmu_stop(struct perf_event *event, int flags)
{
	unsigned long irq;
	struct machine *machine = simpmu_machine_enter(&irq);

	stop_locked(machine, counter_of(event));
	simpmu_machine_leave(machine, irq);
}

static bool fits(const struct machine *machine, const struct simpmu_core *core,
		 const struct counter *counter)
{
	const struct counter *counters[ACTIVE_MAX];
	unsigned int i;

	if (machine->active_count == ACTIVE_MAX || simpmu_control.never_runs)
		return false;
	for (i = 0; i < machine->active_count; i++)
		counters[i] = machine->active[i];
	counters[i++] = counter;
	return simpmu_counters_fit(core, counters, i, core->counters & ~simpmu_control.taken);
}

static int simpmu_add(struct perf_event *event, int flags)
{
	struct counter *counter = counter_of(event);
	unsigned long irq;
	struct machine *machine = simpmu_machine_enter(&irq);
	int err = -EAGAIN;

	if (fits(machine, core_pmu_of(event->pmu)->core, counter)) {
		err = 0;
		machine->added++;
		machine->active[machine->active_count++] = counter;
		event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
		if (flags & PERF_EF_START)
			start_locked(machine, counter);
	} else {
		machine->refused++;
	}
	simpmu_machine_leave(machine, irq);
	return err;
}

static void simpmu_del(struct perf_event *event, int flags)
{
	struct counter *counter = counter_of(event);
	unsigned long irq;
	unsigned int i;
	struct machine *machine = simpmu_machine_enter(&irq);

	stop_locked(machine, counter);
	for (i = 0; i < machine->active_count; i++) {
		if (machine->active[i] == counter)
			machine->active[i] = machine->active[--machine->active_count];
	}
	simpmu_machine_leave(machine, irq);
}

static void simpmu_read(struct perf_event *event)
{
	struct counter *counter = counter_of(event);
	unsigned long irq;
	struct machine *machine = simpmu_machine_enter(&irq);

	machine->reads++;
	if (is_topdown(counter))
		simpmu_topdown_update(machine, counter);
	else
		simpmu_counter_update(machine, counter);
	counter->was_read |= counter->active;
	if (counter->active && counter->watched && !counter->live) {
		counter->live = true;
		machine->live++;
	}
	simpmu_machine_leave(machine, irq);
}

/*
 * What hardware does to all counters at once, by a register that stops or starts them, or within
 * some 100 ns, perf does here event by event, and the emulator may let another CPU run in between
 * (thread=single: for 100 ms, TCG_KICK_PERIOD), or its host another program: events of a group
 * would be of several instants.
 */
static void set_disabled(struct pmu *pmu, bool disabled)
{
	unsigned long irq;
	struct machine *machine;

	if (!cpumask_test_cpu(smp_processor_id(), &core_pmu_of(pmu)->cpus))
		return;
	machine = simpmu_machine_enter(&irq);
	machine->disabled = disabled;
	if (disabled)
		simpmu_machine_hold(machine, FOR_CHANGES);
	else
		simpmu_machine_release(machine, FOR_CHANGES);
	simpmu_machine_leave(machine, irq);
}

static void simpmu_disable(struct pmu *pmu)
{
	set_disabled(pmu, true);
}

static void simpmu_enable(struct pmu *pmu)
{
	set_disabled(pmu, false);
}

/* Reading a group, and putting one on the PMU, while that is disabled. */
static void simpmu_start_txn(struct pmu *pmu, unsigned int flags)
{
	unsigned long irq;
	struct machine *machine = simpmu_machine_enter(&irq);

	simpmu_machine_hold(machine, FOR_READING);
	simpmu_machine_leave(machine, irq);
}

static void simpmu_cancel_txn(struct pmu *pmu)
{
	unsigned long irq;
	struct machine *machine = simpmu_machine_enter(&irq);

	simpmu_machine_release(machine, FOR_READING);
	simpmu_machine_leave(machine, irq);
}

static int simpmu_commit_txn(struct pmu *pmu)
{
	simpmu_cancel_txn(pmu);
	return 0;
}

/* Keeps an event of a task off the CPUs of the other kind. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
static bool simpmu_filter(struct pmu *pmu, int cpu)
{
	return !cpumask_test_cpu(cpu, &core_pmu_of(pmu)->cpus);
}
#define FILTER .filter = simpmu_filter
#else
static int simpmu_filter_match(struct perf_event *event)
{
	return cpumask_test_cpu(smp_processor_id(), &core_pmu_of(event->pmu)->cpus);
}
#define FILTER .filter_match = simpmu_filter_match
#endif

/* Before 6.2 two PMUs may share the context of hardware events only if they say so. */
#ifdef PERF_PMU_CAP_HETEROGENEOUS_CPUS
#define HYBRID_CAPABILITIES PERF_PMU_CAP_HETEROGENEOUS_CPUS
#else
#define HYBRID_CAPABILITIES 0
#endif

/*
 * Before 6.2, perf_pmu_disable() is given the PMU of a CPU's context when a group goes off it, which
 * for all CPUs is the PMU that was registered first. As the driver of real hybrid processors does
 * (x86_pmu_update_cpu_context() in the kernel's arch/x86/events/core.c), give each CPU its own.
 */
static void tell_contexts(struct core_pmu *core_pmu)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
	unsigned int cpu;

	for_each_cpu(cpu, &core_pmu->cpus)
	{
		per_cpu_ptr(core_pmu->pmu.pmu_cpu_context, cpu)->ctx.pmu = &core_pmu->pmu;
	}
#endif
}

static int register_core(unsigned int index)
{
	const struct simpmu_core *core = simpmu_personality->cores[index];
	bool hybrid = simpmu_personality->cores[1];
	struct core_pmu *core_pmu = &core_pmus[index];
	unsigned int cpu;
	int err;

	core_pmu->core = core;
	for_each_possible_cpu(cpu)
	{
		if (per_cpu_ptr(&simpmu_machine, cpu)->core == index)
			cpumask_set_cpu(cpu, &core_pmu->cpus);
	}
	core_pmu->pmu = (struct pmu){
		.module = THIS_MODULE,
		.task_ctx_nr = perf_hw_context,
		.capabilities = hybrid ? HYBRID_CAPABILITIES : 0,
		.attr_groups = simpmu_sysfs_make(core, &core_pmu->cpus, hybrid),
		.event_init = simpmu_event_init,
		.add = simpmu_add,
		.del = simpmu_del,
		.start = simpmu_start,
		.stop = simpmu_stop,
		.read = simpmu_read,
		.pmu_enable = simpmu_enable,
		.pmu_disable = simpmu_disable,
		.start_txn = simpmu_start_txn,
		.commit_txn = simpmu_commit_txn,
		.cancel_txn = simpmu_cancel_txn,
		FILTER,
	};
	if (!core_pmu->pmu.attr_groups)
		return -ENOMEM;
	err = perf_pmu_register(&core_pmu->pmu, core->pmu_name, core->is_raw ? PERF_TYPE_RAW : -1);
	if (err) {
		pr_err("simpmu: cannot register PMU %s: error %d\n", core->pmu_name, err);
		simpmu_sysfs_free(core_pmu->pmu.attr_groups);
		return err;
	}
	tell_contexts(core_pmu);
	core_pmu->registered = true;
	return 0;
}

int simpmu_pmu_register(void)
{
	unsigned int i;

	for (i = 0; i < CORES_MAX && simpmu_personality->cores[i]; i++) {
		int err = register_core(i);

		if (err) {
			simpmu_pmu_unregister();
			return err;
		}
	}
	return 0;
}

void simpmu_pmu_unregister(void)
{
	unsigned int i;

	for (i = 0; i < CORES_MAX; i++) {
		if (!core_pmus[i].registered)
			continue;
		perf_pmu_unregister(&core_pmus[i].pmu);
		simpmu_sysfs_free(core_pmus[i].pmu.attr_groups);
	}
}
