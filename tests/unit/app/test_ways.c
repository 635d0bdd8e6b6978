/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_ways.c - a new configuration is followed, as far as it goes and without waiting. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/ways.h"
#include "base/clock.h"

/* A receiver that takes connections and never answers. */
struct receiver {
	int fd;
	char url[64];
};

static void listen_deaf(struct receiver *receiver)
{
	struct sockaddr_in where = {.sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t bytes = sizeof(where);

	receiver->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(receiver->fd, (struct sockaddr *)&where, bytes), 0);
	assert_int_equal(listen(receiver->fd, 8), 0);
	assert_int_equal(getsockname(receiver->fd, (struct sockaddr *)&where, &bytes), 0);
	snprintf(receiver->url, sizeof(receiver->url), "http://127.0.0.1:%d/",
		 ntohs(where.sin_port));
}

/* Somebody sends there. */
static bool is_asked(const struct receiver *receiver)
{
	struct pollfd listening = {.fd = receiver->fd, .events = POLLIN};

	return poll(&listening, 1, 5000) > 0;
}

struct fixture {
	struct receiver old, new;
	struct ctd_options before, after;
	struct ctd_ledger *ledger;
	const struct ctd_ledger_view *view;
	struct ctd_ways ways;
};

static int set_up(void **state)
{
	static const struct ctd_ledger_options ledger = {.accounts_max = 10};
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	assert_non_null(fixture);
	listen_deaf(&fixture->old);
	listen_deaf(&fixture->new);
	fixture->before.serve.listen = "off";
	fixture->before.serve.otlp = fixture->old.url;
	fixture->before.serve.linger_ns = 300000000000;
	fixture->after = fixture->before;
	fixture->after.serve.otlp = fixture->new.url;
	assert_int_equal(ctd_ledger_new(&ledger, 1, &fixture->ledger), 0);
	assert_int_equal(ctd_ledger_view(fixture->ledger, &fixture->view), 0);
	*state = fixture;
	return 0;
}

static void run(struct fixture *fixture)
{
	assert_int_equal(ctd_ways_open(&fixture->before, 1000000000, -1, &fixture->ways), 0);
	assert_int_equal(ctd_ways_run(&fixture->ways, &fixture->before, false), 0);
	ctd_ways_publish(&fixture->ways, fixture->view);
	assert_true(is_asked(&fixture->old));
}

/* On one thread, as no file is slow here. */
static int reload(struct ctd_ways *ways, const struct ctd_options *before,
		  const struct ctd_options *after)
{
	struct ctd_ways_next next;
	int error = ctd_ways_prepare(ways, before, after, &next);

	ctd_ways_follow(ways, &next);
	return error;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	ctd_ways_free(&fixture->ways);
	ctd_ledger_view_release(fixture->view);
	ctd_ledger_free(fixture->ledger);
	close(fixture->old.fd);
	close(fixture->new.fd);
	free(fixture);
	return 0;
}

static void a_receiver_that_hangs_holds_up_no_other(void **state)
{
	struct fixture *fixture = *state;
	struct ctd_ways *ways = &fixture->ways;
	uint64_t began_ns;

	run(fixture);
	began_ns = ctd_monotonic_ns();
	assert_int_equal(reload(ways, &fixture->before, &fixture->after), 0);
	ctd_ways_publish(ways, fixture->view);
	assert_true(ctd_monotonic_ns() - began_ns < 300000000);
	assert_true(is_asked(&fixture->new));
	/* What the old one could not send by its end is counted once. */
	ctd_push_wait(ways->ending[0]);
	ctd_ways_publish(ways, fixture->view);
	assert_null(ways->ending[0]);
	assert_true(ways->push_before.dropped > 0);
	assert_int_equal(ways->push_before.queued, 0);
}

