/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* table.c - the known cgroups by id. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <cgtopdown/identity.h>
#include <cgtopdown/runtime.h>

#include "base/hash.h"
#include "base/idmap.h"
#include "identity/claims.h"
#include "identity/path/named.h"
#include "identity/path/place.h"

struct ctd_identities {
	struct ctd_idmap by_id; /* owned struct ctd_identity */
	/* The newest identity of a node's path, by the hash of both: only to find parents. Two of
	 * one hash cost a parent, which is then unknown. */
	struct ctd_idmap by_path;
	struct ctd_idmap processes; /* of tasks */
	struct ctd_claims claims; /* owned */
	uint64_t versions; /* given so far */
	uint64_t refused; /* so far */
};

/* It holds no claim. */
static void identity_free(struct ctd_identity *identity)
{
	if (!identity)
		return;
	free(identity->path);
	free(identity->node);
	free(identity->unit);
	ctd_names_free(&identity->names);
	free(identity);
}

static struct ctd_identity *find(const struct ctd_identities *identities, uint64_t cgroup_id)
{
	uintptr_t value;

	if (!ctd_idmap_get(&identities->by_id, cgroup_id, &value))
		return NULL;
	return (struct ctd_identity *)value;
}

static uint64_t hash_of(const char *node, const char *path, size_t bytes)
{
	uint64_t hash = ctd_hash(path, bytes);

	return node ? hash ^ ctd_hash(node, strlen(node)) * UINT64_C(0x9e3779b97f4a7c15) : hash;
}

static bool is_of_node(const struct ctd_identity *identity, const char *node)
{
	return node && identity->node ? strcmp(identity->node, node) == 0
				      : !node && !identity->node;
}

static struct ctd_identity *find_path(const struct ctd_identities *identities, const char *node,
				      const char *path, size_t bytes)
{
	struct ctd_identity *identity;
	uintptr_t value;

	if (!ctd_idmap_get(&identities->by_path, hash_of(node, path, bytes), &value))
		return NULL;
	identity = (struct ctd_identity *)value;
	if (strlen(identity->path) != bytes || memcmp(identity->path, path, bytes) != 0 ||
	    !is_of_node(identity, node))
		return NULL;
	return identity;
}

static uint64_t parent_of(const struct ctd_identities *identities, const char *node,
			  const char *path)
{
	const char *slash = strrchr(path, '/');
	const struct ctd_identity *parent;

	if (!slash || !slash[1])
		return 0;
	parent = find_path(identities, node, path, slash == path ? 1 : (size_t)(slash - path));
	return parent ? parent->cgroup_id : 0;
}

/* What lies in a container or a pod is told by that. @return 0 or -ENOMEM. */
static int set_unit(struct ctd_identity *identity)
{
	size_t bytes = identity->kind == CTD_IS_CGROUP ? ctd_identity_unit_path(identity->path) : 0;
	const char *name = bytes ? memrchr(identity->path, '/', bytes) : NULL;

	if (!name)
		return 0;
	/* systemd puts '_' ahead of a name that would be taken for a controller's file. */
	name += name[1] == '_' ? 2 : 1;
	identity->unit = strndup(name, (size_t)(identity->path + bytes - name));
	return identity->unit ? 0 : -ENOMEM;
}

static struct ctd_identity *identity_new(const char *node, uint64_t cgroup_id, uint64_t parent_id,
					 const char *path)
{
	struct ctd_identity *identity = calloc(1, sizeof(*identity));
	struct ctd_named_path ignored;

	if (!identity)
		return NULL;
	identity->path = strdup(path);
	identity->node = node ? strdup(node) : NULL;
	if (!identity->path || (node && !identity->node)) {
		identity_free(identity);
		return NULL;
	}
	identity->cgroup_id = cgroup_id;
	identity->parent_id = parent_id;
	ctd_identity_parse(path, identity);
	identity->names_settled =
		identity->kind == CTD_IS_CGROUP && !ctd_named_path_parse(path, &ignored);
	if (set_unit(identity)) {
		identity_free(identity);
		return NULL;
	}
	return identity;
}

static void refuse(struct ctd_identities *identities, struct ctd_identity *identity)
{
	ctd_claims_leave(&identities->claims, identity);
	ctd_names_free(&identity->names);
	identity->names.refused = true;
	identity->names_settled = true;
	ctd_identity_clear(identity);
	free(identity->unit);
	identity->unit = NULL;
	/* Without memory it is shown by its path. */
	set_unit(identity);
	identity->version = ++identities->versions;
	identities->refused++;
}

static void refuse_holders(struct ctd_identities *identities, const struct ctd_claim *claim)
{
	size_t cursor = 0, cgroups = claim->cgroups;
	uintptr_t value;
	uint64_t id;

	/* The last one that leaves it frees it. */
	while (cgroups && ctd_idmap_next(&identities->by_id, &cursor, &id, &value)) {
		struct ctd_identity *identity = (struct ctd_identity *)value;

		if (identity->claim != claim)
			continue;
		refuse(identities, identity);
		cgroups--;
	}
}

