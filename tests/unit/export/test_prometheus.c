/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_prometheus.c - both texts, byte by byte and by what must hold of any of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "export/families.h"
#include "golden.h"
#include "unit/export/sample_view.h"
#include "unit/rollup/hybrid.h"

/* The text of the view with a NUL, the caller's. */
static char *text_of(enum ctd_exposition exposition, const struct book *book,
		     const struct ctd_self *self)
{
	struct ctd_strbuf text = {0};

	assert_int_equal(ctd_export_metrics(exposition, book->view, self, &text), 0);
	ctd_strbuf_add_bytes(&text, "", 1);
	assert_false(text.failed);
	return text.text;
}

static void compare(const char *golden, enum ctd_exposition exposition, const struct book *book,
		    const struct ctd_self *self)
{
	char *text = text_of(exposition, book, self);

	golden_compare(golden, text);
	free(text);
}

static void the_text_of_prometheus_is_as_agreed(void **state)
{
	struct book book;

	(void)state;
	sample_fill(&book);
	compare("metrics.prom", CTD_PROMETHEUS_TEXT, &book, &sample_self);
	book_close(&book);
}

static void the_text_of_openmetrics_is_as_agreed(void **state)
{
	struct book book;

	(void)state;
	sample_fill(&book);
	compare("metrics.openmetrics", CTD_OPENMETRICS_TEXT, &book, &sample_self);
	book_close(&book);
}

/* Two lines a row fewer, and no other line differs. */
static void the_times_of_creation_can_be_left_out(void **state)
{
	struct ctd_self self = sample_self;
	struct book book;
	char *with, *without, *line, *rest;

	(void)state;
	sample_fill(&book);
	with = text_of(CTD_OPENMETRICS_TEXT, &book, &self);
	self.no_created = true;
	without = text_of(CTD_OPENMETRICS_TEXT, &book, &self);
	assert_non_null(strstr(with, "cgtopdown_cpu_seconds_created{"));
	assert_null(strstr(without, "_created"));
	rest = without;
	for (line = strtok(with, "\n"); line; line = strtok(NULL, "\n")) {
		if (strstr(line, "_created{"))
			continue;
		assert_memory_equal(rest, line, strlen(line));
		rest += strlen(line) + 1;
	}
	assert_int_equal(*rest, '\0');
	free(with);
	free(without);
	book_close(&book);
}

/* Its totals stand still, which nobody is to take for nothing. */
static void what_is_given_up_for_the_budget_has_no_series(void **state)
{
	struct ctd_waits waits = {.ns = {[CTD_WAIT_OTHER] = 5000}, .histogram = {[5] = 1}};
	static const struct {
		enum ctd_budget_part part;
		const char *series;
	} cases[] = {
		{CTD_BUDGET_WAITS, "\ncgtopdown_wait_seconds_total{"},
		{CTD_BUDGET_WAITS, "\ncgtopdown_waits_total{"},
		{CTD_BUDGET_WAITS, "\ncgtopdown_preemptions_total{"},
		{CTD_BUDGET_WAITS, "\ncgtopdown_smt_seconds_total{"},
		{CTD_BUDGET_WAITS, "\ncgtopdown_smt_slots_total{"},
		{CTD_BUDGET_GENERAL, "\ncgtopdown_cycles_total{"},
		{CTD_BUDGET_GENERAL, "\ncgtopdown_cache_misses_total{"},
		{CTD_BUDGET_GENERAL, "\ncgtopdown_general_running_seconds_total{"},
		{CTD_BUDGET_LEVEL, "\ncgtopdown_l2_slots_total{"},
	};
	struct ctd_ledger_view view;
	struct book book;

	(void)state;
	sample_fill(&book);
	book_run_cgroup(&book, &sample_web, 10)->part.waits = &waits;
	book.lines[0]->part.ipc = (struct ctd_ipc_counts){4, {4001, 5001, 61, 71}, 375000000};
	book_add(&book);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		for (int given_up = 0; given_up < 2; given_up++) {
			auto_ctd_strbuf struct ctd_strbuf text = {0};

			view = *book.view;
			view.health.budget = sample_budget;
			view.health.budget.given_up = (uint64_t)given_up << cases[i].part;
			assert_int_equal(ctd_export_metrics(CTD_PROMETHEUS_TEXT, &view,
							    &sample_self, &text),
					 0);
			if ((strstr(text.text, cases[i].series) == NULL) != given_up)
				fail_msg("%s, given up: %d", cases[i].series, given_up);
		}
	}
	book_close(&book);
}

