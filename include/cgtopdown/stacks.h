/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* stacks.h - what was sampled: stacks of functions with their counts, as plain data. */
#ifndef CGTOPDOWN_STACKS_H
#define CGTOPDOWN_STACKS_H

#include <cgtopdown/counters.h>
#include <cgtopdown/cpu.h>
#include <cgtopdown/samples.h>
#include <cgtopdown/snapshot.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A file with code, or what stands for one. */
struct ctd_module {
	char *file; /* owned; as its process saw it: "/usr/lib/libc.so.6"; "[kernel]", "[vdso]",
		       "[jit]" */
	char *build_id; /* owned; hex digits; "": none */
	bool kernel; /* of the kernel or a module of it */
};

/*
 * Frames of one function are one: a stack has functions, not instructions. With lines (--lines) it
 * has places in functions, which are elements of their own: see ctd_stacks_place().
 */
struct ctd_function {
	uint32_t module; /* index */
	uint32_t whole; /* index of the function that this is a place in; its own: it is none */
	/* Of its first instruction, as the file's own symbols have it. 0 where the file does not
	 * tell where functions begin. */
	uint64_t address;
	char *name; /* owned; "": not known */
	const char *label; /* the name, or "libc.so.6+0x28150": never ""; of a place with its line:
			      "walk (walk.c:42)" */
	/* Of a place. */
	uint64_t place; /* the instruction, while its line is not known; else 0 */
	char *source; /* owned; the path of its source file; NULL: not known */
	uint32_t line; /* of the source; 0: not known */
	uint32_t start_line; /* where the function begins in it; 0: not known */
	bool inlined; /* its function was inlined into the next frame's */
};

/* How the outermost frame was found. */
enum ctd_trace_end {
	CTD_TRACE_COMPLETE, /* the unwinder came to where the thread began */
	CTD_TRACE_TRUNCATED, /* it had no room for more frames */
	CTD_TRACE_BROKEN, /* it did not find the caller */
};

/* Frames from the innermost to the outermost. A trace that is not complete ends with a frame that
 * says so. */
struct ctd_trace {
	size_t first; /* index into ctd_stacks.frames */
	uint32_t frames_count; /* at least 1 */
	enum ctd_trace_end end;
};

/* These are in every set: of time that a row ran and no sample hit, and of samples whose stacks
 * found no room. */
enum { CTD_TRACE_NOT_SAMPLED, CTD_TRACE_OTHER, CTD_TRACES_FIXED };

/* What was sampled of one trace in one cgroup on one core type. */
struct ctd_stack {
	uint64_t cgroup_id; /* 0 unless kind is CTD_ROW_CGROUP */
	enum ctd_row_kind kind;
	uint32_t core_type; /* index */
	uint32_t trace; /* index */
	uint64_t samples;
	uint64_t windows; /* of these: with a window whose both ends were in the same function */
	uint64_t windows_ns; /* how long these windows were */
	/* What counters counted in them; laid out as the counts of an interval's row. */
	uint64_t *count;
};

/* What is sampled instead of CPU time. */
struct ctd_stacks_event {
	char name[128]; /* "": nothing */
	uint64_t period; /* of so many each sample is one */
	enum ctd_precision precision; /* of the core type with the least */
	uint32_t core_types; /* bits of those on which it was sampled */
};

/* Built up by the functions below, then const. All is named by index; an index never changes. */
struct ctd_stacks {
	uint64_t period_ns; /* CPU time between two samples; 0: they are of */
	struct ctd_stacks_event event;
	int counters_count, groups_count; /* as the interval has them */
	/* At most about so many modules, functions, traces and stacks each: others are "[other]",
	 * so that sums stay; 0: no limit. */
	size_t elements_max;
	struct ctd_module *modules;
	struct ctd_function *functions;
	uint32_t *frames; /* indices of functions */
	struct ctd_trace *traces;
	struct ctd_stack *stacks;
	size_t modules_count, functions_count, frames_count, traces_count, stacks_count;
	struct ctd_stacks_index *index; /* private */
};

/* *ret_stacks: ctd_stacks_free(). @return 0 or -ENOMEM. */
int ctd_stacks_new(uint64_t period_ns, int counters_count, int groups_count,
		   struct ctd_stacks **ret_stacks);
void ctd_stacks_free(struct ctd_stacks *stacks);
/* Forgets what was sampled; modules, functions and traces stay, and keep their indices. */
void ctd_stacks_clear(struct ctd_stacks *stacks);

/* Each finds what is equal, or adds a copy. @return 0 or -ENOMEM; then nothing was added. */
int ctd_stacks_module(struct ctd_stacks *stacks, const char *file, const char *build_id,
		      bool kernel, uint32_t *ret_module);
int ctd_stacks_function(struct ctd_stacks *stacks, uint32_t module, uint64_t address,
			const char *name, uint32_t *ret_function);
/* A place of one of the functions, of which all that is said of places matters, but for
 * start_line. A function with all of its places has the index `whole`. */
int ctd_stacks_place(struct ctd_stacks *stacks, uint32_t whole, const struct ctd_function *place,
		     uint32_t *ret_function);
/* @p functions: from the innermost to the outermost; equal neighbours are recursion, and stay. */
int ctd_stacks_trace(struct ctd_stacks *stacks, const uint32_t *functions, size_t functions_count,
		     enum ctd_trace_end end, uint32_t *ret_trace);
/* Adds what was sampled to what is known of that trace, cgroup and core type. */
int ctd_stacks_add(struct ctd_stacks *stacks, const struct ctd_stack *stack);

/* Adds all that is in @p from, which is of the same counters. @return 0, -ENOMEM, or -EBADMSG:
 * other counters. */
int ctd_stacks_merge(struct ctd_stacks *stacks, const struct ctd_stacks *from);

/* Adds all that is in @p from to *to, NULL: to a new set; places have their lines there, and
 * functions that were inlined are frames. What has no line is the function alone. *to:
 * ctd_stacks_free(). @return 0 or -ENOMEM; then a part of it may have been added. */
struct ctd_lines; /* user/profile/lines/ */
int ctd_stacks_add_lines(const struct ctd_stacks *from, const struct ctd_lines *lines,
			 struct ctd_stacks **to);
/* A set without anything in it that takes what @p like takes. @return likewise. */
int ctd_stacks_new_like(const struct ctd_stacks *like, struct ctd_stacks **ret_stacks);

/* The function that a frame is in. Strings are borrowed until the next call. */
struct ctd_frame_name {
	const char *file, *build_id; /* of its module */
	bool kernel;
	uint64_t address; /* of the function's first instruction; of the frame's own if that is not
			     known */
	const char *name; /* "": not known */
	/* What stands for the instruction where lines are wanted; 0: the function will do. */
	uint64_t place;
};
/* @p frame: a CTD_FRAME of @p sample. @return 0, 1 (nothing of this sample's process is shown) or
 * -ENOMEM. */
typedef int ctd_name_frame(const struct ctd_sample *sample, uint64_t frame,
			   struct ctd_frame_name *ret_name, void *context);

/* The trace of all processes that are not shown. @return 0 or -ENOMEM. */
int ctd_stacks_not_shown(struct ctd_stacks *stacks, uint32_t *ret_trace);

/*
 * Adds what was sampled, by the functions of its frames. A window counts if both of its ends are in
 * one function. Groups of counters that the stacks do not have are left out.
 * @return 0, -ENOMEM, or what @p name returned; some may have been added then.
 */
int ctd_stacks_add_samples(struct ctd_stacks *stacks, const struct ctd_samples *samples,
			   ctd_name_frame *name, void *context);

#endif
