/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* options.c - parses the command line by the table of options, strictly. */
#include "app/options/options.h"

#include <errno.h>
#include <string.h>

#include "app/explain/list.h"
#include "app/options/check.h"
#include "app/options/config.h"
#include "app/options/habits.h"
#include "app/options/refuse.h"
#include "app/options/suggest.h"
#include "app/options/table.h"
#include "base/auto.h"
#include "base/log.h"

/* Few want intervals of so long; many are used to milliseconds. */
#define LONG_INTERVAL_NS 1000000000000ull

/* Where parsing is. */
struct parsing {
	const struct ctd_command_text *command; /* NULL: not known yet */
	char **next; /* of argv, which ends with NULL */
	struct ctd_options *options;
};

static unsigned int bit(const struct parsing *parsing)
{
	return 1u << (parsing->command - ctd_command_texts);
}

static int find_command(struct parsing *parsing, const char *name, enum ctd_command *ret_command)
{
	struct ctd_suggestion suggestion = {.given = name};

	for (int i = 0; i < CTD_COMMANDS; i++) {
		if (strcmp(ctd_command_texts[i].name, name) == 0) {
			*ret_command = i;
			return 0;
		}
		ctd_suggestion_try(&suggestion, ctd_command_texts[i].name);
	}
	return ctd_usage_refuse_unknown(parsing->command, "command", "", &suggestion);
}

static int find_list(struct parsing *parsing, const char *name)
{
	struct ctd_suggestion suggestion = {.given = name};

	for (size_t i = 0; ctd_list_name(i); i++) {
		if (strcmp(ctd_list_name(i), name) == 0) {
			parsing->options->what = name;
			return 0;
		}
		ctd_suggestion_try(&suggestion, ctd_list_name(i));
	}
	return ctd_usage_refuse_unknown(parsing->command, "list", "", &suggestion);
}

/* The option is one of other commands, perhaps in several rows of the table. @p typed: for what was
 * given. */
static int refuse_elsewhere(const struct parsing *parsing, const struct ctd_option *option,
			    const char *typed)
{
	auto_ctd_strbuf struct ctd_strbuf names = {0};
	unsigned int commands = option->commands;

	for (const struct ctd_option *other = ctd_option_next(NULL); other;
	     other = ctd_option_next(other))
		if (strcmp(other->name, option->name) == 0)
			commands |= other->commands;
	for (int i = 0; i < CTD_COMMANDS; i++)
		if (commands & (1u << i))
			ctd_strbuf_addf(&names, "%s%s", names.bytes ? ", " : "",
					ctd_command_texts[i].name);
	/* A profile is shown by one command, also that of a recording. */
	return ctd_usage_refuse(
		parsing->command, "%s is an option of %s only%s", typed,
		names.failed ? "others" : names.text,
		parsing->options->command == CTD_COMMAND_REPORT &&
				option->commands & 1u << CTD_COMMAND_PROFILE
			? ": 'cgtopdown profile --input FILE' shows the profile of a recording"
			: "");
}

static int store(const struct ctd_option *option, const char *value, struct ctd_options *options)
{
	return option->store(option, value, (char *)options + option->offset);
}

/* A number without a unit, on a command line: in perf those are milliseconds. */
static bool is_bare(const char *value)
{
	return value && !value[strspn(value, "0123456789")];
}

/* @p value: what was given in the same argument, or NULL: then it is the next argument. */
static int take_option(struct parsing *parsing, const struct ctd_option *option, const char *value)
{
	if (!(option->commands & bit(parsing))) {
		auto_ctd_strbuf struct ctd_strbuf typed = {0};

		ctd_strbuf_addf(&typed, "--%s", option->name);
		return refuse_elsewhere(parsing, option, typed.failed ? "it" : typed.text);
	}
	/* Help and version were looked for before: this is "-vh" or "--help=x". */
	if (!option->store)
		return ctd_usage_refuse(parsing->command, "--%s stands alone", option->name);
	if (!option->metavar && value)
		return ctd_usage_refuse(parsing->command, "--%s takes no value, not even '%s'",
					option->name, value);
	if (option->metavar && !value) {
		if (*parsing->next && strcmp(*parsing->next, "--") != 0)
			value = *parsing->next++;
		if (!value)
			return ctd_usage_refuse_value(parsing->command, option, NULL);
	}
	if (store(option, value, parsing->options))
		return ctd_usage_refuse_value(parsing->command, option, value);
	if (option->offset == offsetof(struct ctd_options, interval_ns) && is_bare(value) &&
	    parsing->options->command != CTD_COMMAND_SERVE &&
	    parsing->options->interval_ns >= LONG_INTERVAL_NS)
		return ctd_usage_refuse(
			parsing->command,
			"--%s %s is so many seconds; are milliseconds meant? Write %sms, or %ss for seconds",
			option->name, value, value, value);
	if (option->offset == offsetof(struct ctd_options, by))
		parsing->options->by_given = true;
	return 0;
}

