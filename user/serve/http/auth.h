/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* auth.h - tokens and passwords with which figures may be read. */
#ifndef SERVE_HTTP_AUTH_H
#define SERVE_HTTP_AUTH_H

#include <stdbool.h>

#include "serve/file.h"

/* Texts of files; .text NULL: there is no such file. */
struct ctd_auth {
	struct ctd_secret token, users;
};

/*
 * Reads the files. One without any token or user is refused. Logs. @return 0 or negative errno.
 */
int ctd_auth_open(struct ctd_watched_file *token_file, struct ctd_watched_file *users_file,
		  struct ctd_auth *ret_auth);
void ctd_auth_free(struct ctd_auth *auth);

/* False: figures are open to all. */
bool ctd_auth_needed(const struct ctd_auth *auth);

/* Both take the same time for any wrong secret of a length. @p authorization: the header or NULL. */
bool ctd_auth_token(const struct ctd_auth *auth, const char *authorization);
bool ctd_auth_user(const struct ctd_auth *auth, const char *user, const char *password);

#endif
