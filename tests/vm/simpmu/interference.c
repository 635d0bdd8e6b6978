// SPDX-License-Identifier: GPL-2.0-only
/* interference.c - how much slower a task is for what runs on other CPUs meanwhile. */
/*
 * The law, which docs/neighbours.md states. The memory of a socket is a queue: each task that runs
 * on one of its CPUs asks for as many memory-bound slots in a nanosecond as it has alone. By a
 * task, what those on the socket's other CPUs ask for fills the part u of the memory's capacity.
 * For each of its other slots it then has 1/(1 - u) times as many memory-bound ones as alone. Its
 * slots in a nanosecond stay what they are: it retires less. The hardware threads of a core divide
 * its slots: while the other one runs a task, each has a part of what it has alone.
 */
#include <linux/topology.h>

#include "simpmu.h"

/* In per mille. A queue that is nearly full takes for ever. */
#define FULL 800

static bool is_law(void)
{
	return simpmu_control.memory_capacity || simpmu_control.smt_share;
}

/* What that CPU's task asks of the memory. Read without its lock: when it is another one, all are
 * told. */
static u32 demand_of(const struct machine *machine)
{
	return READ_ONCE(machine->idle) ? 0 : READ_ONCE(machine->alone[MEM_BOUND]);
}

/* u, in per mille. */
static u64 memory_filled(const struct machine *machine)
{
	u64 capacity = (u64)simpmu_control.memory_capacity * machine->full_rate / 1000, sum = 0;
	unsigned int cpu;

	if (!capacity)
		return 0;
	for_each_online_cpu(cpu)
	{
		if (cpu != machine->cpu &&
		    topology_physical_package_id(cpu) == topology_physical_package_id(machine->cpu))
			sum += demand_of(per_cpu_ptr(&simpmu_machine, cpu));
	}
	return min_t(u64, sum * 1000 / capacity, FULL);
}

static bool sibling_runs(const struct machine *machine)
{
	unsigned int cpu;

	for_each_cpu(cpu, topology_sibling_cpumask(machine->cpu))
	{
		if (cpu != machine->cpu && !READ_ONCE(per_cpu_ptr(&simpmu_machine, cpu)->idle))
			return true;
	}
	return false;
}

/* Memory-bound slots are more by the queue, and all parts less, so that they are the slots again. */
static void wait_for_memory(u32 *rates, u64 filled)
{
	u64 memory = (u64)rates[MEM_BOUND] * 1000 / (1000 - filled);
	u64 slots = rates[SLOTS], all = slots + memory - rates[MEM_BOUND];
	unsigned int i;

	rates[MEM_BOUND] = memory;
	for (i = RETIRING; i < QUANTITIES; i++)
		rates[i] = rates[i] * slots / all;
}

void simpmu_interference_apply(struct machine *machine)
{
	u32 *rates = machine->rates;
	unsigned int i;

	memcpy(rates, machine->alone, sizeof(machine->rates));
	if (!is_law() || machine->idle)
		return;
	wait_for_memory(rates, memory_filled(machine));
	if (simpmu_control.smt_share && sibling_runs(machine)) {
		for (i = SLOTS; i < QUANTITIES; i++)
			rates[i] = (u64)rates[i] * simpmu_control.smt_share / 1000;
	}
	/* As in profile.c: it takes what rounding left, too. */
	rates[BACKEND] = rates[SLOTS] - rates[RETIRING] - rates[BAD_SPEC] - rates[FRONTEND] -
			 rates[SMT_CONTENTION];
}

void simpmu_interference_tell(unsigned int from_cpu)
{
	unsigned int cpu;

	if (!is_law())
		return;
	for_each_online_cpu(cpu)
	{
		struct machine *machine = per_cpu_ptr(&simpmu_machine, cpu);
		unsigned long flags;

		if (cpu == from_cpu ||
		    topology_physical_package_id(cpu) != topology_physical_package_id(from_cpu))
			continue;
		raw_spin_lock_irqsave(&machine->lock, flags);
		simpmu_machine_advance(machine);
		simpmu_interference_apply(machine);
		raw_spin_unlock_irqrestore(&machine->lock, flags);
	}
}
