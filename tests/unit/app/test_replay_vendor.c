/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_replay_vendor.c - recorded vendors' metrics of several core types are shown of each, or
 * refused. */
#include <jansson.h>

#include "app/options/options.h"
#include "base/strbuf.h"
#include "unit/pmu/capture.h"
#include "unit/snapshot/recording.h"
#include "unit/vendor/hybrid.h"
#include "vendor/recorded.h"

static struct ctd_strbuf blocks[2];

static int begin(void **state)
{
	make_hybrid(state);
	for (int core = 0; core < 2; core++)
		assert_int_equal(ctd_vendor_recorded_add(&made[core].counting, &hybrid_cpus[core],
							 &hybrid_machine, &blocks[core]),
				 0);
	return 0;
}

static int end(void **state)
{
	for (int core = 0; core < 2; core++)
		ctd_strbuf_free(&blocks[core]);
	return free_hybrid(state);
}

static struct ctd_record_header header_of(uint32_t core_types_count)
{
	uint32_t events = (uint32_t)made[ON_P].counting.rotation.events_count;

	return (struct ctd_record_header){
		.source = "vendor",
		.host = "host",
		.version = "0.1.0",
		.hierarchy = "v2",
		.read = CTD_READ_EACH,
		.counters_count = events,
		.groups_count = 2,
		.core_types_count = core_types_count,
		.core_types = {{"P-core", "vendor", "", "", events, 2, 0, false},
			       {"E-core", "vendor", "", "", events, 1, 0, false}},
	};
}

/* A cgroup on both core types: of the P-core's cycles 60 % are first's in the first of two steps;
 * on the E-core 20 % in both. */
static void write_snapshots(struct ctd_record_writer *writer)
{
	uint64_t p[CTD_COUNTERS_MAX * 2] = {0}, e[CTD_COUNTERS_MAX * 2] = {0};
	int events = made[ON_P].counting.rotation.events_count;
	int first = made[ON_P].counting.metrics[hybrid_index(ON_P, "first")].group;

	hybrid_fill(ON_P, "first", "E1", 1000000, 600, p);
	hybrid_fill(ON_E, "first", "E0", 1000000, 100, e);
	for (uint64_t i = 0; i < 3; i++) {
		uint64_t ns = i * 500000000;
		struct ctd_snapshot_row rows[] = {
			{.kind = CTD_ROW_CGROUP, .cgroup_id = 7, .oncpu_ns = ns, .running_ns = ns},
			{.kind = CTD_ROW_CGROUP,
			 .cgroup_id = 7,
			 .core_type = 1,
			 .oncpu_ns = ns,
			 .running_ns = ns},
		};
		struct ctd_snapshot_cpu cpus[] = {{.cpu = 0, .online = 1},
						  {.cpu = 1, .online = 1, .core_type = 1}};
		struct ctd_snapshot snapshot = {
			.sequence = i + 1,
			.realtime_ns = 1700000000000000000 + ns,
			.monotonic_ns = 1 + ns,
			.counters_count = (uint32_t)events,
			/* That which counted up to it. */
			.group = i == 1 ? (uint32_t)first : (uint32_t)!first,
			.groups_count = 2,
			.in_between = i == 1,
			.rows = rows,
			.rows_count = 2,
			.cpus = cpus,
			.cpus_count = 2,
		};

		for (int at = 0; at < events; at++) {
			rows[0].count[at] = i ? p[first * events + at] : 0;
			rows[1].count[at] = i * e[at];
			cpus[0].total[at] = cpus[0].attributed[at] = rows[0].count[at];
			cpus[1].total[at] = cpus[1].attributed[at] = rows[1].count[at];
		}
		assert_int_equal(ctd_record_write_snapshot(writer, &snapshot), 0);
	}
}

static struct recording record(uint32_t core_types_count, const struct ctd_record_vendor *vendors,
			       size_t count)
{
	struct ctd_record_name name = {.cgroup_id = 7, .text = "/web"};
	struct ctd_record_header header = header_of(core_types_count);
	struct memory_file file = memory_file_new();
	struct ctd_record_writer *writer;

	assert_int_equal(ctd_record_create(file.path, &header, &writer), 0);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(ctd_record_write_vendor(writer, &vendors[i]), 0);
	assert_int_equal(ctd_record_write_name(writer, &name), 0);
	if (core_types_count > 1)
		write_snapshots(writer);
	assert_true(ctd_record_close(writer) >= 0);
	return memory_file_take(&file);
}

