/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* stop.h - what signals ask for. */
#ifndef APP_STOP_H
#define APP_STOP_H

#include <stdbool.h>

/* SIGINT, SIGTERM and SIGHUP ask for an orderly end: sets the handlers. */
void ctd_stop_prepare(void);
/* Asks for the same, from within. */
void ctd_stop_request(void);
/* @return the signal that asked to stop, 0 if none did. */
int ctd_stop_signal(void);
/* @return how many did; see ctd_stop_prepare(), which lets another one of the kind be one. */
int ctd_stop_count(void);
/* @return true if one did. */
bool ctd_stop_came(void);
/* From now on SIGHUP is no stop but noted for ctd_hangup_came(), and signals end waits that look at
 * @p fd, an eventfd; -1: none, as it is to be closed. */
void ctd_hangup_prepare(int fd);
/* @return true if SIGHUP has come since the last call. */
bool ctd_hangup_came(void);

#endif
