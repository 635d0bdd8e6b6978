/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* object.h - any of our BPF objects on its way into the kernel, whatever its skeleton is. */
#ifndef KERN_OBJECT_H
#define KERN_OBJECT_H

#include <stddef.h>
#include <stdint.h>

struct bpf_map;
struct bpf_object_skeleton;

/*
 * An object is loaded in these steps; all log what failed and return 0 or negative errno.
 *
 *	NAME_bpf__create_skeleton(), ctd_object_open()
 *	knobs by the skeleton's rodata, sizes by ctd_object_size(), maps of another object by
 *	ctd_object_share(), bpf_program__set_autoload() for programs that are not needed
 *	ctd_object_load(), memory by ctd_object_map()
 *	ctd_object_attach()
 *	NAME_bpf__destroy()
 *
 * What is for sched_switch compiles into the one program that is there, switched by constants: a
 * second program on that tracepoint costs more than its work. An object of its own is for another
 * hook.
 */

/* @p elf: the bytes of another object with the same maps, knobs and programs; NULL: the skeleton's
 * own. */
int ctd_object_open(struct bpf_object_skeleton *skeleton, const void *elf, size_t elf_bytes);

struct ctd_object_size {
	struct bpf_map *map;
	uint32_t entries;
	uint32_t value_bytes; /* 0: as declared */
};
int ctd_object_size(const struct ctd_object_size *sizes, size_t count);

/* Maps that both have, by name, are those of @p loaded: declared in bpf/shared.bpf.h, or in a
 * source that both are made from. Sizes are taken over, too. Variables are each object's own. */
int ctd_object_share(const struct bpf_object_skeleton *skeleton,
		     const struct bpf_object_skeleton *loaded);

/* Where the verifier refuses a program, the message names it and has the verifier's last sentence;
 * -v shows all of them. */
int ctd_object_load(struct bpf_object_skeleton *skeleton);

/* Attaches each program whose section says to what. */
int ctd_object_attach(struct bpf_object_skeleton *skeleton);

/* Maps the values of an array into this process. munmap(2) is the caller's. @return NULL: failed. */
void *ctd_object_map(const struct bpf_map *map, size_t *ret_bytes);

/* What the kernel says that the maps of a loaded object take. */
uint64_t ctd_object_memory(const struct bpf_object_skeleton *skeleton);

#endif
