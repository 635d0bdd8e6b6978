/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* config.h - options from a file: --config, --check-config, and the file read again. */
#ifndef APP_CONFIG_H
#define APP_CONFIG_H

#include <stddef.h>

#include "app/option_table.h"
#include "app/options.h"

/* The strings of a file. */
struct ctd_config;
void ctd_config_free(struct ctd_config *config);

/*
 * Stores what a file says into options, on top of the fallbacks; options->config owns the strings.
 * @p again: see ctd_read_named_file(). Logs each error: "FILE:LINE: key 'x' ...". @return 0 or
 * -EINVAL; then options are not to be used.
 */
int ctd_config_apply(const char *file, bool again, struct ctd_options *options);

/* Says that the file is fine and what then holds, as such a file. @return the exit status. */
int ctd_config_show(const struct ctd_options *options);

/*
 * config_reload.c: parses the command line and its file again. Logs each option that has changed;
 * those that take a restart stay as they are now. Where the new file is bad nothing changes.
 * @return 0, with all options as they now hold: theirs are strings of their own, and @p now may be
 * freed once nobody uses its; or -EINVAL, which was logged.
 */
int ctd_config_reload(const struct ctd_options *now, struct ctd_options *ret_next);
/* Does any option of the group differ? Which part of the program has to follow. */
bool ctd_config_differs(const struct ctd_options *before, const struct ctd_options *after,
			enum ctd_option_group group);

/* A copy that lives as long as the configuration; makes one where there is none. NULL: no memory. */
const char *ctd_config_keep(struct ctd_options *options, const char *text);

#endif
