/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pressure.c - reads a pressure file of a cgroup. */
#include "collect/pressure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/root.h"
#include "identity/path/mountinfo.h"

#define FIRST "some avg10="

bool ctd_pressure_read(const struct ctd_cgroup_hierarchy *hierarchy, const char *path,
		       enum ctd_resource resource, double *ret_ratio)
{
	static const char *const files[CTD_RESOURCES] = {"cpu.pressure", "memory.pressure"};
	const char *below = ctd_mount_path(hierarchy->mounted_path, path);
	char name[CTD_PATH_MAX];
	autofclose FILE *file = NULL;
	char text[64], *end;
	double per_cent;

	if (!hierarchy->v2 || !below ||
	    snprintf(name, sizeof(name), "%s%s/%s", hierarchy->mount, below, files[resource]) >=
		    (int)sizeof(name))
		return false;
	file = fopen(name, "re");
	if (!file || !fgets(text, sizeof(text), file) || strncmp(text, FIRST, strlen(FIRST)) != 0)
		return false;
	per_cent = strtod(text + strlen(FIRST), &end);
	if (end == text + strlen(FIRST) || !(per_cent >= 0 && per_cent <= 100))
		return false;
	*ret_ratio = per_cent / 100;
	return true;
}
