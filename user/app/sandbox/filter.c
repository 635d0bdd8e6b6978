/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* filter.c - the system calls that each command needs: one table, made a filter by libseccomp. */
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "app/sandbox/sandbox.h"
#include "base/auto.h"

/* Who needs a call. */
#define ALL 1u /* memory, time, threads, what is open already, files to read */
#define COUNTS 2u /* counters and BPF programs */
#define SERVES 4u /* sockets */
#define COMMANDS 8u /* a COMMAND of ours to wait for, and its cgroup to remove */
#define ASKS 16u /* a local socket to ask at */
#define KEEPS 32u /* a history in files; beside SERVES, which has renaming and removing */
#define DRAWS 64u /* a terminal of which the whole screen is ours */
#define WATCHES 128u /* a process of ours that counts, to end; new files to record that in */

#define READS_LINES 256u /* files to hand to a helper of ours */

/* As of glibc 2.42 terminals are asked with the struct termios2 of <asm/termbits.h>, 44 bytes,
 * which cannot be included beside <termios.h>; TCSETSW2 and TCSETSF2 are the next two. */
#define TCGETS2_REQUEST _IOC(_IOC_READ, 'T', 0x2a, 44)
#define TCSETS2_REQUEST _IOC(_IOC_WRITE, 'T', 0x2b, 44)

struct call {
	int number;
	unsigned int who;
};

#define CALL(who, name)             \
	{                           \
		SCMP_SYS(name), who \
	}

/* Whatever their arguments are. */
static const struct call calls[] = {
	/* What is open. */
	CALL(ALL, read),
	CALL(ALL, readv),
	CALL(ALL, pread64),
	CALL(ALL, write),
	CALL(ALL, writev),
	CALL(ALL, lseek),
	CALL(ALL, close),
	CALL(ALL, close_range),
	CALL(ALL, fcntl),
	CALL(ALL, dup),
	CALL(ALL, dup2),
	CALL(ALL, dup3),
	CALL(ALL, pipe2),
	CALL(ALL, eventfd2),
	CALL(ALL, poll),
	CALL(ALL, ppoll),
	CALL(ALL, select),
	CALL(ALL, pselect6),
	CALL(ALL, epoll_create1),
	CALL(ALL, epoll_ctl),
	CALL(ALL, epoll_wait),
	CALL(ALL, epoll_pwait),
	CALL(ALL, ftruncate),
	/* What lies where. */
	CALL(ALL, access),
	CALL(ALL, faccessat),
	CALL(ALL, faccessat2),
	CALL(ALL, stat),
	CALL(ALL, lstat),
	CALL(ALL, fstat),
	CALL(ALL, newfstatat),
	CALL(ALL, statx),
	CALL(ALL, statfs),
	CALL(ALL, fstatfs),
	CALL(ALL, getdents64),
	CALL(ALL, readlink),
	CALL(ALL, readlinkat),
	CALL(ALL, getcwd),
	CALL(ALL, name_to_handle_at),
	/* Memory. */
	CALL(ALL, brk),
	CALL(ALL, mmap),
	CALL(ALL, munmap),
	CALL(ALL, mremap),
	CALL(ALL, mprotect),
	CALL(ALL, madvise),
	CALL(ALL, mlock),
	CALL(ALL, munlock),
	CALL(ALL, membarrier),
	/* Threads and signals. */
	CALL(ALL, futex),
	CALL(ALL, set_robust_list),
	CALL(ALL, set_tid_address),
	CALL(ALL, rseq),
	CALL(ALL, sched_yield),
	CALL(ALL, sched_getaffinity),
	CALL(ALL, sched_setaffinity),
	CALL(ALL, getcpu),
	CALL(ALL, rt_sigaction),
	CALL(ALL, rt_sigprocmask),
	CALL(ALL, rt_sigreturn),
	CALL(ALL, rt_sigtimedwait),
	CALL(ALL, sigaltstack),
	CALL(ALL, restart_syscall),
	CALL(ALL, exit),
	CALL(ALL, exit_group),
	CALL(ALL, prctl),
	CALL(ALL, arch_prctl),
	/* Time. */
	CALL(ALL, clock_gettime),
	CALL(ALL, clock_getres),
	CALL(ALL, clock_nanosleep),
	CALL(ALL, nanosleep),
	CALL(ALL, gettimeofday),
	CALL(ALL, time),
	CALL(ALL, times),
	/* Who and where we are. */
	CALL(ALL, getpid),
	CALL(ALL, gettid),
	CALL(ALL, getppid),
	CALL(ALL, getuid),
	CALL(ALL, geteuid),
	CALL(ALL, getgid),
	CALL(ALL, getegid),
	CALL(ALL, uname),
	CALL(ALL, sysinfo),
	CALL(ALL, getrusage),
	CALL(ALL, getrlimit),
	CALL(ALL, getrandom),
	CALL(ALL, capget),
	CALL(ALL, capset),
	/* Counters are opened again, and others take their place. */
	CALL(COUNTS, bpf),
	CALL(COUNTS, perf_event_open),
	CALL(COUNTS, setrlimit),
	CALL(COUNTS, prlimit64),
	CALL(COUNTS, memfd_create),
	/* Below roots of others. No filter sees its flags: that it writes nothing is Landlock's to
	 * see to, and a screen, which may make files, is to be refused it. */
	CALL(COUNTS, openat2),
	/* Was a cgroup delegated? */
	CALL(COUNTS, getxattr),
	/* Clients, receivers, names of hosts; the file of a socket is renamed and removed. */
	CALL(SERVES, bind),
	CALL(SERVES | ASKS, connect),
	CALL(SERVES, accept),
	CALL(SERVES, accept4),
	CALL(SERVES | ASKS, shutdown),
	CALL(SERVES | ASKS, socketpair),
	CALL(SERVES | ASKS, sendto),
	CALL(SERVES | ASKS | READS_LINES, sendmsg),
	CALL(SERVES, sendmmsg),
	CALL(SERVES | ASKS, recvfrom),
	CALL(SERVES | ASKS, recvmsg),
	CALL(SERVES, recvmmsg),
	CALL(SERVES | ASKS, getsockname),
	CALL(SERVES | ASKS, getpeername),
	CALL(SERVES | ASKS, getsockopt),
	CALL(SERVES | ASKS, setsockopt),
	CALL(SERVES, rename),
	CALL(SERVES, renameat),
	CALL(SERVES, renameat2),
	CALL(SERVES, unlink),
	CALL(SERVES, unlinkat),
	CALL(KEEPS, fdatasync),
	CALL(KEEPS, fsync),
	CALL(KEEPS, flock),
	/* stderr may be a socket. */
	CALL(ALL, sendto),
	CALL(COMMANDS | WATCHES, wait4),
	CALL(COMMANDS, waitid),
	CALL(COMMANDS, kill),
	CALL(COMMANDS, rmdir),
	CALL(COMMANDS, unlinkat),
#ifdef __SANITIZE_ADDRESS__
	/* Its leak checker looks at all threads from a process of its own. */
	CALL(ALL, ptrace),
	CALL(ALL, clone),
	CALL(ALL, wait4),
	CALL(ALL, waitid),
#endif
};

