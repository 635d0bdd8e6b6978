/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* feed.c - reads a recording into a history, which a process of ours may write meanwhile. */
#include "app/top/feed.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/log.h"
#include "base/thread.h"

/* A screen that is slow does not keep the counting from its next snapshot. */
#define PIPE_BYTES (1 << 20)

struct ctd_top_feed {
	struct ctd_top_history *history; /* borrowed */
	const char *name; /* of the recording; NULL: it is counted now */
	struct ctd_record_reader *reader; /* owned */
	pid_t child; /* that counts; 0: none */
	int child_fd; /* owned; of that process: signals go to no other; -1: not open */
	int wake_fd; /* borrowed */
	pthread_t thread;
	bool has_thread, failed;
};

static void wake(const struct ctd_top_feed *feed)
{
	eventfd_write(feed->wake_fd, 1);
}

/* The end of the recording, or of what can be read. @p why: "" where it ended well. */
static void end(struct ctd_top_feed *feed, const char *why)
{
	struct ctd_top_history *history = feed->history;

	(void)ctd_top_history_rest(history);
	history->has_ended = true;
	feed->failed = *why != '\0';
	if (feed->child)
		why = "Counting has ended; q leaves, and says what was said.";
	snprintf(history->why, sizeof(history->why), "%s", why);
}

/* @return false: that was the last. */
static bool take(struct ctd_top_feed *feed, int error, struct ctd_record_item *item,
		 const char *why)
{
	struct ctd_top_history *history = feed->history;
	int taken = 0;

	pthread_mutex_lock(&history->lock);
	if (!error && item->kind != CTD_RECORD_END)
		taken = ctd_top_history_take(history, item);
	if (error)
		end(feed, error == -EBADMSG ? why : strerror(-error));
	else if (item->kind == CTD_RECORD_END)
		end(feed, "");
	else if (taken < 0)
		end(feed, strerror(-taken));
	pthread_mutex_unlock(&history->lock);
	if (taken || error || item->kind == CTD_RECORD_END)
		wake(feed);
	return !error && taken >= 0 && item->kind != CTD_RECORD_END;
}

/* It may be cancelled while it waits for more, and nowhere else. */
static void *run(void *context)
{
	struct ctd_top_feed *feed = context;
	struct ctd_record_item item;
	char why[160] = "";
	int error, before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	do {
		pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before);
		error = ctd_record_next(feed->reader, &item, why);
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	} while (take(feed, error, &item, why));
	return NULL;
}

/* Takes fd. Logs. */
static int open_reader(struct ctd_top_feed *feed, int fd)
{
	struct ctd_record_header header;
	const char *unknown;
	char why[160] = "";
	int error = ctd_record_open(fd, &header, &feed->reader, why);

	if (error) {
		close(fd);
		/* Who counts has said why it does not. */
		if (feed->child)
			return error;
		if (error != -EBADMSG)
			return ctd_log_error(error, "open '%s'", feed->name);
		ctd_log(CTD_LOG_ERROR, "'%s': %s", feed->name, why);
		return error;
	}
	error = ctd_top_history_plan(feed->history, &header, &unknown);
	if (error != -EINVAL)
		return error ? ctd_log_error(error, "look up the CPU models") : 0;
	ctd_log(CTD_LOG_ERROR, "unknown CPU model '%s': recorded by another version (%s)?", unknown,
		header.version);
	return error;
}

static struct ctd_top_feed *feed_new(struct ctd_top_history *history, int wake_fd, const char *name)
{
	struct ctd_top_feed *feed = calloc(1, sizeof(*feed));

	if (feed)
		*feed = (struct ctd_top_feed){
			.history = history, .wake_fd = wake_fd, .name = name, .child_fd = -1};
	return feed;
}

int ctd_top_feed_read(int fd, const char *name, struct ctd_top_history *history, int wake_fd,
		      struct ctd_top_feed **ret_feed)
{
	*ret_feed = feed_new(history, wake_fd, name);
	if (!*ret_feed) {
		close(fd);
		return -ENOMEM;
	}
	return open_reader(*ret_feed, fd);
}

/* What counts is the command record, with all that it holds itself to. It ends with us. */
static void __attribute__((noreturn)) count(const struct ctd_options *options, int fd, pid_t parent)
{
	struct ctd_options record = *options;
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	record.command = CTD_COMMAND_RECORD;
	record.file = "-";
	record.program = NULL;
	record.shown_by = parent;
	prctl(PR_SET_NAME, "ctd-count");
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(fd, STDOUT_FILENO) < 0 ||
	    getppid() != parent)
		exit(1);
	close(nothing);
	close(fd);
	exit(ctd_record_main(&record));
}

int ctd_top_feed_count(const struct ctd_options *options, struct ctd_top_history *history,
		       int wake_fd, struct ctd_top_feed **ret_feed)
{
	struct ctd_top_feed *feed = *ret_feed = feed_new(history, wake_fd, NULL);
	pid_t parent = getpid();
	int ends[2];

	if (!feed)
		return -ENOMEM;
	if (pipe2(ends, O_CLOEXEC))
		return ctd_log_error(-errno, "make a pipe");
	(void)fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES);
	fflush(stdout);
	feed->child = fork();
	if (!feed->child) {
		close(ends[0]);
		count(options, ends[1], parent);
	}
	close(ends[1]);
	if (feed->child < 0) {
		feed->child = 0;
		close(ends[0]);
		return ctd_log_error(-errno, "start a process");
	}
	feed->child_fd = (int)syscall(SYS_pidfd_open, feed->child, 0);
	if (feed->child_fd >= 0)
		return open_reader(feed, ends[0]);
	close(ends[0]);
	return ctd_log_error(-errno, "watch a process (pidfd_open)");
}

int ctd_top_feed_start(struct ctd_top_feed *feed)
{
	int error = ctd_thread_start(&feed->thread, "ctd-feed", run, feed);

	feed->has_thread = !error;
	return error ? ctd_log_error(error, "start a thread") : 0;
}

bool ctd_top_feed_end(struct ctd_top_feed *feed)
{
	int status = 0;
	bool failed;

	if (!feed)
		return false;
	/* Our own child, which was not waited for: where it has no descriptor its number is its
	 * own. */
	if (feed->child && feed->child_fd < 0)
		kill(feed->child, SIGTERM);
	else if (feed->child)
		syscall(SYS_pidfd_send_signal, feed->child_fd, SIGTERM, NULL, 0);
	if (feed->has_thread) {
		pthread_cancel(feed->thread);
		pthread_join(feed->thread, NULL);
	}
	ctd_record_reader_free(feed->reader);
	if (feed->child)
		TEMP_FAILURE_RETRY(waitpid(feed->child, &status, 0));
	if (feed->child_fd >= 0)
		close(feed->child_fd);
	/* Ctrl-C is sent to it as well: whether it was the first to end says nothing. */
	failed = feed->failed || status;
	free(feed);
	return failed;
}
