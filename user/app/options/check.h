/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* check.h - whether options that each are right go together. */
#ifndef OPTIONS_CHECK_H
#define OPTIONS_CHECK_H

#include "app/options/table.h"

/* @return 0, or -EINVAL after a line of what is wrong. */
int ctd_options_check(const struct ctd_command_text *command, const struct ctd_options *options);

#endif
