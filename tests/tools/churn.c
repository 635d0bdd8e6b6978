/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* churn.c - makes cgroups by the thousand, runs a process in each and removes them: a load for
 * tests. With CTD_TELL_LONGEST it says how many seconds the longest process took. */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

static int fail(const char *what, const char *path)
{
	fprintf(stderr, "churn: %s '%s': %s\n", what, path, strerror(errno));
	return 1;
}

/* kernel/cgroup: CLONE_INTO_CGROUP (ef2c41cf38a7, 5.7): the process begins there, nothing moves. */
static pid_t fork_into(int directory_fd)
{
	struct clone_args arguments = {
		.flags = CLONE_INTO_CGROUP,
		.exit_signal = SIGCHLD,
		.cgroup = (uint64_t)directory_fd,
	};

	return (pid_t)syscall(SYS_clone3, &arguments, sizeof(arguments));
}

/* @p longest_ns: the longest that a process was there, whatever of it was a hypervisor's. */
static int run_in(const char *directory, uint64_t work_ns, uint64_t *longest_ns)
{
	uint64_t began_ns = now_ns(), lived_ns;
	int status, fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	pid_t child;

	if (fd < 0)
		return fail("open", directory);
	child = fork_into(fd);
	if (!child) {
		uint64_t end_ns = now_ns() + work_ns;

		while (now_ns() < end_ns)
			;
		_exit(0);
	}
	close(fd);
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		return fail("run a process in", directory);
	lived_ns = now_ns() - began_ns;
	if (lived_ns > *longest_ns)
		*longest_ns = lived_ns;
	return 0;
}

int main(int argc, char **argv)
{
	int count = argc == 5 ? atoi(argv[3]) : 0;
	char directory[1024];
	uint64_t longest_ns = 0;

	if (count < 1) {
		fprintf(stderr, "usage: %s NAME CGROUP COUNT MICROSECONDS\n", argv[0]);
		return 2;
	}
	/* The children's name, too. */
	prctl(PR_SET_NAME, argv[1]);
	for (int i = 0; i < count; i++) {
		snprintf(directory, sizeof(directory), "%s/%d", argv[2], i);
		if (mkdir(directory, 0755))
			return fail("make", directory);
		if (run_in(directory, (uint64_t)atoll(argv[4]) * 1000, &longest_ns))
			return 1;
		if (rmdir(directory))
			return fail("remove", directory);
	}
	if (getenv("CTD_TELL_LONGEST"))
		printf("%.6f\n", (double)longest_ns / 1e9);
	return 0;
}
