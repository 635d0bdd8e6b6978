/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_events.c - the thread begins and ends. tests/progrun/serve_events has the rest. */
#include "serve/events/events.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void outside_of_a_pod_the_api_server_has_to_be_named(void **state)
{
	static const struct ctd_events_options nothing = {.node = "node1"},
					       odd = {.url = "ftp://host", .node = "node1"};
	struct ctd_events *events = NULL;

	(void)state;
	unsetenv("KUBERNETES_SERVICE_HOST");
	assert_int_equal(ctd_events_new(&nothing, &events), -EINVAL);
	assert_int_equal(ctd_events_new(&odd, &events), -EINVAL);
	assert_null(events);
}

static void without_tags_nothing_is_sent(void **state)
{
	static const struct ctd_events_options options = {.url = "http://127.0.0.1:1",
							  .node = "node1"};
	static const struct ctd_ledger_options few = {.accounts_max = 10};
	static const struct ctd_neighbour_verdicts nothing = {.time_ns = 1};
	struct ctd_neighbour_verdicts *verdicts = ctd_neighbour_verdicts_copy(&nothing);
	struct ctd_events_totals totals;
	const struct ctd_ledger_view *view;
	struct ctd_ledger *ledger;
	struct ctd_events *events;

	(void)state;
	assert_int_equal(ctd_ledger_new(&few, 1, &ledger), 0);
	assert_int_equal(ctd_ledger_view(ledger, &view), 0);
	assert_int_equal(ctd_events_new(&options, &events), 0);
	for (int i = 0; i < 10; i++)
		ctd_events_judge(events, verdicts, view);
	ctd_ledger_view_release(view);
	ctd_neighbour_verdicts_release(verdicts);
	ctd_events_totals(events, &totals);
	assert_int_equal(totals.sent + totals.failed + totals.dropped, 0);
	ctd_events_free(events);
	ctd_ledger_free(ledger);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outside_of_a_pod_the_api_server_has_to_be_named),
		cmocka_unit_test(without_tags_nothing_is_sent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
