/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* server.h - figures by HTTP: /metrics, a page for people, and whether the program is well. */
#ifndef SERVE_HTTP_SERVER_H
#define SERVE_HTTP_SERVER_H

#include <cgtopdown/export.h>
#include <stdbool.h>
#include <stdint.h>

#include "serve/history/recall.h"
#include "serve/http/listen.h"
#include "serve/mailbox.h"
#include "serve/profile/profiles.h"

/* Files that are read again when they change. Borrowed; NULL: none. */
struct ctd_http_files {
	const char *certificate, *key; /* PEM, both or none: TLS */
	/* With any of these a request for figures needs what is in one of them. */
	const char *token; /* of "Authorization: Bearer" */
	const char *users; /* lines user:password, of "Authorization: Basic" */
};

struct ctd_http_options {
	/* "127.0.0.1:9753", "[::1]:9753", "localhost:9753", ":9753" (all addresses), port 0 for a
	 * free one, "unix:/run/cgtopdown.sock". */
	const char *listen;
	struct ctd_socket_access access; /* of "unix:" */
	const char *const
		*hosts; /* names that requests may be for, too; ended by NULL; may be NULL */
	/* Of programs on this machine: they have a younger view where they say how old it may be,
	 * and a scrape of theirs is no scraper's. */
	bool local;
	bool waits; /* where another server has the socket of "unix:", until that one ends */
	struct ctd_http_files files;
	struct ctd_mailbox *mailbox; /* borrowed; where views are */
	uint64_t interval_ns; /* how often a view is to be expected */
	/* Both are called by the server's thread: asks for a view of this moment, and fills in what
	 * is not known here; its verdicts are released here. */
	void (*want_view)(void *context);
	void (*know_self)(struct ctd_self *self, void *context);
	void *context;
};

struct ctd_http;

/* Listens, and reads the files: what may need privileges. Logs. @return 0 or negative errno. */
int ctd_http_open(const struct ctd_http_options *options, struct ctd_http **ret_http);
/*
 * From here on answers, by a thread of its own. @p as_it_is: everybody gets the newest view that
 * there is, and nobody wants another. @p profiles and @p recall: borrowed; NULL: there are none,
 * and no history. Logs. @return 0 or negative errno.
 */
int ctd_http_run(struct ctd_http *http, bool as_it_is, struct ctd_profiles *profiles,
		 struct ctd_recall *recall);
/* The same @p as_it_is from now on. From any thread. */
void ctd_http_set_as_it_is(struct ctd_http *http, bool as_it_is);
/* NULL is fine. Hanging clients are cut off. */
void ctd_http_free(struct ctd_http *http);

/* There is a newer view. From any thread; does not wait. */
void ctd_http_wake(struct ctd_http *http);

/*
 * A ctd_watch_look, whose context is the server: takes the place of another server that has ended,
 * and reads files that have changed. Connections end if there is something new in the files; if one
 * of the files is no good, all stays as it was.
 */
int ctd_http_look(bool asked, void *context);

/*
 * Which view is the newest that reached a scraper in whole, 0: none did, and when a view last did
 * (monotonic). From any thread.
 */
void ctd_http_sent(struct ctd_http *http, uint64_t *ret_sequence, uint64_t *ret_ns);
/* "http://127.0.0.1:9753". "": it waits for another server. */
const char *ctd_http_url(const struct ctd_http *http);

#endif
