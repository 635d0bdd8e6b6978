/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* otlp_node.c - what the node did beside its accounts, and what accounting costs, as OTLP metrics. */
#include "export/otlp.h"

#include <stddef.h>
#include <string.h>

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

/* A metric with a point of each kind of cores whose slots are known. */
static void add_slots(const struct ctd_ledger_view *view, struct ctd_otlp_metric *metric,
		      enum ctd_otlp_kind kind, const char *name, size_t offset)
{
	ctd_otlp_metric_begin(metric, kind, "cgtopdown", name, "{slot}");
	for (int i = 0; i < view->cores_count; i++) {
		const struct ctd_ledger_core *core = &view->cores[i];
		uint64_t slots;

		if (!core->totals.slots_known)
			continue;
		memcpy(&slots, (const char *)&core->totals + offset, sizeof(slots));
		ctd_otlp_point_begin(metric);
		ctd_otlp_text(metric->message, CTD_OTLP_POINT_ATTRIBUTES, "cgtopdown.core",
			      core->name);
		/* The residual alone is signed, and may be below 0. */
		if (offset == offsetof(struct ctd_core_totals, residual_slots))
			ctd_otlp_point_signed(metric, core->totals.residual_slots);
		else
			ctd_otlp_point_count(metric, slots);
	}
	ctd_otlp_metric_end(metric);
}

/* The node's slots are those of all accounts, sent or fetched before or held back, and the rest. */
static void add_books(const struct ctd_ledger_view *view, struct ctd_otlp_metric *metric)
{
	static const struct {
		enum ctd_otlp_kind kind;
		const char *name;
		size_t offset;
	} slots[] = {
		{CTD_OTLP_COUNTER, "pipeline_slots", offsetof(struct ctd_core_totals, slots)},
		{CTD_OTLP_COUNTER, "unattributed.slots",
		 offsetof(struct ctd_core_totals, unattributed_slots)},
		{CTD_OTLP_COUNTER, "fetched.slots",
		 offsetof(struct ctd_core_totals, fetched_slots)},
		{CTD_OTLP_GAUGE, "held.slots", offsetof(struct ctd_core_totals, held_slots)},
		{CTD_OTLP_GAUGE, "residual.slots",
		 offsetof(struct ctd_core_totals, residual_slots)},
	};

	add_seconds(metric, "cgtopdown", "unattributed.time",
		    (double)view->totals.unattributed_ns / 1e9);
	for (size_t i = 0; i < COUNT(slots); i++)
		add_slots(view, metric, slots[i].kind, slots[i].name, slots[i].offset);
}

/* What the counters of each kind of cores are good for. */
static void add_states(const struct ctd_ledger_view *view, struct ctd_otlp_metric *metric)
{
	ctd_otlp_metric_begin(metric, CTD_OTLP_GAUGE, "cgtopdown", "pmu.state", "1");
	for (int i = 0; i < view->cores_count; i++) {
		const struct ctd_ledger_core *core = &view->cores[i];

		for (enum ctd_pmu_state state = 0; state < CTD_PMU_STATES; state++) {
			ctd_otlp_point_begin(metric);
			ctd_otlp_text(metric->message, CTD_OTLP_POINT_ATTRIBUTES, "cgtopdown.core",
				      core->name);
			ctd_otlp_text(metric->message, CTD_OTLP_POINT_ATTRIBUTES, "cgtopdown.state",
				      ctd_pmu_state_name(state));
			ctd_otlp_point_count(metric, state == core->state);
		}
	}
	ctd_otlp_metric_end(metric);
}

static void add_quality(const struct ctd_ledger_view *view, struct ctd_otlp_metric *metric)
{
	const struct ctd_node_totals *totals = &view->totals;
	const struct count counts[] = {
		{"intervals", "{interval}", totals->intervals},
		{"switches", "{switch}", totals->health[CTD_HEALTH_SWITCHES]},
		{"closed_slices", "{slice}", totals->health[CTD_HEALTH_CLOSED_SLICES]},
		{"read_errors", "{error}", totals->health[CTD_HEALTH_READ_ERRORS]},
		{"lost_rows", "{row}", totals->health[CTD_HEALTH_LOST_ROWS]},
		{"lost_events", "{event}", totals->health[CTD_HEALTH_LOST_EVENTS]},
		{"lost_switches", "{switch}", totals->health[CTD_HEALTH_LOST_SWITCHES]},
		{"restarts", "{restart}", totals->health[CTD_HEALTH_RESTARTS]},
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
	add_states(view, metric);
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
		   struct ctd_strbuf *message)
{
	struct ctd_otlp_metric metric = {.message = message, .time_ns = view->realtime_ns};

	metric.begun_ns = view->begun_ns;
	add_books(view, &metric);
	add_quality(view, &metric);
	metric.begun_ns = self->started_ns;
	add_self(self, &metric);
}
