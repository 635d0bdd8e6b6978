/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* book.h - a ledger, the rollups that it is fed, and what it must come to. */
#ifndef TESTS_UNIT_LEDGER_BOOK_H
#define TESTS_UNIT_LEDGER_BOOK_H

#include <cgtopdown/ledger.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics.h"
#include "rollup/sum.h"

extern const struct ctd_cpu_model ctd_cpu_sim;

#define SECOND_NS 1000000000ull
#define BEGIN_NS (1767323045 * SECOND_NS)
#define SLOTS_PER_MS 24000000ull
#define NAMES(namespace_, pod_, container_)                                                        \
	{                                                                                          \
		.namespace_name = (namespace_), .pod_name = (pod_), .container_name = (container_) \
	}

/* A row of a rollup on one core type, as tests write it; the rest follows in book_add(). */
struct book_line {
	struct ctd_rollup_row row;
	struct ctd_rollup_part part;
	double coverage; /* part of the time in which counters counted */
	struct ctd_value values[CTD_NODES_MAX];
	uint64_t node_slots[CTD_NODES_MAX];
};

/* A ledger and the rollup that is being written. */
struct book {
	struct ctd_ledger *ledger;
	struct ctd_rollup_plan plan;
	struct ctd_rollup rollup;
	struct book_line **lines; /* one for each row */
	size_t capacity;
	const struct ctd_ledger_view *view; /* the newest */
	uint64_t slots; /* of all rollups */
	struct ctd_waits waits; /* what those of a rollup point to, if they are counted */
};

/* NULL: no counters. */
static inline void book_use_model(struct book *book, const struct ctd_cpu_model *model)
{
	struct ctd_core_type *type = &book->plan.core_types[0];

	book->plan.model = type->model = model;
	book->plan.counters_count = type->counters_count = model ? 9 : 0;
	book->plan.level = type->level = model ? 2 : 0;
	type->metrics = model ? metrics_of(model) : NULL;
	book->plan.method = model ? book->plan.source : "none";
	book->rollup.totals[0].slots_known = model != NULL;
	for (int i = 0; i < CTD_NODES_MAX; i++)
		type->column[i] = type->node[i] = i;
}

static inline void book_open(struct book *book, struct ctd_ledger_options options)
{
	*book = (struct book){
		.plan = {.source = "sim",
			 .hierarchy = "v2",
			 .simulated = true,
			 .scope = "thread",
			 .groups_count = 1,
			 .core_types_count = 1,
			 .core_types = {{.source = "sim", .groups_count = 1}}},
		.rollup = {.by = CTD_GROUP_CONTAINER,
			   .realtime_ns = BEGIN_NS,
			   .window_ns = SECOND_NS,
			   .cpus_online = 2,
			   .totals = {{.cpus_online = 2}},
			   .health = {.ns_per_switch = NAN, .l1_sum_over_slots = {1, CTD_OK}}},
	};
	book_use_model(book, &ctd_cpu_sim);
	assert_int_equal(ctd_ledger_new(&options, BEGIN_NS, &book->ledger), 0);
}

static inline void book_count_waits(struct book *book)
{
	book->rollup.waits = &book->waits;
}

static inline void book_clear(struct book *book)
{
	for (size_t i = 0; i < book->rollup.rows_count; i++)
		free(book->lines[i]);
	free(book->rollup.rows);
	book->rollup.rows = NULL;
	book->rollup.rows_count = 0;
	book->rollup.totals[0].slots = 0;
}

static inline void book_close(struct book *book)
{
	ctd_ledger_view_release(book->view);
	ctd_ledger_free(book->ledger);
	book_clear(book);
	free(book->lines);
}

static inline struct book_line *book_row(struct book *book, enum ctd_rollup_kind kind)
{
	struct book_line *line = calloc(1, sizeof(*line));

	if (book->rollup.rows_count == book->capacity) {
		book->capacity = 2 * book->capacity + 16;
		book->lines =
			realloc((void *)book->lines, book->capacity * sizeof(struct book_line *));
	}
	assert_non_null(line);
	assert_non_null(book->lines);
	book->lines[book->rollup.rows_count++] = line;
	line->row = (struct ctd_rollup_row){.kind = kind, .parent = -1};
	line->part =
		(struct ctd_rollup_part){.ran = true, .dominant = -1, .quality = CTD_UNSUPPORTED};
	line->coverage = 1;
	for (int i = 0; i < CTD_NODES_MAX; i++)
		line->values[i] = (struct ctd_value){NAN, CTD_UNSUPPORTED};
	return line;
}