/* @return the exit status; *ret_text: what was printed, the caller's. */
static int show(struct recording recording, struct capture *said, char **ret_text)
{
	struct ctd_options options = {
		.format = "jsonl", .sort = "cpu", .colour = "never", .no_sandbox = true};
	struct memory_file file = memory_file_new();
	struct capture printed;
	int status;

	assert_int_equal(write(file.fd, recording.data, recording.bytes), recording.bytes);
	free(recording.data);
	options.file = file.path;
	capture_begin_on(&printed, stdout);
	capture_begin(said);
	status = ctd_report_main(&options);
	capture_end(said);
	*ret_text = capture_take(&printed);
	close(file.fd);
	return status;
}

static struct ctd_record_vendor block_of(int core, bool of_core_type, uint32_t core_type)
{
	return (struct ctd_record_vendor){.payload = blocks[core].text,
					  .bytes = blocks[core].bytes,
					  .of_core_type = of_core_type,
					  .core_type = core_type};
}

/* NAN: null, or not there. */
static double metric_of(const json_t *report, const char *core, const char *metric)
{
	const json_t *row, *value;
	size_t i;

	json_array_foreach(json_object_get(report, "rows"), i, row)
	{
		value = json_object_get(json_object_get(row, "metrics"), metric);
		if (strcmp(json_string_value(json_object_get(row, "core")), core) == 0)
			return json_is_number(value) ? json_number_value(value) : NAN;
	}
	fail_msg("no row on %s", core);
	return NAN;
}

static void each_core_type_has_its_own_formulas_again(void **state)
{
	const struct ctd_record_vendor vendors[] = {block_of(ON_E, true, 1),
						    block_of(ON_P, true, 0)};
	struct capture said;
	json_t *report;
	char *text;

	(void)state;
	assert_int_equal(show(record(2, vendors, 2), &said, &text), 0);
	assert_string_equal(said.text, "");
	report = json_loads(text, 0, NULL);
	assert_non_null(report);
	assert_true(fabs(metric_of(report, "P-core", "tma_first") - 60) < 1e-6);
	assert_true(fabs(metric_of(report, "E-core", "tma_first") - 20) < 1e-6);
	assert_true(isnan(metric_of(report, "E-core", "tma_second")));
	assert_true(isnan(metric_of(report, "P-core", "tma_resource")));
	assert_true(isnan(metric_of(report, "all", "tma_first")));
	assert_true(metric_of(report, "E-core", "tma_resource") == 0);
	json_decref(report);
	free(text);
}

/* As where nothing that was asked for is of P-cores. */
static void a_core_type_without_a_block_has_no_metrics(void **state)
{
	const struct ctd_record_vendor vendor = block_of(ON_E, true, 1);
	struct capture said;
	json_t *report;
	char *text;

	(void)state;
	assert_int_equal(show(record(2, &vendor, 1), &said, &text), 0);
	report = json_loads(text, 0, NULL);
	assert_non_null(report);
	assert_true(isnan(metric_of(report, "P-core", "TMA_FIRST")));
	assert_true(fabs(metric_of(report, "E-core", "TMA_FIRST") - 20) < 1e-6);
	json_decref(report);
	free(text);
}

static void blocks_of_another_plan_are_refused(void **state)
{
	const struct {
		int line;
		uint32_t core_types;
		struct ctd_record_vendor vendors[2];
		size_t count;
	} cases[] = {
		/* Twice of one, of all where cores differ, of one where all are alike. */
		{__LINE__, 2, {block_of(ON_P, true, 0), block_of(ON_P, true, 0)}, 2},
		{__LINE__, 2, {block_of(ON_P, false, 0)}, 1},
		{__LINE__, 1, {block_of(ON_P, true, 0)}, 1},
		/* Fewer groups than the core type has. */
		{__LINE__, 2, {block_of(ON_E, true, 0)}, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct capture said;
		char *text;
		int status = show(record(cases[i].core_types, cases[i].vendors, cases[i].count),
				  &said, &text);

		if (status != 1 ||
		    !strstr(said.text, "damaged: metrics of other counters than its plan has"))
			fail_msg("line %d: %d, %s", cases[i].line, status, said.text);
		free(text);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(each_core_type_has_its_own_formulas_again),
		TEST(a_core_type_without_a_block_has_no_metrics),
		TEST(blocks_of_another_plan_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
