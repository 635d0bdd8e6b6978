/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* explain.h - all that there is to say of one metric. */
#ifndef EXPLAIN_EXPLAIN_H
#define EXPLAIN_EXPLAIN_H

#include "app/options/suggest.h"

/* @return the name of the metric that is called @p text or has a column of that name, or NULL. */
const char *ctd_explain_find(const char *text);
/* Shows all names of metrics. */
void ctd_explain_suggest(struct ctd_suggestion *suggestion);

struct ctd_options;
/* @return the exit status. */
int ctd_explain_main(const struct ctd_options *options);

#endif
