/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* interval_code.h - an interval as few bytes, without loss: the payload of a history's blocks. */
#ifndef HISTORY_INTERVAL_CODE_H
#define HISTORY_INTERVAL_CODE_H

#include <cgtopdown/interval.h>
#include <cgtopdown/record.h>

#include "base/strbuf.h"

/* Adds it to @p payload. Waits are left out. @p l1_counters: as of ctd_interval_make().
 * @return 0 or -ENOMEM. */
int ctd_interval_encode(const struct ctd_interval *interval, const int *l1_counters,
			struct ctd_strbuf *payload);
/*
 * @p header: of the plan that it was counted by. @return 0, -EBADMSG: no such interval; or -ENOMEM.
 */
int ctd_interval_decode(const void *payload, size_t bytes, const struct ctd_record_header *header,
			const int *l1_counters, struct ctd_interval *ret_interval);
/* Its end alone, which comes first. @return as above. */
int ctd_interval_decode_time(const void *payload, size_t bytes, uint64_t *ret_realtime_ns,
			     uint64_t *ret_window_ns);

#endif
