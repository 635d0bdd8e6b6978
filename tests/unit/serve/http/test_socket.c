/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_socket.c - a socket that was removed is made anew as long as there is hope. */
#include <grp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "serve/http/http.h"

static void a_group_that_may_not_be_given_is_not_tried_again(void **state)
{
	struct ctd_http http = {.address.is_path = true, .options.access.group = "0"};

	(void)state;
	/* Without the right to change owners, and of no other group. */
	if (!geteuid() && (setgroups(0, NULL) || setresgid(65534, 65534, 65534) ||
			   setresuid(65534, 65534, 65534))) {
		print_message("privileges cannot be given up here\n");
		skip();
	}
	snprintf(http.address.host, sizeof(http.address.host), "/tmp/ctd-socket-%d", (int)getpid());
	assert_false(ctd_http_listen_again(&http, false));
	assert_int_equal(http.retry_ns, UINT64_MAX);
	assert_int_equal(access(http.address.host, F_OK), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_group_that_may_not_be_given_is_not_tried_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
