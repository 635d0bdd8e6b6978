/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_kubelets.c - one client of the kubelet takes the place of another, whatever that one does. */
#include "identity/kubelets.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* Nobody listens there. */
#define URL "https://127.0.0.1:9"

struct fixture {
	char directory[32], token[48]; /* a pipe: whoever reads it waits for ever */
	struct ctd_kubelets *kubelets;
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	assert_non_null(fixture);
	strcpy(fixture->directory, "/tmp/ctd-kubelets-XXXXXX");
	assert_non_null(mkdtemp(fixture->directory));
	snprintf(fixture->token, sizeof(fixture->token), "%s/token", fixture->directory);
	assert_int_equal(mkfifo(fixture->token, 0600), 0);
	assert_int_equal(ctd_kubelets_new(&fixture->kubelets), 0);
	*state = fixture;
	return 0;
}

/* Whoever waits for the pipe finds nothing in it, and who comes later finds none. */
static int tear_down(void **state)
{
	struct fixture *fixture = *state;
	int pipe = open(fixture->token, O_RDWR | O_CLOEXEC);

	unlink(fixture->token);
	close(pipe);
	ctd_kubelets_free(fixture->kubelets);
	rmdir(fixture->directory);
	free(fixture);
	return 0;
}

static int follow(struct fixture *fixture, const char *url, const char *token_file)
{
	const struct ctd_kubelet_options options = {.url = url, .token_file = token_file};

	return ctd_kubelets_follow(fixture->kubelets, &options);
}

static void nobody_is_asked_before_somebody_is_to_be(void **state)
{
	struct fixture *fixture = *state;
	const struct ctd_name_source *source = ctd_kubelets_source(fixture->kubelets);
	struct ctd_kubelet_counts counts;
	struct ctd_names names;
	enum ctd_qos qos;

	assert_false(ctd_kubelets_counts(fixture->kubelets, &counts));
	assert_int_equal(source->find(source->context, "", "uid", &names, &qos), -ENOENT);
	assert_int_equal(source->generation(source->context), 0);
	assert_int_equal(follow(fixture, NULL, NULL), 0);
	assert_int_equal(follow(fixture, URL, NULL), 0);
	assert_true(ctd_kubelets_counts(fixture->kubelets, &counts));
	assert_int_equal(source->find(source->context, "", "uid", &names, &qos), -EAGAIN);
}

static void counts_go_on_from_those_before(void **state)
{
	struct fixture *fixture = *state;
	struct ctd_kubelet_counts counts = {0};

	assert_int_equal(follow(fixture, URL, NULL), 0);
	while (!counts.errors) {
		sched_yield();
		assert_true(ctd_kubelets_counts(fixture->kubelets, &counts));
	}
	/* One that never comes as far as to ask. */
	assert_int_equal(follow(fixture, URL, fixture->token), 0);
	assert_true(ctd_kubelets_counts(fixture->kubelets, &counts));
	assert_true(counts.errors > 0);
	assert_int_equal(counts.errors, counts.requests);
	assert_int_equal(follow(fixture, NULL, NULL), 0);
	assert_false(ctd_kubelets_counts(fixture->kubelets, &counts));
}

static void those_that_hang_are_left_behind_until_they_are_too_many(void **state)
{
	struct fixture *fixture = *state;
	struct ctd_kubelet_counts counts;
	int error, followed = 0;

	alarm(20);
	/* One that is not yet as far as to wait for the pipe can be told to end, and makes room. */
	do {
		sched_yield();
		error = follow(fixture, URL, fixture->token);
		followed += !error;
	} while (!error);
	alarm(0);
	assert_int_equal(error, -EBUSY);
	assert_true(followed > CTD_KUBELETS_ENDING);
	assert_int_equal(follow(fixture, URL, NULL), -EBUSY);
	/* The last one is there still, and can be told to ask no more. */
	assert_true(ctd_kubelets_counts(fixture->kubelets, &counts));
	assert_int_equal(follow(fixture, NULL, NULL), 0);
}

/* Answers the one request that comes, by a connection that may be used again. @return it. */
static int answer_once(int listening)
{
	static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
	char request[1024];
	int connection = accept(listening, NULL, NULL);

	assert_true(connection >= 0);
	assert_true(recv(connection, request, sizeof(request), 0) > 0);
	assert_int_equal(send(connection, answer, strlen(answer), 0), strlen(answer));
	return connection;
}

static void who_is_asked_no_more_is_hung_up_on(void **state)
{
	struct fixture *fixture = *state;
	struct sockaddr_in where = {.sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t bytes = sizeof(where);
	int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct pollfd connection = {.events = POLLIN};
	struct ctd_kubelet_counts counts = {0};
	char url[64], rest;

	assert_int_equal(bind(listening, (struct sockaddr *)&where, bytes), 0);
	assert_int_equal(listen(listening, 8), 0);
	assert_int_equal(getsockname(listening, (struct sockaddr *)&where, &bytes), 0);
	snprintf(url, sizeof(url), "http://127.0.0.1:%d", ntohs(where.sin_port));
	assert_int_equal(follow(fixture, url, NULL), 0);
	connection.fd = answer_once(listening);
	while (!counts.requests) {
		sched_yield();
		assert_true(ctd_kubelets_counts(fixture->kubelets, &counts));
	}
	assert_int_equal(follow(fixture, NULL, NULL), 0);
	assert_int_equal(poll(&connection, 1, 5000), 1);
	assert_int_equal(recv(connection.fd, &rest, 1, 0), 0);
	/* Whoever comes later has nobody to wake. */
	assert_int_equal(follow(fixture, NULL, NULL), 0);
	close(connection.fd);
	close(listening);
}

#define FIXTURE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FIXTURE(nobody_is_asked_before_somebody_is_to_be),
		FIXTURE(counts_go_on_from_those_before),
		FIXTURE(who_is_asked_no_more_is_hung_up_on),
		FIXTURE(those_that_hang_are_left_behind_until_they_are_too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
