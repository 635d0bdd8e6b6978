/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* listen.c - opens the socket that clients connect to, or says what is in the way. */
#include "serve/http/listen.h"

#include <errno.h>
#include <grp.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/log.h"
#include "base/num.h"

static const char path_prefix[] = "unix:";

/* Of a socket's file: owner and group may connect, whatever the umask is. */
#define MODE_DEFAULT 0660
/* Of the directory of a socket's file, where it is made: all may look for the socket. */
#define DIRECTORY_MODE 0755

/* Connections that the kernel keeps for us while we are busy. */
#define BACKLOG 128

static int parse_path(const char *path, struct ctd_listen_address *ret_address)
{
	struct ctd_listen_address address = {.is_path = true};
	struct sockaddr_un room;

	if (*path != '/' || strlen(path) >= sizeof(room.sun_path))
		return -EINVAL;
	memcpy(address.host, path, strlen(path) + 1);
	*ret_address = address;
	return 0;
}

int ctd_listen_parse(const char *text, struct ctd_listen_address *ret_address)
{
	const char *colon = strrchr(text, ':'), *host = text;
	struct ctd_listen_address address = {};
	long long port;
	size_t bytes;

	if (strncmp(text, path_prefix, strlen(path_prefix)) == 0)
		return parse_path(text + strlen(path_prefix), ret_address);
	if (!colon || ctd_parse_integer(colon + 1, 0, 65535, &port))
		return -EINVAL;
	bytes = (size_t)(colon - text);
	if (bytes >= 2 && text[0] == '[' && colon[-1] == ']') {
		host++;
		bytes -= 2;
		/* They are for what has colons. */
		if (!memchr(host, ':', bytes))
			return -EINVAL;
	} else if (memchr(text, ':', bytes) || memchr(text, '[', bytes)) {
		return -EINVAL;
	}
	if (bytes == 1 && *host == '*')
		bytes = 0;
	if (bytes >= sizeof(address.host))
		return -EINVAL;
	memcpy(address.host, host, bytes);
	snprintf(address.port, sizeof(address.port), "%lld", port);
	*ret_address = address;
	return 0;
}

int ctd_socket_mode_parse(const char *text, uint32_t *ret_mode)
{
	if (strlen(text) != 4 || strspn(text, "01234567") != 4 || *text != '0')
		return -EINVAL;
	*ret_mode = (uint32_t)strtoul(text, NULL, 8);
	return 0;
}

static int find_group(const char *group, gid_t *ret_gid)
{
	const struct group *found = getgrnam(group);
	long long number;

	if (!found && ctd_parse_integer(group, 0, UINT32_MAX - 1, &number)) {
		ctd_log(CTD_LOG_ERROR, "--socket-group %s: there is no such group", group);
		return -EINVAL;
	}
	*ret_gid = found ? found->gr_gid : (gid_t)number;
	return 0;
}

static int find_mode(const char *text, mode_t *ret_mode)
{
	uint32_t mode = MODE_DEFAULT;

	if (text && ctd_socket_mode_parse(text, &mode)) {
		ctd_log(CTD_LOG_ERROR, "--socket-mode %s: it has to be octal, such as 0660", text);
		return -EINVAL;
	}
	*ret_mode = (mode_t)mode;
	return 0;
}

/* Call before the socket listens, so that no other group could use it until then. */
static int set_group(const char *path, const char *group)
{
	struct stat status;
	gid_t gid;
	int error = find_group(group, &gid);

	if (error)
		return error;
	/* A process of that group has made it so, and need not be allowed to chown(). */
	if (stat(path, &status))
		return ctd_log_error(-errno, "look at '%s'", path);
	if (status.st_gid == gid || !chown(path, (uid_t)-1, gid))
		return 0;
	error = -errno;
	ctd_log(CTD_LOG_ERROR,
		"--socket-group %s: %s - it takes CAP_CHOWN, or a process of that group ('Group=%s' in a unit)",
		group, strerror(-error), group);
	return error;
}

static bool is_socket(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISSOCK(status.st_mode);
}

