/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* stop.c - what signals ask for, and the main loop does when it is safe. */
#include "app/stop.h"

#include <errno.h>
#include <signal.h>
#include <sys/eventfd.h>

static volatile sig_atomic_t stop_signal, stops;
static volatile sig_atomic_t hangup_came;
static volatile sig_atomic_t wake_fd = -1;

/* A signal may come just before a wait begins: the descriptor ends it. */
static void wake(void)
{
	int errno_before = errno;

	if (wake_fd >= 0)
		eventfd_write(wake_fd, 1);
	errno = errno_before;
}

static void on_signal(int signal)
{
	stop_signal = signal;
	stops++;
	wake();
}

void ctd_stop_prepare(void)
{
	/* No SA_RESTART: waits end at once. A second signal of the kind takes its usual way. */
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

void ctd_stop_request(void)
{
	on_signal(SIGTERM);
}

int ctd_stop_signal(void)
{
	return stop_signal;
}

int ctd_stop_count(void)
{
	return stops;
}

bool ctd_stop_came(void)
{
	return stop_signal != 0;
}

static void on_hangup(int signal)
{
	(void)signal;
	hangup_came = 1;
	wake();
}

void ctd_hangup_prepare(int fd)
{
	struct sigaction action = {.sa_handler = on_hangup, .sa_flags = SA_RESTART};

	wake_fd = fd;
	sigaction(SIGHUP, &action, NULL);
}

bool ctd_hangup_came(void)
{
	if (!hangup_came)
		return false;
	/* One that comes in between is answered by the same look at files. */
	hangup_came = 0;
	return true;
}
