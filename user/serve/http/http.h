/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* http.h - the server as its own files see it. */
#ifndef SERVE_HTTP_HTTP_H
#define SERVE_HTTP_HTTP_H

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "serve/file.h"
#include "serve/http/auth.h"
#include "serve/http/listen.h"
#include "serve/http/render.h"
#include "serve/http/routes.h"
#include "serve/http/server.h"

/* A scraper needs one; more are mistakes or malice. */
#define CTD_HTTP_CLIENTS_MAX 64
#define CTD_HTTP_CLIENTS_PER_ADDRESS_MAX 16

/* A log line for refusals of one reason at most so often, however many there are. */
#define CTD_HTTP_COMPLAIN_NS 60000000000ull

enum ctd_http_file {
	CTD_HTTP_CERTIFICATE,
	CTD_HTTP_KEY,
	CTD_HTTP_TOKEN,
	CTD_HTTP_USERS,
	CTD_HTTP_FILES,
};

/* What the files say, and the daemon that was made from it. */
struct ctd_http_setup {
	struct ctd_secret certificate, key;
	struct ctd_auth auth;
	struct MHD_Daemon *daemon; /* NULL: not made */
};

/* A connection, from its begin to its end. */
struct ctd_client {
	struct ctd_client *next, **link; /* in ctd_http.clients */
	struct MHD_Connection *connection;
	int fd; /* the daemon's */
	bool cut; /* was shut down, and the daemon has still to close it */
	uint64_t group; /* of its address; see ctd_http_group() */
	uint64_t since_ns; /* since when it owes a request, or we an answer */
	struct ctd_request *request; /* NULL: none that is whole */
};

/* From a request's head to the end of its answer. */
struct ctd_request {
	struct ctd_client *client;
	struct MHD_Connection *connection;
	struct ctd_request *next_waiting; /* in ctd_http.waiting */
	uint64_t asked_ns; /* when it began to wait for a view; 0: it has not waited */
	bool is_scrape; /* of /metrics */
	uint64_t age_ns; /* a view that is older will not do */
	bool is_head; /* the answer's head alone */
	uint64_t sequence; /* of the view that is its answer; 0: another answer */
	bool is_late; /* a scrape whose client had left before there was an answer */
	struct ctd_ask *ask; /* owned; NULL: none; until its answer is there */
	struct ctd_asks *holds_place_of; /* borrowed; NULL: none; until the answer was sent */
};

struct ctd_http {
	struct ctd_http_options options;
	struct ctd_listen_address address;
	struct ctd_listen_address wanted; /* whose server is to end first; host "": none */
	int listen_fd, event_fd; /* the latter wakes the thread */
	char url[CTD_HOST_BYTES + 16];
	pthread_t thread;
	bool has_thread;
	atomic_bool as_it_is;

	pthread_mutex_t lock; /* of these: */
	struct ctd_http_setup *next_setup; /* owned; to be taken up; NULL: none */
	uint64_t sent_sequence, sent_ns; /* see ctd_http_sent() */
	bool stop;

	/* Of the thread alone. */
	uint64_t scrapes, scrape_errors;
	struct ctd_http_setup setup;
	struct ctd_renderer renderer;
	struct ctd_client *clients;
	bool full; /* all places for connections are taken */
	struct ctd_request *waiting;
	int failed_accepts; /* in a row */
	uint64_t refusals[CTD_REFUSALS];
	uint64_t complain_ns[CTD_REFUSALS]; /* when such a one may be told of again */

	/* Of the thread that looks at the files alone. */
	struct ctd_watched_file files[CTD_HTTP_FILES];
	bool files_failed; /* the last time that they were read */
	dev_t file_device; /* of the socket, where that has one */
	ino_t file_inode;
	bool is_lost; /* its file was removed, of which was told */

	uint64_t started_ns;
	struct ctd_profiles *profiles; /* borrowed; NULL: there are none */
	struct ctd_recall *recall; /* borrowed; NULL: no history is kept */
};

/* Its client waits for us, however long that takes. */
static inline bool ctd_http_is_asking(const struct ctd_client *client)
{
	return client->request && client->request->ask;
}

/* Suspends the request until ctd_http_resume() finds that its wait is over. */
static inline void ctd_http_suspend(struct ctd_http *http, struct ctd_request *request,
				    uint64_t now_ns)
{
	request->asked_ns = now_ns;
	request->next_waiting = http->waiting;
	http->waiting = request;
	MHD_suspend_connection(request->connection);
}

/* socket.c: where it listens. Logs. */
int ctd_http_listen(struct ctd_http *http);
/* Takes the place of another server that has ended, and tells of a socket whose file was removed. */
void ctd_http_look_at_socket(struct ctd_http *http);
/* Removes its file, unless that is another one's by now. */
void ctd_http_listen_no_more(struct ctd_http *http);

/* setup.c: reads the files, makes a daemon for the listening socket. Logs. 0 or negative errno. */
int ctd_http_setup_make(struct ctd_http *http, struct ctd_http_setup *ret_setup);
void ctd_http_setup_free(struct ctd_http_setup *setup);

