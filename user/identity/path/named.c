/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* named.c - tells which paths may be those of containers that people named. */
#include "identity/path/named.h"

#include <string.h>

#include "identity/path/component.h"

/* What containerd lets be a name (pkg/identifiers/validate.go), within what an identity can hold.
 * No name begins with a dot. */
static bool is_identifier(struct ctd_component component)
{
	static const char inner[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "._-";

	if (!component.bytes || component.bytes > CTD_CONTAINER_ID_CHARS ||
	    strchr("._-", *component.text))
		return false;
	for (size_t i = 0; i < component.bytes; i++)
		if (!component.text[i] || !strchr(inner, component.text[i]))
			return false;
	return true;
}

bool ctd_named_path_parse(const char *path, struct ctd_named_path *ret_path)
{
	struct ctd_named_path parts;
	struct ctd_component rest;

	if (*path != '/')
		return false;
	parts.client = (struct ctd_component){path + 1, strcspn(path + 1, "/")};
	if (!is_identifier(parts.client) || ctd_component_cut(parts.client, "", ".slice", &rest) ||
	    !path[1 + parts.client.bytes])
		return false;
	path += 2 + parts.client.bytes;
	parts.name = (struct ctd_component){path, strcspn(path, "/")};
	if (!is_identifier(parts.name))
		return false;
	*ret_path = parts;
	return true;
}
