/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* thread.h - a thread that takes no signals. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>

/*
 * Starts a thread with all signals blocked: they are for the main thread, whose waits they end.
 * @p name has at most 15 characters; `top -H` shows it. @return 0 or negative errno.
 */
int ctd_thread_start(pthread_t *ret_thread, const char *name, void *(*run)(void *), void *context);

/* A condition whose timed waits are on the monotonic clock. */
void ctd_cond_init(pthread_cond_t *cond);

#endif
