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

/* zlib gets @p data out of it, and finds nothing behind. */
static void check(const char *compressed, size_t compressed_bytes, const char *data, size_t bytes)
{
	z_stream stream = {0};
	char *back = malloc(bytes + 1);

	assert_non_null(back);
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
	free(back);
}

/* @return the bytes that @p data was compressed to. */
static size_t pass_through(const char *data, size_t bytes)
{
	size_t compressed_bytes;
	char *compressed;

	assert_int_equal(ctd_gzip(data, bytes, &compressed, &compressed_bytes), 0);
	check(compressed, compressed_bytes, data, bytes);
	free(compressed);
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

static size_t random_below(size_t end)
{
	static uint64_t random = 1;

	random = random * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(random >> 33) % end;
}

/* Lines that are like those of other texts, so that whatever refers to a text before finds it. */
static size_t write_lines(char *text, size_t room)
{
	size_t bytes = 0, most = random_below(3) ? random_below(300) : random_below(room - 100);

	while (bytes < most)
		bytes += (size_t)snprintf(text + bytes, room - bytes,
					  "cgtopdown_slots_total{container=\"%zu\"} %zu\n",
					  random_below(50), random_below(1000000));
	return bytes;
}

/* A text of what comes and what was kept: the same part is in many of them, at other places. */
static void parts_may_be_put_into_any_text(void **state)
{
	static char text[600000], part_text[100000];
	struct ctd_gzip_part part = {0};
	size_t part_bytes = 0;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct ctd_gzip *gzip;
		size_t bytes = 0, compressed_bytes;
		char *compressed;

		assert_int_equal(ctd_gzip_new(&gzip), 0);
		for (int piece = 0; piece < 3; piece++) {
			size_t more = write_lines(text + bytes, 100000);

			assert_int_equal(ctd_gzip_add(gzip, text + bytes, more), 0);
			bytes += more;
			if (piece && part.data) {
				assert_int_equal(ctd_gzip_add_part(gzip, &part), 0);
			} else if (!piece) {
				ctd_gzip_part_free(&part);
				part_bytes = write_lines(part_text, sizeof(part_text));
				assert_int_equal(ctd_gzip_begin_part(gzip), 0);
				assert_int_equal(ctd_gzip_add(gzip, part_text, part_bytes), 0);
				assert_int_equal(ctd_gzip_end_part(gzip, &part), 0);
				assert_int_equal(part.text_bytes, part_bytes);
			}
			memcpy(text + bytes, part_text, part_bytes);
			bytes += part_bytes;
		}
		assert_int_equal(ctd_gzip_end(gzip, &compressed, &compressed_bytes), 0);
		check(compressed, compressed_bytes, text, bytes);
		free(compressed);
		ctd_gzip_free(gzip);
	}
	ctd_gzip_part_free(&part);
	ctd_gzip_part_free(&part);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_number_of_bytes_comes_back),
		cmocka_unit_test(nothing_comes_back_as_nothing),
		cmocka_unit_test(what_cannot_be_compressed_comes_back),
		cmocka_unit_test(a_text_becomes_small),
		cmocka_unit_test(parts_may_be_put_into_any_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
