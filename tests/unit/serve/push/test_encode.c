/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_encode.c - the parts of a view, unpacked, are the view. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <zlib.h>

#include "base/strbuf.h"
#include "otlp/view.h"
#include "serve/push/encode.h"

static const struct ctd_self self = {.version = "1"};
static const struct ctd_otlp_resource place = {.host_name = "host-1"};

static size_t unpack(const struct ctd_push_request *request, char *out, size_t capacity)
{
	z_stream stream = {.next_in = (Bytef *)request->data,
			   .avail_in = (uInt)request->bytes,
			   .next_out = (Bytef *)out,
			   .avail_out = (uInt)capacity};

	assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
	assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
	assert_int_equal(stream.avail_in, 0);
	inflateEnd(&stream);
	return stream.total_out;
}

/* Packs and unpacks all parts; what fits into one is what the exporter writes. @return their
 * number. */
static size_t assert_parts(size_t containers, size_t bytes_max)
{
	struct made_view *made = make_node_view(7, containers);
	size_t capacity = (containers + 1) * 20000, bytes = 0, first = 0, parts = 0;
	char *parted = malloc(capacity);
	struct ctd_push_request *request = NULL;
	bool last = false;

	for (; !last; parts++) {
		size_t before = bytes, from = first;

		assert_int_equal(ctd_push_encode(&made->view, &self, &place, bytes_max, &first,
						 &request),
				 0);
		bytes += unpack(request, parted + bytes, capacity - bytes);
		assert_true(bytes - before <= bytes_max || first == from + 1);
		assert_int_equal(request->sequence, 7);
		last = request->last;
		ctd_push_request_free(request);
	}
	assert_true(first >= made->view.accounts_count);
	if (parts == 1) {
		struct ctd_strbuf whole = {0};

		ctd_export_otlp(&made->view, &self, &place, 0, SIZE_MAX, &whole);
		assert_int_equal(whole.bytes, bytes);
		assert_memory_equal(whole.text, parted, bytes);
		ctd_strbuf_free(&whole);
	}
	free(parted);
	free_view(made);
	return parts;
}

static void a_small_view_is_one_request(void **state)
{
	(void)state;
	assert_int_equal(assert_parts(0, 1 << 20), 1);
	assert_int_equal(assert_parts(5, 1 << 20), 1);
}

static void a_large_view_is_several_small_ones(void **state)
{
	(void)state;
	assert_true(assert_parts(1000, 1 << 20) > 2);
	assert_true(assert_parts(100, 50000) > 4);
}

static void an_account_that_is_too_large_goes_alone(void **state)
{
	(void)state;
	/* Three that are no containers as well. */
	assert_int_equal(assert_parts(5, 1), 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_small_view_is_one_request),
		cmocka_unit_test(a_large_view_is_several_small_ones),
		cmocka_unit_test(an_account_that_is_too_large_goes_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
