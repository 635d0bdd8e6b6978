/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* client.h - asks a running serve for its view, tags of neighbours, functions of a row, or a time
 * that is over. */
#ifndef REMOTE_CLIENT_H
#define REMOTE_CLIENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "remote/functions.h"
#include "remote/past.h"
#include "remote/tags.h"
#include "remote/view.h"

struct ctd_remote_client;

/*
 * Does anybody accept connections at the socket? @return 0 with its process id, 0 where it cannot
 * be seen; or negative errno: -ENOENT, -ECONNREFUSED, -EACCES.
 */
int ctd_remote_look(const char *path, pid_t *ret_pid);

enum ctd_remote_what { CTD_REMOTE_VIEW, CTD_REMOTE_TAGS, CTD_REMOTE_FUNCTIONS, CTD_REMOTE_PAST };

/* Where to ask, and for what. Strings are borrowed until ctd_remote_client_free(). */
struct ctd_remote_place {
	const char *socket; /* path; NULL: where the URL says */
	const char *url; /* "https://node:9753"; NULL: at the socket, whatever a URL says */
	const char *ca_file, *token_file; /* NULL: those of the system; none */
	bool insecure; /* takes any certificate */
	enum ctd_remote_what what;
	unsigned int answer_ms; /* gives a request up after this; 0: after ten seconds */
};

/* @p is_stopped ends a request. @return 0, -ENOMEM, or -EINVAL: libcurl cannot do it. */
int ctd_remote_client_new(const struct ctd_remote_place *place, bool (*is_stopped)(void),
			  struct ctd_remote_client **ret_client);
/* Views that are fetched from here on are at most so old, where serve can: see look_ns of a view.
 * UINT64_MAX: the newest that there is. @return 0 or -ENOMEM. */
int ctd_remote_client_set_age(struct ctd_remote_client *client, uint64_t age_ns);
/*
 * The newest view. @return 0; -EAGAIN: there is none yet; -EINTR: stopped; -EBADMSG: what answers
 * is no such server; other negative errno: nobody answers. With an error *ret_why says it in words.
 */
int ctd_remote_client_get(struct ctd_remote_client *client, struct ctd_remote_view *ret_view,
			  char ret_why[CTD_REMOTE_WHY_BYTES]);
/* The newest tags, in the same way; -ENOENT: serve is too old to have any. */
int ctd_remote_client_get_tags(struct ctd_remote_client *client, struct ctd_remote_tags *ret_tags,
			       char ret_why[CTD_REMOTE_WHY_BYTES]);
/*
 * The top functions of the last minute, of the row of that key. In the same way; -ENOENT: serve
 * samples no stacks, or is too old; -EACCES: it tells them not to everybody.
 */
int ctd_remote_client_get_functions(struct ctd_remote_client *client, const char *key,
				    struct ctd_remote_functions *ret_functions,
				    char ret_why[CTD_REMOTE_WHY_BYTES]);
struct ctd_remote_past_question {
	uint64_t seconds; /* up to now */
	uint64_t step_s; /* of a point */
	int level; /* categories down to this one */
	size_t rows; /* at most so many, of those with the most CPU time */
};
/* What its history has of containers and units in the time before. In the same way; -ENOENT: it
 * keeps none, or is too old; -EAGAIN: others wait for answers. */
int ctd_remote_client_get_past(struct ctd_remote_client *client,
			       const struct ctd_remote_past_question *question,
			       struct ctd_remote_past *ret_past,
			       char ret_why[CTD_REMOTE_WHY_BYTES]);
void ctd_remote_client_free(struct ctd_remote_client *client);

#endif
