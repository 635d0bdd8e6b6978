/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_vendor.c - vendors' metrics of a view as JSON: byte by byte, and what its totals are for. */
#include "unit/export/sample_vendor.h"

#include <jansson.h>

#include "golden.h"
#include "serve/web/view.h"

static json_t *read_view(const struct book *book)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	json_error_t error;
	json_t *object;

	assert_int_equal(ctd_view_json(book->view, &sample_self, &text), 0);
	assert_false(text.failed);
	object = json_loads(text.text, JSON_REJECT_DUPLICATES, &error);
	if (!object)
		fail_msg("%s at %d: %s", error.text, error.position, text.text);
	return object;
}

/* What there is of it, and nothing else. */
static json_t *vendor_of(json_t *view)
{
	json_t *all = json_object(), *rows = json_array(), *row;
	const char *key;
	json_t *value;
	size_t i;

	json_object_foreach(view, key, value) if (strncmp(key, "vendor", strlen("vendor")) == 0)
		json_object_set(all, key, value);
	json_array_foreach(json_object_get(view, "rows"), i, row)
	{
		json_t *of_row =
			json_pack("{s:O,s:O,s:O}", "key", json_object_get(row, "key"), "total",
				  json_object_get(json_object_get(row, "total"), "vendor"),
				  "recent",
				  json_object_get(json_object_get(row, "recent"), "vendor"));

		assert_non_null(of_row);
		json_array_append_new(rows, of_row);
	}
	json_object_set_new(all, "rows", rows);
	return all;
}

static void it_is_as_agreed(void **state)
{
	static struct beside beside;
	struct book book;
	json_t *view, *vendor;
	char *lines;

	(void)state;
	sample_fill_vendor(&beside, &book);
	view = read_view(&book);
	vendor = vendor_of(view);
	lines = json_dumps(vendor, JSON_INDENT(1) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(15));
	assert_non_null(lines);
	golden_compare("view-vendor.json", lines);
	free(lines);
	json_decref(vendor);
	json_decref(view);
	book_close(&book);
}

/* Each count has a name. */
static void totals_have_as_many_counts_as_groups_have_events(void **state)
{
	static struct beside beside;
	json_t *view, *groups, *counts, *group;
	struct book book;
	size_t i;

	(void)state;
	sample_fill_vendor(&beside, &book);
	view = read_view(&book);
	groups = json_object_get(view, "vendor_groups");
	counts = json_object_get(json_object_get(view, "vendor_fetched"), "counts");
	assert_int_equal(json_array_size(groups), 2);
	assert_int_equal(json_array_size(counts), 2);
	json_array_foreach(groups, i, group) assert_int_equal(
		json_array_size(group), json_array_size(json_array_get(counts, i)));
	json_decref(view);
	book_close(&book);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, new_table, free_table)
	const struct CMUnitTest tests[] = {
		TEST(it_is_as_agreed),
		TEST(totals_have_as_many_counts_as_groups_have_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
