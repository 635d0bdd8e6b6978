/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_hybrid.c - what sinks write of a machine with kinds of cores. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "base/auto.h"
#include "golden.h"
#include "unit/report/vendor_hybrid.h"
#include "unit/rollup/hybrid.h"
#include "unit/sink/sample.h"

extern const struct ctd_sink ctd_sink_csv, ctd_sink_jsonl, ctd_sink_table;

static void each_sink_has_a_row_for_each_kind_of_cores(void **state)
{
	static const struct {
		const struct ctd_sink *sink;
		const char *name;
		int width;
		bool tree;
	} cases[] = {
		{&ctd_sink_csv, "csv-hybrid.csv", 80, false},
		{&ctd_sink_jsonl, "jsonl-hybrid.jsonl", 80, false},
		{&ctd_sink_table, "table-80-hybrid.txt", 80, false},
		{&ctd_sink_table, "table-80-hybrid-tree.txt", 80, true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct scene scene;

		hybrid_begin(&scene);
		scene.rollup_options.tree = cases[i].tree;
		struct ctd_report report = scene_report(&scene);
		autofree char *text =
			sample_write(cases[i].sink, &report, cases[i].width, true, false);

		golden_compare(cases[i].name, text);
		ctd_report_free(&report);
		scene_end(&scene);
	}
}

/* A row has the metrics that its core type has, and those of others have a reason. */
static void vendors_metrics_are_those_of_the_core_type(void **state)
{
	static const struct {
		const struct ctd_sink *sink;
		const char *name;
	} cases[] = {
		{&ctd_sink_csv, "csv-vendor-hybrid.csv"},
		{&ctd_sink_jsonl, "jsonl-vendor-hybrid.jsonl"},
		{&ctd_sink_table, "table-80-vendor-hybrid.txt"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_report report;
		autofree char *text = NULL;
		struct scene scene;

		make_hybrid(state);
		begin_vendor_hybrid(&scene);
		fill_vendor_hybrid(&scene);
		scene.interval.health.ns_per_switch = 100;
		report = scene_report(&scene);
		text = sample_write(cases[i].sink, &report, 80, true, false);
		golden_compare(cases[i].name, text);
		ctd_report_free(&report);
		scene_end(&scene);
		free_hybrid(state);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_sink_has_a_row_for_each_kind_of_cores),
		cmocka_unit_test(vendors_metrics_are_those_of_the_core_type),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	if (!setlocale(LC_ALL, "C.UTF-8"))
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
