/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* labels.h - of the labels of a pod or container, those that were asked for. */
#ifndef IDENTITY_LABELS_H
#define IDENTITY_LABELS_H

#include <cgtopdown/identity.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* The longest text of a container, an image with its registry and digest, has some 400. */
#define CTD_LABEL_BYTES_MAX 1024

/* Labels to keep: names, or globs. */
struct ctd_podlist_labels {
	const char *const *patterns;
	size_t count;
};

/* One block of its own, to be given to free() as .patterns. @return 0 or -ENOMEM. */
int ctd_labels_copy(const struct ctd_podlist_labels *labels, struct ctd_podlist_labels *ret_copy);
bool ctd_labels_are(const struct ctd_podlist_labels *labels,
		    const struct ctd_podlist_labels *others);
/* Drops those that are not wanted, of names that were found when others were. */
void ctd_labels_limit(const struct ctd_podlist_labels *wanted, struct ctd_names *names);
/* Adds those of an object of texts; @p object may be anything. @return false without memory. */
bool ctd_labels_keep(const struct ctd_podlist_labels *wanted, const json_t *object,
		     struct ctd_names *names);
/* "2026-11-21T03:09:33Z", perhaps with a fraction. @return seconds since 1970; 0: no such time. */
uint64_t ctd_time_parse(const char *text);

#endif
