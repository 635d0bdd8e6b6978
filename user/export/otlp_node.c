/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* otlp_node.c - what the node did beside its accounts, and what accounting costs, as OTLP metrics. */
#include "export/otlp.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct count {
	const char *name, *unit;
	uint64_t value;
};

static void add_count(struct ctd_otlp_metric *metric, enum ctd_otlp_kind kind, const char *prefix,
		      const struct count *count)
{
	ctd_otlp_metric_begin(metric, kind, prefix, count->name, count->unit);
	ctd_otlp_point_begin(metric);
	ctd_otlp_point_count(metric, count->value);
	ctd_otlp_metric_end(metric);
}

static void add_seconds(struct ctd_otlp_metric *metric, const char *prefix, const char *name,
			double seconds)
{
	ctd_otlp_metric_begin(metric, CTD_OTLP_COUNTER, prefix, name, "s");
	ctd_otlp_point_begin(metric);
	ctd_otlp_point_number(metric, seconds);
	ctd_otlp_metric_end(metric);
}

/* The node's slots are those of all accounts, sent or fetched before or held back, and the rest. */
static void add_books(const struct ctd_ledger_view *view, struct ctd_otlp_metric *metric)
{
	const struct ctd_node_totals *totals = &view->totals;
	const struct {
		enum ctd_otlp_kind kind;
		struct count count;
	} slots[] = {
		{CTD_OTLP_COUNTER, {"pipeline_slots", "{slot}", totals->slots}},
		{CTD_OTLP_COUNTER, {"unattributed.slots", "{slot}", totals->unattributed_slots}},
		{CTD_OTLP_COUNTER, {"fetched.slots", "{slot}", totals->fetched_slots}},
		{CTD_OTLP_GAUGE, {"held.slots", "{slot}", totals->held_slots}},
	};

	add_seconds(metric, "cgtopdown", "unattributed.time",
		    (double)totals->unattributed_ns / 1e9);
	if (!totals->slots_known)
		return;
	for (size_t i = 0; i < COUNT(slots); i++)
		add_count(metric, slots[i].kind, "cgtopdown", &slots[i].count);
	ctd_otlp_metric_begin(metric, CTD_OTLP_GAUGE, "cgtopdown", "residual.slots", "{slot}");
	ctd_otlp_point_begin(metric);
	ctd_otlp_point_signed(metric, totals->residual_slots);
	ctd_otlp_metric_end(metric);
}

static void add_quality(const struct ctd_ledger_view *view, struct ctd_otlp_metric *metric)
{
	const struct ctd_node_totals *totals = &view->totals;
	const struct count counts[] = {
		{"intervals", "{interval}", totals->intervals},
		{"switches", "{switch}", totals->switches},
		{"closed_slices", "{slice}", totals->closed_slices},
		{"read_errors", "{error}", totals->read_errors},
		{"lost_rows", "{row}", totals->lost_rows},
		{"lost_events", "{event}", totals->lost_events},
		{"lost_switches", "{switch}", totals->lost_switches},
		{"restarts", "{restart}", totals->restarts},
		{"accounts.folded", "{account}", totals->folded},
	};

	for (size_t i = 0; i < COUNT(counts); i++)
		add_count(metric, CTD_OTLP_COUNTER, "cgtopdown", &counts[i]);
	add_seconds(metric, "cgtopdown", "bpf.time", (double)totals->bpf_ns / 1e9);
	add_count(metric, CTD_OTLP_GAUGE, "cgtopdown",
		  &(struct count){"accounts", "{account}", view->accounts_count});
	add_count(metric, CTD_OTLP_GAUGE, "cgtopdown",
		  &(struct count){"accounts.held", "{account}", totals->held});
	add_count(metric, CTD_OTLP_GAUGE, "cgtopdown",
		  &(struct count){"accounts.limit", "{account}", view->accounts_max});
	add_count(metric, CTD_OTLP_GAUGE, "cgtopdown",
		  &(struct count){"cpus.online", "{cpu}", view->cpus_online});
	ctd_otlp_metric_begin(metric, CTD_OTLP_GAUGE, "cgtopdown", "pmu.state", "1");
	for (enum ctd_pmu_state state = 0; state < CTD_PMU_STATES; state++) {
		ctd_otlp_point_begin(metric);
		ctd_otlp_text(metric->message, CTD_OTLP_POINT_ATTRIBUTES, "cgtopdown.state",
			      ctd_pmu_state_name(state));
		ctd_otlp_point_count(metric, state == view->state);
	}
	ctd_otlp_metric_end(metric);
}

static void add_requests(const struct ctd_self *self, struct ctd_otlp_metric *metric)
{
	const struct count results[] = {
		{"sent", NULL, self->otlp_sent},
		{"failed", NULL, self->otlp_failed},
		{"dropped", NULL, self->otlp_dropped},
	};

	if (!self->otlp)
		return;
	ctd_otlp_metric_begin(metric, CTD_OTLP_COUNTER, "cgtopdown", "otlp.requests", "{request}");
	for (size_t i = 0; i < COUNT(results); i++) {
		ctd_otlp_point_begin(metric);
		ctd_otlp_text(metric->message, CTD_OTLP_POINT_ATTRIBUTES, "cgtopdown.result",
			      results[i].name);
		ctd_otlp_point_count(metric, results[i].value);
	}
	ctd_otlp_metric_end(metric);
	add_count(metric, CTD_OTLP_GAUGE, "cgtopdown",
		  &(struct count){"otlp.queue", "{request}", self->otlp_queued});
}

static void add_self(const struct ctd_self *self, struct ctd_otlp_metric *metric)
{
	const struct count kubelet[] = {
		{"kubelet.requests", "{request}", self->kubelet_requests},
		{"kubelet.errors", "{error}", self->kubelet_errors},
	};
	const struct count names[] = {
		{"names.found", "{container}", self->names_found},
		{"names.missing", "{container}", self->names_missing},
	};

	add_seconds(metric, "process", "cpu.time", self->cpu_s);
	add_count(metric, CTD_OTLP_UPDOWN, "process",
		  &(struct count){"memory.usage", "By", self->resident_bytes});
	add_count(metric, CTD_OTLP_UPDOWN, "process",
		  &(struct count){"memory.virtual", "By", self->virtual_bytes});
	for (size_t i = 0; i < COUNT(names); i++)
		add_count(metric, CTD_OTLP_COUNTER, "cgtopdown", &names[i]);
	add_count(metric, CTD_OTLP_GAUGE, "cgtopdown",
		  &(struct count){"names.waiting", "{container}", self->names_waiting});
	for (size_t i = 0; self->kubelet && i < COUNT(kubelet); i++)
		add_count(metric, CTD_OTLP_COUNTER, "cgtopdown", &kubelet[i]);
	if (self->kubelet)
		add_count(metric, CTD_OTLP_GAUGE, "cgtopdown",
			  &(struct count){"kubelet.up", "1", self->kubelet_up});
	add_requests(self, metric);
}

void ctd_otlp_node(const struct ctd_ledger_view *view, const struct ctd_self *self,
		   struct ctd_export *message)
{
	struct ctd_otlp_metric metric = {.message = message, .time_ns = view->realtime_ns};

	metric.begun_ns = view->begun_ns;
	add_books(view, &metric);
	add_quality(view, &metric);
	metric.begun_ns = self->started_ns;
	add_self(self, &metric);
}
