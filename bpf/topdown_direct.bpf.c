// SPDX-License-Identifier: GPL-2.0-only
/* topdown_direct.bpf.c - topdown.bpf.c for kernels that let siblings' counts be read by plain
 * loads. */
/*
 * An object of its own, because a call of a kernel function that is missing fails the whole program
 * on Linux 5.13 to 5.15, even where it can never be reached: skipping it came with "bpf: Be
 * conservative while processing invalid kfunc calls" (5.16).
 */
#define CTD_DIRECT_LOADS 1
#include "topdown.bpf.c"
