/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* csv.c - one line per row, with a header: RFC 4180. */
#include <cgtopdown/sink.h>

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "format/budget.h"
#include "format/format.h"
#include "format/vendor_csv.h"

/* Where cores differ there is one more, between them. */
static const char head_first[] = "time,window_s,source,simulated,kind";
static const char head_core[] = ",core";
static const char head_rest[] = ",name,cgroup,cgroup_id,pid,comm,"
				"namespace,pod,pod_uid,container,container_id,cpu_s,slots,slices,"
				"switches,quality";

/* Ids and pids begin at 1. */
static void add_id(struct ctd_strbuf *line, uint64_t id)
{
	if (id)
		ctd_strbuf_addf(line, ",%" PRIu64, id);
	else
		ctd_strbuf_add(line, ",");
}

/* Where counters rotated, each metric has a column that says of what part of the time it is. */
static bool has_coverage(const struct ctd_report *report, int node)
{
	return report->groups_count > 1 && ctd_report_has(report, node);
}

static int nodes_count(const struct ctd_report *report)
{
	return report->model ? report->model->nodes_count : 0;
}

static void add_head(struct ctd_strbuf *out, const struct ctd_report *report)
{
	ctd_strbuf_add(out, head_first);
	if (report->core_types_count > 1)
		ctd_strbuf_add(out, head_core);
	ctd_strbuf_add(out, head_rest);
	for (int i = 0; i < nodes_count(report); i++)
		if (ctd_report_has(report, i))
			ctd_strbuf_addf(out, ",%s", report->model->nodes[i].name);
	for (int i = 0; i < nodes_count(report); i++)
		if (has_coverage(report, i))
			ctd_strbuf_addf(out, ",%s_coverage", report->model->nodes[i].name);
	if (report->vendor)
		ctd_vendor_csv_add_head(out, report);
	if (report->waits)
		ctd_strbuf_add(out, ",waits,wait_s");
	for (int cause = 0; report->waits && cause < CTD_WAIT_CAUSES; cause++)
		ctd_strbuf_addf(out, ",wait_%s_s", ctd_wait_cause_name(cause));
	if (report->waits)
		ctd_strbuf_add(out, ",preempted,preempted_by_other,preempted_others");
	if (report->health.budget.limit_ppm)
		ctd_strbuf_add(out, ",budget_limit,budget_cost,given_up");
	ctd_strbuf_add(out, "\n");
}

/* In each line, so that what is empty has its reason beside it. */
static void add_budget(struct ctd_strbuf *out, const struct ctd_budget_state *state)
{
	double cost = ctd_budget_cost_ratio(state);

	if (!state->limit_ppm)
		return;
	ctd_strbuf_addf(out, ",%.6f,", ctd_budget_limit_ratio(state));
	if (!isnan(cost))
		ctd_strbuf_addf(out, "%.8f", cost);
	ctd_strbuf_add(out, ",");
	ctd_budget_add_given_up(out, state);
}

/* Columns of waits, and of preemptions. */
#define WAIT_COLUMNS (2 + CTD_WAIT_CAUSES + 3)
static const char no_waits[] = ",,,,,,,,,,,,,,,,";

static void add_waits(struct ctd_strbuf *out, const struct ctd_report_row *row)
{
	if (!row->waits_known) {
		ctd_strbuf_addf(out, "%.*s", WAIT_COLUMNS, no_waits);
		return;
	}
	ctd_strbuf_addf(out, ",%" PRIu64 ",%.9f", ctd_waits_count(&row->waits),
			(double)ctd_waits_ns(&row->waits) / 1e9);
	for (int cause = 0; cause < CTD_WAIT_CAUSES; cause++)
		ctd_strbuf_addf(out, ",%.9f", (double)row->waits.ns[cause] / 1e9);
	ctd_strbuf_addf(out, ",%llu,%llu,%llu", row->waits.preempted, row->waits.preempted_by_other,
			row->waits.preempted_others);
}

static void begin_line(struct ctd_strbuf *out, const struct ctd_report *report)
{
	char time[CTD_FIGURE_BYTES];

	ctd_format_time(report->realtime_ns, time);
	ctd_strbuf_addf(out, "%s,%.6f", time, (double)report->window_ns / 1e9);
	ctd_csv_add_text(out, report->source);
	ctd_strbuf_addf(out, ",%d", report->simulated);
}

