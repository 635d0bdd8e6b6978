/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_thread.c - threads of ours take no signals. */
#include "base/thread.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void *read_mask(void *mask)
{
	pthread_sigmask(SIG_SETMASK, NULL, mask);
	return NULL;
}

static void a_thread_blocks_signals_and_its_maker_does_not(void **state)
{
	sigset_t ours, theirs;
	pthread_t thread;

	(void)state;
	assert_int_equal(ctd_thread_start(&thread, "fifteen-letters", read_mask, &theirs), 0);
	pthread_join(thread, NULL);
	pthread_sigmask(SIG_SETMASK, NULL, &ours);
	assert_int_equal(sigismember(&theirs, SIGTERM), 1);
	assert_int_equal(sigismember(&theirs, SIGHUP), 1);
	assert_int_equal(sigismember(&ours, SIGTERM), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_blocks_signals_and_its_maker_does_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
