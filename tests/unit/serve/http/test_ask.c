/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_ask.c - an answer that another thread made has its place until it was sent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../history/folder.h"
#include "../../history/made.h"
#include "history/segment.h"
#include "serve/history/keeper.h"
#include "serve/history/recall.h"
#include "serve/http/server.h"

struct fixture {
	char directory[FOLDER_PATH_BYTES], path[64];
	struct ctd_mailbox mailbox;
	struct ctd_recall *recall;
	struct ctd_http *http;
};

static void keep_an_interval(const char *directory)
{
	const struct ctd_record_header header = made_header();
	struct ctd_interval interval = made_interval(1, 100);
	struct ctd_segment_writer writer = {0};
	struct ctd_strbuf text = {0};
	struct ctd_keeper keeper;

	ctd_keeper_init(directory, 1 << 20, &keeper);
	assert_int_equal(ctd_segment_begin(&writer, &header, &text), 0);
	assert_int_equal(ctd_segment_write_interval(&writer, &interval), 0);
	assert_int_equal(ctd_keeper_append(&keeper, true, 1,
					   interval.realtime_ns - interval.window_ns,
					   interval.realtime_ns, text.text, text.bytes),
			 0);
	ctd_segment_end(&writer);
	ctd_strbuf_free(&text);
	ctd_interval_free(&interval);
	ctd_keeper_close(&keeper);
}

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	char listen[80];
	struct ctd_http_options options = {
		.listen = listen, .mailbox = &fixture->mailbox, .interval_ns = 1000000000};

	assert_non_null(fixture);
	fixture->mailbox = (struct ctd_mailbox)CTD_MAILBOX_EMPTY;
	snprintf(fixture->path, sizeof(fixture->path), "/tmp/ctd-ask-%d", (int)getpid());
	snprintf(listen, sizeof(listen), "unix:%s", fixture->path);
	folder_make(fixture->directory);
	keep_an_interval(fixture->directory);
	assert_int_equal(ctd_recall_new(fixture->directory, &fixture->recall), 0);
	assert_int_equal(ctd_http_open(&options, &fixture->http), 0);
	assert_int_equal(ctd_http_run(fixture->http, false, NULL, fixture->recall), 0);
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	ctd_http_free(fixture->http);
	ctd_recall_free(fixture->recall);
	ctd_mailbox_free(&fixture->mailbox);
	folder_remove(fixture->directory);
	free(fixture);
	return 0;
}

/* For more than a socket holds. */
static int ask(const struct fixture *fixture)
{
	static const char request[] =
		"GET /api/v1/history?until=@1700000010&since=@1699999010&step=1&rows=1000 HTTP/1.1\r\n"
		"Host: localhost\r\n\r\n";
	struct sockaddr_un where = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	memcpy(where.sun_path, fixture->path, sizeof(fixture->path));
	assert_int_equal(connect(fd, (struct sockaddr *)&where, sizeof(where)), 0);
	assert_int_equal(write(fd, request, strlen(request)), strlen(request));
	return fd;
}

/* Reads as little as one can of an answer, which is not done with then. @return its status. */
static int begin_to_read(int fd)
{
	char head[] = "HTTP/1.1 200";

	assert_int_equal(recv(fd, head, strlen(head), MSG_WAITALL), strlen(head));
	return atoi(head + strlen("HTTP/1.1 "));
}

/* Reads what is left of an answer, and leaves. */
static void read_all(int fd)
{
	char some[65536];

	shutdown(fd, SHUT_WR);
	while (read(fd, some, sizeof(some)) > 0)
		;
	close(fd);
}

static void assert_all_places_are_held(const struct fixture *fixture)
{
	int fd = ask(fixture);

	assert_int_equal(begin_to_read(fd), 503);
	close(fd);
}

/* The server sees a moment later that an answer was sent, or will not be. */
static int wait_for_place(const struct fixture *fixture)
{
	for (int i = 0; i < 10000; i++) {
		int fd = ask(fixture);

		if (begin_to_read(fd) == 200)
			return fd;
		close(fd);
		usleep(1000);
	}
	fail();
	return -1;
}

/* Each is in memory until then. */
static void an_answer_has_its_place_until_it_was_sent(void **state)
{
	struct fixture *fixture = *state;
	int fds[CTD_ASKS_MAX];

	for (int i = 0; i < CTD_ASKS_MAX; i++) {
		fds[i] = ask(fixture);
		assert_int_equal(begin_to_read(fds[i]), 200);
	}
	assert_all_places_are_held(fixture);
	read_all(fds[0]);
	fds[0] = wait_for_place(fixture);
	assert_all_places_are_held(fixture);
	close(fds[1]);
	fds[1] = wait_for_place(fixture);
	assert_all_places_are_held(fixture);
	/* With answers that are not sent yet. */
	ctd_http_free(fixture->http);
	fixture->http = NULL;
	for (int i = 0; i < CTD_ASKS_MAX; i++)
		close(fds[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_answer_has_its_place_until_it_was_sent, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
