/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_outputs.c - a view counts as arrived once a scraper and the receiver have it, while they
 * come and take. */
#include "serve/outputs.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "unit/ledger/book.h"

/* Of OTLP: connections wait until it runs, and then whatever is sent is taken. */
struct receiver {
	int fd;
	char url[64];
	pthread_t thread;
};

struct fixture {
	char path[64], local_path[72], listen[80], local[80];
	const char *push_url; /* NULL: nothing is sent */
	struct book book;
	struct ctd_outputs outputs;
};

/* The next view. The first one has the sequence 1. */
static void publish(struct fixture *fixture)
{
	ctd_outputs_publish(&fixture->outputs, book_add(&fixture->book));
}

/* Without a view. */
static void open_outputs(struct fixture *fixture, uint64_t linger_ns)
{
	struct ctd_outputs_options options = {.listen = fixture->listen,
					      .local = fixture->local,
					      .interval_ns = 1000000000,
					      .linger_ns = linger_ns,
					      .push = {.url = fixture->push_url,
						       .interval_ns = 1000000},
					      .wake_fd = -1};

	snprintf(fixture->path, sizeof(fixture->path), "/tmp/ctd-outputs-%d", (int)getpid());
	snprintf(fixture->listen, sizeof(fixture->listen), "unix:%s", fixture->path);
	snprintf(fixture->local_path, sizeof(fixture->local_path), "%s-local", fixture->path);
	snprintf(fixture->local, sizeof(fixture->local), "unix:%s", fixture->local_path);
	book_open(&fixture->book, (struct ctd_ledger_options){.accounts_max = 10});
	assert_int_equal(ctd_outputs_open(&options, &fixture->outputs), 0);
	assert_int_equal(ctd_outputs_run(&fixture->outputs, true, NULL, NULL), 0);
}

static void open_fixture(struct fixture *fixture, uint64_t linger_ns)
{
	open_outputs(fixture, linger_ns);
	publish(fixture);
}

static void close_fixture(struct fixture *fixture)
{
	ctd_outputs_free(&fixture->outputs);
	book_close(&fixture->book);
}

/* Reads the whole answer, after which the server has closed the connection. @p ret_begin: its first
 * bytes, as a text. */
static void ask(const char *socket_path, const char *method, const char *path, char ret_begin[1024])
{
	struct sockaddr_un where = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	size_t filled = 0;
	char rest[4096];
	ssize_t got;

	snprintf(where.sun_path, sizeof(where.sun_path), "%s", socket_path);
	assert_int_equal(connect(fd, (struct sockaddr *)&where, sizeof(where)), 0);
	dprintf(fd, "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", method, path);
	while ((got = read(fd, ret_begin + filled, 1023 - filled)) > 0)
		filled += (size_t)got;
	ret_begin[filled] = '\0';
	while (read(fd, rest, sizeof(rest)) > 0)
		;
	close(fd);
}

/* As @p status: "200". */
static void assert_status(const char *begin, const char *status)
{
	char line[32];

	snprintf(line, sizeof(line), "HTTP/1.1 %s ", status);
	assert_int_equal(strncmp(begin, line, strlen(line)), 0);
}

static void get(const struct fixture *fixture, const char *method, const char *path)
{
	char begin[1024];

	ask(fixture->path, method, path, begin);
}

/* The connection ends before the server knows that all of it was sent. */
static void await_acknowledged(struct fixture *fixture, uint64_t sequence)
{
	while (ctd_outputs_acknowledged(&fixture->outputs) != sequence)
		sched_yield();
}

static void only_a_scrape_with_its_body_acknowledges(void **state)
{
	struct fixture fixture = {};

	(void)state;
	open_fixture(&fixture, 300000000000);
	get(&fixture, "GET", "/");
	get(&fixture, "HEAD", "/metrics");
	get(&fixture, "GET", "/healthz");
	assert_int_equal(ctd_outputs_acknowledged(&fixture.outputs), 0);
	get(&fixture, "GET", "/metrics");
	await_acknowledged(&fixture, 1);
	close_fixture(&fixture);
}

static void before_the_first_view_it_is_to_be_asked_again(void **state)
{
	struct fixture fixture = {};
	char begin[1024];

	(void)state;
	open_outputs(&fixture, 300000000000);
	ask(fixture.path, "GET", "/metrics", begin);
	assert_status(begin, "503");
	assert_non_null(strstr(begin, "\r\nRetry-After: 1\r\n"));
	publish(&fixture);
	ask(fixture.path, "GET", "/metrics", begin);
	assert_status(begin, "200");
	close_fixture(&fixture);
}

/* A command that looks takes nothing from the scraper. */
static void a_reader_at_the_local_socket_acknowledges_nothing(void **state)
{
	struct fixture fixture = {};
	char begin[1024];

	(void)state;
	open_fixture(&fixture, 300000000000);
	for (int i = 0; i < 10; i++) {
		ask(fixture.local_path, "GET", "/metrics", begin);
		assert_status(begin, "200");
		assert_int_equal(ctd_outputs_acknowledged(&fixture.outputs), 0);
	}
	close_fixture(&fixture);
}

static void scrapers_that_stay_away_are_not_waited_for(void **state)
{
	struct fixture fixture = {};

	(void)state;
	open_fixture(&fixture, 300000000000);
	get(&fixture, "GET", "/metrics");
	await_acknowledged(&fixture, 1);
	fixture.outputs.options.linger_ns = 1;
	assert_int_equal(ctd_outputs_acknowledged(&fixture.outputs), 0);
	close_fixture(&fixture);
}