/* client.c: callbacks of the daemon, which keep the list of clients. */
void ctd_http_on_client(void *http, struct MHD_Connection *connection, void **context,
			enum MHD_ConnectionNotificationCode code);
/* Ends connections that owe us a request, or do not take their answer, for too long; and the
 * slowest where too many old answers are held. @return monotonic time of the next look, or 0. */
uint64_t ctd_http_cut_slow(struct ctd_http *http, uint64_t now_ns);
/* Has it closed its side? One that gave up has. The daemon does not look for that while a
 * connection is suspended, or written to. */
bool ctd_http_has_left(const struct ctd_client *client);

/* admit.c: places for connections. */
/* Which clients share the places of an address: those of one IPv4 address, or of one /64. */
uint64_t ctd_http_group(const struct sockaddr *address);
/* An MHD_AcceptPolicyCallback. */
enum MHD_Result ctd_http_admit(void *http, const struct sockaddr *address, socklen_t bytes);
/* Where all places are taken and connections wait, ends some that only hold on. @return monotonic
 * time of the next look, or 0. */
uint64_t ctd_http_make_room(struct ctd_http *http, uint64_t now_ns);
/* @return whether to log it: not of one reason again and again. */
bool ctd_http_count_refusal(struct ctd_http *http, enum ctd_http_refusal reason, uint64_t now_ns);
void ctd_http_name_client(struct MHD_Connection *connection, char ret_name[CTD_HOST_BYTES]);

/* request.c */
enum MHD_Result ctd_http_on_request(void *http, struct MHD_Connection *connection, const char *url,
				    const char *method, const char *version,
				    const char *upload_data, size_t *upload_bytes, void **context);
void ctd_http_on_completed(void *http, struct MHD_Connection *connection, void **context,
			   enum MHD_RequestTerminationCode code);
/* Resumes requests that wait for a view: all (@p all), or those whose view has come or whose time
 * is up. @return the monotonic time at which the next one's time is up, now_ns where any was
 * resumed, or 0. */
uint64_t ctd_http_resume(struct ctd_http *http, uint64_t now_ns, bool all);

/* access.c: tokens and passwords. */
bool ctd_http_may_read(const struct ctd_http *http, struct MHD_Connection *connection);
enum MHD_Result ctd_http_refuse(struct ctd_http *http, struct MHD_Connection *connection,
				uint64_t now_ns);
/* For a name of a host that is not ours. */
enum MHD_Result ctd_http_refuse_name(struct ctd_http *http, struct MHD_Connection *connection,
				     uint64_t now_ns);

/* ask.c: what other threads answer, in request->ask. */
#define CTD_HTTP_NO_MEMORY "Out of memory.\n"
struct ctd_answer;
enum MHD_Result ctd_http_refuse_ask(struct ctd_request *request, unsigned int status,
				    const char *why);
/* An argument of the URL without its escapes, the caller's; NULL: not given. */
char *ctd_http_argument(const struct ctd_request *request, const char *name);
bool ctd_http_takes_gzip(const struct ctd_request *request);
/* To be called when there is an answer. */
void ctd_http_tell_ready(void *http);
/* Suspends the request until ctd_http_ask_is_due(); after an @p error of asking refuses it. */
enum MHD_Result ctd_http_wait_for_answer(struct ctd_http *http, struct ctd_request *request,
					 int error, uint64_t now_ns);
/* Of a ready one; sets status, body, and whether it is compressed. @return 0, or the error that was
 * in the way. */
int ctd_http_take_answer(struct ctd_request *request, struct ctd_answer *answer);
/* Is there an answer, or has the client gone? */
bool ctd_http_ask_is_due(const struct ctd_request *request, uint64_t now_ns);

/* profile.c: profiles, which take their time. */
enum MHD_Result ctd_http_answer_profile(struct ctd_http *http, struct ctd_request *request,
					const struct ctd_route *route, uint64_t now_ns);

/* history.c: times that are over, which a thread of their own reads from disk. */
enum MHD_Result ctd_http_answer_history(struct ctd_http *http, struct ctd_request *request,
					const struct ctd_route *route, uint64_t now_ns);

/* health.c */
#define CTD_HTTP_NO_VIEW "The first interval has not ended.\n"
enum MHD_Result ctd_http_answer_health(struct ctd_http *http, struct MHD_Connection *connection,
				       const struct ctd_route *route, uint64_t now_ns);

/* answer.c */
struct ctd_answer {
	unsigned int status;
	const char *text; /* where there is no body; copied */
	const char *content_type; /* NULL: plain text */
	const char *policy; /* Content-Security-Policy; NULL: nothing is to be run or loaded */
	struct ctd_body *body; /* owned; NULL: text */
	/* Instead, what never changes, which a browser may keep and ask for by its ETag. */
	const void *fixed;
	size_t fixed_bytes;
	bool gzip;
	const char *header, *value; /* one more; NULL: none */
	bool last; /* of its connection */
};
enum MHD_Result ctd_http_answer(struct MHD_Connection *connection, const struct ctd_answer *answer);

#endif
