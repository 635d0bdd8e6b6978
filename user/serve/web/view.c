/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* view.c - a ledger's view as JSON, schema cgtopdown/view/1: docs/api.md says what each member is. */
#include "serve/web/view.h"

#include <errno.h>
#include <stdio.h>

#include "base/json.h"
#include "base/known.h"
#include "format/budget.h"
#include "format/format.h"
#include "format/health.h"
#include "format/limits_json.h"
#include "format/node_json.h"
#include "serve/web/vendor.h"

/* "": not known or none. */
static void add_time(struct ctd_json *json, const char *key, uint64_t realtime_ns)
{
	char text[CTD_FIGURE_BYTES];

	ctd_format_time(realtime_ns, text);
	ctd_json_string(json, key, realtime_ns ? text : NULL);
}

static void add_signed(struct ctd_json *json, const char *key, int64_t value, bool is_known)
{
	if (is_known)
		ctd_json_signed(json, key, value);
	else
		ctd_json_null(json, key);
}

static void add_node(struct ctd_json *json, const struct ctd_ledger_core_type *type,
		     const struct ctd_node *node)
{
	ctd_json_begin_object(json, NULL);
	ctd_json_string(json, "name", node->name);
	ctd_json_string(json, "role", ctd_node_role_name(node->role));
	ctd_json_string(json, "title", node->title);
	ctd_json_bool(json, "counted", type->nodes_counted & 1u << (node - type->nodes));
	ctd_node_add_json(json, node, type->nodes);
	ctd_json_end_object(json);
}

/* What counts on this core type; null without counters. */
static void add_model(struct ctd_json *json, const struct ctd_cpu_model *model)
{
	if (!model) {
		ctd_json_null(json, "model");
		return;
	}
	ctd_json_begin_object(json, "model");
	ctd_json_string(json, "name", model->name);
	ctd_json_string(json, "title", model->title);
	ctd_json_string(json, "publication", model->publication);
	ctd_json_string(json, "caution", model->caution);
	ctd_json_count(json, "slots_per_cycle", (uint64_t)model->slots_per_cycle,
		       model->slots_per_cycle);
	ctd_json_end_object(json);
}

static void add_nodes(struct ctd_json *json, const struct ctd_ledger_core_type *type)
{
	ctd_json_begin_array(json, "nodes");
	for (int i = 0; i < type->nodes_count; i++)
		add_node(json, type, &type->nodes[i]);
	ctd_json_end_array(json);
}

static void add_ipc(struct ctd_json *json, const struct ctd_ipc_counts *ipc)
{
	static const char *const names[CTD_IPC_COUNTS] = {
		[CTD_IPC_CYCLES] = "cycles",
		[CTD_IPC_INSTRUCTIONS] = "instructions",
		[CTD_IPC_BRANCH_MISSES] = "branch_misses",
		[CTD_IPC_CACHE_MISSES] = "cache_misses",
	};

	if (!ipc->known)
		return;
	ctd_json_begin_object(json, "ipc_group");
	for (int i = 0; i < CTD_IPC_COUNTS; i++)
		ctd_json_count(json, names[i], ipc->count[i], i < ipc->known);
	ctd_json_integer(json, "counted_ns", ipc->counted_ns);
	ctd_json_end_object(json);
}

static void add_waits(struct ctd_json *json, const struct ctd_waits *waits)
{
	ctd_json_begin_object(json, "waits");
	ctd_json_integer(json, "count", ctd_waits_count(waits));
	for (int cause = 0; cause < CTD_WAIT_CAUSES; cause++) {
		char key[32];

		snprintf(key, sizeof(key), "%s_ns",
			 ctd_wait_cause_name((enum ctd_wait_cause)cause));
		ctd_json_integer(json, key, waits->ns[cause]);
	}
	ctd_json_integer(json, "preempted", waits->preempted);
	ctd_json_integer(json, "preempted_by_other", waits->preempted_by_other);
	ctd_json_integer(json, "preempted_others", waits->preempted_others);
	ctd_json_begin_array(json, "histogram");
	for (int bucket = 0; bucket < CTD_WAIT_BUCKETS; bucket++)
		ctd_json_integer(json, NULL, waits->histogram[bucket]);
	ctd_json_end_array(json);
	ctd_json_end_object(json);
}

