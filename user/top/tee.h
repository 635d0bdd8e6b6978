/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tee.h - writes a recording of what a history takes. Private to user/top/. */
#ifndef TOP_TEE_H
#define TOP_TEE_H

#include "top/history.h"

/* Begins one with all names that are known by now. @p fd is taken over. @return 0 or negative errno.
 */
int ctd_top_tee_begin(const struct ctd_top_history *history, int fd,
		      struct ctd_record_writer **ret_writer);
/* @return 0 or negative errno. */
int ctd_top_tee_write(struct ctd_record_writer *writer, const struct ctd_record_item *item);

#endif
