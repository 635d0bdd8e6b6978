// SPDX-License-Identifier: GPL-2.0-only
/* proc.c - /proc/simpmu: truth, profiles, control and statistics, to read and to write. */
#include <linux/errno.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/version.h>

#include "simpmu.h"

struct control simpmu_control = {
	.quantise = NEAREST,
	.count_while_disabled = true,
	.counter_bits = 48,
	.watch = "cgtopdown",
};

static struct proc_dir_entry *directory;

static const char *const quantise_names[] = {"exact", "floor", "nearest"};

static int set_quantise(const char *value)
{
	int found = match_string(quantise_names, ARRAY_SIZE(quantise_names), value);

	if (found < 0)
		return -EINVAL;
	simpmu_control.quantise = found;
	return 0;
}

/* "0x8100 22": code, and the positive number of the error. */
static int set_refused(char *value)
{
	char *code = strsep(&value, " ");
	int err = kstrtou64(code, 0, &simpmu_control.refused);

	if (!err && value)
		err = kstrtoint(value, 10, &simpmu_control.refusal);
	simpmu_control.refusal = -abs(simpmu_control.refusal ?: EINVAL);
	return err;
}

u16 simpmu_control_latency(u64 config, u64 number)
{
	unsigned int i;

	for (i = 0; i < LATENCIES_MAX; i++) {
		if (simpmu_control.latencies[i].config == config)
			return simpmu_control.latencies[i].values[number % 2];
	}
	return 0;
}

/* "0x4d1 40 80": code, and what samples say in turns. "0": no event has any. */
static int set_latency(const char *value)
{
	u64 config;
	u16 first, second;
	unsigned int i;

	if (strcmp(value, "0") == 0) {
		memset(simpmu_control.latencies, 0, sizeof(simpmu_control.latencies));
		return 0;
	}
	if (sscanf(value, "%lli %hu %hu", &config, &first, &second) != 3 || !config)
		return -EINVAL;
	for (i = 0; i < LATENCIES_MAX; i++) {
		if (simpmu_control.latencies[i].config &&
		    simpmu_control.latencies[i].config != config)
			continue;
		simpmu_control.latencies[i].values[0] = first;
		simpmu_control.latencies[i].values[1] = second;
		simpmu_control.latencies[i].config = config;
		return 0;
	}
	return -ENOSPC;
}

static int set_share(const char *value)
{
	unsigned int share;
	int err = kstrtouint(value, 10, &share);

	if (!err && share > 1000)
		err = -EINVAL;
	if (!err)
		simpmu_control.smt_share = share;
	return err;
}

static int set(const char *key, char *value)
{
	if (strcmp(key, "quantise") == 0)
		return set_quantise(value);
	if (strcmp(key, "clock_runs") == 0)
		return kstrtobool(value, &simpmu_control.clock_runs);
	if (strcmp(key, "switch_late") == 0)
		return kstrtobool(value, &simpmu_control.switch_late);
	if (strcmp(key, "count_while_disabled") == 0)
		return kstrtobool(value, &simpmu_control.count_while_disabled);
	if (strcmp(key, "counter_bits") == 0)
		return kstrtouint(value, 10, &simpmu_control.counter_bits);
	if (strcmp(key, "taken") == 0)
		return kstrtou64(value, 0, &simpmu_control.taken);
	if (strcmp(key, "refused") == 0)
		return set_refused(value);
	if (strcmp(key, "never_runs") == 0)
		return kstrtobool(value, &simpmu_control.never_runs);
	if (strcmp(key, "counts_nothing") == 0)
		return kstrtobool(value, &simpmu_control.counts_nothing);
	if (strcmp(key, "bad_spec_is_slots") == 0)
		return kstrtobool(value, &simpmu_control.bad_spec_is_slots);
	if (strcmp(key, "memory_capacity") == 0)
		return kstrtouint(value, 10, &simpmu_control.memory_capacity);
	if (strcmp(key, "smt_share") == 0)
		return set_share(value);
	if (strcmp(key, "watch") == 0)
		return strscpy(simpmu_control.watch, value, TASK_COMM_LEN) < 0 ? -EINVAL : 0;
	if (strcmp(key, "live_since_read") == 0)
		return kstrtobool(value, &simpmu_control.live_since_read);
	if (strcmp(key, "latency") == 0)
		return set_latency(value);
	return -EINVAL;
}

static int set_line(char *line)
{
	char *key = strsep(&line, " ");

	return line ? set(key, line) : -EINVAL;
}

static int reset_line(char *line)
{
	simpmu_truth_reset();
	return 0;
}