/* Refuses those that have the id with less evidence. @return 0, -EEXIST or -ENOMEM. */
static int take_claim(struct ctd_identities *identities, struct ctd_identity *identity)
{
	struct ctd_claim *rival;
	int error = ctd_claims_take(&identities->claims, identity, &rival);

	if (error != -EBUSY)
		return error;
	refuse_holders(identities, rival);
	return ctd_claims_take(&identities->claims, identity, &rival);
}

/* Of two containers that claim one id, one is refused. @return 0 or -ENOMEM. */
static int claim_id(struct ctd_identities *identities, struct ctd_identity *identity)
{
	int error = identity->placed_bytes && identity->container_id[0] && !identity->node
			    ? take_claim(identities, identity)
			    : 0;

	if (error != -EEXIST)
		return error;
	refuse(identities, identity);
	return 0;
}

/* Takes @p identity out of by_path unless a newer one of its path has its place. */
static void leave_path(struct ctd_identities *identities, const struct ctd_identity *identity)
{
	uint64_t hash = hash_of(identity->node, identity->path, strlen(identity->path));
	uintptr_t value;

	if (ctd_idmap_get(&identities->by_path, hash, &value) && value == (uintptr_t)identity)
		ctd_idmap_remove(&identities->by_path, hash);
}

int ctd_identities_new(struct ctd_identities **ret_identities)
{
	struct ctd_identities *identities = calloc(1, sizeof(*identities));

	if (!identities)
		return -ENOMEM;
	*ret_identities = identities;
	return 0;
}

void ctd_identities_free(struct ctd_identities *identities)
{
	uintptr_t value;
	size_t cursor = 0;
	uint64_t id;

	if (!identities)
		return;
	while (ctd_idmap_next(&identities->by_id, &cursor, &id, &value))
		identity_free((struct ctd_identity *)value);
	ctd_idmap_free(&identities->by_id);
	ctd_idmap_free(&identities->by_path);
	ctd_idmap_free(&identities->processes);
	ctd_claims_free(&identities->claims);
	free(identities);
}

int ctd_identities_add_of(struct ctd_identities *identities, const char *node, uint64_t cgroup_id,
			  const char *path)
{
	struct ctd_identity *known = find(identities, cgroup_id);
	struct ctd_identity *identity;
	uint64_t hash = hash_of(node, path, strlen(path));
	int err;

	if (known && !strcmp(known->path, path)) {
		if (known->claim)
			known->claim->live += known->removed;
		known->removed = false;
		return 0;
	}
	identity = identity_new(node, cgroup_id, parent_of(identities, node, path), path);
	if (!identity)
		return -ENOMEM;
	identity->version = ++identities->versions;
	/* Under another path it is another container or pod, so nothing of the old is kept. */
	if (known)
		ctd_claims_leave(&identities->claims, known);
	err = ctd_idmap_set(&identities->by_path, hash, (uintptr_t)identity);
	if (!err)
		err = claim_id(identities, identity);
	if (!err)
		err = ctd_idmap_set(&identities->by_id, cgroup_id, (uintptr_t)identity);
	if (err) {
		leave_path(identities, identity);
		ctd_claims_leave(&identities->claims, identity);
		identity_free(identity);
		return err;
	}
	if (known)
		leave_path(identities, known);
	identity_free(known);
	return 0;
}

int ctd_identities_add(struct ctd_identities *identities, uint64_t cgroup_id, const char *path)
{
	return ctd_identities_add_of(identities, NULL, cgroup_id, path);
}

void ctd_identities_refuse(struct ctd_identities *identities, uint64_t cgroup_id)
{
	struct ctd_identity *identity = find(identities, cgroup_id);

	if (identity && !identity->names.refused)
		refuse(identities, identity);
}

void ctd_identities_delegate(struct ctd_identities *identities, uint64_t cgroup_id, size_t bytes)
{
	struct ctd_identity *identity = find(identities, cgroup_id);

	/* The path may be an older one than that of which this is a length. */
	if (!identity || identity->delegated_bytes == bytes || bytes > strlen(identity->path))
		return;
	identity->delegated_bytes = bytes;
	identity->version = ++identities->versions;
}

uint64_t ctd_identities_refused(const struct ctd_identities *identities)
{
	return identities->refused;
}

void ctd_identities_remove(struct ctd_identities *identities, uint64_t cgroup_id)
{
	struct ctd_identity *identity = find(identities, cgroup_id);

	if (!identity)
		return;
	if (identity->claim)
		identity->claim->live -= !identity->removed;
	identity->removed = true;
}

