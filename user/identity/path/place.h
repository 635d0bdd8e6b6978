/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* place.h - whether a container's cgroup is where its runtime says that it put it. */
#ifndef IDENTITY_PATH_PLACE_H
#define IDENTITY_PATH_PLACE_H

#include <cgtopdown/identity.h>

enum ctd_place {
	CTD_PLACE_UNKNOWN, /* nothing says where it is */
	CTD_PLACE_OTHER, /* elsewhere */
	CTD_PLACE_WITHIN, /* there, as seen from within some cgroup above: a node of kind */
	CTD_PLACE_OWN, /* right there */
};

/*
 * @p cgroups_path: linux.cgroupsPath of a bundle, "/kubepods/pod1/id" or "a-b.slice:docker:id";
 * NULL: not known.
 */
enum ctd_place ctd_place_of(const struct ctd_identity *identity, const char *cgroups_path);

#endif