static void add_row(struct ctd_strbuf *out, const struct ctd_report *report,
		    const struct ctd_report_row *row)
{
	struct ctd_row_facts facts;

	ctd_row_facts(row->kind, row->identity, &facts);
	begin_line(out, report);
	ctd_csv_add_text(out, ctd_rollup_kind_name(row->kind));
	if (report->core_types_count > 1)
		ctd_csv_add_text(out, ctd_report_core_type_name(report, row));
	ctd_csv_add_text(out, row->name);
	ctd_csv_add_text(out, facts.cgroup);
	add_id(out, row->cgroup_id);
	add_id(out, row->pid);
	ctd_csv_add_text(out, row->comm);
	ctd_csv_add_text(out, facts.namespace_name);
	ctd_csv_add_text(out, facts.pod);
	ctd_csv_add_text(out, facts.pod_uid);
	ctd_csv_add_text(out, facts.container);
	ctd_csv_add_text(out, facts.container_id);
	ctd_strbuf_addf(out, ",%.6f", (double)row->cpu_ns / 1e9);
	if (row->slots_known)
		ctd_strbuf_addf(out, ",%" PRIu64, row->slots);
	else
		ctd_strbuf_add(out, ",");
	ctd_strbuf_addf(out, ",%" PRIu64 ",%" PRIu64 ",%s", row->slices, row->switches,
			ctd_quality_name(row->quality));
	for (int i = 0; i < nodes_count(report); i++) {
		if (!ctd_report_has(report, i))
			continue;
		if (ctd_value_known(row->values[i]))
			ctd_strbuf_addf(out, ",%.6f", row->values[i].ratio);
		else
			ctd_strbuf_add(out, ",");
	}
	for (int i = 0; i < nodes_count(report); i++) {
		if (!has_coverage(report, i))
			continue;
		/* There is no figure of several core types. */
		if (row->core_sum)
			ctd_strbuf_add(out, ",");
		else
			ctd_strbuf_addf(out, ",%.4f", row->coverage[report->model->nodes[i].group]);
	}
	if (report->vendor)
		ctd_vendor_csv_add_row(out, report, row);
	if (report->waits)
		add_waits(out, row);
	add_budget(out, &report->health.budget);
	ctd_strbuf_add(out, "\n");
}

/* Totals of all CPUs: what the rows shown, hidden and unattributed add up to. */
static void add_total(struct ctd_strbuf *out, const struct ctd_report *report)
{
	begin_line(out, report);
	ctd_strbuf_add(out, report->core_types_count > 1 ? ",total,all" : ",total");
	ctd_strbuf_add(out, ",(total),,,,,,,,,,,");
	if (report->totals.slots_known)
		ctd_strbuf_addf(out, "%" PRIu64, report->totals.slots);
	ctd_strbuf_addf(out, ",%" PRIu64 ",%" PRIu64 ",",
			report->health.count[CTD_HEALTH_CLOSED_SLICES],
			report->health.count[CTD_HEALTH_SWITCHES]);
	for (int i = 0; i < nodes_count(report); i++)
		ctd_strbuf_add(out, has_coverage(report, i)	? ",,"
				    : ctd_report_has(report, i) ? ","
								: "");
	if (report->vendor)
		ctd_vendor_csv_add_row(out, report, NULL);
	if (report->waits)
		ctd_strbuf_addf(out, "%.*s", WAIT_COLUMNS, no_waits);
	add_budget(out, &report->health.budget);
	ctd_strbuf_add(out, "\n");
}

static int csv_write(const struct ctd_sink_options *options, const struct ctd_report *report,
		     bool first)
{
	auto_ctd_strbuf struct ctd_strbuf out = {0};

	if (first)
		add_head(&out, report);
	for (size_t i = 0; i < report->rows_count; i++)
		add_row(&out, report, &report->rows[i]);
	add_total(&out, report);
	return out.failed ? -ENOMEM : ctd_format_write(options->out, out.text, out.bytes);
}

const struct ctd_sink ctd_sink_csv = {
	.name = "csv",
	.help = "a line per row (RFC 4180); shares are of 1, and figures that are not known are empty; "
		"the row of kind \"total\" is everything counted on all CPUs",
	.write = csv_write,
};
