/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* coarsen.h - makes longer intervals of short ones. */
#ifndef HISTORY_COARSEN_H
#define HISTORY_COARSEN_H

#include <cgtopdown/interval.h>
#include <cgtopdown/record.h>

#include "base/strbuf.h"
#include "history/segment.h"

/* Adds up intervals that end in the same step of the wall clock. Start from a zeroed struct. */
struct ctd_coarsener {
	uint64_t step_ns;
	struct ctd_interval sum; /* owned; no groups: nothing */
};

/* @return whether the one that ends at @p realtime_ns belongs to another step than the sum. */
bool ctd_coarsener_is_full(const struct ctd_coarsener *coarsener, uint64_t realtime_ns);
/* As ctd_interval_add(). */
int ctd_coarsener_add(struct ctd_coarsener *coarsener, const struct ctd_interval *interval);
/* The sum was used: the next one begins. */
void ctd_coarsener_clear(struct ctd_coarsener *coarsener);

/*
 * Adds the segment @p data in steps of @p step_ns to what @p writer has, which is begun where it is
 * not yet. @return 0; -EINVAL: it was counted otherwise, and nothing was added; -EBADMSG: nothing
 * of it can be read; or other negative errno. What is damaged is left out, and is in @p ret_damage.
 */
int ctd_coarsen(const struct ctd_strbuf *data, uint64_t step_ns, struct ctd_segment_writer *writer,
		struct ctd_record_header *header, struct ctd_strbuf *out,
		struct ctd_segment_damage *ret_damage);

#endif
