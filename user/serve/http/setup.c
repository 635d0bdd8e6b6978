/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* setup.c - a daemon of libmicrohttpd from the files as they are now. */
#include "serve/http/http.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/auto.h"
#include "base/log.h"

#define IDLE_S 10
/* Of a request's head, and of an answer's. */
#define HEAD_BYTES_MAX ((size_t)16 << 10)

/* The library's messages about clients are for debugging. */
__attribute__((format(printf, 2, 0))) static void log_message(void *context, const char *format,
							      va_list arguments)
{
	char text[256];

	(void)context;
	vsnprintf(text, sizeof(text), format, arguments);
	text[strcspn(text, "\n")] = '\0';
	ctd_debug("http: %s", text);
}

/* No path of ours needs escapes, and a byte 0 in one would end it. */
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text)
{
	(void)context;
	(void)connection;
	return strlen(text);
}

static int make_daemon(struct ctd_http *http, struct ctd_http_setup *setup)
{
	struct MHD_OptionItem tls[] = {
		{MHD_OPTION_HTTPS_MEM_CERT, 0, setup->certificate.text},
		{MHD_OPTION_HTTPS_MEM_KEY, 0, setup->key.text},
		{MHD_OPTION_HTTPS_PRIORITIES, 0,
		 (void *)"NORMAL:-VERS-TLS1.0:-VERS-TLS1.1:-VERS-DTLS-ALL"},
		{MHD_OPTION_END, 0, NULL},
	};
	struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
	unsigned int flags =
		MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG | MHD_USE_ITC;
	/* The daemon closes its own. */
	autoclose int fd = fcntl(http->listen_fd, F_DUPFD_CLOEXEC, 0);

	if (fd < 0)
		return ctd_log_error(-errno, "listen on %s", http->url);
	if (setup->certificate.text)
		flags |= MHD_USE_TLS;
	/* A port of 0 is not looked at: there is a socket. */
	setup->daemon = MHD_start_daemon(flags, 0, ctd_http_admit, http, ctd_http_on_request, http,
					 MHD_OPTION_EXTERNAL_LOGGER, log_message, NULL,
					 MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL,
					 MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_NOTIFY_CONNECTION,
					 ctd_http_on_client, http, MHD_OPTION_NOTIFY_COMPLETED,
					 ctd_http_on_completed, http, MHD_OPTION_CONNECTION_LIMIT,
					 CTD_HTTP_CLIENTS_MAX, MHD_OPTION_CONNECTION_TIMEOUT,
					 IDLE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT, HEAD_BYTES_MAX,
					 MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_ARRAY,
					 setup->certificate.text ? tls : none, MHD_OPTION_END);
	if (setup->daemon) {
		take_fd(fd);
		return 0;
	}
	if (!setup->certificate.text) {
		ctd_log(CTD_LOG_ERROR, "start the HTTP server on %s; -vv says why", http->url);
		return -EIO;
	}
	ctd_log(CTD_LOG_ERROR,
		"TLS with '%s' and '%s': they have to be a certificate in PEM and the key that belongs to it; -vv says why",
		http->options.files.certificate, http->options.files.key);
	return -EINVAL;
}

int ctd_http_setup_make(struct ctd_http *http, struct ctd_http_setup *ret_setup)
{
	struct ctd_watched_file *files = http->files;
	struct ctd_http_setup setup = {};
	int error;

	if (!files[CTD_HTTP_CERTIFICATE].path != !files[CTD_HTTP_KEY].path) {
		ctd_log(CTD_LOG_ERROR, "--tls-cert and --tls-key go together");
		return -EINVAL;
	}
	error = ctd_watched_file_read(&files[CTD_HTTP_CERTIFICATE], &setup.certificate);
	if (!error)
		error = ctd_watched_file_read(&files[CTD_HTTP_KEY], &setup.key);
	if (!error)
		error = ctd_auth_open(&files[CTD_HTTP_TOKEN], &files[CTD_HTTP_USERS], &setup.auth);
	if (!error)
		error = make_daemon(http, &setup);
	if (error)
		ctd_http_setup_free(&setup);
	else
		*ret_setup = setup;
	return error;
}

void ctd_http_setup_free(struct ctd_http_setup *setup)
{
	if (setup->daemon)
		MHD_stop_daemon(setup->daemon);
	ctd_secret_free(&setup->certificate);
	ctd_secret_free(&setup->key);
	ctd_auth_free(&setup->auth);
	*setup = (struct ctd_http_setup){};
}
