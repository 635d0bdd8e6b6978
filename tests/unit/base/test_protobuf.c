/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_protobuf.c - fields on the wire, against the examples of protobuf's own description. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/auto.h"
#include "base/protobuf.h"

static void assert_bytes(struct ctd_strbuf *message, const char *wanted, size_t bytes)
{
	assert_false(message->failed);
	assert_int_equal(message->bytes, bytes);
	assert_memory_equal(message->text, wanted, bytes);
	ctd_strbuf_free(message);
}

/* https://protobuf.dev/programming-guides/encoding/ : Test1, Test2, Test3. */
static void the_examples_of_the_description_are_as_described(void **state)
{
	struct ctd_strbuf message = {0};
	size_t mark;

	(void)state;
	ctd_protobuf_varint(&message, 1, 150);
	assert_bytes(&message, "\x08\x96\x01", 3);
	ctd_protobuf_text(&message, 2, "testing");
	assert_bytes(&message, "\x12\x07testing", 9);
	mark = ctd_protobuf_begin(&message, 3);
	ctd_protobuf_varint(&message, 1, 150);
	ctd_protobuf_end(&message, mark);
	assert_bytes(&message, "\x1a\x03\x08\x96\x01", 5);
}

static void numbers_are_little_endian_and_whole(void **state)
{
	struct ctd_strbuf message = {0};

	(void)state;
	ctd_protobuf_fixed64(&message, 6, (uint64_t)-2);
	assert_bytes(&message, "\x31\xfe\xff\xff\xff\xff\xff\xff\xff", 9);
	ctd_protobuf_double(&message, 4, 1.5);
	assert_bytes(&message, "\x21\0\0\0\0\0\0\xf8\x3f", 9);
	ctd_protobuf_fixed64s(&message, 6, (uint64_t[]){1, 258}, 2);
	assert_bytes(&message, "\x32\x10\1\0\0\0\0\0\0\0\2\1\0\0\0\0\0\0", 18);
	ctd_protobuf_doubles(&message, 7, (double[]){1.5}, 1);
	assert_bytes(&message, "\x3a\x08\0\0\0\0\0\0\xf8\x3f", 10);
	ctd_protobuf_doubles(&message, 7, NULL, 0);
	assert_bytes(&message, "\x3a\0", 2);
	ctd_protobuf_varint(&message, 16, UINT64_MAX);
	assert_bytes(&message, "\x80\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12);
}

static void lengths_take_as_many_bytes_as_they_need(void **state)
{
	static const size_t sizes[] = {0, 1, 127, 128, 16383, 16384, 300000};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct ctd_strbuf message = {0};
		autofree char *text = malloc(sizes[i] + 1);
		size_t outer = ctd_protobuf_begin(&message, 1), at = 0, length = 0;

		memset(text, 'a', sizes[i]);
		text[sizes[i]] = '\0';
		ctd_protobuf_text(&message, 2, text);
		ctd_protobuf_end(&message, outer);
		/* The inner text is all that is at the end, and nothing moved out of its place. */
		assert_memory_equal(message.text + message.bytes - sizes[i], text, sizes[i]);
		assert_int_equal(message.text[at++], 0x0a);
		for (int shift = 0;; shift += 7) {
			length |= (size_t)(message.text[at] & 0x7f) << shift;
			if (!(message.text[at++] & 0x80))
				break;
		}
		assert_int_equal(length, message.bytes - at);
		assert_int_equal(message.text[at], 0x12);
		ctd_strbuf_free(&message);
	}
}

static void bytes_that_are_no_utf8_are_replaced(void **state)
{
	struct ctd_strbuf message = {0};

	(void)state;
	ctd_protobuf_text(&message, 1, "a\xff\xc3\xa9");
	assert_bytes(&message,
		     "\x0a\x06"
		     "a\xef\xbf\xbd\xc3\xa9",
		     8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_examples_of_the_description_are_as_described),
		cmocka_unit_test(numbers_are_little_endian_and_whole),
		cmocka_unit_test(lengths_take_as_many_bytes_as_they_need),
		cmocka_unit_test(bytes_that_are_no_utf8_are_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