/* What is in the way, to people. */
static int explain(int error, const struct ctd_listen_address *address)
{
	const char *advice = "";

	if (error == -EADDRINUSE && address->is_path)
		advice =
			is_socket(address->host)
				? " - a program serves there already"
				: " - there is a file that is no socket: remove it, or name another path";
	else if (error == -EADDRINUSE)
		advice =
			" - another program serves there, perhaps a second cgtopdown ('ss -ltnp' says which): end it, or choose another port with --listen";
	else if (address->is_path && error == -ENOENT)
		advice = " - there is no such directory: make it, or name another path";
	else if (address->is_path)
		advice = "";
	else if (error == -EACCES || error == -EPERM)
		advice =
			" - ports below 1024 need CAP_NET_BIND_SERVICE: choose another with --listen";
	else if (error == -EADDRNOTAVAIL)
		advice =
			" - it is not an address of this machine: ':PORT' listens on all that there are";
	else if (error == -EAFNOSUPPORT)
		advice = " - this kernel has no such addresses: use 127.0.0.1";
	ctd_log(CTD_LOG_ERROR, "listen on '%s%s%s': %s%s", address->host,
		address->is_path ? "" : ":", address->port, strerror(-error), advice);
	return error;
}

static int bind_at(const struct sockaddr *where, socklen_t bytes, int *ret_fd)
{
	static const int on = 1, off = 0;
	autoclose int fd = socket(where->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	if (where->sa_family != AF_UNIX)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	/* "::" is for IPv4, too, whatever net.ipv6.bindv6only says. */
	if (where->sa_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
	if (bind(fd, where, bytes))
		return -errno;
	*ret_fd = take_fd(fd);
	return 0;
}

static int listen_at(const struct sockaddr *where, socklen_t bytes, int *ret_fd)
{
	autoclose int fd = -1;
	int error = bind_at(where, bytes, &fd);

	if (!error && listen(fd, BACKLOG))
		error = -errno;
	if (!error)
		*ret_fd = take_fd(fd);
	return error;
}

static struct sockaddr_un name_of(const struct ctd_listen_address *address)
{
	struct sockaddr_un where = {.sun_family = AF_UNIX};

	snprintf(where.sun_path, sizeof(where.sun_path), "%.*s", (int)sizeof(where.sun_path) - 1,
		 address->host);
	return where;
}

/* The file of a server that was killed stays: it may be removed if no process accepts there. */
static bool is_stale(const struct sockaddr_un *where)
{
	autoclose int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	return fd >= 0 && is_socket(where->sun_path) &&
	       connect(fd, (const struct sockaddr *)where, sizeof(*where)) && errno == ECONNREFUSED;
}

bool ctd_listen_is_taken(const struct ctd_listen_address *address)
{
	struct sockaddr_un where = name_of(address);

	return address->is_path && is_socket(where.sun_path) && !is_stale(&where);
}

int ctd_listen_take_over(const struct ctd_listen_address *from, const struct ctd_listen_address *to)
{
	struct stat status;

	if (ctd_listen_is_taken(to))
		return -EADDRINUSE;
	if (!lstat(to->host, &status) && !S_ISSOCK(status.st_mode))
		return -EEXIST;
	return rename(from->host, to->host) ? -errno : 0;
}

/* /run is empty after each boot. Only the last directory: others are a mistake in the path. */
static void make_directory(const char *path)
{
	char directory[CTD_HOST_BYTES];
	char *slash;

	snprintf(directory, sizeof(directory), "%s", path);
	slash = strrchr(directory, '/');
	if (!slash || slash == directory)
		return;
	*slash = '\0';
	/* Where the umask would have nobody look for the socket. */
	if (!mkdir(directory, DIRECTORY_MODE))
		chmod(directory, DIRECTORY_MODE);
}

/* By the umask, as chmod() is more than a program that serves is to have. */
static int bind_with_mode(const struct sockaddr_un *where, mode_t mode, int *ret_fd)
{
	mode_t before = umask(~mode & 0777);
	int error = bind_at((const struct sockaddr *)where, sizeof(*where), ret_fd);

	umask(before);
	return error;
}

static int open_path(const struct ctd_listen_address *address,
		     const struct ctd_socket_access *access, int *ret_fd)
{
	struct sockaddr_un where = name_of(address);
	autoclose int fd = -1;
	mode_t mode;
	int error = find_mode(access->mode, &mode);

	if (error)
		return error;
	make_directory(where.sun_path);
	if (is_stale(&where))
		unlink(where.sun_path);
	error = bind_with_mode(&where, mode, &fd);
	if (error)
		return explain(error, address);
	error = access->group ? set_group(where.sun_path, access->group) : 0;
	if (!error && listen(fd, BACKLOG))
		error = explain(-errno, address);
	if (error) {
		unlink(where.sun_path);
		return error;
	}
	*ret_fd = take_fd(fd);
	return 0;
}

/* The first of the name's addresses that can be had. */
static int open_port(const struct ctd_listen_address *address, const char *host, int *ret_fd)
{
	static const struct addrinfo hints = {.ai_flags = AI_PASSIVE | AI_NUMERICSERV,
					      .ai_socktype = SOCK_STREAM};
	struct addrinfo *found;
	int status = getaddrinfo(host, address->port, &hints, &found);
	int error = -EADDRNOTAVAIL;

	if (status) {
		ctd_log(CTD_LOG_ERROR, "listen on '%s:%s': %s", address->host, address->port,
			gai_strerror(status));
		return -EADDRNOTAVAIL;
	}
	for (const struct addrinfo *at = found; at && error; at = at->ai_next)
		error = listen_at(at->ai_addr, at->ai_addrlen, ret_fd);
	freeaddrinfo(found);
	return error ? explain(error, address) : 0;
}

int ctd_listen_open(const struct ctd_listen_address *address,
		    const struct ctd_socket_access *access, int *ret_fd)
{
	struct sockaddr_in6 all = {.sin6_family = AF_INET6};
	long long port;
	int error;

	if (address->is_path)
		return open_path(address, access, ret_fd);
	if (*address->host)
		return open_port(address, address->host, ret_fd);
	ctd_parse_integer(address->port, 0, 65535, &port);
	all.sin6_port = htons((uint16_t)port);
	error = listen_at((const struct sockaddr *)&all, sizeof(all), ret_fd);
	/* A kernel without IPv6 has all of IPv4's. */
	if (error == -EAFNOSUPPORT || error == -EADDRNOTAVAIL)
		return open_port(address, "0.0.0.0", ret_fd);
	return error ? explain(error, address) : 0;
}

void ctd_listen_name(int fd, char ret_name[CTD_HOST_BYTES])
{
	struct sockaddr_storage where = {};
	socklen_t bytes = sizeof(where);
	char host[NI_MAXHOST / 4] = "", port[8] = "";

	*ret_name = '\0';
	if (getsockname(fd, (struct sockaddr *)&where, &bytes))
		return;
	if (where.ss_family == AF_UNIX) {
		snprintf(ret_name, CTD_HOST_BYTES, "%.108s",
			 ((const struct sockaddr_un *)&where)->sun_path);
		return;
	}
	if (getnameinfo((struct sockaddr *)&where, bytes, host, sizeof(host), port, sizeof(port),
			NI_NUMERICHOST | NI_NUMERICSERV))
		return;
	snprintf(ret_name, CTD_HOST_BYTES, where.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host,
		 port);
}

static bool is_loopback(int fd)
{
	struct sockaddr_storage where = {};
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&where;
	socklen_t bytes = sizeof(where);

	if (getsockname(fd, (struct sockaddr *)&where, &bytes))
		return false;
	if (where.ss_family == AF_INET)
		return ntohl(((const struct sockaddr_in *)&where)->sin_addr.s_addr) >> 24 == 127;
	return where.ss_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
}

/* @p bytes: of the host, without its port. */
static bool is_name(const char *name, const char *host, size_t bytes)
{
	return *name && strlen(name) == bytes && strncasecmp(host, name, bytes) == 0;
}

bool ctd_listen_is_named(const struct ctd_listen_address *address, const char *const *more, int fd,
			 const char *host)
{
	const char *const names[] = {"localhost", "127.0.0.1", "[::1]", address->host};
	size_t bytes;

	if (!host || !is_loopback(fd))
		return true;
	bytes = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (is_name(names[i], host, bytes))
			return true;
	for (; more && *more; more++)
		if (is_name(*more, host, bytes))
			return true;
	return false;
}
