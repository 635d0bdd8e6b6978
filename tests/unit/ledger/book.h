/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* book.h - a ledger, the reports that it is fed, and what it must come to. */
#ifndef TESTS_UNIT_LEDGER_BOOK_H
#define TESTS_UNIT_LEDGER_BOOK_H

#include <cgtopdown/ledger.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics.h"
#include "one_kind.h"

extern const struct ctd_cpu_model ctd_cpu_sim;

#define SECOND_NS 1000000000ull
#define BEGIN_NS (1767323045 * SECOND_NS)
#define SLOTS_PER_MS 24000000ull
#define NAMES(namespace_, pod_, container_)                                                        \
	{                                                                                          \
		.namespace_name = (namespace_), .pod_name = (pod_), .container_name = (container_) \
	}

/* A ledger and the report that is being written. */
struct book {
	struct ctd_ledger *ledger;
	struct ctd_report report;
	size_t capacity;
	const struct ctd_ledger_view *view; /* the newest */
	uint64_t slots; /* of all reports */
};

static inline void book_open(struct book *book, struct ctd_ledger_options options)
{
	*book = (struct book){
		.report = {.source = "sim",
			   .simulated = true,
			   .method = "sim",
			   .scope = "thread",
			   .hierarchy = "v2",
			   .model = &ctd_cpu_sim,
			   .level = 2,
			   .counters_count = 9,
			   .groups_count = 1,
			   .by = CTD_GROUP_CONTAINER,
			   .realtime_ns = BEGIN_NS,
			   .window_ns = SECOND_NS,
			   .cpus_online = 2,
			   .slots_known = true,
			   .health = {.ns_per_switch = NAN, .l1_sum_over_slots = {1, CTD_OK}}},
	};
	assert_int_equal(ctd_ledger_new(&options, BEGIN_NS, &book->ledger), 0);
}

static inline void book_close(struct book *book)
{
	ctd_ledger_view_release(book->view);
	ctd_ledger_free(book->ledger);
	free(book->report.rows);
}

static inline struct ctd_report_row *book_row(struct book *book, const char *kind)
{
	struct ctd_report_row *row;

	if (book->report.rows_count == book->capacity) {
		book->capacity = 2 * book->capacity + 16;
		book->report.rows = realloc(book->report.rows, book->capacity * sizeof(*row));
		assert_non_null(book->report.rows);
	}
	row = &book->report.rows[book->report.rows_count++];
	*row = (struct ctd_report_row){.kind = kind,
				       .name = (char *)"",
				       .parent = -1,
				       .dominant = -1,
				       .coverage = {1},
				       .quality = CTD_UNSUPPORTED};
	for (int i = 0; i < CTD_NODES_MAX; i++)
		row->values[i] = (struct ctd_value){NAN, CTD_UNSUPPORTED};
	return row;
}

/* Ratios by the model's formulas: of @p slots the part @p backend is back-end bound, half of that
 * memory bound; the rest is retiring. */
static inline void book_count(struct book *book, struct ctd_report_row *row, uint64_t slots,
			      double backend)
{
	uint64_t count[CTD_COUNTERS_MAX] = {slots};

	count[4] = (uint64_t)((double)slots * backend);
	count[1] = slots - count[4];
	count[8] = count[4] / 2;
	row->slots = slots;
	row->slots_known = true;
	row->quality = CTD_OK;
	book->report.slots += slots;
	ctd_metric_evaluate(metrics_of(book->report.model), count, 9, 1, CTD_OK, row->values);
	row->dominant = ctd_metric_dominant(metrics_of(book->report.model), row->values, 2);
}

/* @p ms of CPU time with an odd number of slots, so that rounding has something to do. */
static inline struct ctd_report_row *book_run(struct book *book, const char *kind, uint64_t ms)
{
	struct ctd_report_row *row = book_row(book, kind);

	row->cpu_s = (double)ms / 1e3;
	row->slices = 3;
	book_count(book, row, ms * SLOTS_PER_MS + 7, .3);
	return row;
}

static inline struct ctd_report_row *
book_run_cgroup(struct book *book, const struct ctd_identity *identity, uint64_t ms)
{
	struct ctd_report_row *row =
		book_run(book, identity->container_id[0] ? "container" : "cgroup", ms);

	row->identity = identity;
	row->cgroup_id = identity->cgroup_id;
	return row;
}

static inline void book_check_sums(const struct ctd_ledger_view *view)
{
	const struct ctd_node_totals *totals = &view->totals;
	uint64_t slots = totals->fetched_slots + totals->held_slots + totals->unattributed_slots +
			 (uint64_t)totals->residual_slots;

	for (size_t i = 0; i < view->accounts_count; i++)
		slots += view->accounts[i].slots;
	assert_int_equal(slots, totals->slots);
}

/* Adds the report and takes a view, of which all that must hold holds; begins the next report. */
static inline const struct ctd_ledger_view *book_add(struct book *book)
{
	book->report.realtime_ns += book->report.window_ns;
	book->report.slots +=
		book->report.unattributed_slots + (uint64_t)book->report.residual_slots;
	if (book->report.cores_count <= 1)
		report_of_one_kind(&book->report);
	assert_int_equal(ctd_ledger_add(book->ledger, &book->report), 0);
	ctd_ledger_view_release(book->view);
	assert_int_equal(ctd_ledger_view(book->ledger, &book->view), 0);
	book->slots += book->report.slots;
	book->report.slots = 0;
	book->report.rows_count = 0;
	assert_int_equal(book->view->totals.slots, book->slots);
	book_check_sums(book->view);
	for (size_t i = 1; i < book->view->accounts_count; i++) {
		const struct ctd_account_who *a = book->view->accounts[i - 1].who,
					     *b = book->view->accounts[i].who;

		assert_true(a->kind < b->kind ||
			    (a->kind == b->kind && strcmp(a->key_text, b->key_text) < 0));
	}
	return book->view;
}

static inline const struct ctd_account *book_find(const struct book *book, const char *key_text)
{
	for (size_t i = 0; i < book->view->accounts_count; i++) {
		if (strcmp(book->view->accounts[i].who->key_text, key_text) == 0)
			return &book->view->accounts[i];
	}
	return NULL;
}

static inline uint64_t slots_of_ms(uint64_t ms)
{
	return ms * SLOTS_PER_MS + 7;
}

#endif
