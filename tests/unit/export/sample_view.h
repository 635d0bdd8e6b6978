/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sample_view.h - views of a small node, for exporters to write. */
#ifndef TESTS_UNIT_EXPORT_SAMPLE_VIEW_H
#define TESTS_UNIT_EXPORT_SAMPLE_VIEW_H

#include <cgtopdown/export.h>

#include "unit/ledger/told.h"

#define SAMPLE_ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const struct ctd_self sample_self = {
	.version = "0.1.0",
	.node = "node-1",
	.boot_id = "8a3e7f4c-5f0e-4d58-9f0a-3a6f3a1d2b4c",
	.interval_ns = SECOND_NS,
	.started_ns = BEGIN_NS - 2 * SECOND_NS + 250000000,
	.cpu_ns = 1250000000,
	.resident_bytes = 9437184,
	.virtual_bytes = 33554432,
	.open_fds = 21,
	.max_fds = 1024,
	.scrapes = 7,
	.scrape_errors = 1,
	.http_refusals = {[CTD_REFUSED_DISPLACED] = 2},
	.names_waiting = 1,
	.names_found = 3,
	.kubelet = true,
	.kubelet_up = true,
	.kubelet_requests = 5,
	.kubelet_errors = 2,
	.otlp = true,
	.otlp_sent = 11,
	.otlp_failed = 1,
	.kubernetes_events = true,
	.kubernetes_events_sent = 4,
	.kubernetes_events_failed = 2,
	.kubernetes_events_dropped = 1,
	.history = true,
	.history_bytes = 41000000,
	.history_bytes_max = 64000000,
	.history_lost_intervals = 2,
	.history_failing = true,
	.lost_log_lines = 3,
	.profiles = true,
	.profile_samples = 997,
	.profile_other_samples = 4,
	.profile_missed_intervals = 1,
	.profile_health = {.sampling = {[CTD_SAMPLING_SAMPLES] = 1000,
					[CTD_SAMPLING_WINDOWS] = 910,
					[CTD_SAMPLING_UNPAIRED] = 60,
					[CTD_SAMPLING_SWITCHED] = 20,
					[CTD_SAMPLING_UNREAD] = 10,
					[CTD_SAMPLING_COMPLETE] = 880,
					[CTD_SAMPLING_TRUNCATED] = 25,
					[CTD_SAMPLING_BROKEN] = 5,
					[CTD_SAMPLING_FRAME_POINTERS] = 90,
					[CTD_SAMPLING_OTHER] = 4,
					[CTD_SAMPLING_LOST] = 3,
					[CTD_SAMPLING_LOCKS] = 6,
					[CTD_SAMPLING_LOCKS_FAILED] = 2},
			   .refused = {1, 2, 0},
			   .forgotten = {7, 0}},
};

/* Two of these come out alike when they are made names of labels. */
static struct ctd_label sample_labels[] = {
	{(char *)"app.kubernetes.io/name", (char *)"cart"},
	{(char *)"team", (char *)"A \"quoted\" one\\"},
	{(char *)"app-kubernetes-io/name", (char *)"other"},
	{(char *)"empty", (char *)""},
};

static struct ctd_identity sample_web = {
	.cgroup_id = 20,
	.path = (char *)"/kubepods.slice/cri-containerd-" SAMPLE_ID ".scope",
	.kind = CTD_IS_CONTAINER,
	.qos = CTD_QOS_BURSTABLE,
	.runtime = "containerd",
	.container_id = SAMPLE_ID,
	.pod_uid = "11112222-3333-4444-5555-666677778888",
	.names = {.namespace_name = (char *)"shop",
		  .pod_name = (char *)"cart-0",
		  .container_name = (char *)"web",
		  .image = (char *)"registry.example/web:1",
		  .owner_kind = (char *)"StatefulSet",
		  .owner_name = (char *)"cart",
		  .labels = sample_labels,
		  .labels_count = 4,
		  .started_ns = BEGIN_NS - 3600 * SECOND_NS},
	.names_settled = true,
};

