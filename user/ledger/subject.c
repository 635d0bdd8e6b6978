/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* subject.c - what a row is of: the key of its account, and what describes it. */
#include "ledger/ledger.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/known.h"

/* All that is below a unit's cgroup is of the unit. 0: it is in none. */
static size_t unit_bytes(const struct ctd_identity *identity)
{
	return identity->unit ? ctd_identity_unit_path(identity->path) : 0;
}

static const char *unit_path(const struct ctd_identity *identity, char *buffer)
{
	size_t bytes = unit_bytes(identity);

	if (!bytes || bytes >= CTD_PATH_BYTES_MAX)
		return identity->path;
	memcpy(buffer, identity->path, bytes);
	buffer[bytes] = '\0';
	return buffer;
}

/* A pod has one sandbox, of which its name is enough. */
static const char *container_name(const struct ctd_identity *identity, char *buffer)
{
	const struct ctd_names *names = &identity->names;

	if (ctd_known(names->container_name))
		return names->container_name;
	if (names->sandbox && ctd_known(names->pod_name))
		return "";
	/* In another one, any id may be made up: it is of that one, and of no other with this id. */
	snprintf(buffer, CTD_SUBJECT_ID_BYTES, "%s%s%s", identity->outer_id,
		 identity->outer_id[0] ? "/" : "", identity->container_id);
	return buffer;
}

/* Of containers that make cgroups, delegations, and what passed for a container: an eighth of all
 * places; of namespaces: half. */
enum { PART_OF_MAKERS = 8, PART_OF_NAMESPACES = 2 };

/* In a delegation. A unit that is one, or holds one, has a single place for all of it. */
static bool is_delegated(const struct ctd_identity *identity)
{
	size_t bytes = unit_bytes(identity);

	return identity->delegated_bytes && !identity->container_id[0] &&
	       (!bytes || bytes > identity->delegated_bytes);
}

static struct ctd_tenant tenant_of(const struct ctd_identity *identity)
{
	static const char refused[] = "refused";
	const char *name = identity->names.namespace_name;

	if (identity->outer_id[0])
		return (struct ctd_tenant){ctd_hash(identity->outer_id, strlen(identity->outer_id)),
					   PART_OF_MAKERS};
	if (is_delegated(identity))
		return (struct ctd_tenant){ctd_hash(identity->path, identity->delegated_bytes),
					   PART_OF_MAKERS};
	if (identity->names.refused)
		return (struct ctd_tenant){ctd_hash(refused, sizeof(refused)), PART_OF_MAKERS};
	if (name)
		return (struct ctd_tenant){ctd_hash(name, strlen(name)), PART_OF_NAMESPACES};
	return (struct ctd_tenant){0};
}

static enum ctd_rank rank_of(const struct ctd_row_subject *subject, bool container)
{
	if (!container)
		return subject->tenant.part == PART_OF_MAKERS ? CTD_RANK_ANONYMOUS
							      : CTD_RANK_CGROUP;
	return subject->who.container == subject->container ? CTD_RANK_ANONYMOUS : CTD_RANK_NAMED;
}

void ctd_subject_make(const struct ctd_rollup_row *row, const char *core_type,
		      struct ctd_row_subject *ret_subject)
{
	static const struct ctd_identity nobody;
	const struct ctd_identity *from = row->identity ? row->identity : &nobody;
	const struct ctd_names *names = &from->names;
	struct ctd_account_who *who = &ret_subject->who;
	bool container = row->kind == CTD_ROLLUP_CONTAINER;

	*who = (struct ctd_account_who){
		.kind = !container	 ? CTD_ACCOUNT_CGROUP
			: names->sandbox ? CTD_ACCOUNT_SANDBOX
					 : CTD_ACCOUNT_CONTAINER,
		.namespace_name = ctd_or_empty(names->namespace_name),
		.pod = ctd_or_empty(names->pod_name),
		.container = container ? container_name(from, ret_subject->container) : "",
		.core = core_type,
		.container_id = from->container_id,
		.pod_uid = from->pod_uid,
		.runtime = ctd_or_empty(from->runtime),
		.image = ctd_or_empty(names->image),
		.qos = ctd_or_empty(ctd_qos_name(from->qos)),
		.owner_kind = ctd_or_empty(names->owner_kind),
		.owner_name = ctd_or_empty(names->owner_name),
		.labels = names->labels,
		.labels_count = names->labels_count,
		.started_ns = names->started_ns,
		.key_text = "",
	};
	who->cgroup = container	      ? ""
		      : row->identity ? unit_path(from, ret_subject->path)
				      : ctd_rollup_cgroup_name(row, ret_subject->path);
	who->path = container ? ctd_or_empty(from->path) : who->cgroup;
	ret_subject->tenant = tenant_of(from);
	ret_subject->rank = rank_of(ret_subject, container);
	ret_subject->version = from->version;
	ret_subject->settled = !row->identity || from->names_settled;
}

const struct ctd_account_who *ctd_who_of(const struct ctd_rollup_row *row, const char *core_type)
{
	static const enum ctd_account_kind fixed[CTD_ROLLUP_KINDS] = {
		[CTD_ROLLUP_KERNEL] = CTD_ACCOUNT_KERNEL,
		[CTD_ROLLUP_IDLE] = CTD_ACCOUNT_IDLE,
		[CTD_ROLLUP_OTHER] = CTD_ACCOUNT_OTHER,
	};
	struct ctd_row_subject subject;

	ctd_subject_make(row, core_type, &subject);
	if (fixed[row->kind]) {
		subject.who.kind = fixed[row->kind];
		subject.who.cgroup = "";
	}
	return ctd_who_new(&subject.who);
}
