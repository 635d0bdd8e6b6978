/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_interference.c - tags are in the metrics, those with the largest loss. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/export/sample_view.h"

#include "base/strbuf.h"

#define TAGS 50

static const struct ctd_neighbour_names victim = {.key = "a",
						  .namespace_name = "shop",
						  .pod = "db-0",
						  .container = "db",
						  .cgroup = "/pod/db"};
static const struct ctd_neighbour_names antagonist = {.key = "b", .cgroup = "/system.slice/backup"};

static char *text_of(const struct book *book, const struct ctd_neighbour_verdicts *verdicts)
{
	struct ctd_self self = sample_self;
	struct ctd_strbuf text = {};

	self.neighbours = verdicts;
	assert_int_equal(ctd_export_metrics(CTD_OPENMETRICS_TEXT, book->view, &self, &text), 0);
	ctd_strbuf_add_bytes(&text, "", 1);
	assert_false(text.failed);
	return text.text;
}

static void both_are_named_with_the_mechanism(void **state)
{
	const struct ctd_neighbour_tag tag = {
		.victim = &victim,
		.mechanism = CTD_MECHANISM_RUN_QUEUE,
		.blame = CTD_BLAME_NEIGHBOUR,
		.antagonists = {{&antagonist, .9}},
		.antagonists_count = 1,
	};
	const struct ctd_neighbour_verdicts verdicts = {
		.tags = &tag,
		.tags_count = 1,
		.lost_slots[CTD_MECHANISM_RUN_QUEUE][CTD_BLAME_NEIGHBOUR] = 77,
	};
	struct book book;
	char *text;

	(void)state;
	sample_fill(&book);
	text = text_of(&book, &verdicts);
	assert_non_null(strstr(
		text,
		"\ncgtopdown_interference_info{victim_namespace=\"shop\",victim_pod=\"db-0\",victim_container=\"db\",mechanism=\"run_queue\",blame=\"neighbour\",antagonist_cgroup=\"/system.slice/backup\"} 1\n"));
	assert_non_null(strstr(
		text,
		"\ncgtopdown_interference_lost_slots_total{mechanism=\"run_queue\",blame=\"neighbour\"} 77\n"));
	assert_null(strstr(text, "mechanism=\"smt\""));
	free(text);
	/* Where nothing is judged there is nothing to say. */
	text = text_of(&book, NULL);
	assert_null(strstr(text, "interference"));
	free(text);
	book_close(&book);
}

static void there_are_no_more_than_so_many(void **state)
{
	struct ctd_neighbour_tag tags[TAGS] = {0};
	const struct ctd_neighbour_verdicts verdicts = {.tags = tags, .tags_count = TAGS};
	unsigned int lines = 0;
	struct book book;
	char *text;

	(void)state;
	for (size_t i = 0; i < TAGS; i++)
		tags[i].victim = &victim;
	sample_fill(&book);
	text = text_of(&book, &verdicts);
	for (const char *at = text; (at = strstr(at, "\ncgtopdown_interference_info{")); at++)
		lines++;
	assert_int_equal(lines, CTD_NODES_MAX);
	free(text);
	book_close(&book);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_are_named_with_the_mechanism),
		cmocka_unit_test(there_are_no_more_than_so_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
