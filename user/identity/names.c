/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* names.c - owns what is written somewhere of a container. */
#include <cgtopdown/identity.h>

#include <stdlib.h>

void ctd_names_free(struct ctd_names *names)
{
	if (!names)
		return;
	free(names->namespace_name);
	free(names->pod_name);
	free(names->container_name);
	free(names->image);
	free(names->owner_kind);
	free(names->owner_name);
	for (size_t i = 0; names->labels && i < names->labels_count; i++) {
		free(names->labels[i].name);
		free(names->labels[i].value);
	}
	free(names->labels);
	*names = (struct ctd_names){0};
}
