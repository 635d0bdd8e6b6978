/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* command.c - starts a shell in a process group of its own, and ends all of it. */
#include "app/top/command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"

#define ORDERLY_NS 2000000000ull
#define LOOK_NS 20000000l

/* In the child, where only calls that are safe after fork() are allowed: there are other threads. */
static void __attribute__((noreturn))
run(const char *text, const struct rlimit *files, int input_fd, int output_fd, pid_t parent)
{
	sigset_t none;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	/* Until exec() ours would take them, and the program would never know. */
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	/* Many programs go through all numbers that there may be. */
	if (files->rlim_max)
		setrlimit(RLIMIT_NOFILE, files);
	if (getppid() == parent && dup2(input_fd, STDIN_FILENO) >= 0 &&
	    dup2(output_fd, STDOUT_FILENO) >= 0)
		execl("/bin/sh", "sh", "-c", text, (char *)NULL);
	_exit(127);
}

int ctd_top_command_begin(const char *text, const struct rlimit *files,
			  struct ctd_top_command *ret_command)
{
	autoclose int input = -1, output = -1, its_input = -1, its_output = -1;
	int in[2], out[2];
	pid_t parent = getpid(), pid;

	if (pipe2(in, O_CLOEXEC))
		return ctd_log_error(-errno, "make a pipe");
	its_input = in[0];
	input = in[1];
	if (pipe2(out, O_CLOEXEC))
		return ctd_log_error(-errno, "make a pipe");
	output = out[0];
	its_output = out[1];
	if (fcntl(output, F_SETFL, O_NONBLOCK))
		return ctd_log_error(-errno, "make a pipe");
	pid = fork();
	if (pid < 0)
		return ctd_log_error(-errno, "start '%s'", text);
	if (!pid)
		run(text, files, its_input, its_output, parent);
	/* The child calls it, too: it is not known which of the two runs first. */
	setpgid(pid, pid);
	*ret_command = (struct ctd_top_command){
		.pid = pid, .output_fd = take_fd(output), .input_fd = take_fd(input)};
	return 0;
}

ssize_t ctd_top_command_read(struct ctd_top_command *command, char *text, size_t bytes)
{
	ssize_t count = TEMP_FAILURE_RETRY(read(command->output_fd, text, bytes));

	if (count < 0 && errno == EAGAIN)
		return -EAGAIN;
	if (count > 0)
		return count;
	close(command->output_fd);
	command->output_fd = -1;
	return 0;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void ctd_top_command_end(struct ctd_top_command *command)
{
	const struct timespec look = {.tv_nsec = LOOK_NS};
	uint64_t end_ns = ctd_monotonic_ns() + ORDERLY_NS;
	siginfo_t info = {0};

	close_fd(&command->input_fd);
	close_fd(&command->output_fd);
	if (!command->pid)
		return;
	kill(-command->pid, SIGTERM);
	/* Its number, and so that of its group, is its own until it was waited for. */
	while (!waitid(P_PID, (id_t)command->pid, &info, WEXITED | WNOHANG | WNOWAIT) &&
	       !info.si_pid && ctd_monotonic_ns() < end_ns)
		nanosleep(&look, NULL);
	kill(-command->pid, SIGKILL);
	TEMP_FAILURE_RETRY(waitpid(command->pid, NULL, 0));
	command->pid = 0;
}
