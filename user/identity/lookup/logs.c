/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* logs.c - takes names out of the names of the kubelet's logs. */
#include "identity/lookup/logs.h"

#include <errno.h>
#include <string.h>

#include "identity/path/component.h"

#define LINKS "/var/log/containers"
#define DIRECTORIES "/var/log/pods"

/* Cuts all before the first '_' off: no name of Kubernetes' has one. */
static bool take_part(struct ctd_component *rest, struct ctd_component *ret_part)
{
	const char *mark = memchr(rest->text, '_', rest->bytes);

	if (!mark || mark == rest->text)
		return false;
	*ret_part = (struct ctd_component){rest->text, (size_t)(mark - rest->text)};
	*rest = (struct ctd_component){mark + 1, rest->bytes - ret_part->bytes - 1};
	return true;
}

static bool is_last_part(struct ctd_component rest)
{
	return rest.bytes && !memchr(rest.text, '_', rest.bytes);
}

bool ctd_log_link_parse(const char *name, struct ctd_log_name *ret_name)
{
	struct ctd_component rest = {name, strlen(name)};
	struct ctd_log_name parts = {0};

	if (!ctd_component_cut(rest, "", ".log", &rest) || !take_part(&rest, &parts.pod_name) ||
	    !take_part(&rest, &parts.namespace_name))
		return false;
	if (!is_last_part(rest) || rest.bytes < CTD_CONTAINER_ID_CHARS + 2)
		return false;
	rest.bytes -= CTD_CONTAINER_ID_CHARS + 1;
	if (rest.text[rest.bytes] != '-')
		return false;
	parts.container_name = rest;
	parts.container_id =
		(struct ctd_component){rest.text + rest.bytes + 1, CTD_CONTAINER_ID_CHARS};
	if (!ctd_component_is_hex(parts.container_id, CTD_CONTAINER_ID_CHARS))
		return false;
	*ret_name = parts;
	return true;
}

bool ctd_log_directory_parse(const char *name, struct ctd_log_name *ret_name)
{
	struct ctd_component rest = {name, strlen(name)};
	struct ctd_log_name parts = {0};

	if (!take_part(&rest, &parts.namespace_name) || !take_part(&rest, &parts.pod_name) ||
	    !is_last_part(rest))
		return false;
	parts.pod_uid = rest;
	*ret_name = parts;
	return true;
}

static int set(char **text, struct ctd_component part)
{
	if (*text || !part.bytes)
		return 0;
	*text = strndup(part.text, part.bytes);
	return *text ? 0 : -ENOMEM;
}

static int add(struct ctd_names *names, const struct ctd_log_name *name)
{
	int error = set(&names->namespace_name, name->namespace_name);

	if (!error)
		error = set(&names->pod_name, name->pod_name);
	if (!error && !names->sandbox)
		error = set(&names->container_name, name->container_name);
	return error;
}

static int add_container(struct ctd_disk *disk, const char *container_id, struct ctd_names *names)
{
	const struct ctd_listing *listing = ctd_disk_list(disk, LINKS);
	struct ctd_log_name name;

	for (size_t i = 0; listing && i < listing->count; i++) {
		if (ctd_log_link_parse(listing->names[i], &name) &&
		    ctd_component_is(name.container_id, container_id))
			return add(names, &name);
	}
	return 0;
}

static int add_pod(struct ctd_disk *disk, const char *pod_uid, struct ctd_names *names)
{
	const struct ctd_listing *listing = ctd_disk_list(disk, DIRECTORIES);
	struct ctd_log_name name;

	for (size_t i = 0; listing && i < listing->count; i++) {
		if (ctd_log_directory_parse(listing->names[i], &name) &&
		    ctd_component_is(name.pod_uid, pod_uid))
			return add(names, &name);
	}
	return 0;
}

int ctd_names_from_logs(struct ctd_disk *disk, const struct ctd_identity *identity,
			struct ctd_names *names)
{
	int error = 0;

	if (identity->container_id[0])
		error = add_container(disk, identity->container_id, names);
	/* A sandbox has no log of its own; its pod has. */
	if (!error && identity->pod_uid[0])
		error = add_pod(disk, identity->pod_uid, names);
	return error;
}
