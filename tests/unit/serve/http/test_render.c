/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_render.c - a view is made into bytes once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <zlib.h>

#include "serve/http/render.h"

#define OPENMETRICS "application/openmetrics-text"

static const struct ctd_self self = {.version = "1"};

static struct ctd_ledger_view make_view(uint64_t sequence)
{
	return (struct ctd_ledger_view){.sequence = sequence,
					.realtime_ns = 1700000000000000000,
					.source = "none",
					.hierarchy = "v2",
					.method = "none",
					.scope = "thread"};
}

static struct ctd_body *render(struct ctd_renderer *renderer, const struct ctd_ledger_view *view,
			       const struct ctd_route *route, bool gzip)
{
	struct ctd_body *body = NULL;

	assert_int_equal(ctd_render(renderer, route, view, &self, gzip, &body), 0);
	assert_non_null(body);
	assert_int_equal(body->sequence, view->sequence);
	return body;
}

static void who_asks_for_the_same_gets_the_same(void **state)
{
	struct ctd_ledger_view view = make_view(1);
	struct ctd_renderer renderer = {0};
	struct ctd_body *one, *other;

	(void)state;
	for (size_t i = 0; i < ctd_routes_count; i++) {
		const struct ctd_route *route = &ctd_routes[i];

		if (!route->write)
			continue;
		for (int gzip = 0; gzip < 2; gzip++) {
			one = render(&renderer, &view, route, gzip);
			other = render(&renderer, &view, route, gzip);
			assert_ptr_equal(one, other);
			ctd_body_release(one);
			ctd_body_release(other);
		}
	}
	one = render(&renderer, &view, ctd_route_find("/metrics", NULL), false);
	other = render(&renderer, &view, ctd_route_find("/metrics", OPENMETRICS), false);
	assert_ptr_not_equal(one, other);
	ctd_body_release(one);
	ctd_body_release(other);
	ctd_renderer_free(&renderer);
}

static void an_old_body_lives_until_it_is_sent(void **state)
{
	struct ctd_ledger_view first = make_view(1), second = make_view(2);
	struct ctd_renderer renderer = {0};
	struct ctd_body *old = render(&renderer, &first, ctd_route_find("/metrics", NULL), false),
			*new;

	(void)state;
	new = render(&renderer, &second, ctd_route_find("/metrics", NULL), false);
	assert_ptr_not_equal(old, new);
	assert_int_equal(strncmp(old->data, "# HELP ", 7), 0);
	ctd_body_release(new);
	ctd_renderer_free(&renderer);
	ctd_body_release(old);
}

static void gzip_is_the_plain_text_compressed(void **state)
{
	struct ctd_ledger_view view = make_view(1);
	struct ctd_renderer renderer = {0};
	char text[1 << 16];

	(void)state;
	for (size_t i = 0; i < ctd_routes_count; i++) {
		const struct ctd_route *route = &ctd_routes[i];

		if (!route->write)
			continue;
		/* Made from the text alone, and from the body that there is. */
		for (int time = 0; time < 2; time++) {
			z_stream stream = {.next_out = (Bytef *)text, .avail_out = sizeof(text)};
			struct ctd_body *gzip, *plain;

			view.sequence++;
			plain = time ? render(&renderer, &view, route, false) : NULL;
			gzip = render(&renderer, &view, route, true);
			if (!plain)
				plain = render(&renderer, &view, route, false);
			stream.next_in = (Bytef *)gzip->data;
			stream.avail_in = (uInt)gzip->bytes;
			assert_int_equal(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);
			assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
			assert_int_equal(stream.total_out, plain->bytes);
			assert_memory_equal(text, plain->data, plain->bytes);
			inflateEnd(&stream);
			ctd_body_release(gzip);
			ctd_body_release(plain);
		}
	}
	ctd_renderer_free(&renderer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_asks_for_the_same_gets_the_same),
		cmocka_unit_test(an_old_body_lives_until_it_is_sent),
		cmocka_unit_test(gzip_is_the_plain_text_compressed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
