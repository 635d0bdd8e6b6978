/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_past.c - a history is read as it was written, and what is none is refused with a reason. */
#include "remote/past.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "{\"schema\":\"cgtopdown/history/1\",\"since_ns\":7000,\"step_ns\":1000,\"points\":2,"
#define TIMES "\"window_ns\":[1000,null],\"unattributed_ns\":[3,null],"
#define NODES "\"nodes\":[{\"name\":\"a\",\"level\":1,\"parent\":null},{\"name\":\"b\"}],"
#define ROW(its_key, figures) "{\"key\":\"" its_key "\",\"kind\":\"cgroup\"" figures "}"

static int parse(const char *text, struct ctd_remote_past *ret_past)
{
	char why[CTD_REMOTE_WHY_BYTES] = "";
	int error = ctd_remote_past_parse(text, strlen(text), ret_past, why);

	assert_int_equal(!error, !*why);
	return error;
}

static void a_history_is_read_as_it_was_written(void **state)
{
	static const char text[] = HEAD
		"\"simulated\":true,\"kept_since_ns\":1,\"kept_until_ns\":8999,"
		"\"rows_left_out\":3," TIMES NODES
		"\"core_types\":[{\"core\":\"P\",\"slots\":[9,null],\"idle_slots\":[1,null],"
		"\"unattributed_slots\":[5,null],\"residual_slots\":[-2,null]},{\"core\":\"E\"}],"
		"\"rows\":[" ROW("z", ",\"core\":\"E\",\"cpu_ns\":[null,7],\"slots\":[null,null]") "," ROW(
			"y",
			",\"cpu_ns\":[0,1],\"slots\":[2,3],\"node_slots\":{\"b\":[4,null],\"c\":7}") "],\"new\":{}}";
	struct ctd_remote_past past;
	const struct ctd_remote_past_row *row;

	(void)state;
	assert_int_equal(parse(text, &past), 0);
	assert_true(past.simulated && past.is_cut);
	assert_int_equal(past.kept_until_ns, 8999);
	assert_int_equal(past.since_ns, 7000);
	assert_int_equal(past.step_ns, 1000);
	assert_int_equal(past.points, 2);
	assert_int_equal(past.window_ns[0], 1000);
	assert_int_equal(past.window_ns[1], CTD_REMOTE_ABSENT);
	assert_int_equal(past.unattributed_ns[0], 3);
	assert_int_equal(past.nodes_count, 2);
	assert_string_equal(past.nodes[1], "b");
	assert_int_equal(past.core_types_count, 2);
	assert_string_equal(past.core_types[0].name, "P");
	assert_int_equal(past.core_types[0].unattributed_slots[0], 5);
	assert_int_equal(past.core_types[0].residual_slots[0], -2);
	assert_int_equal(past.core_types[0].residual_slots[1], 0);
	assert_int_equal(past.core_types[1].unattributed_slots[0], CTD_REMOTE_ABSENT);
	/* By their keys. */
	assert_int_equal(past.rows_count, 2);
	row = &past.rows[0];
	assert_string_equal(row->key, "y");
	assert_string_equal(row->core, "");
	assert_int_equal(row->cpu_ns[0], 0);
	assert_int_equal(row->slots[1], 3);
	assert_int_equal(row->node_slots[0][0], CTD_REMOTE_ABSENT);
	assert_int_equal(row->node_slots[1][0], 4);
	assert_int_equal(row->node_slots[1][1], CTD_REMOTE_ABSENT);
	row = &past.rows[1];
	assert_string_equal(row->core, "E");
	assert_int_equal(row->cpu_ns[0], CTD_REMOTE_ABSENT);
	assert_int_equal(row->cpu_ns[1], 7);
	assert_int_equal(row->slots[1], CTD_REMOTE_ABSENT);
	ctd_remote_past_free(&past);
}

