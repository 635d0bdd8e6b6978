/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* key.c - what a row of an interval is a part of: a cgroup, a container, a pod, an owner. */
#include "rollup/key.h"

#include <string.h>

#include "base/hash.h"

/* The container or pod of @p identity may hold cgroups of its own: the outermost is the one. */
static const struct ctd_identity *outermost(const struct ctd_identities *identities,
					    const struct ctd_identity *identity, bool pod)
{
	for (;;) {
		const struct ctd_identity *parent =
			ctd_identities_get(identities, identity->parent_id);

		if (!parent ||
		    (pod ? strcmp(parent->pod_uid, identity->pod_uid) != 0
			 : strcmp(parent->container_id, identity->container_id) != 0) ||
		    strlen(parent->path) >= strlen(identity->path))
			return identity;
		identity = parent;
	}
}

/* What has no owner is together: pods that nobody made, and what is in no pod. */
static void set_owner(struct ctd_rollup_key *key)
{
	const struct ctd_names *names = key->identity ? &key->identity->names : NULL;

	key->kind = CTD_ROLLUP_OWNER;
	if (!names || !names->owner_name || !names->owner_kind) {
		key->identity = NULL;
		return;
	}
	key->texts[0] = names->namespace_name ? names->namespace_name : "";
	key->texts[1] = names->owner_kind;
	key->texts[2] = names->owner_name;
}

static void set_namespace(struct ctd_rollup_key *key)
{
	key->kind = CTD_ROLLUP_NAMESPACE;
	if (key->identity && key->identity->names.namespace_name)
		key->texts[0] = key->identity->names.namespace_name;
	else
		key->identity = NULL;
}

static const char *node_of(const struct ctd_identity *identity)
{
	return identity && identity->node ? identity->node : "";
}

static void set_node(struct ctd_rollup_key *key)
{
	key->kind = CTD_ROLLUP_NODE;
	key->texts[0] = node_of(key->identity);
	if (!*key->texts[0])
		key->identity = NULL;
}

/* A container is known by its cgroup. */
static void set_container(struct ctd_rollup_key *key, const struct ctd_identities *identities)
{
	const struct ctd_identity *identity = key->identity;

	key->kind = CTD_ROLLUP_CONTAINER;
	key->texts[0] = identity->container_id;
	key->texts[1] = identity->outer_id;
	key->texts[2] = node_of(identity);
	key->identity = outermost(identities, identity, false);
}

static void set_pod(struct ctd_rollup_key *key, const struct ctd_identities *identities)
{
	const struct ctd_identity *identity = key->identity;

	key->kind = CTD_ROLLUP_POD;
	key->texts[0] = identity->pod_uid;
	key->texts[1] = identity->pod_in_outer ? identity->outer_id : "";
	key->texts[2] = node_of(identity);
	key->identity = outermost(identities, identity, true);
}

static void set_cgroup(struct ctd_rollup_key *key, const struct ctd_interval_row *row,
		       const struct ctd_identities *identities, enum ctd_group_by by)
{
	uint32_t process;

	key->kind = CTD_ROLLUP_CGROUP;
	key->cgroup_id = row->cgroup_id;
	if ((by != CTD_GROUP_PROCESS && by != CTD_GROUP_TASK) || !row->pid)
		return;
	/* It is one already, unless tasks were counted. */
	process = by == CTD_GROUP_PROCESS ? ctd_identities_process(identities, row->pid) : 0;
	key->kind = by == CTD_GROUP_PROCESS ? CTD_ROLLUP_PROCESS : CTD_ROLLUP_TASK;
	key->pid = process ? process : row->pid;
}

struct ctd_rollup_key ctd_rollup_key_make(const struct ctd_interval_row *row,
					  const struct ctd_identity *identity,
					  const struct ctd_identities *identities,
					  enum ctd_group_by by)
{
	static const enum ctd_rollup_kind kinds[CTD_ROW_KINDS] = {
		[CTD_ROW_IDLE] = CTD_ROLLUP_IDLE,
		[CTD_ROW_KERNEL] = CTD_ROLLUP_KERNEL,
		[CTD_ROW_OTHER] = CTD_ROLLUP_OTHER,
	};
	struct ctd_rollup_key key = {.texts = {"", "", ""}, .identity = identity};

	if (row->kind != CTD_ROW_CGROUP)
		key.kind = kinds[row->kind];
	else if (by == CTD_GROUP_NAMESPACE)
		set_namespace(&key);
	else if (by == CTD_GROUP_OWNER)
		set_owner(&key);
	else if (by == CTD_GROUP_NODE)
		set_node(&key);
	else if (by == CTD_GROUP_CONTAINER && identity && identity->container_id[0])
		set_container(&key, identities);
	else if (by == CTD_GROUP_POD && identity && identity->pod_uid[0])
		set_pod(&key, identities);
	else
		set_cgroup(&key, row, identities, by);
	return key;
}

/* Ids are of random digits, and names differ at their ends: both ends and the length tell most
 * texts apart. */
static uint64_t hash_text(const char *text)
{
	size_t bytes = strlen(text);
	uint64_t ends[4], hash = bytes;

	if (bytes <= sizeof(ends))
		return ctd_hash(text, bytes);
	memcpy(ends, text, 16);
	memcpy(&ends[2], text + bytes - 16, 16);
	for (int i = 0; i < 4; i++)
		hash = (hash ^ ends[i] ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	return hash;
}

uint64_t ctd_rollup_key_hash(const struct ctd_rollup_key *key)
{
	uint64_t hash = ((uint64_t)key->kind << 32 | key->pid) * UINT64_C(0x9e3779b97f4a7c15) ^
			key->cgroup_id;

	for (size_t i = 0; i < sizeof(key->texts) / sizeof(key->texts[0]); i++) {
		if (*key->texts[i])
			hash = hash * 31 + hash_text(key->texts[i]);
	}
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

bool ctd_rollup_key_equal(const struct ctd_rollup_key *a, const struct ctd_rollup_key *b)
{
	if (a->kind != b->kind || a->cgroup_id != b->cgroup_id || a->pid != b->pid)
		return false;
	for (size_t i = 0; i < sizeof(a->texts) / sizeof(a->texts[0]); i++) {
		if (strcmp(a->texts[i], b->texts[i]) != 0)
			return false;
	}
	return true;
}
