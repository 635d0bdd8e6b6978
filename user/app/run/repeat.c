/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* repeat.c - runs a command several times, and shows what its runs have in common. */
#include "app/run/repeat.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/show.h"
#include "app/stop.h"
#include "base/auto.h"
#include "base/log.h"

/* How late a signal may be seen that comes between the look for it and the wait. */
#define STOP_CHECK_MS 1000

/* In the child. Where we are killed, it ends the command and removes its cgroup. */
static void __attribute__((noreturn))
be_run(const struct ctd_options *options, ctd_run_once *run, bool first, int fd)
{
	struct ctd_options own = *options;
	struct ctd_run_figures figures = {0};
	bool complete = false;
	int status;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	/* Ours writes it. */
	own.output = NULL;
	/* What the first run has warned of holds for all. */
	if (!first && ctd_log_level() == CTD_LOG_WARNING)
		ctd_log_set_level(CTD_LOG_ERROR);
	status = run(&own, &figures, &complete);
	if (complete && write(fd, &figures, sizeof(figures)) != sizeof(figures))
		status = 1;
	exit(status);
}

static int await(pid_t pid)
{
	autoclose int exit_fd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd exit = {.fd = exit_fd, .events = POLLIN};
	bool asked = false;
	int status;

	while (exit_fd >= 0 && poll(&exit, 1, STOP_CHECK_MS) <= 0) {
		if (ctd_stop_came() && !asked) {
			kill(pid, SIGTERM);
			asked = true;
		}
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* @return the exit status. */
static int run_once(const struct ctd_options *options, ctd_run_once *run, bool first,
		    struct ctd_run_figures *ret_figures, bool *ret_complete)
{
	int ends[2], status;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC)) {
		ctd_log_error(-errno, "make a pipe");
		return 1;
	}
	pid = fork();
	if (!pid) {
		close(ends[0]);
		be_run(options, run, first, ends[1]);
	}
	close(ends[1]);
	if (pid < 0)
		ctd_log_error(-errno, "fork");
	status = pid < 0 ? 1 : await(pid);
	*ret_complete = read(ends[0], ret_figures, sizeof(*ret_figures)) == sizeof(*ret_figures);
	close(ends[0]);
	return status;
}

int ctd_repeat(const struct ctd_options *options, ctd_run_once *run)
{
	autofree struct ctd_run_figures *runs = calloc(options->repeat, sizeof(*runs));
	struct ctd_sink_options outlet;
	size_t count = 0;
	int status = 0;

	if (!runs) {
		ctd_log_error(-ENOMEM, "remember %d runs", (int)options->repeat);
		return 1;
	}
	ctd_stop_prepare();
	if (ctd_show_open(options, &outlet))
		return 1;
	while (count < options->repeat && !status && !ctd_stop_came()) {
		bool complete = false;

		status = run_once(options, run, count == 0, &runs[count], &complete);
		if (complete && status)
			ctd_warn(
				"run %zu of %d ended with status %d: it is left out, and no other begins",
				count + 1, (int)options->repeat, status);
		else if (complete && !status)
			count++;
		else if (!status)
			status = 1;
	}
	if (count && ctd_run_summary_write(&outlet, options->program, runs, count) && !status)
		status = 1;
	ctd_show_close(&outlet);
	return status;
}
