/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* disk.h - files in which container runtimes and the kubelet keep names, below one root directory. */
#ifndef IDENTITY_LOOKUP_DISK_H
#define IDENTITY_LOOKUP_DISK_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "identity/lookup/labels.h"

/* What is larger is refused: bundles and states are some tens of kB. */
#define CTD_DOCUMENT_BYTES_MAX (4U << 20)
/* Of a directory, what is more is passed over: one entry per container or pod. */
#define CTD_LISTING_MAX 65536

/* Not for several threads at once. */
struct ctd_disk;

/* @p root: where the machine's / is seen. No labels are wanted. @return 0 or negative errno. */
int ctd_disk_new(const char *root, struct ctd_disk **ret_disk);
void ctd_disk_free(struct ctd_disk *disk);
/* Which labels are to be taken out of what is read; borrowed. */
void ctd_disk_want_labels(struct ctd_disk *disk, const struct ctd_podlist_labels *wanted);
const struct ctd_podlist_labels *ctd_disk_labels(const struct ctd_disk *disk);
/* What is kept for all that ask for it, is read again from here on. */
void ctd_disk_refresh(struct ctd_disk *disk);
/* The time that it took to read what is kept. */
uint64_t ctd_disk_kept_cost_ns(const struct ctd_disk *disk);

/*
 * Reads a JSON document; symbolic links lead nowhere outside of the root. The document is the
 * caller's.
 * @return 0, -EAGAIN (it is not whole; perhaps it is being written), -EFBIG, other negative errno.
 */
int ctd_disk_json(struct ctd_disk *disk, json_t **ret_document, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* One that tells of several containers: it is kept until the next refresh, as is a failure. */
int ctd_disk_shared_json(struct ctd_disk *disk, const char *path, const json_t **ret_document);

/* The names in a directory, without "." and "..", in no particular order. */
struct ctd_listing {
	char **names; /* owned */
	size_t count;
};
/* Borrowed until the next refresh. What cannot be listed is empty. NULL: no memory. */
const struct ctd_listing *ctd_disk_list(struct ctd_disk *disk, const char *path);

/* Parses text as all documents are. @return NULL if it is not whole. */
json_t *ctd_json_parse(const char *text, size_t bytes);
/* A text that is not empty and has no NUL in it; NULL if it is anything else, or not there. */
const char *ctd_json_text(const json_t *object, const char *key);

#endif