/* By what the core's other hardware thread did. */
static void add_smt(struct ctd_json *json, const struct ctd_beside *smt)
{
	ctd_json_begin_object(json, "smt");
	for (int i = 0; i < CTD_SIBLINGS; i++) {
		const struct ctd_beside_part *part = &smt->parts[i];

		ctd_json_begin_object(json, ctd_sibling_name((enum ctd_sibling)i));
		ctd_json_integer(json, "cpu_ns", part->cpu_ns);
		if (smt->slots_known) {
			ctd_json_integer(json, "counted_ns", part->counted_ns);
			ctd_json_integer(json, "slots", part->slots);
			ctd_json_integer(json, "retired_slots", part->retired_slots);
		}
		ctd_json_end_object(json);
	}
	ctd_json_end_object(json);
}

static void add_throttling(struct ctd_json *json, const struct ctd_throttling *throttling)
{
	ctd_json_begin_object(json, "throttling");
	ctd_json_integer(json, "periods", throttling->periods);
	ctd_json_integer(json, "throttled", throttling->throttled);
	ctd_json_integer(json, "throttled_ns", throttling->throttled_ns);
	ctd_limits_add_json(json, throttling);
	ctd_json_end_object(json);
}

/* @p view: NULL: without vendors' metrics. */
static void add_total(struct ctd_json *json, const char *key,
		      const struct ctd_ledger_core_type *type, const struct ctd_account *account,
		      const struct ctd_ledger_view *view)
{
	ctd_json_begin_object(json, key);
	add_time(json, "since", account->begun_ns);
	ctd_json_integer(json, "cpu_ns", account->cpu_ns);
	ctd_json_integer(json, "counted_ns", account->counted_ns);
	ctd_json_integer(json, "slices", account->slices);
	ctd_json_integer(json, "switches", account->switches);
	ctd_json_count(json, "slots", account->slots, account->slots_known);
	ctd_json_begin_object(json, "node_slots");
	for (int i = 0; i < type->nodes_count; i++)
		if (!ctd_node_is_ipc(&type->nodes[i]))
			ctd_json_count(json, type->nodes[i].name, account->node_slots[i],
				       account->node_slots_known & 1u << i);
	ctd_json_end_object(json);
	add_ipc(json, &account->ipc);
	if (account->waits_known)
		add_waits(json, &account->waits);
	if (account->smt.known)
		add_smt(json, &account->smt);
	if (account->throttling_known)
		add_throttling(json, &account->throttling);
	if (view)
		ctd_view_add_vendor_total(json, view, account);
	ctd_json_end_object(json);
}

/* Of the accounts that were fetched and are gone, all together. */
static void add_fetched(struct ctd_json *json, const struct ctd_ledger_core_type *type,
			const struct ctd_ledger_view *view)
{
	const struct ctd_core_totals *totals = &type->totals;
	const struct ctd_account fetched = {
		.begun_ns = view->begun_ns,
		.cpu_ns = totals->fetched_ns,
		.counted_ns = totals->fetched.counted_ns,
		.slices = totals->fetched.slices,
		.switches = totals->fetched.switches,
		.slots_known = totals->slots_known,
		.slots = totals->fetched_slots,
		.node_slots = totals->fetched.node_slots,
		.node_slots_known = totals->fetched.node_slots_known,
		.ipc = totals->fetched.ipc,
		.waits_known = totals->fetched.waits_known,
		.waits = totals->fetched.waits,
		.smt = totals->fetched.smt,
	};

	add_total(json, "fetched", type, &fetched, NULL);
}

