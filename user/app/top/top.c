/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* top.c - cgtopdown top: one screen that refreshes in place. */
#include "app/top/top.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "app/privileges.h"
#include "app/recording.h"
#include "app/sandbox/sandbox.h"
#include "app/stop.h"
#include "app/text.h"
#include "app/top/ask.h"
#include "app/top/cluster.h"
#include "app/top/feed.h"
#include "app/top/log.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"
#include "top/draw.h"
#include "top/screen.h"

/* Of all intervals: an hour of a machine with hundreds of cgroups at one second. */
#define LIVE_BYTES_MAX ((size_t)64 << 20)
/* And some minutes of hundreds of machines, each with a hundred. */
#define CLUSTER_BYTES_MAX ((size_t)256 << 20)
#define RECORDING_BYTES_MAX ((size_t)512 << 20)
/* A signal that comes just before a wait is seen so much later. */
#define WAIT_MS 500
/* While a recording is read, not each of its intervals is drawn. */
#define DRAW_NS 50000000ull

struct top_run {
	const struct ctd_options *options;
	struct ctd_top_history history;
	struct ctd_top_state state;
	struct ctd_top_source source;
	struct ctd_top_feed *feed; /* owned; one of these three */
	struct ctd_top_ask *ask; /* owned */
	struct ctd_top_cluster *cluster; /* owned */
	struct ctd_top_log log;
	struct ctd_screen *screen; /* owned */
	int input_fd; /* owned; of the keys */
	int wake_fd; /* owned */
	struct ctd_recording recording; /* its descriptor is owned; -1: none, or it is the feed's */
	uint64_t drawn_ns;
	bool has_checked; /* that a recording tells what its rows are made of */
	bool is_cut_short; /* a recording that was made here */
};

static volatile sig_atomic_t suspend_came;

static void on_suspend(int signal)
{
	(void)signal;
	suspend_came = 1;
}

bool ctd_top_suits(const struct ctd_options *options)
{
	const char *terminal = getenv("TERM");

	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && terminal &&
	       strcmp(terminal, "dumb") != 0 && !options->count && !options->program &&
	       !options->scroll && !options->output && !options->cgroup_glob &&
	       !options->metrics_dir && strcmp(options->format, "table") == 0;
}

/* Where rows are cgroups, those of a container are one: its name tells more than its path. */
static void begin_state(struct top_run *run)
{
	const struct ctd_options *options = run->options;
	bool divided = options->by == CTD_GROUP_PROCESS || options->by == CTD_GROUP_TASK;
	bool is_plain = !options->by_given && !options->tree;

	run->state = (struct ctd_top_state){
		.grouping = {.by = is_plain ? CTD_GROUP_CONTAINER : options->by,
			     .tree = options->tree},
		.may_tree = true,
		.may_record = true,
		.division = divided ? (int)options->by : 0,
		.level = options->level ? options->level : 1,
		.top = options->top,
		.seen = {.time_row = -1, .head_row = -1},
	};
	snprintf(run->state.sort, sizeof(run->state.sort), "%s",
		 options->sort ? options->sort : "cpu");
	snprintf(run->state.filter, sizeof(run->state.filter), "%s",
		 options->screen.filter ? options->screen.filter : "");
}

/* Also a shell of --url-command runs without privileges of ours. */
static int begin_cluster(struct top_run *run)
{
	run->state.may_tree = run->state.may_record = false;
	run->state.has_nodes = true;
	if (run->state.grouping.tree)
		run->state.grouping = (struct ctd_top_grouping){.by = CTD_GROUP_CONTAINER};
	ctd_privileges_drop(CTD_PRIVILEGES_TO_ASK);
	return ctd_top_cluster_begin(run->options, &run->history, run->wake_fd, &run->cluster);
}

/* A serve adds up what is in a container or unit: no tree, and nothing raw to record. */
static int begin_ask(struct top_run *run, struct ctd_remote_run *remote)
{
	const char *url = run->options->screen.urls.text[0];

	run->state.may_tree = run->state.may_record = false;
	if (run->state.grouping.tree)
		run->state.grouping = (struct ctd_top_grouping){.by = CTD_GROUP_CONTAINER};
	if (url)
		snprintf(run->source.name, sizeof(run->source.name), "%.60s (%.90s)",
			 ctd_remote_node(remote), url);
	else
		snprintf(run->source.name, sizeof(run->source.name), "%.60s (serve)",
			 ctd_remote_node(remote));
	/* Before there are threads, which keep what they began with. */
	ctd_privileges_drop(CTD_PRIVILEGES_TO_ASK);
	return ctd_top_ask_begin(run->options, remote, &run->history, run->wake_fd, &run->ask);
}

