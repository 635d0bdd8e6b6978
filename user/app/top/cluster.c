/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cluster.c - asks all machines of a cluster at the same time, and makes one interval of it. */
#include "app/top/cluster.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>

#include "app/stop.h"
#include "app/top/command.h"
#include "app/top/member.h"
#include "app/top/sum.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/file_limit.h"
#include "base/log.h"
#include "base/thread.h"

/* What answers later is in the next interval. */
#define ANSWER_LEAST_NS 50000000ull
#define ANSWER_MOST_NS 2000000000ull
/* The first figures come soon, however long intervals are. */
#define FIRST_NS 1000000000ull
/* A request to stop is seen so much later. */
#define SLICE_NS 200000000ull

struct ctd_top_cluster {
	struct ctd_top_round round;
	struct ctd_top_history *history; /* borrowed */
	int wake_fd; /* borrowed */
	struct ctd_top_member **members; /* owned, and each of them; in the order of the list */
	size_t count;
	struct ctd_top_sum sum; /* the thread's */
	struct ctd_top_command command; /* --url-command */
	struct rlimit files; /* that it may have, as before there were nodes */
	struct ctd_remote_list_reader reader;
	bool is_listed; /* there is a list */
	pthread_t thread;
	bool has_thread, failed;
};

static void wake(const struct ctd_top_cluster *cluster)
{
	eventfd_write(cluster->wake_fd, 1);
}

static bool is_at(const struct ctd_top_member *member, const struct ctd_remote_listed *listed)
{
	const struct ctd_remote_listed *its = &member->listed;
	const char *const texts[][2] = {{its->name, listed->name},
					{its->url, listed->url},
					{its->socket, listed->socket},
					{its->why, listed->why}};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (!texts[i][0] != !texts[i][1] ||
		    (texts[i][0] && strcmp(texts[i][0], texts[i][1]) != 0))
			return false;
	/* One that could not begin may be able to now. */
	return !member->leaves && !(member->has_ended && its->url);
}

/* Takes it out of its old place. @return NULL: it was in none. */
static struct ctd_top_member *take_member(struct ctd_top_cluster *cluster,
					  const struct ctd_remote_listed *listed)
{
	for (size_t i = 0; i < cluster->count; i++)
		if (cluster->members[i] && is_at(cluster->members[i], listed))
			return take_ptr(cluster->members[i]);
	return NULL;
}

/* Those that stay keep what is known of them; those that go end when they are answered. */
static int take_list(struct ctd_top_cluster *cluster, struct ctd_remote_list *list)
{
	struct ctd_top_member **members =
		calloc(list->count + cluster->count + 1, sizeof(struct ctd_top_member *));
	size_t count = 0;
	int error = 0;

	if (!members)
		return -ENOMEM;
	pthread_mutex_lock(&cluster->round.lock);
	for (size_t i = 0; i < list->count; i++) {
		struct ctd_top_member *member = take_member(cluster, &list->items[i]);

		if (!member)
			member = ctd_top_member_new(&cluster->round, &list->items[i]);
		if (member)
			members[count++] = member;
		else
			error = -ENOMEM;
	}
	for (size_t i = 0; i < cluster->count; i++) {
		if (!cluster->members[i])
			continue;
		cluster->members[i]->leaves = true;
		members[count++] = cluster->members[i];
	}
	free(cluster->members);
	cluster->members = members;
	cluster->count = count;
	cluster->is_listed = true;
	pthread_cond_broadcast(&cluster->round.begun);
	pthread_mutex_unlock(&cluster->round.lock);
	return error;
}

/* Those whose threads are about to end, so that nobody waits. */
static void let_go(struct ctd_top_cluster *cluster)
{
	size_t kept = 0;

	for (size_t i = 0; i < cluster->count; i++) {
		struct ctd_top_member *member = cluster->members[i];
		bool goes;

		pthread_mutex_lock(&cluster->round.lock);
		goes = member->leaves && member->has_ended;
		pthread_mutex_unlock(&cluster->round.lock);
		if (goes)
			ctd_top_member_free(member);
		else
			cluster->members[kept++] = member;
	}
	cluster->count = kept;
}

/* Logs. */
static int list_urls(struct ctd_top_cluster *cluster)
{
	const struct ctd_texts *urls = &cluster->round.options->screen.urls;
	struct ctd_remote_list list = {0};
	int error = 0;

	for (size_t i = 0; !error && i < urls->count; i++)
		error = ctd_remote_list_add(&list, NULL, urls->text[i], NULL, NULL);
	if (!error)
		error = take_list(cluster, &list);
	ctd_remote_list_free(&list);
	return error ? ctd_log_error(error, "ask nodes") : 0;
}

