/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* help.c - explains a command on a terminal. */
#include "app/options/help.h"

#include <cgtopdown/cpu.h>

#include <string.h>

#include "app/text.h"
#include "base/auto.h"
#include "format/colour.h"
#include "top/state.h"

/* Columns of the terminal. */
#define INDENT 2
#define OPTION_COLUMN 24
#define COMMAND_COLUMN 12
#define TABLE_COLUMN 14
#define OPTION_BYTES 64

struct page {
	FILE *out;
	const char *head, *off; /* colour of what is named; "" for none */
};

void ctd_help_add_option(const struct ctd_option *option, struct ctd_strbuf *text)
{
	ctd_strbuf_add(text, option->help);
	if (!option->metavar || (option->store == ctd_store_text && !option->fallback))
		return;
	ctd_strbuf_add(text, " Takes ");
	ctd_option_add_wants(option, text);
	if (option->fallback)
		ctd_strbuf_addf(text, " (default: %s)", option->fallback);
	ctd_strbuf_add(text, ".");
}

static void print_option(const struct page *page, const struct ctd_option *option)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	char names[OPTION_BYTES], letter[8] = "    ";

	if (option->letter)
		snprintf(letter, sizeof(letter), "-%c, ", option->letter);
	snprintf(names, sizeof(names), "%s--%s%s%s", letter, option->name,
		 option->metavar ? " " : "", option->metavar ? option->metavar : "");
	ctd_help_add_option(option, &text);
	ctd_text_item(page->out, INDENT, OPTION_COLUMN, page->head, names,
		      text.failed ? option->help : text.text);
}

static void print_heading(const struct page *page, const char *heading)
{
	fputc('\n', page->out);
	ctd_text_heading(page->out, *page->head, heading);
}

static void print_options(const struct page *page, enum ctd_command command)
{
	for (int section = 0; section < CTD_OPTION_SECTIONS; section++) {
		bool first = true;

		for (const struct ctd_option *option = ctd_option_next(NULL); option;
		     option = ctd_option_next(option)) {
			if (option->section != (enum ctd_option_section)section ||
			    !(option->commands & (1u << command)))
				continue;
			if (first)
				print_heading(page, ctd_option_section_titles[section]);
			first = false;
			print_option(page, option);
		}
	}
}

static void print_examples(const struct page *page, const struct ctd_example *examples)
{
	int column = 0;

	if (!examples)
		return;
	for (const struct ctd_example *example = examples; example->line; example++)
		if (column < INDENT + (int)strlen(example->line) + 2)
			column = INDENT + (int)strlen(example->line) + 2;
	print_heading(page, "Examples");
	for (const struct ctd_example *example = examples; example->line; example++)
		ctd_text_item(page->out, INDENT, column, "", example->line, example->what);
}

const struct ctd_help_column ctd_help_columns[] = {
	{"NAME", "The cgroup, container or whatever --by says. (idle) is time in which a CPU had "
		 "nothing to run, (kernel) the kernel's own threads, (other) what found no room, "
		 "(12 more) the sum of rows not shown."},
	{"CPU%", "CPU time, in per cent of one CPU."},
	{NULL, NULL},
};

static const struct ctd_help_column columns_after_nodes[] = {
	{"BOTTLENECK", "What a row loses most slots to, if that is more than usual, and how many: "
		       "with --level 2 the part of a part."},
	{"SWITCHES", "Times a task of the row left a CPU (without counters)."},
	{"SLICES", "Times the row got a CPU and lost it (without counters)."},
	{"SIM", "Nothing was measured: --source sim made the figures up."},
	{"~12.3", "Counted part of the time and scaled up."},
	{"?12.3", "Counted too little to be relied on."},
	{"-", "Not known; never the same as 0."},
	{NULL, NULL},
};

void ctd_help_each_column(void (*add)(const char *name, const char *text, void *context),
			  void *context)
{
	const struct ctd_cpu_model *model = ctd_cpu_model_find("sim");

	for (const struct ctd_help_column *column = ctd_help_columns; column->name; column++)
		add(column->name, column->text, context);
	for (int i = 0; i < model->nodes_count; i++)
		if (model->nodes[i].level == 1)
			add(model->nodes[i].title, model->nodes[i].help, context);
	for (const struct ctd_help_column *column = columns_after_nodes; column->name; column++)
		add(column->name, column->text, context);
}

static void print_column(const char *name, const char *text, void *context)
{
	const struct page *page = context;

	ctd_text_item(page->out, INDENT, TABLE_COLUMN, page->head, name, text);
}

static void print_columns(struct page *page)
{
	print_heading(page, "Columns, in per cent of a row's slots where not said otherwise");
	ctd_help_each_column(print_column, page);
}

static void print_keys(const struct page *page)
{
	print_heading(page, "Keys");
	for (const struct ctd_top_key_help *key = ctd_top_keys; key->keys; key++)
		ctd_text_item(page->out, INDENT, OPTION_COLUMN, page->head, key->keys, key->text);
}

static void print_commands(const struct page *page)
{
	print_heading(page, "Commands");
	for (int i = 0; i < CTD_COMMANDS; i++)
		ctd_text_item(page->out, INDENT, COMMAND_COLUMN, page->head,
			      ctd_command_texts[i].name, ctd_command_texts[i].summary);
}

static void print_all(const struct page *page)
{
	const struct ctd_command_text *help = &ctd_command_texts[CTD_COMMAND_HELP];

	fprintf(page->out, "cgtopdown %s\n\n%sUsage:%s cgtopdown COMMAND [OPTION]...\n\n",
		CTD_HELP_TAGLINE, page->head, page->off);
	ctd_text_wrap(page->out, 0, 0, help->about);
	print_commands(page);
	print_examples(page, help->examples);
	fprintf(page->out, "\n'cgtopdown COMMAND --help' explains the options of a command.\n");
}

static void print_one(struct page *page, enum ctd_command command)
{
	const struct ctd_command_text *text = &ctd_command_texts[command];

	fprintf(page->out, "cgtopdown %s: %s\n\n%sUsage:%s cgtopdown %s%s%s\n\n", text->name,
		text->summary, page->head, page->off, text->name, *text->arguments ? " " : "",
		text->arguments);
	ctd_text_wrap(page->out, 0, 0, text->about);
	print_examples(page, text->examples);
	print_options(page, command);
	if (command == CTD_COMMAND_STAT || command == CTD_COMMAND_REPORT)
		print_columns(page);
	if (command == CTD_COMMAND_TOP)
		print_keys(page);
	print_heading(page, "Exit status");
	fprintf(page->out, "%*s", INDENT, "");
	ctd_text_wrap(page->out, INDENT, INDENT, text->exit_status);
}

void ctd_options_help(FILE *out, enum ctd_command command)
{
	bool colour = ctd_text_wants_colour("auto", out);
	struct page page = {
		.out = out,
		.head = colour ? CTD_COLOUR_HEAD : "",
		.off = colour ? CTD_COLOUR_OFF : "",
	};

	if (command == CTD_COMMAND_HELP)
		print_all(&page);
	else
		print_one(&page, command);
}
