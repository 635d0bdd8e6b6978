/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* executables.h - the files whose code was sampled: their unwind tables and functions, kept in
 * bounded memory. */
#ifndef PROFILE_EXECUTABLE_EXECUTABLES_H
#define PROFILE_EXECUTABLE_EXECUTABLES_H

#include "base/strbuf.h"
#include "profile/elf/file.h"
#include "profile/symbols/symbols.h"
#include "profile/unwind/table.h"

/* A larger file is none that this reads. */
#define CTD_EXECUTABLE_BYTES_MAX (UINT64_C(4) << 30)

struct ctd_executable {
	struct ctd_build_id build_id;
	char *path; /* owned: as the process named it that had it first */
	struct ctd_unwind_table table; /* words NULL: .eh_frame gave none */
	struct ctd_symbols symbols; /* symbols NULL: evicted, or none could be read */
	uint64_t used; /* number of the last use */
};

struct ctd_executables;

/* @p bytes_max: for tables and functions of all. @return 0 or -ENOMEM. */
int ctd_executables_new(size_t bytes_max, struct ctd_executables **ret_executables);
void ctd_executables_free(struct ctd_executables *executables);
/*
 * The number of an open file, which is read if it is new; @p root is the root directory of its
 * process, in which there may be a separate file of debugging information; -1: none. Files of one
 * content have one number: a build id alone is not trusted, as every container can write one. Of
 * those used longest ago functions are dropped where memory is short; numbers and tables stay.
 * @return 1 if the number is a new one, 0, or a negative errno (-ENOSPC: CTD_EXECUTABLES_MAX).
 */
int ctd_executables_add(struct ctd_executables *executables, int fd, const char *path, int root,
			uint32_t *ret_number);
/* The same of one in memory: the kernel's vdso. */
int ctd_executables_add_memory(struct ctd_executables *executables, const void *image, size_t bytes,
			       const char *path, uint32_t *ret_number);
/* @return NULL if there is no such number. */
const struct ctd_executable *ctd_executables_get(const struct ctd_executables *executables,
						 uint32_t number);
/* What to subtract from addresses of a mapping of that file: see ctd_elf_bias(). */
int ctd_executables_bias(const struct ctd_executables *executables, uint32_t number, uint64_t start,
			 uint64_t offset, uint64_t *ret_bias);
/*
 * Adds the name of the function at an address of the file: demangled, or "libc.so.6+0x28150", by
 * the function's start where that is known, so that one function has one name.
 * @return whether it is its real name.
 */
bool ctd_executables_name(struct ctd_executables *executables, uint32_t number, uint64_t address,
			  struct ctd_strbuf *buffer);
/* One more than the largest number. */
uint32_t ctd_executables_count(const struct ctd_executables *executables);
/* All shared rules: those from some number on are what the kernel lacks. */
const struct ctd_unwind_rules *ctd_executables_rules(const struct ctd_executables *executables);
/* Memory that tables and functions take. */
size_t ctd_executables_bytes(const struct ctd_executables *executables);

#endif
