/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* main.c - from the command line to a command, from its result to an exit status. */
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#include "app/options/completion.h"
#include "app/options/config.h"
#include "app/options/options.h"
#include "app/pager.h"
#include "base/log.h"
#include "base/root.h"

#define EXIT_FAILED 1
#define EXIT_USAGE 2

static void print_help_of(FILE *out, const void *options)
{
	ctd_options_help(out, ((const struct ctd_options *)options)->help_of);
}

static int print_help(const struct ctd_options *options)
{
	if (options->manual)
		ctd_options_man(stdout);
	else if (options->completion)
		ctd_completion_print(stdout, options->completion);
	else
		ctd_pager_show(print_help_of, options);
	return 0;
}

static int run(const struct ctd_options *options)
{
	switch (options->command) {
	case CTD_COMMAND_STAT:
		return ctd_stat_main(options);
	case CTD_COMMAND_TOP:
		return ctd_top_main(options);
	case CTD_COMMAND_RECORD:
		return ctd_record_main(options);
	case CTD_COMMAND_REPORT:
		return ctd_report_main(options);
	case CTD_COMMAND_PROFILE:
		return ctd_profile_main(options);
	case CTD_COMMAND_NEIGHBOURS:
		return ctd_neighbours_main(options);
	case CTD_COMMAND_SERVE:
		return options->serve.check_config ? ctd_config_show(options)
						   : ctd_serve_main(options);
	case CTD_COMMAND_DOCTOR:
		return ctd_doctor_main(options);
	case CTD_COMMAND_LIST:
		return ctd_list_main(options);
	case CTD_COMMAND_HELP:
		return print_help(options);
	case CTD_COMMAND_VERSION:
		printf("cgtopdown %s\n", CTD_VERSION);
		return 0;
	}
	return EXIT_FAILED;
}

/* Below a root that is not there every file is absent, and the machine seems to have nothing. */
static int set_root(const char *root)
{
	struct stat status;

	if (root && stat(root, &status))
		return ctd_log_error(-errno, "--root '%s'", root);
	if (root && !S_ISDIR(status.st_mode))
		return ctd_log_error(-ENOTDIR, "--root '%s'", root);
	ctd_root_set(root);
	return 0;
}

int main(int argc, char **argv)
{
	struct ctd_options options;
	int status = EXIT_FAILED;

	/* For the characters that can be shown; numbers stay as in C, for programs that read them. */
	setlocale(LC_CTYPE, "");
	/* Times are local ones, whose file cannot be read from the sandbox. */
	tzset();
	/* A reader that has gone is an error of write(2). */
	signal(SIGPIPE, SIG_IGN);
	if (ctd_options_parse(argc, argv, &options))
		return EXIT_USAGE;
	if (options.verbose)
		ctd_log_set_level(options.verbose == 1 ? CTD_LOG_INFO : CTD_LOG_DEBUG);
	if (!set_root(options.root))
		status = run(&options);
	ctd_options_free(&options);
	/* What is still buffered may find no room, or no reader: the latter is nobody's loss. */
	if (fflush(stdout) && errno != EPIPE && !status) {
		ctd_log_error(-errno, "write the output");
		status = EXIT_FAILED;
	}
	return status;
}
