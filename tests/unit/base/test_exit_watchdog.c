/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_exit_watchdog.c - a process that cannot end exits, and one that was stopped meanwhile ends. */
#include "base/exit_watchdog.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/log.h"

#define LIMIT_S 1
#define CUT_SHORT 7

static pid_t start(void (*act)(struct ctd_exit_watchdog *watchdog))
{
	pid_t child = fork();
	struct ctd_exit_watchdog watchdog;

	if (child)
		return child;
	ctd_log_set_level(CTD_LOG_ERROR);
	ctd_exit_watchdog_start(CUT_SHORT, LIMIT_S, "late", &watchdog);
	act(&watchdog);
	ctd_exit_watchdog_stop(&watchdog);
	_exit(0);
}

static void hang(struct ctd_exit_watchdog *watchdog)
{
	(void)watchdog;
	for (;;)
		pause();
}

static unsigned int waits_left(struct ctd_exit_watchdog *watchdog)
{
	unsigned int left;

	pthread_mutex_lock(&watchdog->lock);
	left = watchdog->waits_left;
	pthread_mutex_unlock(&watchdog->lock);
	return left;
}

static void let_it_look(struct ctd_exit_watchdog *watchdog)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	unsigned int before = waits_left(watchdog);

	while (waits_left(watchdog) == before)
		nanosleep(&moment, NULL);
}

static void be_stopped(struct ctd_exit_watchdog *watchdog)
{
	let_it_look(watchdog);
	raise(SIGSTOP);
	let_it_look(watchdog);
}

static void who_hangs_exits_with_the_status_it_would_have_had(void **state)
{
	pid_t child = start(hang);
	int status;

	(void)state;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), CUT_SHORT);
}

static void time_in_which_it_was_stopped_does_not_count(void **state)
{
	const struct timespec longer = {.tv_sec = LIMIT_S, .tv_nsec = 200000000};
	pid_t child = start(be_stopped);
	int status;

	(void)state;
	assert_int_equal(waitpid(child, &status, WUNTRACED), child);
	assert_true(WIFSTOPPED(status));
	nanosleep(&longer, NULL);
	assert_int_equal(kill(child, SIGCONT), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_hangs_exits_with_the_status_it_would_have_had),
		cmocka_unit_test(time_in_which_it_was_stopped_does_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
