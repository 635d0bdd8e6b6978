/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* list.h - what can be listed. */
#ifndef APP_LIST_H
#define APP_LIST_H

#include <cgtopdown/counters.h>
#include <stddef.h>
#include <stdio.h>

#include "base/strbuf.h"

/* The arguments of `list`, by number: "cpus", ...; NULL after the last. */
const char *ctd_list_name(size_t number);

struct ctd_cpu_event;
/* Adds an event's name; what is not in sysfs comes with the code that is opened instead. */
void ctd_list_add_event(struct ctd_strbuf *text, const struct ctd_cpu_event *event);

/* Says so, where the model is of this machine's cores, and of which kind. */
void ctd_list_add_here(struct ctd_strbuf *text, const struct ctd_machine *machine,
		       const struct ctd_cpu_model *model);

/* list_series.c: the metric families that serve exports. @p colour: of names. @return 0 or -ENOMEM.
 */
int ctd_list_series(FILE *out, const char *colour);

#endif
