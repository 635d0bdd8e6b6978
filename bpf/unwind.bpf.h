/* SPDX-License-Identifier: GPL-2.0-only */
/* unwind.bpf.h - finds the callers of a user's function by the tables that user space made. */
/*
 * Needs bpf_loop() ("bpf: Add bpf_loop helper", e6f2dd0f8067, 5.17), bpf_find_vma() ("bpf: Introduce
 * helper bpf_find_vma", 7c7e3d31e785, 5.17) and bpf_task_pt_regs() (5.15).
 * The searches are global functions, verified by themselves: within each other, and in the loop
 * over frames, they would take the verifier over a million instructions.
 */
#ifndef UNWIND_BPF_H
#define UNWIND_BPF_H

#include "stack.bpf.h"
#include <cgtopdown/profile_abi.h>

/* Four maps for the unwinder, all written and emptied by the loader: profile_abi.h says what is in
 * them. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32); /* tgid */
	__type(value, struct ctd_process);
} cgtd_processes SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, CTD_MAPPINGS_MAX);
	__type(key, __u32);
	__type(value, struct ctd_mapping);
} cgtd_mappings SEC(".maps");

const volatile __u64 cfg_page_bytes = 4096; /* of this machine, set by the loader */

struct table {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_INNER_MAP); /* each has as many chunks as it needs */
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32)); /* clang gives no BTF for types of a map in a map */
	__uint(value_size, sizeof(struct ctd_unwind_chunk));
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, CTD_EXECUTABLES_MAX);
	__type(key, __u32); /* executable */
	__array(values, struct table);
} cgtd_tables SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, CTD_RULES_MAX);
	__type(key, __u32);
	__type(value, struct ctd_unwind_rule);
} cgtd_rules SEC(".maps");

/* Processes and mappings that are missing. Written: by samples. Read: by the loader as they come.
 * What does not fit is counted (CTD_SAMPLING_REQUESTS_LOST), and is asked for again. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 16);
} cgtd_requests SEC(".maps");

/* How far the unwinding of one stack is. Used within one run. */
struct unwinder {
	__u64 pc, sp, fp;
	__u64 link; /* arm64: the return address of a leaf, in x30 */
	__u64 registers[32]; /* as DWARF numbers them; of the interrupted frame only */
	bpf_user_pt_regs_t regs; /* these, as the kernel keeps them: too large for the stack */
	__u32 first, count; /* the process's mappings */
	__u32 base, frames; /* the kernel's, and how many were found */
	__u32 innermost; /* 1: registers are valid */
	__u32 exact; /* 1: pc is no return address */
	__u32 end; /* enum ctd_stack_end */
	__u32 lacks_mapping; /* 1: some pc is in none */
	__u64 lacking_pc;
	/* Of a binary search. In memory, and loaded anew in each step: what the verifier knew of
	 * the bounds would make each way through the search another state. */
	volatile __u32 low, high;
};
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct unwinder);
} cgtd_unwinder SEC(".maps");

static __always_inline struct unwinder *this_unwinder(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&cgtd_unwinder, &zero);
}

/* Of the mappings, ordered by address, the last that does not begin above. @return its index, or
 * -1: none has the address. */
__noinline long find_mapping(__u32 first, __u32 count, __u64 address)
{
	struct unwinder *at = this_unwinder();
	struct ctd_mapping *mapping;
	__u32 index;

	if (!at)
		return -1;
	at->low = 0;
	at->high = count;
	for (int i = 0; i < CTD_PROCESS_MAPPINGS_STEPS; i++) {
		__u32 low = at->low, high = at->high, middle = (low + high) / 2;

		if (low >= high)
			break;
		index = first + middle;
		mapping = bpf_map_lookup_elem(&cgtd_mappings, &index);
		if (!mapping)
			return -1;
		if (mapping->start <= address)
			at->low = middle + 1;
		else
			at->high = middle;
	}
	index = at->low;
	if (!index)
		return -1;
	index += first - 1;
	mapping = bpf_map_lookup_elem(&cgtd_mappings, &index);
	return mapping && address < mapping->end ? index : -1;
}

static __always_inline __u32 word_of(void *table, __u32 at)
{
	__u32 chunk_index = at / CTD_UNWIND_CHUNK_WORDS;
	struct ctd_unwind_chunk *chunk = bpf_map_lookup_elem(table, &chunk_index);

	return chunk ? chunk->words[at % CTD_UNWIND_CHUNK_WORDS] : 0;
}

