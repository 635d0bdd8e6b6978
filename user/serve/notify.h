/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* notify.h - tells the service manager how we are: sd_notify(3), without its library. */
#ifndef SERVE_NOTIFY_H
#define SERVE_NOTIFY_H

#include <stdbool.h>
#include <stdint.h>

struct ctd_notify {
	int socket; /* -1: no manager */
	uint64_t watchdog_ns; /* a sign of life is due as often; 0: not wanted */
	uint64_t alive_ns; /* monotonic time of the last one */
};

/*
 * Finds the manager by the environment (NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID), and takes that
 * out of it. Without a manager, or if it cannot be reached, all that follows does nothing.
 * @return 0, or negative errno if there is one that cannot be reached.
 */
int ctd_notify_open(struct ctd_notify *ret_notify);
/* After a start. */
void ctd_notify_ready(const struct ctd_notify *notify);
void ctd_notify_stopping(const struct ctd_notify *notify);
/* A line for people: `systemctl status` shows it. */
void ctd_notify_status(const struct ctd_notify *notify, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Intervals are of this length: has the manager wait longer for signs of life, if need be. */
void ctd_notify_expect(struct ctd_notify *notify, uint64_t interval_ns);
/* An interval was made: twice in the time that the manager waits for a sign of life it gets one. */
void ctd_notify_alive(struct ctd_notify *notify, uint64_t monotonic_ns);
void ctd_notify_close(struct ctd_notify *notify);

#endif
