/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_jsonl.c - each line is an object of the schema, its sums hold, and no name breaks it. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/auto.h"
#include "golden.h"
#include "unit/sink/sample.h"

extern const struct ctd_sink ctd_sink_jsonl;

static json_t *parse(const char *text)
{
	json_error_t error;
	json_t *object = json_loads(text, 0, &error);

	if (!object)
		fail_msg("%s: %s", error.text, text);
	return object;
}

static json_t *first_row(json_t *object)
{
	return json_array_get(json_object_get(object, "rows"), 0);
}

static void lines_are_as_in_the_golden_files(void **state)
{
	static const struct {
		const char *name, *source;
		int level;
	} cases[] = {
		{"jsonl-level1.jsonl", "perf_metrics", 1},
		{"jsonl-level2-sim.jsonl", "sim", 2},
		{"jsonl-none.jsonl", "none", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ctd_report report = sample_report(cases[i].source, cases[i].level);
		autofree char *text = sample_write(&ctd_sink_jsonl, &report, 80, true, false);

		golden_compare(cases[i].name, text);
		assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
		ctd_report_free(&report);
	}
}

static void ipc_metrics_are_among_the_metrics_where_they_were_asked_for(void **state)
{
	struct ctd_report report = sample_ipc(1);
	autofree char *text = sample_write(&ctd_sink_jsonl, &report, 80, true, false);

	(void)state;
	golden_compare("jsonl-general.jsonl", text);
	report.ipc = false;
	report.groups_count = 1;
	autofree char *without = sample_write(&ctd_sink_jsonl, &report, 80, true, false);

	assert_null(strstr(without, "ipc"));
	ctd_report_free(&report);
}

static void vendors_metrics_have_all_digits_that_tell_them(void **state)
{
	struct ctd_report report = sample_vendor();
	autofree char *text = sample_write(&ctd_sink_jsonl, &report, 80, true, false);

	(void)state;
	golden_compare("jsonl-vendor.jsonl", text);
	ctd_report_free(&report);
}

static void a_drill_shows_the_path_of_each_row(void **state)
{
	struct ctd_report report = sample_drill();
	autofree char *text = sample_write(&ctd_sink_jsonl, &report, 80, true, false);

	(void)state;
	golden_compare("jsonl-drill.jsonl", text);
	ctd_report_free(&report);
}

static void slots_of_rows_and_totals_add_up(void **state)
{
	struct ctd_report report = sample_report("sim", 2);
	autofree char *text = sample_write(&ctd_sink_jsonl, &report, 80, true, false);
	json_t *object = parse(text), *row;
	json_t *totals = json_object_get(object, "totals");
	json_int_t sum = json_integer_value(json_object_get(totals, "unattributed_slots")) +
			 json_integer_value(json_object_get(totals, "residual_slots"));
	size_t i;

	(void)state;
	json_array_foreach(json_object_get(object, "rows"), i, row) sum +=
		json_integer_value(json_object_get(row, "slots"));
	assert_true(sum > 0);
	assert_int_equal(sum, json_integer_value(json_object_get(totals, "slots")));
	assert_int_equal(json_integer_value(json_object_get(totals, "residual_slots")), -3);
	assert_true(json_is_true(json_object_get(object, "simulated")));
	json_decref(object);
	ctd_report_free(&report);
}

static void level_1_shares_of_each_row_add_up_to_1(void **state)
{
	struct ctd_report report = sample_report("sim", 1);
	autofree char *text = sample_write(&ctd_sink_jsonl, &report, 80, true, false);
	json_t *object = parse(text), *row, *value;
	const char *name;
	size_t i;

	(void)state;
	json_array_foreach(json_object_get(object, "rows"), i, row)
	{
		double sum = 0;

		json_object_foreach(json_object_get(row, "metrics"), name, value) sum +=
			json_number_value(value);
		if (!json_is_null(json_object_get(row, "slots")))
			assert_float_equal(sum, 1, 1e-5);
	}
	json_decref(object);
	ctd_report_free(&report);
}

static void what_is_not_known_is_null(void **state)
{
	struct ctd_report report = sample_empty("perf_metrics", 2);

	(void)state;
	report.totals.slots_known = false;
	report.health.ns_per_switch = NAN;
	report.health.l1_sum_over_slots.quality = CTD_NO_DATA;
	sample_add(&report, CTD_ROLLUP_CGROUP, "cgroup:7", 0.1, (struct sample_shares){0},
		   CTD_NO_DATA);
	autofree char *text = sample_write(&ctd_sink_jsonl, &report, 80, true, false);
	json_t *object = parse(text), *row = first_row(object);
	json_t *health = json_object_get(object, "health");
	json_t *totals = json_object_get(object, "totals");
	json_t *metrics = json_object_get(row, "metrics");

	assert_true(json_is_null(json_object_get(row, "slots")));
	assert_true(json_is_null(json_object_get(row, "cgroup")));
	assert_true(json_is_null(json_object_get(row, "cgroup_id")));
	assert_int_equal(json_object_size(metrics), 12);
	assert_true(json_is_null(json_object_get(metrics, "core_bound")));
	assert_true(json_is_null(json_object_get(health, "ns_per_switch")));
	assert_true(json_is_null(json_object_get(health, "l1_sum_over_slots")));
	assert_true(json_is_null(json_object_get(totals, "slots")));
	json_decref(object);
	ctd_report_free(&report);
}

/* What is not counted is null, and why stands beside it. */
static void what_is_given_up_for_the_budget_is_null(void **state)
{
	struct ctd_report report = sample_report("sim", 1);

	(void)state;
	report.health.budget =
		(struct ctd_budget_state){.limit_ppm = 5000,
					  .cost_ns = 123456789,
					  .capacity_ns = 10000000000,
					  .given_up = 1 << CTD_BUDGET_WAITS | 1 << CTD_BUDGET_LEVEL,
					  .exceeded = 1,
					  .changes = {[CTD_BUDGET_LEVEL] = 3}};
	autofree char *text = sample_write(&ctd_sink_jsonl, &report, 80, true, false);
	json_t *object = parse(text), *row = first_row(object);
	json_t *metrics = json_object_get(row, "metrics");
	json_t *budget = json_object_get(object, "budget");
	json_t *given_up = json_object_get(budget, "given_up");

	assert_true(json_is_null(json_object_get(row, "waits")));
	assert_true(json_is_null(json_object_get(metrics, "core_bound")));
	assert_true(json_is_real(json_object_get(metrics, "retiring")));
	assert_float_equal(json_number_value(json_object_get(budget, "limit")), 0.005, 1e-9);
	assert_float_equal(json_number_value(json_object_get(budget, "cost")), 0.01234568, 1e-9);
	assert_int_equal(json_array_size(given_up), 2);
	assert_string_equal(json_string_value(json_array_get(given_up, 1)), "level_2");
	assert_true(json_is_true(json_object_get(budget, "exceeded")));
	assert_int_equal(json_object_size(json_object_get(budget, "changes")), 1);
	assert_int_equal(
		json_integer_value(json_object_get(json_object_get(budget, "changes"), "level_2")),
		3);
	json_decref(object);
	/* Nothing is over yet, and nothing is given up. */
	report.health.budget = (struct ctd_budget_state){.limit_ppm = 5000};
	autofree char *first = sample_write(&ctd_sink_jsonl, &report, 80, true, false);

	object = parse(first);
	row = first_row(object);
	budget = json_object_get(object, "budget");
	assert_true(json_is_null(json_object_get(budget, "cost")));
	assert_int_equal(json_array_size(json_object_get(budget, "given_up")), 0);
	assert_null(json_object_get(row, "waits"));
	assert_null(json_object_get(json_object_get(row, "metrics"), "core_bound"));
	json_decref(object);
	ctd_report_free(&report);
}

static void without_counters_metrics_are_empty(void **state)
{
	struct ctd_report report = sample_report("none", 0);
	autofree char *text = sample_write(&ctd_sink_jsonl, &report, 80, true, false);
	json_t *object = parse(text), *row = first_row(object);

	(void)state;
	assert_int_equal(json_object_size(json_object_get(row, "metrics")), 0);
	assert_true(json_is_object(json_object_get(row, "metrics")));
	assert_true(json_is_null(json_object_get(row, "slots")));
	json_decref(object);
	ctd_report_free(&report);
}

static void pids_are_there_by_process_only(void **state)
{
	struct ctd_report report = sample_empty("sim", 1);
	struct ctd_report_row *row = sample_add(
		&report, CTD_ROLLUP_PROCESS, "sh[42]", 0.1,
		(struct sample_shares){.retiring = .1, .bad = .2, .frontend = .3, .backend = .4},
		CTD_OK);

	(void)state;
	row->pid = 42;
	strcpy(row->comm, "sh");
	autofree char *by_cgroup = sample_write(&ctd_sink_jsonl, &report, 80, true, false);

	assert_null(strstr(by_cgroup, "\"pid\""));
	report.by = CTD_GROUP_PROCESS;
	autofree char *by_process = sample_write(&ctd_sink_jsonl, &report, 80, true, false);

	assert_non_null(strstr(by_process, "\"pid\":42,\"comm\":\"sh\""));
	ctd_report_free(&report);
}

static void hostile_paths_do_not_break_the_line(void **state)
{
	struct ctd_identity identity = {.cgroup_id = 5, .path = "/\xff\"\n\033[2J\xc2\x9b\xc3"};
	struct ctd_report report = sample_empty("sim", 1);

	(void)state;
	sample_add(&report, CTD_ROLLUP_CGROUP, identity.path, 0.1,
		   (struct sample_shares){.retiring = .1, .bad = .2, .frontend = .3, .backend = .4},
		   CTD_OK)
		->identity = &identity;
	autofree char *text = sample_write(&ctd_sink_jsonl, &report, 80, true, false);
	json_t *object = parse(text);

	for (const char *at = text; at[1]; at++)
		assert_true(*at >= 0x20 && *at < 0x7f);
	assert_string_equal(json_string_value(json_object_get(first_row(object), "cgroup")),
			    "/\xef\xbf\xbd\"\n\033[2J\xc2\x9b\xef\xbf\xbd");
	json_decref(object);
	ctd_report_free(&report);
}

static void an_empty_interval_is_an_object_without_rows(void **state)
{
	struct ctd_report report = sample_empty("sim", 1);
	autofree char *text = sample_write(&ctd_sink_jsonl, &report, 80, true, false);
	json_t *object = parse(text);

	(void)state;
	assert_true(json_is_array(json_object_get(object, "rows")));
	assert_int_equal(json_array_size(json_object_get(object, "rows")), 0);
	json_decref(object);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_as_in_the_golden_files),
		cmocka_unit_test(ipc_metrics_are_among_the_metrics_where_they_were_asked_for),
		cmocka_unit_test(a_drill_shows_the_path_of_each_row),
		cmocka_unit_test(vendors_metrics_have_all_digits_that_tell_them),
		cmocka_unit_test(slots_of_rows_and_totals_add_up),
		cmocka_unit_test(level_1_shares_of_each_row_add_up_to_1),
		cmocka_unit_test(what_is_not_known_is_null),
		cmocka_unit_test(what_is_given_up_for_the_budget_is_null),
		cmocka_unit_test(without_counters_metrics_are_empty),
		cmocka_unit_test(pids_are_there_by_process_only),
		cmocka_unit_test(hostile_paths_do_not_break_the_line),
		cmocka_unit_test(an_empty_interval_is_an_object_without_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
