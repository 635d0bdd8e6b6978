/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* completion.c - lets shells complete command lines, from the table of options. */
#include "app/options/completion.h"

#include <cgtopdown/cpu.h>
#include <cgtopdown/sink.h>

#include <string.h>

#include "app/explain/list.h"
#include "app/options/table.h"

static bool is_of(const struct ctd_option *option, int command)
{
	return option->section != CTD_OPTIONS_HIDDEN && (option->commands & (1u << command));
}

/* What models count by, each once. */
static void print_sources(FILE *out)
{
	fputs("auto none", out);
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		size_t first = 0;

		while (strcmp(ctd_cpu_models[first]->source, ctd_cpu_models[i]->source) != 0)
			first++;
		if (first == i)
			fprintf(out, " %s", ctd_cpu_models[i]->source);
	}
}

/* The simulated design has all metrics that several designs share. */
static void print_metrics(FILE *out)
{
	const struct ctd_cpu_model *model = ctd_cpu_model_find("sim");

	for (int i = 0; i < model->nodes_count; i++)
		fprintf(out, "%s%s", i ? " " : "", model->nodes[i].name);
}

/* Names that the option takes, separated by blanks, or nothing. */
static void print_choices(FILE *out, const struct ctd_option *option)
{
	if (option->store == ctd_store_format) {
		for (int i = 0; ctd_sinks[i]; i++)
			fprintf(out, "%s%s", i ? " " : "", ctd_sinks[i]->name);
	} else if (option->store == ctd_store_source) {
		print_sources(out);
	} else if (option->store == ctd_store_metric) {
		print_metrics(out);
	} else if (option->store == ctd_store_sort) {
		fputs("cpu slots name ", out);
		print_metrics(out);
	}
	for (int i = 0; option->choices && option->choices[i]; i++)
		fprintf(out, "%s%s", i ? " " : "", option->choices[i]);
}

static bool wants_file(const struct ctd_option *option)
{
	return option->metavar && strcmp(option->metavar, "FILE") == 0;
}

static bool wants_directory(const struct ctd_option *option)
{
	return option->metavar && strcmp(option->metavar, "DIR") == 0;
}

static void print_lists(FILE *out)
{
	for (size_t i = 0; ctd_list_name(i); i++)
		fprintf(out, "%s%s", i ? " " : "", ctd_list_name(i));
}

static void print_commands(FILE *out)
{
	for (int i = 0; i < CTD_COMMANDS; i++)
		fprintf(out, "%s%s", i ? " " : "", ctd_command_texts[i].name);
}

/* "--interval|-i)": what comes after it is its value. */
static void print_bash_pattern(FILE *out, const struct ctd_option *option)
{
	fprintf(out, "\t--%s", option->name);
	if (option->letter)
		fprintf(out, "|-%c", option->letter);
	fputs(")\n", out);
}

static void print_bash_values(FILE *out)
{
	fputs("\tcase $previous in\n", out);
	for (const struct ctd_option *option = ctd_option_next(NULL); option;
	     option = ctd_option_next(option)) {
		if (!option->metavar || option->section == CTD_OPTIONS_HIDDEN)
			continue;
		print_bash_pattern(out, option);
		if (wants_file(option) || wants_directory(option)) {
			fprintf(out, "\t\t_cgtopdown_paths %s\n", wants_file(option) ? "-f" : "-d");
		} else {
			fputs("\t\t_cgtopdown_words '", out);
			print_choices(out, option);
			fputs("'\n", out);
		}
		fputs("\t\treturn\n\t\t;;\n", out);
	}
	fputs("\tesac\n", out);
}

static void print_bash_arguments(FILE *out, const struct ctd_command_text *text)
{
	switch (text->takes) {
	case CTD_TAKES_FILE:
		fputs("\t\t_cgtopdown_paths -f\n", out);
		break;
	case CTD_TAKES_LIST:
		fputs("\t\t_cgtopdown_words '", out);
		print_lists(out);
		fputs("'\n", out);
		break;
	case CTD_TAKES_COMMAND:
		fputs("\t\t_cgtopdown_words '", out);
		print_commands(out);
		fputs("'\n", out);
		break;
	case CTD_TAKES_NOTHING:
		fputs("\t\t_cgtopdown_words ''\n", out);
		break;
	}
}

static void print_bash_commands(FILE *out)
{
	fputs("\tcase $command in\n", out);
	for (int i = 0; i < CTD_COMMANDS; i++) {
		fprintf(out, "\t%s)\n\t\toptions='", ctd_command_texts[i].name);
		for (const struct ctd_option *option = ctd_option_next(NULL); option;
		     option = ctd_option_next(option))
			if (is_of(option, i))
				fprintf(out, " --%s", option->name);
		fputs("'\n\t\t[[ $current == -* ]] ||\n\t", out);
		print_bash_arguments(out, &ctd_command_texts[i]);
		fputs("\t\t;;\n", out);
	}
	fputs("\t*)\n\t\toptions='--help --version --explain'\n\t\t_cgtopdown_words '", out);
	print_commands(out);
	fputs("'\n\t\t;;\n\tesac\n", out);
}

