/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* name.c - the name by which people know a row. */
#include "report/entries.h"

#include <inttypes.h>
#include <string.h>

#include "base/auto.h"
#include "base/known.h"

/* As many digits as docker ps and crictl ps show. */
#define CONTAINER_DIGITS 12

/* Every machine has "/system.slice": what is known by a path or an id says on which it is. */
struct prefix {
	const char *node, *colon;
};
static struct prefix prefix_of(const struct ctd_identity *identity)
{
	return identity && ctd_known(identity->node) ? (struct prefix){identity->node, ":"}
						     : (struct prefix){"", ""};
}

static int name_cgroup(const struct ctd_rollup_row *row, char **ret_name)
{
	const struct prefix prefix = prefix_of(row->identity);
	char buffer[CTD_CGROUP_NAME_BYTES];

	return asprintf(ret_name, "%s%s%s", prefix.node, prefix.colon,
			ctd_rollup_cgroup_name(row, buffer));
}

static int name_container(const struct ctd_identity *identity, char **ret_name)
{
	const struct prefix prefix = prefix_of(identity);
	/* In a whole cluster many namespaces have pods of one name. */
	const char *place = ctd_known(identity->node) && ctd_known(identity->names.namespace_name)
				    ? identity->names.namespace_name
				    : "";
	const char *slash = *place ? "/" : "";

	/* "pause" does nothing but hold the pod's namespaces. */
	if (identity->names.sandbox && ctd_known(identity->names.pod_name))
		return asprintf(ret_name, "%s%s%s/(sandbox)", place, slash,
				identity->names.pod_name);
	if (ctd_known(identity->names.container_name) && ctd_known(identity->names.pod_name))
		return asprintf(ret_name, "%s%s%s/%s", place, slash, identity->names.pod_name,
				identity->names.container_name);
	if (ctd_known(identity->names.container_name))
		return asprintf(ret_name, "%s%s%s", prefix.node, prefix.colon,
				identity->names.container_name);
	return asprintf(ret_name, "%s%s%s:%.*s", prefix.node, prefix.colon,
			identity->runtime ? identity->runtime : "container", CONTAINER_DIGITS,
			identity->container_id);
}

static int name_pod(const struct ctd_identity *identity, char **ret_name)
{
	if (ctd_known(identity->names.pod_name) && ctd_known(identity->names.namespace_name))
		return asprintf(ret_name, "%s/%s", identity->names.namespace_name,
				identity->names.pod_name);
	if (ctd_known(identity->names.pod_name))
		return asprintf(ret_name, "%s", identity->names.pod_name);
	return asprintf(ret_name, "pod:%s", identity->pod_uid);
}

/* Owners of different namespaces may have one name. */
static int name_owner(const struct ctd_identity *identity, char **ret_name)
{
	if (!identity)
		return asprintf(ret_name, "(no owner)");
	return asprintf(ret_name, "%s%s%s/%s",
			ctd_known(identity->names.namespace_name) ? identity->names.namespace_name
								  : "",
			ctd_known(identity->names.namespace_name) ? "/" : "",
			identity->names.owner_kind, identity->names.owner_name);
}

static int name_namespace(const struct ctd_identity *identity, char **ret_name)
{
	return asprintf(ret_name, "%s",
			identity ? identity->names.namespace_name : "(no namespace)");
}

static int name_node(const struct ctd_identity *identity, char **ret_name)
{
	return asprintf(ret_name, "%s", identity ? identity->node : "(no node)");
}

static int name_pid(uint32_t pid, const char *comm, char **ret_name)
{
	if (*comm)
		return asprintf(ret_name, "%s[%" PRIu32 "]", comm, pid);
	return asprintf(ret_name, "pid:%" PRIu32, pid);
}

static int name_row(const struct ctd_rollup_row *row, const char *comm, char **ret_name)
{
	switch (row->kind) {
	case CTD_ROLLUP_CGROUP:
		return name_cgroup(row, ret_name);
	case CTD_ROLLUP_CONTAINER:
		return name_container(row->identity, ret_name);
	case CTD_ROLLUP_POD:
		return name_pod(row->identity, ret_name);
	case CTD_ROLLUP_NAMESPACE:
		return name_namespace(row->identity, ret_name);
	case CTD_ROLLUP_OWNER:
		return name_owner(row->identity, ret_name);
	case CTD_ROLLUP_NODE:
		return name_node(row->identity, ret_name);
	case CTD_ROLLUP_PROCESS:
	case CTD_ROLLUP_TASK:
		return name_pid(row->pid, comm, ret_name);
	default:
		return asprintf(ret_name, "(%s)", ctd_rollup_kind_name(row->kind));
	}
}

char *ctd_report_row_name(const struct ctd_rollup_row *row, const char *comm)
{
	char *name = NULL;

	return name_row(row, comm, &name) < 0 ? NULL : name;
}
