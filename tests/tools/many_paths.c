/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* many_paths.c - many processes, each in a cgroup of its own, whose functions call each other on
 * ever new ways: hardly two samples have one stack. A load for tests.
 *
 * usage: many_paths SECONDS DIRECTORY...
 *
 * They begin when all are in their cgroups. Each looks at its clock before it ends: the kernel then
 * has counted all of its time.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DEPTH 10
#define TURN_ITERATIONS \
	200000 /* some 100 us, the least that a sampling clock of 1,000 Hz can miss */

static volatile uint64_t sink;
static uint64_t seed;

/* xorshift64, G. Marsaglia 2003: the way of a turn, three bits for each call. */
static uint64_t next_way(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static void call(uint64_t way, int depth);

/* Work behind the call, so that none is made into a jump: callers stay on the stack. */
#define FUNCTION(name)                                                      \
	static __attribute__((noinline)) void name(uint64_t way, int depth) \
	{                                                                   \
		call(way >> 3, depth - 1);                                  \
		sink += 1;                                                  \
	}

FUNCTION(add)
FUNCTION(bind)
FUNCTION(copy)
FUNCTION(divide)
FUNCTION(encode)
FUNCTION(find)
FUNCTION(group)
FUNCTION(hash)

static __attribute__((noinline)) void call(uint64_t way, int depth)
{
	static void (*const functions[])(uint64_t way, int depth) = {add,    bind, copy,  divide,
								     encode, find, group, hash};

	if (depth > 0)
		functions[way & 7](way, depth);
	else
		for (int i = 0; i < TURN_ITERATIONS; i++)
			sink += 1;
	sink += 1;
}

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void work(int seconds, int begin_fd)
{
	uint64_t end_ns;
	char ignored;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (read(begin_fd, &ignored, 1) != 0) /* until the other end is closed */
		_exit(1);
	end_ns = now_ns(CLOCK_MONOTONIC) + (uint64_t)seconds * 1000000000;
	seed = (uint64_t)getpid() * UINT64_C(0x9e3779b97f4a7c15);
	while (now_ns(CLOCK_MONOTONIC) < end_ns)
		call(next_way(), DEPTH);
	now_ns(CLOCK_PROCESS_CPUTIME_ID);
	_exit(0);
}

static int start_in(const char *directory, int seconds, const int begin[2])
{
	struct clone_args arguments = {
		.flags = CLONE_INTO_CGROUP,
		.exit_signal = SIGCHLD,
	};
	int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	long child;

	if (fd < 0)
		return -errno;
	arguments.cgroup = (uint64_t)fd;
	child = syscall(SYS_clone3, &arguments, sizeof(arguments));
	if (!child) {
		close(begin[1]);
		work(seconds, begin[0]);
	}
	close(fd);
	return child < 0 ? -errno : 0;
}

int main(int argc, char **argv)
{
	int begin[2], status, failed = 0;

	if (argc < 3 || atoi(argv[1]) <= 0) {
		fprintf(stderr, "usage: many_paths SECONDS DIRECTORY...\n");
		return 2;
	}
	if (pipe(begin)) {
		perror("many_paths: pipe");
		return 1;
	}
	for (int i = 2; i < argc; i++) {
		int error = start_in(argv[i], atoi(argv[1]), begin);

		if (error) {
			fprintf(stderr, "many_paths: start in '%s': %s\n", argv[i],
				strerror(-error));
			return 1;
		}
	}
	close(begin[0]);
	close(begin[1]);
	while (wait(&status) > 0)
		failed |= status != 0;
	return failed;
}