/* With one argument, of which the bits of @p mask have to be @p value. */
static const struct {
	struct call call;
	unsigned int argument;
	uint64_t mask, value;
} calls_with[] = {
	/* For reading. */
	{CALL(ALL, open), 1, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY},
	{CALL(ALL, openat), 2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY},
	/* For writing, where Landlock allows it. */
	{CALL(KEEPS, openat), 2, O_ACCMODE | O_TRUNC, O_WRONLY},
	/* None that is there already. */
	{CALL(WATCHES, openat), 2, O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC,
	 O_WRONLY | O_CREAT | O_EXCL},
	/* A thread, not a process. */
	{CALL(ALL, clone), 0, CLONE_THREAD, CLONE_THREAD},
	/* Of a terminal: no TIOCSTI, which would type into it. */
	{CALL(ALL, ioctl), 1, UINT32_MAX, TCGETS},
	{CALL(ALL, ioctl), 1, UINT32_MAX, TCGETS2_REQUEST},
	{CALL(ALL, ioctl), 1, UINT32_MAX, TIOCGWINSZ},
	{CALL(DRAWS, ioctl), 1, UINT32_MAX, TCSETS},
	{CALL(DRAWS, ioctl), 1, UINT32_MAX, TCSETSW},
	{CALL(DRAWS, ioctl), 1, UINT32_MAX, TCSETSF},
	{CALL(DRAWS, ioctl), 1, UINT32_MAX, TCSETS2_REQUEST},
	{CALL(DRAWS, ioctl), 1, UINT32_MAX, TCSETS2_REQUEST + 1}, /* TCSETSW2 */
	{CALL(DRAWS, ioctl), 1, UINT32_MAX, TCSETS2_REQUEST + 2}, /* TCSETSF2 */
	{CALL(DRAWS, ioctl), 1, UINT32_MAX, TCFLSH},
	{CALL(ALL, ioctl), 1, UINT32_MAX, FIONBIO},
	{CALL(ALL, ioctl), 1, UINT32_MAX, FIONREAD},
	/* perf's own: _IOC_TYPE '$'. */
	{CALL(COUNTS, ioctl), 1, 0xff00, '$' << 8},
	/* Is a process still there? */
	{CALL(COUNTS, kill), 1, UINT32_MAX, 0},
	{CALL(SERVES | ASKS, socket), 0, UINT32_MAX, AF_UNIX},
	{CALL(SERVES, socket), 0, UINT32_MAX, AF_INET},
	{CALL(SERVES, socket), 0, UINT32_MAX, AF_INET6},
	{CALL(SERVES, socket), 0, UINT32_MAX, AF_NETLINK},
};

