/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_gzip.c - what was compressed is what zlib gets out of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <malloc.h>
#include <zlib.h>

#include "base/gzip.h"

/* @return the bytes that @p data was compressed to, after zlib has had them back. */
static size_t pass_through(const char *data, size_t bytes)
{
	z_stream stream = {0};
	char *compressed, *back = malloc(bytes + 1);
	size_t compressed_bytes;

	assert_non_null(back);
	assert_int_equal(ctd_gzip(data, bytes, &compressed, &compressed_bytes), 0);
	stream.next_in = (Bytef *)compressed;
	stream.avail_in = (uInt)compressed_bytes;
	stream.next_out = (Bytef *)back;
	stream.avail_out = (uInt)bytes + 1;
	assert_int_equal(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);
	assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
	assert_int_equal(stream.avail_in, 0);
	assert_int_equal(stream.total_out, bytes);
	assert_memory_equal(back, data, bytes);
	inflateEnd(&stream);
	free(compressed);
	free(back);
	return compressed_bytes;
}

static void any_number_of_bytes_comes_back(void **state)
{
	char data[600];

	(void)state;
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (char)(i * i / 7);
	for (size_t bytes = 0; bytes <= sizeof(data); bytes++)
		pass_through(data, bytes);
}

/* Memory is of before, which the library takes for bytes that it was given. */
static void nothing_comes_back_as_nothing(void **state)
{
	(void)state;
	mallopt(M_PERTURB, 0x55); /* The sanitizer, which refuses it, does so of itself. */
	pass_through("", 0);
	mallopt(M_PERTURB, 0);
}

/* More room than was thought is needed, again and again. */
static void what_cannot_be_compressed_comes_back(void **state)
{
	size_t bytes = 3000000;
	char *data = malloc(bytes);
	uint64_t random = 1;

	(void)state;
	assert_non_null(data);
	for (size_t i = 0; i < bytes; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		data[i] = (char)(random >> 56);
	}
	assert_in_range(pass_through(data, bytes), bytes, bytes + bytes / 1000);
	free(data);
}

static void a_text_becomes_small(void **state)
{
	size_t bytes = 0, room = 2000000;
	char *text = malloc(room);

	(void)state;
	assert_non_null(text);
	for (int i = 0; bytes < room - 100; i++)
		bytes += (size_t)snprintf(text + bytes, 100, "slots_total{container=\"%d\"} %d\n",
					  i / 4, i * 7919);
	assert_in_range(pass_through(text, bytes), 1, bytes / 4);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_number_of_bytes_comes_back),
		cmocka_unit_test(nothing_comes_back_as_nothing),
		cmocka_unit_test(what_cannot_be_compressed_comes_back),
		cmocka_unit_test(a_text_becomes_small),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
