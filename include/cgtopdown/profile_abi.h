/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* profile_abi.h - what the BPF unwinder and user space share: unwind tables, rules, mappings,
 * frames. */
#ifndef CGTOPDOWN_PROFILE_ABI_H
#define CGTOPDOWN_PROFILE_ABI_H

#ifndef __bpf__
#include <linux/types.h>
#endif

/*
 * From a pc to the frame above it, in four look-ups:
 *
 *   tgid -> struct ctd_process -> struct ctd_mapping -> words of the executable's table -> struct
 * ctd_unwind_rule
 *
 * User space makes all four; BPF only reads them. What BPF does not find it asks for with a struct
 * ctd_unwind_request and unwinds by frame pointers, or not at all.
 *
 * A return address is looked up at its value minus 1: it may be the first byte behind a function
 * that never returns. The interrupted pc is looked up as it is, and so is a pc that a rule with
 * CTD_UNWIND_SIGNAL gave.
 */

/* Frames and mappings name an executable by a number that user space gives; 0 is none of them. */
#define CTD_EXECUTABLES_MAX 4096
#define CTD_MAPPINGS_MAX 65536
/* Mappings of one process; those beyond are left out. */
#define CTD_PROCESS_MAPPINGS_MAX 2048
#define CTD_PROCESS_MAPPINGS_STEPS 12 /* of a binary search among them */

/*
 * A frame of a user stack in 64 bits: executable and address within its file, as its ELF headers
 * count them (pc - bias), so that frames can be named when the process is gone. Executable 0: the
 * address is that of the process. Kernel addresses stand as they are: their upper 16 bits are
 * 0xffff. Return addresses stand minus 1, so that each frame's address is in its function and line.
 */
#define CTD_FRAME_ADDRESS_BITS 48
#define CTD_FRAME(executable, address)                   \
	((__u64)(executable) << CTD_FRAME_ADDRESS_BITS | \
	 ((__u64)(address) & (((__u64)1 << CTD_FRAME_ADDRESS_BITS) - 1)))
#define CTD_FRAME_EXECUTABLE(frame) ((__u32)((__u64)(frame) >> CTD_FRAME_ADDRESS_BITS))
#define CTD_FRAME_ADDRESS(frame) ((__u64)(frame) & (((__u64)1 << CTD_FRAME_ADDRESS_BITS) - 1))
#define CTD_FRAME_KERNEL 0xffffu /* the executable of kernel addresses */

/* Value by tgid: where the process's mappings are in the array of all, ordered by address. Each
 * process has its own. */
struct ctd_process {
	/* As the request had it. If it is another now, the process has executed another program, or
	 * another process has its tgid: nothing here is of it. BPF chooses what it is; user space
	 * only copies it. */
	__u64 incarnation;
	__u32 first;
	__u32 count;
};

/* An executable mapping. */
struct ctd_mapping {
	__u64 start;
	__u64 end; /* one past the last byte */
	__u64 bias; /* pc - bias is the address that the file's ELF headers mean */
	__u32 executable; /* 0: anonymous (JIT), or no executable: frame pointers only */
	__u32 unread; /* then, for user space: the number of a file that is known by its path alone,
			 and pc - bias is the offset in it; 0: there is no file */
};

enum ctd_unwind_reason {
	CTD_UNWIND_NO_PROCESS = 1, /* no ctd_process, or one of another incarnation */
	CTD_UNWIND_NO_MAPPING = 2, /* its mappings lack the pc */
};

/* BPF asks user space to read a process's mappings. */
struct ctd_unwind_request {
	__u64 incarnation;
	__u64 pc;
	__u32 tgid;
	__u32 reason; /* enum ctd_unwind_reason */
	__u64 cgroup_id;
	/* The mapping that the pc is in, of a new process; it may be gone before anybody reads it.
	 * What stands for the file was found in others, too: see the namer. */
	__u64 file; /* a hash of its inode; 0: none, or not known */
	__u64 start, end; /* one past the last byte */
	__u64 offset; /* in the file */
};

/*
 * Table of an executable: 32-bit words, in chunks so that they fit into an array map of any size.
 *
 *   word 0                 first page: its number
 *   word 1                 pages
 *   words 2 .. 2 + pages   per page, then once more for the end: index of the word with its first
 * row from there             rows
 *
 * A page is 64 kB of the file's addresses: number = (pc - bias) >> CTD_UNWIND_PAGE_BITS. A page's
 * rows are ordered by address; the first is at 0. So the row of a pc is the last that is not above
 * its lower 16 bits. A page without rows has no rule.
 */
