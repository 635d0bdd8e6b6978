/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* notify.c - datagrams to the service manager. */
#include "serve/notify.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/num.h"

#define MESSAGE_BYTES 512
#define NS_PER_US 1000

/* "/run/..." or "@abstract"; other kinds (vsock) are for managers of virtual machines. */
static int connect_to(const char *name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	socklen_t bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
	autoclose int fd = -1;

	if (*name != '/' && *name != '@')
		return -EAFNOSUPPORT;
	if (!name[1] || strlen(name) >= sizeof(address.sun_path))
		return -EINVAL;
	memcpy(address.sun_path, name, strlen(name));
	/* An abstract name ends where the address does, and begins with a zero byte. */
	if (*name == '@')
		address.sun_path[0] = '\0';
	else
		bytes++;
	/* A manager that does not read is not waited for. */
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || connect(fd, (const struct sockaddr *)&address, bytes))
		return -errno;
	return take_fd(fd);
}

/* Half of the time after which the manager would think us dead; 0 if that is not about us. */
static uint64_t watchdog_ns(void)
{
	const char *usec = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
	long long us, of_pid;

	if (!usec || ctd_parse_integer(usec, 1, LLONG_MAX / NS_PER_US, &us))
		return 0;
	if (pid && (ctd_parse_integer(pid, 1, INT_MAX, &of_pid) || of_pid != getpid()))
		return 0;
	return (uint64_t)us * NS_PER_US / 2;
}

int ctd_notify_open(struct ctd_notify *ret_notify)
{
	const char *name = getenv("NOTIFY_SOCKET");
	int fd = name && *name ? connect_to(name) : -1;

	*ret_notify = (struct ctd_notify){.socket = fd < 0 ? -1 : fd,
					  .watchdog_ns = fd < 0 ? 0 : watchdog_ns()};
	fd = name && *name && fd < 0 ? fd : 0;
	/* What we start is not the service. */
	unsetenv("NOTIFY_SOCKET");
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
	return fd;
}

static void __attribute__((format(printf, 2, 0)))
send_text(const struct ctd_notify *notify, const char *format, va_list arguments)
{
	char message[MESSAGE_BYTES];
	int bytes = vsnprintf(message, sizeof(message), format, arguments);

	if (notify->socket < 0 || bytes < 0)
		return;
	if (bytes >= MESSAGE_BYTES)
		bytes = MESSAGE_BYTES - 1;
	/* One that is lost is followed by others. */
	(void)!send(notify->socket, message, (size_t)bytes, MSG_NOSIGNAL);
}

static void __attribute__((format(printf, 2, 3)))
tell(const struct ctd_notify *notify, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	send_text(notify, format, arguments);
	va_end(arguments);
}

void ctd_notify_ready(const struct ctd_notify *notify)
{
	tell(notify, "READY=1");
}

void ctd_notify_stopping(const struct ctd_notify *notify)
{
	tell(notify, "STOPPING=1");
}

/* A newline would begin another field. */
void ctd_notify_status(const struct ctd_notify *notify, const char *format, ...)
{
	char status[MESSAGE_BYTES - sizeof("STATUS=")];
	va_list arguments;

	va_start(arguments, format);
	if (vsnprintf(status, sizeof(status), format, arguments) < 0)
		status[0] = '\0';
	va_end(arguments);
	for (char *c = status; *c; c++)
		if (*c == '\n')
			*c = ' ';
	tell(notify, "STATUS=%s", status);
}

void ctd_notify_expect(struct ctd_notify *notify, uint64_t interval_ns)
{
	/* A sign of life is due when an interval ends, and may be late by one. */
	uint64_t needed_ns = 2 * interval_ns;

	if (!notify->watchdog_ns || notify->watchdog_ns >= needed_ns)
		return;
	notify->watchdog_ns = needed_ns;
	tell(notify, "WATCHDOG_USEC=%" PRIu64, 2 * needed_ns / NS_PER_US);
}

void ctd_notify_alive(struct ctd_notify *notify, uint64_t monotonic_ns)
{
	if (!notify->watchdog_ns || monotonic_ns < notify->alive_ns + notify->watchdog_ns)
		return;
	notify->alive_ns = monotonic_ns;
	tell(notify, "WATCHDOG=1");
}

void ctd_notify_close(struct ctd_notify *notify)
{
	if (notify->socket >= 0)
		close(notify->socket);
	notify->socket = -1;
}
