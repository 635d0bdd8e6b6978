/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_client.c - connections that only hold on end when their time is up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "serve/http/http.h"

#define SECOND_NS 1000000000ull
#define CLIENTS_MAX 12

/* Connections with nothing behind them but the other end of each socket. */
struct fixture {
	struct ctd_http http;
	struct ctd_client clients[CLIENTS_MAX];
	struct ctd_request requests[CLIENTS_MAX];
	int ends[CLIENTS_MAX];
	size_t count;
};

/* @p sequence: of the view that it is being sent; -1: its request is not whole. */
static void add_client(struct fixture *fixture, uint64_t since_ns, int sequence)
{
	struct ctd_client *client = &fixture->clients[fixture->count];
	struct ctd_request *request = &fixture->requests[fixture->count];
	int pair[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	*client = (struct ctd_client){
		.next = fixture->http.clients, .fd = pair[0], .since_ns = since_ns};
	if (sequence >= 0) {
		request->sequence = (uint64_t)sequence;
		client->request = request;
	}
	fixture->http.clients = client;
	fixture->ends[fixture->count++] = pair[1];
}

static bool is_cut(const struct fixture *fixture, size_t which)
{
	char byte;

	return recv(fixture->ends[which], &byte, 1, MSG_DONTWAIT) == 0;
}

static void end(struct fixture *fixture)
{
	for (size_t i = 0; i < fixture->count; i++) {
		close(fixture->clients[i].fd);
		close(fixture->ends[i]);
	}
}

static void a_request_has_ten_seconds_and_an_answer_thirty(void **state)
{
	struct fixture fixture = {.http.renderer.sequence = 7};
	struct ctd_ask *ask = (struct ctd_ask *)&fixture;

	(void)state;
	add_client(&fixture, 100 * SECOND_NS, -1);
	add_client(&fixture, 100 * SECOND_NS, 7);
	/* This one waits for us. */
	add_client(&fixture, 100 * SECOND_NS, 0);
	fixture.requests[2].ask = ask;
	assert_int_equal(ctd_http_cut_slow(&fixture.http, 110 * SECOND_NS - 1), 110 * SECOND_NS);
	assert_false(is_cut(&fixture, 0));
	assert_int_equal(ctd_http_cut_slow(&fixture.http, 110 * SECOND_NS), 130 * SECOND_NS);
	assert_true(is_cut(&fixture, 0));
	ctd_http_cut_slow(&fixture.http, 130 * SECOND_NS - 1);
	assert_false(is_cut(&fixture, 1));
	assert_int_equal(ctd_http_cut_slow(&fixture.http, 130 * SECOND_NS), 0);
	assert_true(is_cut(&fixture, 1));
	ctd_http_cut_slow(&fixture.http, 10000 * SECOND_NS);
	assert_false(is_cut(&fixture, 2));
	end(&fixture);
}

static void of_more_than_eight_old_answers_the_slowest_goes(void **state)
{
	struct fixture fixture = {.http.renderer.sequence = 7};

	(void)state;
	/* The newest view's may be any number. */
	add_client(&fixture, 90 * SECOND_NS, 7);
	for (uint64_t i = 0; i < 8; i++)
		add_client(&fixture, (100 + i) * SECOND_NS, 6);
	ctd_http_cut_slow(&fixture.http, 108 * SECOND_NS);
	for (size_t i = 0; i < fixture.count; i++)
		assert_false(is_cut(&fixture, i));
	add_client(&fixture, 99 * SECOND_NS, 5);
	ctd_http_cut_slow(&fixture.http, 108 * SECOND_NS);
	assert_true(is_cut(&fixture, 9));
	for (size_t i = 0; i < 9; i++)
		assert_false(is_cut(&fixture, i));
	end(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_has_ten_seconds_and_an_answer_thirty),
		cmocka_unit_test(of_more_than_eight_old_answers_the_slowest_goes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
