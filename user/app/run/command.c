/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* command.c - runs a command in a cgroup of its own, and cleans up after it. */
#include "app/run/command.h"

#include <cgtopdown/collect.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/stop.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/root.h"

/* A killed process holds its cgroup until it has left the CPU: the directory is tried this often. */
#define REMOVE_ATTEMPTS 200
#define REMOVE_PAUSE_US 10000
#define CGROUP_DEPTH_MAX 32
/* How long a command may take to end when it was asked to. */
#define GRACE_MS 5000
/* How late a signal may be seen that comes between the look for it and the wait. */
#define STOP_CHECK_MS 1000

static int join(const char *directory)
{
	char path[600];
	autoclose int fd = -1;

	snprintf(path, sizeof(path), "%s/cgroup.procs", directory);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	return fd < 0 || write(fd, "0", 1) != 1 ? -errno : 0;
}

/* Kills every process of the cgroup. */
static void kill_processes(const char *directory)
{
	char path[CTD_PATH_MAX];
	autofclose FILE *procs = NULL;
	char line[32];

	snprintf(path, sizeof(path), "%s/cgroup.procs", directory);
	procs = fopen(path, "re");
	while (procs && fgets(line, sizeof(line), procs)) {
		long pid = strtol(line, NULL, 10);

		/* 0 would be a process of another namespace, and kill() ourselves. */
		if (pid > 0)
			kill((pid_t)pid, SIGKILL);
	}
}

/* Once over the cgroup and those that the command made below it, deepest first. */
static void empty_cgroup(const char *directory, int depth)
{
	DIR *entries = depth < CGROUP_DEPTH_MAX ? opendir(directory) : NULL;
	const struct dirent *entry;
	char path[CTD_PATH_MAX];

	while (entries && (entry = readdir(entries))) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		if (snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name) <
		    (int)sizeof(path))
			empty_cgroup(path, depth + 1);
	}
	if (entries)
		closedir(entries);
	kill_processes(directory);
	rmdir(directory);
}

static void remove_cgroup(const char *directory)
{
	for (int attempt = 0; attempt < REMOVE_ATTEMPTS; attempt++) {
		empty_cgroup(directory, 0);
		if (access(directory, F_OK))
			return;
		usleep(REMOVE_PAUSE_US);
	}
}

/* Sleeps until our end of the pipe is closed, by us or by the kernel because we were killed. */
static void be_janitor(const char *directory, int fd)
{
	char byte;

	prctl(PR_SET_NAME, "ctd-janitor");
	setsid();
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	/* Readers of our output must see its end when we are gone. */
	dup2(fd, STDIN_FILENO);
	syscall(SYS_close_range, 1, ~0u, 0);
	while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR)
		;
	remove_cgroup(directory);
	_exit(0);
}

static int start_janitor(struct ctd_command_run *run)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return ctd_log_error(-errno, "make a pipe");
	run->janitor = fork();
	if (run->janitor < 0) {
		close(ends[0]);
		close(ends[1]);
		return ctd_log_error(-errno, "fork");
	}
	if (!run->janitor) {
		close(ends[1]);
		be_janitor(run->directory, ends[0]);
	}
	close(ends[0]);
	run->janitor_fd = ends[1];
	return 0;
}

/* In the child: joins the cgroup, waits for the word, becomes the command. */
static void be_command(const struct ctd_command_run *run, const struct ctd_options *options,
		       int go_fd, int failure_fd)
{
	char **argv = options->program;
	int error = join(run->directory);
	char byte;

	signal(SIGPIPE, SIG_DFL);
	/* The recording is there. */
	if (ctd_options_is_stream(options))
		dup2(STDERR_FILENO, STDOUT_FILENO);
	if (!error) {
		if (read(go_fd, &byte, 1) != 1)
			_exit(127); /* we were not to begin */
		execvp(argv[0], argv);
		error = -errno;
	}
	if (write(failure_fd, &error, sizeof(error)) != sizeof(error))
		_exit(126);
	_exit(127);
}

static int start_command(struct ctd_command_run *run, const struct ctd_options *options)
{
	int go[2] = {-1, -1}, failure[2] = {-1, -1};

	if (pipe2(go, O_CLOEXEC) || pipe2(failure, O_CLOEXEC)) {
		int error = -errno;

		if (go[0] >= 0) {
			close(go[0]);
			close(go[1]);
		}
		return ctd_log_error(error, "make a pipe");
	}
	run->pid = fork();
	if (!run->pid) {
		close(go[1]);
		close(failure[0]);
		be_command(run, options, go[0], failure[1]);
	}
	close(go[0]);
	close(failure[1]);
	run->go_fd = go[1];
	run->failure_fd = failure[0];
	if (run->pid < 0) {
		run->pid = 0;
		return ctd_log_error(-errno, "fork");
	}
	run->exit_fd = (int)syscall(SYS_pidfd_open, run->pid, 0);
	if (run->exit_fd < 0)
		return ctd_log_error(-errno, "watch the command for its end (pidfd_open)");
	return 0;
}