static void who_reloads_over_and_over_leaves_a_few_senders_behind(void **state)
{
	struct fixture *fixture = *state;
	struct ctd_ways *ways = &fixture->ways;

	run(fixture);
	for (int i = 0; i < 2 * CTD_WAYS_ENDING; i++) {
		const struct ctd_options *before = i % 2 ? &fixture->after : &fixture->before;
		const struct ctd_options *after = i % 2 ? &fixture->before : &fixture->after;

		assert_int_equal(reload(ways, before, after), 0);
	}
	assert_non_null(ways->push);
}

/* Whoever waits for the pipe finds nothing in it, and who comes later finds none. */
static void end_pipe(const char *path)
{
	int pipe = open(path, O_RDWR | O_CLOEXEC);

	assert_true(pipe >= 0);
	unlink(path);
	close(pipe);
}

static void senders_that_hang_are_left_behind_until_they_are_too_many(void **state)
{
	struct fixture *fixture = *state;
	struct ctd_ways *ways = &fixture->ways;
	const struct ctd_options *options[] = {&fixture->before, &fixture->after};
	char directory[] = "/tmp/ctd-ways-XXXXXX", pipe[64];
	int error, followed = 0, receiver = fixture->old.fd;

	assert_non_null(mkdtemp(directory));
	snprintf(pipe, sizeof(pipe), "%s/ca.pem", directory);
	assert_int_equal(mkfifo(pipe, 0600), 0);
	fixture->before.serve.otlp_ca = fixture->after.serve.otlp_ca = pipe;
	memmove(fixture->old.url + 5, fixture->old.url + 4, strlen(fixture->old.url + 4) + 1);
	memcpy(fixture->old.url, "https", 5);
	fixture->after.serve.otlp = fixture->old.url;
	fixture->after.serve.cluster_name = "another";
	run(fixture);
	alarm(60);
	/* One that is not yet as far as to wait for the pipe ends, and makes room. */
	do {
		close(accept(receiver, NULL, NULL));
		error = reload(ways, options[followed % 2], options[(followed + 1) % 2]);
		followed += !error;
		ctd_ways_publish(ways, fixture->view);
	} while (!error);
	alarm(0);
	assert_int_equal(error, -EBUSY);
	assert_true(followed >= CTD_WAYS_ENDING);
	/* The last one sends still. */
	assert_non_null(ways->push);
	end_pipe(pipe);
	rmdir(directory);
}

static void what_failed_does_not_keep_the_rest_from_following(void **state)
{
	struct fixture *fixture = *state;
	const struct ctd_push *old;

	fixture->before.serve.listen = "127.0.0.1:0";
	fixture->after.serve.bearer_token_file = "/not there";
	run(fixture);
	old = fixture->ways.push;
	assert_int_equal(reload(&fixture->ways, &fixture->before, &fixture->after), -ENOENT);
	assert_ptr_not_equal(fixture->ways.push, old);
}

static void what_failed_is_tried_again_though_nothing_differs(void **state)
{
	struct fixture *fixture = *state;

	fixture->after.serve.otlp = "no URL";
	run(fixture);
	assert_int_equal(reload(&fixture->ways, &fixture->before, &fixture->after), -EINVAL);
	assert_int_equal(reload(&fixture->ways, &fixture->after, &fixture->after), -EINVAL);
	assert_non_null(fixture->ways.push);
}

static void what_nobody_takes_up_any_more_is_freed(void **state)
{
	struct fixture *fixture = *state;
	const struct ctd_push *old;
	struct ctd_ways_next next;

	run(fixture);
	old = fixture->ways.push;
	assert_int_equal(ctd_ways_prepare(&fixture->ways, &fixture->before, &fixture->after, &next),
			 0);
	assert_true(next.replaces_push);
	ctd_ways_next_free(&next);
	assert_ptr_equal(fixture->ways.push, old);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_receiver_that_hangs_holds_up_no_other, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(
			who_reloads_over_and_over_leaves_a_few_senders_behind, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			senders_that_hang_are_left_behind_until_they_are_too_many, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(what_failed_does_not_keep_the_rest_from_following,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_failed_is_tried_again_though_nothing_differs,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_nobody_takes_up_any_more_is_freed, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
