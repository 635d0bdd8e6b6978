/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* figures.c - adds up: a row to its account, an account to another. */
#include "ledger/ledger.h"

#include <math.h>
#include <string.h>

/* Of times of less than a month, which a double holds to the nanosecond. */
static uint64_t to_ns(double seconds)
{
	return seconds > 0 ? (uint64_t)llround(seconds * 1e9) : 0;
}

/* The part of its time in which any group of counters counted: slots are of all of them. */
static uint64_t counted_ns(const struct ctd_cpu_model *model, const struct ctd_report_row *row)
{
	double coverage = 0;

	for (int group = 0; model && group < CTD_GROUPS_MAX; group++)
		coverage += row->coverage[group];
	return to_ns(row->cpu_s * fmin(coverage, 1));
}

void ctd_account_begin(struct ledger_account *account)
{
	struct ctd_account *to = &account->account;

	account->rows = 0;
	to->recent_cpus = 0;
	to->recent_dominant = -1;
	for (int i = 0; i < CTD_NODES_MAX; i++) {
		account->recent[i] = (struct ctd_value){NAN, CTD_NO_DATA};
		account->weight[i] = 0;
	}
}

/* As a sum of rows is judged: what is known of a part only is of low confidence. */
static enum ctd_quality join(enum ctd_quality a, enum ctd_quality b)
{
	enum ctd_quality worse = a > b ? a : b, better = a > b ? b : a;

	return better <= CTD_LOW_CONFIDENCE && worse > CTD_LOW_CONFIDENCE ? CTD_LOW_CONFIDENCE
									  : worse;
}

/* Mean of several rows' ratios, by slots; by time where there are none. */
static void add_recent(struct ledger_account *account, const struct ctd_report_row *row, int node)
{
	struct ctd_value *to = &account->recent[node], value = row->values[node];
	double weight = row->slots_known ? (double)row->slots : row->cpu_s;

	if (account->rows == 0)
		*to = value;
	else if (ctd_value_known(value))
		to->ratio = !ctd_value_known(*to)
				    ? value.ratio
				    : (to->ratio * account->weight[node] + value.ratio * weight) /
					      (account->weight[node] + weight);
	if (account->rows)
		to->quality = join(to->quality, value.quality);
	if (ctd_value_known(value))
		account->weight[node] += weight;
}

static void add_general(struct ctd_general_counts *to, const struct ctd_general_counts *from)
{
	if (to->known < from->known)
		to->known = from->known;
	to->counted_ns += from->counted_ns;
	for (int i = 0; i < CTD_GENERAL_COUNTS; i++)
		to->count[i] += from->count[i];
}

void ctd_account_add_row(struct ledger_account *account, const struct ctd_report *report,
			 const struct ctd_report_row *report_row)
{
	const struct ctd_cpu_model *model = report->cores[account->core].model;
	struct ctd_account *to = &account->account;
	struct ctd_report_row buffer;
	const struct ctd_report_row *row =
		ctd_row_by_own_model(report, account->core, report_row, &buffer);
	bool known[CTD_NODES_MAX];
	uint64_t slots[CTD_NODES_MAX];

	to->model = model;
	to->cpu_ns += to_ns(row->cpu_s);
	to->counted_ns += counted_ns(model, row);
	to->slices += row->slices;
	if (row->slots_known) {
		to->slots_known = true;
		to->slots += row->slots;
	}
	add_general(&to->general, &row->general);
	ctd_slots_split(model, row, known, slots);
	for (int i = 0; model && i < model->nodes_count; i++) {
		to->node_known[i] |= known[i];
		to->node_slots[i] += slots[i];
		add_recent(account, row, i);
	}
	if (report->window_ns)
		to->recent_cpus += row->cpu_s / ((double)report->window_ns / 1e9);
	to->recent_dominant = row->dominant;
	account->rows++;
}

void ctd_account_finish(struct ledger_account *account, const struct ctd_report *report)
{
	struct ctd_account *to = &account->account;

	memcpy(to->recent, account->recent, sizeof(to->recent));
	/* Of the mean, which may have another bottleneck than any row. */
	for (int core = 0; account->rows > 1 && core < report->cores_count; core++) {
		if (to->model && report->cores[core].model == to->model)
			to->recent_dominant = ctd_metric_dominant(report->cores[core].metrics,
								  account->recent, report->level);
	}
}

void ctd_account_merge(struct ledger_account *to_account, const struct ledger_account *from_account)
{
	struct ctd_account *to = &to_account->account;
	const struct ctd_account *from = &from_account->account;

	if (!to->model)
		to->model = from->model;
	if (from->begun_ns && (!to->begun_ns || from->begun_ns < to->begun_ns))
		to->begun_ns = from->begun_ns;
	to->cpu_ns += from->cpu_ns;
	to->counted_ns += from->counted_ns;
	to->slices += from->slices;
	add_general(&to->general, &from->general);
	to->slots_known |= from->slots_known;
	to->slots += from->slots;
	for (int i = 0; i < CTD_NODES_MAX; i++) {
		to->node_known[i] |= from->node_known[i];
		to->node_slots[i] += from->node_slots[i];
	}
}
