/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* trace.h - samples written by others: one JSON object a line, as docs/neighbours.md has it. */
#ifndef NEIGHBOUR_TRACE_H
#define NEIGHBOUR_TRACE_H

#include <cgtopdown/neighbour.h>
#include <stdbool.h>
#include <stddef.h>

#define CTD_TRACE_WHY_BYTES 160

struct ctd_neighbour_trace;
/* @return 0 or -ENOMEM. */
int ctd_neighbour_trace_new(struct ctd_neighbour_trace **ret_trace);
void ctd_neighbour_trace_free(struct ctd_neighbour_trace *trace);
/*
 * Takes a line: one container at one time, lines of one time behind each other. @p ret_batch: the
 * samples of the time before, valid until the next call, once there is a line of another time; else
 * NULL. @return 0, -ENOMEM, or -EBADMSG with the reason in @p ret_why.
 */
int ctd_neighbour_trace_line(struct ctd_neighbour_trace *trace, const char *line, size_t bytes,
			     const struct ctd_neighbour_batch **ret_batch,
			     char ret_why[CTD_TRACE_WHY_BYTES]);
/* There are no more lines: @return the samples of the last time; NULL: there were fewer than two. */
const struct ctd_neighbour_batch *ctd_neighbour_trace_end(struct ctd_neighbour_trace *trace);

#endif
