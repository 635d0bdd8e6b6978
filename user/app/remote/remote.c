/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* remote.c - asks a running serve for what it counts, again and again: differences of two views. */
#include "app/remote/remote.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/remote/past.h"
#include "app/stop.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"
#include "remote/client.h"
#include "remote/clock.h"
#include "remote/interval.h"

/* Where serve ends an interval by itself, its view is there after this time. */
#define VIEW_NS 20000000ull
#define LOOK_NS 50000000ull /* at least so long between two requests */
/* A server that does not answer any more may be restarted meanwhile. */
#define ABSENT_LOOK_NS 500000000ull
#define ABSENT_MAX_NS 60000000000ull
/* A signal that comes just before a sleep is seen so much later. */
#define SLEEP_NS 200000000ull

struct ctd_remote_run {
	const struct ctd_options *options;
	const char *path; /* of the socket, or the URL */
	const struct ctd_remote_taker *taker; /* borrowed */
	char who[CTD_REMOTE_WHO_BYTES]; /* "the running serve (pid 4711, /run/cgtopdown/socket)" */
	uint64_t interval_ns; /* wanted */
	bool looks; /* shorter than serve's: it makes views for us */
	struct ctd_remote_client *client; /* owned */
	const struct ctd_remote_plan *plan; /* the taker's */
	struct ctd_remote_view base; /* owned; up to which everything was shown */
	struct ctd_remote_clock clock; /* its */
	uint64_t newest_ns; /* of its clock: the newest view */
	uint64_t asked_ns; /* monotonic: when it was asked for the last answer */
	pthread_mutex_t base_lock; /* while it is replaced, and by others that look at it */
	uint64_t absent_ns; /* since when it does not answer; 0: it does */
	char why_absent[CTD_REMOTE_WHY_BYTES]; /* what was said of that */
};

struct ctd_remote_place ctd_remote_place_of(const struct ctd_options *options,
					    enum ctd_remote_what what)
{
	const struct ctd_top_options *top = &options->screen;
	const char *socket = options->local_socket ? options->local_socket : CTD_LOCAL_SOCKET;

	return (struct ctd_remote_place){.socket = top->urls.count ? NULL : socket,
					 .url = top->urls.text[0],
					 .ca_file = top->url_ca,
					 .token_file = top->url_token_file,
					 .insecure = top->url_insecure,
					 .what = what};
}

static void sleep_for(uint64_t ns)
{
	uint64_t end_ns = ctd_monotonic_ns() + ns, now_ns;

	while (!ctd_stop_came() && (now_ns = ctd_monotonic_ns()) < end_ns) {
		uint64_t left_ns = end_ns - now_ns < SLEEP_NS ? end_ns - now_ns : SLEEP_NS;
		struct timespec sleep = {.tv_nsec = (long)left_ns};

		nanosleep(&sleep, NULL);
	}
}

/* What was asked for that no serve hands out. @return NULL: nothing. */
static const char *why_alone(const struct ctd_options *options)
{
	if (options->program)
		return "a COMMAND is counted from its first slot on";
	if (options->by == CTD_GROUP_PROCESS || options->by == CTD_GROUP_TASK || options->pids)
		return "serve does not tell processes and tasks apart";
	if (options->tree)
		return "serve adds up all that is in a container or unit, so that there is no --tree";
	if (options->by_given && options->by == CTD_GROUP_CGROUP)
		return "serve adds up all that is in a container or unit, so that there is no --by cgroup";
	if (options->cpus || options->no_pin || options->read_each || options->rows_max ||
	    options->max_slice_ns != CTD_MAX_SLICE_DEFAULT_NS)
		return "--cpus, --no-pin, --read, --rows and --max-slice say how to count";
	if (options->profile.frequency_hz || options->profile.window_us)
		return "--frequency and --window say how to sample";
	if (options->root)
		return "--root is of another machine";
	return NULL;
}

/* It does, but for its budget: then there is no data, as counting here would cost more. */
static bool gave_up(const struct ctd_remote_view *view, enum ctd_budget_part part)
{
	return ctd_budget_gave_up(&view->budget, part);
}