/* Anyone who may annotate a pod writes its names. */
static struct ctd_identity sample_hostile = {
	.cgroup_id = 21,
	.path = (char *)"/docker/\" 1\n# EOF\n",
	.kind = CTD_IS_CONTAINER,
	.container_id = "ffff456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
	.names = {.namespace_name = (char *)"a\",b=\"c",
		  .pod_name = (char *)"back\\slash\nnew line\r\ttab",
		  .container_name = (char *)"\xff\xc3(\xe2\x82\xac} 1",
		  .image = (char *)"# HELP x y"},
	.names_settled = true,
};

static struct ctd_identity sample_unit = {
	.cgroup_id = 30,
	.path = (char *)"/system.slice/serial\\x2dgetty@ttyS0.service",
	.names_settled = true,
};

static const struct ctd_beside sample_smt = {
	.known = true,
	.slots_known = true,
	.parts = {[CTD_SIBLING_IDLE] = {20000000, 480, 300, 20000000},
		  [CTD_SIBLING_OTHER] = {10000000, 240, 90, 10000000}}};

/* Without what the book has. */
static const struct ctd_budget_state sample_budget = {
	.limit_ppm = 5000,
	.cost_ns = 45678901,
	.capacity_ns = 10000000000,
	.given_up = 1 << CTD_BUDGET_FREQUENCY | 1 << CTD_BUDGET_ROTATION,
	.changes = {[CTD_BUDGET_WAITS] = 2, [CTD_BUDGET_FREQUENCY] = 3, [CTD_BUDGET_ROTATION] = 1},
};

/* Names of functions are the programs' own. */
static inline void sample_tell_functions(struct book *book)
{
	struct told told;

	told_begin(&told, book, sample_web.cgroup_id, "");
	told.functions.begun_ns = BEGIN_NS;
	told_add(&told, "parse<\"a\\b\", {x=1} # EOF>(char)", 700, 70);
	told_add(&told, CTD_FUNCTION_NOT_SAMPLED, 60, 0);
	told_add(&told, "rest", 40, 4);
	told_take(&told, book);
}

static inline void sample_fill(struct book *book)
{
	struct book_line *line;

	book_open(book, (struct ctd_ledger_options){.accounts_max = 2000, .functions_max = 1});
	for (int i = 0; i < 3; i++) {
		if (i == 2)
			sample_tell_functions(book);
		book_run_cgroup(book, &sample_web, 400);
		book_run_cgroup(book, &sample_hostile, 1);
		line = book_run_cgroup(book, &sample_unit, 30);
		line->coverage = .5;
		line->part.smt = sample_smt;
		book_run(book, CTD_ROLLUP_KERNEL, 5);
		book_run(book, CTD_ROLLUP_IDLE, 1500);
		book->rollup.totals[0].unattributed_slots = 24000;
		book->rollup.totals[0].residual_slots = -3;
		book->rollup.unattributed_ns = 1000;
		book->rollup.health.count[CTD_HEALTH_SWITCHES] = 1000;
		book->rollup.health.count[CTD_HEALTH_CLOSED_SLICES] = 300;
		book->rollup.health.ns_per_switch = 250;
		book->rollup.health.count[CTD_HEALTH_READ_ERRORS] = (uint64_t)i;
		book->rollup.health.budget = sample_budget;
		book_add(book);
	}
}

/* As a machine without counters has it. */
static inline void sample_fill_none(struct book *book)
{
	book_open(book, (struct ctd_ledger_options){.accounts_max = 2000});
	snprintf(book->plan.source, sizeof(book->plan.source), "none");
	snprintf(book->plan.core_types[0].source, sizeof(book->plan.source), "none");
	book->plan.simulated = false;
	book_use_model(book, NULL);
	for (int i = 0; i < 2; i++) {
		struct book_line *row = book_row(book, i ? CTD_ROLLUP_IDLE : CTD_ROLLUP_CONTAINER);

		row->row.identity = i ? NULL : &sample_web;
		row->row.cgroup_id = i ? 0 : sample_web.cgroup_id;
		row->part.cpu_ns = SECOND_NS;
	}
	book_add(book);
}

#endif