static void tell(struct ctd_top_cluster *cluster, bool has_ended, const char *why)
{
	pthread_mutex_lock(&cluster->history->lock);
	snprintf(cluster->history->why, sizeof(cluster->history->why), "%s", why);
	cluster->history->has_ended |= has_ended;
	pthread_mutex_unlock(&cluster->history->lock);
	wake(cluster);
}

/* --url-command ended: keep the last list; without any, give up. */
static void end_list(struct ctd_top_cluster *cluster)
{
	if (cluster->is_listed) {
		ctd_warn("--url-command has ended: nodes that come are not seen any more");
		return;
	}
	cluster->failed = true;
	ctd_log(CTD_LOG_ERROR, "--url-command has ended without a list of nodes: '%s'",
		cluster->round.options->screen.url_command);
	tell(cluster, true, "There is no list of nodes; q leaves, and says what was said.");
}

/* The one before stays, or a later one is waited for. */
static void refuse_list(struct ctd_top_cluster *cluster, const char *why)
{
	char text[CTD_REMOTE_WHY_BYTES + 40];

	ctd_log(CTD_LOG_ERROR, "what --url-command writes is no list of nodes: %s", why);
	snprintf(text, sizeof(text), "No list of nodes from --url-command: %s", why);
	if (!cluster->is_listed)
		tell(cluster, false, text);
}

static void read_list(struct ctd_top_cluster *cluster)
{
	struct ctd_remote_list list = {0};
	char why[CTD_REMOTE_WHY_BYTES] = "", text[4096];
	ssize_t bytes = ctd_top_command_read(&cluster->command, text, sizeof(text));
	int taken, error = 0;

	if (bytes == 0)
		end_list(cluster);
	if (bytes <= 0)
		return;
	do {
		taken = ctd_remote_list_take(&cluster->reader, text, (size_t)bytes, &list, why);
		bytes = 0;
		if (taken == -EBADMSG)
			refuse_list(cluster, why);
		else if (taken < 0 || (taken && (error = take_list(cluster, &list))))
			ctd_log_error(error ? error : taken, "take a list of nodes");
		ctd_remote_list_free(&list);
	} while (taken == 1 || taken == -EBADMSG);
}

static bool goes_on(const struct ctd_top_cluster *cluster)
{
	return !ctd_stop_came() && !cluster->failed;
}

/* Until @p until_ns, or until there is a first list. */
static void wait_and_read(struct ctd_top_cluster *cluster, uint64_t until_ns)
{
	bool was_listed = cluster->is_listed;
	uint64_t now_ns;

	while (goes_on(cluster) && was_listed == cluster->is_listed &&
	       (now_ns = ctd_monotonic_ns()) < until_ns) {
		uint64_t left_ns = until_ns - now_ns < SLICE_NS ? until_ns - now_ns : SLICE_NS;
		struct pollfd fd = {.fd = cluster->command.output_fd, .events = POLLIN};
		const struct timespec timeout = {.tv_nsec = (long)left_ns};

		if (ppoll(&fd, 1, &timeout, NULL) > 0)
			read_list(cluster);
	}
}

/* One that has failed, or is still busy with an earlier request, is not waited for. */
static bool is_waited_for(const struct ctd_top_member *member)
{
	return !member->has_ended && !member->leaves && !*member->machine.why &&
	       (member->is_asked || member->number != member->round->number);
}

static bool is_any_waited_for(const struct ctd_top_cluster *cluster, bool *busy)
{
	for (size_t i = 0; i < cluster->count; i++)
		if (!busy[i] && is_waited_for(cluster->members[i]))
			return true;
	return false;
}

/* With the lock. */
static void wait_for_answers(struct ctd_top_cluster *cluster, bool *busy)
{
	struct ctd_top_round *round = &cluster->round;
	uint64_t answer_ns = round->interval_ns / 2, now_ns = ctd_monotonic_ns(), end_ns;

	if (answer_ns < ANSWER_LEAST_NS)
		answer_ns = ANSWER_LEAST_NS;
	if (answer_ns > ANSWER_MOST_NS)
		answer_ns = ANSWER_MOST_NS;
	end_ns = now_ns + answer_ns;
	for (; !ctd_stop_came() && now_ns < end_ns && is_any_waited_for(cluster, busy);
	     now_ns = ctd_monotonic_ns()) {
		uint64_t until_ns = now_ns + SLICE_NS < end_ns ? now_ns + SLICE_NS : end_ns;
		struct timespec until = {.tv_sec = (time_t)(until_ns / 1000000000),
					 .tv_nsec = (long)(until_ns % 1000000000)};

		pthread_cond_timedwait(&round->answered, &round->lock, &until);
	}
}

