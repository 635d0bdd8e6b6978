/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cgroups.c - learns which cgroups come and go, and what they are called. */
#include "collect/cgroups.h"

#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/root.h"
#include "identity/lookup/pairs.h"

/* A walk that failed is tried again, with a line each time. */
#define WALK_NS 10000000000ull
#define ROOT_CGROUP_ID 1
/* A look at a container's files takes some 0.1 ms. */
#define NAMES_WAIT_NS 200000000ull

static int record_path(struct ctd_cgroups *cgroups, uint64_t cgroup_id, const char *path,
		       bool removed)
{
	struct ctd_record_name name = {.cgroup_id = cgroup_id, .removed = removed, .text = path};

	return cgroups->writer ? ctd_record_write_name(cgroups->writer, &name) : 0;
}

static int record_facts(struct ctd_cgroups *cgroups, const struct ctd_identity *identity)
{
	auto_ctd_strbuf struct ctd_strbuf pairs = {0};
	struct ctd_record_facts facts = {.cgroup_id = identity->cgroup_id};

	if (!cgroups->writer)
		return 0;
	ctd_names_to_pairs(&identity->names, &pairs);
	if (pairs.failed)
		return -ENOMEM;
	/* Labels beyond all measure are not worth a recording. */
	if (!pairs.bytes || pairs.bytes > CTD_RECORD_FACTS_BYTES_MAX)
		return 0;
	facts.pairs = pairs.text;
	facts.bytes = pairs.bytes;
	return ctd_record_write_facts(cgroups->writer, &facts);
}

/* One that is no tenant of the programs' has rows without limit. */
static int tell_tenant(const struct ctd_identity *identity, void *kern)
{
	if (kern && ctd_identity_is_tenant(identity))
		ctd_kern_add_tenant(kern, identity->cgroup_id);
	return 0;
}

void ctd_cgroups_tell_tenants(struct ctd_cgroups *cgroups, struct ctd_kern *kern)
{
	ctd_identities_each(cgroups->identities, tell_tenant, kern);
}

/* Once, whatever programs follow each other; without memory once for each of them. */
void ctd_cgroups_notice_tenant(uint64_t cgroup_id, uint64_t rows, void *context)
{
	struct ctd_cgroups *cgroups = context;
	const struct ctd_identity *identity = ctd_identities_get(cgroups->identities, cgroup_id);
	uintptr_t ignored;

	if (!identity || ctd_idmap_get(&cgroups->full, cgroup_id, &ignored))
		return;
	ctd_idmap_set(&cgroups->full, cgroup_id, 1);
	ctd_warn(
		"'%s': the cgroups in it have %llu rows in the kernel, as many as they may of --rows; others of them are in (other)",
		identity->path, (unsigned long long)rows);
}

/* A cgroup may be given away after it was met: it is looked for again with each cgroup in it. */
static void find_delegation(struct ctd_cgroups *cgroups, const struct ctd_identity *identity)
{
	uint64_t outermost_id;
	size_t bytes = ctd_cgroup_delegation(&cgroups->hierarchy, identity->path, &outermost_id);

	if (!bytes)
		return;
	ctd_identities_delegate(cgroups->identities, identity->cgroup_id, bytes);
	ctd_identities_delegate(cgroups->identities, outermost_id, bytes);
	identity = ctd_identities_get(cgroups->identities, outermost_id);
	if (identity)
		tell_tenant(identity, cgroups->kern);
}

/* A new cgroup. It gets no names unless it lies where only a runtime can have made it. */
static int meet(struct ctd_cgroups *cgroups, uint64_t cgroup_id, const char *path)
{
	int error = ctd_identities_add(cgroups->identities, cgroup_id, path);
	const struct ctd_identity *identity = ctd_identities_get(cgroups->identities, cgroup_id);

	if (error || !identity)
		return error;
	if (identity->placed_bytes && !ctd_cgroup_is_placed(&cgroups->hierarchy, identity))
		ctd_identities_refuse(cgroups->identities, cgroup_id);
	else
		ctd_name_search_ask(&cgroups->names, cgroups->identities, cgroup_id);
	find_delegation(cgroups, identity);
	tell_tenant(identity, cgroups->kern);
	error = record_path(cgroups, cgroup_id, path, false);
	return !error && identity->names.refused ? record_facts(cgroups, identity) : error;
}

static void leave(struct ctd_cgroups *cgroups, uint64_t cgroup_id)
{
	ctd_identities_remove(cgroups->identities, cgroup_id);
	if (cgroups->names.resolver)
		ctd_resolver_leave(cgroups->names.resolver, cgroup_id);
}

/* A cgroup came, went, or has had its last figures read. Without memory the name stays unknown. */
void ctd_cgroups_notice(enum ctd_cgroup_change change, uint64_t cgroup_id, const char *path,
			void *context)
{
	struct ctd_cgroups *cgroups = context;

	if (change == CTD_CGROUP_REMOVED && !path) {
		ctd_idmap_remove(&cgroups->full, cgroup_id);
		ctd_identities_forget(cgroups->identities, cgroup_id);
		return;
	}
	if (change == CTD_CGROUP_REMOVED) {
		leave(cgroups, cgroup_id);
		record_path(cgroups, cgroup_id, path, true);
	} else {
		meet(cgroups, cgroup_id, path);
	}
}

struct walk {
	struct ctd_cgroups *cgroups;
	const struct ctd_identities *there;
};

