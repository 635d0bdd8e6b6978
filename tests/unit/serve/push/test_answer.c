/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_answer.c - what receivers answer, and what they never should. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "serve/push/answer.h"

static void only_what_may_pass_is_tried_again(void **state)
{
	static const struct {
		long status;
		enum ctd_push_verdict verdict;
	} cases[] = {
		{200, CTD_PUSH_TAKEN},	 {202, CTD_PUSH_TAKEN},	  {204, CTD_PUSH_TAKEN},
		{429, CTD_PUSH_LATER},	 {502, CTD_PUSH_LATER},	  {503, CTD_PUSH_LATER},
		{504, CTD_PUSH_LATER},	 {301, CTD_PUSH_REFUSED}, {307, CTD_PUSH_REFUSED},
		{400, CTD_PUSH_REFUSED}, {401, CTD_PUSH_REFUSED}, {404, CTD_PUSH_REFUSED},
		{413, CTD_PUSH_REFUSED}, {500, CTD_PUSH_REFUSED}, {501, CTD_PUSH_REFUSED},
		{0, CTD_PUSH_REFUSED},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(ctd_push_judge(cases[i].status), cases[i].verdict);
}

#define BODY(text) (text), sizeof(text) - 1

static void what_was_said_is_read(void **state)
{
	static const struct {
		int line;
		const char *body;
		size_t bytes;
		bool taken, protobuf;
		uint64_t rejected_points;
		const char *text;
	} cases[] = {
		/* {} and {partial_success {}} are full success. */
		{__LINE__, BODY(""), true, true, 0, ""},
		{__LINE__, BODY("\x0a\x00"), true, true, 0, ""},
		{__LINE__, BODY("\x0a\x08\x08\x05\x12\x04oops"), true, true, 5, "oops"},
		{__LINE__, BODY("\x0a\x03\x08\xac\x02"), true, true, 300, ""},
		/* Also of another type: what was sent was protobuf. */
		{__LINE__, BODY("\x0a\x03\x08\xac\x02"), true, false, 300, ""},
		/* Fields of other kinds are passed over. */
		{__LINE__, BODY("\x11zzzzzzzz\x1dzzzz\x18\x01\x0a\x02\x08\x07"), true, true, 7, ""},
		/* A number below 0; too long; wrong kinds; cut off; a length beyond the end. */
		{__LINE__, BODY("\x0a\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), true, true,
		 0, ""},
		{__LINE__, BODY("\x0a\x0c\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), true,
		 true, 0, ""},
		{__LINE__, BODY("\x08\x05"), true, true, 0, ""},
		{__LINE__, BODY("\x0a\x08\x08"), true, true, 0, ""},
		{__LINE__, BODY("\x0a\xff\xff\xff\xff\x0f\x08\x05"), true, true, 0, ""},
		{__LINE__, BODY("ok\n"), true, false, 0, ""},
		/* google.rpc.Status. */
		{__LINE__, BODY("\x08\x03\x12\x07too old"), false, true, 0, "too old"},
		{__LINE__, BODY("\x08\x03"), false, true, 0, ""},
		/* Texts, of one line that does nothing to a terminal. */
		{__LINE__, BODY("go away\n"), false, false, 0, "go away"},
		{__LINE__,
		 BODY("a\x1b[31m\nb\xc2\x9b"
		      "c\0d"),
		 false, false, 0, "a [31m b  c d"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ctd_push_answer answer;

		ctd_push_answer_read(cases[i].body, cases[i].bytes, cases[i].taken,
				     cases[i].protobuf, &answer);
		if (answer.rejected_points != cases[i].rejected_points ||
		    strcmp(answer.text, cases[i].text) != 0)
			fail_msg("case of line %d: %llu \"%s\"", cases[i].line,
				 (unsigned long long)answer.rejected_points, answer.text);
	}
}

static void long_texts_are_cut(void **state)
{
	struct ctd_push_answer answer;
	char body[1000];

	(void)state;
	memset(body, 'x', sizeof(body));
	ctd_push_answer_read(body, sizeof(body), false, false, &answer);
	assert_int_equal(strlen(answer.text), sizeof(answer.text) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_may_pass_is_tried_again),
		cmocka_unit_test(what_was_said_is_read),
		cmocka_unit_test(long_texts_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
