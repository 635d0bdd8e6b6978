/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_worker.c - a process that reads a file of an enemy can do nothing but compute and answer. */
#include "profile/lines/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define PAGE 4096
#define READ_WRITE (PROT_READ | PROT_WRITE)

struct call {
	long number;
	long arguments[6];
};

static bool is_refused(const struct call *call)
{
	const long *a = call->arguments;

	errno = 0;
	return syscall(call->number, a[0], a[1], a[2], a[3], a[4], a[5]) == -1 && errno == EPERM;
}

static void filter(void)
{
	scmp_filter_ctx filter = ctd_worker_filter();

	if (!filter || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || seccomp_load(filter))
		_exit(255);
}

/* @return 1 + the index of the first that is let through; 0: none is. */
static int try(const struct call *calls, int count)
{
	filter();
	for (int i = 0; i < count; i++)
		if (!is_refused(&calls[i]))
			return 1 + i;
	return 0;
}

static int status_of(pid_t pid)
{
	int status = -1;

	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void nothing_can_be_opened_started_or_shared(void **state)
{
	static const char path[] = "/etc/passwd", nothing[] = "";
	struct stat status;
	void *page = mmap(NULL, PAGE, READ_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const struct call calls[] = {
		{SYS_openat, {AT_FDCWD, (long)path, O_RDONLY}},
		{SYS_read, {fd, (long)page, 1}},
		/* A path is taken with it, too. */
		{SYS_newfstatat, {AT_FDCWD, (long)path, (long)&status, AT_EMPTY_PATH}},
		{SYS_newfstatat, {fd, (long)nothing, (long)&status, AT_EMPTY_PATH}},
		{SYS_socket, {AF_UNIX, SOCK_STREAM, 0}},
		{SYS_kill, {getppid(), 0}},
		{SYS_clone, {SIGCHLD}},
		{SYS_execve, {(long)path, 0, 0}},
		{SYS_ptrace, {16, getppid(), 0, 0}},
		{SYS_prctl, {PR_SET_PDEATHSIG, 0}},
		{SYS_prlimit64, {0, 0, 0, (long)&status}},
		{SYS_memfd_create, {(long)path, 0}},
		{SYS_mmap, {0, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0}},
		/* What no limit counts. */
		{SYS_mmap, {0, PAGE, READ_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0}},
		{SYS_mmap,
		 {0, PAGE, READ_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0}},
		{SYS_mmap, {0, PAGE, PROT_READ, MAP_PRIVATE, fd, 0}},
		{SYS_mremap, {(long)page, PAGE, PAGE, 0, 0}},
#ifndef __SANITIZE_ADDRESS__
		{SYS_mprotect, {(long)page, PAGE, PROT_READ | PROT_EXEC}},
#endif
	};
	pid_t pid;

	(void)state;
	assert_true(page != MAP_FAILED && fd >= 0);
	pid = fork();
	if (!pid)
		_exit(try(calls, sizeof(calls) / sizeof(*calls)));
	assert_int_equal(status_of(pid), 0);
	munmap(page, PAGE);
	close(fd);
}

static void memory_and_an_answer_can_be_had(void **state)
{
	int ends[2];
	char answer = 0;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (!pid) {
		filter();
		if (mmap(NULL, PAGE, READ_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
			_exit(1);
		_exit(write(ends[1], "x", 1) == 1 ? 0 : 2);
	}
	assert_int_equal(status_of(pid), 0);
	assert_int_equal(read(ends[0], &answer, 1), 1);
	assert_int_equal(answer, 'x');
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_can_be_opened_started_or_shared),
		cmocka_unit_test(memory_and_an_answer_can_be_had),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
