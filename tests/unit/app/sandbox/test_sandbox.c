/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_sandbox.c - the sandbox allows the calls that a command needs, and kills for those of
 * intruders. */
#include "app/sandbox/sandbox.h"

#include <cgtopdown/sampler.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Its exit status, or 1000 and the signal that ended it, of a process in the sandbox. */
static int run_confined_to(enum ctd_privileges needed, const struct ctd_options *options,
			   int (*act)(void))
{
	pid_t child = fork();
	int status;

	if (!child) {
		const struct rlimit no_core = {0, 0};
		struct ctd_sandbox sandbox;

		setrlimit(RLIMIT_CORE, &no_core);
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		ctd_sandbox_make(options, needed, &sandbox);
		ctd_sandbox_enter(&sandbox);
		_exit(act());
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int run_confined(const struct ctd_options *options, int (*act)(void))
{
	return run_confined_to(CTD_PRIVILEGES_TO_RUN, options, act);
}

static int execute(void)
{
	return execl("/bin/true", "true", NULL);
}

#ifndef __SANITIZE_ADDRESS__
/* The leak checker does it. */
static int attach(void)
{
	return (int)ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}
#endif

static int mount_here(void)
{
	return mount("none", "/tmp", "tmpfs", 0, NULL);
}

static int enter_namespace(void)
{
	return unshare(CLONE_NEWUSER);
}

static int look_into_others(void)
{
	return (int)syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0);
}

static void what_intruders_call_is_the_end(void **state)
{
	static const struct ctd_options options = {.command = CTD_COMMAND_SERVE,
						   .hierarchy = "auto"};
	static int (*const acts[])(void) = {execute, mount_here, enter_namespace,
#ifndef __SANITIZE_ADDRESS__
					    attach,
#endif
					    look_into_others};

	(void)state;
	for (size_t i = 0; i < sizeof(acts) / sizeof(*acts); i++)
		assert_int_equal(run_confined(&options, acts[i]), 1000 + SIGSYS);
}

static int write_file(void)
{
	return open("/tmp/ctd-test-sandbox", O_WRONLY | O_CREAT, 0600) < 0 ? errno : 0;
}

static int start_process(void)
{
	return fork() < 0 ? errno : 0;
}

static int type_into_terminal(void)
{
	return ioctl(STDIN_FILENO, TIOCSTI, "x") ? errno : 0;
}

static int kill_parent(void)
{
	return kill(getppid(), SIGCONT) ? errno : 0;
}

static int change_mode(void)
{
	return chmod("/tmp", 01777) ? errno : 0;
}

static int open_socket(void)
{
	return socket(AF_INET, SOCK_STREAM, 0) < 0 ? errno : 0;
}

static int open_packets(void)
{
	return socket(AF_PACKET, SOCK_RAW, 0) < 0 ? errno : 0;
}

static void what_is_not_needed_is_refused(void **state)
{
	static const struct ctd_options stat = {.command = CTD_COMMAND_STAT, .hierarchy = "auto"};
	static const struct ctd_options serve = {.command = CTD_COMMAND_SERVE, .hierarchy = "auto"};

	(void)state;
	assert_int_equal(run_confined(&stat, write_file), EPERM);
#ifndef __SANITIZE_ADDRESS__
	assert_int_equal(run_confined(&stat, start_process), EPERM);
#else
	(void)start_process;
#endif
	assert_int_equal(run_confined(&stat, type_into_terminal), EPERM);
	assert_int_equal(run_confined(&stat, kill_parent), EPERM);
	assert_int_equal(run_confined(&stat, change_mode), EPERM);
	assert_int_equal(run_confined(&stat, open_socket), EPERM);
	assert_int_equal(run_confined(&serve, open_socket), 0);
	assert_int_equal(run_confined(&serve, open_packets), EPERM);
}

/* TCGETS2, as newer libraries ask. */
static int ask_terminal(void)
{
	char attributes[44];

	return ioctl(STDIN_FILENO, _IOC(_IOC_READ, 'T', 0x2a, sizeof(attributes)), attributes) &&
			       errno == EPERM
		       ? EPERM
		       : 0;
}

/* TCSETSW2, with nothing to set. */
static int set_terminal(void)
{
	return ioctl(STDIN_FILENO, _IOC(_IOC_WRITE, 'T', 0x2c, 44), NULL) && errno == EPERM ? EPERM
											    : 0;
}

static void a_terminal_is_asked_and_only_a_screen_sets_it(void **state)
{
	static const struct ctd_options stat = {.command = CTD_COMMAND_STAT, .hierarchy = "auto"};
	static const struct ctd_options top = {.command = CTD_COMMAND_TOP, .hierarchy = "auto"};

	(void)state;
	assert_int_equal(run_confined(&stat, ask_terminal), 0);
	assert_int_equal(run_confined(&stat, set_terminal), EPERM);
	assert_int_equal(run_confined_to(CTD_PRIVILEGES_TO_SHOW, &top, set_terminal), 0);
}

static int open_local_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0) < 0 ? errno : 0;
}

