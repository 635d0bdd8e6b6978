/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_transfer.c - requests that cannot succeed end, each with its reason. */
#include "transfer/transfer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"

static size_t take(char *data, size_t size, size_t count, void *context)
{
	(void)data;
	(void)context;
	return size * count;
}

static CURLcode run(const char *url, uint64_t give_up_ns)
{
	const struct ctd_transfer_options options = {.url = url, .timeout_ms = 20000, .take = take};
	const _Atomic uint64_t end_ns = give_up_ns;
	struct ctd_transfer *transfer;
	CURLcode result;

	assert_int_equal(ctd_transfer_new(&options, &transfer), 0);
	result = ctd_transfer_run(transfer, &end_ns);
	if (result != CURLE_ABORTED_BY_CALLBACK)
		assert_string_not_equal(transfer->error, "");
	ctd_transfer_free(transfer);
	return result;
}

/* A port of 127.0.0.1 that takes connections, or none. */
static int open_port(bool listens, char url[64])
{
	struct sockaddr_in where = {.sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t bytes = sizeof(where);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&where, bytes), 0);
	if (listens)
		assert_int_equal(listen(fd, 8), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&where, &bytes), 0);
	snprintf(url, 64, "http://127.0.0.1:%d/", ntohs(where.sin_port));
	return fd;
}

static void a_server_that_does_not_answer_is_given_up_in_time(void **state)
{
	char url[64];
	int fd = open_port(true, url);
	uint64_t began_ns = ctd_monotonic_ns();

	(void)state;
	assert_int_equal(run(url, began_ns + 30000000), CURLE_ABORTED_BY_CALLBACK);
	assert_true(ctd_monotonic_ns() - began_ns >= 30000000);
	assert_true(ctd_monotonic_ns() - began_ns < 5000000000);
	/* It was told before. */
	assert_int_equal(run(url, began_ns), CURLE_ABORTED_BY_CALLBACK);
	close(fd);
}

static void what_cannot_be_reached_has_a_reason(void **state)
{
	char url[64];
	int fd = open_port(false, url);

	(void)state;
	assert_int_equal(run(url, 0), CURLE_COULDNT_CONNECT);
	assert_int_equal(run("file:///etc/passwd", 0), CURLE_UNSUPPORTED_PROTOCOL);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_server_that_does_not_answer_is_given_up_in_time),
		cmocka_unit_test(what_cannot_be_reached_has_a_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
