/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* trace_line.h - one line of a trace as a sample. Private to user/neighbour/. */
#ifndef NEIGHBOUR_TRACE_LINE_H
#define NEIGHBOUR_TRACE_LINE_H

#include <jansson.h>

#include "neighbour/trace.h"

/* Says in @p why what is wrong with the member of that name. @return -EBADMSG. */
int ctd_trace_refuse(char why[CTD_TRACE_WHY_BYTES], const char *name, const char *what);
/* The texts in @p sample are the line's. Its pairs are only checked. @p caches: of the lines
 * before; what this one has of more is added. @return 0 or -EBADMSG. */
int ctd_trace_take_line(json_t *line, struct ctd_neighbour_sample *sample,
			struct ctd_caches *caches, uint64_t *ret_time_ns,
			char why[CTD_TRACE_WHY_BYTES]);
/* One element of the line's array "pairs"; @p pair keeps its indices. @return 0 or -EBADMSG. */
int ctd_trace_take_pair(json_t *element, const char **ret_key, struct ctd_neighbour_pair *pair,
			char why[CTD_TRACE_WHY_BYTES]);

#endif
