/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_vendor_core.c - of recorded machines with several core types each counts what its files
 * have. */
#include <errno.h>

#include "app/options/options.h"
#include "app/vendor_count.h"
#include "base/root.h"
#include "base/strbuf.h"
#include "unit/pmu/capture.h"
#include "unit/vendor/files.h"

static struct tree tree;
static struct ctd_vendor_count_run run;
static struct capture said;

/* Formulas of one name differ; P-cores have four counters, E-cores eight. Of low-power E-cores
 * there are events, and no metrics. */
static int begin(void **state)
{
	static const char *const pmus[] = {"cpu_core", "cpu_atom", "cpu_lowpower"};
	struct ctd_strbuf text = {0};

	(void)state;
	tree_new(&tree);
	put(&tree, "/x86/mapfile.csv",
	    "Family-model,Version,Filename,EventType\n"
	    "GenuineIntel-6-(97|C5),v1,here,core\n");
	for (int i = 0; i < 3; i++)
		for (int event = 0; event < 5; event++)
			ctd_strbuf_addf(
				&text,
				"%s{\"Unit\": \"%s\", \"EventName\": \"E%d\", \"EventCode\": \"0x%x\","
				" \"Counter\": \"%s\"}",
				text.bytes ? "," : "[", pmus[i], event, 0x10 * (i + 1) + event,
				i ? "0,1,2,3,4,5,6,7" : "0,1,2,3");
	ctd_strbuf_add(&text, "]");
	put(&tree, "/x86/here/events.json", text.text);
	ctd_strbuf_free(&text);
	put(&tree, "/x86/here/metrics.json",
	    "[{\"Unit\": \"cpu_core\", \"MetricName\": \"tma_bound\", \"MetricGroup\": \"TopdownL1\","
	    "  \"MetricExpr\": \"(cpu_core@E0@ + E1 + E2) / cpu_core@E3@\"},"
	    " {\"Unit\": \"cpu_core\", \"MetricName\": \"tma_memory\", \"MetricExpr\": \"E4 / E3\","
	    "  \"MetricGroup\": \"TopdownL2;tma_bound_group\"},"
	    " {\"Unit\": \"cpu_core\", \"MetricName\": \"of_p\", \"MetricExpr\": \"E1 / E3\"},"
	    " {\"Unit\": \"cpu_atom\", \"MetricName\": \"tma_bound\", \"MetricGroup\": \"TopdownL1\","
	    "  \"MetricExpr\": \"cpu_atom@E0@ / (5 * cpu_atom@E3@)\"},"
	    " {\"Unit\": \"cpu_atom\", \"MetricName\": \"of_e\", \"MetricExpr\": \"E1 / E3\"}]");
	return 0;
}

static int end(void **state)
{
	(void)state;
	ctd_vendor_count_free(&run);
	tree_free(&tree);
	return 0;
}

/* Clocks in the place of events: nothing here counts. */
static int count_on(const char *machine, const char *metrics, int level)
{
	const struct ctd_options options = {
		.metrics_dir = tree.root, .metrics = metrics, .level = level, .source = "software"};
	int r;

	ctd_vendor_count_free(&run);
	ctd_root_set(machine);
	capture_begin(&said);
	r = ctd_vendor_count_begin(&options, &run);
	capture_end(&said);
	ctd_root_set(NULL);
	return r;
}

static const struct ctd_event *event_of(int type, const char *name)
{
	const struct ctd_rotation *rotation = run.rotations.of[type];

	for (int i = 0; rotation && i < rotation->groups_count * rotation->events_count; i++)
		if (strcmp(rotation->events[i].name, name) == 0)
			return &rotation->events[i];
	return NULL;
}

static void each_core_type_has_its_own_metrics_events_and_groups(void **state)
{
	const struct ctd_rotation *p, *e;

	(void)state;
	assert_int_equal(count_on("tests/machines/alder_lake", NULL, 2), 0);
	assert_string_equal(said.text, "");
	assert_int_equal(run.countings.core_types_count, 2);
	assert_int_equal(run.rotations.core_types_count, 2);
	assert_int_equal(run.countings.columns_count, 2);
	assert_int_equal(run.countings.of[0]->metrics_count, 2);
	assert_int_equal(run.countings.of[1]->metrics_count, 1);
	p = run.rotations.of[0];
	e = run.rotations.of[1];
	assert_ptr_equal(p, &run.countings.of[0]->rotation);
	assert_int_equal(p->groups_count, 2);
	assert_int_equal(e->groups_count, 1);
	/* Maps have one layout: what the other has more is filled up. */
	assert_int_equal(p->events_count, e->events_count);
	assert_true(p->events_count > 3);
	assert_string_equal(e->events[e->events_count - 1].name, "");
	/* Recorded each by itself. */
	assert_true(run.core_types[0].block.bytes && run.core_types[1].block.bytes);
}