/* "=" is a word of its own to bash. After "--" another program's words come. */
static const char bash_begin[] =
	"# cgtopdown - completion for bash; made by: cgtopdown help --completion bash\n"
	"_cgtopdown_words() {\n"
	"\tCOMPREPLY+=($(compgen -W \"$1\" -- \"$current\"))\n"
	"}\n"
	"_cgtopdown_paths() {\n"
	"\tlocal IFS=$'\\n'\n"
	"\tcompopt -o filenames 2>/dev/null\n"
	"\tCOMPREPLY+=($(compgen \"$1\" -- \"$current\"))\n"
	"}\n"
	"_cgtopdown() {\n"
	"\tlocal current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
	"\tlocal command='' options='' i\n"
	"\tCOMPREPLY=()\n"
	"\tif [[ $current == '=' ]]; then\n"
	"\t\tcurrent=''\n"
	"\telif [[ $previous == '=' ]] && ((COMP_CWORD > 2)); then\n"
	"\t\tprevious=${COMP_WORDS[COMP_CWORD-2]}\n"
	"\tfi\n"
	"\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	"\t\tif [[ ${COMP_WORDS[i]} == -- ]]; then\n"
	"\t\t\tdeclare -F _command_offset >/dev/null && _command_offset $((i + 1))\n"
	"\t\t\treturn\n"
	"\t\tfi\n"
	"\tdone\n"
	"\t((COMP_CWORD > 1)) && command=${COMP_WORDS[1]}\n";

static void print_bash(FILE *out)
{
	fputs(bash_begin, out);
	print_bash_values(out);
	print_bash_commands(out);
	fputs("\t[[ $current != -* ]] || _cgtopdown_words \"$options\"\n"
	      "}\n"
	      "complete -F _cgtopdown cgtopdown\n",
	      out);
}

/* The first sentence, in single quotes within which zsh's own signs mean nothing. */
static void print_zsh_text(FILE *out, const char *text)
{
	for (; *text && strncmp(text, ". ", 2) != 0 && strcmp(text, ".") != 0; text++) {
		if (*text == '\'')
			fputs("'\\''", out);
		else if (strchr("[]:\\", *text))
			fprintf(out, "\\%c", *text);
		else
			fputc(*text, out);
	}
}

static void print_zsh_value(FILE *out, const struct ctd_option *option)
{
	fputc(':', out);
	print_zsh_text(out, option->metavar);
	fputc(':', out);
	if (wants_file(option) || wants_directory(option)) {
		fputs(wants_file(option) ? "_files" : "_files -/", out);
		return;
	}
	fputc('(', out);
	print_choices(out, option);
	fputc(')', out);
}

/* '(-i --interval)'{-i,--interval=}'[What it is]:SECONDS:()' */
static void print_zsh_option(FILE *out, const struct ctd_option *option)
{
	const char *equals = option->metavar ? "=" : "";

	fputs("\t\t\t", out);
	if (option->letter && ctd_option_adds(option))
		fprintf(out, "'*'{-%c,--%s%s}'", option->letter, option->name, equals);
	else if (option->letter)
		fprintf(out, "'(-%c --%s)'{-%c,--%s%s}'", option->letter, option->name,
			option->letter, option->name, equals);
	else
		fprintf(out, "'%s--%s%s", ctd_option_adds(option) ? "*" : "", option->name, equals);
	fputc('[', out);
	print_zsh_text(out, option->help);
	fputc(']', out);
	if (option->metavar)
		print_zsh_value(out, option);
	fputs("' \\\n", out);
}

static void print_zsh_command(FILE *out, int command)
{
	const struct ctd_command_text *text = &ctd_command_texts[command];

	fprintf(out, "\t%s)\n\t\t_arguments -s \\\n", text->name);
	for (const struct ctd_option *option = ctd_option_next(NULL); option;
	     option = ctd_option_next(option))
		if (is_of(option, command))
			print_zsh_option(out, option);
	fputs("\t\t\t", out);
	if (text->takes == CTD_TAKES_FILE)
		fputs("'1:FILE:_files' ", out);
	if (text->takes == CTD_TAKES_LIST) {
		fputs("'1:list:(", out);
		print_lists(out);
		fputs(")' ", out);
	}
	if (text->takes == CTD_TAKES_COMMAND) {
		fputs("'1:command:(", out);
		print_commands(out);
		fputs(")' ", out);
	}
	fputs(text->takes_program ? "'*::COMMAND:_normal'\n" : "&& return\n", out);
	fputs("\t\t;;\n", out);
}

static void print_zsh(FILE *out)
{
	fputs("#compdef cgtopdown\n"
	      "# cgtopdown - completion for zsh; made by: cgtopdown help --completion zsh\n"
	      "local -a commands=(\n",
	      out);
	for (int i = 0; i < CTD_COMMANDS; i++) {
		fprintf(out, "\t'%s:", ctd_command_texts[i].name);
		print_zsh_text(out, ctd_command_texts[i].summary);
		fputs("'\n", out);
	}
	fputs(")\n"
	      "if ((CURRENT == 2)); then\n"
	      "\t_describe command commands\n"
	      "\treturn\n"
	      "fi\n"
	      "shift words\n"
	      "((CURRENT--))\n"
	      "case $words[1] in\n",
	      out);
	for (int i = 0; i < CTD_COMMANDS; i++)
		print_zsh_command(out, i);
	fputs("esac\n", out);
}

static const struct {
	const char *name;
	void (*print)(FILE *out);
} shells[] = {{"bash", print_bash}, {"zsh", print_zsh}};

void ctd_completion_print(FILE *out, const char *shell)
{
	for (size_t i = 0; i < sizeof(shells) / sizeof(*shells); i++)
		if (strcmp(shells[i].name, shell) == 0)
			shells[i].print(out);
}
