/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* man.c - explains all commands in a manual page, from the same tables as --help. */
#include <cgtopdown/counters.h>

#include <string.h>

#include "app/options/help.h"
#include "base/auto.h"
#include "top/state.h"

/* Of the built-in profiles, as an example. */
#define PROFILE_LINES 3

/* Text in which nothing means anything to roff. */
static void print_text(FILE *out, const char *text)
{
	bool line_start = true;

	for (; *text; text++) {
		if (line_start && (*text == '.' || *text == '\''))
			fputs("\\&", out);
		line_start = *text == '\n';
		switch (*text) {
		case '\\':
			fputs("\\e", out);
			break;
		case '-':
			fputs("\\-", out);
			break;
		case '\'':
			fputs("\\(aq", out);
			break;
		case '~':
			fputs("\\(ti", out);
			break;
		default:
			fputc(*text, out);
		}
	}
}

static void print_line(FILE *out, const char *text)
{
	print_text(out, text);
	fputc('\n', out);
}

/* Words in capitals are for the reader to fill in. */
static void print_arguments(FILE *out, const char *text)
{
	while (*text) {
		size_t bytes = strcspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

		if (bytes == 0) {
			bytes = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
			fprintf(out, "\\fI%.*s\\fR", (int)bytes, text);
		} else {
			autofree char *between = strndup(text, bytes);

			print_text(out, between ? between : "");
		}
		text += bytes;
	}
	fputc('\n', out);
}

static void print_option(FILE *out, const struct ctd_option *option)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};

	fputs(".TP\n", out);
	if (option->letter)
		fprintf(out, "\\fB\\-%c\\fR, ", option->letter);
	fputs("\\fB\\-\\-", out);
	print_text(out, option->name);
	fputs("\\fR", out);
	if (option->metavar)
		fprintf(out, " \\fI%s\\fR", option->metavar);
	fputc('\n', out);
	ctd_help_add_option(option, &text);
	print_line(out, text.failed ? option->help : text.text);
	if (option->commands == CTD_OPTION_OF_ALL)
		return;
	fputs("(", out);
	for (int i = 0, printed = 0; i < CTD_COMMANDS; i++)
		if (option->commands & (1u << i))
			fprintf(out, "%s%s", printed++ ? ", " : "", ctd_command_texts[i].name);
	fputs(")\n", out);
}

static void print_options(FILE *out)
{
	fputs(".SH OPTIONS\n", out);
	for (int section = 0; section < CTD_OPTION_SECTIONS; section++) {
		fprintf(out, ".SS %s\n", ctd_option_section_titles[section]);
		for (const struct ctd_option *option = ctd_option_next(NULL); option;
		     option = ctd_option_next(option))
			if (option->section == (enum ctd_option_section)section)
				print_option(out, option);
	}
}

static void print_commands(FILE *out)
{
	fputs(".SH COMMANDS\n", out);
	for (int i = 0; i < CTD_COMMANDS; i++) {
		const struct ctd_command_text *command = &ctd_command_texts[i];

		fprintf(out, ".TP\n\\fB%s\\fR ", command->name);
		print_arguments(out, command->arguments);
		if (i != CTD_COMMAND_HELP)
			print_line(out, command->about);
		else
			print_line(out, "Prints help.");
		fputs("Exit status: ", out);
		print_line(out, command->exit_status);
	}
}

static void print_column(const char *name, const char *text, void *context)
{
	FILE *out = context;

	fputs(".TP\n.B ", out);
	print_line(out, name);
	print_line(out, text);
}

static void print_profiles(FILE *out)
{
	const char *text = ctd_sim_default_text();

	fputs(".SH SIMULATED PROFILES\n", out);
	print_line(
		out,
		"The FILE of --source sim:FILE has a line for each command name: the name, in double "
		"quotes if it has blanks; the per cent of its slots that are retiring, bad "
		"speculation, front-end bound and back-end bound, 100 together; and, after a slash, "
		"those of heavy operations, branch mispredicts, fetch latency and memory bound. "
		"<idle> stands for idle CPUs, <other> for all other names; # begins a comment. The "
		"built-in profiles begin:");
	fputs(".PP\n.EX\n", out);
	for (int line = 0; line < PROFILE_LINES; line++, text += strcspn(text, "\n") + 1) {
		autofree char *copy = strndup(text, strcspn(text, "\n"));

		print_line(out, copy ? copy : "");
	}
	fputs(".EE\n", out);
}

/* Of what a file may look like. */
static const char configuration[] = "# what is not said here is as without a file\n"
				    "listen: \"[::]:9753\"\n"
				    "level: 2\n"
				    "no-pin: true\n"
				    "pod-label:\n"
				    "- app.kubernetes.io/*\n"
				    "- team";

static void print_configuration(FILE *out)
{
	fputs(".SH CONFIGURATION\n", out);
	print_line(
		out,
		"The FILE of --config is in YAML: the long options of serve without their dashes, each "
		"with its value, true or false where an option takes none, a list where it may be given "
		"several times. Options of the command line take the place of what the FILE says. All "
		"that is wrong with it is told with its line, and then nothing is started. "
		"--check-config tells, too, and prints what then holds. A change of it takes a restart. "
		"Certificates, keys, tokens, passwords and headers that files hold are read again when "
		"these change, within ten seconds, or at once on SIGHUP, which also tells what of the "
		"FILE itself has changed. A pipe, such as <(...) of a shell or /dev/stdin, is read at "
		"the start only.");
	fputs(".PP\n.EX\n", out);
	print_line(out, configuration);
	fputs(".EE\n", out);
}

static void print_examples(FILE *out)
{
	fputs(".SH EXAMPLES\n", out);
	for (int i = 0; i < CTD_COMMAND_HELP; i++) {
		const struct ctd_example *example = ctd_command_texts[i].examples;

		for (; example && example->line; example++) {
			fputs(".TP\n.B ", out);
			print_line(out, example->line);
			print_line(out, example->what);
		}
	}
}

void ctd_options_man(FILE *out)
{
	fprintf(out, ".TH CGTOPDOWN 8 \"\" \"cgtopdown %s\" \"System Administration\"\n",
		CTD_VERSION);
	fputs(".SH NAME\ncgtopdown \\- " CTD_HELP_TAGLINE "\n.SH SYNOPSIS\n", out);
	for (int i = 0; i < CTD_COMMANDS; i++) {
		fprintf(out, "%s.B cgtopdown %s\n", i ? ".br\n" : "", ctd_command_texts[i].name);
		print_arguments(out, ctd_command_texts[i].arguments);
	}
	fputs(".SH DESCRIPTION\n", out);
	print_line(out, ctd_command_texts[CTD_COMMAND_HELP].about);
	print_commands(out);
	print_options(out);
	fputs(".SH COLUMNS\nIn per cent of a row's slots, where not said otherwise.\n", out);
	ctd_help_each_column(print_column, out);
	fputs(".SH KEYS\nOf the screen that top shows.\n", out);
	for (const struct ctd_top_key_help *key = ctd_top_keys; key->keys; key++)
		print_column(key->keys, key->text, out);
	print_profiles(out);
	print_configuration(out);
	print_examples(out);
	fputs(".SH SEE ALSO\n.BR perf\\-stat (1),\n.BR cgroups (7)\n", out);
}
