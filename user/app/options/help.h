/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* help.h - the words that --help and the manual page share. */
#ifndef OPTIONS_HELP_H
#define OPTIONS_HELP_H

#include "app/options/table.h"

#define CTD_HELP_TAGLINE "shows where the pipeline slots of every cgroup and container go"

/* What an option is for, what it takes, and what is taken without it. */
void ctd_help_add_option(const struct ctd_option *option, struct ctd_strbuf *text);

/* Columns and marks of a table. */
struct ctd_help_column {
	const char *name, *text;
};
/* Ended by a NULL name. The columns of nodes are not among them: they are in the CPU models. */
extern const struct ctd_help_column ctd_help_columns[];

/* Calls @p add for each column of the table, nodes of level 1 included, in order. */
void ctd_help_each_column(void (*add)(const char *name, const char *text, void *context),
			  void *context);

#endif
