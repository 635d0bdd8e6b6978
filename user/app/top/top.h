/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* top.h - the screen in the place of tables. */
#ifndef APP_TOP_TOP_H
#define APP_TOP_TOP_H

#include <stdbool.h>

#include "app/options/options.h"

/* Is what stat was asked for better on the screen: a table without end, on a terminal? */
bool ctd_top_suits(const struct ctd_options *options);

#endif
