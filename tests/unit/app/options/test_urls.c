/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_urls.c - where the figures of several machines are asked for, on the command line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "app/options/options.h"
#include "unit/app/options/command_line.h"
#include "unit/pmu/capture.h"

static void several_urls_are_several_machines(void **state)
{
	struct ctd_options options = {0};
	struct command_line line = {0};

	(void)state;
	assert_int_equal(parse("top --url http://a", &line, &options), 0);
	assert_int_equal(options.screen.urls.count, 1);
	assert_false(ctd_options_are_of_nodes(&options));
	assert_int_equal(parse("top --url http://a --url=https://b:1/c --by node --filter x", &line,
			       &options),
			 0);
	assert_true(ctd_options_are_of_nodes(&options));
	assert_string_equal(options.screen.urls.text[1], "https://b:1/c");
	assert_int_equal(options.by, CTD_GROUP_NODE);
	assert_string_equal(options.screen.filter, "x");
	assert_int_equal(parse("top --url-command list --url-token-file F", &line, &options), 0);
	assert_true(ctd_options_are_of_nodes(&options));
	assert_string_equal(options.screen.url_command, "list");
}

static void what_does_not_go_together_is_refused(void **state)
{
	static const struct {
		int line;
		const char *text, *wanted;
	} cases[] = {
		{__LINE__, "top --url http://a --url node:9753", "--url wants a URL"},
		{__LINE__, "top --url http://a --url-command list",
		 "either --url or --url-command"},
		{__LINE__, "top --by node", "--by node is of several machines"},
		{__LINE__, "top --by node --url http://a", "--by node is of several machines"},
		{__LINE__, "stat --by node", "--by wants cgroup, container"},
		{__LINE__, "top --url https://a --url http://b --url-token-file F",
		 "wants an https URL"},
		{__LINE__, "neighbours --url http://a --url http://b", "--url is given once"},
		{__LINE__, "stat --url-command list", "--url-command is an option of top only"},
		{__LINE__, "top --input FILE --url-command list", "either --input or --url"},
		{__LINE__,
		 "top --filter 1234567890123456789012345678901234567890123456789012345678901234",
		 "so long a text is in no name"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_options options = {0};
		struct command_line line = {0};
		struct capture capture;
		const char *message;
		int error;

		capture_begin(&capture);
		error = parse(cases[i].text, &line, &options);
		message = capture_end(&capture);
		if (error != -EINVAL || !strstr(message, cases[i].wanted))
			fail_msg("line %d: '%s' says\n%snot\n%s", cases[i].line, cases[i].text,
				 message, cases[i].wanted);
	}
}

static void there_are_not_more_than_can_be_kept(void **state)
{
	char text[2048] = "top";
	struct ctd_options options = {0};
	struct command_line line = {0};
	struct capture capture;
	const char *message;

	(void)state;
	for (int i = 0; i < CTD_TEXTS_MAX; i++)
		strcat(text, " --url http://a");
	assert_int_equal(parse(text, &line, &options), 0);
	assert_int_equal(options.screen.urls.count, CTD_TEXTS_MAX);
	strcat(text, " --url http://a");
	capture_begin(&capture);
	assert_int_equal(parse(text, &line, &options), -EINVAL);
	message = capture_end(&capture);
	assert_non_null(strstr(message, "32 at most"));
}

static void a_token_is_safe_by_https_and_on_this_machine(void **state)
{
	(void)state;
	assert_true(ctd_options_is_safe_url("https://node:9753"));
	assert_true(ctd_options_is_safe_url("http://127.0.0.1:9753"));
	assert_true(ctd_options_is_safe_url("http://localhost"));
	assert_false(ctd_options_is_safe_url("http://localhost.example"));
	assert_true(ctd_options_is_safe_url("http://[::1]:9753/"));
	assert_false(ctd_options_is_safe_url("http://node:9753"));
	/* What stands before an @ is no host. */
	assert_false(ctd_options_is_safe_url("http://localhost:x@node/"));
	assert_false(ctd_options_is_safe_url("http://127.0.0.1:9753@node:9753"));
	assert_true(ctd_options_is_safe_url("http://me:x@localhost:9753"));
	assert_false(ctd_options_is_safe_url("node:9753"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(several_urls_are_several_machines),
		cmocka_unit_test(what_does_not_go_together_is_refused),
		cmocka_unit_test(there_are_not_more_than_can_be_kept),
		cmocka_unit_test(a_token_is_safe_by_https_and_on_this_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
