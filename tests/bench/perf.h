/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* perf.h - perf stat over two cgroups, in either of its modes, started and ended as wanted. */
#ifndef BENCH_PERF_H
#define BENCH_PERF_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"

#define PERF_START_MS 20000

struct perf {
	pid_t pid;
	int in_fd, out_fd; /* of the cat that perf runs */
	int log_fd; /* memory into which it writes what it counted */
};

static inline void perf_exec(const struct perf *perf, const char *program, bool bpf_counters,
			     const char *cgroups, const char *events, int in, int out)
{
	const char *arguments[24];
	char log_fd[16];
	int count = 0;

	arguments[count++] = "perf";
	arguments[count++] = "stat";
	arguments[count++] = "-x;";
	arguments[count++] = "--log-fd";
	arguments[count++] = log_fd;
	arguments[count++] = "-a";
	if (bpf_counters)
		arguments[count++] = "--bpf-counters";
	arguments[count++] = "--for-each-cgroup";
	arguments[count++] = cgroups;
	arguments[count++] = "-e";
	arguments[count++] = events;
	arguments[count++] = "--";
	arguments[count++] = "cat";
	arguments[count] = NULL;
	snprintf(log_fd, sizeof(log_fd), "%d", perf->log_fd);
	fcntl(perf->log_fd, F_SETFD, 0);
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	execv(program, (char *const *)arguments);
	_exit(127);
}

/* perf runs its command once it counts: when the cat answers, it does. */
static inline int perf_wait_started(const struct perf *perf)
{
	struct pollfd answer = {.fd = perf->out_fd, .events = POLLIN};
	char byte = '\n';

	if (write(perf->in_fd, &byte, 1) != 1 || poll(&answer, 1, PERF_START_MS) != 1 ||
	    read(perf->out_fd, &byte, 1) != 1)
		return -ETIMEDOUT;
	return 0;
}

/* How many figures, one for each event and cgroup, come from time in which perf counted. A line is
 * "value;unit;event;cgroup;ns it counted;...", with an empty unit for most. */
static inline int perf_counted(int log_fd)
{
	FILE *file = fdopen(log_fd, "r");
	unsigned long long running_ns;
	char line[512];
	int counted = 0;

	if (!file)
		return 0;
	rewind(file);
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%*[^;];%*[^;];%*[^;];%*[^;];%llu;", &running_ns) == 1 ||
		    sscanf(line, "%*[^;];;%*[^;];%*[^;];%llu;", &running_ns) == 1)
			counted += running_ns > 0;
	}
	fclose(file);
	return counted;
}

/* @return how many events in how many cgroups it counted, multiplied; -1 if it failed. */
static inline int perf_stop(struct perf *perf)
{
	int status, counted;

	close(perf->in_fd);
	close(perf->out_fd);
	if (waitpid(perf->pid, &status, 0) != perf->pid)
		status = -1;
	counted = perf_counted(perf->log_fd);
	return status ? -1 : counted;
}

static inline int perf_start(const char *program, bool bpf_counters, const char *cgroups,
			     const char *events, struct perf *perf)
{
	int in[2], out[2], error;

	perf->log_fd = memfd_create("perf", MFD_CLOEXEC);
	if (perf->log_fd < 0 || pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
		return ctd_log_error(-errno, "make pipes for perf");
	perf->pid = fork();
	if (perf->pid < 0)
		return ctd_log_error(-errno, "fork");
	if (perf->pid == 0)
		perf_exec(perf, program, bpf_counters, cgroups, events, in[0], out[1]);
	close(in[0]);
	close(out[1]);
	perf->in_fd = in[1];
	perf->out_fd = out[0];
	error = perf_wait_started(perf);
	if (error) {
		kill(perf->pid, SIGKILL);
		perf_stop(perf);
		return ctd_log_error(error, "start '%s stat'", program);
	}
	return 0;
}

#endif
