/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_watch.c - files are looked at when somebody asks, and what is wrong with them is counted. */
#include "serve/watch.h"

#include <errno.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

struct looked {
	sem_t times;
	bool asked;
	int error;
};

static int look(bool asked, void *context)
{
	struct looked *looked = context;

	looked->asked = asked;
	sem_post(&looked->times);
	return looked->error;
}

static void all_are_looked_at_when_somebody_asks(void **state)
{
	struct looked good = {}, bad = {.error = -ENOENT};
	const struct ctd_watched watched[] = {{look, &bad}, {look, &good}};
	struct ctd_watch *watch;

	(void)state;
	sem_init(&good.times, 0, 0);
	sem_init(&bad.times, 0, 0);
	assert_int_equal(ctd_watch_new(watched, 2, &watch), 0);
	assert_int_equal(ctd_watch_errors(watch), 0);
	for (int i = 0; i < 2; i++) {
		ctd_watch_ask(watch);
		sem_wait(&bad.times);
		sem_wait(&good.times);
		assert_true(good.asked && bad.asked);
	}
	assert_int_equal(ctd_watch_errors(watch), 2);
	ctd_watch_free(watch);
	sem_destroy(&good.times);
	sem_destroy(&bad.times);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_are_looked_at_when_somebody_asks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