/* What only an intruder would call: the end. All others are refused with EPERM. */
static const int deadly[] = {
	SCMP_SYS(execve),
	SCMP_SYS(execveat),
	SCMP_SYS(process_vm_readv),
	SCMP_SYS(process_vm_writev),
	SCMP_SYS(mount),
	SCMP_SYS(umount2),
	SCMP_SYS(pivot_root),
	SCMP_SYS(chroot),
	SCMP_SYS(move_mount),
	SCMP_SYS(open_tree),
	SCMP_SYS(fsopen),
	SCMP_SYS(fsmount),
	SCMP_SYS(fsconfig),
	SCMP_SYS(setns),
	SCMP_SYS(unshare),
	SCMP_SYS(init_module),
	SCMP_SYS(finit_module),
	SCMP_SYS(delete_module),
	SCMP_SYS(kexec_load),
	SCMP_SYS(kexec_file_load),
	SCMP_SYS(reboot),
	SCMP_SYS(swapon),
	SCMP_SYS(swapoff),
	SCMP_SYS(iopl),
	SCMP_SYS(ioperm),
#ifndef __SANITIZE_ADDRESS__
	SCMP_SYS(ptrace),
#endif
};

static unsigned int who_is(const struct ctd_options *options, enum ctd_privileges needed)
{
	unsigned int who = ALL | (options->command == CTD_COMMAND_TOP ? DRAWS : 0);

	if (needed == CTD_PRIVILEGES_TO_SHOW)
		return who;
	if (needed == CTD_PRIVILEGES_TO_ASK)
		return who | ASKS;
	if (needed == CTD_PRIVILEGES_TO_LOOK)
		return who | (options->program ? COMMANDS : 0);
	if (needed == CTD_PRIVILEGES_TO_WATCH)
		return who | WATCHES;
	who |= COUNTS;
	if (options->command == CTD_COMMAND_SERVE)
		who |= SERVES | (options->serve.history ? KEEPS : 0);
	if (options->profile.lines)
		who |= READS_LINES;
	if (options->program)
		who |= COMMANDS;
	return who;
}

static int add_rules(scmp_filter_ctx filter, unsigned int who)
{
	int error = 0;

	for (size_t i = 0; !error && i < sizeof(deadly) / sizeof(*deadly); i++)
		error = seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, deadly[i], 0);
	for (size_t i = 0; !error && i < sizeof(calls) / sizeof(*calls); i++)
		if (calls[i].who & who)
			error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i].number, 0);
	for (size_t i = 0; !error && i < sizeof(calls_with) / sizeof(*calls_with); i++)
		if (calls_with[i].call.who & who)
			error = seccomp_rule_add(
				filter, SCMP_ACT_ALLOW, calls_with[i].call.number, 1,
				SCMP_CMP(calls_with[i].argument, SCMP_CMP_MASKED_EQ,
					 calls_with[i].mask, calls_with[i].value));
	/* Signals to ourselves: abort(). */
	if (!error)
		error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
					 SCMP_A0(SCMP_CMP_EQ, (uint64_t)getpid(), 0));
	/* To the process that counts, to end. A directory of /proc will do for a pidfd: that there
	 * is none of others is Landlock's to see to. */
	if (!error && (who & WATCHES))
		error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(pidfd_send_signal), 3,
					 SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, SIGTERM),
					 SCMP_A2(SCMP_CMP_EQ, 0, 0),
					 SCMP_A3(SCMP_CMP_MASKED_EQ, UINT32_MAX, 0));
	/* Its flags cannot be seen: the C library then takes clone(). */
	if (!error)
		error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
	return error;
}

/* As instructions, so that each thread can take them by itself. */
static int export(scmp_filter_ctx filter, struct sock_filter **ret_filter, size_t *ret_count)
{
	autoclose int fd = memfd_create("filter", MFD_CLOEXEC);
	autofree struct sock_filter *instructions = NULL;
	off_t bytes;
	int error;

	if (fd < 0)
		return -errno;
	error = seccomp_export_bpf(filter, fd);
	if (error)
		return error;
	bytes = lseek(fd, 0, SEEK_END);
	instructions = bytes > 0 ? malloc((size_t)bytes) : NULL;
	if (!instructions)
		return -ENOMEM;
	if (pread(fd, instructions, (size_t)bytes, 0) != bytes)
		return -EIO;
	*ret_count = (size_t)bytes / sizeof(*instructions);
	*ret_filter = take_ptr(instructions);
	return 0;
}

bool ctd_filter_is_there(void)
{
	uint32_t action = SECCOMP_RET_KILL_PROCESS;

	return !syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action);
}

int ctd_filter_make(const struct ctd_options *options, enum ctd_privileges needed,
		    struct sock_filter **ret_filter, size_t *ret_count)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int error = filter ? 0 : -ENOMEM;

	/* A tree rather than a list, where the library has that: some 130 comparisons. */
	if (!error)
		seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	if (!error)
		error = add_rules(filter, who_is(options, needed));
	if (!error)
		error = export(filter, ret_filter, ret_count);
	seccomp_release(filter);
	return error;
}