/* Has all be asked, and shows what those did that have answered. Logs. */
static int ask_all(struct ctd_top_cluster *cluster)
{
	struct ctd_top_round *round = &cluster->round;
	autofree bool *busy = calloc(cluster->count + 1, sizeof(*busy));
	int error;

	if (!busy)
		return ctd_log_error(-ENOMEM, "ask nodes");
	pthread_mutex_lock(&round->lock);
	for (size_t i = 0; i < cluster->count; i++)
		busy[i] = cluster->members[i]->is_asked;
	round->number++;
	pthread_cond_broadcast(&round->begun);
	wait_for_answers(cluster, busy);
	error = ctd_top_sum_make(&cluster->sum, cluster->members, cluster->count,
				 round->interval_ns);
	pthread_mutex_unlock(&round->lock);
	if (!error)
		error = ctd_top_sum_show(&cluster->sum, cluster->history);
	wake(cluster);
	return error ? ctd_log_error(error, "add nodes up") : 0;
}

static void *run(void *context)
{
	struct ctd_top_cluster *cluster = context;
	const char *command = cluster->round.options->screen.url_command;
	uint64_t next_ns, interval_ns = cluster->round.interval_ns;
	int error = command ? ctd_top_command_begin(command, &cluster->files, &cluster->command)
			    : list_urls(cluster);

	while (!error && goes_on(cluster) && !cluster->is_listed)
		wait_and_read(cluster, UINT64_MAX);
	next_ns = ctd_monotonic_ns() + (interval_ns < FIRST_NS ? interval_ns : FIRST_NS);
	while (!error && goes_on(cluster)) {
		error = ask_all(cluster);
		let_go(cluster);
		wait_and_read(cluster, next_ns);
		next_ns = ctd_clock_next_ns(next_ns, interval_ns, ctd_monotonic_ns());
	}
	cluster->failed |= error != 0;
	if (error)
		tell(cluster, true, "No more figures; q leaves, and says what was said.");
	ctd_top_command_end(&cluster->command);
	return NULL;
}

int ctd_top_cluster_begin(const struct ctd_options *options, struct ctd_top_history *history,
			  int wake_fd, struct ctd_top_cluster **ret_cluster)
{
	struct ctd_top_cluster *cluster = *ret_cluster = calloc(1, sizeof(*cluster));
	int error;

	if (!cluster)
		return ctd_log_error(-ENOMEM, "ask nodes");
	*cluster = (struct ctd_top_cluster){
		.round = {.options = options,
			  .interval_ns = options->interval_ns ? options->interval_ns
							      : CTD_INTERVAL_DEFAULT_NS,
			  .lock = PTHREAD_MUTEX_INITIALIZER},
		.history = history,
		.wake_fd = wake_fd,
		.command = CTD_TOP_COMMAND_NONE,
	};
	/* Each node takes three, and more while its name is resolved. */
	ctd_file_limit_raise(&cluster->files);
	ctd_cond_init(&cluster->round.begun);
	ctd_cond_init(&cluster->round.answered);
	error = ctd_thread_start(&cluster->thread, "ctd-cluster", run, cluster);
	cluster->has_thread = !error;
	return error ? ctd_log_error(error, "start a thread") : 0;
}

bool ctd_top_cluster_end(struct ctd_top_cluster *cluster)
{
	bool failed;

	if (!cluster)
		return false;
	/* All look for that wherever they wait. */
	ctd_stop_request();
	if (cluster->has_thread)
		pthread_join(cluster->thread, NULL);
	pthread_mutex_lock(&cluster->round.lock);
	cluster->round.ends = true;
	pthread_cond_broadcast(&cluster->round.begun);
	pthread_mutex_unlock(&cluster->round.lock);
	for (size_t i = 0; i < cluster->count; i++)
		ctd_top_member_free(cluster->members[i]);
	free(cluster->members);
	ctd_top_sum_free(&cluster->sum);
	ctd_remote_list_reader_free(&cluster->reader);
	pthread_cond_destroy(&cluster->round.begun);
	pthread_cond_destroy(&cluster->round.answered);
	failed = cluster->failed;
	free(cluster);
	return failed;
}
