// SPDX-License-Identifier: GPL-2.0-only
/* profile.c - how fast a task works and where its slots go, by its name. */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "simpmu.h"

/* Three cycles in a nanosecond, at full speed. */
#define CYCLES_RATE (3 << WORK_BITS)

enum { PART_SMT = METRICS_MAX, PART_SPEED, PARTS };

/* All parts in per mille of the slots; speed in per mille of the full one. */
static struct profile {
	char comm[TASK_COMM_LEN];
	u32 parts[PARTS];
} profiles[PROFILES_MAX] = {
	/* A halted CPU counts nothing; some time it needs to halt and to wake. */
	{"<idle>", {300, 50, 400, 250, 60, 30, 300, 150, 0, 20}},
	{"<kernel>", {250, 50, 400, 300, 50, 30, 250, 200, 0, 700}},
	{"<other>", {350, 70, 290, 290, 40, 50, 180, 170, 0, 1000}},
	/* Loads of the tests: each is bound by what its name says. A steady task reads as the same
	 * 255ths at all times, up to 0.29 points off; these are among the luckier, below 0.2. */
	{"memory", {120, 20, 60, 800, 10, 15, 40, 700, 0, 900}},
	{"core", {440, 30, 60, 470, 150, 20, 30, 60, 0, 1000}},
	{"branch", {310, 440, 140, 110, 20, 420, 90, 40, 0, 1000}},
	{"frontend", {240, 60, 610, 90, 30, 40, 480, 50, 0, 950}},
	{"retire", {890, 30, 40, 40, 100, 10, 20, 20, 0, 1000}},
};
static unsigned int profiles_count = 8;
#define OTHER 2
static DEFINE_RAW_SPINLOCK(lock);

static const struct profile *find(const char *comm)
{
	unsigned int i;

	for (i = 0; i < profiles_count; i++) {
		if (strcmp(profiles[i].comm, comm) == 0)
			return &profiles[i];
	}
	return &profiles[OTHER];
}

u32 simpmu_profile_full_rate(unsigned int core)
{
	return CYCLES_RATE * simpmu_personality->cores[core]->width;
}

void simpmu_profile_rates(const char *comm, unsigned int core, u32 *ret_rates)
{
	u32 width = simpmu_personality->cores[core]->width;
	const struct profile *profile;
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&lock, flags);
	profile = find(comm);
	ret_rates[CYCLES] = CYCLES_RATE * profile->parts[PART_SPEED] / 1000;
	ret_rates[SLOTS] = ret_rates[CYCLES] * width;
	for (i = 0; i < METRICS_MAX; i++)
		ret_rates[RETIRING + i] = ret_rates[SLOTS] * profile->parts[i] / 1000;
	ret_rates[SMT_CONTENTION] = ret_rates[SLOTS] * profile->parts[PART_SMT] / 1000;
	/* The last one takes what rounding left, so that all are the slots exactly. */
	ret_rates[BACKEND] = ret_rates[SLOTS] - ret_rates[RETIRING] - ret_rates[BAD_SPEC] -
			     ret_rates[FRONTEND] - ret_rates[SMT_CONTENTION];
	raw_spin_unlock_irqrestore(&lock, flags);
}

static bool is_sound(const u32 *parts)
{
	unsigned int i;

	for (i = 0; i < METRICS_MAX / 2; i++) {
		if (parts[i] > 1000 || parts[i + METRICS_MAX / 2] > parts[i])
			return false;
	}
	return parts[0] + parts[1] + parts[2] + parts[3] + parts[PART_SMT] == 1000 &&
	       parts[PART_SPEED] <= 1000;
}

static int set(const struct profile *profile)
{
	unsigned long flags;
	unsigned int i;
	int err = 0;

	raw_spin_lock_irqsave(&lock, flags);
	for (i = 0; i < profiles_count; i++) {
		if (strcmp(profiles[i].comm, profile->comm) == 0)
			break;
	}
	if (i < PROFILES_MAX) {
		profiles[i] = *profile;
		profiles_count = max(profiles_count, i + 1);
	} else {
		err = -ENOSPC;
	}
	raw_spin_unlock_irqrestore(&lock, flags);
	return err;
}

int simpmu_profile_parse(char *line)
{
	struct profile profile = {};
	unsigned int i = 0;
	char *word;

	word = strsep(&line, " ");
	if (!word || !*word || strscpy(profile.comm, word, sizeof(profile.comm)) < 0)
		return -EINVAL;
	while ((word = strsep(&line, " "))) {
		if (!*word)
			continue;
		if (i == PARTS || kstrtou32(word, 10, &profile.parts[i++]))
			return -EINVAL;
	}
	if (i != PARTS || !is_sound(profile.parts))
		return -EINVAL;
	return set(&profile);
}

void simpmu_profiles_show(struct seq_file *file)
{
	unsigned int i, part;

	for (i = 0; i < profiles_count; i++) {
		seq_puts(file, profiles[i].comm);
		for (part = 0; part < PARTS; part++)
			seq_printf(file, " %u", profiles[i].parts[part]);
		seq_putc(file, '\n');
	}
}
