/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_server.c - what happens to requests while something else happens to the server. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include <cgtopdown/ledger.h>

#include "base/clock.h"
#include "serve/http/server.h"

struct fixture {
	struct ctd_ledger *ledger;
	const struct ctd_ledger_view *view;
	struct ctd_mailbox mailbox;
	struct ctd_http *http;
	char path[64], token[64];
	sem_t wanted, go_on; /* a view is wanted; the server may go on */
	pid_t server; /* its thread, once a view was wanted */
	bool hold; /* the server stays in want_view() until it is told to go on */
};

static void want_view(void *context)
{
	struct fixture *fixture = context;

	fixture->server = gettid();
	sem_post(&fixture->wanted);
	if (__atomic_exchange_n(&fixture->hold, false, __ATOMIC_ACQ_REL))
		sem_wait(&fixture->go_on);
}

static void know_self(struct ctd_self *self, void *context)
{
	(void)context;
	*self = (struct ctd_self){.version = "1"};
}

static void write_token(const struct fixture *fixture, const char *token)
{
	FILE *file = fopen(fixture->token, "we");

	assert_non_null(file);
	fputs(token, file);
	assert_int_equal(fclose(file), 0);
}

static void publish(struct fixture *fixture)
{
	ctd_mailbox_put(&fixture->mailbox, fixture->view);
	ctd_http_wake(fixture->http);
}

static int set_up(void **state)
{
	static const struct ctd_ledger_options ledger = {.accounts_max = 10};
	static const struct ctd_rollup_plan plan;
	static const struct ctd_rollup nothing_ran = {.plan = &plan, .by = CTD_GROUP_CONTAINER};
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	char listen[80];
	struct ctd_http_options options = {.listen = listen,
					   .files = {.token = fixture->token},
					   .mailbox = &fixture->mailbox,
					   .interval_ns = 1000000000,
					   .want_view = want_view,
					   .know_self = know_self,
					   .context = fixture};

	assert_non_null(fixture);
	fixture->mailbox = (struct ctd_mailbox)CTD_MAILBOX_EMPTY;
	sem_init(&fixture->wanted, 0, 0);
	sem_init(&fixture->go_on, 0, 0);
	snprintf(fixture->path, sizeof(fixture->path), "/tmp/ctd-http-%d", (int)getpid());
	snprintf(listen, sizeof(listen), "unix:%s", fixture->path);
	assert_int_equal(ctd_ledger_new(&ledger, 1, &fixture->ledger), 0);
	assert_int_equal(ctd_ledger_add(fixture->ledger, &nothing_ran), 0);
	assert_int_equal(ctd_ledger_view(fixture->ledger, &fixture->view), 0);
	snprintf(fixture->token, sizeof(fixture->token), "/tmp/ctd-http-token-%d", (int)getpid());
	write_token(fixture, "secret");
	assert_int_equal(ctd_http_open(&options, &fixture->http), 0);
	assert_int_equal(ctd_http_run(fixture->http, false, NULL, NULL), 0);
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	ctd_http_free(fixture->http);
	unlink(fixture->token);
	ctd_mailbox_free(&fixture->mailbox);
	ctd_ledger_view_release(fixture->view);
	ctd_ledger_free(fixture->ledger);
	sem_destroy(&fixture->wanted);
	sem_destroy(&fixture->go_on);
	free(fixture);
	return 0;
}

static void send_request(int fd, const char *target)
{
	char request[100];
	int bytes = snprintf(
		request, sizeof(request),
		"GET %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\n\r\n",
		target);

	assert_int_equal(write(fd, request, (size_t)bytes), bytes);
}

static int connect_to(const struct fixture *fixture)
{
	struct sockaddr_un where = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	memcpy(where.sun_path, fixture->path, sizeof(fixture->path));
	assert_int_equal(connect(fd, (struct sockaddr *)&where, sizeof(where)), 0);
	return fd;
}

static int ask(const struct fixture *fixture, const char *target)
{
	int fd = connect_to(fixture);

	send_request(fd, target);
	return fd;
}

/* Of an answer that fits; 0: there was none. */
static int read_status(int fd)
{
	char head[4096] = "";
	ssize_t bytes = read(fd, head, sizeof(head) - 1);
	int status = 0;

	if (bytes > 0)
		sscanf(head, "HTTP/1.1 %d", &status);
	return status;
}

static int status_of(int fd)
{
	int status = read_status(fd);

	close(fd);
	return status;
}

/* The server's thread may answer a request before it takes up the new files, and one more then. */
static void wait_until_refused(const struct fixture *fixture, const char *target)
{
	int status = 0;

	for (int i = 0; i < 3 && status != 401; i++)
		status = status_of(ask(fixture, target));
	assert_int_equal(status, 401);
}

