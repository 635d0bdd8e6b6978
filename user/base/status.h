/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* status.h - numbers that the kernel tells of a process or thread. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include <stdint.h>

/* The last number of a line in /proc/TASK/status, such as "NSpid:	1234	7". @return 0 or
 * negative errno (-ENODATA: there is no such line). */
int ctd_status_number(uint32_t task, const char *field, uint32_t *ret_number);

#endif
