/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pairs.h - names as a text of keys and values, as recordings keep them. */
#ifndef IDENTITY_LOOKUP_PAIRS_H
#define IDENTITY_LOOKUP_PAIRS_H

#include <cgtopdown/identity.h>

#include "base/strbuf.h"

/* Adds "key\0value\0" for each that is known: namespace, pod, container, image, container_id,
 * owner_kind, owner, started_ns, sandbox, and label:<name> of each label. */
void ctd_names_to_pairs(const struct ctd_names *names, struct ctd_strbuf *pairs);
/* Keys that are not known are passed over. @return 0, -EINVAL (no such text) or -ENOMEM. */
int ctd_names_from_pairs(const char *pairs, size_t bytes, struct ctd_names *ret_names);

#endif