/* Two commands may have options of one name that take other values. */
static bool is_taken_later(const struct ctd_option *option, unsigned int command)
{
	const char *name = option->name;

	while ((option = ctd_option_next(option)))
		if (strcmp(option->name, name) == 0 && (option->commands & command))
			return true;
	return false;
}

/* The row of this command, or if there is none any row of that name. */
static const struct ctd_option *find_name(const struct parsing *parsing, const char *name)
{
	const struct ctd_option *found = NULL;

	for (const struct ctd_option *option = ctd_option_next(NULL); option;
	     option = ctd_option_next(option))
		if (strcmp(option->name, name) == 0 && (!found || option->commands & bit(parsing)))
			found = option;
	return found;
}

/* What other programs have: does the same with our option, or says what to use instead. @p typed:
 * as it was given, with its dashes. */
static int take_habit(struct parsing *parsing, const struct ctd_habit *habit, const char *typed,
		      const char *value)
{
	const struct ctd_option *option;
	autofree char *ours = NULL;

	if (habit->takes_value && !value && *parsing->next && strcmp(*parsing->next, "--") != 0)
		value = *parsing->next++;
	if (habit->instead)
		return ctd_usage_refuse(parsing->command, "%s", habit->instead);
	if (habit->takes_value && !value)
		return ctd_usage_refuse(parsing->command, "a value is missing: it is as --%s",
					habit->option);
	if (!habit->option)
		return 0;
	option = find_name(parsing, habit->option);
	if (!(option->commands & bit(parsing)))
		return refuse_elsewhere(parsing, option, typed);
	if (!habit->unit)
		return take_option(parsing, option, habit->value);
	if (asprintf(&ours, "%s%s", value, habit->unit) < 0) {
		ours = NULL;
		return ctd_usage_refuse(parsing->command, "no memory");
	}
	/* A number: nothing of the text is kept. */
	return take_option(parsing, option, ours);
}

/* "name" or "name=value". */
static int take_long(struct parsing *parsing, const char *argument)
{
	size_t bytes = strcspn(argument, "=");
	const char *value = argument[bytes] ? argument + bytes + 1 : NULL;
	autofree char *name = strndup(argument, bytes);
	struct ctd_suggestion suggestion = {.given = name ? name : ""};
	const struct ctd_habit *habit =
		name ? ctd_habit_of_name(parsing->options->command, name) : NULL;
	const struct ctd_option *option;

	for (option = ctd_option_next(NULL); name && option; option = ctd_option_next(option)) {
		if (strcmp(option->name, name) == 0 &&
		    ((option->commands & bit(parsing)) ||
		     (!habit && !is_taken_later(option, bit(parsing)))))
			return take_option(parsing, option, value);
		if (option->section != CTD_OPTIONS_HIDDEN && (option->commands & bit(parsing)))
			ctd_suggestion_try(&suggestion, option->name);
	}
	if (habit) {
		auto_ctd_strbuf struct ctd_strbuf typed = {0};

		ctd_strbuf_addf(&typed, "--%s", name);
		return take_habit(parsing, habit, typed.failed ? "it" : typed.text, value);
	}
	return ctd_usage_refuse_unknown(parsing->command, "option", "--", &suggestion);
}

/* Of options with the letter that of this command, if it has one. */
static const struct ctd_option *find_letter(const struct parsing *parsing, char letter)
{
	const struct ctd_option *found = NULL;

	for (const struct ctd_option *option = ctd_option_next(NULL); option;
	     option = ctd_option_next(option))
		if (option->letter == letter && (!found || option->commands & bit(parsing)))
			found = option;
	return found;
}

/* "v", "vv", "n3". */
static int take_letters(struct parsing *parsing, const char *letters)
{
	const struct ctd_option *option = find_letter(parsing, *letters);
	const struct ctd_habit *habit = ctd_habit_of_letter(parsing->options->command, *letters);
	const char typed[] = {'-', *letters, '\0'};
	int error;

	if (habit && !(option && option->commands & bit(parsing))) {
		letters++;
		error = take_habit(parsing, habit, typed,
				   habit->takes_value && *letters ? letters : NULL);
		return error || habit->takes_value || !*letters ? error
								: take_letters(parsing, letters);
	}
	if (!option)
		return ctd_usage_refuse(parsing->command, "unknown option '-%c'", *letters);
	letters++;
	if (option->metavar)
		return take_option(parsing, option, *letters ? letters : NULL);
	error = take_option(parsing, option, NULL);
	return error || !*letters ? error : take_letters(parsing, letters);
}

static int take_positional(struct parsing *parsing, const char *argument)
{
	struct ctd_options *options = parsing->options;

	switch (parsing->command->takes) {
	case CTD_TAKES_FILE:
		if (options->file || !*argument)
			break;
		options->file = argument;
		return 0;
	case CTD_TAKES_LIST:
		if (options->what)
			break;
		return find_list(parsing, argument);
	case CTD_TAKES_COMMAND:
		if (options->help_of != CTD_COMMAND_HELP)
			break;
		return find_command(parsing, argument, &options->help_of);
	case CTD_TAKES_NOTHING:
		break;
	}
	if (parsing->command->takes_program)
		return ctd_usage_refuse(parsing->command,
					"unexpected '%s': a COMMAND comes after '--'", argument);
	return ctd_usage_refuse(parsing->command, "unexpected '%s'", argument);
}

