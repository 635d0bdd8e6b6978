/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* runtime.h - container runtimes: how their cgroup paths look, where they write names. Every file
 * in user/runtime/ is one. */
#ifndef CGTOPDOWN_RUNTIME_H
#define CGTOPDOWN_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

#define CTD_CONTAINER_ID_CHARS 64

/* One component of a cgroup path: not NUL-terminated, without slashes. */
struct ctd_component {
	const char *text;
	size_t bytes;
};

struct ctd_disk; /* user/identity/lookup/disk.h */
struct ctd_names;

struct ctd_runtime {
	const char *name; /* "containerd" */
	const char *help; /* how its paths look, for `list runtimes` */
	/* Its paths may be of several: which one it is, is told by whose files have the names. */
	bool is_any;
	int priority; /* of several that say yes the lowest wins; the bare 64-hex form has the
			 highest */
	/*
	 * Is @p component a container of this runtime? @p parents: the components above it,
	 * outermost first. On true *ret_id is the container id within the component.
	 */
	bool (*match)(struct ctd_component component, const struct ctd_component *parents,
		      size_t parents_count, struct ctd_component *ret_id);
	/*
	 * Reads what the runtime has written of a container; what it does not tell is left empty.
	 * @p container_id: CTD_CONTAINER_ID_CHARS hex digits, fit for a path. NULL: it writes
	 * nothing that the others do not.
	 * @return 0; -ENOENT: it knows no such container; -EAGAIN: it has not written all of it
	 * yet; other negative errno.
	 */
	int (*read_names)(struct ctd_disk *disk, const char *container_id,
			  struct ctd_names *ret_names);
	/*
	 * Reads the names, with the id, of a container that people named: that of the cgroup at
	 * @p path, which looks like any other. NULL: all of this runtime's are told by their paths.
	 * @return as read_names.
	 */
	int (*read_named)(struct ctd_disk *disk, const char *path, struct ctd_names *ret_names);
};

/* All runtimes by name, ended by NULL; generated from the file names in user/runtime/. */
extern const struct ctd_runtime *const ctd_runtimes[];

#endif