/* It has seen all that came so far. */
static void wait_until_server_sleeps(const struct fixture *fixture)
{
	char path[64], state = 0;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)fixture->server);
	while (state != 'S') {
		FILE *file = fopen(path, "re");

		assert_non_null(file);
		assert_int_equal(fscanf(file, "%*d %*s %c", &state), 1);
		fclose(file);
	}
}

/* @return the status of a scrape whose view comes while it waits. @p ret_waited_ns: for the view. */
static int wait_for_view(struct fixture *fixture, uint64_t *ret_waited_ns)
{
	uint64_t began_ns = ctd_monotonic_ns();
	struct pollfd answer = {.fd = ask(fixture, "/metrics"), .events = POLLIN};

	sem_wait(&fixture->wanted);
	wait_until_server_sleeps(fixture);
	publish(fixture);
	*ret_waited_ns = ctd_monotonic_ns() - began_ns;
	assert_int_equal(poll(&answer, 1, 60000), 1);
	return status_of(answer.fd);
}

/* Not the next time that the server would wake up: a view that comes while it is at work is seen at
 * once, and any other connection would wake it up. */
static void a_scrape_is_answered_as_soon_as_its_view_comes(void **state)
{
	uint64_t waited_ns;
	int status = wait_for_view(*state, &waited_ns);

	/* WAIT_NS of user/serve/http/request.c: a busy machine may keep us from the CPU for longer.
	 */
	for (int i = 0; i < 20 && status == 503 && waited_ns >= 250000000; i++) {
		tear_down(state);
		set_up(state);
		status = wait_for_view(*state, &waited_ns);
	}
	assert_int_equal(status, 200);
}

/* Prometheus leaves after scrape_timeout. */
static void a_scrape_whose_client_closes_its_side_has_not_arrived(void **state)
{
	struct fixture *fixture = *state;
	uint64_t sequence, sent_ns;
	int fd;

	fixture->hold = true;
	fd = ask(fixture, "/metrics");
	sem_wait(&fixture->wanted);
	shutdown(fd, SHUT_WR);
	publish(fixture);
	sem_post(&fixture->go_on);
	assert_int_equal(status_of(fd), 200);
	/* When this is answered the server is done with the scrape. */
	assert_int_equal(status_of(ask(fixture, "/healthz")), 200);
	ctd_http_sent(fixture->http, &sequence, &sent_ns);
	assert_int_equal(sequence, 0);
	assert_int_equal(sent_ns, 0);
	assert_int_equal(status_of(ask(fixture, "/metrics")), 200);
	assert_int_equal(status_of(ask(fixture, "/healthz")), 200);
	ctd_http_sent(fixture->http, &sequence, &sent_ns);
	assert_int_equal(sequence, fixture->view->sequence);
	assert_int_not_equal(sent_ns, 0);
}

static void a_scrape_that_comes_while_files_are_taken_up_ends_nothing(void **state)
{
	struct fixture *fixture = *state;
	int first, second = ask(fixture, "/healthz");

	assert_int_equal(read_status(second), 200);
	fixture->hold = true;
	first = ask(fixture, "/metrics");
	sem_wait(&fixture->wanted);
	/* Neither is seen by the server before it goes on; then it is the files that come first. */
	send_request(second, "/metrics");
	write_token(fixture, "another");
	assert_int_equal(ctd_http_look(false, fixture->http), 0);
	sem_post(&fixture->go_on);
	/* Whatever becomes of them. */
	status_of(first);
	status_of(second);
	assert_int_equal(status_of(ask(fixture, "/healthz")), 200);
	wait_until_refused(fixture, "/metrics");
}

static void clients_stay_connected_if_the_files_are_as_they_were(void **state)
{
	struct fixture *fixture = *state;
	int connected = ask(fixture, "/healthz");

	assert_int_equal(read_status(connected), 200);
	assert_int_equal(ctd_http_look(true, fixture->http), 0);
	/* One thing after the other: by now it would have been taken up. */
	assert_int_equal(status_of(ask(fixture, "/healthz")), 200);
	send_request(connected, "/healthz");
	assert_int_equal(status_of(connected), 200);
}

