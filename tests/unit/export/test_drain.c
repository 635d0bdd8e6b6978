/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_drain.c - a text that is taken away piece by piece is the same text. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "export/text.h"

struct taken {
	struct ctd_export all;
	int pieces, fail_at; /* fail_at 0: never */
	size_t largest;
};

static int take(const char *data, size_t bytes, void *context)
{
	struct taken *taken = context;

	if (++taken->pieces == taken->fail_at)
		return -ENOMEM;
	if (bytes > taken->largest)
		taken->largest = bytes;
	ctd_export_add_bytes(&taken->all, data, bytes);
	return 0;
}

static void write(struct ctd_export *text)
{
	static char large[700000];

	memset(large, 'x', sizeof(large));
	for (uint64_t i = 0; i < 100000; i++) {
		ctd_export_add(text, "line ");
		ctd_export_add_count(text, i * i);
		ctd_export_add(text, "\n");
		/* More than the room that there is. */
		if (i % 40000 == 20000)
			ctd_export_add_bytes(text, large, sizeof(large));
	}
}

static void pieces_add_up_to_the_text(void **state)
{
	struct ctd_export whole = {0}, drained = {.drain = take};
	struct taken taken = {0};

	(void)state;
	drained.drain_context = &taken;
	write(&whole);
	write(&drained);
	assert_int_equal(ctd_export_drain(&drained), 0);
	assert_int_equal(drained.bytes, 0);
	assert_int_equal(taken.all.bytes, whole.bytes);
	assert_memory_equal(taken.all.data, whole.data, whole.bytes);
	assert_in_range(taken.pieces, 4, 100);
	assert_in_range(taken.largest, 700000, 2000000);
	ctd_export_free(&whole);
	ctd_export_free(&drained);
	ctd_export_free(&taken.all);
}

static void a_piece_that_fails_fails_the_text(void **state)
{
	(void)state;
	for (int fail_at = 1; fail_at <= 3; fail_at++) {
		struct taken taken = {.fail_at = fail_at};
		struct ctd_export text = {.drain = take, .drain_context = &taken};

		write(&text);
		assert_true(text.failed);
		assert_int_equal(ctd_export_drain(&text), -ENOMEM);
		assert_int_equal(taken.pieces, fail_at);
		ctd_export_free(&text);
		ctd_export_free(&taken.all);
	}
}

static void a_text_of_nothing_is_no_piece(void **state)
{
	struct taken taken = {0};
	struct ctd_export text = {.drain = take, .drain_context = &taken};

	(void)state;
	assert_int_equal(ctd_export_drain(&text), 0);
	assert_int_equal(taken.pieces, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_add_up_to_the_text),
		cmocka_unit_test(a_piece_that_fails_fails_the_text),
		cmocka_unit_test(a_text_of_nothing_is_no_piece),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
