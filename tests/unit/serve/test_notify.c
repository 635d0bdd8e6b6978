/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_notify.c - what the service manager is told, at sockets of both kinds. */
#include "serve/notify.h"

#include <errno.h>
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

#define NS_PER_S 1000000000ull

/* Binds a manager's socket to "/path" or "@abstract". */
static int bind_to(const char *name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	socklen_t bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	strcpy(address.sun_path, name);
	if (*name == '@')
		address.sun_path[0] = '\0';
	assert_int_equal(bind(fd, (struct sockaddr *)&address, bytes), 0);
	return fd;
}

/* The next datagram, "" for none. */
static const char *received(int fd)
{
	static char text[2048];
	ssize_t got = recv(fd, text, sizeof(text) - 1, 0);

	text[got > 0 ? got : 0] = '\0';
	return text;
}

static void set_environment(const char *name, const char *usec, const char *pid)
{
	name ? setenv("NOTIFY_SOCKET", name, 1) : unsetenv("NOTIFY_SOCKET");
	usec ? setenv("WATCHDOG_USEC", usec, 1) : unsetenv("WATCHDOG_USEC");
	pid ? setenv("WATCHDOG_PID", pid, 1) : unsetenv("WATCHDOG_PID");
}

static void the_manager_is_told_of_each_state(void **state)
{
	char names[2][64], long_text[2000];
	struct ctd_notify notify;

	(void)state;
	snprintf(names[0], sizeof(names[0]), "@ctd-test-%d", getpid());
	snprintf(names[1], sizeof(names[1]), "/tmp/ctd-test-%d", getpid());
	memset(long_text, 'x', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	for (int i = 0; i < 2; i++) {
		int fd = bind_to(names[i]);

		set_environment(names[i], NULL, NULL);
		assert_int_equal(ctd_notify_open(&notify), 0);
		assert_null(getenv("NOTIFY_SOCKET"));
		ctd_notify_ready(&notify);
		assert_string_equal(received(fd), "READY=1");
		ctd_notify_status(&notify, "%d containers\nREADY=0", 5);
		assert_string_equal(received(fd), "STATUS=5 containers READY=0");
		ctd_notify_status(&notify, "%s", long_text);
		assert_int_equal(strlen(received(fd)), 510);
		ctd_notify_stopping(&notify);
		assert_string_equal(received(fd), "STOPPING=1");
		ctd_notify_alive(&notify, 5 * NS_PER_S);
		assert_string_equal(received(fd), "");
		ctd_notify_close(&notify);
		close(fd);
	}
	unlink(names[1]);
}

static void a_sign_of_life_is_given_twice_in_the_time_allowed(void **state)
{
	struct ctd_notify notify;
	char name[64];
	int fd;

	(void)state;
	snprintf(name, sizeof(name), "@ctd-test-w-%d", getpid());
	fd = bind_to(name);
	set_environment(name, "30000000", NULL);
	assert_int_equal(ctd_notify_open(&notify), 0);
	assert_int_equal(notify.watchdog_ns, 15 * NS_PER_S);
	ctd_notify_alive(&notify, 100 * NS_PER_S);
	assert_string_equal(received(fd), "WATCHDOG=1");
	ctd_notify_alive(&notify, 115 * NS_PER_S - 1);
	assert_string_equal(received(fd), "");
	ctd_notify_alive(&notify, 115 * NS_PER_S);
	assert_string_equal(received(fd), "WATCHDOG=1");
	ctd_notify_close(&notify);
	close(fd);
}

/* With an interval of an hour the manager must not end the service after a minute. */
static void long_intervals_make_the_manager_wait_longer(void **state)
{
	struct ctd_notify notify;
	char name[64];
	int fd;

	(void)state;
	snprintf(name, sizeof(name), "@ctd-test-l-%d", getpid());
	fd = bind_to(name);
	set_environment(name, "60000000", NULL);
	assert_int_equal(ctd_notify_open(&notify), 0);
	ctd_notify_expect(&notify, 10 * NS_PER_S);
	assert_string_equal(received(fd), "");
	ctd_notify_expect(&notify, 3600 * NS_PER_S);
	assert_string_equal(received(fd), "WATCHDOG_USEC=14400000000");
	assert_int_equal(notify.watchdog_ns, 7200 * NS_PER_S);
	ctd_notify_close(&notify);
	set_environment(name, NULL, NULL);
	assert_int_equal(ctd_notify_open(&notify), 0);
	ctd_notify_expect(&notify, 3600 * NS_PER_S);
	assert_string_equal(received(fd), "");
	ctd_notify_close(&notify);
	close(fd);
}

static void a_watchdog_of_somebody_else_is_not_fed(void **state)
{
	static const struct {
		int line;
		const char *usec, *pid;
		bool ours;
	} cases[] = {
		{__LINE__, "1000", "self", true}, {__LINE__, "1000", "1", false},
		{__LINE__, "1000", "x", false},	  {__LINE__, "0", NULL, false},
		{__LINE__, "-5", NULL, false},	  {__LINE__, "soon", NULL, false},
		{__LINE__, NULL, "self", false},
	};
	char name[64], self[16];
	int fd;

	(void)state;
	snprintf(name, sizeof(name), "@ctd-test-p-%d", getpid());
	snprintf(self, sizeof(self), "%d", getpid());
	fd = bind_to(name);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *pid = cases[i].pid;
		struct ctd_notify notify;

		set_environment(name, cases[i].usec, pid && strcmp(pid, "self") == 0 ? self : pid);
		assert_int_equal(ctd_notify_open(&notify), 0);
		if ((notify.watchdog_ns > 0) != cases[i].ours)
			fail_msg("line %d", cases[i].line);
		ctd_notify_close(&notify);
	}
	close(fd);
}