/* The rule of an address in an executable. */
__noinline __u32 find_rule(__u32 executable, __u64 address)
{
	void *table = bpf_map_lookup_elem(&cgtd_tables, &executable);
	__u32 low_pc = address & ((1 << CTD_UNWIND_PAGE_BITS) - 1), first;
	__u64 page = address >> CTD_UNWIND_PAGE_BITS;
	struct unwinder *at = this_unwinder();

	if (!table || !at)
		return CTD_RULE_NONE;
	page -= word_of(table, 0);
	if (page >= word_of(table, 1))
		return CTD_RULE_NONE;
	first = word_of(table, CTD_UNWIND_HEADER_WORDS + page);
	at->low = first;
	at->high = word_of(table, CTD_UNWIND_HEADER_WORDS + page + 1);
	for (int i = 0; i <= CTD_UNWIND_STEPS; i++) {
		__u32 low = at->low, high = at->high, middle = (low + high) / 2;

		if (low >= high)
			break;
		if (CTD_UNWIND_ROW_LOW_PC(word_of(table, middle)) <= low_pc)
			at->low = middle + 1;
		else
			at->high = middle;
	}
	return at->low > first ? CTD_UNWIND_ROW_RULE(word_of(table, at->low - 1)) : CTD_RULE_NONE;
}

/* The user's word at an address; 0 where there is none in memory. */
static __always_inline __u64 load(__u64 address)
{
	__u64 word = 0;

	bpf_probe_read_user(&word, sizeof(word), (void *)address);
	return word;
}

static __always_inline __u64 load_where(const struct unwinder *at, __u32 where, __s64 offset,
					__u64 cfa, __u64 same)
{
	switch (where) {
	case CTD_WHERE_CFA:
		return load(cfa + offset);
	case CTD_WHERE_SP:
		return load(at->sp + offset);
	case CTD_WHERE_FP:
		return load(at->fp + offset);
	}
	return same;
}

/* @return the canonical frame address, or 0: it cannot be known. */
static __always_inline __u64 cfa_of(const struct unwinder *at, const struct ctd_unwind_rule *rule)
{
	__s64 offset = rule->cfa_offset, add = rule->cfa_add;

	switch (rule->cfa) {
	case CTD_CFA_SP:
		return at->sp + offset;
	case CTD_CFA_FP:
		return at->fp + offset;
	case CTD_CFA_REGISTER:
		return at->innermost ? at->registers[rule->cfa_register & 31] + offset : 0;
	case CTD_CFA_SP_DEREF:
		return load(at->sp + offset) + add;
	case CTD_CFA_FP_DEREF:
		return load(at->fp + offset) + add;
	case CTD_CFA_PLT:
		return at->sp + offset + ((__s64)(at->pc & 15) >= add ? 8 : 0);
	case CTD_CFA_SP_SCALED:
		if (!at->innermost)
			return 0;
		return load(at->sp + offset + 8 * at->registers[rule->cfa_register & 31]) + add;
	}
	return 0;
}

/* Pointer authentication of arm64: its bits are above the address. */
static __always_inline __u64 strip(__u64 pc)
{
	return pc & ((1ull << CTD_FRAME_ADDRESS_BITS) - 1);
}

/* Without a rule: a JIT's code or assembly. A frame pointer that is on the stack may be one. */
#define FRAME_BYTES_MAX (1 << 20)

static __always_inline bool step_by_frame_pointer(struct unwinder *at)
{
	__u64 fp = at->fp;

	if (fp < at->sp || fp - at->sp >= FRAME_BYTES_MAX)
		return false;
	at->pc = strip(load(fp + 8));
	at->fp = load(fp);
	at->sp = fp + 16;
	return true;
}

/* Goes to the caller. @return 0, or 1: there is none to be found, and at->end says why. */
__noinline int step(__u32 rule_index)
{
	struct unwinder *at = this_unwinder();
	struct ctd_unwind_rule *rule = bpf_map_lookup_elem(&cgtd_rules, &rule_index);
	__u64 cfa, pc;

	if (!at || !rule)
		return 1;
	at->end = rule_index == CTD_RULE_END ? CTD_STACK_COMPLETE : CTD_STACK_BROKEN;
	if (rule_index == CTD_RULE_END)
		return 1;
	if (rule_index < CTD_RULES_FIXED) {
		if (!step_by_frame_pointer(at))
			return 1;
		at->exact = 0;
	} else {
		cfa = cfa_of(at, rule);
		/* Stacks grow down; a leaf may use none of it; a signal may have a stack of its
		 * own. */
		if (cfa < at->sp + !at->exact && !(rule->flags & CTD_UNWIND_SIGNAL))
			return 1;
		pc = load_where(at, rule->return_address, rule->return_address_offset, cfa,
				at->link);
		at->fp = load_where(at, rule->fp, rule->fp_offset, cfa, at->fp);
		at->pc = strip(pc);
		at->sp = cfa;
		at->exact = !!(rule->flags & CTD_UNWIND_SIGNAL);
	}
	at->innermost = 0;
	at->link = 0;
	if (at->pc)
		return 0;
	at->end = rule_index < CTD_RULES_FIXED ? CTD_STACK_COMPLETE : CTD_STACK_BROKEN;
	return 1;
}

