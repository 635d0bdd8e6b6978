/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* helper.c - has files read by processes that have nothing to lose, and reads what these say. */
#include "profile/lines/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/strbuf.h"
#include "profile/lines/worker.h"

#define FDS 3 /* file, addresses, answer */
/* A larger answer is cut off, and no answer. */
#define ANSWER_BYTES_MAX ((size_t)8 << 20)
#define POLL_MS 100
/* How long a worker that was killed may take to end. A file system that a tenant makes (FUSE) can
 * have it wait where nothing ends it: it is left there. */
#define KILL_MS 500
/* How long after its time a worker may be known to have ended, on a machine that is busy. */
#define GRACE_NS UINT64_C(1000000000)
/* A message of the one who asked, instead of a question. */
#define GIVING_UP_BYTES 1
#define NS_PER_MS UINT64_C(1000000)

/* What is sent with the descriptors of file, addresses and answer. */
struct question {
	uint32_t count; /* addresses, 8 bytes each */
	uint32_t limit_ms;
};

/* How a worker ended. */
struct ending {
	int status; /* of waitpid(2); -1: not known */
	bool late; /* its time was over, or nobody wanted its answer any more */
};

union control {
	char bytes[CMSG_SPACE(FDS * sizeof(int))];
	struct cmsghdr align;
};

/* @return false: the other side has gone. */
static bool take_question(int fd, struct question *question, int ret_fds[FDS])
{
	union control control;
	struct iovec data = {question, sizeof(*question)};
	const struct cmsghdr *header;
	struct msghdr message;
	ssize_t got;

	do {
		message = (struct msghdr){.msg_iov = &data,
					  .msg_iovlen = 1,
					  .msg_control = control.bytes,
					  .msg_controllen = sizeof(control.bytes)};
		got = TEMP_FAILURE_RETRY(recvmsg(fd, &message, MSG_CMSG_CLOEXEC));
		/* One that was given up when it was just answered. */
	} while (got == GIVING_UP_BYTES);
	header = CMSG_FIRSTHDR(&message);
	if (got != (ssize_t)sizeof(*question) || !header || header->cmsg_type != SCM_RIGHTS ||
	    header->cmsg_len != CMSG_LEN(FDS * sizeof(int)))
		return false;
	memcpy(ret_fds, CMSG_DATA(header), FDS * sizeof(int));
	return true;
}

/* Of the helper, for good. */
static void give_up_rights(void)
{
	cap_t none = cap_init();

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* What ends the program's measurement does not end this. */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	if (!none || cap_set_proc(none) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		_exit(1);
	cap_free(none);
}

/* Waits for a worker, and kills it when its time is over, or when who asked says so or is gone. */
static struct ending end_of(int asker, pid_t pid, uint32_t limit_ms)
{
	autoclose int process = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd wait[] = {{.fd = process, .events = POLLIN}, {.fd = asker, .events = POLLIN}};
	struct ending ending = {.status = -1};

	TEMP_FAILURE_RETRY(poll(wait, 2, (int)limit_ms));
	if (!wait[0].revents) {
		ending.late = true;
		kill(pid, SIGKILL);
		TEMP_FAILURE_RETRY(poll(wait, 1, KILL_MS));
	}
	TEMP_FAILURE_RETRY(waitpid(pid, &ending.status, wait[0].revents ? 0 : WNOHANG));
	return ending;
}

static void help(int fd)
{
	struct question question;
	scmp_filter_ctx filter;
	int fds[FDS];

	give_up_rights();
	/* Of all that was open nothing is left but the socket, also no terminal. */
	if (dup2(fd, 0) < 0 || syscall(SYS_close_range, 1, ~0U, 0))
		_exit(1);
	filter = ctd_worker_filter();
	while (filter && take_question(0, &question, fds)) {
		struct ending ending = {.status = -1};
		pid_t pid = fork();

		if (!pid) {
			close(0);
			ctd_worker_run(filter, fds[0], fds[1], fds[2], question.count);
		}
		for (int i = 0; i < FDS; i++)
			close(fds[i]);
		if (pid > 0)
			ending = end_of(0, pid, question.limit_ms);
		if (write(0, &ending, sizeof(ending)) != (ssize_t)sizeof(ending))
			break;
	}
	_exit(0);
}

