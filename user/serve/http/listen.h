/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* listen.h - from the text of an address to a socket that listens there. */
#ifndef SERVE_HTTP_LISTEN_H
#define SERVE_HTTP_LISTEN_H

#include <stdbool.h>
#include <stdint.h>

#define CTD_HOST_BYTES 256

struct ctd_listen_address {
	char host[CTD_HOST_BYTES]; /* without brackets; "": all addresses; or the path */
	char port[8]; /* "" with a path */
	bool is_path; /* of a socket in the file system */
};

/* Of the file of a socket: who may connect. Texts are borrowed. */
struct ctd_socket_access {
	const char *mode; /* octal; NULL: 0660 */
	const char *group; /* name or number; NULL: the process's */
};

/* @return 0 or -EINVAL. */
int ctd_listen_parse(const char *text, struct ctd_listen_address *ret_address);
/* "0660": four octal digits. A number that YAML made of it, 432, is none.
 * @return 0 or -EINVAL. */
int ctd_socket_mode_parse(const char *text, uint32_t *ret_mode);

/* @p access: of a socket that has a file. Logs what is wrong and what to do. @return 0
 * or negative errno. */
int ctd_listen_open(const struct ctd_listen_address *address,
		    const struct ctd_socket_access *access, int *ret_fd);

/* Does a process accept connections at this path? */
bool ctd_listen_is_taken(const struct ctd_listen_address *address);
/* Gives the file of our socket at @p from the path @p to, in the same directory, unless a process
 * accepts there. @return 0, -EADDRINUSE: one does, or another negative errno. */
int ctd_listen_take_over(const struct ctd_listen_address *from,
			 const struct ctd_listen_address *to);

/* Where a socket listens, as in a URL: "127.0.0.1:9753", "[::1]:9753", a path. */
void ctd_listen_name(int fd, char ret_name[CTD_HOST_BYTES]);

/* A page of another name must not read what listens on this machine alone, by a name that it turns
 * to our address (DNS rebinding). @p more: names that are ours, too, ended by NULL; may be NULL.
 * @return whether @p host, of the header or NULL, is one of ours; true where it listens for others,
 * too. */
bool ctd_listen_is_named(const struct ctd_listen_address *address, const char *const *more, int fd,
			 const char *host);

#endif
