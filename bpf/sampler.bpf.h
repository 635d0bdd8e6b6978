/* SPDX-License-Identifier: GPL-2.0-only */
/* sampler.bpf.h - the sampler's own knobs and maps. */
#ifndef SAMPLER_BPF_H
#define SAMPLER_BPF_H

#include "shared.bpf.h"
#include <cgtopdown/sampler_abi.h>

const volatile __u64 cfg_window_ns = 50000;
/* What is sampled is an event, of which so many come between two samples; 0: clocks, with windows.
 * Only ever asked in an if, so that nothing is left of what it is about where it is 0. */
const volatile __u64 cfg_event = 0;
const volatile __u32 cfg_index = 16; /* places in a bank's hash table: a power of two */
const volatile __u32 cfg_data = 0; /* bytes of a bank's data */
const volatile __u64 cfg_seed = 0; /* of the hash of stacks, so that nobody can make two of one */

/* State of each CPU, mapped by the loader. Written: by the CPU itself; what is set by
 * user space, and `weight` of clocks, by the loader. Emptied: never. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* possible CPUs, set by the loader */
	__type(key, __u32);
	__type(value, struct ctd_sampler_cpu);
} cgtd_samplers SEC(".maps");

/*
 * Banks, mapped by the loader: of CPU c at 2 * c and the index after it. Written: by the CPU, the
 * one that ctd_sampler_cpu.bank says. Read and emptied: by the loader, the other one.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* two per CPU, set by the loader */
	__uint(key_size, sizeof(__u32)); /* no BTF: it would contradict the size that is set */
	__uint(value_size, CTD_SAMPLER_BANK_BYTES(16, 0)); /* set by the loader */
} cgtd_banks SEC(".maps");

/* A sample as it is made: the head of an entry's hashed part, and its frames. */
struct stack_sample {
	struct ctd_sampler_key key;
	__u64 frames[2 * CTD_STACK_FRAMES_MAX];
};

/* Used within one run. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct stack_sample);
} cgtd_sample SEC(".maps");

static __always_inline struct stack_sample *this_sample(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&cgtd_sample, &zero);
}

#endif
