/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* drain.c - takes what was sampled out of the banks, while the programs go on. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include <cgtopdown/snapshot.h>

#include "base/clock.h"
#include "base/log.h"
#include "kern/profile/sampler.h"
#include "kern/topdown/topdown.h"

/* By then a program that had chosen the old bank has said that it is busy. */
#define SETTLE_NS 200000
/* One that is busy is so for some 50 us, or until a hypervisor lets it go on. */
#define BUSY_ATTEMPTS 100

#define USER_ADDRESS_BITS 48

/* A CPU may go offline and come back between two looks at the list of CPUs. */
#define ALIVE_NS 1000000000ull

static struct ctd_sampler_bank *bank_of(const struct ctd_sampler *sampler, int cpu, uint32_t bank)
{
	return (struct ctd_sampler_bank *)(sampler->banks +
					   (2 * (size_t)cpu + bank) * sampler->bank_bytes);
}

static void settle(void)
{
	const struct timespec time = {.tv_nsec = SETTLE_NS};

	nanosleep(&time, NULL);
}

/*
 * Copies frames as contracts have them. A return address may be the first byte behind a function
 * that never returns. Where a frame pointer was none, what is found is no address: the stack ends
 * before it. @return how many there are of the user's.
 */
static uint16_t make_frames(const struct ctd_sampler_entry *entry, uint64_t *frames)
{
	size_t kernel = entry->key.kernel_frames, all = kernel + entry->key.user_frames;

	memcpy(frames, entry->frames, all * sizeof(*frames));
	for (size_t i = 1; i < kernel; i++)
		frames[i]--;
	for (size_t i = kernel; i < all && !entry->key.frames_made; i++) {
		if (!frames[i] || frames[i] >> USER_ADDRESS_BITS)
			return (uint16_t)(i - kernel);
		frames[i] -= i != kernel;
	}
	return entry->key.user_frames;
}

static int add_entry(const struct ctd_sampler *sampler, int cpu,
		     const struct ctd_sampler_entry *entry, struct ctd_samples *samples)
{
	const struct ctd_sampler_key *key = &entry->key;
	uint64_t frames[2 * CTD_STACK_FRAMES_MAX];
	struct ctd_sample sample = {
		.cgroup_id = key->cgroup_id,
		.kind = key->kernel_thread ? CTD_ROW_KERNEL : CTD_ROW_CGROUP,
		.core_type = sampler->kern->core_type_of[cpu],
		.group = key->group,
		.tgid = key->tgid,
		.incarnation = key->incarnation,
		.kernel_frames = key->kernel_frames,
		.kernel_end = key->kernel_frames == CTD_STACK_FRAMES_MAX ? CTD_STACK_TRUNCATED
									 : CTD_STACK_COMPLETE,
		.user_end = key->user_end,
		.begin_frame = key->begin_pc,
		.other = key->other,
		.samples = entry->samples,
		.windows = entry->windows,
		.windows_ns = entry->windows_ns,
	};

	memcpy(sample.count, entry->count, sizeof(sample.count));
	sample.user_frames = make_frames(entry, frames);
	return ctd_samples_add(samples, &sample, frames);
}

/* Adds what is in a bank that no program writes to, and empties it. */
static int empty_bank(const struct ctd_sampler *sampler, int cpu, struct ctd_sampler_bank *bank,
		      struct ctd_samples *samples)
{
	unsigned char *index = (unsigned char *)(bank + 1);
	const unsigned char *data = index + sampler->index_size * sizeof(uint32_t);
	int error = 0;

	for (uint32_t at = 0; at < bank->used && !error;) {
		const struct ctd_sampler_entry *entry = (const void *)(data + at);

		error = add_entry(sampler, cpu, entry, samples);
		at += CTD_SAMPLER_ENTRY_BYTES(entry->key.kernel_frames + entry->key.user_frames);
	}
	if (bank->used)
		memset(index, 0, sampler->index_size * sizeof(uint32_t));
	bank->used = 0;
	bank->entries = 0;
	return error;
}