static void what_is_none_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"[]",
		"{}",
		HEAD TIMES NODES "\"rows\":[]",
		HEAD TIMES NODES "\"rows\":[]}x",
		HEAD TIMES NODES "\"rows\":{}}",
		HEAD TIMES "\"rows\":[" ROW("y", "") "]}", /* nodes are missing */
		HEAD NODES "\"rows\":[]}", /* windows are missing */
		HEAD TIMES NODES "\"core_types\":[]}",
		"{\"schema\":\"cgtopdown/history/2\",\"since_ns\":7,\"step_ns\":1,\"points\":2," TIMES
			NODES "\"rows\":[]}",
		"{\"schema\":\"cgtopdown/history/1\",\"since_ns\":7,\"points\":2," TIMES NODES
		"\"rows\":[]}",
		"{\"schema\":\"cgtopdown/history/1\",\"since_ns\":9223372036854775807,\"step_ns\":1,"
		"\"points\":2," TIMES NODES "\"rows\":[]}",
		"{\"schema\":\"cgtopdown/history/1\",\"since_ns\":7,\"step_ns\":1,\"points\":0}",
		"{\"schema\":\"cgtopdown/history/1\",\"since_ns\":7,\"step_ns\":1,\"points\":1001}",
		HEAD "\"points\":2}", /* twice */
		HEAD TIMES TIMES NODES "\"rows\":[]}",
		HEAD NODES NODES TIMES "\"rows\":[]}",
		HEAD "\"window_ns\":[1]}",
		HEAD "\"window_ns\":7}",
		HEAD "\"window_ns\":[1,-1]}",
		HEAD "\"window_ns\":[1,1.5]}",
		HEAD "\"window_ns\":[1,\"1\"]}",
		HEAD "\"nodes\":[{}]}",
		HEAD "\"nodes\":[{\"name\":\"\\u001b\"}]}",
		HEAD "\"core_types\":[7,{\"core\":\"\\u001b\"}]}",
		HEAD "\"core_types\":[{},{},{},{},{}]}",
		HEAD TIMES NODES "\"rows\":[7]}",
		HEAD TIMES NODES "\"rows\":[{}]}",
		HEAD TIMES NODES "\"rows\":[" ROW("y", "") "," ROW("y", "") "]}",
		HEAD TIMES NODES "\"rows\":[" ROW("y", ",\"cpu_ns\":[1,2,3]") "]}",
		HEAD TIMES NODES "\"rows\":[" ROW("y", ",\"node_slots\":{\"a\":[1]}") "]}",
		HEAD TIMES NODES
		"\"rows\":[" ROW("y", ",\"core\":\"a name that is much too long\"") "]}",
	};
	struct ctd_remote_past past;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (parse(texts[i], &past) != -EBADMSG)
			fail_msg("%s", texts[i]);
}

/* @return of as many rows of as many points as are asked for. */
static int parse_many(int points, int rows)
{
	static char text[1 << 20];
	struct ctd_remote_past past;
	int error, at;

	at = sprintf(text,
		     "{\"schema\":\"cgtopdown/history/1\",\"since_ns\":7,\"step_ns\":1,"
		     "\"points\":%d,\"window_ns\":[",
		     points);
	for (int i = 0; i < points; i++)
		at += sprintf(text + at, "%s1", i ? "," : "");
	at += sprintf(text + at, "],\"nodes\":[");
	for (int i = 0; i < 16; i++)
		at += sprintf(text + at, "%s{\"name\":\"n%d\"}", i ? "," : "", i);
	at += sprintf(text + at, "],\"unattributed_ns\":[");
	for (int i = 0; i < points; i++)
		at += sprintf(text + at, "%snull", i ? "," : "");
	at += sprintf(text + at, "],\"rows\":[");
	for (int i = 0; i < rows; i++)
		at += sprintf(text + at, "%s" ROW("%d", ""), i ? "," : "", i);
	sprintf(text + at, "]}");
	error = parse(text, &past);
	if (!error)
		ctd_remote_past_free(&past);
	return error;
}

/* Of figures that are not there it makes memory for as many. */
static void what_is_too_much_is_refused(void **state)
{
	(void)state;
	assert_int_equal(parse_many(61, 1000), 0);
	assert_int_equal(parse_many(1000, 200), 0);
	assert_int_equal(parse_many(61, 1001), -EBADMSG);
	assert_int_equal(parse_many(1000, 300), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_history_is_read_as_it_was_written),
		cmocka_unit_test(what_is_none_is_refused),
		cmocka_unit_test(what_is_too_much_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