static int call_bpf(void)
{
	return syscall(SYS_bpf, -1, NULL, 0) < 0 && errno == EPERM ? EPERM : 0;
}

static int read_elsewhere(void)
{
	return open("/tmp", O_RDONLY | O_DIRECTORY) < 0 ? errno : 0;
}

static int read_proc(void)
{
	return open("/proc/self/status", O_RDONLY) < 0 ? errno : 0;
}

static int read_certificates(void)
{
	return open("/etc/passwd", O_RDONLY) < 0 ? errno : 0;
}

static void files_are_those_that_the_command_needs(void **state)
{
	static const struct ctd_options stat = {.command = CTD_COMMAND_STAT, .hierarchy = "auto"};
	static const struct ctd_options serve = {.command = CTD_COMMAND_SERVE, .hierarchy = "auto"};
	static const struct ctd_options beside = {
		.command = CTD_COMMAND_SERVE, .hierarchy = "auto", .serve.tls_key = "/tmp/key"};
	static const struct ctd_options off = {
		.command = CTD_COMMAND_STAT, .hierarchy = "auto", .no_sandbox = true};

	(void)state;
	assert_int_equal(run_confined(&stat, read_proc), 0);
	assert_int_equal(run_confined(&serve, read_certificates), 0);
	/* What takes the place of a key is beside it. */
	assert_int_equal(run_confined(&beside, read_elsewhere), 0);
	assert_int_equal(run_confined(&off, read_elsewhere), 0);
	assert_int_equal(run_confined(&off, open_socket), 0);
	if (!ctd_landlock_version()) {
		print_message("this kernel has no Landlock\n");
		return;
	}
	assert_int_equal(run_confined(&stat, read_elsewhere), EACCES);
	assert_int_equal(run_confined(&stat, read_certificates), EACCES);
}

static const char *path_of_file;

static int read_file(void)
{
	return open(path_of_file, O_RDONLY) < 0 ? errno : 0;
}

static int read_root(void)
{
	return open("/", O_RDONLY | O_CLOEXEC) < 0 ? errno : 0;
}

/* A new sampler of older libraries. */
static void who_samples_may_open_the_root_and_read_no_file_below_it(void **state)
{
	static const struct ctd_options serve = {.command = CTD_COMMAND_SERVE, .hierarchy = "auto"};
	static const struct ctd_options samples = {
		.command = CTD_COMMAND_SERVE, .hierarchy = "auto", .with_profile = true};
	char path[] = "/tmp/ctd-sandbox-XXXXXX";
	int fd;

	(void)state;
	if (!ctd_landlock_version()) {
		print_message("this kernel has no Landlock\n");
		skip();
	}
	assert_int_equal(run_confined(&serve, read_root), EACCES);
	assert_int_equal(run_confined(&samples, read_root), ctd_sampler_opens_root() ? 0 : EACCES);
	fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	path_of_file = path;
	assert_int_equal(run_confined(&samples, read_file), EACCES);
	path_of_file = NULL;
	assert_int_equal(unlink(path), 0);
}

