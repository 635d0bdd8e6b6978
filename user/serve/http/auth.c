/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* auth.c - compares what a client shows with what the files say, in a time that tells nothing. */
#include "serve/http/auth.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/log.h"

/* A part of a file; nothing is copied, so that nothing is left behind. */
struct piece {
	const char *text;
	size_t bytes;
};

/* Looks at every byte of @p shown, wherever the first difference is. */
static bool is_equal(struct piece secret, struct piece shown)
{
	volatile unsigned int different = secret.bytes != shown.bytes;

	for (size_t i = 0; i < shown.bytes; i++) {
		/* It does not know that a file's text is what was read of it. */
		/* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
		const char *wanted = secret.bytes ? &secret.text[i % secret.bytes] : "";

		different |= (unsigned int)(*wanted != shown.text[i]);
	}
	return !different;
}

/* The first line without the blanks around it. */
static struct piece token_of(const struct ctd_secret *file)
{
	struct piece token = {.text = file->text ? file->text : ""};

	token.text += strspn(token.text, " \t\r\n");
	token.bytes = strcspn(token.text, "\r\n");
	while (token.bytes && isspace((unsigned char)token.text[token.bytes - 1]))
		token.bytes--;
	return token;
}

/* The next line that is user:password. @return false at the end. */
static bool next_user(const char **cursor, struct piece *ret_line)
{
	while (**cursor) {
		struct piece line = {*cursor, strcspn(*cursor, "\n")};

		*cursor += line.bytes + ((*cursor)[line.bytes] == '\n');
		if (line.bytes && line.text[line.bytes - 1] == '\r')
			line.bytes--;
		if (!line.bytes || *line.text == '#' || !memchr(line.text, ':', line.bytes))
			continue;
		*ret_line = line;
		return true;
	}
	return false;
}

static int check(const struct ctd_auth *auth, const char *token_file, const char *users_file)
{
	const char *cursor = auth->users.text;
	struct piece line;

	if (token_file && !token_of(&auth->token).bytes) {
		ctd_log(CTD_LOG_ERROR, "'%s' is empty: its first line has to be the token",
			token_file);
		return -ENODATA;
	}
	if (users_file && !next_user(&cursor, &line)) {
		ctd_log(CTD_LOG_ERROR, "'%s' has no line of the form user:password", users_file);
		return -ENODATA;
	}
	return 0;
}

int ctd_auth_open(struct ctd_watched_file *token_file, struct ctd_watched_file *users_file,
		  struct ctd_auth *ret_auth)
{
	struct ctd_auth auth = {};
	int error = ctd_watched_file_read(token_file, &auth.token);

	if (!error)
		error = ctd_watched_file_read(users_file, &auth.users);
	if (!error)
		error = check(&auth, token_file->path, users_file->path);
	if (error)
		ctd_auth_free(&auth);
	else
		*ret_auth = auth;
	return error;
}

void ctd_auth_free(struct ctd_auth *auth)
{
	ctd_secret_free(&auth->token);
	ctd_secret_free(&auth->users);
}

bool ctd_auth_needed(const struct ctd_auth *auth)
{
	return auth->token.text || auth->users.text;
}

bool ctd_auth_token(const struct ctd_auth *auth, const char *authorization)
{
	static const char scheme[] = "Bearer ";
	struct piece shown;

	if (!auth->token.text || !authorization ||
	    strncasecmp(authorization, scheme, strlen(scheme)) != 0)
		return false;
	shown.text = authorization + strlen(scheme);
	shown.text += strspn(shown.text, " ");
	shown.bytes = strlen(shown.text);
	return is_equal(token_of(&auth->token), shown);
}

bool ctd_auth_user(const struct ctd_auth *auth, const char *user, const char *password)
{
	const char *cursor = auth->users.text;
	struct piece line;
	bool found = false;

	/* To the last line, also where it is found before. */
	while (cursor && next_user(&cursor, &line)) {
		const char *colon = memchr(line.text, ':', line.bytes);
		struct piece name = {line.text, (size_t)(colon - line.text)};
		struct piece secret = {colon + 1, line.bytes - name.bytes - 1};
		bool same_user = is_equal(name, (struct piece){user, strlen(user)});
		bool same_secret = is_equal(secret, (struct piece){password, strlen(password)});

		found |= same_user && same_secret;
	}
	return found;
}
