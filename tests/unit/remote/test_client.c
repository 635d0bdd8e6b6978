/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_client.c - a serve that is not there is told apart from what is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>

#include "remote/client.h"

static bool never(void)
{
	return false;
}

/* Where it is restarted it has no socket in between. */
static void one_without_a_socket_may_come_back(void **state)
{
	const struct ctd_remote_place place = {.socket = "/proc/self/no_such_socket"};
	struct ctd_remote_client *client;
	struct ctd_remote_view view;
	struct ctd_remote_tags tags;
	char why[CTD_REMOTE_WHY_BYTES] = "";

	(void)state;
	assert_int_equal(ctd_remote_client_new(&place, never, &client), 0);
	assert_int_equal(ctd_remote_client_get(client, &view, why), -ECONNREFUSED);
	assert_string_equal(why, "No such file or directory");
	assert_int_equal(ctd_remote_client_get_tags(client, &tags, why), -ECONNREFUSED);
	ctd_remote_client_free(client);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_without_a_socket_may_come_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
