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
#include "unit/report/hybrid.h"

/* The text of the view with a NUL, the caller's. */
static char *text_of(enum ctd_exposition exposition, const struct book *book,
		     const struct ctd_self *self)
{
	struct ctd_export text = {0};

	assert_int_equal(ctd_export_metrics(exposition, book->view, self, &text), 0);
	ctd_export_add_bytes(&text, "", 1);
	assert_false(text.failed);
	return text.data;
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

/* A container on both kinds of cores that have counters, and what else runs there. */
static void the_text_of_a_machine_with_several_kinds_of_cores_is_as_agreed(void **state)
{
	static const struct ctd_self self = {.version = "0.1.0"};
	struct book book;
	struct scene scene;
	struct ctd_cpu_model *model;
	struct ctd_report report;

	(void)state;
	hybrid_begin(&scene);
	scene.options.by = CTD_GROUP_CONTAINER;
	scene.interval.health.l1_sum_over_slots = (struct ctd_value){1, CTD_OK};
	scene_name(&scene, 6, SCENE_POD "/" SCENE_ID_A);
	scene_describe(&scene, 6, "shop", "cart-0", "web");
	hybrid_run(&scene, CTD_ROW_CGROUP, 6, HYBRID_P, 10);
	hybrid_run(&scene, CTD_ROW_CGROUP, 6, HYBRID_E, 20);
	report = hybrid_report(&scene, &model);
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 100});
	assert_int_equal(ctd_ledger_add(book.ledger, &report), 0);
	ctd_report_free(&report);
	assert_int_equal(ctd_ledger_view(book.ledger, &book.view), 0);
	compare("metrics-hybrid.prom", CTD_PROMETHEUS_TEXT, &book, &self);
	book_close(&book);
	free(model);
	scene_end(&scene);
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
	struct ctd_export text = {.failed = true};
	struct book book;

	(void)state;
	sample_fill(&book);
	assert_int_equal(ctd_export_metrics(CTD_PROMETHEUS_TEXT, book.view, &sample_self, &text),
			 -ENOMEM);
	assert_int_equal(ctd_export_families(&text), -ENOMEM);
	assert_int_equal(text.bytes, 0);
	ctd_export_free(&text);
	ctd_export_free(NULL);
	book_close(&book);
}

/* No quoting is done, as none is needed. */
static void every_family_is_fit_for_both_texts(void **state)
{
	(void)state;
	for (size_t i = 0; i < ctd_families_count; i++) {
		const struct family *family = &ctd_families[i];
		size_t name = strlen(family->name), unit = strlen(family->unit);

		assert_null(strpbrk(family->help, "\\\"\n"));
		assert_true(family->help[strlen(family->help) - 1] == '.');
		assert_int_equal(strspn(family->name, "abcdefghijklmnopqrstuvwxyz_0123456789"),
				 name);
		/* OpenMetrics 1.0: a unit is the last part of the name. */
		assert_true(!unit || (name > unit + 1 && family->name[name - unit - 1] == '_' &&
				      strcmp(family->name + name - unit, family->unit) == 0));
		assert_true(name + sizeof("_created") < sizeof(((struct exposition *)0)->sample));
		assert_true(!family->created || family->type == FAMILY_COUNTER);
		for (size_t other = 0; other < i; other++)
			assert_string_not_equal(ctd_families[other].name, family->name);
	}
}

static void figures_are_written_to_the_last_digit(void **state)
{
	struct ctd_export text = {0};

	(void)state;
	ctd_export_add_count(&text, 0);
	ctd_export_add(&text, " ");
	ctd_export_add_count(&text, UINT64_MAX);
	ctd_export_add(&text, " ");
	ctd_export_add_signed(&text, INT64_MIN);
	ctd_export_add(&text, " ");
	ctd_export_add_signed(&text, 10);
	for (uint64_t ns = 1; ns < 10000000000; ns *= 10) {
		ctd_export_add(&text, " ");
		ctd_export_add_seconds(&text, ns);
	}
	ctd_export_add(&text, " ");
	ctd_export_add_seconds(&text, 1020304050);
	ctd_export_add_bytes(&text, "", 1);
	assert_string_equal(text.data,
			    "0 18446744073709551615 -9223372036854775808 10 0.000000001 0.00000001 "
			    "0.0000001 0.000001 0.00001 0.0001 0.001 0.01 0.1 1 1.02030405");
	ctd_export_free(&text);
}

/* The table of the documentation, of what the program says. */
static char *documented_table(void)
{
	struct ctd_export lines = {0}, table = {0};
	char *line, *rest;

	assert_int_equal(ctd_export_families(&lines), 0);
	ctd_export_add_bytes(&lines, "", 1);
	rest = lines.data;
	while ((line = strsep(&rest, "\n")) && *line) {
		const char *name = strsep(&line, "\t"), *type = strsep(&line, "\t");
		const char *unit = strsep(&line, "\t"), *labels = strsep(&line, "\t");
		char row[512];

		(void)unit; /* the name ends with it */
		snprintf(row, sizeof(row), "| `%s` | %s | %s | %s |\n", name, type, labels, line);
		ctd_export_add(&table, row);
	}
	ctd_export_add_bytes(&table, "", 1);
	ctd_export_free(&lines);
	return table.data;
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
		cmocka_unit_test(what_is_not_known_is_left_out),
		cmocka_unit_test(a_view_without_accounts_is_a_text_too),
		cmocka_unit_test(a_text_that_ran_out_of_memory_is_none),
		cmocka_unit_test(every_family_is_fit_for_both_texts),
		cmocka_unit_test(figures_are_written_to_the_last_digit),
		cmocka_unit_test(the_documentation_has_every_family),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