static void a_bad_file_is_told_once_and_again_when_asked(void **state)
{
	struct fixture *fixture = *state;

	write_token(fixture, "");
	assert_int_equal(ctd_http_look(false, fixture->http), -ENODATA);
	assert_int_equal(ctd_http_look(false, fixture->http), 0);
	assert_int_equal(ctd_http_look(true, fixture->http), -ENODATA);
	/* What it was before stays in use. */
	publish(fixture);
	assert_int_equal(status_of(ask(fixture, "/api/v1/view")), 200);
	write_token(fixture, "another");
	assert_int_equal(ctd_http_look(false, fixture->http), 0);
	assert_int_equal(ctd_http_look(true, fixture->http), 0);
	wait_until_refused(fixture, "/api/v1/view");
}

static int bind_another(const struct fixture *fixture)
{
	struct sockaddr_un where = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	memcpy(where.sun_path, fixture->path, sizeof(fixture->path));
	assert_int_equal(bind(fd, (struct sockaddr *)&where, sizeof(where)), 0);
	assert_int_equal(listen(fd, 1), 0);
	return fd;
}

static void a_server_that_waits_takes_the_place_of_one_that_ends(void **state)
{
	struct fixture *fixture = *state;
	char listen[80], beside[80];
	struct ctd_http_options options = {.listen = listen,
					   .waits = true,
					   .mailbox = &fixture->mailbox,
					   .interval_ns = 1000000000,
					   .want_view = want_view,
					   .know_self = know_self,
					   .context = fixture};
	int other;

	snprintf(listen, sizeof(listen), "unix:%s", fixture->path);
	snprintf(beside, sizeof(beside), "%s.next", fixture->path);
	ctd_http_free(fixture->http);
	other = bind_another(fixture);
	assert_int_equal(ctd_http_open(&options, &fixture->http), 0);
	assert_int_equal(ctd_http_run(fixture->http, true, NULL, NULL), 0);
	assert_int_equal(ctd_http_look(false, fixture->http), 0);
	assert_int_equal(access(beside, F_OK), 0);
	close(other);
	assert_int_equal(ctd_http_look(false, fixture->http), 0);
	assert_int_equal(access(beside, F_OK), -1);
	assert_int_equal(status_of(ask(fixture, "/healthz")), 200);
}

static void a_file_in_the_place_of_a_socket_stays(void **state)
{
	struct fixture *fixture = *state;
	struct stat status;

	assert_int_equal(unlink(fixture->path), 0);
	fclose(fopen(fixture->path, "we"));
	assert_int_equal(ctd_http_look(false, fixture->http), 0);
	assert_int_equal(stat(fixture->path, &status), 0);
	assert_true(S_ISREG(status.st_mode));
	ctd_http_free(fixture->http);
	fixture->http = NULL;
	assert_int_equal(unlink(fixture->path), 0);
}

/* As many as there are places. */
static void requests_that_are_not_finished_give_way(void **state)
{
	struct fixture *fixture = *state;
	int unfinished[64];

	for (int i = 0; i < 64; i++) {
		unfinished[i] = connect_to(fixture);
		assert_int_equal(write(unfinished[i], "GET", 3), 3);
	}
	publish(fixture);
	for (int i = 0; i < 20; i++) {
		struct pollfd answer = {.fd = ask(fixture, i % 2 ? "/healthz" : "/api/v1/view"),
					.events = POLLIN};

		assert_int_equal(poll(&answer, 1, 60000), 1);
		assert_int_equal(status_of(answer.fd), 200);
	}
	for (int i = 0; i < 64; i++)
		close(unfinished[i]);
}

static void a_pipe_does_not_hold_up_the_other_files(void **state)
{
	struct fixture *fixture = *state;
	char listen[80], users[32];
	struct ctd_http_options options = {.listen = listen,
					   .files = {.token = fixture->token, .users = users},
					   .mailbox = &fixture->mailbox,
					   .interval_ns = 1000000000,
					   .want_view = want_view,
					   .know_self = know_self,
					   .context = fixture};
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "me:secret\n", 10), 10);
	close(ends[1]);
	snprintf(users, sizeof(users), "/dev/fd/%d", ends[0]);
	snprintf(listen, sizeof(listen), "unix:%s", fixture->path);
	ctd_http_free(fixture->http);
	assert_int_equal(ctd_http_open(&options, &fixture->http), 0);
	assert_int_equal(ctd_http_run(fixture->http, false, NULL, NULL), 0);
	publish(fixture);
	assert_int_equal(status_of(ask(fixture, "/api/v1/view")), 200);
	write_token(fixture, "another");
	assert_int_equal(ctd_http_look(true, fixture->http), 0);
	wait_until_refused(fixture, "/api/v1/view");
	close(ends[0]);
}

static void make_old(struct fixture *fixture)
{
	pthread_mutex_lock(&fixture->mailbox.lock);
	fixture->mailbox.put_ns = 1;
	pthread_mutex_unlock(&fixture->mailbox.lock);
}

