/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* find.h - which files below a directory are of a core. */
#ifndef VENDOR_FIND_H
#define VENDOR_FIND_H

#include <cgtopdown/vendor.h>
#include <stddef.h>

/* In the order in which they are read. */
enum ctd_vendor_kind {
	CTD_VENDOR_STANDARD, /* perf's entries for all Arm cores */
	CTD_VENDOR_EVENTS,
	CTD_VENDOR_METRICS,
	CTD_VENDOR_BOTH,
	CTD_VENDOR_LATENCIES,
};

struct ctd_vendor_file {
	enum ctd_vendor_format format;
	enum ctd_vendor_kind kind;
	char *path; /* owned */
};

struct ctd_vendor_files {
	struct ctd_vendor_file *files; /* owned; events before what refers to them */
	size_t count;
	size_t maps_count; /* of vendors, that were found at all */
	size_t room;
};

/*
 * Goes through all that is below @p directory. @return 0, also where nothing was found; -E2BIG, or
 * what opening it met, with a sentence in @p ret_why; -ENOMEM.
 */
int ctd_vendor_files_find(const char *directory, const struct ctd_vendor_cpu *cpu,
			  struct ctd_vendor_files *ret_files, char ret_why[CTD_VENDOR_WHY_BYTES]);
void ctd_vendor_files_free(struct ctd_vendor_files *files);

/* @p path is taken over, also on failure; NULL: out of memory. @return 0 or -ENOMEM. */
int ctd_vendor_files_add(struct ctd_vendor_files *files, enum ctd_vendor_format format,
			 enum ctd_vendor_kind kind, char *path);

/* map.c: adds the files that the lines of a vendor's map, the file @p path, name for the core.
 * @return 0 or -ENOMEM. */
int ctd_vendor_map_read(struct ctd_vendor_files *files, const char *path, char *text,
			const struct ctd_vendor_cpu *cpu);

#endif
