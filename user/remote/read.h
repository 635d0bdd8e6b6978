/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* read.h - pieces of a view from trees of JSON. Private to user/remote/. */
#ifndef REMOTE_READ_H
#define REMOTE_READ_H

#include "base/json_walk.h"
#include "remote/view.h"

/* What is no number, or negative, is 0. */
uint64_t ctd_remote_integer(const json_t *value);
uint64_t ctd_remote_count(const json_t *object, const char *key);
/* Copies a text of visible ASCII and blanks. @return false if it is none, or too long. */
bool ctd_remote_text(const json_t *value, char *ret_text, size_t bytes);
/* @p total: NULL is nothing. */
void ctd_remote_total_read(const json_t *total, const struct ctd_remote_core_type *type,
			   struct ctd_remote_total *ret_total);
/* ctd_remote_core_type_free() is due in any case. @return 0, -ENOMEM, or -EBADMSG with the walk's
 * `why`. */
int ctd_remote_core_type_read(const json_t *object, struct ctd_remote_core_type *ret_type,
			      struct ctd_json_walk *walk);
/* Its texts are the copy's own, which is to be freed in any case. @return 0 or -ENOMEM. */
int ctd_remote_core_type_copy(const struct ctd_remote_core_type *type,
			      struct ctd_remote_core_type *ret_copy);
void ctd_remote_core_type_free(struct ctd_remote_core_type *type);

#endif
