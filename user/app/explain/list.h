/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* list.h - what can be listed. */
#ifndef EXPLAIN_LIST_H
#define EXPLAIN_LIST_H

#include <cgtopdown/counters.h>
#include <stddef.h>
#include <stdio.h>

#include "base/json.h"

/* The arguments of `list`, by number: "cpus", ...; NULL after the last. */
const char *ctd_list_name(size_t number);

/* list_json.c: the list of that number, under its name. */
void ctd_list_add_json(struct ctd_json *json, size_t number, const char *name,
		       const struct ctd_machine *machine);

/* series.c: the metric families that serve exports. @p colour: of names. @return 0 or -ENOMEM.
 */
int ctd_list_series(FILE *out, const char *colour);

#endif
