/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* interval_code.h - an interval as few bytes, without loss: the payload of a history's blocks. */
#ifndef HISTORY_INTERVAL_CODE_H
#define HISTORY_INTERVAL_CODE_H

#include <cgtopdown/interval.h>
#include <cgtopdown/record.h>

#include "base/strbuf.h"
#include "history/row_code.h"

#define CTD_INTERVAL_CHAIN_MAX 60

/*
 * What is known from the intervals before: each is coded by how far it is from what they lead to
 * expect. A chain of such intervals begins with one that needs none before it, and has at most
 * CTD_INTERVAL_CHAIN_MAX, so that no more are lost with one that is damaged. Start from a zeroed
 * struct.
 */
struct ctd_interval_context {
	struct ctd_row_context rows; /* owned */
	uint32_t count; /* intervals of the chain; 0: the next one begins it */
	uint64_t realtime_ns; /* end of the last one */
};

/* Adds it to @p payload. Waits are left out. @p l1_counters: as of ctd_interval_make().
 * @return 0; -ENOMEM or -EFBIG (it has too many figures): a chain begins anew. */
int ctd_interval_encode(struct ctd_interval_context *context, const struct ctd_interval *interval,
			const int *l1_counters, struct ctd_strbuf *payload);
/*
 * @p header: of the plan that it was counted by. @return 0, -EBADMSG: no such interval, or one that
 * follows another one than that of the context; or -ENOMEM. What follows can then only be read from
 * where a chain begins.
 */
int ctd_interval_decode(struct ctd_interval_context *context, const void *payload, size_t bytes,
			const struct ctd_record_header *header, const int *l1_counters,
			struct ctd_interval *ret_interval);
void ctd_interval_context_free(struct ctd_interval_context *context);

struct ctd_interval_time {
	uint64_t realtime_ns, window_ns;
	uint64_t after_ns; /* end of the one that it follows; 0: it begins a chain */
};
/* What comes first of it, alone. @return as above. */
int ctd_interval_decode_time(const void *payload, size_t bytes, struct ctd_interval_time *ret_time);

#endif
