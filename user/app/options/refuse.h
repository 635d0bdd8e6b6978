/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* refuse.h - what is wrong with a command line, in one line that says where to read on. */
#ifndef OPTIONS_REFUSE_H
#define OPTIONS_REFUSE_H

#include "app/options/table.h"

/* One line on stderr, also of a service that looks at its changed file. @p command: NULL while it
 * is not known. @return -EINVAL. */
int __attribute__((format(printf, 2, 3)))
ctd_usage_refuse(const struct ctd_command_text *command, const char *format, ...);
/* There is no such command, option or list, perhaps another one is meant. @p dashes: before its
 * name, "--". @return -EINVAL. */
int ctd_usage_refuse_unknown(const struct ctd_command_text *command, const char *what,
			     const char *dashes, const struct ctd_suggestion *suggestion);
/* The option does not take this value. NULL: it was given none. @return -EINVAL. */
int ctd_usage_refuse_value(const struct ctd_command_text *command, const struct ctd_option *option,
			   const char *value);

#endif
