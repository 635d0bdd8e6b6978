// SPDX-License-Identifier: GPL-2.0-only
/* truth.c - what was really done, by task name and cgroup. */
#include <linux/jhash.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "simpmu.h"

/* A power of two. A CPU has its own table, so that only its own lock is needed. */
#define ENTRIES 4096

static DEFINE_PER_CPU(struct truth *, table);

static const char *const names[QUANTITIES] = {
	[CYCLES] = "cycles",
	[SLOTS] = "slots",
	[RETIRING] = "retiring",
	[BAD_SPEC] = "bad_speculation",
	[FRONTEND] = "frontend_bound",
	[BACKEND] = "backend_bound",
	[HEAVY_OPS] = "heavy_operations",
	[BR_MISPREDICT] = "branch_mispredicts",
	[FETCH_LAT] = "fetch_latency",
	[MEM_BOUND] = "memory_bound",
	[SMT_CONTENTION] = "smt_contention",
};

int simpmu_truth_start(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
	{
		/* One more for what does not fit. */
		per_cpu(table, cpu) = vzalloc((ENTRIES + 1) * sizeof(struct truth));
		if (!per_cpu(table, cpu))
			return -ENOMEM;
		strscpy(per_cpu(table, cpu)[ENTRIES].comm, "<lost>", TASK_COMM_LEN);
	}
	return 0;
}

void simpmu_truth_stop(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) vfree(per_cpu(table, cpu));
}

struct truth *simpmu_truth_find(unsigned int cpu, const char *comm, u64 cgroup_id)
{
	struct truth *entries = per_cpu(table, cpu);
	u32 hash = jhash(comm, strlen(comm), (u32)cgroup_id);
	unsigned int i;

	for (i = 0; i < ENTRIES; i++) {
		struct truth *truth = &entries[(hash + i) % ENTRIES];

		if (!truth->comm[0]) {
			truth->cgroup_id = cgroup_id;
			strscpy(truth->comm, comm, TASK_COMM_LEN);
			return truth;
		}
		if (truth->cgroup_id == cgroup_id && strcmp(truth->comm, comm) == 0)
			return truth;
	}
	return &entries[ENTRIES];
}

/* The entries stay, as machines point to theirs. */
void simpmu_truth_reset(void)
{
	unsigned int cpu, i;

	for_each_possible_cpu(cpu)
	{
		struct machine *machine = per_cpu_ptr(&simpmu_machine, cpu);
		unsigned long flags;

		raw_spin_lock_irqsave(&machine->lock, flags);
		simpmu_machine_advance(machine);
		machine->updates_most = 0;
		for (i = 0; i <= ENTRIES; i++) {
			struct truth *truth = &per_cpu(table, cpu)[i];

			memset(truth->whole, 0, sizeof(truth->whole));
			memset(truth->live, 0, sizeof(truth->live));
			truth->switches = 0;
		}
		raw_spin_unlock_irqrestore(&machine->lock, flags);
	}
}

static void show_work(struct seq_file *file, const char *title, const u64 *work)
{
	unsigned int i;

	seq_printf(file, ",\"%s\":{", title);
	for (i = 0; i < QUANTITIES; i++)
		seq_printf(file, "%s\"%s\":%llu", i ? "," : "", names[i], work[i] >> WORK_BITS);
	seq_putc(file, '}');
}

/* One JSON object per line, name, cgroup and CPU. Names with quotes or backslashes are the
 * reader's problem: those of the tests have none. */
void simpmu_truth_show(struct seq_file *file)
{
	unsigned int cpu, i;

	for_each_possible_cpu(cpu)
	{
		struct machine *machine = per_cpu_ptr(&simpmu_machine, cpu);

		for (i = 0; i <= ENTRIES; i++) {
			struct truth truth; /* of one instant: another CPU may go on */
			unsigned long flags;

			raw_spin_lock_irqsave(&machine->lock, flags);
			truth = per_cpu(table, cpu)[i];
			raw_spin_unlock_irqrestore(&machine->lock, flags);
			if (!truth.whole[CYCLES] && !truth.switches)
				continue;
			seq_printf(
				file,
				"{\"comm\":\"%s\",\"cgroup_id\":%llu,\"cpu\":%u,\"switches\":%llu",
				truth.comm, truth.cgroup_id, cpu, truth.switches);
			show_work(file, "whole", truth.whole);
			show_work(file, "live", truth.live);
			seq_puts(file, "}\n");
		}
	}
}
