/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_auth.c - who may read the figures, by what is in the files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "serve/http/auth.h"

static char directory[64], token_file[96], users_file[96];

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static int make_directory(void **state)
{
	(void)state;
	snprintf(directory, sizeof(directory), "/tmp/ctd-auth-XXXXXX");
	if (!mkdtemp(directory))
		return -1;
	snprintf(token_file, sizeof(token_file), "%s/token", directory);
	snprintf(users_file, sizeof(users_file), "%s/users", directory);
	return 0;
}

static int remove_directory(void **state)
{
	(void)state;
	unlink(token_file);
	unlink(users_file);
	return rmdir(directory);
}

static int open_files(const char *token, const char *users, struct ctd_auth *ret_auth)
{
	return ctd_auth_open(&(struct ctd_watched_file){.path = token},
			     &(struct ctd_watched_file){.path = users}, ret_auth);
}

static void without_files_nobody_is_asked(void **state)
{
	struct ctd_auth auth;

	(void)state;
	assert_int_equal(open_files(NULL, NULL, &auth), 0);
	assert_false(ctd_auth_needed(&auth));
	assert_false(ctd_auth_token(&auth, "Bearer "));
	assert_false(ctd_auth_user(&auth, "", ""));
	ctd_auth_free(&auth);
}

static void a_token_is_the_first_line_and_nothing_else(void **state)
{
	static const struct {
		int line;
		const char *header;
		bool good;
	} cases[] = {
		{__LINE__, "Bearer s3cret", true},
		{__LINE__, "bearer s3cret", true},
		{__LINE__, "Bearer   s3cret", true},
		{__LINE__, "Bearer s3cret ", false},
		{__LINE__, "Bearer s3cre", false},
		{__LINE__, "Bearer s3crets3cret", false},
		{__LINE__, "Bearer S3cret", false},
		{__LINE__, "Bearer ", false},
		{__LINE__, "Bearer", false},
		{__LINE__, "Basic s3cret", false},
		{__LINE__, "s3cret", false},
		{__LINE__, "", false},
		{__LINE__, NULL, false},
	};
	struct ctd_auth auth;

	(void)state;
	write_file(token_file, "  s3cret\r\nanother\n");
	assert_int_equal(open_files(token_file, NULL, &auth), 0);
	assert_true(ctd_auth_needed(&auth));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (ctd_auth_token(&auth, cases[i].header) != cases[i].good)
			fail_msg("line %d: not as wanted", cases[i].line);
	assert_false(ctd_auth_user(&auth, "", "s3cret"));
	ctd_auth_free(&auth);
}

static void a_user_needs_the_password_of_the_same_line(void **state)
{
	static const struct {
		int line;
		const char *user, *password;
		bool good;
	} cases[] = {
		{__LINE__, "alice", "one", true},
		{__LINE__, "bob", "two:and:more", true},
		{__LINE__, "carol", "", true},
		{__LINE__, "dora", "#4", true},
		{__LINE__, "alice", "two:and:more", false},
		{__LINE__, "alice", "oneone", false},
		{__LINE__, "alice", "", false},
		{__LINE__, "alicealice", "one", false},
		{__LINE__, "", "one", false},
		{__LINE__, "#eve", "no", false},
		{__LINE__, "bob", "two", false},
		{__LINE__, "nobody", "", false},
	};
	struct ctd_auth auth;

	(void)state;
	write_file(users_file,
		   "# who may\n#eve:no\nalice:one\r\nbob:two:and:more\n\nnobody\ncarol:\ndora:#4");
	assert_int_equal(open_files(NULL, users_file, &auth), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (ctd_auth_user(&auth, cases[i].user, cases[i].password) != cases[i].good)
			fail_msg("line %d: not as wanted", cases[i].line);
	assert_false(ctd_auth_token(&auth, "Bearer one"));
	ctd_auth_free(&auth);
}

static void a_file_that_lets_nobody_in_is_a_mistake(void **state)
{
	struct ctd_auth auth;
	int stderr_before = dup(STDERR_FILENO);

	(void)state;
	/* What is wrong is told there, which is of no interest here. */
	assert_non_null(freopen("/dev/null", "w", stderr));
	write_file(token_file, " \n");
	write_file(users_file, "# nobody yet\nalice\n");
	assert_int_equal(open_files(token_file, NULL, &auth), -ENODATA);
	assert_int_equal(open_files(NULL, users_file, &auth), -ENODATA);
	assert_int_equal(open_files("/nowhere/token", NULL, &auth), -ENOENT);
	fflush(stderr);
	assert_int_equal(dup2(stderr_before, STDERR_FILENO), STDERR_FILENO);
	close(stderr_before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_files_nobody_is_asked),
		cmocka_unit_test(a_token_is_the_first_line_and_nothing_else),
		cmocka_unit_test(a_user_needs_the_password_of_the_same_line),
		cmocka_unit_test(a_file_that_lets_nobody_in_is_a_mistake),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
