/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ask.c - puts the intervals of a running serve into a history. */
#include "app/top/ask.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>

#include "app/neighbours/noisy.h"
#include "app/sandbox/sandbox.h"
#include "app/stop.h"
#include "app/top/functions.h"
#include "base/auto.h"
#include "base/log.h"
#include "base/thread.h"
#include "top/trend.h"

struct ctd_top_ask {
	const struct ctd_options *options; /* borrowed */
	struct ctd_remote_run *run; /* owned */
	struct ctd_top_history *history; /* borrowed */
	int wake_fd; /* borrowed */
	struct ctd_noisy *noisy; /* owned; the thread's */
	struct ctd_top_asker *asker; /* owned; of functions */
	struct ctd_noisy_tags tags; /* owned; the newest, as the history is: by its lock */
	pthread_t thread;
	bool has_thread, failed;
};

static void free_plan(void *plan)
{
	ctd_remote_plan_free(plan);
}

static int take_plan(struct ctd_remote_plan *plan, void *context)
{
	struct ctd_top_ask *ask = context;
	int error;

	pthread_mutex_lock(&ask->history->lock);
	error = ctd_top_history_keep_plan(ask->history, plan, free_plan);
	ask->history->has_vendor = ctd_remote_has_vendor(ask->run);
	pthread_mutex_unlock(&ask->history->lock);
	return error;
}

/* After the interval, which an answer that is late does not keep waiting. */
static void take_tags(struct ctd_top_ask *ask)
{
	struct ctd_noisy_tags tags, before;

	ctd_noisy_ask(ask->noisy, &tags);
	pthread_mutex_lock(&ask->history->lock);
	before = ask->tags;
	ask->tags = tags;
	pthread_mutex_unlock(&ask->history->lock);
	ctd_noisy_tags_free(&before);
	eventfd_write(ask->wake_fd, 1);
}

static int take_interval(const struct ctd_remote_plan *plan, struct ctd_remote_interval *interval,
			 void *context)
{
	struct ctd_top_ask *ask = context;
	int error;

	pthread_mutex_lock(&ask->history->lock);
	error = ctd_top_history_add(ask->history, ctd_remote_plan_rollup(plan), &interval->interval,
				    take_ptr(interval->identities));
	pthread_mutex_unlock(&ask->history->lock);
	eventfd_write(ask->wake_fd, 1);
	if (!error && ask->noisy)
		take_tags(ask);
	return error ? ctd_log_error(error, "keep an interval") : 0;
}

/* There were no tags then. Without memory some are not there. */
static void take_past(const struct ctd_remote_plan *plan, struct ctd_remote_interval *intervals,
		      size_t count, bool is_cut, void *context)
{
	struct ctd_top_ask *ask = context;

	pthread_mutex_lock(&ask->history->lock);
	for (size_t i = 0; i < count; i++)
		(void)ctd_top_history_add_past(ask->history, ctd_remote_plan_rollup(plan),
					       &intervals[i].interval,
					       take_ptr(intervals[i].identities), is_cut);
	pthread_mutex_unlock(&ask->history->lock);
	eventfd_write(ask->wake_fd, 1);
}

static void tell(const char *why, void *context)
{
	struct ctd_top_ask *ask = context;

	pthread_mutex_lock(&ask->history->lock);
	if (*why)
		snprintf(ask->history->why, sizeof(ask->history->why),
			 "Waiting for serve to answer: %s.", why);
	else
		ask->history->why[0] = '\0';
	pthread_mutex_unlock(&ask->history->lock);
	eventfd_write(ask->wake_fd, 1);
}

static void *ask_on(void *context)
{
	struct ctd_top_ask *ask = context;
	const struct ctd_remote_taker taker = {.replan = take_plan,
					       .take = take_interval,
					       .take_past = take_past,
					       .past_ns = CTD_TOP_TREND_NS,
					       .tell = tell,
					       .all = true,
					       .context = ask};
	int error;

	/* Names of hosts and certificates are in files of which libraries know. */
	if (!ask->options->screen.urls.count)
		ctd_sandbox_confine(ask->options, CTD_PRIVILEGES_TO_ASK);
	ask->noisy = ctd_noisy_open(ask->options);
	error = ctd_remote_follow(ask->run, &taker);
	pthread_mutex_lock(&ask->history->lock);
	ask->failed = error;
	ask->history->has_ended = true;
	if (error)
		snprintf(ask->history->why, sizeof(ask->history->why),
			 "No more figures; q leaves, and says what was said.");
	pthread_mutex_unlock(&ask->history->lock);
	eventfd_write(ask->wake_fd, 1);
	return NULL;
}

int ctd_top_ask_begin(const struct ctd_options *options, struct ctd_remote_run *run,
		      struct ctd_top_history *history, int wake_fd, struct ctd_top_ask **ret_ask)
{
	struct ctd_top_ask *ask = *ret_ask = calloc(1, sizeof(*ask));
	int error;

	if (!ask) {
		ctd_remote_free(run);
		return ctd_log_error(-ENOMEM, "ask serve");
	}
	*ask = (struct ctd_top_ask){
		.options = options, .run = run, .history = history, .wake_fd = wake_fd};
	error = ctd_thread_start(&ask->thread, "ctd-ask", ask_on, ask);
	ask->has_thread = !error;
	if (error)
		return ctd_log_error(error, "start a thread");
	return ctd_top_asker_begin(options, run, &history->lock, wake_fd, &ask->asker);
}

void ctd_top_ask_mark(const struct ctd_top_ask *ask, bool newest, struct ctd_report *report)
{
	const struct ctd_noisy_tags past = {.judged = ask && ask->tags.judged};

	if (ask)
		ctd_noisy_mark(newest ? &ask->tags : &past, report);
}

void ctd_top_ask_functions(struct ctd_top_ask *ask, const struct ctd_report_row *row,
			   struct ctd_top_view *view)
{
	bool is_kernel = row && row->kind == CTD_ROLLUP_KERNEL;
	bool is_cgroup = row && row->identity &&
			 (row->kind == CTD_ROLLUP_CONTAINER || row->kind == CTD_ROLLUP_CGROUP);
	const struct ctd_top_functions *functions;

	if (!ask)
		return;
	functions = ctd_top_asker_want(ask->asker, is_kernel || is_cgroup,
				       is_cgroup ? row->identity->path : NULL,
				       row && !row->core_sum ? row->core_type : -1);
	view->functions = is_kernel || is_cgroup ? functions : NULL;
}

bool ctd_top_ask_end(struct ctd_top_ask *ask)
{
	bool failed;

	if (!ask)
		return false;
	/* It looks for that wherever it waits. */
	ctd_stop_request();
	if (ask->has_thread)
		pthread_join(ask->thread, NULL);
	ctd_top_asker_end(ask->asker);
	ctd_remote_free(ask->run);
	ctd_noisy_free(ask->noisy);
	ctd_noisy_tags_free(&ask->tags);
	failed = ask->failed;
	free(ask);
	return failed;
}