static int show_control(struct seq_file *file, void *unused)
{
	unsigned int i;

	seq_printf(file, "personality %s\n", simpmu_personality->name);
	seq_printf(file, "quantise %s\n", quantise_names[simpmu_control.quantise]);
	seq_printf(file, "clock_runs %d\n", simpmu_control.clock_runs);
	seq_printf(file, "switch_late %d\n", simpmu_control.switch_late);
	seq_printf(file, "count_while_disabled %d\n", simpmu_control.count_while_disabled);
	seq_printf(file, "counter_bits %u\n", simpmu_control.counter_bits);
	seq_printf(file, "taken 0x%llx\n", simpmu_control.taken);
	seq_printf(file, "refused 0x%llx %d\n", simpmu_control.refused, -simpmu_control.refusal);
	seq_printf(file, "never_runs %d\n", simpmu_control.never_runs);
	seq_printf(file, "counts_nothing %d\n", simpmu_control.counts_nothing);
	seq_printf(file, "bad_spec_is_slots %d\n", simpmu_control.bad_spec_is_slots);
	seq_printf(file, "memory_capacity %u\n", simpmu_control.memory_capacity);
	seq_printf(file, "smt_share %u\n", simpmu_control.smt_share);
	seq_printf(file, "watch %s\n", simpmu_control.watch);
	seq_printf(file, "live_since_read %d\n", simpmu_control.live_since_read);
	for (i = 0; i < LATENCIES_MAX && simpmu_control.latencies[i].config; i++)
		seq_printf(file, "latency 0x%llx %u %u\n", simpmu_control.latencies[i].config,
			   simpmu_control.latencies[i].values[0],
			   simpmu_control.latencies[i].values[1]);
	return 0;
}

static int show_profiles(struct seq_file *file, void *unused)
{
	simpmu_profiles_show(file);
	return 0;
}

static int show_truth(struct seq_file *file, void *unused)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
	{
		struct machine *machine = per_cpu_ptr(&simpmu_machine, cpu);
		unsigned long flags;

		raw_spin_lock_irqsave(&machine->lock, flags);
		simpmu_machine_advance(machine);
		raw_spin_unlock_irqrestore(&machine->lock, flags);
	}
	simpmu_truth_show(file);
	return 0;
}

/* Updates are those of the topdown registers: what costs a real CPU four writes of MSRs. Most is
 * how many there were in the probes of one switch, which nothing interrupts. */
static int show_statistics(struct seq_file *file, void *unused)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
	{
		const struct machine *machine = per_cpu_ptr(&simpmu_machine, cpu);

		seq_printf(
			file,
			"{\"cpu\":%u,\"switches\":%llu,\"reads\":%llu,\"updates\":%llu,\"updates_most\":%llu,\"added\":%llu,\"refused\":%llu,\"samples\":%llu}\n",
			cpu, machine->switches, machine->reads, machine->updates,
			machine->updates_most, machine->added, machine->refused, machine->samples);
	}
	return 0;
}

struct file_kind {
	const char *name;
	int (*show)(struct seq_file *file, void *unused);
	int (*take_line)(char *line); /* NULL: cannot be written */
	bool refresh; /* running tasks take the change at once */
};

static const struct file_kind kinds[] = {
	{"control", show_control, set_line, false},
	{"profiles", show_profiles, simpmu_profile_parse, true},
	{"truth", show_truth, reset_line, false},
	{"statistics", show_statistics, NULL, false},
};

static int open_file(struct inode *inode, struct file *file)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 17, 0)
	const struct file_kind *kind = pde_data(inode);
#else
	const struct file_kind *kind = PDE_DATA(inode);
#endif

	return single_open_size(file, kind->show, (void *)kind, 1 << 20);
}

/* A line is whole or an error; so a writer writes all in one call. */
static ssize_t write_file(struct file *file, const char __user *buffer, size_t bytes,
			  loff_t *offset)
{
	const struct file_kind *kind = ((struct seq_file *)file->private_data)->private;
	char *text, *rest, *line;
	int err = 0;

	if (!kind->take_line)
		return -EPERM;
	if (bytes > 65536)
		return -E2BIG;
	text = rest = memdup_user_nul(buffer, bytes);
	if (IS_ERR(text))
		return PTR_ERR(text);
	while (!err && (line = strsep(&rest, "\n"))) {
		if (*line && *line != '#')
			err = kind->take_line(line);
	}
	kfree(text);
	if (kind->refresh)
		simpmu_machine_refresh();
	return err ?: (ssize_t)bytes;
}

static const struct proc_ops operations = {
	.proc_open = open_file,
	.proc_read = seq_read,
	.proc_write = write_file,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

int simpmu_proc_start(void)
{
	unsigned int i;

	directory = proc_mkdir("simpmu", NULL);
	if (!directory)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!proc_create_data(kinds[i].name, 0644, directory, &operations,
				      (void *)&kinds[i])) {
			simpmu_proc_stop();
			return -ENOMEM;
		}
	}
	return 0;
}

void simpmu_proc_stop(void)
{
	proc_remove(directory);
}