static bool was_wanted(struct fixture *fixture)
{
	return sem_trywait(&fixture->wanted) == 0;
}

/* @return what an answer has, head and body. */
static const char *text_of(int fd)
{
	static char text[8192];
	size_t bytes = 0;
	ssize_t got;

	shutdown(fd, SHUT_WR);
	while ((got = read(fd, text + bytes, sizeof(text) - 1 - bytes)) > 0)
		bytes += (size_t)got;
	text[bytes] = '\0';
	close(fd);
	return text;
}

static void open_local(struct fixture *fixture, bool as_it_is)
{
	char listen[80];
	struct ctd_http_options options = {.listen = listen,
					   .local = true,
					   .mailbox = &fixture->mailbox,
					   .interval_ns = 30000000000,
					   .want_view = want_view,
					   .know_self = know_self,
					   .context = fixture};

	snprintf(listen, sizeof(listen), "unix:%s", fixture->path);
	ctd_http_free(fixture->http);
	assert_int_equal(ctd_http_open(&options, &fixture->http), 0);
	assert_int_equal(ctd_http_run(fixture->http, as_it_is, NULL, NULL), 0);
}

static void a_local_reader_has_a_view_as_young_as_he_asks_for(void **state)
{
	struct fixture *fixture = *state;
	int fd;

	open_local(fixture, false);
	publish(fixture);
	make_old(fixture);
	/* Without a word of its age it is the newest that there is, and so for a scraper. */
	assert_non_null(strstr(text_of(ask(fixture, "/api/v1/view")), "\"look_ns\":100000000,"));
	assert_int_equal(status_of(ask(fixture, "/metrics")), 200);
	assert_int_equal(status_of(ask(fixture, "/api/v1/view?max_age=soon")), 400);
	assert_int_equal(status_of(ask(fixture, "/api/v1/view?max_age=-1")), 400);
	assert_false(was_wanted(fixture));
	fd = ask(fixture, "/api/v1/view?max_age=500ms");
	sem_wait(&fixture->wanted);
	publish(fixture);
	assert_int_equal(status_of(fd), 200);
	/* It is not as old as this. */
	assert_int_equal(status_of(ask(fixture, "/api/v1/view?max_age=3600")), 200);
	assert_false(was_wanted(fixture));
}

static void nobody_has_views_made_where_counters_rotate_or_from_elsewhere(void **state)
{
	struct fixture *fixture = *state;

	publish(fixture);
	make_old(fixture);
	assert_null(strstr(text_of(ask(fixture, "/api/v1/view?max_age=0")), "look_ns"));
	open_local(fixture, true);
	assert_null(strstr(text_of(ask(fixture, "/api/v1/view?max_age=0")), "look_ns"));
	assert_false(was_wanted(fixture));
}

struct publisher {
	struct fixture *fixture;
	pthread_t thread;
	bool stop;
};

static void *publish_always(void *context)
{
	struct publisher *publisher = context;

	while (!__atomic_load_n(&publisher->stop, __ATOMIC_RELAXED))
		publish(publisher->fixture);
	return NULL;
}

static void a_view_that_comes_meanwhile_is_not_taken_for_one_of_long_ago(void **state)
{
	struct publisher publisher = {.fixture = *state};
	int unwell = 0;

	assert_int_equal(pthread_create(&publisher.thread, NULL, publish_always, &publisher), 0);
	for (int i = 0; i < 500; i++)
		unwell += status_of(ask(*state, "/healthz")) != 200;
	__atomic_store_n(&publisher.stop, true, __ATOMIC_RELAXED);
	pthread_join(publisher.thread, NULL);
	assert_int_equal(unwell, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(clients_stay_connected_if_the_files_are_as_they_were),
		TEST(requests_that_are_not_finished_give_way),
		TEST(a_server_that_waits_takes_the_place_of_one_that_ends),
		TEST(a_file_in_the_place_of_a_socket_stays),
		TEST(a_bad_file_is_told_once_and_again_when_asked),
		TEST(a_pipe_does_not_hold_up_the_other_files),
		TEST(a_scrape_is_answered_as_soon_as_its_view_comes),
		TEST(a_scrape_whose_client_closes_its_side_has_not_arrived),
		TEST(a_scrape_that_comes_while_files_are_taken_up_ends_nothing),
		TEST(a_local_reader_has_a_view_as_young_as_he_asks_for),
		TEST(nobody_has_views_made_where_counters_rotate_or_from_elsewhere),
		TEST(a_view_that_comes_meanwhile_is_not_taken_for_one_of_long_ago),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
