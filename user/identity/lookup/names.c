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
	free(names->container_id);
	free(names->cgroups_path);
	free(names->owner_kind);
	free(names->owner_name);
	for (size_t i = 0; names->labels && i < names->labels_count; i++) {
		free(names->labels[i].name);
		free(names->labels[i].value);
	}
	free(names->labels);
	*names = (struct ctd_names){0};
}

static void fill(char **text, char **more)
{
	if (!*text) {
		*text = *more;
		*more = NULL;
	}
}

void ctd_names_fill(struct ctd_names *names, struct ctd_names *more)
{
	names->sandbox = names->sandbox || more->sandbox;
	names->refused = names->refused || more->refused;
	if (!names->runtime)
		names->runtime = more->runtime;
	if (!names->started_ns)
		names->started_ns = more->started_ns;
	fill(&names->namespace_name, &more->namespace_name);
	fill(&names->pod_name, &more->pod_name);
	fill(&names->container_name, &more->container_name);
	fill(&names->image, &more->image);
	fill(&names->container_id, &more->container_id);
	fill(&names->cgroups_path, &more->cgroups_path);
	/* A kind belongs to its name, as do labels to each other. */
	if (!names->owner_kind && !names->owner_name) {
		fill(&names->owner_kind, &more->owner_kind);
		fill(&names->owner_name, &more->owner_name);
	}
	if (!names->labels) {
		names->labels = more->labels;
		names->labels_count = more->labels_count;
		more->labels = NULL;
	}
	ctd_names_free(more);
}