static int take_program(struct parsing *parsing)
{
	if (!parsing->command->takes_program)
		return ctd_usage_refuse(parsing->command, "there is no COMMAND to run, so no '--'");
	if (!*parsing->next)
		return ctd_usage_refuse(parsing->command, "after '--' comes the COMMAND to run");
	parsing->options->program = parsing->next;
	return 0;
}

static int take_arguments(struct parsing *parsing)
{
	int error = 0;

	while (!error && *parsing->next) {
		const char *argument = *parsing->next++;

		if (strcmp(argument, "--") == 0)
			return take_program(parsing);
		if (strncmp(argument, "--", 2) == 0)
			error = take_long(parsing, argument + 2);
		else if (argument[0] == '-' && argument[1])
			error = take_letters(parsing, argument + 1);
		else
			error = take_positional(parsing, argument);
	}
	return error;
}

static bool is_asked_for(char **arguments, const char *letter, const char *name)
{
	for (; *arguments && strcmp(*arguments, "--") != 0; arguments++)
		if (strcmp(*arguments, name) == 0 || strcmp(*arguments, letter) == 0)
			return true;
	return false;
}

static int set_fallbacks(struct parsing *parsing)
{
	for (const struct ctd_option *option = ctd_option_next(NULL); option;
	     option = ctd_option_next(option))
		if (option->fallback && store(option, option->fallback, parsing->options))
			return ctd_usage_refuse_value(parsing->command, option, option->fallback);
	return 0;
}

/* "--name" or "--name=value". */
static bool is_option(const char *argument, const char *name)
{
	size_t bytes = strlen(name);

	return strncmp(argument, name, bytes) == 0 &&
	       (argument[bytes] == '\0' || argument[bytes] == '=');
}

/* What the command line says of lists takes the place of what the file says. */
static void forget_lists(const struct ctd_options *given, struct ctd_options *options)
{
	for (const struct ctd_option *option = ctd_option_next(NULL); option;
	     option = ctd_option_next(option)) {
		auto_ctd_strbuf struct ctd_strbuf text = {0};

		if (option->store && ctd_option_adds(option) &&
		    ctd_option_show(option, given, 0, &text))
			memset((char *)options + option->offset, 0, option->bytes);
	}
}

/* Takes the arguments again, on top of the file that they name. */
static int take_config(struct parsing *parsing)
{
	struct ctd_options given = *parsing->options;

	*parsing->options =
		(struct ctd_options){.command = given.command, .help_of = given.help_of};
	set_fallbacks(parsing);
	if (ctd_config_apply(given.serve.config, parsing->options))
		return -EINVAL;
	forget_lists(&given, parsing->options);
	return take_arguments(parsing);
}

static int take_all(struct parsing *parsing)
{
	char **first = parsing->next;
	int error;

	parsing->command = &ctd_command_texts[parsing->options->command];
	error = take_arguments(parsing);
	if (!error && parsing->options->serve.config) {
		parsing->next = first;
		error = take_config(parsing);
	}
	return error ? error : ctd_options_check(parsing->command, parsing->options);
}

int ctd_options_parse(int argc, char **argv, struct ctd_options *ret_options)
{
	struct ctd_options options = {.command = CTD_COMMAND_HELP, .help_of = CTD_COMMAND_HELP};
	struct parsing parsing = {.next = argv + 1, .options = &options};
	bool help, version;
	int error;

	if (argc < 2) {
		ctd_options_help(stderr, CTD_COMMAND_HELP);
		return -EINVAL;
	}
	help = is_asked_for(argv + 1, "-h", "--help");
	version = !help && is_asked_for(argv + 1, "-V", "--version");
	error = set_fallbacks(&parsing);
	if (!error && is_option(argv[1], "--explain")) {
		options.command = CTD_COMMAND_LIST;
	} else if (!error && argv[1][0] != '-') {
		error = find_command(&parsing, argv[1], &options.command);
		parsing.next++;
	} else if (!error && !help && !version) {
		error = ctd_usage_refuse(parsing.command, "first comes a command, not '%s'",
					 argv[1]);
	}
	if (error)
		return error;
	if (help || version) {
		options.help_of = options.command;
		options.command = help ? CTD_COMMAND_HELP : CTD_COMMAND_VERSION;
	} else {
		error = take_all(&parsing);
	}
	if (error) {
		ctd_options_free(&options);
		return error;
	}
	options.arguments = argv;
	*ret_options = options;
	return 0;
}

bool ctd_options_is_stream(const struct ctd_options *options)
{
	return options->file && strcmp(options->file, "-") == 0;
}

void ctd_options_free(struct ctd_options *options)
{
	ctd_config_free(options->config);
	options->config = NULL;
}