/* What it may need files for comes first: a recording is opened, and read when we are confined. */
static int begin_feed(struct top_run *run)
{
	const char *file = run->options->input;
	const char *slash = file ? strrchr(file, '/') : NULL;
	char host[64] = "this machine";
	struct ctd_remote_run *remote;
	int error, found = 0;

	if (ctd_options_are_of_nodes(run->options))
		return begin_cluster(run);
	if (!file)
		found = ctd_remote_find(run->options, &remote);
	if (found)
		return found < 0 ? found : begin_ask(run, remote);
	if (!file) {
		gethostname(host, sizeof(host) - 1);
		snprintf(run->source.name, sizeof(run->source.name), "%s", host);
		return ctd_top_feed_count(run->options, &run->history, run->wake_fd, &run->feed);
	}
	error = ctd_recording_open(file, &run->recording);
	if (error)
		return error;
	run->source.has_time_line = true;
	run->state.may_record = false;
	snprintf(run->source.name, sizeof(run->source.name), "%.150s", slash ? slash + 1 : file);
	return 0;
}

/* Keys come from the terminal, whatever standard input is. */
static int begin_screen(struct top_run *run)
{
	bool colour = ctd_text_wants_colour(run->options->colour, stdout);
	bool unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	struct sigaction suspend = {.sa_handler = on_suspend};
	const char *terminal = getenv("TERM");
	int error;

	run->input_fd = isatty(STDIN_FILENO) ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
					     : open("/dev/tty", O_RDONLY | O_CLOEXEC);
	if (run->input_fd < 0)
		return ctd_log_error(-errno, "read keys from the terminal");
	/* Before the screen, which leaves handlers alone that are there. */
	ctd_stop_prepare();
	sigaction(SIGTSTP, &suspend, NULL);
	error = ctd_screen_begin(run->input_fd, STDOUT_FILENO, colour, unicode, &run->screen);
	if (error == -ENODEV)
		ctd_log(CTD_LOG_ERROR,
			"a terminal of the kind '%s' (TERM) is not known here, or cannot do enough; 'cgtopdown stat --scroll' needs no more than lines",
			terminal ? terminal : "");
	else if (error)
		ctd_log_error(error, "take the terminal");
	return error;
}

static void __attribute__((format(printf, 2, 3))) say(struct top_run *run, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(run->state.said, sizeof(run->state.said), format, arguments);
	va_end(arguments);
}

/* Also of one that has ended by an error. With the history's lock. */
static void end_recording(struct top_run *run)
{
	int error = ctd_top_history_record_end(&run->history);

	if (!error) {
		say(run, "the recording is complete");
		return;
	}
	say(run, "the recording is cut short: %s", strerror(-error));
	/* For when the screen is gone. */
	ctd_log(CTD_LOG_ERROR, "%s", run->state.said);
	run->is_cut_short = true;
}

static void record(struct top_run *run)
{
	char file[64] = "";
	time_t now = time(NULL);
	struct tm tm;
	int fd, error;

	if (!run->state.may_record) {
		say(run, "%s",
		    "only what is counted here can be recorded: --standalone counts here");
		return;
	}
	if (run->history.writer || run->history.writer_error) {
		end_recording(run);
		return;
	}
	localtime_r(&now, &tm);
	strftime(file, sizeof(file), "cgtopdown-%Y%m%d-%H%M%S.ctd", &tm);
	fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	error = fd < 0 ? -errno : ctd_top_history_record(&run->history, fd);
	if (error)
		say(run, "cannot record here: %s", strerror(-error));
	else
		say(run, "recording to %s; r ends it", file);
}

/* With the history's lock. */
static int make_view(struct top_run *run, struct ctd_top_view *view)
{
	const struct ctd_report_row *row = NULL;
	int error = ctd_top_view_make(&run->history, &run->state, view);
	bool newest = !error && view->place + 1 == run->history.count;

	if (error)
		return error;
	ctd_top_ask_mark(run->ask, newest, &view->report);
	/* As tags are, they are of now. */
	if (newest && run->state.page == CTD_TOP_DETAIL)
		row = ctd_top_view_row(view, ctd_top_view_find(view, run->state.selected));
	ctd_top_ask_functions(run->ask, row, view);
	return 0;
}

/* With the history's lock. */
static int take_keys_and_draw(struct top_run *run)
{
	struct ctd_canvas *canvas;
	struct ctd_top_input input;
	struct ctd_top_view view;
	int error = make_view(run, &view);

	while (!error && !run->state.quit && ctd_screen_key(run->screen, &input)) {
		if (!ctd_top_state_take(&run->state, &input, &view))
			continue;
		if (run->state.record)
			record(run);
		run->state.record = false;
		ctd_top_view_free(&view);
		error = make_view(run, &view);
	}
	if (error)
		return error;
	if (run->history.writer_error)
		end_recording(run);
	canvas = ctd_screen_canvas(run->screen);
	if (canvas)
		ctd_top_draw(canvas, &run->state, &view, &run->source);
	ctd_top_view_free(&view);
	return canvas ? 0 : -ENOMEM;
}

