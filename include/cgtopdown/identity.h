/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* identity.h - who a cgroup is: its path, and what the path says of container, pod and runtime. */
#ifndef CGTOPDOWN_IDENTITY_H
#define CGTOPDOWN_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ctd_identity_kind { CTD_IS_CGROUP, CTD_IS_CONTAINER, CTD_IS_POD, CTD_IS_KINDS };
enum ctd_qos { CTD_QOS_UNKNOWN, CTD_QOS_GUARANTEED, CTD_QOS_BURSTABLE, CTD_QOS_BESTEFFORT };

/* One label of a pod. */
struct ctd_label {
	char *name, *value; /* owned */
};

/*
 * What is written somewhere of a container, a pod or a unit: by its runtime on disk, by the
 * kubelet. All strings are owned; NULL: not known. Names are as they were found: valid UTF-8 or
 * not, and of any bytes but NUL.
 */
struct ctd_names {
	char *namespace_name, *pod_name, *container_name, *image;
	char *container_id; /* only of a container whose path does not tell that it is one */
	/* Where its runtime put it, as its configuration has it (linux.cgroupsPath of the bundle). */
	char *cgroups_path;
	char *owner_kind, *owner_name; /* "Deployment", "web": the workload, not its ReplicaSet */
	struct ctd_label *labels; /* owned; of the pod, those that were asked for */
	size_t labels_count;
	const char *runtime; /* name of the ctd_runtime whose files told it, static; NULL: none's */
	uint64_t started_ns; /* since 1970; 0: not known */
	bool refused; /* see ctd_identities_refuse() */
	bool sandbox; /* it holds a pod's namespaces open, and does nothing ("pause") */
};

/* Accepts half-built names; leaves them empty. */
void ctd_names_free(struct ctd_names *names);
/* Moves what @p names lacks out of @p more, and frees the rest of it. */
void ctd_names_fill(struct ctd_names *names, struct ctd_names *more);

/* Strings are owned by the table and stay valid until the identity is forgotten or gets other names;
 * "" or NULL: not known. */
struct ctd_identity {
	uint64_t cgroup_id;
	uint64_t parent_id; /* 0: unknown or the root */
	char *path; /* "/kubepods.slice/..." within its hierarchy; never NULL */
	char *node; /* owned; the machine it is on, where a table has those of several; or NULL */
	enum ctd_identity_kind kind;
	enum ctd_qos qos;
	/* Name of a ctd_runtime, static; NULL: none. Of a path that any may have it is told by
	 * whose files have the names. */
	const char *runtime;
	char container_id[65]; /* 64 hex (or a runtime's own name); "" if not in a container */
	char pod_uid[37]; /* with dashes; 32 hex for a static pod; "" if not in a pod */
	/* The outermost container that holds this one or its pod: a node of kind, or one in which
	 * somebody makes cgroups of any names. "" if there is none. */
	char outer_id[65];
	bool pod_in_outer; /* its pod is in there, too; else that container is in the pod */
	/* How much of the path is that of the container, or of the pod where there is none; and of
	 * the outermost container. 0: there is none. */
	size_t placed_bytes, outer_bytes;
	/* The same of the outermost cgroup in which others than a runtime and systemd may
	 * make cgroups: that of a user's systemd, or one of ctd_cgroup_delegation(). */
	size_t delegated_bytes;
	struct ctd_claim *claim; /* the table's: on its container id */
	char *unit; /* owned; the systemd unit it is in, "ssh.service"; NULL: none, or a container */
	struct ctd_names names;
	/* Everything that could be asked for names was: what is not known by now stays so, or comes
	 * late (the kubelet's labels). True for what has no names to be asked for; a path like
	 * "/default/c1" may be a container's, which only its runtime knows. */
	bool names_settled;
	bool removed; /* the cgroup is gone; the name stays until its last figures are out */
	/* Another one whenever anything but parent_id and removed has changed, and never the same
	 * again in one table: a reader that has seen it need not look again. 0: not in a table. */
	uint64_t version;
};

/* Parses a path into kind, runtime, container id, pod uid and qos. Never fails: what is not
 * recognised is a cgroup, as is everything below a user's own systemd: the user names it freely. */
void ctd_identity_parse(const char *path, struct ctd_identity *identity);
/* Is it the outermost cgroup in which others make cgroups as they like: a container's own that lies
 * in no other, or one that was delegated? */
bool ctd_identity_is_tenant(const struct ctd_identity *identity);
/* Sets all that ctd_identity_parse() sets to what it is for a path that tells nothing. */
void ctd_identity_clear(struct ctd_identity *identity);

/*
 * The systemd unit (service, scope, socket, mount, swap; a user's own within user@N.service) that
 * @p path is in: all cgroups below a unit's belong to it.
 * @return how many bytes of the path are that of the unit's own cgroup,
 * "/system.slice/ssh.service"; its last component is the unit's name. 0: it is in none. Not to be
 * asked of what is in a container or pod: identity.unit says.
 */
size_t ctd_identity_unit_path(const char *path);

/* "Guaranteed", "Burstable", "BestEffort", NULL. */
const char *ctd_qos_name(enum ctd_qos qos);

