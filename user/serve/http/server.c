/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* server.c - the server's thread: from its start to its end, one thing after the other. */
#include "serve/http/http.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"

/* Sleeps no longer. */
#define SLEEP_NS 10000000000ull
/* Back off when accept() fails (EMFILE): libmicrohttpd would spin. */
#define FAILED_ACCEPTS_MAX 3
#define PAUSE_MS 50

/* Another daemon takes over: the connections of the old one end, and new ones are for the other. */
static void take_up(struct ctd_http *http, struct ctd_http_setup *setup)
{
	close(MHD_quiesce_daemon(http->setup.daemon));
	ctd_http_resume(http, 0, true);
	MHD_run(http->setup.daemon);
	/* In there others may have begun to wait, and the library aborts the program if it is to
	 * stop with suspended connections. */
	ctd_http_resume(http, 0, true);
	ctd_http_setup_free(&http->setup);
	http->setup = *setup;
}

static void take_up_next(struct ctd_http *http)
{
	struct ctd_http_setup *setup;

	pthread_mutex_lock(&http->lock);
	setup = take_ptr(http->next_setup);
	pthread_mutex_unlock(&http->lock);
	if (setup)
		take_up(http, setup);
	free(setup);
}

static void earlier(uint64_t *until_ns, uint64_t other_ns)
{
	if (other_ns && other_ns < *until_ns)
		*until_ns = other_ns;
}

/* The daemon was readable without having a client afterwards: a connection that was not accepted. */
static void count_failed_accepts(struct ctd_http *http, bool readable)
{
	if (!readable || http->clients)
		http->failed_accepts = 0;
	else if (http->failed_accepts < FAILED_ACCEPTS_MAX)
		http->failed_accepts++;
}

/* Sleeps until there is something to do. */
static void wait_for_work(struct ctd_http *http, uint64_t until_ns)
{
	const union MHD_DaemonInfo *info =
		MHD_get_daemon_info(http->setup.daemon, MHD_DAEMON_INFO_EPOLL_FD);
	struct pollfd fds[] = {{.fd = http->event_fd, .events = POLLIN},
			       {.fd = info ? info->epoll_fd : -1, .events = POLLIN}};
	uint64_t now_ns = ctd_monotonic_ns();
	MHD_UNSIGNED_LONG_LONG daemon_ms;
	bool pause = http->failed_accepts == FAILED_ACCEPTS_MAX;
	eventfd_t count;
	int left_ms = 0;

	if (until_ns > now_ns)
		left_ms = (int)((until_ns - now_ns + 999999) / 1000000);
	if (MHD_get_timeout(http->setup.daemon, &daemon_ms) == MHD_YES &&
	    daemon_ms < (MHD_UNSIGNED_LONG_LONG)left_ms)
		left_ms = (int)daemon_ms;
	if (pause && left_ms > PAUSE_MS)
		left_ms = PAUSE_MS;
	poll(fds, pause ? 1 : 2, left_ms);
	if (!pause)
		count_failed_accepts(http, fds[1].revents);
	else
		http->failed_accepts--;
	if (fds[0].revents)
		eventfd_read(http->event_fd, &count);
}

static bool is_to_stop(struct ctd_http *http)
{
	bool stop;

	pthread_mutex_lock(&http->lock);
	stop = http->stop;
	pthread_mutex_unlock(&http->lock);
	return stop;
}

static void *serve(void *context)
{
	struct ctd_http *http = context;

	while (!is_to_stop(http)) {
		uint64_t now_ns, until_ns;

		take_up_next(http);
		MHD_run(http->setup.daemon);
		now_ns = ctd_monotonic_ns();
		until_ns = now_ns + SLEEP_NS;
		earlier(&until_ns, ctd_http_cut_slow(http, now_ns));
		earlier(&until_ns, ctd_http_make_room(http, now_ns));
		/* The daemon answers resumed requests when it runs next: nothing wakes it up. */
		earlier(&until_ns, ctd_http_resume(http, now_ns, false));
		wait_for_work(http, until_ns);
	}
	ctd_http_resume(http, 0, true);
	ctd_http_setup_free(&http->setup);
	return NULL;
}

void ctd_http_wake(struct ctd_http *http)
{
	eventfd_write(http->event_fd, 1);
}

