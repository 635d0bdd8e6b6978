/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* command_line.h - a command line as a test writes it: a text. */
#ifndef TESTS_APP_OPTIONS_COMMAND_LINE_H
#define TESTS_APP_OPTIONS_COMMAND_LINE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "app/options/options.h"

#define ARGUMENTS_MAX 80

/* A command line cut at blanks; '' is an empty argument. */
struct command_line {
	char text[2048];
	char *argv[ARGUMENTS_MAX + 1];
	int argc;
};

static inline void split(const char *text, struct command_line *line)
{
	char *rest = line->text;

	line->argc = 0;
	snprintf(line->text, sizeof(line->text), "cgtopdown %s", text);
	for (char *word = strsep(&rest, " "); word; word = strsep(&rest, " ")) {
		assert_true(line->argc < ARGUMENTS_MAX);
		if (*word)
			line->argv[line->argc++] = strcmp(word, "''") == 0 ? word + 2 : word;
	}
	line->argv[line->argc] = NULL;
}

/* Options borrow texts of @p line. @return as ctd_options_parse(). */
static inline int parse(const char *text, struct command_line *line, struct ctd_options *options)
{
	split(text, line);
	return ctd_options_parse(line->argc, line->argv, options);
}

#endif