int ctd_sampler_follow_cpus(struct ctd_sampler *sampler)
{
	const struct ctd_kern *kern = sampler->kern;
	uint64_t now_ns = ctd_monotonic_ns();
	bool look = now_ns >= sampler->alive_ns;

	if (look)
		sampler->alive_ns = now_ns + ALIVE_NS;
	for (int cpu = 0; cpu < kern->options.cpus; cpu++) {
		bool watch = kern->online[cpu] && !kern->fenced[cpu];
		bool watched = sampler->clocks[cpu].sample_link != NULL;
		int error = 0;

		if (watch != watched || (watched && look && !ctd_sampler_runs(sampler, cpu)))
			error = ctd_sampler_watch_cpu(sampler, cpu, watch);
		/* It is on its way: the next look tells. */
		if (error && error != -ENODEV)
			return error;
	}
	return 0;
}

/* Has the CPU's other bank take samples. */
static void change_bank(struct ctd_sampler *sampler, int cpu)
{
	__atomic_store_n(&sampler->cpus[cpu].bank, sampler->cpus[cpu].bank ^ 1, __ATOMIC_SEQ_CST);
}

/* Waits until no program writes to the CPU's old bank any more. @return false: one still may. */
static bool is_settled(const struct ctd_sampler *sampler, int cpu)
{
	for (int i = 0; i < BUSY_ATTEMPTS; i++) {
		if (!__atomic_load_n(&sampler->cpus[cpu].busy, __ATOMIC_ACQUIRE))
			return true;
		settle();
	}
	return false;
}

int ctd_sampler_drain(struct ctd_sampler *sampler, struct ctd_samples *samples)
{
	int cpus = sampler->kern->options.cpus, error = 0;

	samples->period_ns = sampler->period_ns;
	samples->counters_count = sampler->kern->counters_count;
	for (int cpu = 0; cpu < cpus; cpu++)
		change_bank(sampler, cpu);
	settle();
	for (int cpu = 0; cpu < cpus; cpu++) {
		int lack = 0;

		/* Both keep what they have until the next time. */
		if (!is_settled(sampler, cpu))
			change_bank(sampler, cpu);
		else
			lack = empty_bank(sampler, cpu,
					  bank_of(sampler, cpu, sampler->cpus[cpu].bank ^ 1),
					  samples);
		error = error ? error : lack;
	}
	if (error)
		ctd_log_error(error, "add up samples");
	if (!error)
		error = ctd_sampler_follow_cpus(sampler);
	if (sampler->event)
		ctd_sampler_pace_event(sampler);
	ctd_sampler_lock(sampler);
	return error;
}

uint64_t ctd_sampler_cost_ns(const struct ctd_sampler *sampler)
{
	uint64_t cost_ns = 0;

	for (int cpu = 0; cpu < sampler->kern->options.cpus; cpu++)
		cost_ns += __atomic_load_n(&sampler->cpus[cpu].health[CTD_SAMPLING_COST_NS],
					   __ATOMIC_RELAXED);
	return cost_ns;
}

void ctd_sampler_health(const struct ctd_sampler *sampler, uint64_t ret_health[CTD_SAMPLING_HEALTH])
{
	memset(ret_health, 0, CTD_SAMPLING_HEALTH * sizeof(*ret_health));
	for (int cpu = 0; cpu < sampler->kern->options.cpus; cpu++) {
		for (int i = 0; i < CTD_SAMPLING_CPU_COUNTERS; i++)
			ret_health[i] +=
				__atomic_load_n(&sampler->cpus[cpu].health[i], __ATOMIC_RELAXED);
	}
	/* No window began, as there are no counters. */
	if (!sampler->windows) {
		ret_health[CTD_SAMPLING_UNREAD] += ret_health[CTD_SAMPLING_UNPAIRED];
		ret_health[CTD_SAMPLING_UNPAIRED] = 0;
	}
	ret_health[CTD_SAMPLING_LOCKS] = sampler->locks;
	ret_health[CTD_SAMPLING_LOCKS_FAILED] = sampler->locks_failed;
}
