/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_read.c - files of all vendors become one table, and what is wrong costs only itself. */
#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "unit/vendor/files.h"

static struct tree tree;
static char why[CTD_VENDOR_WHY_BYTES];

static int make_tree(void **state)
{
	(void)state;
	tree_new(&tree);
	*why = 0;
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	tree_free(&tree);
	return 0;
}

static int read_all(const char *id, const char *pmu, enum ctd_vendor_format format,
		    struct ctd_vendor_table *ret_table)
{
	struct ctd_vendor_cpu cpu = cpu_of(id, pmu);

	return ctd_vendor_read(tree.root, &cpu, format, ret_table, why);
}

static const struct ctd_vendor_metric *metric_of(const struct ctd_vendor_table *table,
						 const char *name)
{
	int metric = ctd_vendor_find_metric(table, name);

	if (metric < 0)
		fail_msg("no metric %s", name);
	return &table->metrics[metric];
}

static void assert_event(const struct ctd_vendor_table *table, const char *name, uint64_t config,
			 uint64_t config1)
{
	const struct ctd_vendor_event *event = ctd_vendor_find_event(table, name);

	if (!event || event->config != config || event->config1 != config1)
		fail_msg("%s: %#llx %#llx", name, event ? (unsigned long long)event->config : 0,
			 event ? (unsigned long long)event->config1 : 0);
}

static void assert_note(const struct ctd_vendor_table *table, const char *file, const char *text)
{
	for (size_t i = 0; i < table->notes_count; i++)
		if (strstr(table->notes[i].file, file) && strstr(table->notes[i].reason, text))
			return;
	for (size_t i = 0; i < table->notes_count; i++)
		print_message("%s: %s: %s\n", table->notes[i].file, table->notes[i].entry,
			      table->notes[i].reason);
	fail_msg("no note '%s' of %s", text, file);
}

static void perfs_files_have_events_and_metrics(void **state)
{
	struct ctd_vendor_table table;
	const struct ctd_vendor_event *event;
	const struct ctd_vendor_metric *metric;

	(void)state;
	put_perf(&tree);
	assert_int_equal(read_all(INTEL_ID, "", CTD_VENDOR_FORMATS, &table), 0);
	assert_int_equal(table.format, CTD_VENDOR_PERF);
	assert_int_equal(table.general_counters, 8);
	assert_int_equal(table.notes_count, 0);
	assert_event(&table, "cpu_clk_unhalted.thread", 0x3c, 0);
	assert_event(&table, "MEM.STALLS", 0x140014a3, 0);
	assert_event(&table, "OCR.READ", 0x12a, 0x3f803c0001);
	event = ctd_vendor_find_event(&table, "MEM.STALLS");
	assert_int_equal(event->counters, 0xf);
	assert_true(event->taken_alone);
	assert_true(ctd_vendor_find_event(&table, "OCR.READ")->offcore);
	assert_string_equal(ctd_vendor_find_event(&table, "UNC_CHA_CLOCKTICKS")->pmu, "CHA");
	assert_true(ctd_vendor_find_event(&table, "MEM.L3")->latency == 57.5);
	metric = metric_of(&table, "TMA_MEMORY_BOUND");
	assert_int_equal(metric->level, 2);
	assert_string_equal(table.metrics[metric->parent].name, "tma_backend_bound");
	assert_string_equal(metric->sample_with, "MEM.L3, MEM.STALLS");
	metric = metric_of(&table, "tma_backend_bound");
	assert_true(metric->scale == 100);
	assert_string_equal(metric->unit, "%");
	assert_string_equal(metric->no_group, "TopdownL1");
	assert_string_equal(metric->show_events, "1");
	ctd_vendor_table_free(&table);
}

