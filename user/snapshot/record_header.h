/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_header.h - header and plan of a record file. */
#ifndef SNAPSHOT_RECORD_HEADER_H
#define SNAPSHOT_RECORD_HEADER_H

#include "record_block.h"

/* Each fills its part of @p header, the second only with success. @return 0, or -EBADMSG with a
 * sentence in @p why. */
int ctd_record_decode_header(const struct ctd_record_file *file,
			     const struct ctd_record_block *block, struct ctd_record_header *header,
			     char why[CTD_RECORD_WHY_BYTES]);
int ctd_record_decode_plan(const struct ctd_record_file *file, const struct ctd_record_block *block,
			   struct ctd_record_header *header, char why[CTD_RECORD_WHY_BYTES]);

#endif