/* Of a path that tells nothing, a runtime told that it is a container's. */
static void make_container(struct ctd_identity *identity)
{
	const char *id = identity->names.container_id;

	if (identity->kind != CTD_IS_CGROUP || !id || strlen(id) >= sizeof(identity->container_id))
		return;
	for (size_t i = 0; !identity->runtime && ctd_runtimes[i]; i++)
		if (ctd_runtimes[i]->read_named)
			identity->runtime = ctd_runtimes[i]->name;
	identity->kind = CTD_IS_CONTAINER;
	strcpy(identity->container_id, id);
	free(identity->unit);
	identity->unit = NULL;
}

/* Paths like `<id>` match any runtime: use the one whose files name the container. */
static void set_runtime(struct ctd_identity *identity)
{
	for (size_t i = 0; identity->runtime && ctd_runtimes[i]; i++) {
		if (ctd_runtimes[i]->is_any && identity->names.runtime &&
		    strcmp(ctd_runtimes[i]->name, identity->runtime) == 0)
			identity->runtime = identity->names.runtime;
	}
}

/*
 * Another one had its id. If its runtime's files name it, and not the other, that one is refused in
 * its place. @return true if it is what its path says from now on.
 */
static bool restore(struct ctd_identities *identities, struct ctd_identity *identity,
		    const struct ctd_names *names)
{
	struct ctd_identity again = *identity;

	if (!names)
		return false;
	again.names = *names;
	ctd_identity_parse(again.path, &again);
	/* The outermost delegation, which may be one that the path does not tell. */
	if (identity->delegated_bytes &&
	    (!again.delegated_bytes || identity->delegated_bytes < again.delegated_bytes))
		again.delegated_bytes = identity->delegated_bytes;
	if (ctd_place_of(&again, names->cgroups_path) != CTD_PLACE_OWN || !again.container_id[0] ||
	    take_claim(identities, &again))
		return false;
	if (identity->removed)
		again.claim->live--;
	free(identity->unit);
	again.unit = NULL;
	again.names = identity->names;
	again.names.refused = false;
	*identity = again;
	return true;
}

const struct ctd_identity *ctd_identities_set_names(struct ctd_identities *identities,
						    uint64_t cgroup_id, struct ctd_names *names,
						    enum ctd_qos qos, bool settled)
{
	struct ctd_identity *identity = find(identities, cgroup_id);

	if (!identity) {
		ctd_names_free(names);
		return NULL;
	}
	if ((names && names->refused) ||
	    (identity->names.refused && !restore(identities, identity, names))) {
		ctd_names_free(names);
		ctd_identities_refuse(identities, cgroup_id);
		return identity;
	}
	if (names) {
		ctd_names_free(&identity->names);
		identity->names = *names;
		*names = (struct ctd_names){0};
		make_container(identity);
		set_runtime(identity);
		ctd_claims_rank(identity);
	}
	if (qos != CTD_QOS_UNKNOWN)
		identity->qos = qos;
	identity->names_settled = settled;
	identity->version = ++identities->versions;
	return identity;
}

void ctd_identities_forget(struct ctd_identities *identities, uint64_t cgroup_id)
{
	struct ctd_identity *identity = find(identities, cgroup_id);

	if (!identity || !identity->removed)
		return;
	leave_path(identities, identity);
	ctd_idmap_remove(&identities->by_id, cgroup_id);
	ctd_claims_leave(&identities->claims, identity);
	identity_free(identity);
}

const struct ctd_identity *ctd_identities_get(const struct ctd_identities *identities,
					      uint64_t cgroup_id)
{
	struct ctd_identity *identity = find(identities, cgroup_id);

	/* The parent may have been learnt later: events and recordings keep no order. */
	if (identity && !identity->parent_id)
		identity->parent_id = parent_of(identities, identity->node, identity->path);
	return identity;
}

size_t ctd_identities_count(const struct ctd_identities *identities)
{
	return identities->by_id.count;
}

int ctd_identities_each(const struct ctd_identities *identities,
			int (*visit)(const struct ctd_identity *, void *), void *context)
{
	uintptr_t value;
	size_t cursor = 0;
	uint64_t id;
	int err;

	while (ctd_idmap_next(&identities->by_id, &cursor, &id, &value)) {
		err = visit((const struct ctd_identity *)value, context);
		if (err)
			return err;
	}
	return 0;
}

int ctd_identities_set_process(struct ctd_identities *identities, uint32_t task, uint32_t process)
{
	return ctd_idmap_set(&identities->processes, task, process);
}

uint32_t ctd_identities_process(const struct ctd_identities *identities, uint32_t task)
{
	uintptr_t process;

	return ctd_idmap_get(&identities->processes, task, &process) ? (uint32_t)process : 0;
}

bool ctd_identities_have_processes(const struct ctd_identities *identities)
{
	return identities->processes.count;
}

int ctd_identities_each_task(const struct ctd_identities *identities,
			     int (*visit)(uint32_t task, uint32_t process, void *), void *context)
{
	uintptr_t process;
	size_t cursor = 0;
	uint64_t task;
	int err = 0;

	while (!err && ctd_idmap_next(&identities->processes, &cursor, &task, &process))
		err = visit((uint32_t)task, (uint32_t)process, context);
	return err;
}