static void perfmons_letters_become_names(void **state)
{
	struct ctd_vendor_table table;
	const struct ctd_vendor_metric *metric;

	(void)state;
	put_perfmon(&tree);
	assert_int_equal(read_all(INTEL_ID, "", CTD_VENDOR_FORMATS, &table), 0);
	assert_int_equal(table.format, CTD_VENDOR_PERFMON);
	assert_int_equal(table.notes_count, 0);
	assert_event(&table, "CPU_CLK_UNHALTED.THREAD", 0x3c, 0);
	assert_event(&table, "MEM.EXTENDED", 0x40000840724, 0);
	assert_event(&table, "FRONTEND.LATE", 0x3c6, 0x600406);
	assert_event(&table, "TOPDOWN.SLOTS", 0x400, 0);
	assert_int_equal(ctd_vendor_find_event(&table, "TOPDOWN.SLOTS")->fixed_counter, 3);
	assert_true(ctd_vendor_find_event(&table, "MEM.L3")->latency == 5.5);
	metric = metric_of(&table, "Backend_Bound");
	assert_string_equal(metric->expression,
			    "100 * ( MEM.STALLS:c16 / TOPDOWN.SLOTS:perf_metrics if "
			    "#HYPERTHREADING_ON else MEM.STALLS:c16 )");
	assert_string_equal(metric->threshold, "Backend_Bound > 20");
	assert_string_equal(metric->groups, "TmaL1;TMA");
	metric = metric_of(&table, "4K_Part");
	assert_int_equal(metric->level, 2);
	assert_string_equal(table.metrics[metric->parent].name, "Backend_Bound");
	assert_string_equal(metric->sample_with, "MEM.L3, MEM.STALLS");
	assert_string_equal(metric->threshold,
			    "(0.01 * \\4K_Part) > 0.05 & (0.01 * Backend_Bound) > 0.2");
	ctd_vendor_table_free(&table);
}

static void arms_file_is_the_newest_that_is_not_newer_than_the_core(void **state)
{
	static const struct {
		const char *id;
		int slots;
	} cases[] = {{"0x00000000410fd4f0", 8},
		     {"0x00000000410fd4f1", 9},
		     {"0x00000000410fd4f2", 10},
		     {"0x00000000411fd4f7", 10}};

	(void)state;
	put_arm(&tree);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_vendor_table table;
		const struct ctd_vendor_metric *metric;

		assert_int_equal(read_all(cases[i].id, "", CTD_VENDOR_FORMATS, &table), 0);
		assert_int_equal(table.format, CTD_VENDOR_ARM);
		assert_int_equal((int)table.slots, cases[i].slots);
		assert_event(&table, "STALL_SLOT", 0x3f, 0);
		metric = metric_of(&table, "bound");
		assert_string_equal(metric->groups, "Topdown_L1");
		assert_int_equal(metric->level, 1);
		assert_string_equal(metric->next, "MPKI;Miss_Ratio");
		assert_string_equal(metric->sample_with, "STALL_SLOT");
		/* And the events that Linux has of it. */
		assert_event(&table, "OWN", 0x8123, 0);
		assert_true(ctd_vendor_find_event(&table, "INST_RETIRED")->of_architecture);
		assert_false(ctd_vendor_find_event(&table, "CPU_CYCLES")->of_architecture);
		assert_note(&table, "all.json", "1 entries refer to the lists of all Arm cores");
		ctd_vendor_table_free(&table);
	}
}

/* Each mention of a metric must not take memory. */
static void a_metric_has_each_of_its_groups_once_and_not_too_many(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	struct ctd_vendor_table table;
	const char *groups;

	(void)state;
	ctd_strbuf_add(
		&text,
		"{\"product_configuration\": {\"implementer\": \"0x41\", \"part_num\": \"0xd4f\","
		" \"major_revision\": \"0\", \"minor_revision\": \"0\"},"
		" \"events\": {\"A\": {\"code\": \"0x11\"}},"
		" \"metrics\": {\"m\": {\"formula\": \"A\"}}, \"groups\": {\"metrics\": {"
		" \"Long\": {\"metrics\": [\"m\", \"m\"]}, \"Lo\": {\"metrics\": [\"m\"]},"
		" \"ng\": {\"metrics\": [\"m\"]}, \"Long\": {\"metrics\": [\"m\"]}");
	for (int i = 0; i < 1000; i++)
		ctd_strbuf_addf(&text, ", \"G%d\": {\"metrics\": [\"m\", \"none\"]}", i);
	ctd_strbuf_add(&text, "}}}");
	put(&tree, "/arm/data/core-r0p0.json", text.text);
	assert_int_equal(read_all("0x00000000410fd4f0", "", CTD_VENDOR_FORMATS, &table), 0);
	groups = metric_of(&table, "m")->groups;
	assert_memory_equal(groups, "Long;Lo;ng;G0;G1;", strlen("Long;Lo;ng;G0;G1;"));
	assert_in_range(strlen(groups), 1000, 1024);
	/* Of what is no metric, as much as there is room for is told. */
	assert_int_equal(table.notes_count + table.notes_lost, 1000);
	ctd_vendor_table_free(&table);
}