static void who_counts_nothing_needs_less(void **state)
{
	static const struct ctd_options report = {.command = CTD_COMMAND_REPORT,
						  .hierarchy = "auto"};
	static const struct ctd_options stat = {.command = CTD_COMMAND_STAT, .hierarchy = "auto"};
	static const struct ctd_options profile = {.command = CTD_COMMAND_PROFILE,
						   .hierarchy = "auto"};

	(void)state;
	assert_int_equal(run_confined_to(CTD_PRIVILEGES_TO_SHOW, &report, call_bpf), EPERM);
	assert_int_equal(run_confined_to(CTD_PRIVILEGES_TO_SHOW, &report, open_local_socket),
			 EPERM);
	assert_int_equal(run_confined_to(CTD_PRIVILEGES_TO_ASK, &stat, call_bpf), EPERM);
	assert_int_equal(run_confined_to(CTD_PRIVILEGES_TO_ASK, &stat, open_socket), EPERM);
	assert_int_equal(run_confined_to(CTD_PRIVILEGES_TO_ASK, &stat, open_local_socket), 0);
	assert_int_equal(run_confined_to(CTD_PRIVILEGES_TO_PROFILE, &profile, write_file), EPERM);
	assert_int_equal(run_confined_to(CTD_PRIVILEGES_TO_PROFILE, &profile, open_socket), EPERM);
	/* Files of every container. */
	assert_int_equal(run_confined_to(CTD_PRIVILEGES_TO_PROFILE, &profile, read_elsewhere), 0);
	if (!ctd_landlock_version())
		return;
	assert_int_equal(run_confined_to(CTD_PRIVILEGES_TO_SHOW, &report, read_proc), EACCES);
	assert_int_equal(run_confined_to(CTD_PRIVILEGES_TO_ASK, &stat, read_proc), EACCES);
}

static int signal_parent(void)
{
	int parent = (int)syscall(SYS_pidfd_open, getppid(), 0);

	return parent < 0 ? errno : 0;
}

/* With a descriptor of no process: what the filter lets through the kernel refuses otherwise. */
static int send_by_pidfd(int signal, unsigned int flags)
{
	return syscall(SYS_pidfd_send_signal, -1, signal, NULL, flags) < 0 ? errno : 0;
}

static int end_by_pidfd(void)
{
	return send_by_pidfd(SIGTERM, 0);
}

static int kill_by_pidfd(void)
{
	return send_by_pidfd(SIGKILL, 0);
}

static int end_group_by_pidfd(void)
{
	return send_by_pidfd(SIGTERM, 1u << 2 /* PIDFD_SIGNAL_PROCESS_GROUP */);
}

static int forge_by_pidfd(void)
{
	siginfo_t info = {.si_signo = SIGTERM, .si_code = SI_QUEUE};

	return syscall(SYS_pidfd_send_signal, -1, SIGTERM, &info, 0) < 0 ? errno : 0;
}

static int make_file_here(void)
{
	return open("test-sandbox-new", O_WRONLY | O_CREAT | O_EXCL, 0600) < 0 ? errno : 0;
}

static int make_file_elsewhere(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/tmp/ctd-sandbox-new-%d", getppid());
	return open(path, O_WRONLY | O_CREAT | O_EXCL, 0600) < 0 ? errno : 0;
}

static int write_file_here(void)
{
	return open("test-sandbox-new", O_WRONLY) < 0 ? errno : 0;
}

static int make_or_write_file_here(void)
{
	return open("test-sandbox-new", O_WRONLY | O_CREAT, 0600) < 0 ? errno : 0;
}

