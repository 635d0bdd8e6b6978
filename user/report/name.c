/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* name.c - the name by which people know a row. */
#include "report/group.h"

#include <inttypes.h>
#include <string.h>

#include "base/auto.h"

/* As many digits as docker ps and crictl ps show. */
#define CONTAINER_DIGITS 12

static bool known(const char *text)
{
	return text && text[0];
}

static int name_cgroup(const struct ctd_group *group, char **ret_name)
{
	const struct ctd_identity *identity = group->row.identity;

	if (identity)
		return asprintf(ret_name, "%s", identity->path);
	return asprintf(ret_name, "cgroup:%" PRIu64, group->row.cgroup_id);
}

static int name_container(const struct ctd_identity *identity, char **ret_name)
{
	/* "pause" does nothing but hold the pod's namespaces. */
	if (identity->names.sandbox && known(identity->names.pod_name))
		return asprintf(ret_name, "%s/(sandbox)", identity->names.pod_name);
	if (known(identity->names.container_name) && known(identity->names.pod_name))
		return asprintf(ret_name, "%s/%s", identity->names.pod_name,
				identity->names.container_name);
	if (known(identity->names.container_name))
		return asprintf(ret_name, "%s", identity->names.container_name);
	return asprintf(ret_name, "%s:%.*s", identity->runtime ? identity->runtime : "container",
			CONTAINER_DIGITS, identity->container_id);
}

static int name_pod(const struct ctd_identity *identity, char **ret_name)
{
	if (known(identity->names.pod_name) && known(identity->names.namespace_name))
		return asprintf(ret_name, "%s/%s", identity->names.namespace_name,
				identity->names.pod_name);
	if (known(identity->names.pod_name))
		return asprintf(ret_name, "%s", identity->names.pod_name);
	return asprintf(ret_name, "pod:%s", identity->pod_uid);
}

/* Owners of different namespaces may have one name. */
static int name_owner(const struct ctd_identity *identity, char **ret_name)
{
	if (!identity)
		return asprintf(ret_name, "(no owner)");
	return asprintf(ret_name, "%s%s%s/%s",
			known(identity->names.namespace_name) ? identity->names.namespace_name : "",
			known(identity->names.namespace_name) ? "/" : "",
			identity->names.owner_kind, identity->names.owner_name);
}

static int name_pid(const struct ctd_report_row *row, char **ret_name)
{
	if (row->comm[0])
		return asprintf(ret_name, "%s[%" PRIu32 "]", row->comm, row->pid);
	return asprintf(ret_name, "pid:%" PRIu32, row->pid);
}

char *ctd_group_name(const struct ctd_group *group)
{
	const struct ctd_report_row *row = &group->row;
	char *name = NULL;
	int bytes;

	if (group->kind != CTD_ROW_CGROUP)
		bytes = asprintf(&name, "(%s)", row->kind);
	else if (strcmp(row->kind, "container") == 0)
		bytes = name_container(row->identity, &name);
	else if (strcmp(row->kind, "pod") == 0)
		bytes = name_pod(row->identity, &name);
	else if (strcmp(row->kind, "owner") == 0)
		bytes = name_owner(row->identity, &name);
	else if (strcmp(row->kind, "namespace") == 0)
		bytes = asprintf(&name, "%s",
				 row->identity ? row->identity->names.namespace_name
					       : "(no namespace)");
	else if (row->pid)
		bytes = name_pid(row, &name);
	else
		bytes = name_cgroup(group, &name);
	return bytes < 0 ? NULL : name;
}