int ctd_line_helper_start(struct ctd_line_helper *ret_helper)
{
	int fds[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return -errno;
	pid = fork();
	if (!pid)
		help(fds[1]);
	close(fds[1]);
	if (pid < 0) {
		pid = -errno;
		close(fds[0]);
		return pid;
	}
	*ret_helper = (struct ctd_line_helper){.fd = fds[0], .pid = pid};
	return 0;
}

void ctd_line_helper_end(struct ctd_line_helper *helper)
{
	if (helper->fd < 0)
		return;
	close(helper->fd);
	/* Where that may be waited for; one that is busy ends by itself. */
	waitpid(helper->pid, NULL, helper->is_busy ? WNOHANG : 0);
	helper->fd = -1;
}

/* Waits until there is something to read, or its end. @return 0, -EINTR: given up, or -ETIME. */
static int await(const struct ctd_line_question *question, int fd, uint64_t end_ns)
{
	while (ctd_monotonic_ns() < end_ns) {
		struct pollfd wait = {.fd = fd, .events = POLLIN};

		if (question->stop(question->context))
			return -EINTR;
		if (poll(&wait, 1, POLL_MS) > 0)
			return 0;
	}
	return -ETIME;
}

/* What a worker of ours that is over, or was given up, ended with. */
static int await_end(struct ctd_line_helper *helper, const struct ctd_line_question *question,
		     struct ending *ret_ending)
{
	int error = await(question, helper->fd, ctd_monotonic_ns() + GRACE_NS);

	if (error)
		return error;
	if (read(helper->fd, ret_ending, sizeof(*ret_ending)) != (ssize_t)sizeof(*ret_ending))
		return -EPIPE;
	helper->is_busy = false;
	return 0;
}

/* Its worker is killed; its end is for the next one to see. */
static void give_up(const struct ctd_line_helper *helper)
{
	static const char nothing[GIVING_UP_BYTES];

	(void)!send(helper->fd, nothing, sizeof(nothing), MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* The addresses, for a worker to read. */
static int make_file(const uint64_t *addresses, size_t count, int *ret_fd)
{
	autoclose int fd = memfd_create("addresses", MFD_CLOEXEC);
	size_t bytes = count * sizeof(*addresses), put = 0;

	if (fd < 0)
		return -errno;
	while (put < bytes) {
		ssize_t more = write(fd, (const char *)addresses + put, bytes - put);

		if (more < 0 && errno != EINTR)
			return -errno;
		put += more > 0 ? (size_t)more : 0;
	}
	*ret_fd = take_fd(fd);
	return 0;
}

static int send_question(const struct ctd_line_helper *helper,
			 const struct ctd_line_question *asked, const int fds[FDS])
{
	struct question question = {.count = (uint32_t)asked->count,
				    .limit_ms = (uint32_t)(asked->limit_ns / NS_PER_MS)};
	struct iovec data = {&question, sizeof(question)};
	union control control = {0};
	struct msghdr message = {.msg_iov = &data,
				 .msg_iovlen = 1,
				 .msg_control = control.bytes,
				 .msg_controllen = sizeof(control.bytes)};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(FDS * sizeof(int));
	memcpy(CMSG_DATA(header), fds, FDS * sizeof(int));
	return TEMP_FAILURE_RETRY(sendmsg(helper->fd, &message, MSG_NOSIGNAL)) < 0 ? -errno : 0;
}

/* @return 0: to its end; -EINTR, -ETIME, -EFBIG or -ENOMEM. */
static int read_answer(const struct ctd_line_question *question, int fd, struct ctd_strbuf *answer)
{
	uint64_t end_ns = ctd_monotonic_ns() + question->limit_ns + GRACE_NS;
	char piece[16384];
	int error;

	while (!(error = await(question, fd, end_ns))) {
		ssize_t got = read(fd, piece, sizeof(piece));

		if (got < 0 && errno != EINTR)
			return -errno;
		if (!got)
			return 0;
		if (got > 0)
			ctd_strbuf_add_bytes(answer, piece, (size_t)got);
		if (answer->failed)
			return -ENOMEM;
		if (answer->bytes > ANSWER_BYTES_MAX)
			return -EFBIG;
	}
	return error;
}

/* What became of a worker, if it was not well. */
static const char *why_of(const struct ending *ending)
{
	int status = ending->status;

	if (ending->late)
		return "its debugging information takes too long to read";
	if (status == -1)
		return "nothing could be read of it";
	if (WIFSIGNALED(status)) {
		switch (WTERMSIG(status)) {
		case SIGXCPU:
			return "its debugging information takes too long to read: 5 s of CPU time are the limit";
		case SIGKILL:
			return "the process that read it was killed, as the kernel does where memory is short";
		default:
			return "its debugging information is damaged, or it was changed meanwhile";
		}
	}
	switch (WEXITSTATUS(status)) {
	case CTD_WORKER_DONE:
		return NULL;
	case CTD_WORKER_PART:
		return "it has more names than are kept of one file";
	case CTD_WORKER_NOTHING:
		return "its debugging information cannot be read";
	case CTD_WORKER_NO_LIMITS:
		return "the process that reads it could not be limited";
	case CTD_WORKER_NO_FILTER:
		return "this kernel filters no system calls, without which nothing foreign is read";
	default:
		return "its debugging information takes more than 512 MB of memory to read";
	}
}

/* @return 0 or -EINTR, -ENOMEM, -ETIME, -EFBIG; the helper is busy then; or another error. */
static int ask(struct ctd_line_helper *helper, const struct ctd_line_question *question,
	       struct ctd_strbuf *answer)
{
	autoclose int addresses = -1, in = -1, out = -1;
	int ends[2], error = make_file(question->addresses, question->count, &addresses);

	if (error)
		return error;
	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	in = ends[0];
	out = ends[1];
	error = send_question(helper, question, (const int[FDS]){question->fd, addresses, out});
	if (error)
		return error;
	helper->is_busy = true;
	/* It ends when its worker's does. */
	close(take_fd(out));
	error = read_answer(question, in, answer);
	if (error)
		give_up(helper);
	return error;
}

/* @return what is said of it: 0, -ENOMEM, -ETIME or -ENODATA. */
static int judge(const struct ending *ending, const struct ctd_strbuf *answer, size_t count,
		 struct ctd_lines *ret_lines, const char **ret_why)
{
	const char *why = why_of(ending);
	int error = -ETIME;

	/* A worker may have been taken over by its file. */
	if (!ending->late)
		error = answer->bytes ? ctd_lines_read_of_file(answer->text, answer->bytes, count,
							       ret_lines)
				      : -EBADMSG;
	if (error == -EBADMSG && !why)
		why = "what was read of it is no answer";
	*ret_why = why;
	return error == -EBADMSG ? -ENODATA : error;
}

int ctd_line_helper_ask(struct ctd_line_helper *helper, const struct ctd_line_question *question,
			struct ctd_lines *ret_lines, const char **ret_why)
{
	auto_ctd_strbuf struct ctd_strbuf answer = {0};
	struct ending ending = {.status = -1};
	int error = 0;

	if (helper->fd < 0)
		return -EPIPE;
	if (helper->is_busy)
		error = await_end(helper, question, &ending);
	if (!error)
		error = ask(helper, question, &answer);
	if (!error)
		error = await_end(helper, question, &ending);
	if (!error)
		return judge(&ending, &answer, question->count, ret_lines, ret_why);
	switch (error) {
	case -EMFILE:
	case -ENFILE:
		*ret_why = "too many files are open to have it read";
		return -EMFILE;
	case -EFBIG:
		*ret_why = "its debugging information has too much to tell";
		return -ENODATA;
	case -ETIME:
		*ret_why = "its debugging information takes too long to read";
	}
	return error;
}
