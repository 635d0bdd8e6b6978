/* SPDX-License-Identifier: GPL-2.0-only */
/* stack.bpf.h - takes the stack of the interrupted task, and adds it to those of this CPU. */
#ifndef STACK_BPF_H
#define STACK_BPF_H

#include "owner.bpf.h"
#include "sampler.bpf.h"
#include <bpf/bpf_tracing.h>

#define STACK_BYTES (CTD_STACK_FRAMES_MAX * sizeof(__u64))
#define KEY_WORDS (sizeof(struct ctd_sampler_key) / sizeof(__u64))
#define SAMPLE_WORDS (sizeof(struct stack_sample) / sizeof(__u64))

/* Kernel addresses are the upper half. */
static __always_inline bool is_user(__u64 pc)
{
	return (__s64)pc >= 0;
}

/* Tells processes with one tgid apart, also before and after an exec: that makes a new mm, which
 * may lie where the one before the last did. */
static __always_inline __u64 incarnation_of(struct task_struct *task, __u64 mm)
{
	__u64 execs = BPF_CORE_READ(task, self_exec_id);

	return ((mm ^ cfg_seed) * 0x9e3779b97f4a7c15 + execs) * 0x9e3779b97f4a7c15 ^
	       BPF_CORE_READ(task, group_leader, start_boottime);
}

/* Makes the key but for what the stack says. */
static __always_inline void identify(struct stack_sample *sample, struct task_struct *task,
				     __u32 group)
{
	struct ctd_sampler_key *key = &sample->key;
	__u64 mm;

	__builtin_memset(key, 0, sizeof(*key));
	key->group = group;
	if (BPF_CORE_READ(task, flags) & PF_KTHREAD) {
		key->kernel_thread = 1;
		return;
	}
	key->cgroup_id = BPF_CORE_READ(find_cgroup(task), kn, id);
	mm = (__u64)BPF_CORE_READ(task, mm);
	if (!mm)
		return;
	key->tgid = bpf_get_current_pid_tgid() >> 32;
	key->incarnation = incarnation_of(task, mm);
}

/* For bpf_get_stack(). Of a precise event it has perf's own chain, each part of which begins with a
 * mark (PERF_CONTEXT_KERNEL, PERF_CONTEXT_USER) that is no frame. */
static __always_inline __u64 skip_marks(const struct ctd_sampler_cpu *own)
{
	return cfg_event ? own->marks & BPF_F_SKIP_FIELD_MASK : 0;
}

static __always_inline void walk_kernel(struct bpf_perf_event_data *context,
					const struct ctd_sampler_cpu *own,
					struct stack_sample *sample)
{
	__u64 frames = 0;
	long bytes;

	if (!is_user(PT_REGS_IP(&context->regs))) {
		bytes = bpf_get_stack(context, sample->frames, STACK_BYTES, skip_marks(own));
		if (bytes > 0)
			frames = bytes / sizeof(__u64);
		/* The chain of a precise event begins where its interrupt came. */
		if (cfg_event) {
			sample->frames[0] = PT_REGS_IP(&context->regs);
			frames += !frames;
		}
	}
	sample->key.kernel_frames = frames > CTD_STACK_FRAMES_MAX ? CTD_STACK_FRAMES_MAX : frames;
}

/* The user's frames follow the kernel's. */
static __always_inline void walk_frame_pointers(struct bpf_perf_event_data *context,
						const struct ctd_sampler_cpu *own,
						struct stack_sample *sample)
{
	struct ctd_sampler_key *key = &sample->key;
	__u64 kernel_frames = key->kernel_frames;
	long bytes;

	barrier_var(kernel_frames);
	if (kernel_frames > CTD_STACK_FRAMES_MAX)
		return;
	bytes = bpf_get_stack(context, &sample->frames[kernel_frames], STACK_BYTES,
			      BPF_F_USER_STACK | skip_marks(own));
	if (bytes > 0)
		key->user_frames = bytes / sizeof(__u64);
	if (cfg_event && key->user_frames && is_user(PT_REGS_IP(&context->regs)))
		sample->frames[kernel_frames] = PT_REGS_IP(&context->regs);
	key->user_end = key->user_frames == CTD_STACK_FRAMES_MAX ? CTD_STACK_TRUNCATED
								 : CTD_STACK_FRAME_POINTERS;
}

/* Of so many words of the sample, from its first. A global function, as are others below: verified
 * by itself, its loop does not multiply what is around it. */
__noinline __u64 hash_sample(__u32 words)
{
	const __u64 *word = (const __u64 *)this_sample();
	__u64 hash = cfg_seed;

	if (!word)
		return 0;
	for (__u32 i = 0; i < SAMPLE_WORDS; i++) {
		if (i >= words)
			break;
		hash = (hash ^ word[i]) * 0x9e3779b97f4a7c15;
		hash ^= hash >> 29;
	}
	return hash;
}

