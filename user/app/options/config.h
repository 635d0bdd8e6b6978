/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* config.h - options from a file: --config, --check-config, and what has changed. */
#ifndef OPTIONS_CONFIG_H
#define OPTIONS_CONFIG_H

#include <stddef.h>

#include "app/options/options.h"
#include "app/options/table.h"

/* The strings of a file. */
struct ctd_config;
void ctd_config_free(struct ctd_config *config);

/*
 * Stores what a file says into options, on top of the fallbacks; options->config owns the strings.
 * Logs each error: "FILE:LINE: key 'x' ...". @return 0 or -EINVAL; then options are not to be used.
 */
int ctd_config_apply(const char *file, struct ctd_options *options);

/* Says that the file is good, and prints the options in effect as such a file. @return the exit
 * status. */
int ctd_config_show(const struct ctd_options *options);

/*
 * config_changed.c: reads the file again, and warns of options that it has otherwise than they are
 * in use: they take a restart. @return 0, or -EINVAL: it is not a good one, which was logged.
 */
int ctd_config_look(const struct ctd_options *now);
/* Adds the names of all options that differ: "interval, level". */
void ctd_config_add_changes(const struct ctd_options *before, const struct ctd_options *after,
			    struct ctd_strbuf *names);

#endif