static void without_a_budget_there_is_nothing_of_it(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	struct ctd_ledger_view view;
	struct book book;

	(void)state;
	sample_fill(&book);
	view = *book.view;
	view.health.budget.capacity_ns = 0;
	assert_int_equal(ctd_export_metrics(CTD_PROMETHEUS_TEXT, &view, &sample_self, &text), 0);
	assert_non_null(strstr(text.text, "\ncgtopdown_budget_limit_ratio 0.005\n"));
	assert_null(strstr(text.text, "\ncgtopdown_budget_cost_ratio "));
	ctd_strbuf_free(&text);
	view.health.budget = (struct ctd_budget_state){0};
	assert_int_equal(ctd_export_metrics(CTD_PROMETHEUS_TEXT, &view, &sample_self, &text), 0);
	assert_null(strstr(text.text, "\ncgtopdown_budget"));
	book_close(&book);
}

/* What left the rows stays in the sum, as time and as slots. */
static void what_ended_and_was_fetched_is_in_the_sums(void **state)
{
	struct ctd_identity identity = {
		.cgroup_id = 5, .path = (char *)"/a", .names_settled = true};
	struct book book;
	char *text;

	(void)state;
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 100});
	book_run_cgroup(&book, &identity, 10);
	book_add(&book);
	identity.removed = true;
	book_run_cgroup(&book, &identity, 10);
	book_add(&book);
	for (int i = 0; i < 3; i++) {
		ctd_ledger_acknowledge(book.ledger, book.view->sequence);
		book_add(&book);
	}
	text = text_of(CTD_PROMETHEUS_TEXT, &book, &sample_self);
	assert_null(strstr(text, "cgtopdown_cpu_seconds_total{"));
	assert_non_null(strstr(text, "\ncgtopdown_ended_cpu_seconds_total 0.02\n"));
	free(text);
	book_close(&book);
}

/* A container on both kinds of cores that have counters, and what else runs there. */
static void the_text_of_a_machine_with_several_kinds_of_cores_is_as_agreed(void **state)
{
	static const struct ctd_self self = {.version = "0.1.0"};
	struct book book;
	struct scene scene;
	struct ctd_rollup rollup;

	(void)state;
	hybrid_begin(&scene);
	scene.rollup_options.by = CTD_GROUP_CONTAINER;
	scene.interval.health.l1_sum_over_slots = (struct ctd_value){1, CTD_OK};
	scene_name(&scene, 6, SCENE_POD "/" SCENE_ID_A);
	scene_describe(&scene, 6, "shop", "cart-0", "web");
	hybrid_run(&scene, CTD_ROW_CGROUP, 6, HYBRID_P, 10);
	hybrid_run(&scene, CTD_ROW_CGROUP, 6, HYBRID_E, 20);
	rollup = scene_rollup(&scene);
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 100});
	assert_int_equal(ctd_ledger_add(book.ledger, &rollup), 0);
	ctd_rollup_free(&rollup);
	assert_int_equal(ctd_ledger_view(book.ledger, &book.view), 0);
	compare("metrics-hybrid.prom", CTD_PROMETHEUS_TEXT, &book, &self);
	book_close(&book);
	scene_end(&scene);
}

static void run_ipc(struct book *book, const struct ctd_identity *identity, int known,
		    uint64_t instructions)
{
	struct book_line *row = book_row(book, CTD_ROLLUP_CONTAINER);

	row->row.identity = identity;
	row->row.cgroup_id = identity->cgroup_id;
	row->part.cpu_ns = SECOND_NS / 2;
	row->part.ipc = (struct ctd_ipc_counts){.known = known,
						.count = {300000000, instructions, 40000,
							  known > 3 ? 5000 : 0},
						.counted_ns = 100000000};
}