static void add_core_type(struct ctd_json *json, const struct ctd_ledger_view *view,
			  const struct ctd_ledger_core_type *core)
{
	const struct ctd_core_totals *totals = &core->totals;
	bool slots = totals->slots_known;

	ctd_json_begin_object(json, NULL);
	ctd_json_string(json, "core", ctd_known(core->name));
	ctd_json_string(json, "source", core->source);
	ctd_json_string(json, "scope", core->scope);
	ctd_json_integer(json, "level", (uint64_t)core->level);
	ctd_json_integer(json, "rotation", (uint64_t)core->groups_count);
	ctd_json_integer(json, "cpus", core->cpus_online);
	ctd_json_string(json, "pmu_state", ctd_pmu_state_name(core->state));
	add_model(json, core->model);
	add_nodes(json, core);
	ctd_json_begin_object(json, "total");
	ctd_json_count(json, "slots", totals->slots, slots);
	ctd_json_count(json, "unattributed_slots", totals->unattributed_slots, slots);
	add_signed(json, "residual_slots", totals->residual_slots, slots);
	ctd_json_count(json, "fetched_slots", totals->fetched_slots, slots);
	ctd_json_integer(json, "fetched_ns", totals->fetched_ns);
	ctd_json_count(json, "held_slots", totals->held_slots, slots);
	ctd_json_integer(json, "held_ns", totals->held_ns);
	ctd_json_end_object(json);
	add_fetched(json, core, view);
	ctd_json_end_object(json);
}

static void add_totals(struct ctd_json *json, const struct ctd_ledger_view *view)
{
	const struct ctd_node_totals *totals = &view->totals;
	bool slots = totals->slots_known;

	ctd_json_begin_object(json, "total");
	ctd_json_integer(json, "intervals", totals->intervals);
	ctd_json_count(json, "slots", totals->slots, slots);
	ctd_json_count(json, "unattributed_slots", totals->unattributed_slots, slots);
	add_signed(json, "residual_slots", totals->residual_slots, slots);
	ctd_json_integer(json, "unattributed_ns", totals->unattributed_ns);
	ctd_json_count(json, "fetched_slots", totals->fetched_slots, slots);
	ctd_json_integer(json, "fetched_ns", totals->fetched_ns);
	ctd_json_integer(json, "held", totals->held);
	ctd_json_count(json, "held_slots", totals->held_slots, slots);
	ctd_json_integer(json, "held_ns", totals->held_ns);
	ctd_json_integer(json, "folded", totals->folded);
	for (size_t i = 0; i < ctd_health_names_count; i++)
		ctd_json_integer(json, ctd_health_names[i].key,
				 totals->health[ctd_health_names[i].counter]);
	ctd_json_integer(json, "bpf_ns", totals->bpf_ns);
	ctd_json_end_object(json);
}

/* Of the newest interval: what it cost and what went wrong. */
static void add_health(struct ctd_json *json, const struct ctd_interval_health *health)
{
	ctd_json_begin_object(json, "health");
	for (size_t i = 0; i < ctd_health_names_count; i++)
		ctd_json_integer(json, ctd_health_names[i].key,
				 health->count[ctd_health_names[i].counter]);
	ctd_json_real(json, "ns_per_switch", health->ns_per_switch, 10);
	ctd_json_end_object(json);
}

static void add_identity(struct ctd_json *json, const struct ctd_ledger_view *view,
			 const struct ctd_account_who *who)
{
	if (view->core_types_count > 1)
		ctd_json_string(json, "core", ctd_known(who->core));
	ctd_json_members(json, who->json_text, who->json_bytes);
	add_time(json, "started", who->started_ns);
}

static void add_recent(struct ctd_json *json, const struct ctd_ledger_view *view,
		       const struct ctd_account *account)
{
	const struct ctd_ledger_core_type *type = ctd_account_core_type(view, account);
	const struct ctd_account_recent *recent = &account->recent;

	ctd_json_begin_object(json, "recent");
	ctd_json_integer(json, "cpu_ns", recent->cpu_ns);
	ctd_json_integer(json, "slices", recent->slices);
	ctd_json_integer(json, "switches", recent->switches);
	ctd_json_count(json, "slots", recent->slots, recent->slots_known);
	ctd_json_string(json, "quality", ctd_quality_name(recent->quality));
	ctd_json_string(json, "bottleneck",
			recent->dominant >= 0 ? type->nodes[recent->dominant].name : NULL);
	ctd_json_begin_object(json, "metrics");
	for (int i = 0; i < type->nodes_count; i++) {
		if (ctd_value_known(recent->values[i]))
			ctd_json_real(json, type->nodes[i].name, recent->values[i].ratio, 1e6);
		else
			ctd_json_null(json, type->nodes[i].name);
	}
	ctd_json_end_object(json);
	ctd_json_begin_object(json, "qualities");
	for (int i = 0; i < type->nodes_count; i++)
		if (recent->values[i].quality != recent->quality)
			ctd_json_string(json, type->nodes[i].name,
					ctd_quality_name(recent->values[i].quality));
	ctd_json_end_object(json);
	ctd_view_add_vendor_recent(json, view, account);
	ctd_json_end_object(json);
}

