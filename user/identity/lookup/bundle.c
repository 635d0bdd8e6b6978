/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bundle.c - takes names out of the annotations and labels of containers. */
#include "identity/lookup/bundle.h"

#include <errno.h>
#include <string.h>

const char *const ctd_storage_directories[] = {
	"/run/containers/storage/overlay-containers",
	"/var/lib/containers/storage/overlay-containers",
	NULL,
};

int ctd_names_set(char **text, const char *value)
{
	char *copy;

	if (*text || !value)
		return 0;
	copy = strdup(value);
	if (!copy)
		return -ENOMEM;
	*text = copy;
	return 0;
}

static const char *value_of(const json_t *object, const char *key)
{
	return key ? ctd_json_text(object, key) : NULL;
}

int ctd_names_from_object(const json_t *object, const struct ctd_name_keys *keys,
			  struct ctd_names *names)
{
	const char *type = value_of(object, keys->type);
	int error;

	if (type && !strcmp(type, keys->type_of_sandbox))
		names->sandbox = true;
	error = ctd_names_set(&names->namespace_name, value_of(object, keys->namespace_name));
	if (!error)
		error = ctd_names_set(&names->pod_name, value_of(object, keys->pod_name));
	/* Some call a sandbox "POD", some nothing. */
	if (!error && !names->sandbox)
		error = ctd_names_set(&names->container_name,
				      value_of(object, keys->container_name));
	if (!error)
		error = ctd_names_set(&names->image, value_of(object, keys->image));
	return error;
}

int ctd_names_from_bundle(struct ctd_disk *disk, const char *directory,
			  const struct ctd_name_keys *keys, struct ctd_names *names)
{
	json_t *config = NULL;
	int error = ctd_disk_json(disk, &config, "%s/config.json", directory);

	if (error)
		return error;
	error = ctd_names_from_object(json_object_get(config, "annotations"), keys, names);
	if (!error)
		error = ctd_names_set(&names->cgroups_path,
				      ctd_json_text(json_object_get(config, "linux"),
						    "cgroupsPath"));
	json_decref(config);
	return error;
}