static int forget_if_gone(const struct ctd_identity *identity, void *context)
{
	struct walk *walk = context;

	if (ctd_identities_get(walk->there, identity->cgroup_id) || identity->removed)
		return 0;
	leave(walk->cgroups, identity->cgroup_id);
	return ctd_kern_forget(walk->cgroups->kern, identity->cgroup_id);
}

static int learn(const struct ctd_identity *identity, void *context)
{
	struct ctd_cgroups *cgroups = context;

	if (ctd_identities_get(cgroups->identities, identity->cgroup_id))
		return 0;
	return meet(cgroups, identity->cgroup_id, identity->path);
}

/*
 * A container with a cgroup namespace and no mount of the host's sees its own cgroup as the root.
 * The true one's id is 1, as kernfs numbers from there (fs/kernfs/dir.c, kernfs_create_root()).
 */
static bool shows_all(const struct ctd_cgroup_hierarchy *hierarchy)
{
	uint64_t id;

	return ctd_cgroup_id_of(hierarchy->mount, &id) || id == ROOT_CGROUP_ID;
}

int ctd_cgroups_walk(struct ctd_cgroups *cgroups)
{
	struct ctd_identities *there;
	struct walk walk = {.cgroups = cgroups};
	int error = ctd_identities_new(&there);

	if (error)
		return ctd_log_error(error, "walk the cgroups");
	error = ctd_cgroups_scan(&cgroups->hierarchy, there);
	if (error >= 0) {
		walk.there = there;
		error = ctd_identities_each(there, learn, cgroups);
		/* What the walk did not come to may be elsewhere: events told of that. */
		if (!error && shows_all(&cgroups->hierarchy))
			error = ctd_identities_each(cgroups->identities, forget_if_gone, &walk);
	}
	ctd_identities_free(there);
	if (error < 0)
		return ctd_log_error(error, "walk the cgroups below '%s'",
				     cgroups->hierarchy.mount);
	return 0;
}

int ctd_cgroups_catch_up(struct ctd_cgroups *cgroups, uint64_t lost_events)
{
	int error;

	cgroups->walk_due |= lost_events != cgroups->lost_events;
	cgroups->lost_events = lost_events;
	/* Until then some cgroups have no names, and a service goes on. */
	if (!cgroups->walk_due || ctd_monotonic_ns() < cgroups->walk_ns)
		return 0;
	error = ctd_cgroups_walk(cgroups);
	cgroups->walk_due = error;
	cgroups->walk_ns = error ? ctd_monotonic_ns() + WALK_NS : 0;
	return ctd_may_pass(error) ? 0 : error;
}

static int forget_removed(const struct ctd_identity *identity, void *kern)
{
	return identity->removed ? ctd_kern_forget(kern, identity->cgroup_id) : 0;
}

/* Without memory some names of removed cgroups stay for good. */
void ctd_cgroups_hand_over(struct ctd_cgroups *cgroups)
{
	ctd_identities_each(cgroups->identities, forget_removed, cgroups->kern);
	cgroups->lost_events = 0;
}

int ctd_collect_find_hierarchy(const char *wanted, struct ctd_cgroup_hierarchy *ret_hierarchy)
{
	char why[160] = "";
	int error = ctd_cgroup_hierarchy_find(wanted, ret_hierarchy, why);

	if (error)
		ctd_log(CTD_LOG_ERROR, "cgroup hierarchy '%s': %s", wanted,
			*why ? why : strerror(-error));
	return error;
}

static void warn_of_part(const struct ctd_cgroup_hierarchy *hierarchy)
{
	if (*ctd_root() || shows_all(hierarchy))
		return;
	ctd_warn(
		"'%s' shows a part of the machine's cgroups only: all others are shown by their ids until they come anew; mount the host's /sys/fs/cgroup there, or use the host's cgroup namespace",
		hierarchy->mount);
}

int ctd_cgroups_open(struct ctd_cgroups *cgroups, const struct ctd_collect_options *options)
{
	int error = ctd_identities_new(&cgroups->identities);

	if (error)
		return ctd_log_error(error, "allocate the table of cgroups");
	ctd_name_search_start(&cgroups->names, &options->names);
	error = ctd_collect_find_hierarchy(options->hierarchy, &cgroups->hierarchy);
	if (!error)
		warn_of_part(&cgroups->hierarchy);
	return error;
}

void ctd_cgroups_free(struct ctd_cgroups *cgroups)
{
	ctd_name_search_stop(&cgroups->names);
	ctd_idmap_free(&cgroups->full);
	ctd_identities_free(cgroups->identities);
	cgroups->identities = NULL;
}

void ctd_cgroups_wait_for_names(struct ctd_cgroups *cgroups)
{
	if (cgroups->names.resolver)
		ctd_resolver_wait(cgroups->names.resolver, NAMES_WAIT_NS);
}

/* The writer remembers what failed, and the next snapshot says so. */
static void take_names(const struct ctd_identity *identity, void *context)
{
	record_facts(context, identity);
}

void ctd_cgroups_take_names(struct ctd_cgroups *cgroups)
{
	if (cgroups->names.resolver)
		ctd_resolver_apply(cgroups->names.resolver, cgroups->identities, take_names,
				   cgroups);
}

static int record_identity(const struct ctd_identity *identity, void *context)
{
	int error = record_path(context, identity->cgroup_id, identity->path, identity->removed);

	return error ? error : record_facts(context, identity);
}

int ctd_cgroups_record(struct ctd_cgroups *cgroups, struct ctd_record_writer *writer)
{
	cgroups->writer = writer;
	return ctd_identities_each(cgroups->identities, record_identity, cgroups);
}
