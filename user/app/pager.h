/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pager.h - long texts for people go through their pager. */
#ifndef APP_PAGER_H
#define APP_PAGER_H

#include <stdio.h>

/*
 * Calls @p print with where to print to: on a terminal $PAGER, or less if there is one, else
 * standard output. $PAGER "" or "cat" is none. What is shorter than the screen, less prints and
 * ends.
 */
void ctd_pager_show(void (*print)(FILE *out, const void *context), const void *context);

#endif
