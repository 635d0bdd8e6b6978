/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* otlp_accounts.c - the totals of accounts as OTLP metrics. */
#include <stdio.h>

#include "export/otlp.h"

/*
 * The conventions have container.cpu.time, and nothing for slots; there, as in Prometheus, the
 * points of one metric must have a meaning when they are added up. So each level is a metric of its
 * own, and what is no container is in metrics of its own: nobody takes an idle CPU for a busy
 * container. What otlp_node.c has makes them up to the node.
 */

/* Writes a point where there is something to write. */
struct figure {
	const char *name, *unit;
	void (*write)(struct ctd_otlp_metric *metric, const struct ctd_account *account);
};

static void begin_point(struct ctd_otlp_metric *metric, const struct ctd_account *account)
{
	const struct ctd_account_who *who = account->who;
	struct ctd_strbuf *message = metric->message;

	metric->begun_ns = account->begun_ns;
	ctd_otlp_point_begin(metric);
	if (!ctd_otlp_is_container(account)) {
		ctd_otlp_text(message, CTD_OTLP_POINT_ATTRIBUTES, "cgtopdown.kind",
			      ctd_account_kind_name(who->kind));
		ctd_otlp_text(message, CTD_OTLP_POINT_ATTRIBUTES, "cgtopdown.cgroup", who->cgroup);
	}
	ctd_otlp_text(message, CTD_OTLP_POINT_ATTRIBUTES, "cgtopdown.core", who->core);
}

static void write_cpu_time(struct ctd_otlp_metric *metric, const struct ctd_account *account)
{
	begin_point(metric, account);
	ctd_otlp_point_number(metric, (double)account->cpu_ns / 1e9);
}

static void write_counted_time(struct ctd_otlp_metric *metric, const struct ctd_account *account)
{
	if (!account->model)
		return;
	begin_point(metric, account);
	ctd_otlp_point_number(metric, (double)account->counted_ns / 1e9);
}

static void write_slices(struct ctd_otlp_metric *metric, const struct ctd_account *account)
{
	begin_point(metric, account);
	ctd_otlp_point_count(metric, account->slices);
}

static void write_pipeline_slots(struct ctd_otlp_metric *metric, const struct ctd_account *account)
{
	if (!account->slots_known)
		return;
	begin_point(metric, account);
	ctd_otlp_point_count(metric, account->slots);
}

/* Of its own time alone, as the totals of the ledger are. */
static void write_general_time(struct ctd_otlp_metric *metric, const struct ctd_account *account)
{
	if (!account->general.known)
		return;
	begin_point(metric, account);
	ctd_otlp_point_number(metric, (double)account->general.counted_ns / 1e9);
}

static void write_general(struct ctd_otlp_metric *metric, const struct ctd_account *account,
			  enum ctd_general_count which)
{
	const char *cache = "";

	if (account->general.known <= (int)which)
		return;
	begin_point(metric, account);
	if (which == CTD_GENERAL_CACHE_MISSES)
		cache = account->model->cache;
	ctd_otlp_text(metric->message, CTD_OTLP_POINT_ATTRIBUTES, "cgtopdown.cache", cache);
	ctd_otlp_point_count(metric, account->general.count[which]);
}

static void write_cycles(struct ctd_otlp_metric *metric, const struct ctd_account *account)
{
	write_general(metric, account, CTD_GENERAL_CYCLES);
}

static void write_instructions(struct ctd_otlp_metric *metric, const struct ctd_account *account)
{
	write_general(metric, account, CTD_GENERAL_INSTRUCTIONS);
}

static void write_branch_misses(struct ctd_otlp_metric *metric, const struct ctd_account *account)
{
	write_general(metric, account, CTD_GENERAL_BRANCH_MISSES);
}

static void write_cache_misses(struct ctd_otlp_metric *metric, const struct ctd_account *account)
{
	write_general(metric, account, CTD_GENERAL_CACHE_MISSES);
}

static const struct figure figures[] = {
	{"time", "s", write_cpu_time},
	{"topdown.counted_time", "s", write_counted_time},
	{"topdown.pipeline_slots", "{slot}", write_pipeline_slots},
	{"slices", "{slice}", write_slices},
	{"general.counted_time", "s", write_general_time},
	{"cycles", "{cycle}", write_cycles},
	{"instructions", "{instruction}", write_instructions},
	{"branch_misses", "{miss}", write_branch_misses},
	{"cache_misses", "{miss}", write_cache_misses},
};

static void write_nodes(struct ctd_otlp_metric *metric, const struct ctd_account *account,
			int level)
{
	if (!account->slots_known || !account->model)
		return;
	for (int i = 0; i < account->model->nodes_count; i++) {
		const struct ctd_node *node = &account->model->nodes[i];

		if (node->level != level || !account->node_known[i])
			continue;
		begin_point(metric, account);
		ctd_otlp_text(metric->message, CTD_OTLP_POINT_ATTRIBUTES, "cpu.topdown.category",
			      node->name);
		ctd_otlp_point_count(metric, account->node_slots[i]);
	}
}

/* Which container it is now: see otlp_resource.c. */
static void add_info(struct ctd_otlp_metric *metric, const struct ctd_account *account)
{
	ctd_otlp_metric_begin(metric, CTD_OTLP_GAUGE, "container", "info", "1");
	if (*account->who->container_id) {
		begin_point(metric, account);
		ctd_otlp_text(metric->message, CTD_OTLP_POINT_ATTRIBUTES, "container.id",
			      account->who->container_id);
		ctd_otlp_text(metric->message, CTD_OTLP_POINT_ATTRIBUTES, "cgtopdown.cgroup",
			      account->who->path);
		ctd_otlp_point_count(metric, 1);
	}
	ctd_otlp_metric_end(metric);
}

bool ctd_otlp_is_container(const struct ctd_account *account)
{
	return account->who->kind == CTD_ACCOUNT_CONTAINER ||
	       account->who->kind == CTD_ACCOUNT_SANDBOX;
}

void ctd_otlp_accounts(const struct ctd_ledger_view *view, size_t first, size_t end,
		       struct ctd_strbuf *message)
{
	struct ctd_otlp_metric metric = {.message = message, .time_ns = view->realtime_ns};
	bool container = ctd_otlp_is_container(&view->accounts[first]);
	const char *prefix = container ? "container.cpu" : "cgroup.cpu";
	char name[32];

	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		ctd_otlp_metric_begin(&metric, CTD_OTLP_COUNTER, prefix, figures[i].name,
				      figures[i].unit);
		for (size_t at = first; at < end; at++)
			figures[i].write(&metric, &view->accounts[at]);
		ctd_otlp_metric_end(&metric);
	}
	for (int level = 1; level <= view->level; level++) {
		if (level == 1)
			snprintf(name, sizeof(name), "topdown.slots");
		else
			snprintf(name, sizeof(name), "topdown.l%d.slots", level);
		ctd_otlp_metric_begin(&metric, CTD_OTLP_COUNTER, prefix, name, "{slot}");
		for (size_t at = first; at < end; at++)
			write_nodes(&metric, &view->accounts[at], level);
		ctd_otlp_metric_end(&metric);
	}
	if (container)
		add_info(&metric, &view->accounts[first]);
}