/* The entry at an offset of a bank's data, which is made to lie in it. */
static __always_inline struct ctd_sampler_entry *entry_at(struct ctd_sampler_bank *bank, __u64 at)
{
	__u64 index_bytes = (__u64)cfg_index * 4, data_bytes = cfg_data;

	at &= ~7ull;
	barrier_var(at);
	if (at > data_bytes)
		at = 0;
	return (void *)bank + sizeof(*bank) + index_bytes + at;
}

/* Begins an entry at the end of a bank's data. @return it, or NULL: there is no room. */
static __always_inline struct ctd_sampler_entry *new_entry(struct ctd_sampler_bank *bank,
							   __u32 *place,
							   const struct stack_sample *sample,
							   __u64 hash, __u64 frames)
{
	__u64 used = bank->used, room = cfg_data;
	__u64 hashed_bytes = sizeof(sample->key) + frames * sizeof(__u64);
	struct ctd_sampler_entry *entry;

	if (!sample->key.other)
		room -= CTD_SAMPLER_OTHER_BYTES;
	/* The verifier of 5.10 does not take what it knows of one register for its copies. */
	barrier_var(hashed_bytes);
	if (hashed_bytes > sizeof(*sample))
		return NULL;
	if (used + CTD_SAMPLER_ENTRY_BYTES(frames) > room)
		return NULL;
	entry = entry_at(bank, used);
	entry->hash = hash;
	entry->samples = 0;
	entry->windows = 0;
	entry->windows_ns = 0;
	for (int i = 0; i < CTD_COUNTERS_MAX; i++)
		entry->count[i] = 0;
	if (bpf_probe_read_kernel(&entry->key, hashed_bytes, sample))
		return NULL;
	*place = used + 1;
	bank->used = used + CTD_SAMPLER_ENTRY_BYTES(frames);
	bank->entries++;
	return entry;
}

/* The entry of a sample, a new one if there is none. @return NULL: there is no room. */
static __always_inline struct ctd_sampler_entry *entry_of(struct ctd_sampler_bank *bank,
							  const struct stack_sample *sample)
{
	__u64 frames = (__u64)sample->key.kernel_frames + sample->key.user_frames;
	__u64 sum = hash_sample(KEY_WORDS + frames);
	__u64 mask = (__u64)cfg_index - 1;

	for (__u64 i = 0; i < CTD_SAMPLER_PROBES; i++) {
		__u32 *place = (void *)bank + sizeof(*bank) + ((sum + i) & mask) * 4;
		struct ctd_sampler_entry *entry;

		if (!*place)
			return new_entry(bank, place, sample, sum, frames);
		entry = entry_at(bank, *place - 1);
		if (entry->hash == sum)
			return entry;
	}
	return NULL;
}

/* The entry of all samples of this cgroup that found no room. */
static __always_inline struct ctd_sampler_entry *other_entry(struct ctd_sampler_bank *bank,
							     struct stack_sample *sample)
{
	struct ctd_sampler_key *key = &sample->key;

	key->incarnation = 0;
	key->begin_pc = 0;
	key->tgid = 0;
	key->kernel_frames = 0;
	key->user_frames = 0;
	key->user_end = 0;
	key->frames_made = 0;
	key->other = 1;
	return entry_of(bank, sample);
}

/* Adds the sample, and what was counted in its window if it has one. */
__noinline int add_sample(__u32 cpu, __u32 has_window)
{
	struct ctd_sampler_cpu *own = bpf_map_lookup_elem(&cgtd_samplers, &cpu);
	struct stack_sample *sample = this_sample();
	__u32 counters_count = cfg_counters, index;
	struct ctd_sampler_bank *bank;
	struct ctd_sampler_entry *entry;
	__u64 weight;

	if (!own || !sample)
		return 0;
	weight = own->weight;
	index = 2 * cpu + (own->bank & 1);
	bank = bpf_map_lookup_elem(&cgtd_banks, &index);
	if (!bank)
		return 0;
	entry = entry_of(bank, sample);
	if (!entry) {
		own->health[CTD_SAMPLING_OTHER]++;
		entry = other_entry(bank, sample);
	}
	if (!entry) {
		own->health[CTD_SAMPLING_LOST]++;
		return 0;
	}
	entry->samples += weight;
	if (!has_window)
		return 0;
	entry->windows += weight;
	entry->windows_ns += weight * own->clock_ns;
	FOR_COUNTERS (i, 0, counters_count)
		entry->count[i] += weight * own->count[i];
	return 0;
}

#endif
