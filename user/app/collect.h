/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* collect.h - a measurement as the command line asks for it. */
#ifndef APP_COLLECT_H
#define APP_COLLECT_H

#include <cgtopdown/collect.h>

#include "app/options/options.h"

/* Makes a collector as the options ask for, and starts it. @p ret_collector is set as soon as there
 * is something to free, also where starting fails. Logs. @return 0 or negative errno. */
int ctd_collect_start(const struct ctd_options *options, struct ctd_collector **ret_collector);
/* Detaches and frees it, in a process that is about to exit with @p status: see
 * ctd_exit_watchdog_start(). */
void ctd_collect_end(struct ctd_collector *collector, int status);

#endif
