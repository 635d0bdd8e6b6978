/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* worker.c - reads debugging information of one file, with no right but to do that. */
#include "profile/lines/worker.h"

#include <errno.h>
#include <libelf.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/strbuf.h"
#include "profile/lines/dwarf.h"
#include "profile/lines/helper.h"

/* Addresses, beyond those of the file: of the program, and of more than it may have memory. */
#define ADDRESS_BYTES ((rlim_t)1 << 30)
#define HEADERS_BYTES ((size_t)4 << 20)
/* Of the CPU time behind its limit, at which a signal of its own tells why. */
#define CPU_GRACE_S 1

/* What is left to do when the file is mapped: to compute, to take memory, and to answer. */
static const int calls[] = {
	SCMP_SYS(write),       SCMP_SYS(munmap),       SCMP_SYS(brk),
	SCMP_SYS(madvise),     SCMP_SYS(futex),	       SCMP_SYS(clock_gettime),
	SCMP_SYS(exit_group),  SCMP_SYS(exit),	       SCMP_SYS(rt_sigreturn),
	SCMP_SYS(getrandom),
#ifdef __SANITIZE_ADDRESS__
	SCMP_SYS(sigaltstack), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(getpid),      SCMP_SYS(gettid),       SCMP_SYS(sched_yield),
	SCMP_SYS(mprotect),
#endif
};

/* Memory that RLIMIT_DATA counts, which neither what is shared nor what grows down is. */
#define MAP_KIND (MAP_TYPE | MAP_ANONYMOUS | MAP_GROWSDOWN | MAP_HUGETLB)

scmp_filter_ctx ctd_worker_filter(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int error = filter ? 0 : -ENOMEM;

	for (size_t i = 0; !error && i < sizeof(calls) / sizeof(*calls); i++)
		error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0);
	if (!error)
		error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2,
					 SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
					 SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_KIND,
						 MAP_PRIVATE | MAP_ANONYMOUS));
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

static void confine(scmp_filter_ctx filter, size_t file_bytes)
{
	/* It ends with the helper, which ends it when its time is over. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL))
		_exit(CTD_WORKER_NO_LIMITS);
	limit(RLIMIT_CORE, 0, 0);
	limit(RLIMIT_FSIZE, 0, 0);
	limit(RLIMIT_NPROC, 0, 0);
	limit(RLIMIT_CPU, CTD_LINE_WORKER_CPU_S, CTD_LINE_WORKER_CPU_S + CPU_GRACE_S);
	/* A sanitizer takes all addresses for itself. */
#ifndef __SANITIZE_ADDRESS__
	limit(RLIMIT_DATA, CTD_LINE_WORKER_BYTES, CTD_LINE_WORKER_BYTES);
	limit(RLIMIT_AS, file_bytes + ADDRESS_BYTES, file_bytes + ADDRESS_BYTES);
#else
	(void)file_bytes;
#endif
	if (seccomp_load(filter))
		_exit(CTD_WORKER_NO_FILTER);
}

static uint64_t *read_addresses(int fd, size_t count)
{
	uint64_t *addresses = calloc(count + 1, sizeof(*addresses));
	size_t bytes = count * sizeof(*addresses), got = 0;

	if (!addresses)
		_exit(CTD_WORKER_NO_MEMORY);
	while (got < bytes) {
		ssize_t more = pread(fd, (char *)addresses + got, bytes - got, (off_t)got);

		if (more <= 0)
			_exit(CTD_WORKER_NOTHING);
		got += (size_t)more;
	}
	return addresses;
}

/* libelf writes into headers of sections that it makes plain: so much behind the first of them is
 * ours. */
static int allow_headers(char *image, size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), first;
	Elf64_Ehdr head = {0};
	Elf32_Ehdr head32;

	memcpy(&head, image, bytes < sizeof(head) ? bytes : sizeof(head));
	memcpy(&head32, &head, sizeof(head32));
	first = head.e_ident[EI_CLASS] == ELFCLASS32 ? head32.e_shoff : head.e_shoff;
	if (first >= bytes)
		return 0;
	first -= first % page;
	bytes -= first;
	return mprotect(image + first, bytes < HEADERS_BYTES ? bytes : HEADERS_BYTES,
			PROT_READ | PROT_WRITE);
}

void *ctd_worker_map(int fd, size_t *ret_bytes)
{
	struct stat status;
	size_t bytes;
	void *image;

	if (fstat(fd, &status))
		return NULL;
	bytes = (size_t)status.st_size;
	image = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	if (image == MAP_FAILED)
		return NULL;
	if (allow_headers(image, bytes)) {
		munmap(image, bytes);
		return NULL;
	}
	*ret_bytes = bytes;
	return image;
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
	uint64_t *addresses = read_addresses(addresses_fd, count);
	struct ctd_lines lines = {0};
	size_t bytes;
	void *image = ctd_worker_map(file, &bytes);
	Elf *elf;
	int error;

	if (!image)
		_exit(CTD_WORKER_NOTHING);
	/* What would be open to it otherwise. */
	close(addresses_fd);
	close(file);
	confine(filter, bytes);
	elf_version(EV_CURRENT);
	elf = elf_memory(image, bytes);
	if (!elf || elf_kind(elf) != ELF_K_ELF)
		_exit(CTD_WORKER_NOTHING);
	error = ctd_dwarf_find(elf, addresses, count, &lines);
	if (error == -ENOMEM)
		_exit(CTD_WORKER_NO_MEMORY);
	if (error && error != -E2BIG)
		_exit(CTD_WORKER_NOTHING);
	write_answer(answer, &lines);
	_exit(error ? CTD_WORKER_PART : CTD_WORKER_DONE);
}