/* What was asked for that this serve does not count. */
static const char *why_other(const struct ctd_options *options, const struct ctd_remote_view *view)
{
	if ((strcmp(options->source, "auto") != 0 && strcmp(options->source, view->source) != 0) ||
	    options->profile_file)
		return "serve counts by another --source";
	if (options->level > view->level &&
	    !(options->level == 2 && gave_up(view, CTD_BUDGET_LEVEL)))
		return "serve does not count this --level";
	if (options->ipc && !view->general && !gave_up(view, CTD_BUDGET_GENERAL))
		return "serve was started without --general";
	if (options->waits && !view->waits && !gave_up(view, CTD_BUDGET_WAITS))
		return "serve does not measure waits for CPUs";
	if (strcmp(options->hierarchy, "auto") != 0 &&
	    strncmp(view->hierarchy, options->hierarchy, strlen(options->hierarchy)) != 0 &&
	    !strstr(view->hierarchy, options->hierarchy))
		return "serve counts by another --hierarchy";
	if (ctd_remote_view_lacks_shares(view))
		return "this processor's shares are of cycles, which serve does not add up";
	return NULL;
}

static void tell_alone(const struct ctd_remote_run *run, const char *why)
{
	ctd_warn("counting here, beside %s: %s; where counters are short there may be no data",
		 run->who, why);
}

/* The shortest time between two views of serve. */
static uint64_t shortest_ns(const struct ctd_remote_view *view)
{
	return view->look_ns && view->look_ns < view->interval_ns ? view->look_ns
								  : view->interval_ns;
}

void ctd_remote_tell(const struct ctd_remote_run *run)
{
	char text[512];

	snprintf(
		text, sizeof(text),
		"cgtopdown: figures of %s, where a row is a container or a unit; --standalone counts here",
		run->who);
	ctd_log_line(text);
	if (run->base.vendor)
		ctd_log_line(
			"cgtopdown: its metrics of --metrics-dir are on its page, in /metrics and in /api/v1/view; 'stat --metrics-dir' counts them here, beside it");
	if (run->interval_ns < shortest_ns(&run->base))
		ctd_warn("serve makes an interval every %.3g s, so -i %.3g has no effect",
			 (double)shortest_ns(&run->base) / 1e9, (double)run->interval_ns / 1e9);
}

/* The base has just come, and is the first view of its run. */
static void begin_clock(struct ctd_remote_run *run)
{
	uint64_t age_ns = ctd_budget_stretch(&run->base.budget, run->base.interval_ns);
	uint64_t now_ns = ctd_monotonic_ns(), wall_ns = ctd_realtime_ns();

	/* The wall clock of another machine may be apart from ours. */
	if (!run->options->screen.urls.count && wall_ns - run->base.time_ns < age_ns)
		age_ns = wall_ns - run->base.time_ns;
	/* After a restart: then it was not there. */
	if (now_ns - run->asked_ns < age_ns)
		age_ns = now_ns - run->asked_ns;
	ctd_remote_clock_begin(&run->clock, &run->base, now_ns, age_ns);
	run->asked_ns = now_ns;
	run->newest_ns = run->base.elapsed_ns;
}

/* The first view; waits for it where serve has just been started. @return 0 or negative errno. */
static int get_first(struct ctd_remote_run *run, char why[CTD_REMOTE_WHY_BYTES])
{
	uint64_t end_ns = ctd_monotonic_ns() + ABSENT_MAX_NS;
	int error;

	do {
		error = ctd_remote_client_get(run->client, &run->base, why);
		/* serve's first interval may be a long one: a serve that can ends it for us. */
		if (error == -EAGAIN && !ctd_remote_client_set_age(run->client, 0))
			sleep_for(ABSENT_LOOK_NS);
	} while (error == -EAGAIN && !ctd_stop_came() && ctd_monotonic_ns() < end_ns);
	if (!error)
		begin_clock(run);
	return ctd_stop_came() ? -EINTR : error;
}

/* An interval may end so much earlier or later than is wanted: it ends where a view does. */
static uint64_t tolerance_ns(const struct ctd_remote_run *run)
{
	return (run->looks ? run->interval_ns : run->base.interval_ns) / 4;
}

/* Asks serve for views of our own where our intervals are shorter than its. Logs. */
static int choose_age(struct ctd_remote_run *run)
{
	int error;

	run->looks = run->base.look_ns && run->interval_ns < run->base.interval_ns;
	error = ctd_remote_client_set_age(run->client, run->looks ? tolerance_ns(run) : UINT64_MAX);
	return error ? ctd_log_error(error, "ask %s", run->who) : 0;
}