/* Ratios by the model's formulas: of @p slots the part @p backend is back-end bound, half of that
 * memory bound; the rest is retiring. */
static inline void book_count(struct book *book, struct book_line *line, uint64_t slots,
			      double backend)
{
	uint64_t count[CTD_COUNTERS_MAX] = {slots};

	count[4] = (uint64_t)((double)slots * backend);
	count[1] = slots - count[4];
	count[8] = count[4] / 2;
	line->part.slots = slots;
	line->part.slots_known = true;
	line->part.quality = CTD_OK;
	book->rollup.totals[0].slots += slots;
	ctd_metric_evaluate(metrics_of(book->plan.model), count, 9, 1, CTD_OK, line->values);
	line->part.dominant = ctd_metric_dominant(metrics_of(book->plan.model), line->values, 2);
}

/* @p ms of CPU time with an odd number of slots, so that rounding has something to do. */
static inline struct book_line *book_run(struct book *book, enum ctd_rollup_kind kind, uint64_t ms)
{
	struct book_line *line = book_row(book, kind);

	line->part.cpu_ns = ms * 1000000;
	line->part.slices = 3;
	book_count(book, line, ms * SLOTS_PER_MS + 7, .3);
	return line;
}

static inline struct book_line *book_run_cgroup(struct book *book,
						const struct ctd_identity *identity, uint64_t ms)
{
	struct book_line *line = book_run(
		book, identity->container_id[0] ? CTD_ROLLUP_CONTAINER : CTD_ROLLUP_CGROUP, ms);

	line->row.identity = identity;
	line->row.cgroup_id = identity->cgroup_id;
	return line;
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

/* What follows from what was written. */
static inline void book_finish_line(const struct book *book, struct book_line *line)
{
	const struct ctd_cpu_model *model = book->plan.model;
	struct ctd_rollup_part *part = &line->part;

	line->row.core_types = 1;
	line->row.parts = part;
	line->row.cpu_ns = part->cpu_ns;
	if (!model)
		return;
	part->counted_ns = (uint64_t)((double)part->cpu_ns * line->coverage);
	part->values = line->values;
	part->node_slots = line->node_slots;
	part->node_slots_known = ctd_slots_split(
		model, line->values, part->slots_known ? part->slots : 0, line->node_slots);
}

/* Makes the rollup whole. */
static inline const struct ctd_rollup *book_rollup(struct book *book)
{
	struct ctd_rollup *rollup = &book->rollup;

	rollup->plan = &book->plan;
	free(rollup->rows);
	rollup->rows = calloc(rollup->rows_count + 1, sizeof(*rollup->rows));
	assert_non_null(rollup->rows);
	for (size_t i = 0; i < rollup->rows_count; i++) {
		book_finish_line(book, book->lines[i]);
		rollup->rows[i] = book->lines[i]->row;
	}
	return rollup;
}

/* Views of one version have the same accounts, of the same names. */
static inline void book_check_names(const struct ctd_ledger_view *before,
				    const struct ctd_ledger_view *view)
{
	assert_true(view->names_version >= before->names_version);
	if (view->names_version > before->names_version)
		return;
	assert_int_equal(view->accounts_count, before->accounts_count);
	for (size_t i = 0; i < view->accounts_count; i++) {
		assert_true(view->accounts[i].who == before->accounts[i].who);
		assert_int_equal(view->accounts[i].ended, before->accounts[i].ended);
	}
}

/* Adds the rollup and takes a view, of which all that must hold holds; begins the next rollup. */
static inline const struct ctd_ledger_view *book_add(struct book *book)
{
	struct ctd_rollup_totals *totals = &book->rollup.totals[0];
	const struct ctd_ledger_view *before = book->view;

	book->rollup.realtime_ns += book->rollup.window_ns;
	totals->slots += totals->unattributed_slots + (uint64_t)totals->residual_slots;
	assert_int_equal(ctd_ledger_add(book->ledger, book_rollup(book)), 0);
	assert_int_equal(ctd_ledger_view(book->ledger, &book->view), 0);
	if (before)
		book_check_names(before, book->view);
	ctd_ledger_view_release(before);
	book->slots += totals->slots_known ? totals->slots : 0;
	book_clear(book);
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
