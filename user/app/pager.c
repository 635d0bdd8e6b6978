/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pager.c - long texts for people go through their pager. */
#include "app/pager.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The shell's statuses of a command that it could not run. */
#define CANNOT_RUN 126
#define NOT_FOUND 127

/* @return NULL: print as it is. */
static const char *find_pager(void)
{
	const char *pager = getenv("PAGER");

	if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO))
		return NULL;
	/* Where there is no less, the shell need not say so. */
	if (!pager)
		return "command -v less >/dev/null || exit 127; exec less";
	return *pager && strcmp(pager, "cat") != 0 ? pager : NULL;
}

void ctd_pager_show(void (*print)(FILE *out, const void *context), const void *context)
{
	const char *pager = find_pager();
	FILE *out;
	int status;

	/* Less quits at the end of a short text, and leaves the text on the screen. */
	setenv("LESS", "FX", 0);
	out = pager ? popen(pager, "we") : NULL; /* NOLINT(cert-env33-c): it is the user's own */
	if (out) {
		/* Ctrl-C is the pager's, which would be left on the terminal without us. */
		signal(SIGINT, SIG_IGN);
		print(out, context);
		status = pclose(out);
		if (!WIFEXITED(status) || WEXITSTATUS(status) < CANNOT_RUN ||
		    WEXITSTATUS(status) > NOT_FOUND)
			return;
	}
	print(stdout, context);
}
