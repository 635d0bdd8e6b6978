/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* names.c - makes identities of what a view says of its rows. */
#include "remote/names.h"

#include <cgtopdown/runtime.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* The static name of a runtime. */
static const char *find_runtime(const char *name)
{
	for (size_t i = 0; name && ctd_runtimes[i]; i++)
		if (strcmp(ctd_runtimes[i]->name, name) == 0)
			return ctd_runtimes[i]->name;
	return NULL;
}

static enum ctd_qos find_qos(const char *name)
{
	for (int qos = CTD_QOS_GUARANTEED; name && qos <= CTD_QOS_BESTEFFORT; qos++)
		if (strcmp(ctd_qos_name(qos), name) == 0)
			return qos;
	return CTD_QOS_UNKNOWN;
}

/* A container without a name has its id in the place of one. */
static const char *name_of(const struct ctd_remote_row *row)
{
	const char *slash = row->container ? strrchr(row->container, '/') : NULL;
	const char *last = slash ? slash + 1 : row->container;

	return last && row->container_id && strcmp(last, row->container_id) == 0 ? NULL
										 : row->container;
}

static bool copy(const char *text, char **ret_text)
{
	*ret_text = text ? strdup(text) : NULL;
	return !text || *ret_text;
}

static int make_names(const struct ctd_remote_row *row, const struct ctd_identity *identity,
		      struct ctd_names *ret_names)
{
	bool is_told = *identity->container_id;

	*ret_names = (struct ctd_names){
		.runtime = find_runtime(row->runtime),
		.sandbox = row->kind == CTD_ACCOUNT_SANDBOX,
		/* The server has looked: such a path was made up. */
		.refused = row->kind == CTD_ACCOUNT_CGROUP && is_told,
	};
	if (row->kind == CTD_ACCOUNT_CGROUP)
		return 0;
	if (copy(row->namespace_name, &ret_names->namespace_name) &&
	    copy(row->pod, &ret_names->pod_name) &&
	    copy(name_of(row), &ret_names->container_name) && copy(row->image, &ret_names->image) &&
	    copy(row->owner_kind, &ret_names->owner_kind) &&
	    copy(row->owner_name, &ret_names->owner_name) &&
	    copy(is_told ? NULL : row->container_id, &ret_names->container_id))
		return 0;
	ctd_names_free(ret_names);
	return -ENOMEM;
}

int ctd_remote_name(struct ctd_identities *identities, const char *node, struct ctd_idmap *ids,
		    const struct ctd_remote_row *row, uint64_t *ret_id)
{
	uint64_t hash = ctd_hash(row->cgroup, strlen(row->cgroup));
	uint64_t id = ctd_identities_count(identities) + 1;
	struct ctd_names names;
	uintptr_t known;
	int error = 0;

	/* On other core types it is the same one; of two paths with one hash each is its own. */
	if (ctd_idmap_get(ids, hash, &known) &&
	    strcmp(ctd_identities_get(identities, known)->path, row->cgroup) == 0) {
		*ret_id = known;
		return 0;
	}
	error = ctd_identities_add_of(identities, node, id, row->cgroup);
	if (!error)
		error = make_names(row, ctd_identities_get(identities, id), &names);
	if (error)
		return error;
	ctd_identities_set_names(identities, id, &names, find_qos(row->qos), true);
	*ret_id = id;
	return ctd_idmap_set(ids, hash, id);
}
