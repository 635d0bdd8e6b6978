/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_routes.c - which paths there are, and what each needs. */
#include "serve/http/routes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "serve/web/files.h"

static void what_tells_of_containers_needs_a_secret(void **state)
{
	(void)state;
	for (size_t i = 0; i < ctd_routes_count; i++) {
		const struct ctd_route *route = &ctd_routes[i];

		bool of_view = route->kind == CTD_ROUTE_VIEW || route->kind == CTD_ROUTE_SCRAPE;

		if (of_view || route->kind == CTD_ROUTE_TABLE || route->kind == CTD_ROUTE_PROFILE ||
		    route->kind == CTD_ROUTE_RECORDING || route->kind == CTD_ROUTE_RECENT_PROFILE)
			assert_false(route->open);
		assert_int_equal(!!route->write, of_view);
	}
}

static void a_path_has_to_be_written_as_it_is(void **state)
{
	static const char *const unknown[] = {"",	  "/metrics/",	 "//",
					      "/METRICS", "/metrics%20", "*"};

	(void)state;
	for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++)
		assert_null(ctd_route_find(unknown[i], NULL));
	assert_non_null(ctd_route_find("/", NULL));
}

static void clients_that_prefer_openmetrics_get_it(void **state)
{
	static const char openmetrics[] = "application/openmetrics-text;version=1.0.0";

	(void)state;
	assert_string_equal(ctd_route_find("/metrics", NULL)->content_type,
			    "text/plain; version=0.0.4; charset=utf-8");
	assert_string_equal(ctd_route_find("/metrics", openmetrics)->content_type,
			    "application/openmetrics-text; version=1.0.0; charset=utf-8");
	assert_int_equal(ctd_route_find("/api/v1/view", openmetrics)->kind, CTD_ROUTE_VIEW);
}

static void what_the_page_needs_is_on_its_route(void **state)
{
	static const char *const paths[] = {"/",	  "/style.css", "/app.mjs", "/figures.mjs",
					    "/flame.mjs", "/flames.mjs"};

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		const struct ctd_web_file *file = ctd_web_file_find(paths[i]);

		assert_non_null(file);
		assert_true(file->plain_bytes > 100 && file->etag[0] == 'W');
		assert_ptr_equal(ctd_route_find(paths[i], NULL), ctd_route_find("/", NULL));
	}
	assert_int_equal(ctd_route_find("/", NULL)->kind, CTD_ROUTE_FILE);
	assert_null(ctd_route_find("/index.html", NULL));
	assert_null(ctd_route_find("/view.c", NULL));
}

static void all_paths_are_listed_once(void **state)
{
	char text[1024], little[20];

	(void)state;
	ctd_routes_list(text, sizeof(text));
	assert_non_null(strstr(text, "/healthz"));
	assert_non_null(strstr(text, "/metrics"));
	assert_null(strstr(strstr(text, "/metrics") + 1, "/metrics"));
	ctd_routes_list(little, sizeof(little));
	assert_int_equal(strlen(little), sizeof(little) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_tells_of_containers_needs_a_secret),
		cmocka_unit_test(a_path_has_to_be_written_as_it_is),
		cmocka_unit_test(clients_that_prefer_openmetrics_get_it),
		cmocka_unit_test(what_the_page_needs_is_on_its_route),
		cmocka_unit_test(all_paths_are_listed_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
