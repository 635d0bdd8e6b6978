/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_outputs.c - a view counts as arrived once a scraper has it, for as long as scrapers come. */
#include "serve/outputs.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

struct fixture {
	char path[64], listen[80];
	struct ctd_ledger *ledger;
	const struct ctd_ledger_view *view;
	struct ctd_outputs outputs;
};

static void open_fixture(struct fixture *fixture, uint64_t linger_ns)
{
	static const struct ctd_ledger_options ledger = {.accounts_max = 10};
	struct ctd_outputs_options options = {.listen = fixture->listen,
					      .interval_ns = 1000000000,
					      .linger_ns = linger_ns,
					      .wake_fd = -1};

	snprintf(fixture->path, sizeof(fixture->path), "/tmp/ctd-outputs-%d", (int)getpid());
	snprintf(fixture->listen, sizeof(fixture->listen), "unix:%s", fixture->path);
	assert_int_equal(ctd_ledger_new(&ledger, 1, &fixture->ledger), 0);
	assert_int_equal(ctd_ledger_view(fixture->ledger, &fixture->view), 0);
	assert_int_equal(ctd_outputs_open(&options, &fixture->outputs), 0);
	assert_int_equal(ctd_outputs_run(&fixture->outputs, true, NULL, NULL), 0);
	ctd_outputs_publish(&fixture->outputs, fixture->view);
}

static void close_fixture(struct fixture *fixture)
{
	ctd_outputs_free(&fixture->outputs);
	ctd_ledger_view_release(fixture->view);
	ctd_ledger_free(fixture->ledger);
}

/* Reads the whole answer, after which the server has closed the connection. */
static void get(const struct fixture *fixture, const char *method, const char *path)
{
	struct sockaddr_un where = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char text[4096];

	memcpy(where.sun_path, fixture->path, sizeof(fixture->path));
	assert_int_equal(connect(fd, (struct sockaddr *)&where, sizeof(where)), 0);
	dprintf(fd, "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", method, path);
	while (read(fd, text, sizeof(text)) > 0)
		;
	close(fd);
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
	await_acknowledged(&fixture, fixture.view->sequence);
	close_fixture(&fixture);
}

static void scrapers_that_stay_away_are_not_waited_for(void **state)
{
	struct fixture fixture = {};

	(void)state;
	open_fixture(&fixture, 1000000);
	get(&fixture, "GET", "/metrics");
	await_acknowledged(&fixture, 0);
	close_fixture(&fixture);
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
		cmocka_unit_test(scrapers_that_stay_away_are_not_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
