/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* socket.c - where the server listens: by a place of its own, or another's later. */
#include "serve/http/http.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"

/* The socket keeps the file's inode, so that no other can have its number. */
static bool is_there(const struct ctd_http *http, struct stat *ret_status)
{
	return !stat(http->address.host, ret_status) && ret_status->st_dev == http->file_device &&
	       ret_status->st_ino == http->file_inode;
}

static void note_file(struct ctd_http *http)
{
	struct stat status;

	if (!http->address.is_path || stat(http->address.host, &status))
		return;
	http->file_device = status.st_dev;
	http->file_inode = status.st_ino;
}

static void set_url(struct ctd_http *http, const char *name)
{
	snprintf(http->url, sizeof(http->url), "%s%s",
		 http->address.is_path		   ? "unix:"
		 : http->options.files.certificate ? "https://"
						   : "http://",
		 name);
}

/* Listens beside the socket of another server, with the access that was asked for: all that is left
 * to do when that one ends is to give it the name. */
static void go_beside(struct ctd_http *http)
{
	size_t bytes = strlen(http->address.host);

	http->wanted = http->address;
	snprintf(http->address.host + bytes, sizeof(http->address.host) - bytes, ".next");
}

static void take_over(struct ctd_http *http)
{
	int error = ctd_listen_take_over(&http->address, &http->wanted);

	if (error == -EADDRINUSE)
		return;
	if (error) {
		ctd_log_error(error, "take '%s' over from a serve that has ended",
			      http->wanted.host);
	} else {
		http->address = http->wanted;
		note_file(http);
		set_url(http, http->address.host);
		ctd_info("the other serve has ended: local commands ask at %s", http->url);
	}
	*http->wanted.host = '\0';
}

int ctd_http_listen(struct ctd_http *http)
{
	char name[CTD_HOST_BYTES];
	int error;

	if (ctd_listen_parse(http->options.listen, &http->address)) {
		ctd_log(CTD_LOG_ERROR,
			"listen on '%s': it has to be ADDRESS:PORT, as 127.0.0.1:9753 or [::1]:9753, or unix:PATH",
			http->options.listen);
		return -EINVAL;
	}
	if (http->options.waits && ctd_listen_is_taken(&http->address))
		go_beside(http);
	error = ctd_listen_open(&http->address, &http->options.access, &http->listen_fd);
	if (error)
		return error;
	note_file(http);
	if (*http->wanted.host) {
		ctd_info("%s: another serve answers there; this one takes it over when that ends",
			 http->wanted.host);
		return 0;
	}
	ctd_listen_name(http->listen_fd, name);
	set_url(http, name);
	return 0;
}

void ctd_http_look_at_socket(struct ctd_http *http)
{
	struct stat status;

	if (*http->wanted.host)
		take_over(http);
	if (!http->address.is_path || http->is_lost || is_there(http, &status))
		return;
	http->is_lost = true;
	ctd_warn(
		"'%s' was removed, or is another file now: nobody finds this serve there until it is restarted",
		http->address.host);
}

void ctd_http_listen_no_more(struct ctd_http *http)
{
	struct stat status;

	if (http->listen_fd < 0)
		return;
	if (http->address.is_path && is_there(http, &status))
		unlink(http->address.host);
	close(http->listen_fd);
}
