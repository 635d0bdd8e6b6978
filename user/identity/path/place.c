/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* place.c - compares a container's path with what its runtime was told to make. */
#include "identity/path/place.h"

#include <string.h>

#include "base/auto.h"
#include "base/strbuf.h"
#include "identity/path/component.h"

/* "a-b.slice" lies in "a.slice"; "-.slice" is the root (systemd.slice(5)). */
static void add_slice(struct ctd_strbuf *path, struct ctd_component slice)
{
	struct ctd_component name;

	if (!slice.bytes)
		slice = (struct ctd_component){"system.slice", strlen("system.slice")};
	if (!ctd_component_cut(slice, "", ".slice", &name) || ctd_component_is(name, "-"))
		return;
	for (size_t i = 1; i <= name.bytes; i++) {
		if (i == name.bytes || name.text[i] == '-')
			ctd_strbuf_addf(path, "/%.*s.slice", (int)i, name.text);
	}
}

/* "<slice>:<unit>:<id>" as runc asks systemd for it (libcontainer, getUnitName()). @return false if
 * it is not of this form. */
static bool add_unit_path(struct ctd_strbuf *path, const char *text)
{
	const char *unit = strchr(text, ':'), *id = unit ? strchr(unit + 1, ':') : NULL;

	if (!id || strchr(text, '/'))
		return false;
	add_slice(path, (struct ctd_component){text, (size_t)(unit - text)});
	if (id == unit + 1)
		ctd_strbuf_addf(path, "/%s.scope", id + 1);
	else
		ctd_strbuf_addf(path, "/%.*s-%s.scope", (int)(id - unit - 1), unit + 1, id + 1);
	return true;
}

static bool ends_with(const char *text, size_t bytes, const char *end, size_t end_bytes)
{
	return bytes >= end_bytes && !memcmp(text + bytes - end_bytes, end, end_bytes);
}

static enum ctd_place compare(const char *path, size_t bytes, const char *made, size_t made_bytes)
{
	/* From a cgroup namespace of our own, what is above it is "/..". */
	if (!strncmp(path, "/../", 4)) {
		while (!strncmp(path, "/../", 4)) {
			path += 3;
			bytes -= 3;
		}
		return ends_with(made, made_bytes, path, bytes) ? CTD_PLACE_OWN : CTD_PLACE_OTHER;
	}
	if (!ends_with(path, bytes, made, made_bytes))
		return CTD_PLACE_OTHER;
	return bytes == made_bytes ? CTD_PLACE_OWN : CTD_PLACE_WITHIN;
}

enum ctd_place ctd_place_of(const struct ctd_identity *identity, const char *cgroups_path)
{
	auto_ctd_strbuf struct ctd_strbuf unit = {0}, literal = {0};
	size_t bytes = identity->placed_bytes;
	enum ctd_place place;

	if (!cgroups_path || !bytes)
		return CTD_PLACE_UNKNOWN;
	if (*cgroups_path == '/')
		return compare(identity->path, bytes, cgroups_path, strlen(cgroups_path));
	if (!add_unit_path(&unit, cgroups_path) || unit.failed)
		return CTD_PLACE_UNKNOWN;
	place = compare(identity->path, bytes, unit.text, unit.bytes);
	if (place != CTD_PLACE_OTHER)
		return place;
	/* A runtime that makes directories itself took the text for a name. */
	ctd_strbuf_addf(&literal, "/%s", cgroups_path);
	return literal.failed ? CTD_PLACE_UNKNOWN
			      : compare(identity->path, bytes, literal.text, literal.bytes);
}
