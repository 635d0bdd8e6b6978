/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_help.c - help fits a terminal, is as in the golden files, and leaves no option out. */
#include "app/options/help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "app/text.h"
#include "base/auto.h"
#include "golden.h"

static char *help_of(enum ctd_command command)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	assert_non_null(out);
	ctd_options_help(out, command);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void help_is_as_in_the_golden_files(void **state)
{
	(void)state;
	for (int i = 0; i < CTD_COMMANDS; i++) {
		autofree char *text = help_of(i);
		char name[64];

		snprintf(name, sizeof(name), "help-%s.txt", ctd_command_texts[i].name);
		golden_compare(name, text);
	}
}

static void no_line_of_help_is_too_long_or_ends_in_blanks(void **state)
{
	(void)state;
	for (int i = 0; i < CTD_COMMANDS; i++) {
		autofree char *text = help_of(i);
		char *rest = text;

		for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
			size_t bytes = strlen(line);

			if (bytes > CTD_TEXT_WIDTH || (bytes && line[bytes - 1] == ' '))
				fail_msg("help of %s: '%s'", ctd_command_texts[i].name, line);
		}
	}
}

/* Commands may have options of one name each. */
static bool is_wanted(const struct ctd_option *option, unsigned int command)
{
	const char *metavar = option->metavar ? option->metavar : "";

	for (const struct ctd_option *one = ctd_option_next(NULL); one; one = ctd_option_next(one))
		if (strcmp(one->name, option->name) == 0 &&
		    strcmp(one->metavar ? one->metavar : "", metavar) == 0 &&
		    one->section != CTD_OPTIONS_HIDDEN && one->commands & command)
			return true;
	return false;
}

static void every_option_is_in_the_help_of_its_commands_and_of_no_other(void **state)
{
	(void)state;
	/* The help of all commands has no options, but points to those that have. */
	for (int i = 0; i < CTD_COMMAND_HELP; i++) {
		autofree char *text = help_of(i);

		for (const struct ctd_option *option = ctd_option_next(NULL); option;
		     option = ctd_option_next(option)) {
			bool wanted = is_wanted(option, 1u << i);
			char name[64];

			snprintf(name, sizeof(name), " --%s%s%s", option->name,
				 option->metavar ? " " : "",
				 option->metavar ? option->metavar : "");
			if (!strstr(text, name) == wanted)
				fail_msg("help of %s: option%s", ctd_command_texts[i].name, name);
		}
	}
}

/* "\fB\-\-no\-pin\fR": in roff a bare dash is a hyphen. */
static void option_heading(const char *name, char *ret_heading)
{
	char *end = stpcpy(ret_heading, "\\fB\\-\\-");

	for (; *name; name++) {
		if (*name == '-')
			*end++ = '\\';
		*end++ = *name;
	}
	strcpy(end, "\\fR");
}

static void every_option_and_command_is_in_the_manual_page(void **state)
{
	autofree char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	char heading[64];

	(void)state;
	assert_non_null(out);
	ctd_options_man(out);
	assert_int_equal(fclose(out), 0);
	for (const struct ctd_option *option = ctd_option_next(NULL); option;
	     option = ctd_option_next(option)) {
		option_heading(option->name, heading);
		if (!strstr(text, heading) != (option->section == CTD_OPTIONS_HIDDEN))
			fail_msg("manual page: option %s", heading);
	}
	for (int i = 0; i < CTD_COMMANDS; i++) {
		snprintf(heading, sizeof(heading), "\n.TP\n\\fB%s\\fR ", ctd_command_texts[i].name);
		if (!strstr(text, heading))
			fail_msg("manual page: command %s", ctd_command_texts[i].name);
	}
}

static void no_line_of_the_manual_page_is_an_unknown_request(void **state)
{
	static const char *const requests[] = {"TH ", "SH ", "SS ", "TP", "PP",
					       "B ",  "BR ", "br",  "EX", "EE"};
	autofree char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	char *rest;

	(void)state;
	assert_non_null(out);
	ctd_options_man(out);
	assert_int_equal(fclose(out), 0);
	rest = text;
	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
		bool known = *line != '.' && *line != '\'';

		for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++)
			known |= strncmp(line + !known, requests[i], strlen(requests[i])) == 0;
		if (!known)
			fail_msg("manual page: '%s'", line);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(help_is_as_in_the_golden_files),
		cmocka_unit_test(no_line_of_help_is_too_long_or_ends_in_blanks),
		cmocka_unit_test(every_option_is_in_the_help_of_its_commands_and_of_no_other),
		cmocka_unit_test(every_option_and_command_is_in_the_manual_page),
		cmocka_unit_test(no_line_of_the_manual_page_is_an_unknown_request),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