static void add_row(struct ctd_json *json, const struct ctd_ledger_view *view,
		    const struct ctd_account *account)
{
	ctd_json_begin_object(json, NULL);
	add_identity(json, view, account->who);
	ctd_json_bool(json, "ended", account->ended);
	add_total(json, "total", ctd_account_core_type(view, account), account, view);
	add_recent(json, view, account);
	ctd_json_end_object(json);
}

static void add_self(struct ctd_json *json, const struct ctd_self *self)
{
	ctd_json_begin_object(json, "self");
	ctd_json_string(json, "version", self->version);
	add_time(json, "started", self->started_ns);
	ctd_json_real(json, "cpu_s", (double)self->cpu_ns / 1e9, 1e6);
	ctd_json_integer(json, "resident_bytes", self->resident_bytes);
	ctd_json_end_object(json);
}

static void add_head(struct ctd_json *json, const struct ctd_ledger_view *view,
		     const struct ctd_self *self)
{
	ctd_json_string(json, "schema", CTD_VIEW_SCHEMA);
	ctd_json_string(json, "node", ctd_known(self->node));
	ctd_json_string(json, "boot_id", ctd_known(self->boot_id));
	add_time(json, "start", view->begun_ns);
	ctd_json_integer(json, "sequence", view->sequence);
	add_time(json, "time", view->realtime_ns);
	ctd_json_integer(json, "time_ns", view->realtime_ns);
	ctd_json_integer(json, "elapsed_ns", view->elapsed_ns);
	ctd_json_integer(json, "window_ns", view->window_ns);
	ctd_json_integer(json, "interval_ns", self->interval_ns);
	if (self->look_ns)
		ctd_json_integer(json, "look_ns", self->look_ns);
	ctd_json_string(json, "source", view->source);
	ctd_json_bool(json, "simulated", view->simulated);
	ctd_json_string(json, "method", view->method);
	ctd_json_string(json, "scope", view->scope);
	ctd_json_integer(json, "level", (uint64_t)view->level);
	ctd_json_integer(json, "rotation", (uint64_t)view->groups_count);
	ctd_json_bool(json, "general", view->ipc);
	ctd_json_integer(json, "cpus", view->cpus_online);
	ctd_json_string(json, "hierarchy", ctd_known(view->hierarchy));
	ctd_json_bool(json, "profiles", self->profiles);
	ctd_json_bool(json, "history", self->history);
	ctd_json_string(json, "pmu_state", ctd_pmu_state_name(view->state));
	ctd_view_add_vendor(json, view);
}

int ctd_view_json(const struct ctd_ledger_view *view, const struct ctd_self *self,
		  struct ctd_strbuf *out)
{
	struct ctd_json json = {.out = out};

	ctd_json_begin_object(&json, NULL);
	add_head(&json, view, self);
	add_self(&json, self);
	ctd_json_begin_array(&json, "core_types");
	for (int i = 0; i < view->core_types_count; i++)
		add_core_type(&json, view, &view->core_types[i]);
	ctd_json_end_array(&json);
	add_totals(&json, view);
	add_health(&json, &view->health);
	ctd_budget_add_json(&json, &view->health.budget);
	ctd_json_begin_array(&json, "rows");
	for (size_t i = 0; i < view->accounts_count; i++)
		add_row(&json, view, &view->accounts[i]);
	ctd_json_end_array(&json);
	ctd_json_begin_array(&json, "held_rows");
	for (size_t i = 0; i < view->held_count; i++)
		add_row(&json, view, &view->held[i]);
	ctd_json_end_array(&json);
	ctd_json_end_object(&json);
	ctd_strbuf_add(out, "\n");
	return out->failed ? -ENOMEM : 0;
}
