/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_view.c - the view as JSON: byte by byte, and what must hold of any of them. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "golden.h"
#include "serve/web/view.h"
#include "unit/export/sample_view.h"

static json_t *read_view(const struct ctd_ledger_view *view, const struct ctd_self *self)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	json_error_t error;
	json_t *object;

	assert_int_equal(ctd_view_json(view, self, &text), 0);
	assert_false(text.failed);
	object = json_loads(text.text, JSON_REJECT_DUPLICATES, &error);
	if (!object)
		fail_msg("%s at %d: %s", error.text, error.position, text.text);
	return object;
}

/* The golden file has one member per line, so that its difference can be reviewed. */
static void compare(const char *golden, const struct book *book, const struct ctd_self *self)
{
	json_t *object = read_view(book->view, self);
	char *lines =
		json_dumps(object, JSON_INDENT(1) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(15));

	assert_non_null(lines);
	golden_compare(golden, lines);
	free(lines);
	json_decref(object);
}

static json_t *find_row(json_t *object, const char *kind)
{
	size_t i;
	json_t *row;

	json_array_foreach(json_object_get(object, "rows"), i,
			   row) if (strcmp(json_string_value(json_object_get(row, "kind")), kind) ==
				    0) return row;
	fail_msg("no row of kind %s", kind);
	return NULL;
}

static json_int_t integer(json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	if (!json_is_integer(value))
		fail_msg("%s is not an integer", key);
	return json_integer_value(value);
}

static void the_view_is_as_agreed(void **state)
{
	struct book book;

	(void)state;
	sample_fill(&book);
	compare("view.json", &book, &sample_self);
	book_close(&book);
}

static void a_view_without_counters_is_as_agreed(void **state)
{
	static const struct ctd_self self = {.version = "0.1.0"};
	struct book book;

	(void)state;
	sample_fill_none(&book);
	compare("view-none.json", &book, &self);
	book_close(&book);
}

static void the_sums_of_a_view_are_those_of_the_node(void **state)
{
	struct book book;
	json_t *object, *total, *row;
	json_int_t slots;
	size_t i;

	(void)state;
	sample_fill(&book);
	object = read_view(book.view, &sample_self);
	total = json_object_get(object, "total");
	slots = integer(total, "fetched_slots") + integer(total, "held_slots") +
		integer(total, "unattributed_slots") + integer(total, "residual_slots");
	json_array_foreach(json_object_get(object, "rows"), i, row) slots +=
		integer(json_object_get(row, "total"), "slots");
	assert_int_equal(slots, integer(total, "slots"));
	/* What is told in sums is told in full, too. */
	slots = integer(total, "held_slots") + integer(total, "fetched_slots");
	json_array_foreach(json_object_get(object, "held_rows"), i, row) slots -=
		integer(json_object_get(row, "total"), "slots");
	json_array_foreach(json_object_get(object, "core_types"), i, row) slots -=
		integer(json_object_get(row, "fetched"), "slots");
	assert_int_equal(slots, 0);
	json_decref(object);
	book_close(&book);
}

static void keys_are_the_ledgers_own_and_each_is_there_once(void **state)
{
	struct book book;
	json_t *object, *seen = json_object(), *row;
	size_t i;

	(void)state;
	sample_fill(&book);
	object = read_view(book.view, &sample_self);
	json_array_foreach(json_object_get(object, "rows"), i, row)
	{
		const char *key = json_string_value(json_object_get(row, "key"));

		assert_string_equal(key, book.view->accounts[i].who->key_text);
		assert_null(json_object_get(seen, key));
		json_object_set_new(seen, key, json_true());
	}
	json_decref(seen);
	json_decref(object);
	book_close(&book);
}

static void what_is_not_known_is_null_and_never_0(void **state)
{
	static const struct ctd_self self = {.version = "0.1.0"};
	json_t *object, *total, *recent;
	struct book book;

	(void)state;
	sample_fill_none(&book);
	object = read_view(book.view, &self);
	assert_true(json_is_null(json_object_get(object, "node")));
	assert_true(json_is_null(json_object_get(object, "boot_id")));
	assert_true(json_is_null(json_object_get(json_object_get(object, "total"), "slots")));
	total = json_object_get(find_row(object, "idle"), "total");
	recent = json_object_get(find_row(object, "idle"), "recent");
	assert_true(json_is_null(json_object_get(total, "slots")));
	assert_int_equal(json_object_size(json_object_get(total, "node_slots")), 0);
	assert_true(json_is_null(json_object_get(recent, "bottleneck")));
	assert_string_equal(json_string_value(json_object_get(recent, "quality")), "unsupported");
	json_decref(object);
	book_close(&book);
}

static void a_view_without_rows_is_a_view(void **state)
{
	static const struct ctd_self self = {.version = "0.1.0"};
	const struct ctd_ledger_view view = {.sequence = 1,
					     .realtime_ns = BEGIN_NS,
					     .source = "none",
					     .hierarchy = "",
					     .method = "none",
					     .scope = "thread",
					     .core_types_count = 1};
	json_t *object = read_view(&view, &self);

	(void)state;
	assert_int_equal(json_array_size(json_object_get(object, "rows")), 0);
	assert_true(json_is_null(json_object_get(object, "start")));
	json_decref(object);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_view_is_as_agreed),
		cmocka_unit_test(a_view_without_counters_is_as_agreed),
		cmocka_unit_test(the_sums_of_a_view_are_those_of_the_node),
		cmocka_unit_test(keys_are_the_ledgers_own_and_each_is_there_once),
		cmocka_unit_test(what_is_not_known_is_null_and_never_0),
		cmocka_unit_test(a_view_without_rows_is_a_view),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