static void each_core_type_has_its_own_file(void **state)
{
	struct ctd_vendor_table table;

	(void)state;
	put_perfmon(&tree);
	assert_int_equal(read_all("GenuineIntel-6-97-2", "cpu_atom", CTD_VENDOR_FORMATS, &table),
			 0);
	assert_event(&table, "E", 1, 0);
	assert_int_equal(table.metrics_count, 0);
	ctd_vendor_table_free(&table);
	assert_int_equal(read_all("GenuineIntel-6-97-2", "cpu_core", CTD_VENDOR_FORMATS, &table),
			 0);
	assert_event(&table, "E", 2, 0);
	ctd_vendor_table_free(&table);
}

static void events_of_one_vendor_serve_metrics_of_another(void **state)
{
	struct ctd_vendor_table table;

	(void)state;
	put_perf(&tree);
	put_perfmon(&tree);
	assert_int_equal(read_all(INTEL_ID, "", CTD_VENDOR_FORMATS, &table), 0);
	assert_int_equal(table.format, CTD_VENDOR_PERF);
	assert_non_null(ctd_vendor_find_event(&table, "MEM.EXTENDED"));
	assert_int_equal(ctd_vendor_find_metric(&table, "Backend_Bound"), -1);
	assert_int_equal(table.notes_count, 0);
	ctd_vendor_table_free(&table);
	assert_int_equal(read_all(INTEL_ID, "", CTD_VENDOR_PERFMON, &table), 0);
	assert_int_equal(ctd_vendor_find_metric(&table, "tma_backend_bound"), -1);
	assert_true(ctd_vendor_find_metric(&table, "Backend_Bound") >= 0);
	ctd_vendor_table_free(&table);
}

static void what_is_wrong_is_named_and_the_rest_stays(void **state)
{
	struct ctd_vendor_table table;

	(void)state;
	put_perf(&tree);
	put(&tree, "/linux/x86/rapid/a_broken.json",
	    "[{\"EventName\": \"GOOD\", \"EventCode\": \"0x1\"},"
	    " {\"EventName\": \"BAD\", \"EventCode\": \"x1\"},"
	    " {\"EventName\": \"LARGE\", \"EventCode\": \"0x1\", \"CounterMask\": \"256\"},"
	    " {\"EventName\": \"ODD\", \"EventCode\": \"0x1\", \"MSRIndex\": \"0x1AA\"},"
	    " {\"EventName\": \"MEM.STALLS\", \"EventCode\": \"0x7\"},"
	    " {\"Neither\": 1}, 7, {\"EventName\": \"LAST\", \"EventCode\": \"0x2\"}, {\"Even");
	put(&tree, "/linux/x86/rapid/zz_twice.json",
	    "[{\"MetricName\": \"tma_clks\", \"MetricExpr\": \"1\"}] more");
	assert_int_equal(read_all(INTEL_ID, "", CTD_VENDOR_FORMATS, &table), 0);
	assert_event(&table, "GOOD", 1, 0);
	assert_event(&table, "LAST", 2, 0);
	assert_event(&table, "MEM.STALLS", 7, 0);
	assert_non_null(ctd_vendor_find_event(&table, "BAD")->lack);
	assert_note(&table, "a_broken.json", "no number");
	assert_note(&table, "a_broken.json", "too large");
	assert_note(&table, "a_broken.json", "register that the kernel does not give");
	assert_note(&table, "a_broken.json", "neither an event nor a metric");
	assert_note(&table, "a_broken.json", "after 8 entries it is no JSON any more");
	assert_note(&table, "events.json", "twice, with other codes");
	assert_note(&table, "zz_twice.json", "the metric is there twice");
	assert_note(&table, "zz_twice.json", "something follows its end");
	assert_string_equal(metric_of(&table, "tma_clks")->expression, "CPU_CLK_UNHALTED.THREAD");
	ctd_vendor_table_free(&table);
}

