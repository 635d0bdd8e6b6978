/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* list.h - what can be listed. */
#ifndef APP_LIST_H
#define APP_LIST_H

#include <stddef.h>

/* The arguments of `list`, by number: "cpus", ...; NULL after the last. */
const char *ctd_list_name(size_t number);

#endif