/* Ratios of totals are those of the time that was counted, however little that is. */
static void ipc_counts_come_with_the_time_that_they_are_of(void **state)
{
	static const char *const wanted[] = {
		"cgtopdown_cycles_total{WEB} 600000000\n",
		"cgtopdown_instructions_total{WEB} 1000000000\n",
		"cgtopdown_branch_misses_total{WEB} 80000\n",
		"cgtopdown_cache_misses_total{WEB,cache=\"l2\"} 10000\n",
		"cgtopdown_general_running_seconds_total{WEB} 0.2\n",
		"cgtopdown_cpu_seconds_total{WEB} 1.5\n",
	};
	static const char web[] =
		"kind=\"container\",namespace=\"shop\",pod=\"cart-0\",container=\"web\"";
	struct book book;
	char *text, *found;

	(void)state;
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 100});
	book_use_model(&book, ctd_cpu_model_find("zen4"));
	run_ipc(&book, &sample_web, 4, 400000000);
	run_ipc(&book, &sample_hostile, 2, 1);
	book_add(&book);
	/* In this interval its counters did not count. */
	run_ipc(&book, &sample_web, 0, 0);
	book.lines[0]->part.ipc = (struct ctd_ipc_counts){0};
	book_add(&book);
	run_ipc(&book, &sample_web, 4, 600000000);
	book_add(&book);
	text = text_of(CTD_PROMETHEUS_TEXT, &book, &sample_self);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		const char *name_end = strstr(wanted[i], "WEB");
		char line[256];

		snprintf(line, sizeof(line), "%.*s%s%s", (int)(name_end - wanted[i]), wanted[i],
			 web, name_end + 3);
		if (!strstr(text, line))
			fail_msg("'%s' is not in:\n%s", line, text);
	}
	/* Who has the first two counts alone has no misses, and not none. */
	found = strstr(text, "cgtopdown_branch_misses_total{");
	assert_non_null(found);
	assert_null(strstr(found + 1, "cgtopdown_branch_misses_total{"));
	free(text);
	book_close(&book);
}

/* Accounts of core types stand side by side, each with nodes of its own. */
static void each_account_has_the_nodes_of_its_own_model(void **state)
{
	static const struct ctd_node nodes[2][2] = {
		{{.name = "one", .level = 1}, {.name = "two", .level = 2}},
		{{.name = "three", .level = 2}, {.name = "four", .level = 1}},
	};
	static const uint64_t slots[4][2] = {{10, 20}, {11, 21}, {12, 22}, {13, 23}};
	static const char *const categories[4] = {"one", "four", "one", "four"};
	struct ctd_account accounts[4];
	struct ctd_ledger_view view;
	struct book book;
	char *text;

	(void)state;
	sample_fill(&book);
	for (size_t i = 0; i < 4; i++) {
		accounts[i] = (struct ctd_account){.who = book.view->accounts[i].who,
						   .core_type = (int)i % 2,
						   .slots_known = true,
						   .node_slots_known = i < 3 ? 3 : 1,
						   .node_slots = slots[i]};
	}
	view = *book.view;
	view.core_types_count = 2;
	for (int i = 0; i < 2; i++) {
		memcpy(view.core_types[i].nodes, nodes[i], sizeof(nodes[i]));
		view.core_types[i].nodes_count = 2;
	}
	view.accounts = accounts;
	view.accounts_count = 4;
	struct book shown = {.view = &view};

	text = text_of(CTD_PROMETHEUS_TEXT, &shown, &sample_self);
	for (size_t i = 0; i < 4; i++) {
		char line[512];

		snprintf(line, sizeof(line), "%s,category=\"%s\"} %zu\n",
			 strchr(accounts[i].who->key_text, ','), categories[i],
			 (i % 2 ? 20 : 10) + i);
		/* The last one's is not known. */
		assert_true(!strstr(text, line) == (i == 3));
	}
	free(text);
	book_close(&book);
}