/* Makes the plan of the base. Logs. */
static int replan(struct ctd_remote_run *run)
{
	char why[CTD_REMOTE_WHY_BYTES];
	struct ctd_remote_plan *plan;
	bool ipc = run->options->ipc || (run->taker->all && run->base.general);
	int error = choose_age(run);

	if (error)
		return error;
	error = ctd_remote_plan_new(&run->base, ipc, &plan, why);
	if (error == -EBADMSG)
		ctd_log(CTD_LOG_ERROR, "%s: %s", run->who, why);
	else if (error)
		ctd_log_error(error, "read the view of %s", run->who);
	if (error)
		return error;
	run->plan = plan;
	return run->taker->replan(plan, run->taker->context);
}

static void replace_base(struct ctd_remote_run *run, const struct ctd_remote_view *view)
{
	struct ctd_remote_view before = run->base;

	pthread_mutex_lock(&run->base_lock);
	run->base = *view;
	pthread_mutex_unlock(&run->base_lock);
	ctd_remote_view_free(&before);
}

/* Nothing is subtracted from what another run, or other counters, have added up. */
static int follow(struct ctd_remote_run *run, struct ctd_remote_view *view)
{
	bool is_of_run = ctd_remote_view_is_of_run(view, &run->base);

	if (is_of_run)
		ctd_warn("serve counts otherwise now (source %s): figures go on from here",
			 view->source);
	else
		ctd_warn("serve was restarted at %s: figures go on from there", view->start);
	replace_base(run, view);
	begin_clock(run);
	return replan(run);
}

static int hand_out(struct ctd_remote_run *run, const struct ctd_remote_view *view)
{
	struct ctd_remote_interval interval;
	int error = ctd_remote_interval_make(run->plan, &run->base, view, &interval);

	if (error)
		return ctd_log_error(error, "subtract two views");
	error = run->taker->take(run->plan, &interval, run->taker->context);
	ctd_remote_interval_free(&interval);
	return error;
}

/* It was there a moment ago. @p error: -EAGAIN: it is again, and its first interval may be long. */
static int wait_for_server(struct ctd_remote_run *run, int error, const char *why)
{
	uint64_t now_ns = ctd_monotonic_ns(), most_ns = ABSENT_MAX_NS;

	if (error == -EAGAIN)
		most_ns += 2 * ctd_budget_stretch(&run->base.budget, run->base.interval_ns);
	if (!run->absent_ns || strcmp(why, run->why_absent) != 0) {
		run->absent_ns = run->absent_ns ? run->absent_ns : now_ns;
		snprintf(run->why_absent, sizeof(run->why_absent), "%s", why);
		if (run->taker->tell)
			run->taker->tell(why, run->taker->context);
		else
			ctd_warn("%s: %s; waiting for it to come back", run->path, why);
	}
	if (!run->taker->all && now_ns - run->absent_ns > most_ns) {
		ctd_log(CTD_LOG_ERROR, "%s: %s; --standalone counts here", run->path, why);
		return -ENOTCONN;
	}
	sleep_for(ABSENT_LOOK_NS);
	return 0;
}

/* How long to wait for a view that ends the interval, after one of @p newest_ns. */
static uint64_t wait_ns(const struct ctd_remote_run *run, uint64_t newest_ns)
{
	uint64_t its_ns = ctd_budget_stretch(&run->base.budget, run->base.interval_ns);
	uint64_t view_ns = run->looks ? 0 : VIEW_NS;
	uint64_t wanted_ns = run->base.elapsed_ns + run->interval_ns + view_ns;
	uint64_t next_ns = newest_ns + (run->looks ? 0 : its_ns) + view_ns;
	uint64_t now_ns = ctd_remote_clock_ns(&run->clock, ctd_monotonic_ns());
	uint64_t until_ns = wanted_ns > next_ns ? wanted_ns : next_ns, late_ns;

	if (until_ns >= now_ns + LOOK_NS)
		return until_ns - now_ns;
	/* The later it is, the less it matters. */
	late_ns = now_ns > until_ns ? (now_ns - until_ns) / 4 : 0;
	return late_ns < LOOK_NS ? LOOK_NS : late_ns < ABSENT_LOOK_NS ? late_ns : ABSENT_LOOK_NS;
}

/* One that ends about when the interval should, as serve's intervals end when they end. */
static bool is_due(const struct ctd_remote_run *run, const struct ctd_remote_view *view)
{
	return view->elapsed_ns > run->base.elapsed_ns &&
	       view->elapsed_ns - run->base.elapsed_ns + tolerance_ns(run) >= run->interval_ns;
}

