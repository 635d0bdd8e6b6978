/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_answer.c - what becomes of an event by what the API server says of it. */
#include "serve/events/answer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void only_what_is_wrong_with_the_event_itself_is_not_tried_again(void **state)
{
	static const struct {
		long status;
		enum ctd_push_verdict verdict;
	} cases[] = {
		{200, CTD_PUSH_TAKEN},	 {201, CTD_PUSH_TAKEN}, {202, CTD_PUSH_TAKEN},
		{409, CTD_PUSH_TAKEN},	 {301, CTD_PUSH_LATER}, {401, CTD_PUSH_LATER},
		{403, CTD_PUSH_LATER},	 {404, CTD_PUSH_LATER}, {429, CTD_PUSH_LATER},
		{500, CTD_PUSH_LATER},	 {503, CTD_PUSH_LATER}, {400, CTD_PUSH_REFUSED},
		{413, CTD_PUSH_REFUSED}, {0, CTD_PUSH_LATER},	{422, CTD_PUSH_REFUSED},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (ctd_k8s_event_judge(cases[i].status) != cases[i].verdict)
			fail_msg("status %ld", cases[i].status);
}

static void a_missing_right_is_named(void **state)
{
	(void)state;
	assert_non_null(strstr(ctd_k8s_event_remedy(403), "'create' on 'events'"));
	assert_non_null(strstr(ctd_k8s_event_remedy(403), "events.k8s.io"));
	assert_non_null(strstr(ctd_k8s_event_remedy(401), "--kubernetes-token-file"));
	assert_string_equal(ctd_k8s_event_remedy(503), "");
}

static void assert_says(const char *body, const char *text)
{
	struct ctd_push_answer answer;

	ctd_k8s_event_answer_read(body, strlen(body), &answer);
	assert_string_equal(answer.text, text);
}

static void a_status_is_told_by_its_message_and_all_else_as_it_is(void **state)
{
	(void)state;
	assert_says("{\"kind\":\"Status\",\"message\":\"events.events.k8s.io is forbidden\"}",
		    "events.events.k8s.io is forbidden");
	assert_says("{\"message\":\"clear\\u001b[2J\\nit\"}", "clear [2J it");
	assert_says("{\"message\":17}", "{\"message\":17}");
	assert_says("[\"message\"]", "[\"message\"]");
	assert_says("upstream is away\n", "upstream is away");
	assert_says("", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_is_wrong_with_the_event_itself_is_not_tried_again),
		cmocka_unit_test(a_missing_right_is_named),
		cmocka_unit_test(a_status_is_told_by_its_message_and_all_else_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