/* Prometheus gives a label that a sample does not have the value of the target's. */
static void each_row_has_the_labels_of_a_pod_be_they_empty(void **state)
{
	static const char *const labels[] = {"namespace=\"", "pod=\"", "container=\""};
	struct book book;
	int rows = 0;
	char *text;

	(void)state;
	sample_fill(&book);
	text = text_of(CTD_OPENMETRICS_TEXT, &book, &sample_self);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		if (!strstr(line, "{kind=\""))
			continue;
		rows++;
		for (size_t i = 0; i < 3; i++) {
			const char *label = strstr(line, labels[i]);

			assert_non_null(label);
			assert_null(strstr(label + 1, labels[i]));
		}
	}
	assert_true(rows > 20);
	free(text);
	book_close(&book);
}

/* Anybody may name cgroups so that their ids begin alike. */
static void containers_without_names_have_a_series_each(void **state)
{
	enum { COUNT = 150 };
	static const char series[] = "\ncgtopdown_cpu_seconds_total{kind=\"container\"";
	struct ctd_identity identities[COUNT] = {{0}};
	char paths[COUNT][32], lines[COUNT][256], *text;
	struct book book;
	int count = 0;

	(void)state;
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 2000});
	for (int i = 0; i < COUNT; i++) {
		snprintf(paths[i], sizeof(paths[i]), "/kubepods/%d", i);
		identities[i] = (struct ctd_identity){
			.cgroup_id = (uint64_t)i + 5, .path = paths[i], .names_settled = true};
		snprintf(identities[i].container_id, sizeof(identities[i].container_id),
			 "aaaaaaaaaaaa%052d", i);
		book_run_cgroup(&book, &identities[i], 1);
	}
	book_add(&book);
	text = text_of(CTD_PROMETHEUS_TEXT, &book, &sample_self);
	for (const char *at = text; (at = strstr(at, series)); at++, count++) {
		assert_in_range(count, 0, COUNT - 1);
		snprintf(lines[count], sizeof(lines[count]), "%.*s", (int)strcspn(at + 1, "}"),
			 at + 1);
		for (int i = 0; i < count; i++)
			assert_string_not_equal(lines[i], lines[count]);
	}
	assert_int_equal(count, COUNT);
	free(text);
	book_close(&book);
}

static void what_is_not_known_is_left_out(void **state)
{
	static const struct ctd_self self = {.version = "0.1.0"};
	struct book book;

	(void)state;
	sample_fill_none(&book);
	compare("metrics-none.prom", CTD_PROMETHEUS_TEXT, &book, &self);
	book_close(&book);
}

static void a_view_without_accounts_is_a_text_too(void **state)
{
	static const struct ctd_self self = {.version = "0.1.0"};
	struct book book;
	char *text;

	(void)state;
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 1});
	assert_int_equal(ctd_ledger_view(book.ledger, &book.view), 0);
	text = text_of(CTD_OPENMETRICS_TEXT, &book, &self);
	assert_null(strstr(text, "cgtopdown_slots"));
	assert_string_equal(text + strlen(text) - 6, "# EOF\n");
	free(text);
	book_close(&book);
}

static void a_text_that_ran_out_of_memory_is_none(void **state)
{
	struct ctd_strbuf text = {.failed = true};
	struct book book;

	(void)state;
	sample_fill(&book);
	assert_int_equal(ctd_export_metrics(CTD_PROMETHEUS_TEXT, book.view, &sample_self, &text),
			 -ENOMEM);
	assert_int_equal(text.bytes, 0);
	ctd_strbuf_free(&text);
	ctd_strbuf_free(NULL);
	book_close(&book);
}