/* @p asked_ns: when the view was asked for. */
static void learn_clock(struct ctd_remote_run *run, const struct ctd_remote_view *view,
			uint64_t asked_ns)
{
	uint64_t now_ns = ctd_monotonic_ns();

	if (view->elapsed_ns != run->newest_ns)
		ctd_remote_clock_take(&run->clock, view, now_ns, now_ns - run->asked_ns);
	run->newest_ns = view->elapsed_ns;
	run->asked_ns = asked_ns;
}

/* Shows one interval. @return 0 with *ret_shown, or negative errno; was logged. */
static int step(struct ctd_remote_run *run, bool *ret_shown)
{
	char why[CTD_REMOTE_WHY_BYTES] = "";
	struct ctd_remote_view view;
	uint64_t asked_ns = ctd_monotonic_ns();
	int error = ctd_remote_client_get(run->client, &view, why);

	if (error == -EINTR)
		return 0;
	if (error == -ENOMEM || (error == -EBADMSG && !run->taker->all)) {
		ctd_log(CTD_LOG_ERROR, "%s: %s", run->path, why);
		return error;
	}
	if (error)
		return wait_for_server(run, error, why);
	if (run->absent_ns && run->taker->tell)
		run->taker->tell("", run->taker->context);
	run->absent_ns = 0;
	if (!ctd_remote_view_is_of_run(&view, &run->base) ||
	    !ctd_remote_view_is_of_plan(&view, &run->base) ||
	    view.elapsed_ns < run->base.elapsed_ns) {
		error = follow(run, &view);
		sleep_for(error ? 0 : wait_ns(run, run->newest_ns));
		return error;
	}
	learn_clock(run, &view, asked_ns);
	if (!is_due(run, &view)) {
		sleep_for(wait_ns(run, view.elapsed_ns));
		ctd_remote_view_free(&view);
		return 0;
	}
	error = hand_out(run, &view);
	replace_base(run, &view);
	*ret_shown = true;
	return error;
}

static int run_intervals(struct ctd_remote_run *run)
{
	uint64_t shown = 0;
	int error = 0;

	sleep_for(wait_ns(run, run->newest_ns));
	while (!error && !ctd_stop_came() &&
	       (!run->options->count || shown < run->options->count)) {
		bool was_shown = false;

		error = step(run, &was_shown);
		shown += was_shown;
		if (was_shown && (!run->options->count || shown < run->options->count))
			sleep_for(wait_ns(run, run->newest_ns));
	}
	return error;
}

/* @return true if there is a serve that has what was asked for; its first view is the base. */
static bool find_server(struct ctd_remote_run *run)
{
	char why[CTD_REMOTE_WHY_BYTES] = "";
	const char *alone = run->options->standalone ? "--standalone" : why_alone(run->options);
	pid_t pid;
	int error = ctd_remote_look(run->path, &pid);

	if (error == -EACCES)
		ctd_warn(
			"%s: %s - the figures of a serve there are for its user and group (serve --socket-group); counting here",
			run->path, strerror(-error));
	else if (error && run->options->local_socket)
		ctd_warn("%s: %s - no serve to ask, counting here", run->path, strerror(-error));
	if (error)
		return false;
	if (pid)
		snprintf(run->who, sizeof(run->who), "the running serve (pid %d, %.80s)", (int)pid,
			 run->path);
	else
		snprintf(run->who, sizeof(run->who), "the running serve (%.80s)", run->path);
	if (alone) {
		tell_alone(run, alone);
		return false;
	}
	error = ctd_remote_client_new(&(struct ctd_remote_place){.socket = run->path},
				      ctd_stop_came, &run->client);
	if (!error)
		error = get_first(run, why);
	if (error == -EINTR)
		return true;
	if (error) {
		ctd_warn("%s: somebody is there, but %s; counting here", run->path, why);
		return false;
	}
	alone = why_other(run->options, &run->base);
	if (alone)
		tell_alone(run, alone);
	return !alone;
}