static void events_of_one_name_have_each_core_types_code(void **state)
{
	(void)state;
	assert_int_equal(count_on("tests/machines/alder_lake", "tma_bound", 0), 0);
	assert_int_equal(ctd_vendor_find_event(run.countings.of[0]->table, "E0")->config, 0x10);
	assert_int_equal(ctd_vendor_find_event(run.countings.of[1]->table, "E0")->config, 0x20);
	assert_non_null(event_of(0, "E1"));
	assert_null(event_of(1, "E1"));
}

static void a_core_type_without_what_is_asked_for_goes_without(void **state)
{
	static const struct {
		int line;
		const char *metrics, *why[2]; /* NULL: it counts */
	} cases[] = {
		{__LINE__, "tma_bound", {NULL, NULL}},
		{__LINE__, "of_p,of_e", {NULL, NULL}},
		{__LINE__, "of_p", {NULL, "there is no metric or group 'of_p'"}},
		{__LINE__, "of_e", {"there is no metric or group 'of_e'", NULL}},
		{__LINE__, "TopdownL2", {NULL, "there is no metric or group 'TopdownL2'"}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (count_on("tests/machines/alder_lake", cases[i].metrics, 0))
			fail_msg("line %d: %s", cases[i].line, said.text);
		for (int type = 0; type < 2; type++) {
			assert_int_equal(!run.rotations.of[type], !!cases[i].why[type]);
			assert_int_equal(!run.countings.of[type], !!cases[i].why[type]);
			if (cases[i].why[type])
				assert_string_equal(run.rotations.why[type], cases[i].why[type]);
		}
	}
}

static void a_core_type_without_metrics_says_so(void **state)
{
	(void)state;
	assert_int_equal(count_on("tests/machines/arrow_lake_h", NULL, 1), 0);
	assert_int_equal(run.countings.core_types_count, 3);
	assert_non_null(run.countings.of[0]);
	assert_non_null(run.countings.of[1]);
	assert_null(run.countings.of[2]);
	assert_string_equal(
		run.rotations.why[2],
		"its files have 5 events of GenuineIntel-6-C5-2, PMU cpu_lowpower, and no metrics");
}

static void what_no_core_type_has_is_refused(void **state)
{
	static const struct {
		int line;
		const char *machine, *metrics, *want;
	} cases[] = {
		{__LINE__, "alder_lake", "tma_bound,nothing",
		 "there is no metric or group 'nothing'"},
		{__LINE__, "alder_lake", "nothing", "there is no metric or group 'nothing'"},
		{__LINE__, "zen4", NULL, "its files are of other processors"},
		{__LINE__, "sapphire_rapids", NULL, "its files are of other processors"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char machine[64];

		snprintf(machine, sizeof(machine), "tests/machines/%s", cases[i].machine);
		if (count_on(machine, cases[i].metrics, 0) != -ENOENT ||
		    !strstr(said.text, cases[i].want))
			fail_msg("line %d: %s", cases[i].line, said.text);
		assert_int_equal(run.countings.core_types_count, 0);
	}
}

/* Of which names are none. */
static void where_nothing_counts_each_core_type_says_why(void **state)
{
	static const char *const cores[] = {"P-core", "E-core"};
	struct ctd_options options = {
		.metrics_dir = "/nonexistent/files", .metrics = "tma_bound", .source = "software"};
	char want[128];

	(void)state;
	ctd_root_set("tests/machines/alder_lake");
	capture_begin(&said);
	assert_int_equal(ctd_vendor_count_begin(&options, &run), -ENOENT);
	capture_end(&said);
	ctd_root_set(NULL);
	for (int i = 0; i < 2; i++) {
		snprintf(want, sizeof(want),
			 "--metrics-dir /nonexistent/files: %s: No such file or directory\n",
			 cores[i]);
		if (!strstr(said.text, want))
			fail_msg("%s", said.text);
	}
	assert_null(strstr(said.text, "there is no metric"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(each_core_type_has_its_own_metrics_events_and_groups),
		TEST(events_of_one_name_have_each_core_types_code),
		TEST(a_core_type_without_what_is_asked_for_goes_without),
		TEST(a_core_type_without_metrics_says_so),
		TEST(what_no_core_type_has_is_refused),
		TEST(where_nothing_counts_each_core_type_says_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
