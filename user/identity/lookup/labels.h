/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* labels.h - of the labels of a pod or container, those that were asked for. */
#ifndef IDENTITY_LOOKUP_LABELS_H
#define IDENTITY_LOOKUP_LABELS_H

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

/* Adds those of an object of texts; @p object may be anything. @return false without memory. */
bool ctd_labels_keep(const struct ctd_podlist_labels *wanted, const json_t *object,
		     struct ctd_names *names);
/* "2026-11-21T03:09:33Z", perhaps with a fraction. @return seconds since 1970; 0: no such time. */
uint64_t ctd_time_parse(const char *text);

#endif