int ctd_command_prepare(const struct ctd_options *options, struct ctd_command_run *run)
{
	struct ctd_cgroup_hierarchy hierarchy;
	int error;

	*run = (struct ctd_command_run){
		.go_fd = -1, .failure_fd = -1, .janitor_fd = -1, .exit_fd = -1};
	if (!options->program)
		return 0;
	error = ctd_collect_find_hierarchy(options->hierarchy, &hierarchy);
	if (error)
		return error;
	snprintf(run->directory, sizeof(run->directory), "%s/cgtopdown-%d", hierarchy.mount,
		 getpid());
	if (mkdir(run->directory, 0755)) {
		error = ctd_log_error(-errno, "make a cgroup for the command, '%s'",
				      run->directory);
		run->directory[0] = '\0';
		return error;
	}
	error = start_janitor(run);
	if (!error)
		error = ctd_cgroup_id_of(run->directory, &run->cgroup_id);
	if (!error)
		error = start_command(run, options);
	return error;
}

int ctd_command_begin(struct ctd_command_run *run, char **argv)
{
	int error = 0;

	run->begun_ns = ctd_monotonic_ns();
	if (write(run->go_fd, "g", 1) != 1)
		return ctd_log_error(-errno, "start '%s'", argv[0]);
	close(run->go_fd);
	run->go_fd = -1;
	/* exec closes the other end: nothing to read means that it worked. */
	if (read(run->failure_fd, &error, sizeof(error)) != sizeof(error))
		return 0;
	run->refused = error;
	return ctd_log_error(error, "run '%s'", argv[0]);
}

int ctd_command_end(struct ctd_command_run *run)
{
	int status;

	while (wait4(run->pid, &status, 0, &run->usage) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	if (!run->ended_ns)
		run->ended_ns = ctd_monotonic_ns();
	run->pid = 0;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool ctd_command_ended(const struct ctd_command_run *run)
{
	struct pollfd exit = {.fd = run->exit_fd, .events = POLLIN};

	return poll(&exit, 1, 0) > 0;
}

/* Asks the command to end, and makes it, with all that it started, if it does not. */
static void stop_command(const struct ctd_command_run *run)
{
	struct pollfd exit = {.fd = run->exit_fd, .events = POLLIN};
	uint64_t until_ns = ctd_monotonic_ns() + GRACE_MS * 1000000ull;
	uint64_t now_ns;

	kill(run->pid, SIGTERM);
	while ((now_ns = ctd_monotonic_ns()) < until_ns) {
		int left_ms = (int)((until_ns - now_ns + 999999) / 1000000);

		if (poll(&exit, 1, left_ms) > 0)
			return;
	}
	ctd_warn("the command has not ended %d s after SIGTERM: it is killed", GRACE_MS / 1000);
	empty_cgroup(run->directory, 0);
	kill(run->pid, SIGKILL); /* it may have moved elsewhere */
}

/* A signal that comes while nothing but the command is waited for is meant for it, too. One that
 * comes just before the poll is seen at its end. */
static void await_command(const struct ctd_command_run *run)
{
	struct pollfd exit = {.fd = run->exit_fd, .events = POLLIN};

	while (!ctd_command_ended(run)) {
		if (ctd_stop_came()) {
			stop_command(run);
			return;
		}
		poll(&exit, 1, STOP_CHECK_MS);
	}
}

int ctd_command_status(struct ctd_command_run *run, bool has_command, int error)
{
	int status;

	/* As a shell has it (POSIX, 2.8.2). */
	if (run->refused)
		return run->refused == -ENOENT ? 127 : 126;
	if (!has_command || error)
		return error ? 1 : 0;
	await_command(run);
	status = ctd_command_end(run);
	return status < 0 ? 1 : status;
}

void ctd_command_free(struct ctd_command_run *run)
{
	const int fds[] = {run->go_fd, run->failure_fd, run->exit_fd, run->janitor_fd};

	if (!*run->directory)
		return;
	if (run->pid > 0) {
		kill(run->pid, SIGKILL);
		ctd_command_end(run);
	}
	for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++) {
		if (fds[i] >= 0)
			close(fds[i]);
	}
	if (run->janitor > 0)
		waitpid(run->janitor, NULL, 0);
	else
		remove_cgroup(run->directory);
	*run = (struct ctd_command_run){};
}
