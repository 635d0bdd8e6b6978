/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* worker.c - reads debugging information of one file, with no right but to do that. */
#include "profile/lines/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/strbuf.h"
#include "profile/lines/dwarf.h"
#include "profile/lines/helper.h"

/* Addresses of mapped files, which take no memory of ours, and of all else. */
#define ADDRESS_BYTES ((rlim_t)1 << 36)
/* Of the CPU time behind its limit, at which a signal of its own tells why. */
#define CPU_GRACE_S 1

static const int calls[] = {
	SCMP_SYS(read),	       SCMP_SYS(pread64),      SCMP_SYS(write),
	SCMP_SYS(lseek),       SCMP_SYS(close),	       SCMP_SYS(fstat),
	SCMP_SYS(munmap),      SCMP_SYS(mremap),       SCMP_SYS(brk),
	SCMP_SYS(madvise),     SCMP_SYS(futex),	       SCMP_SYS(clock_gettime),
	SCMP_SYS(exit_group),  SCMP_SYS(exit),	       SCMP_SYS(rt_sigreturn),
	SCMP_SYS(getrandom),
#ifdef __SANITIZE_ADDRESS__
	SCMP_SYS(sigaltstack), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(getpid),      SCMP_SYS(gettid),       SCMP_SYS(sched_yield),
	SCMP_SYS(mprotect),
#endif
};

scmp_filter_ctx ctd_worker_filter(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int error = filter ? 0 : -ENOMEM;

	for (size_t i = 0; !error && i < sizeof(calls) / sizeof(*calls); i++)
		error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0);
	if (!error)
		error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1,
					 SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
	/* What the C library makes of fstat(). */
	if (!error)
		error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(newfstatat), 1,
					 SCMP_A3(SCMP_CMP_MASKED_EQ, UINT32_MAX, AT_EMPTY_PATH));
	if (error) {
		seccomp_release(filter);
		return NULL;
	}
	return filter;
}

/* Hard limits may be lower where this was started: nobody without rights raises them. */
static void limit(int resource, rlim_t soft, rlim_t hard)
{
	struct rlimit limits;

	if (getrlimit(resource, &limits))
		_exit(CTD_WORKER_NO_LIMITS);
	if (limits.rlim_max > hard)
		limits.rlim_max = hard;
	limits.rlim_cur = soft < limits.rlim_max ? soft : limits.rlim_max;
	if (setrlimit(resource, &limits))
		_exit(CTD_WORKER_NO_LIMITS);
}

static void confine(scmp_filter_ctx filter)
{
	const struct itimerval time = {.it_value = {.tv_sec = CTD_LINE_WORKER_S}};

	/* It ends with the helper, and its time is measured by the kernel: nobody has to kill it. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || signal(SIGALRM, SIG_DFL) == SIG_ERR ||
	    setitimer(ITIMER_REAL, &time, NULL))
		_exit(CTD_WORKER_NO_LIMITS);
	limit(RLIMIT_CORE, 0, 0);
	limit(RLIMIT_FSIZE, 0, 0);
	limit(RLIMIT_NPROC, 0, 0);
	limit(RLIMIT_CPU, CTD_LINE_WORKER_CPU_S, CTD_LINE_WORKER_CPU_S + CPU_GRACE_S);
	/* A sanitizer takes all addresses for itself. */
#ifndef __SANITIZE_ADDRESS__
	limit(RLIMIT_DATA, CTD_LINE_WORKER_BYTES, CTD_LINE_WORKER_BYTES);
	limit(RLIMIT_AS, ADDRESS_BYTES, ADDRESS_BYTES);
#endif
	if (seccomp_load(filter))
		_exit(CTD_WORKER_NO_FILTER);
}

static uint64_t *read_addresses(int fd, size_t count)
{
	uint64_t *addresses = calloc(count + 1, sizeof(*addresses));
	size_t bytes = count * sizeof(*addresses), got = 0;

	while (addresses && got < bytes) {
		ssize_t more = pread(fd, (char *)addresses + got, bytes - got, (off_t)got);

		if (more <= 0)
			_exit(CTD_WORKER_NOTHING);
		got += (size_t)more;
	}
	return addresses;
}

static void write_answer(int fd, const struct ctd_lines *lines)
{
	auto_ctd_strbuf struct ctd_strbuf payload = {0};

	ctd_lines_write(lines, &payload);
	if (payload.failed)
		_exit(CTD_WORKER_NO_MEMORY);
	for (size_t put = 0; put < payload.bytes;) {
		ssize_t more = write(fd, payload.text + put, payload.bytes - put);

		if (more <= 0)
			_exit(CTD_WORKER_NOTHING);
		put += (size_t)more;
	}
}

void ctd_worker_run(scmp_filter_ctx filter, int file, int addresses_fd, int answer, size_t count)
{
	struct ctd_lines lines = {0};
	uint64_t *addresses;
	Elf *elf;
	int error;

	confine(filter);
	elf_version(EV_CURRENT);
	addresses = read_addresses(addresses_fd, count);
	/* By mmap(2), so that it takes no memory: who shortens the file ends this process. */
	elf = elf_begin(file, ELF_C_READ_MMAP, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF)
		_exit(CTD_WORKER_NOTHING);
	error = addresses ? ctd_dwarf_find(elf, addresses, count, &lines) : -ENOMEM;
	if (error == -ENOMEM)
		_exit(CTD_WORKER_NO_MEMORY);
	if (error && error != -E2BIG)
		_exit(CTD_WORKER_NOTHING);
	write_answer(answer, &lines);
	_exit(error ? CTD_WORKER_PART : CTD_WORKER_DONE);
}
