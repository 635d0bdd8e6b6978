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
#include "unit/ledger/book.h"

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

static void assert_gzip_of(const struct ctd_body *gzip, const struct ctd_body *plain)
{
	static char text[1 << 16];
	z_stream stream = {.next_in = (Bytef *)gzip->data,
			   .avail_in = (uInt)gzip->bytes,
			   .next_out = (Bytef *)text,
			   .avail_out = sizeof(text)};

	assert_int_equal(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);
	assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
	assert_int_equal(stream.total_out, plain->bytes);
	assert_memory_equal(text, plain->data, plain->bytes);
	inflateEnd(&stream);
}

static void gzip_is_the_plain_text_compressed(void **state)
{
	struct ctd_ledger_view view = make_view(1);
	struct ctd_renderer renderer = {0};

	(void)state;
	for (size_t i = 0; i < ctd_routes_count; i++) {
		const struct ctd_route *route = &ctd_routes[i];

		if (!route->write)
			continue;
		/* Made from the text alone, and from the body that there is. */
		for (int time = 0; time < 2; time++) {
			struct ctd_body *gzip, *plain;

			view.sequence++;
			plain = time ? render(&renderer, &view, route, false) : NULL;
			gzip = render(&renderer, &view, route, true);
			if (!plain)
				plain = render(&renderer, &view, route, false);
			assert_gzip_of(gzip, plain);
			ctd_body_release(gzip);
			ctd_body_release(plain);
		}
	}
	ctd_renderer_free(&renderer);
}

#define CONTAINERS 6

/* Containers that come, go, and get other names, now and then. */
struct node {
	struct book book;
	struct ctd_identity containers[CONTAINERS];
	uint64_t version, random;
};

static bool once_in(struct node *node, uint64_t rounds)
{
	node->random = node->random * 6364136223846793005u + 1442695040888963407u;
	return (node->random >> 33) % rounds == 0;
}

static void change(struct node *node, struct ctd_identity *container)
{
	static const char *const images[] = {"web:1", "web:2", "cart\"\n"};
	size_t number = (size_t)(container - node->containers);

	if (container->removed) {
		/* One that is gone comes again, as another cgroup. */
		*container = (struct ctd_identity){.kind = CTD_IS_CONTAINER,
						   .path = (char *)"/docker/x",
						   .names_settled = true,
						   .names = {.namespace_name = (char *)"shop",
							     .pod_name = (char *)"cart"}};
		container->cgroup_id = 10 + node->version;
		memset(container->container_id, 'a' + (int)number, 64);
	}
	container->names.image = (char *)images[node->version % 3];
	/* Two may have one name, and then share an account. */
	if (once_in(node, 2))
		container->names.container_name = (char *)(once_in(node, 2) ? "web" : "db");
	container->names.started_ns = once_in(node, 2) ? node->version * SECOND_NS : 0;
	container->version = ++node->version;
}

static void one_interval(struct node *node)
{
	bool quiet = !once_in(node, 3);

	for (size_t i = 0; i < CONTAINERS; i++) {
		struct ctd_identity *container = &node->containers[i];

		if (!quiet && once_in(node, 5))
			change(node, container);
		if (container->removed)
			continue;
		if (!quiet && once_in(node, 8))
			container->removed = true;
		if (container->removed || once_in(node, 2))
			book_run_cgroup(&node->book, container, 1 + node->version % 7);
	}
	if (once_in(node, 4) && node->book.view)
		ctd_ledger_acknowledge(node->book.ledger, node->book.view->sequence);
	book_add(&node->book);
}

/* The same texts, whether names were kept or not; they are wherever none has changed. */
static void names_are_never_older_than_their_view(void **state)
{
	struct node node = {.random = 1};
	struct ctd_renderer renderer = {0};
	int kept = 0;

	(void)state;
	book_open(&node.book,
		  (struct ctd_ledger_options){.accounts_max = 100, .linger_ns = 5 * SECOND_NS});
	for (size_t i = 0; i < CONTAINERS; i++)
		node.containers[i].removed = true;
	for (int round = 0; round < 500; round++) {
		uint64_t names_version =
			node.book.view ? node.book.view->names_version : UINT64_MAX;

		one_interval(&node);
		for (int openmetrics = 0; openmetrics < 2; openmetrics++) {
			const struct ctd_route *route =
				ctd_route_find("/metrics", openmetrics ? OPENMETRICS : NULL);
			const struct ctd_kept_part *parts = renderer.parts[route - ctd_routes];
			const char *before = parts[0].gzip.data;
			struct ctd_body *gzip = render(&renderer, node.book.view, route, true);
			struct ctd_body *plain = render(&renderer, node.book.view, route, false);

			assert_gzip_of(gzip, plain);
			ctd_body_release(gzip);
			ctd_body_release(plain);
			if (names_version != node.book.view->names_version)
				continue;
			assert_ptr_equal(parts[0].gzip.data, before);
			kept++;
		}
	}
	assert_in_range(kept, 200, 900);
	ctd_renderer_free(&renderer);
	book_close(&node.book);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_asks_for_the_same_gets_the_same),
		cmocka_unit_test(an_old_body_lives_until_it_is_sent),
		cmocka_unit_test(gzip_is_the_plain_text_compressed),
		cmocka_unit_test(names_are_never_older_than_their_view),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