/* Looks at each of them, so that all that has changed is taken up at once. */
static bool files_have_changed(struct ctd_http *http)
{
	bool changed = false;

	for (int i = 0; i < CTD_HTTP_FILES; i++)
		changed |= ctd_watched_file_changed(&http->files[i]);
	return changed;
}

int ctd_http_open(const struct ctd_http_options *options, struct ctd_http **ret_http)
{
	struct ctd_http *http = calloc(1, sizeof(*http));
	int error;

	if (!http)
		return ctd_log_error(-ENOMEM, "start the HTTP server");
	*http = (struct ctd_http){.options = *options,
				  .listen_fd = -1,
				  .event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC),
				  .lock = PTHREAD_MUTEX_INITIALIZER,
				  .started_ns = ctd_monotonic_ns(),
				  .files = {[CTD_HTTP_CERTIFICATE].path =
						    options->files.certificate,
					    [CTD_HTTP_KEY].path = options->files.key,
					    [CTD_HTTP_TOKEN].path = options->files.token,
					    [CTD_HTTP_USERS].path = options->files.users}};
	error = http->event_fd < 0 ? ctd_log_error(-errno, "start the HTTP server")
				   : ctd_http_listen(http);
	files_have_changed(http);
	if (!error)
		error = ctd_http_setup_make(http, &http->setup);
	if (error)
		ctd_http_free(http);
	else
		*ret_http = http;
	return error;
}

void ctd_http_set_as_it_is(struct ctd_http *http, bool as_it_is)
{
	atomic_store(&http->as_it_is, as_it_is);
}

int ctd_http_run(struct ctd_http *http, bool as_it_is, struct ctd_profiles *profiles,
		 struct ctd_recall *recall)
{
	int error;

	http->profiles = profiles;
	http->recall = recall;
	ctd_http_set_as_it_is(http, as_it_is);
	error = ctd_thread_start(&http->thread, http->options.local ? "ctd-local" : "ctd-http",
				 serve, http);
	if (error)
		return ctd_log_error(error, "start the thread of the HTTP server");
	http->has_thread = true;
	return 0;
}

void ctd_http_free(struct ctd_http *http)
{
	if (!http)
		return;
	if (http->has_thread) {
		pthread_mutex_lock(&http->lock);
		http->stop = true;
		pthread_mutex_unlock(&http->lock);
		ctd_http_wake(http);
		pthread_join(http->thread, NULL);
	} else {
		ctd_http_setup_free(&http->setup);
	}
	if (http->next_setup)
		ctd_http_setup_free(http->next_setup);
	free(http->next_setup);
	ctd_renderer_free(&http->renderer);
	for (int i = 0; i < CTD_HTTP_FILES; i++)
		ctd_watched_file_free(&http->files[i]);
	ctd_http_listen_no_more(http);
	if (http->event_fd >= 0)
		close(http->event_fd);
	free(http);
}

int ctd_http_look(bool asked, void *context)
{
	struct ctd_http *http = context;
	struct ctd_http_setup *setup, *before;
	bool changed = files_have_changed(http);
	int error;

	ctd_http_look_at_socket(http);
	if (!changed && !(asked && http->files_failed))
		return 0;
	setup = calloc(1, sizeof(*setup));
	error = setup ? ctd_http_setup_make(http, setup)
		      : ctd_log_error(-ENOMEM, "read the files of the HTTP server");
	http->files_failed = error;
	if (error) {
		free(setup);
		ctd_warn("http: the files that were read before stay in use");
		return error;
	}
	pthread_mutex_lock(&http->lock);
	before = http->next_setup;
	http->next_setup = setup;
	pthread_mutex_unlock(&http->lock);
	if (before)
		ctd_http_setup_free(before);
	free(before);
	ctd_http_wake(http);
	ctd_info("http: certificates or secrets have changed, and are in use");
	return 0;
}

void ctd_http_sent(struct ctd_http *http, uint64_t *ret_sequence, uint64_t *ret_ns)
{
	pthread_mutex_lock(&http->lock);
	*ret_sequence = http->sent_sequence;
	*ret_ns = http->sent_ns;
	pthread_mutex_unlock(&http->lock);
}

const char *ctd_http_url(const struct ctd_http *http)
{
	return http->url;
}