/* No quoting is done, as none is needed. */
static void check_family(const struct family *family, void *context)
{
	size_t name = family->name ? strlen(family->name) : 0;
	size_t unit = family->unit ? strlen(family->unit) : 0;
	struct ctd_strbuf *names = context;
	char quoted[96];

	assert_true(family->name || family->otlp);
	assert_int_equal(!family->otlp, !family->otlp_unit);
	assert_null(strpbrk(family->help, "\\\"\n"));
	assert_true(family->help[strlen(family->help) - 1] == '.');
	assert_true(!family->created || family->type == FAMILY_COUNTER);
	assert_true(!family->created || family->scope == OF_ACCOUNTS);
	if (!family->name)
		return;
	assert_int_equal(strspn(family->name, "abcdefghijklmnopqrstuvwxyz_0123456789"), name);
	assert_in_range(name, 1, 64 - sizeof("_created"));
	/* OpenMetrics 1.0: a unit is the last part of the name. */
	assert_true(!unit || (name > unit + 1 && family->name[name - unit - 1] == '_' &&
			      strcmp(family->name + name - unit, family->unit) == 0));
	snprintf(quoted, sizeof(quoted), "\"%s\"", family->name);
	assert_true(!names->text || !strstr(names->text, quoted));
	ctd_strbuf_add(names, quoted);
}

static void every_family_is_fit_for_both_texts(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf names = {0};

	(void)state;
	ctd_families_each(check_family, &names);
}

/* A row of the table of the documentation, of what the program says. */
static void document(const struct family *family, void *context)
{
	struct ctd_strbuf *table = context;
	auto_ctd_strbuf struct ctd_strbuf labels = {0};

	if (!family->name)
		return;
	ctd_family_add_labels(family, &labels);
	ctd_strbuf_addf(table, "| `%s%s` | %s | %s | %s |\n", family->name,
			ctd_family_suffix(family), ctd_family_type(family),
			labels.bytes ? labels.text : "-", family->help);
}

static char *documented_table(void)
{
	struct ctd_strbuf table = {0};

	ctd_families_each(document, &table);
	assert_false(table.failed);
	return table.text;
}

static void the_documentation_has_every_family(void **state)
{
	static const char head[] = "| series | type | labels | what |\n|---|---|---|---|\n";
	char *text = NULL, *table = documented_table(), *begin, *end;
	size_t capacity = 0;
	FILE *file = fopen("docs/metrics.md", "r+");

	(void)state;
	assert_non_null(file);
	assert_true(getdelim(&text, &capacity, '\0', file) > 0);
	begin = strstr(text, head);
	assert_non_null(begin);
	begin += strlen(head);
	end = strstr(begin, "\n\n");
	assert_non_null(end);
	if (getenv("CTD_GOLDEN_UPDATE")) {
		rewind(file);
		fprintf(file, "%.*s%s%s", (int)(begin - text), text, table, end + 1);
		assert_int_equal(ftruncate(fileno(file), ftell(file)), 0);
	} else if (strncmp(begin, table, (size_t)(end + 1 - begin)) != 0 ||
		   strlen(table) != (size_t)(end + 1 - begin)) {
		fail_msg("docs/metrics.md: its table is not that of `make golden`:\n%s", table);
	}
	fclose(file);
	free(table);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_text_of_prometheus_is_as_agreed),
		cmocka_unit_test(the_text_of_openmetrics_is_as_agreed),
		cmocka_unit_test(the_text_of_a_machine_with_several_kinds_of_cores_is_as_agreed),
		cmocka_unit_test(the_times_of_creation_can_be_left_out),
		cmocka_unit_test(what_ended_and_was_fetched_is_in_the_sums),
		cmocka_unit_test(what_is_given_up_for_the_budget_has_no_series),
		cmocka_unit_test(without_a_budget_there_is_nothing_of_it),
		cmocka_unit_test(ipc_counts_come_with_the_time_that_they_are_of),
		cmocka_unit_test(each_account_has_the_nodes_of_its_own_model),
		cmocka_unit_test(each_row_has_the_labels_of_a_pod_be_they_empty),
		cmocka_unit_test(containers_without_names_have_a_series_each),
		cmocka_unit_test(what_is_not_known_is_left_out),
		cmocka_unit_test(a_view_without_accounts_is_a_text_too),
		cmocka_unit_test(a_text_that_ran_out_of_memory_is_none),
		cmocka_unit_test(every_family_is_fit_for_both_texts),
		cmocka_unit_test(the_documentation_has_every_family),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
