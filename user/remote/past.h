/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* past.h - what the history of a running serve says of a time, as its JSON has it: schema
 * cgtopdown/history/1. */
#ifndef REMOTE_PAST_H
#define REMOTE_PAST_H

#include <cgtopdown/cpu.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "remote/view.h"

#define CTD_REMOTE_PAST_SCHEMA "cgtopdown/history/1"
#define CTD_REMOTE_PAST_POINTS_MAX 1000
#define CTD_REMOTE_PAST_ROWS_MAX 1000
/* Nothing was counted: never 0. */
#define CTD_REMOTE_ABSENT UINT64_MAX

/* Of each array there is a value for each point, CTD_REMOTE_ABSENT where it is not known. */
struct ctd_remote_past_row {
	char *key; /* owned; that of a view, if it has the row */
	char core[24]; /* its core type; "": all are alike */
	uint64_t *cpu_ns; /* owned, with all that follows */
	uint64_t *slots;
	uint64_t *node_slots[CTD_NODES_MAX]; /* in the order of the nodes */
};

struct ctd_remote_past_core_type {
	char name[24]; /* "": all are alike */
	uint64_t *unattributed_slots; /* owned */
	int64_t *residual_slots; /* owned; 0 where it is not known */
};

struct ctd_remote_past {
	bool simulated; /* some of it */
	bool is_cut; /* there are more rows, with less CPU time */
	uint64_t kept_until_ns; /* the end of the newest interval that it has */
	/* Point i is the time after since_ns + i * step_ns, up to and with the end of its step. */
	uint64_t since_ns, step_ns;
	size_t points;
	uint64_t *window_ns; /* owned; so much of the point was counted */
	uint64_t *unattributed_ns; /* owned */
	char *nodes[CTD_NODES_MAX]; /* owned; their names */
	int nodes_count;
	struct ctd_remote_past_core_type core_types[CTD_CORE_TYPES_MAX];
	int core_types_count;
	struct ctd_remote_past_row *rows; /* owned; by key, each once */
	size_t rows_count;
};

/*
 * Reads the text of an answer, which need not be well-formed. @return 0, -ENOMEM, or -EBADMSG: it
 * is no history, and @p ret_why says why.
 */
int ctd_remote_past_parse(const char *text, size_t bytes, struct ctd_remote_past *ret_past,
			  char ret_why[CTD_REMOTE_WHY_BYTES]);
void ctd_remote_past_free(struct ctd_remote_past *past);

#endif
