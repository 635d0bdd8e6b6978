/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* repeat.h - runs a command several times, each in a process of its own. */
#ifndef APP_RUN_REPEAT_H
#define APP_RUN_REPEAT_H

#include "app/options/options.h"
#include "app/run/figures.h"

/* Counts one run. @p ret_complete: the figures are there. @return the exit status. */
typedef int ctd_run_once(const struct ctd_options *options, struct ctd_run_figures *ret_figures,
			 bool *ret_complete);

/*
 * Calls @p run in options->repeat processes, one after the other: each gives up its privileges, so
 * that none could start another. Ends with the first that fails. Shows the figures of those that
 * did not. @return the exit status of the last.
 */
int ctd_repeat(const struct ctd_options *options, ctd_run_once *run);

#endif
