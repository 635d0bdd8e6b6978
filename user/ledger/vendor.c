/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor.c - what accounts have of vendors' metrics: counts that add up, and values of the last
 * interval. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/ledger.h"

/* So many accounts are evaluated side by side. */
#define BATCH 8

static size_t groups_of(const struct ctd_vendor_counting *vendor)
{
	return (size_t)vendor->rotation.groups_count;
}

static size_t counts_of(const struct ctd_vendor_counting *vendor)
{
	return groups_of(vendor) * (size_t)vendor->rotation.events_count;
}

struct ctd_vendor_sums *ctd_vendor_sums_new(const struct ctd_vendor_counting *vendor)
{
	size_t counts = counts_of(vendor), groups = groups_of(vendor);
	struct ctd_vendor_sums *sums =
		calloc(1, sizeof(*sums) + vendor->metrics_count * sizeof(*sums->values) +
				  2 * (counts + groups) * sizeof(*sums->count));

	if (!sums)
		return NULL;
	sums->values = (struct ctd_vendor_value *)&sums[1];
	sums->count = (uint64_t *)&sums->values[vendor->metrics_count];
	sums->group_ns = sums->count + counts;
	sums->recent_count = sums->group_ns + groups;
	sums->recent_ns = sums->recent_count + counts;
	ctd_vendor_sums_begin(vendor, sums);
	return sums;
}

void ctd_vendor_sums_begin(const struct ctd_vendor_counting *vendor, struct ctd_vendor_sums *sums)
{
	if (!sums)
		return;
	/* The recent arrays are one behind the other. */
	memset(sums->recent_count, 0,
	       (counts_of(vendor) + groups_of(vendor)) * sizeof(*sums->recent_count));
	for (size_t i = 0; i < vendor->metrics_count; i++)
		sums->values[i] = (struct ctd_vendor_value){.value = NAN};
}

static void add(uint64_t *to, const uint64_t *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] += from[i];
}

/* What is beside the tree is not scaled up: its counts are of group_ns alone. */
void ctd_vendor_sums_add(const struct ctd_vendor_counting *vendor,
			 const struct ctd_rollup_part *part, struct ctd_vendor_sums *to)
{
	size_t counts = counts_of(vendor), groups = groups_of(vendor);

	add(to->count, part->count, counts);
	add(to->group_ns, part->group_ns, groups);
	add(to->recent_count, part->count, counts);
	add(to->recent_ns, part->group_ns, groups);
}

void ctd_vendor_sums_merge(const struct ctd_vendor_counting *vendor, struct ctd_vendor_sums *to,
			   const struct ctd_vendor_sums *from)
{
	if (!to || !from)
		return;
	add(to->count, from->count, counts_of(vendor));
	add(to->group_ns, from->group_ns, groups_of(vendor));
}

const struct ctd_rollup_part *ctd_vendor_part(const struct ctd_rollup *rollup, size_t row,
					      int core_type)
{
	const struct ctd_rollup *beside = rollup->beside;
	const struct ctd_rollup_part *part;

	if (!beside || core_type >= beside->plan->core_types_count)
		return NULL;
	part = &beside->rows[row].parts[core_type];
	/* It did not run there, or counters were lost. */
	return part->count ? part : NULL;
}

/* Accounts on their way to be evaluated. */
struct batch {
	const struct ctd_vendor_counting *vendor;
	struct ctd_vendor_value *values; /* of BATCH accounts */
	struct ctd_vendor_sums *sums[BATCH];
	struct ctd_vendor_counted_row rows[BATCH];
	size_t count;
};

static void evaluate(struct batch *batch)
{
	size_t metrics = batch->vendor->metrics_count;

	ctd_vendor_counting_evaluate(batch->vendor, batch->rows, batch->count, batch->values);
	for (size_t i = 0; i < batch->count; i++)
		memcpy(batch->sums[i]->values, &batch->values[i * metrics],
		       metrics * sizeof(*batch->values));
	batch->count = 0;
}

static void take(const struct ctd_ledger *ledger, struct ledger_account *account,
		 struct batch *batch)
{
	struct ctd_vendor_sums *sums = account->vendor;

	if (!sums || account->rows_sequence != ledger->newest.sequence)
		return;
	batch->rows[batch->count] = (struct ctd_vendor_counted_row){
		(int)groups_of(batch->vendor), sums->recent_count, sums->recent_ns};
	batch->sums[batch->count++] = sums;
	if (batch->count == BATCH)
		evaluate(batch);
}

void ctd_vendor_evaluate_accounts(struct ctd_ledger *ledger)
{
	struct batch batch = {.vendor = ledger->options.vendor, .values = ledger->vendor_values};

	if (!batch.vendor)
		return;
	ctd_vendor_counting_take_latencies(batch.vendor, ledger->newest.health.latencies.of[0]);
	for (size_t i = 0; i < ledger->sorted_count; i++)
		take(ledger, ledger->sorted[i], &batch);
	for (struct ledger_account *held = ledger->held; held; held = held->next)
		take(ledger, held, &batch);
	if (batch.count)
		evaluate(&batch);
}

int ctd_ledger_vendor_prepare(struct ctd_ledger *ledger)
{
	const struct ctd_vendor_counting *vendor = ledger->options.vendor;

	if (!vendor)
		return 0;
	ledger->newest.vendor = vendor;
	ledger->vendor_fetched = ctd_vendor_sums_new(vendor);
	ledger->vendor_values =
		calloc(vendor->metrics_count + 1, BATCH * sizeof(*ledger->vendor_values));
	return ledger->vendor_fetched && ledger->vendor_values ? 0 : -ENOMEM;
}

size_t ctd_vendor_view_bytes(const struct ctd_vendor_counting *vendor)
{
	if (!vendor)
		return 0;
	return vendor->metrics_count * sizeof(struct ctd_vendor_value) +
	       (counts_of(vendor) + 2 * groups_of(vendor)) * sizeof(uint64_t);
}

struct ctd_account_vendor ctd_vendor_sums_copy(const struct ctd_vendor_counting *vendor,
					       const struct ctd_vendor_sums *sums, void *memory)
{
	struct ctd_vendor_value *values = memory;
	uint64_t *numbers = (uint64_t *)&values[vendor->metrics_count];
	struct ctd_account_vendor copy = {.values = values};
	size_t groups = groups_of(vendor);

	memcpy(values, sums->values, vendor->metrics_count * sizeof(*values));
	copy.count = memcpy(numbers, sums->count, counts_of(vendor) * sizeof(*numbers));
	numbers += counts_of(vendor);
	copy.group_ns = memcpy(numbers, sums->group_ns, groups * sizeof(*numbers));
	copy.recent_ns = memcpy(numbers + groups, sums->recent_ns, groups * sizeof(*numbers));
	return copy;
}
