/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* unit.c - finds the systemd unit whose cgroup a path lies in. */
#include <string.h>

#include <cgtopdown/identity.h>

#include "identity/path/component.h"

/* The component at @p at, which is behind a slash; empty at the end of the path. */
static struct ctd_component component_at(const char *at)
{
	return (struct ctd_component){at, strcspn(at, "/")};
}

static const char *next_of(struct ctd_component component)
{
	const char *end = component.text + component.bytes;

	return end + strspn(end, "/");
}

static bool has_suffix(struct ctd_component component, const char *suffix)
{
	struct ctd_component name;

	return ctd_component_cut(component, "", suffix, &name) && name.bytes;
}

/* Those that have processes, systemd.unit(5). Slices only hold units. */
static bool is_unit(struct ctd_component component)
{
	return has_suffix(component, ".service") || has_suffix(component, ".scope") ||
	       has_suffix(component, ".socket") || has_suffix(component, ".mount") ||
	       has_suffix(component, ".swap");
}

/* A private cgroup namespace sees what is above it as "/..". */
static const char *skip_slices(const char *at)
{
	struct ctd_component component;

	for (at += strspn(at, "/"); *at; at = next_of(component)) {
		component = component_at(at);
		if (!has_suffix(component, ".slice") && !ctd_component_is(component, ".."))
			break;
	}
	return at;
}

/*
 * As systemd's own cg_path_get_unit() and cg_path_get_user_unit(), src/basic/cgroup-util.c: the
 * first unit behind the slices, whatever it made below itself; within a user's manager, the user's
 * unit. The manager's own init.scope is not a unit that people started.
 */
size_t ctd_identity_unit_path(const char *path)
{
	const char *at = skip_slices(path);
	struct ctd_component unit = component_at(at), inner;

	if (!is_unit(unit))
		return 0;
	if (ctd_component_cut(unit, "user@", ".service", &inner)) {
		inner = component_at(skip_slices(next_of(unit)));
		if (is_unit(inner) && !ctd_component_is(inner, "init.scope"))
			unit = inner;
	}
	return (size_t)(unit.text + unit.bytes - path);
}
