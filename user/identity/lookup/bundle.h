/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bundle.h - names in the annotations and labels of containers. */
#ifndef IDENTITY_LOOKUP_BUNDLE_H
#define IDENTITY_LOOKUP_BUNDLE_H

#include <cgtopdown/identity.h>
#include <jansson.h>

#include "identity/lookup/disk.h"

/*
 * Under which keys a runtime writes what. Each looks at its own keys only: others may be there
 * because the owner of a pod wrote them, with any value. NULL: it has none.
 */
struct ctd_name_keys {
	const char *namespace_name, *pod_name, *container_name, *image;
	const char *type, *type_of_sandbox; /* key, and the value of a sandbox */
};

/* Where containers/storage, of CRI-O and Podman, keeps containers; ended by NULL. */
extern const char *const ctd_storage_directories[];

/* Adds what is in an object of texts, where it is not known yet. @return 0 or -ENOMEM. */
int ctd_names_from_object(const json_t *object, const struct ctd_name_keys *keys,
			  struct ctd_names *names);
/* Adds what is in the annotations of a bundle, <directory>/config.json, and where its cgroup is.
 * @return 0 or negative errno, as of ctd_disk_json(). */
int ctd_names_from_bundle(struct ctd_disk *disk, const char *directory,
			  const struct ctd_name_keys *keys, struct ctd_names *names);
/* Sets *text to a copy of @p value, which may be NULL, if it is NULL. @return 0 or -ENOMEM. */
int ctd_names_set(char **text, const char *value);

#endif