/* No filter sees its flags. */
static int write_file_here_by_openat2(void)
{
	struct open_how how = {.flags = O_WRONLY};

	return syscall(SYS_openat2, AT_FDCWD, "test-sandbox-new", &how, sizeof(how)) < 0 ? errno
											 : 0;
}

static void a_screen_may_tell_a_process_to_end_and_nothing_else(void **state)
{
	static const struct ctd_options top = {.command = CTD_COMMAND_TOP, .hierarchy = "auto"};
	static int (*const refused[])(void) = {kill_by_pidfd, end_group_by_pidfd, forge_by_pidfd};

	(void)state;
	assert_int_equal(run_confined_to(CTD_PRIVILEGES_TO_WATCH, &top, end_by_pidfd), EBADF);
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		assert_int_equal(run_confined_to(CTD_PRIVILEGES_TO_WATCH, &top, refused[i]), EPERM);
	assert_int_equal(run_confined_to(CTD_PRIVILEGES_TO_ASK, &top, end_by_pidfd), EPERM);
}

static void a_screen_makes_new_files_and_touches_no_others(void **state)
{
	static const struct ctd_options top = {.command = CTD_COMMAND_TOP, .hierarchy = "auto"};
	static int (*const refused[])(void) = {
		write_file_here, make_or_write_file_here, write_file_here_by_openat2,
		kill_parent,	 signal_parent,		  open_local_socket,
		call_bpf,
	};
	char before[4096], directory[] = "/tmp/ctd-sandbox-XXXXXX";

	(void)state;
	assert_non_null(getcwd(before, sizeof(before)));
	assert_non_null(mkdtemp(directory));
	assert_int_equal(chdir(directory), 0);
	assert_int_equal(run_confined_to(CTD_PRIVILEGES_TO_WATCH, &top, make_file_here), 0);
	assert_int_equal(run_confined_to(CTD_PRIVILEGES_TO_WATCH, &top, make_file_here), EEXIST);
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		assert_int_equal(run_confined_to(CTD_PRIVILEGES_TO_WATCH, &top, refused[i]), EPERM);
	if (ctd_landlock_version()) {
		assert_int_equal(run_confined_to(CTD_PRIVILEGES_TO_WATCH, &top,
						 make_file_elsewhere),
				 EACCES);
		assert_int_equal(run_confined_to(CTD_PRIVILEGES_TO_WATCH, &top, read_proc), EACCES);
	}
	assert_int_equal(unlink("test-sandbox-new"), 0);
	assert_int_equal(chdir(before), 0);
	assert_int_equal(rmdir(directory), 0);
}

static void *confined_thread(void *result)
{
	*(int *)result = open_socket();
	return NULL;
}

static int start_thread(void)
{
	pthread_t thread;
	int result = 0;

	if (pthread_create(&thread, NULL, confined_thread, &result))
		return 1;
	pthread_join(thread, NULL);
	return result;
}

static int end_by_itself(void)
{
	abort();
}

static void threads_are_confined_as_who_starts_them(void **state)
{
	static const struct ctd_options stat = {.command = CTD_COMMAND_STAT, .hierarchy = "auto"};

	(void)state;
	assert_int_equal(run_confined(&stat, start_thread), EPERM);
	/* A failed assertion ends as ever. */
	assert_int_equal(run_confined(&stat, end_by_itself), 1000 + SIGABRT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_intruders_call_is_the_end),
		cmocka_unit_test(what_is_not_needed_is_refused),
		cmocka_unit_test(a_terminal_is_asked_and_only_a_screen_sets_it),
		cmocka_unit_test(files_are_those_that_the_command_needs),
		cmocka_unit_test(who_samples_may_open_the_root_and_read_no_file_below_it),
		cmocka_unit_test(who_counts_nothing_needs_less),
		cmocka_unit_test(a_screen_may_tell_a_process_to_end_and_nothing_else),
		cmocka_unit_test(a_screen_makes_new_files_and_touches_no_others),
		cmocka_unit_test(threads_are_confined_as_who_starts_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