/* The known cgroups by id. */
struct ctd_identities;
int ctd_identities_new(struct ctd_identities **ret_identities);
void ctd_identities_free(struct ctd_identities *identities);
/* Adds, or renames if known under another path. Copies @p path. @return 0 or -ENOMEM. */
int ctd_identities_add(struct ctd_identities *identities, uint64_t cgroup_id, const char *path);
/*
 * The same of a cgroup of the machine @p node, whose name is copied: its parents are that
 * machine's, and which of two containers has an id was judged there. NULL: ctd_identities_add(). An
 * id is of one machine for good.
 */
int ctd_identities_add_of(struct ctd_identities *identities, const char *node, uint64_t cgroup_id,
			  const char *path);
/*
 * Its path was not made by a runtime: it is a cgroup, whatever it is called, and takes no names.
 * The table does so by itself where two containers claim one id: that which the runtime's own files
 * name keeps it, then that in no other container, then the first; if those files name a refused one
 * later, it takes its place. Unknown ids are ignored.
 */
void ctd_identities_refuse(struct ctd_identities *identities, uint64_t cgroup_id);
/* The first @p bytes of its path are a delegation, as ctd_cgroup_delegation() found. Unknown ids
 * are ignored. */
void ctd_identities_delegate(struct ctd_identities *identities, uint64_t cgroup_id, size_t bytes);
/* How many were refused so far. */
uint64_t ctd_identities_refused(const struct ctd_identities *identities);
/* Marks as removed; unknown ids are ignored. */
void ctd_identities_remove(struct ctd_identities *identities, uint64_t cgroup_id);
/*
 * Puts @p names, which are taken over, in the place of those that were known; NULL: those stay.
 * @p qos: the kubelet's word on it; CTD_QOS_UNKNOWN: what the path says stays. What is known by an
 * id that its path does not tell (names.container_id) is a container from then on. @return the
 * identity; NULL for unknown ids, whose names are freed.
 */
const struct ctd_identity *ctd_identities_set_names(struct ctd_identities *identities,
						    uint64_t cgroup_id, struct ctd_names *names,
						    enum ctd_qos qos, bool settled);
/* Forgets a removed cgroup whose last figures have been reported. */
void ctd_identities_forget(struct ctd_identities *identities, uint64_t cgroup_id);
/*
 * Where figures are of tasks: which process one is of, which holds until it is said of another.
 * ctd_identities_process(): @return its process; 0: it was never said.
 */
int ctd_identities_set_process(struct ctd_identities *identities, uint32_t task, uint32_t process);
uint32_t ctd_identities_process(const struct ctd_identities *identities, uint32_t task);
/* Was it said of any task? */
bool ctd_identities_have_processes(const struct ctd_identities *identities);
/* Calls @p visit for each such task, as ctd_identities_each(). */
int ctd_identities_each_task(const struct ctd_identities *identities,
			     int (*visit)(uint32_t task, uint32_t process, void *), void *context);
/* @return the identity or NULL; borrowed until the next change of the table. */
const struct ctd_identity *ctd_identities_get(const struct ctd_identities *identities,
					      uint64_t cgroup_id);
size_t ctd_identities_count(const struct ctd_identities *identities);
/* Calls @p visit for each, in no particular order; a non-zero result ends the walk and is returned.
 */
int ctd_identities_each(const struct ctd_identities *identities,
			int (*visit)(const struct ctd_identity *, void *), void *context);

/* Where a hierarchy is mounted, from /proc/self/mountinfo below the root directory. */
struct ctd_cgroup_hierarchy {
	char mount[256]; /* "/sys/fs/cgroup/unified"; with the root directory in front */
	char mounted_path[256]; /* path within the hierarchy that is mounted there, "/" usually */
	char controller[32]; /* "" for v2; else the v1 controller, e.g. "cpu" */
	bool v2;
	uint32_t hierarchy_id; /* as in /proc/self/cgroup; 0 for v2 */
};
/*
 * Finds the hierarchy to account by. @p wanted: "auto", "v2", or a v1 controller's name. auto takes
 * v2 where it has any cgroup below the root or no v1 hierarchy has, else the first v1 hierarchy
 * with cgroups.
 * @return 0, -ENOENT if it is not mounted (with @p ret_why), other negative errno.
 */
int ctd_cgroup_hierarchy_find(const char *wanted, struct ctd_cgroup_hierarchy *ret_hierarchy,
			      char ret_why[160]);
/* Walks the mounted hierarchy and adds every cgroup. @return number added, or negative errno. */
int ctd_cgroups_scan(const struct ctd_cgroup_hierarchy *hierarchy,
		     struct ctd_identities *identities);
/*
 * Could only root have put the container or pod there? All directories above its own must be
 * root's; within another container, also that container's owner's. What is gone is judged by what
 * was above.
 */
bool ctd_cgroup_is_placed(const struct ctd_cgroup_hierarchy *hierarchy,
			  const struct ctd_identity *identity);
/*
 * The outermost cgroup at or above @p path in which others than root may make cgroups, by the
 * rights of its directory, or which systemd gave to a service or machine (Delegate=). A cgroup
 * may be given away some time after it was made: ask again when there is a cgroup in it.
 * @return how many bytes of the path are its own, with its id; 0: there is none.
 */
size_t ctd_cgroup_delegation(const struct ctd_cgroup_hierarchy *hierarchy, const char *path,
			     uint64_t *ret_cgroup_id);
/* The id that the kernel gives a cgroup directory (name_to_handle_at). @return 0 or negative errno.
 */
int ctd_cgroup_id_of(const char *directory, uint64_t *ret_id);

#endif
