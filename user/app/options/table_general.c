/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* table_general.c - options of the program itself. */
#include "app/options/rows.h"

static const char *const shells[] = {"bash", "zsh", NULL};

const struct ctd_option ctd_options_general[] = {
	{TEXT("config", "FILE", CTD_OPTIONS_GENERAL, ON(SERVE)), INTO(serve.config),
	 .argv_only = true, .wants = "a file",
	 .help = "Read options from FILE: a line 'name: value' for each, without the dashes. The command line overrides them. A change takes a restart."},
	{
		.name = "check-config",
		.section = CTD_OPTIONS_GENERAL,
		.commands = ON(SERVE),
		.argv_only = true,
		.store = ctd_store_flag,
		INTO(serve.check_config),
		.help = "Say whether --config FILE is good, print the options in effect, and exit.",
	},
	{TEXT("root", "DIR", CTD_OPTIONS_GENERAL, MEASURES | ON(DOCTOR) | ON(LIST)), INTO(root),
	 .wants = "a directory",
	 .help = "Read /sys and /proc below DIR: those of the host, seen from a container, or of a machine recorded there."},
	{FLAG("no-sandbox", CTD_OPTIONS_GENERAL, MEASURES | ON(REPORT) | ON(DOCTOR)),
	 INTO(no_sandbox),
	 .help = "Do not limit this program to the files and system calls that it needs. For debugging only."},
	{
		.name = "verbose",
		.letter = 'v',
		.section = CTD_OPTIONS_GENERAL,
		.commands = CTD_OPTION_OF_ALL,
		.store = ctd_store_more,
		INTO(verbose),
		.help = "Say on stderr what is done and why; twice: each step.",
	},
	{
		.name = "help",
		.letter = 'h',
		.section = CTD_OPTIONS_GENERAL,
		.commands = CTD_OPTION_OF_ALL,
		.help = "Print this.",
	},
	{
		.name = "version",
		.letter = 'V',
		.section = CTD_OPTIONS_GENERAL,
		.commands = CTD_OPTION_OF_ALL,
		.help = "Print the version.",
	},
	{FLAG("man", CTD_OPTIONS_HIDDEN, ON(HELP)), INTO(manual),
	 .help = "Print the manual page, in roff."},
	{
		.name = "completion",
		.metavar = "SHELL",
		.section = CTD_OPTIONS_HIDDEN,
		.commands = ON(HELP),
		.store = ctd_store_choice_text,
		INTO(completion),
		.choices = shells,
		.help = "Print what the shell needs to complete our command lines.",
	},
	{0},
};