/* An address as a CTD_FRAME. @p ret_executable: 0 if there are no tables for it. */
static __always_inline __u64 frame_of(struct unwinder *at, __u64 address, __u32 *ret_executable)
{
	long index = find_mapping(at->first, at->count, address);
	__u32 key = index;
	struct ctd_mapping *mapping;

	*ret_executable = 0;
	if (index < 0) {
		at->lacks_mapping = 1;
		at->lacking_pc = address;
		return CTD_FRAME(0, address);
	}
	mapping = bpf_map_lookup_elem(&cgtd_mappings, &key);
	if (!mapping)
		return CTD_FRAME(0, address);
	*ret_executable = mapping->executable;
	if (!mapping->executable)
		return CTD_FRAME(0, address);
	return CTD_FRAME(mapping->executable, address - mapping->bias);
}

/* One frame: notes it, and goes to its caller. @return 1 after the last one. */
static long unwind_frame(__u32 i, void *context)
{
	struct unwinder *at = this_unwinder();
	struct stack_sample *sample = this_sample();
	__u32 executable, place;
	__u64 frame;

	if (!at || !sample)
		return 1;
	place = at->base + at->frames;
	if (at->frames >= CTD_STACK_FRAMES_MAX || place >= 2 * CTD_STACK_FRAMES_MAX) {
		at->end = CTD_STACK_TRUNCATED;
		return 1;
	}
	frame = frame_of(at, at->pc - !at->exact, &executable);
	sample->frames[place] = frame;
	at->frames++;
	/* The verifier wants to see that it is 0 or 1. */
	return step(executable ? find_rule(executable, CTD_FRAME_ADDRESS(frame)) : CTD_RULE_NONE) !=
	       0;
}

#if defined(__TARGET_ARCH_x86)
#define COPY_REGISTERS(at, from)                                                      \
	do {                                                                          \
		(at)->pc = (from)->ip;                                                \
		(at)->sp = (at)->registers[7] = (from)->sp;                           \
		(at)->fp = (at)->registers[6] = (from)->bp;                           \
		(at)->registers[0] = (from)->ax, (at)->registers[1] = (from)->dx;     \
		(at)->registers[2] = (from)->cx, (at)->registers[3] = (from)->bx;     \
		(at)->registers[4] = (from)->si, (at)->registers[5] = (from)->di;     \
		(at)->registers[8] = (from)->r8, (at)->registers[9] = (from)->r9;     \
		(at)->registers[10] = (from)->r10, (at)->registers[11] = (from)->r11; \
		(at)->registers[12] = (from)->r12, (at)->registers[13] = (from)->r13; \
		(at)->registers[14] = (from)->r14, (at)->registers[15] = (from)->r15; \
	} while (0)
#else
#define COPY_REGISTERS(at, from)                                                                    \
	do {                                                                                        \
		(at)->pc = (from)->pc;                                                              \
		(at)->sp = (at)->registers[31] = (from)->sp;                                        \
		(at)->fp = (from)->regs[29];                                                        \
		(at)->link = strip((from)->regs[30]);                                               \
		_Pragma("clang loop unroll(full)") for (int r = 0; r < 31; r++)(at)->registers[r] = \
			(from)->regs[r];                                                            \
	} while (0)
#endif

/* Registers of the user, as it entered the kernel: also by the interrupt that we are in, which of a
 * precise event comes later than what it is of. */
static __always_inline void take_registers(struct bpf_perf_event_data *context, struct unwinder *at)
{
	const struct bpf_perf_event_data_kern *sampled = (const void *)context;
	const void *regs = (const void *)bpf_task_pt_regs(bpf_get_current_task_btf());

	/* By address: the compiler would put both ways to load them together, which the verifier
	 * does not take of a context. */
	if (cfg_event && is_user(PT_REGS_IP(&context->regs)))
		regs = BPF_CORE_READ(sampled, regs);
	if (!bpf_probe_read_kernel(&at->regs, sizeof(at->regs), regs))
		COPY_REGISTERS(at, &at->regs);
}