static void other_schemas_and_missing_files_are_named(void **state)
{
	struct ctd_vendor_table table;
	char path[128];

	(void)state;
	put_perfmon(&tree);
	put(&tree, "/perfmon/RPD/metrics/rapid_metrics.json", "{\"version\": 2, \"rows\": [1]}");
	snprintf(path, sizeof(path), "%s/perfmon/RPD/metrics/latency.json", tree.root);
	assert_int_equal(remove(path), 0);
	assert_int_equal(read_all(INTEL_ID, "", CTD_VENDOR_FORMATS, &table), 0);
	assert_int_equal(table.format, CTD_VENDOR_FORMATS);
	assert_note(&table, "rapid_metrics.json", "a file of another schema");
	assert_note(&table, "latency.json", "No such file");
	assert_event(&table, "MEM.L3", 0x4d1, 0);
	ctd_vendor_table_free(&table);
}

static void a_file_that_is_too_large_is_left_out(void **state)
{
	struct ctd_vendor_table table;
	char path[128];

	(void)state;
	put_perf(&tree);
	snprintf(path, sizeof(path), "%s/linux/x86/rapid/large.json", tree.root);
	put(&tree, "/linux/x86/rapid/large.json", "[");
	/* It has no blocks, but is as long. */
	assert_int_equal(truncate(path, 100 << 20), 0);
	assert_int_equal(read_all(INTEL_ID, "", CTD_VENDOR_FORMATS, &table), 0);
	assert_note(&table, "large.json", "more than 16 MB");
	assert_int_equal(table.metrics_count, 4);
	ctd_vendor_table_free(&table);
}

static void files_of_others_and_no_files_are_told_apart(void **state)
{
	struct ctd_vendor_table table;
	struct ctd_vendor_cpu cpu = cpu_of(INTEL_ID, "");

	(void)state;
	assert_int_equal(read_all(INTEL_ID, "", CTD_VENDOR_FORMATS, &table), -ENOENT);
	assert_non_null(strstr(why, "no file by which vendors tell processors"));
	put_perf(&tree);
	assert_int_equal(read_all("AuthenticAMD-25-11-1", "", CTD_VENDOR_FORMATS, &table), -ENOENT);
	assert_non_null(strstr(why, "none is of AuthenticAMD-25-11-1"));
	assert_int_equal(ctd_vendor_read("/nowhere", &cpu, CTD_VENDOR_FORMATS, &table, why),
			 -ENOENT);
	assert_string_equal(why, "No such file or directory");
	assert_int_equal(ctd_vendor_read("/dev/null", &cpu, CTD_VENDOR_FORMATS, &table, why),
			 -ENOTDIR);
}

static void circles_of_folders_and_parts_end(void **state)
{
	struct ctd_vendor_table table;
	char path[128];

	(void)state;
	put_perf(&tree);
	snprintf(path, sizeof(path), "%s/linux/loop", tree.root);
	assert_int_equal(symlink("..", path), 0);
	put(&tree, "/linux/x86/rapid/parts.json",
	    "[{\"MetricName\": \"a\", \"MetricExpr\": \"1\", \"MetricGroup\": \"b_group\"},"
	    " {\"MetricName\": \"b\", \"MetricExpr\": \"1\", \"MetricGroup\": \"a_group\"}]");
	assert_int_equal(read_all(INTEL_ID, "", CTD_VENDOR_FORMATS, &table), 0);
	assert_note(&table, "parts.json", "a part of itself");
	assert_int_equal(metric_of(&table, "a")->parent, -1);
	ctd_vendor_table_free(&table);
}

int main(void)
{
#define WITH_TREE(test) cmocka_unit_test_setup_teardown(test, make_tree, remove_tree)
	const struct CMUnitTest tests[] = {
		WITH_TREE(perfs_files_have_events_and_metrics),
		WITH_TREE(perfmons_letters_become_names),
		WITH_TREE(arms_file_is_the_newest_that_is_not_newer_than_the_core),
		WITH_TREE(a_metric_has_each_of_its_groups_once_and_not_too_many),
		WITH_TREE(each_core_type_has_its_own_file),
		WITH_TREE(events_of_one_vendor_serve_metrics_of_another),
		WITH_TREE(what_is_wrong_is_named_and_the_rest_stays),
		WITH_TREE(other_schemas_and_missing_files_are_named),
		WITH_TREE(a_file_that_is_too_large_is_left_out),
		WITH_TREE(files_of_others_and_no_files_are_told_apart),
		WITH_TREE(circles_of_folders_and_parts_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