#define CTD_UNWIND_PAGE_BITS 16
#define CTD_UNWIND_CHUNK_WORDS 1024
#define CTD_UNWIND_HEADER_WORDS 2
/* Some 4 times what a large library has: libLLVM has 1,800 pages and 950,000 rows. */
#define CTD_UNWIND_PAGES_MAX 8192
#define CTD_UNWIND_WORDS_MAX (4 << 20)
#define CTD_UNWIND_STEPS 16 /* of a binary search in a page: each byte of it may begin a row */

struct ctd_unwind_chunk {
	__u32 words[CTD_UNWIND_CHUNK_WORDS];
};

/* A row: from this low pc on, this rule. */
#define CTD_UNWIND_ROW(low_pc, rule) ((__u32)(low_pc) << 16 | (__u32)(rule))
#define CTD_UNWIND_ROW_LOW_PC(row) ((__u32)(row) >> 16)
#define CTD_UNWIND_ROW_RULE(row) ((__u32)(row)&0xffff)

/* Rules are shared by all executables. The first ones are fixed. */
enum ctd_unwind_fixed_rule {
	CTD_RULE_NONE = 0, /* the file says nothing of this pc: frame pointers may help */
	CTD_RULE_UNSUPPORTED = 1, /* it says what a rule cannot: the same, and counted */
	CTD_RULE_END = 2, /* the outermost frame: the stack is complete */
	CTD_RULES_FIXED,
};
#define CTD_RULES_MAX 16384

/* Where the canonical frame address (CFA) is from: the caller's sp. */
enum ctd_unwind_cfa {
	CTD_CFA_NONE, /* of the fixed rules */
	CTD_CFA_SP, /* sp + cfa_offset */
	CTD_CFA_FP, /* fp + cfa_offset */
	CTD_CFA_SP_DEREF, /* *(sp + cfa_offset) + cfa_add */
	CTD_CFA_FP_DEREF, /* *(fp + cfa_offset) + cfa_add */
	/* x86-64's procedure linkage table: sp + cfa_offset + ((pc & 15) >= cfa_add ? 8 : 0) */
	CTD_CFA_PLT,
	/* The last two are for the interrupted frame, where assembly has them: further up only sp
	 * and fp are known. */
	CTD_CFA_REGISTER, /* cfa_register + cfa_offset */
	CTD_CFA_SP_SCALED, /* *(sp + cfa_offset + 8 * cfa_register) + cfa_add */
};

/* Where the caller's value of a register is. */
enum ctd_unwind_where {
	CTD_WHERE_SAME, /* still in it: fp, and arm64's return address in a leaf (x30) */
	CTD_WHERE_CFA, /* *(CFA + offset) */
	CTD_WHERE_SP, /* *(sp + offset), with the sp of this frame */
	CTD_WHERE_FP, /* *(fp + offset), with the fp of this frame */
};

/* A frame that the kernel made to run a signal's handler: the pc above it is no return address. */
#define CTD_UNWIND_SIGNAL 1

/* fp is rbp on x86-64 and x29 on arm64. Registers are numbered as DWARF does on that machine. On
 * arm64 return addresses may be signed: BPF clears the bits above the address. */
struct ctd_unwind_rule {
	__u8 cfa; /* enum ctd_unwind_cfa */
	__u8 cfa_register;
	__u8 return_address; /* enum ctd_unwind_where */
	__u8 fp; /* enum ctd_unwind_where */
	__s32 cfa_offset;
	__s16 cfa_add;
	__s16 return_address_offset;
	__s16 fp_offset;
	__u16 flags; /* CTD_UNWIND_SIGNAL */
};

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
_Static_assert(sizeof(struct ctd_process) == 16, "no padding");
_Static_assert(sizeof(struct ctd_mapping) == 32, "no padding");
_Static_assert(sizeof(struct ctd_unwind_request) == 64, "no padding");
_Static_assert(sizeof(struct ctd_unwind_rule) == 16,
	       "no padding: user space compares rules as bytes");
_Static_assert(CTD_UNWIND_CHUNK_WORDS * 4 == 4096, "one page");
_Static_assert(CTD_PROCESS_MAPPINGS_MAX < 1 << CTD_PROCESS_MAPPINGS_STEPS, "steps reach all");
_Static_assert(CTD_EXECUTABLES_MAX < CTD_FRAME_KERNEL, "no executable looks like the kernel");
#endif

#endif