static void without_a_manager_nothing_happens(void **state)
{
	static const struct {
		int line;
		const char *name;
		int error;
	} cases[] = {
		{__LINE__, NULL, 0},
		{__LINE__, "", 0},
		{__LINE__, "/no/such/socket", -ENOENT},
		{__LINE__, "@ctd-test-nobody", -ECONNREFUSED},
		{__LINE__, "/", -EINVAL},
		{__LINE__, "@", -EINVAL},
		{__LINE__, "vsock:2:1", -EAFNOSUPPORT},
		{__LINE__,
		 "/0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678",
		 -EINVAL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_notify notify;
		int error;

		set_environment(cases[i].name, "1000", NULL);
		error = ctd_notify_open(&notify);
		if (error != cases[i].error || notify.socket != -1 || notify.watchdog_ns)
			fail_msg("line %d: %d", cases[i].line, error);
		ctd_notify_ready(&notify);
		ctd_notify_status(&notify, "x");
		ctd_notify_alive(&notify, NS_PER_S);
		ctd_notify_close(&notify);
	}
}

/* It may be stopped, or busy. */
static void a_manager_that_does_not_read_is_not_waited_for(void **state)
{
	struct ctd_notify notify;
	char name[64];
	int fd;

	(void)state;
	snprintf(name, sizeof(name), "@ctd-test-f-%d", getpid());
	fd = bind_to(name);
	set_environment(name, NULL, NULL);
	assert_int_equal(ctd_notify_open(&notify), 0);
	for (int i = 0; i < 10000; i++)
		ctd_notify_ready(&notify);
	close(fd);
	/* Nor one that has gone. */
	ctd_notify_ready(&notify);
	ctd_notify_close(&notify);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_manager_is_told_of_each_state),
		cmocka_unit_test(a_sign_of_life_is_given_twice_in_the_time_allowed),
		cmocka_unit_test(long_intervals_make_the_manager_wait_longer),
		cmocka_unit_test(a_watchdog_of_somebody_else_is_not_fed),
		cmocka_unit_test(without_a_manager_nothing_happens),
		cmocka_unit_test(a_manager_that_does_not_read_is_not_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