/* Once there is something to show. With the history's lock. */
static void check_processes(struct top_run *run)
{
	if (run->has_checked || !run->history.count)
		return;
	run->has_checked = true;
	if (run->feed && run->options->input && run->options->by == CTD_GROUP_PROCESS &&
	    ctd_top_history_lacks_processes(&run->history))
		ctd_warn(CTD_RECORDING_LACKS_PROCESSES, run->recording.name);
}

static int refresh_screen(struct top_run *run)
{
	autofree char *said = ctd_top_log_read(&run->log);
	int error;

	if (said)
		say(run, "%s", said);
	pthread_mutex_lock(&run->history.lock);
	check_processes(run);
	error = take_keys_and_draw(run);
	pthread_mutex_unlock(&run->history.lock);
	if (error)
		return ctd_log_error(error, "make a screen");
	ctd_screen_show(run->screen);
	run->drawn_ns = ctd_monotonic_ns();
	return 0;
}

/* @return false: the terminal is gone. */
static bool wait_for_more(struct top_run *run)
{
	struct pollfd fds[] = {
		{.fd = run->input_fd, .events = POLLIN},
		{.fd = run->wake_fd, .events = POLLIN},
		{.fd = run->log.fd, .events = POLLIN},
	};
	uint64_t left_ns;
	eventfd_t count;

	poll(fds, 3, WAIT_MS);
	if (fds[1].revents)
		eventfd_read(run->wake_fd, &count);
	left_ns = run->drawn_ns + DRAW_NS - ctd_monotonic_ns();
	if (!fds[0].revents && left_ns < DRAW_NS)
		poll(fds, 1, (int)(left_ns / 1000000));
	return !(fds[0].revents & (POLLERR | POLLHUP | POLLNVAL));
}

static int run_screen(struct top_run *run)
{
	int error = 0;

	while (!error && !run->state.quit && !ctd_stop_came()) {
		error = refresh_screen(run);
		if (!error && !run->state.quit && !wait_for_more(run))
			break;
		if (suspend_came) {
			suspend_came = 0;
			ctd_screen_suspend(run->screen);
		}
	}
	return error;
}

/* No more than a terminal is needed, and what is open already; record() makes files. */
static int confine(struct top_run *run)
{
	int error = 0;

	/* Local time's file cannot be read later. */
	tzset();
	ctd_sandbox_confine(run->options, run->feed		     ? CTD_PRIVILEGES_TO_WATCH
					  : run->ask || run->cluster ? CTD_PRIVILEGES_TO_ASK
								     : CTD_PRIVILEGES_TO_SHOW);
	if (run->ask || run->cluster)
		return 0;
	if (!run->feed)
		error = ctd_top_feed_read(take_fd(run->recording.fd), run->recording.name,
					  &run->history, run->wake_fd, &run->feed);
	return error ? error : ctd_top_feed_start(run->feed);
}

static int run_top(struct top_run *run)
{
	size_t bytes_max = run->options->input			    ? RECORDING_BYTES_MAX
			   : ctd_options_are_of_nodes(run->options) ? CLUSTER_BYTES_MAX
								    : LIVE_BYTES_MAX;
	int error = ctd_top_history_init(bytes_max, &run->history);

	run->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (error || run->wake_fd < 0)
		return ctd_log_error(error ? error : -errno, "begin");
	begin_state(run);
	ctd_top_log_begin(&run->log);
	error = begin_feed(run);
	ctd_privileges_drop(CTD_PRIVILEGES_TO_ASK);
	if (!error)
		error = begin_screen(run);
	if (!error)
		error = confine(run);
	return error ? error : run_screen(run);
}

int ctd_top_main(const struct ctd_options *options)
{
	struct ctd_options top = *options;
	struct top_run run = {.options = &top,
			      .input_fd = -1,
			      .wake_fd = -1,
			      .recording = CTD_RECORDING_NONE,
			      .log.fd = -1,
			      .log.stderr_fd = -1};
	bool failed;
	int error;

	/* Also where it is what stat shows on a terminal: the screen is allowed to it. */
	top.command = CTD_COMMAND_TOP;
	if (!isatty(STDOUT_FILENO)) {
		ctd_log(CTD_LOG_ERROR,
			"standard output is no terminal; 'cgtopdown %s' writes tables, csv and jsonl",
			options->input ? "report FILE" : "stat");
		return 1;
	}
	error = run_top(&run);
	ctd_screen_end(run.screen);
	failed = ctd_top_feed_end(run.feed);
	failed |= ctd_top_ask_end(run.ask);
	failed |= ctd_top_cluster_end(run.cluster);
	if (run.history.writer || run.history.writer_error)
		end_recording(&run);
	ctd_top_log_end(&run.log);
	ctd_top_history_free(&run.history);
	ctd_top_state_free(&run.state);
	if (run.input_fd >= 0)
		close(run.input_fd);
	ctd_recording_close(&run.recording);
	if (run.wake_fd >= 0)
		close(run.wake_fd);
	return error || failed || run.is_cut_short ? 1 : 0;
}