/* Another machine's, whatever is asked for: what it does not count is not there. Logs. */
static int find_url(struct ctd_remote_run *run)
{
	const struct ctd_top_options *top = &run->options->screen;
	const struct ctd_remote_place place = ctd_remote_place_of(run->options, CTD_REMOTE_VIEW);
	char why[CTD_REMOTE_WHY_BYTES] = "";
	int error = ctd_remote_client_new(&place, ctd_stop_came, &run->client);

	if (error)
		return ctd_log_error(error, "ask '%s'", top->urls.text[0]);
	snprintf(run->who, sizeof(run->who), "'%.100s'", top->urls.text[0]);
	error = get_first(run, why);
	if (!error && ctd_remote_view_lacks_shares(&run->base)) {
		snprintf(why, sizeof(why),
			 "this processor's shares are of cycles, which serve does not add up");
		error = -ENODATA;
	}
	if (error && error != -EINTR)
		ctd_log(CTD_LOG_ERROR, "%s: %s%s", run->who, why,
			strstr(why, "wants a token") ? ": --url-token-file" : "");
	return error;
}

int ctd_remote_find(const struct ctd_options *options, struct ctd_remote_run **ret_run)
{
	struct ctd_remote_run *run = calloc(1, sizeof(*run));
	int result;

	if (!run)
		return -ENOMEM;
	*run = (struct ctd_remote_run){
		.options = options,
		.path = options->screen.urls.count ? options->screen.urls.text[0]
			: options->local_socket	   ? options->local_socket
						   : CTD_LOCAL_SOCKET,
		.interval_ns =
			options->interval_ns ? options->interval_ns : CTD_INTERVAL_DEFAULT_NS,
		.base_lock = PTHREAD_MUTEX_INITIALIZER,
	};
	if (options->screen.urls.count) {
		result = find_url(run);
		result = result ? result : 1;
	} else {
		result = strcmp(run->path, "none") != 0 && find_server(run);
	}
	if (result <= 0)
		ctd_remote_free(take_ptr(run));
	else
		*ret_run = run;
	return result;
}

bool ctd_remote_has_vendor(const struct ctd_remote_run *run)
{
	return run->base.vendor;
}

const char *ctd_remote_node(const struct ctd_remote_run *run)
{
	return run->base.node;
}

static bool is_row(const struct ctd_remote_row *row, const char *path, int core_type)
{
	if (core_type >= 0 && row->core_type != core_type)
		return false;
	return path ? row->cgroup && strcmp(row->cgroup, path) == 0
		    : row->kind == CTD_ACCOUNT_KERNEL;
}

char *ctd_remote_key(struct ctd_remote_run *run, const char *path, int core_type)
{
	char *key = NULL, *core;

	pthread_mutex_lock(&run->base_lock);
	for (size_t i = 0; i < run->base.rows_count && !key; i++)
		if (is_row(&run->base.rows[i], path, core_type))
			key = strdup(run->base.rows[i].key);
	pthread_mutex_unlock(&run->base_lock);
	core = key && core_type < 0 ? strstr(key, ",core=\"") : NULL;
	if (core)
		*core = '\0';
	return key;
}

int ctd_remote_follow(struct ctd_remote_run *run, const struct ctd_remote_taker *taker)
{
	const struct ctd_remote_place place = ctd_remote_place_of(run->options, CTD_REMOTE_PAST);
	int error;

	run->taker = taker;
	if (ctd_stop_came())
		return 0;
	error = replan(run);
	if (!error && taker->take_past)
		ctd_remote_ask_past(&place, &run->base, run->plan, taker);
	return error ? error : run_intervals(run);
}

void ctd_remote_free(struct ctd_remote_run *run)
{
	if (!run)
		return;
	ctd_remote_view_free(&run->base);
	ctd_remote_client_free(run->client);
	free(run);
}

bool ctd_remote_has_profiles(const struct ctd_options *options, char ret_who[CTD_REMOTE_WHO_BYTES])
{
	struct ctd_remote_run run = {
		.options = options,
		.path = options->local_socket ? options->local_socket : CTD_LOCAL_SOCKET,
	};
	bool found = strcmp(run.path, "none") != 0 && find_server(&run) && !ctd_stop_came();

	if (found && !run.base.profiles) {
		ctd_warn(
			"sampling here, beside %s, which samples no stacks: started with --profile it does; where counters are short there may be no data",
			run.who);
		found = false;
	}
	snprintf(ret_who, CTD_REMOTE_WHO_BYTES, "%s", run.who);
	ctd_remote_view_free(&run.base);
	ctd_remote_client_free(run.client);
	return found;
}

void ctd_remote_tell_record(void)
{
	pid_t pid;

	if (!ctd_remote_look(CTD_LOCAL_SOCKET, &pid))
		ctd_info(
			"a serve runs (%s), and has no raw counts to hand out: they are counted here, and where counters are short there may be no data",
			CTD_LOCAL_SOCKET);
}
