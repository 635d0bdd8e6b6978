/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* refuse.c - says what is wrong with a command line. */
#include "app/options/refuse.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/auto.h"
#include "base/log.h"

int ctd_usage_refuse(const struct ctd_command_text *command, const char *format, ...)
{
	const char *name = command ? command->name : "";
	const char *blank = command ? " " : "";
	autofree char *what = NULL, *line = NULL;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&what, format, arguments) < 0)
		what = NULL;
	va_end(arguments);
	if (asprintf(&line, "cgtopdown%s%s: %s; see 'cgtopdown%s%s --help'", blank, name,
		     what ? what : "no memory", blank, name) < 0)
		line = NULL;
	ctd_log_line(line ? line : "cgtopdown: no memory");
	return -EINVAL;
}

int ctd_usage_refuse_unknown(const struct ctd_command_text *command, const char *what,
			     const char *dashes, const struct ctd_suggestion *suggestion)
{
	if (!suggestion->nearest)
		return ctd_usage_refuse(command, "unknown %s '%s%s'", what, dashes,
					suggestion->given);
	return ctd_usage_refuse(command, "unknown %s '%s%s', perhaps '%s%s' is meant", what, dashes,
				suggestion->given, dashes, suggestion->nearest);
}

int ctd_usage_refuse_value(const struct ctd_command_text *command, const struct ctd_option *option,
			   const char *value)
{
	struct ctd_suggestion suggestion = {.given = value ? value : ""};
	auto_ctd_strbuf struct ctd_strbuf wants = {0};

	ctd_option_add_wants(option, &wants);
	ctd_option_suggest(option, &suggestion);
	if (suggestion.nearest)
		return ctd_usage_refuse(command, "--%s does not know '%s', perhaps '%s' is meant",
					option->name, value, suggestion.nearest);
	if (!value)
		return ctd_usage_refuse(command, "--%s wants %s", option->name,
					wants.failed ? "a value" : wants.text);
	return ctd_usage_refuse(command, "--%s wants %s, not '%s'", option->name,
				wants.failed ? "another value" : wants.text, value);
}