static void open_receiver(struct receiver *receiver)
{
	struct sockaddr_in where = {.sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t bytes = sizeof(where);

	receiver->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(receiver->fd >= 0);
	assert_int_equal(bind(receiver->fd, (struct sockaddr *)&where, sizeof(where)), 0);
	assert_int_equal(getsockname(receiver->fd, (struct sockaddr *)&where, &bytes), 0);
	assert_int_equal(listen(receiver->fd, 8), 0);
	snprintf(receiver->url, sizeof(receiver->url), "http://127.0.0.1:%d/v1/metrics",
		 ntohs(where.sin_port));
}

/* Requests of one connection, until it is closed. */
static void take_requests(int fd)
{
	static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
	char text[65536];
	size_t filled = 0;
	ssize_t got;

	while ((got = read(fd, text + filled, sizeof(text) - 1 - filled)) > 0) {
		const char *length, *end;

		text[filled += (size_t)got] = '\0';
		end = strstr(text, "\r\n\r\n");
		length = strstr(text, "Content-Length:");
		if (!end || !length ||
		    filled < (size_t)(end + 4 - text) +
				     strtoul(length + strlen("Content-Length:"), NULL, 10))
			continue;
		if (write(fd, answer, strlen(answer)) < 0)
			return;
		filled = 0;
	}
}

static void *receive(void *data)
{
	const struct receiver *receiver = data;
	int fd;

	while ((fd = accept(receiver->fd, NULL, NULL)) >= 0) {
		take_requests(fd);
		close(fd);
	}
	return NULL;
}

static void close_receiver(struct receiver *receiver)
{
	shutdown(receiver->fd, SHUT_RDWR);
	assert_int_equal(pthread_join(receiver->thread, NULL), 0);
	close(receiver->fd);
}

static void await_scraped(struct fixture *fixture)
{
	uint64_t sequence = 0, time_ns;

	while (sequence != fixture->book.view->sequence) {
		sched_yield();
		ctd_http_sent(fixture->outputs.http, &sequence, &time_ns);
	}
}

/* The scraper has the first view, and a receiver that does not run yet has not. */
static void open_scraped(struct fixture *fixture, struct receiver *receiver)
{
	open_receiver(receiver);
	fixture->push_url = receiver->url;
	open_fixture(fixture, 300000000000);
	get(fixture, "GET", "/metrics");
	await_scraped(fixture);
	assert_int_equal(ctd_outputs_acknowledged(&fixture->outputs), 0);
}

static void run_receiver(struct receiver *receiver)
{
	assert_int_equal(pthread_create(&receiver->thread, NULL, receive, receiver), 0);
}

/* The sender first: its connection would be waited for. */
static void close_both(struct fixture *fixture, struct receiver *receiver)
{
	close_fixture(fixture);
	close_receiver(receiver);
}

static void what_is_scraped_waits_for_the_receiver_too(void **state)
{
	struct receiver receiver;
	struct fixture fixture = {};

	(void)state;
	open_scraped(&fixture, &receiver);
	run_receiver(&receiver);
	await_acknowledged(&fixture, 1);
	/* And the other way round. */
	publish(&fixture);
	while (ctd_push_acknowledged(fixture.outputs.push) != 2)
		sched_yield();
	assert_int_equal(ctd_outputs_acknowledged(&fixture.outputs), 1);
	get(&fixture, "GET", "/metrics");
	await_acknowledged(&fixture, 2);
	close_both(&fixture, &receiver);
}

static void a_receiver_that_takes_nothing_is_not_waited_for(void **state)
{
	struct receiver receiver;
	struct fixture fixture = {};

	(void)state;
	open_scraped(&fixture, &receiver);
	/* As after such a time, for the receiver alone. */
	fixture.outputs.push_ns -= 300000000000;
	assert_int_equal(ctd_outputs_acknowledged(&fixture.outputs), 1);
	run_receiver(&receiver);
	close_both(&fixture, &receiver);
}

static void without_a_scraper_the_receiver_is_enough(void **state)
{
	struct receiver receiver;
	struct fixture fixture = {.push_url = receiver.url};

	(void)state;
	open_receiver(&receiver);
	open_fixture(&fixture, 300000000000);
	run_receiver(&receiver);
	await_acknowledged(&fixture, 1);
	close_both(&fixture, &receiver);
}

/* The collector tells of names and the kubelet; it knows nothing of the rest. */
static void what_the_server_knows_itself_stays_when_the_rest_is_told(void **state)
{
	const struct ctd_self told = {.names_found = 3};
	struct fixture fixture = {};

	(void)state;
	open_fixture(&fixture, 300000000000);
	ctd_outputs_tell(&fixture.outputs, &told);
	assert_int_equal(fixture.outputs.self.names_found, 3);
	assert_int_equal(fixture.outputs.self.interval_ns, 1000000000);
	assert_int_equal(strlen(fixture.outputs.self.boot_id), 36);
	assert_non_null(fixture.outputs.self.node);
	close_fixture(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_a_scrape_with_its_body_acknowledges),
		cmocka_unit_test(what_the_server_knows_itself_stays_when_the_rest_is_told),
		cmocka_unit_test(before_the_first_view_it_is_to_be_asked_again),
		cmocka_unit_test(a_reader_at_the_local_socket_acknowledges_nothing),
		cmocka_unit_test(scrapers_that_stay_away_are_not_waited_for),
		cmocka_unit_test(what_is_scraped_waits_for_the_receiver_too),
		cmocka_unit_test(a_receiver_that_takes_nothing_is_not_waited_for),
		cmocka_unit_test(without_a_scraper_the_receiver_is_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
