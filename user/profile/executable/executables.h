/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* executables.h - the files whose code was sampled: their unwind tables and functions, kept in
 * bounded memory. */
#ifndef PROFILE_EXECUTABLE_EXECUTABLES_H
#define PROFILE_EXECUTABLE_EXECUTABLES_H

#include "profile/elf/file.h"
#include "profile/lines/files.h"
#include "profile/symbols/symbols.h"
#include "profile/unwind/table.h"

/* A larger file is none that this reads. */
#define CTD_EXECUTABLE_BYTES_MAX (UINT64_C(4) << 30)

enum ctd_executable_state {
	CTD_EXECUTABLE_NONE, /* nobody has the number */
	CTD_EXECUTABLE_PENDING, /* known, open, and not read yet */
	CTD_EXECUTABLE_MADE, /* what the file tells is here */
	CTD_EXECUTABLE_RETIRED, /* the same until the next round, for frames that have the number */
};

struct ctd_executable {
	enum ctd_executable_state state;
	struct ctd_build_id build_id;
	char *path; /* owned: as the process named it that had it first */
	struct ctd_elf_segments segments;
	uint64_t content; /* ctd_content_of() */
	size_t image_bytes; /* of one in memory; 0: it is a file */
	bool unread; /* it is but a path */
	int fd, debug_fd; /* owned, while it is pending; debug_fd -1: there is none */
	uint64_t cgroup_id; /* whose process had it first; 0: it is in memory, or a mere path */
	uint64_t line_file; /* what stands for the file that has its lines; 0: none, or not wanted */
	/* words_count 0: .eh_frame gave none, or they had no room; words NULL: given away */
	struct ctd_unwind_table table;
	struct ctd_symbols symbols; /* symbols NULL: none could be read, or they had no room */
	uint64_t born; /* tells it from others that had its number */
	uint64_t made; /* tells its table from others; 0: there is none, or it is to go */
	uint64_t wanted; /* samples that wait for it */
	uint64_t used; /* number of the round in which it was sampled last */
};

struct ctd_executables_health {
	uint64_t made, evicted; /* executables, in all */
	uint64_t refused; /* times without room for tables and functions, or a number */
	uint64_t count, pending, bytes; /* now */
};

struct ctd_executables;

/* @p bytes_max: for tables, in the kernel or here, and functions of all. @return 0 or -ENOMEM. */
int ctd_executables_new(size_t bytes_max, struct ctd_executables **ret_executables);
void ctd_executables_free(struct ctd_executables *executables);

/* Keeps files that have lines for the time when all is over, in @p files, borrowed. Then two files
 * with lines are never taken for one, as lines are not compared. */
void ctd_executables_keep_lines(struct ctd_executables *executables, struct ctd_line_files *files);

/* Is a file known, of which @p fd may be a mere name? Quick. *ret_number 0: it can not be read. */
bool ctd_executables_find(struct ctd_executables *executables, int fd, uint32_t *ret_number);
/*
 * The number of an open file; @p root is the root directory of its process, in which there may be a
 * separate file of debugging information; -1: none; @p cgroup_id is that of the process. Quick:
 * tables and functions are made later by ctd_executables_make(), for which the file stays open, so
 * that the process may end and the file be removed. Files of one content have one number.
 * @return 1 if the number is a new one, 0, or a negative errno. -ENOSPC: none is free before the
 * next round, or so much of files was read that others wait for the next
 * ctd_executables_begin_wants(); -ENOEXEC: it is none that this reads.
 */
int ctd_executables_add(struct ctd_executables *executables, int fd, const char *path, int root,
			uint64_t cgroup_id, uint32_t *ret_number);
/* The number of a file that cannot be read: it has a path, and neither tables nor functions.
 * @return as above. */
int ctd_executables_add_unread(struct ctd_executables *executables, const char *path,
			       uint32_t *ret_number);
/* Is one in memory known, by its name and size? */
bool ctd_executables_find_memory(struct ctd_executables *executables, const char *path,
				 size_t bytes, uint32_t *ret_number);
/* The same of one in memory, the kernel's vdso, and it is made at once. */
int ctd_executables_add_memory(struct ctd_executables *executables, const void *image, size_t bytes,
			       const char *path, uint32_t *ret_number);

/* What is wanted is counted anew. */
void ctd_executables_begin_wants(struct ctd_executables *executables);
/* It was sampled: the more samples wait for it, the sooner it is made. */
void ctd_executables_want(struct ctd_executables *executables, uint32_t number, uint64_t samples);
/* Do samples wait? */
bool ctd_executables_is_behind(const struct ctd_executables *executables);
/* Makes tables and functions of the one that is wanted most; of one that is not wanted, only where
 * there is room for many others. Some ten milliseconds for a large one. @return 1, 0 (there is
 * nothing to do), or -ENOMEM. */
int ctd_executables_make(struct ctd_executables *executables);
/*
 * Every sample so far has its names. Executables that were retired in the last round are freed,
 * with their numbers and rules: frames must not have these numbers any more. Then some are retired
 * if there is no room for all, those sampled longest ago first; if all were sampled lately, the
 * newest lose their tables and functions instead. @return how many were retired.
 */
uint32_t ctd_executables_end_round(struct ctd_executables *executables);

/* @return NULL if there is no such number. */
const struct ctd_executable *ctd_executables_get(const struct ctd_executables *executables,
						 uint32_t number);
/* Of the host's root directory, in which separate files of debugging information may be, too. NULL:
 * ours. */
void ctd_executables_see_host(struct ctd_executables *executables, const char *root);
/* What to subtract from addresses of a mapping of that file: see ctd_elf_bias(). */
int ctd_executables_bias(const struct ctd_executables *executables, uint32_t number, uint64_t start,
			 uint64_t offset, uint64_t *ret_bias);
/* One more than the largest number. */
uint32_t ctd_executables_count(const struct ctd_executables *executables);
/* The kernel has the words of its table now: they are not needed here. */
void ctd_executables_give_words(struct ctd_executables *executables, uint32_t number);
/* The rules of all tables, of which the kernel gets those that changed. */
struct ctd_unwind_rules *ctd_executables_rules(struct ctd_executables *executables);
void ctd_executables_health(const struct ctd_executables *executables,
			    struct ctd_executables_health *ret_health);

#endif
