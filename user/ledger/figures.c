/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* figures.c - adds up: a row to its account, an account to another. */
#include "ledger/ledger.h"

#include <math.h>

void ctd_account_begin(struct ledger_account *account, int nodes_count)
{
	static const struct ctd_value unknown = {NAN, CTD_NO_DATA};

	account->rows = 0;
	account->account.recent = (struct ctd_account_recent){
		.quality = CTD_NO_DATA, .values = account->recent, .dominant = -1};
	for (int i = 0; i < nodes_count; i++) {
		account->recent[i] = unknown;
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
static void add_value(struct ledger_account *account, struct ctd_value value, double weight,
		      int node)
{
	struct ctd_value *to = &account->recent[node];

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

static void add_recent(struct ledger_account *account, const struct ctd_rollup_part *part)
{
	struct ctd_account_recent *to = &account->account.recent;

	to->quality = account->rows ? join(to->quality, part->quality) : part->quality;
	to->cpu_ns += part->cpu_ns;
	to->slices += part->slices;
	to->switches += part->switches;
	if (part->slots_known) {
		to->slots_known = true;
		to->slots += part->slots;
	}
}

static void add_ipc(struct ctd_ipc_counts *to, const struct ctd_ipc_counts *from)
{
	if (to->known < from->known)
		to->known = from->known;
	to->counted_ns += from->counted_ns;
	for (int i = 0; i < CTD_IPC_COUNTS; i++)
		to->count[i] += from->count[i];
}

static void add_waits(bool *known, struct ctd_waits *to, const struct ctd_waits *from)
{
	*known = true;
	ctd_waits_add(to, from);
}

void ctd_account_add_part(struct ledger_account *account, const struct ctd_rollup_part *part,
			  const struct ctd_cpu_model *model, const int *nodes)
{
	double weight = part->slots_known ? (double)part->slots : (double)part->cpu_ns / 1e9;
	struct ctd_account *to = &account->account;

	to->cpu_ns += part->cpu_ns;
	to->counted_ns += part->counted_ns;
	to->slices += part->slices;
	to->switches += part->switches;
	if (part->slots_known) {
		to->slots_known = true;
		to->slots += part->slots;
	}
	add_recent(account, part);
	to->recent.dominant = part->dominant < 0 ? -1 : nodes[part->dominant];
	for (int i = 0; part->values && i < model->nodes_count; i++) {
		int at = nodes[i];

		if (at < 0)
			continue;
		if (part->node_slots_known & 1u << i) {
			to->node_slots_known |= 1u << at;
			account->node_slots[at] += part->node_slots[i];
		}
		add_value(account, part->values[i], weight, at);
	}
	add_ipc(&to->ipc, &part->ipc);
	/* Nobody waits to be idle. */
	if (part->waits && to->who->kind != CTD_ACCOUNT_IDLE)
		add_waits(&to->waits_known, &to->waits, part->waits);
	ctd_beside_add(&to->smt, &part->smt);
	for (uint32_t i = 0; part->cache_ns && i < part->cache_parts; i++)
		account->cache_ns[i] += part->cache_ns[i];
	account->rows++;
}

void ctd_account_add_throttling(struct ledger_account *account,
				const struct ctd_throttling *throttling)
{
	account->account.throttling_known = true;
	ctd_throttling_add(&account->account.throttling, throttling);
}

void ctd_account_finish(struct ledger_account *account, const struct ctd_core_type *type,
			const int *nodes)
{
	struct ctd_value values[CTD_NODES_MAX];
	int dominant;

	/* Of the mean, which may have another bottleneck than any row. */
	if (account->rows < 2 || !type->model)
		return;
	for (int i = 0; i < type->model->nodes_count; i++) {
		values[i] = (struct ctd_value){.quality = CTD_UNSUPPORTED};
		if (nodes[i] >= 0)
			values[i] = account->recent[nodes[i]];
	}
	dominant = ctd_metric_dominant(type->metrics, values, type->level);
	account->account.recent.dominant = dominant < 0 ? -1 : nodes[dominant];
}

void ctd_account_add_fetched(const struct ledger_account *account, struct ctd_core_totals *totals)
{
	const struct ctd_account *from = &account->account;

	totals->fetched_slots += from->slots;
	totals->fetched_ns += from->cpu_ns;
	totals->fetched.counted_ns += from->counted_ns;
	totals->fetched.slices += from->slices;
	totals->fetched.switches += from->switches;
	totals->fetched.node_slots_known |= from->node_slots_known;
	for (int i = 0; i < CTD_NODES_MAX; i++)
		totals->fetched.node_slots[i] += account->node_slots[i];
	add_ipc(&totals->fetched.ipc, &from->ipc);
	if (from->waits_known)
		add_waits(&totals->fetched.waits_known, &totals->fetched.waits, &from->waits);
	ctd_beside_add(&totals->fetched.smt, &from->smt);
}

void ctd_account_merge(const struct ctd_ledger *ledger, struct ledger_account *to_account,
		       const struct ledger_account *from_account)
{
	struct ctd_account *to = &to_account->account;
	const struct ctd_account *from = &from_account->account;

	if (from->begun_ns && (!to->begun_ns || from->begun_ns < to->begun_ns))
		to->begun_ns = from->begun_ns;
	to->cpu_ns += from->cpu_ns;
	to->counted_ns += from->counted_ns;
	to->slices += from->slices;
	to->switches += from->switches;
	add_ipc(&to->ipc, &from->ipc);
	if (from->waits_known)
		add_waits(&to->waits_known, &to->waits, &from->waits);
	ctd_beside_add(&to->smt, &from->smt);
	if (from->throttling_known)
		ctd_account_add_throttling(to_account, &from->throttling);
	to->slots_known |= from->slots_known;
	to->slots += from->slots;
	to->node_slots_known |= from->node_slots_known;
	for (int i = 0; i < CTD_NODES_MAX; i++)
		to_account->node_slots[i] += from_account->node_slots[i];
	for (int i = 0; i < CTD_CACHE_PARTS_MAX; i++)
		to_account->cache_ns[i] += from_account->cache_ns[i];
	ctd_account_functions_merge(to_account, from_account);
	ctd_vendor_sums_merge(ledger->options.vendor, to_account->vendor, from_account->vendor);
}