/* Of the registers with which it entered the kernel: those of a precise event say 64 always. */
static __always_inline bool is_32_bits(void)
{
	bpf_user_pt_regs_t *regs = (void *)bpf_task_pt_regs(bpf_get_current_task_btf());

#if defined(__TARGET_ARCH_x86)
	return (BPF_CORE_READ(regs, cs) & 0xffff) == 0x23; /* __USER32_CS */
#else
	return BPF_CORE_READ(regs, pstate) & 0x10; /* PSR_MODE32_BIT */
#endif
}

/* What identifies a file while the machine runs, also within an overlay. */
static __always_inline __u64 file_of(struct vm_area_struct *vma)
{
	struct inode *inode = BPF_CORE_READ(vma, vm_file, f_inode);
	__u64 hash = cfg_seed ^ BPF_CORE_READ(inode, i_ino);

	if (!inode)
		return 0;
	hash = hash * 0x9e3779b97f4a7c15 ^ BPF_CORE_READ(inode, i_sb, s_dev);
	hash = hash * 0x9e3779b97f4a7c15 ^ BPF_CORE_READ(inode, i_generation);
	return hash * 0x9e3779b97f4a7c15 ^ BPF_CORE_READ(inode, i_size);
}

static long note_mapping(struct task_struct *task, struct vm_area_struct *vma, void *context)
{
	struct ctd_unwind_request *request = context;

	request->start = BPF_CORE_READ(vma, vm_start);
	request->end = BPF_CORE_READ(vma, vm_end);
	request->offset = BPF_CORE_READ(vma, vm_pgoff) * cfg_page_bytes;
	request->file = file_of(vma);
	return 0;
}

/* Asks user space to look at the process again. */
static __always_inline void request(struct ctd_sampler_cpu *own, const struct stack_sample *sample,
				    __u64 pc, enum ctd_unwind_reason reason)
{
	struct ctd_unwind_request request = {
		.incarnation = sample->key.incarnation,
		.pc = pc,
		.tgid = sample->key.tgid,
		.reason = reason,
		.cgroup_id = sample->key.cgroup_id,
	};
	__u64 flags = BPF_RB_NO_WAKEUP;

	/* A new process may end soon. A pc that is in no mapping is often none: it can wait. */
	if (reason == CTD_UNWIND_NO_PROCESS) {
		flags = BPF_RB_FORCE_WAKEUP;
		bpf_find_vma(bpf_get_current_task_btf(), pc, note_mapping, &request, 0);
	}
	if (bpf_ringbuf_output(&cgtd_requests, &request, sizeof(request), flags))
		own->health[CTD_SAMPLING_REQUESTS_LOST]++;
}

/* The user's part of the stack by tables. @return 0, or 1: there are none for this process. */
static __always_inline int unwind(struct bpf_perf_event_data *context, struct ctd_sampler_cpu *own,
				  struct stack_sample *sample)
{
	struct ctd_sampler_key *key = &sample->key;
	struct ctd_process *process = bpf_map_lookup_elem(&cgtd_processes, &key->tgid);
	struct unwinder *at = this_unwinder();
	__u32 executable;

	if (!at)
		return 1;
	at->pc = at->sp = at->fp = at->link = 0;
	take_registers(context, at);
	/* Workers of io_uring and vhost have a process, and never were in its code. */
	if (!at->pc) {
		key->user_end = CTD_STACK_COMPLETE;
		return 0;
	}
	/* Its stack has words of 32 bits, and its tables are not made: the kernel knows its frame
	 * pointers. */
	if (is_32_bits())
		return 1;
	if (!process || process->incarnation != key->incarnation) {
		request(own, sample, at->pc, CTD_UNWIND_NO_PROCESS);
		own->health[CTD_SAMPLING_UNKNOWN_PROCESS]++;
		return 1;
	}
	at->first = process->first;
	at->count = process->count;
	at->base = key->kernel_frames;
	at->frames = 0;
	at->innermost = at->exact = 1;
	at->lacks_mapping = 0;
	at->end = CTD_STACK_TRUNCATED;
	bpf_loop(CTD_STACK_FRAMES_MAX + 1, unwind_frame, NULL, 0);
	key->user_frames = at->frames;
	key->user_end = at->end;
	key->frames_made = 1;
	if (is_user(key->begin_pc) && key->begin_pc)
		key->begin_pc = frame_of(at, key->begin_pc, &executable);
	if (at->lacks_mapping)
		request(own, sample, at->lacking_pc, CTD_UNWIND_NO_MAPPING);
	return 0;
}

#endif
