/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_record.c - no file makes the reader of recordings, or what is made of it behind it, crash. */
#include <cgtopdown/record.h>
#include <cgtopdown/report.h>

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/snapshot/recording.h"
#include "base/auto.h"
#include "identity/lookup/pairs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* What the reader hands out keeps the promises of the contract. */
static void check_snapshot(const struct ctd_snapshot *snapshot,
			   const struct ctd_record_header *header)
{
	assert(snapshot->counters_count == header->counters_count);
	assert(snapshot->counters_count <= CTD_COUNTERS_MAX);
	assert(ctd_snapshot_is_ordered(snapshot));
}

/* Pairs that the reader lets through may be wrong in what they say, but are pairs. */
static void take_facts(const struct ctd_record_facts *facts)
{
	auto_ctd_strbuf struct ctd_strbuf pairs = {0}, again = {0};
	struct ctd_names names;

	assert(facts->cgroup_id && facts->bytes <= CTD_RECORD_FACTS_BYTES_MAX);
	if (ctd_names_from_pairs(facts->pairs, facts->bytes, &names))
		return;
	ctd_names_to_pairs(&names, &pairs);
	ctd_names_free(&names);
	assert(!ctd_names_from_pairs(pairs.text, pairs.bytes, &names));
	ctd_names_to_pairs(&names, &again);
	ctd_names_free(&names);
	assert(pairs.bytes == again.bytes);
}

static void subtract(const struct ctd_snapshot *before, const struct ctd_snapshot *after,
		     struct ctd_interval *sum)
{
	static const int l1_counters[4] = {1, 2, 3, 4};
	struct ctd_interval interval;

	if (!ctd_interval_make(before, after, l1_counters, &interval)) {
		assert(interval.rows_count <= after->rows_count);
		assert(!ctd_interval_add(sum, &interval));
		assert(sum->rows_count >= interval.rows_count);
		ctd_interval_free(&interval);
	}
}

/* As a replay does it: rows have just the counts that header and snapshots agree on. */
static void report(const struct ctd_interval *interval, const struct ctd_record_header *header,
		   const struct ctd_identities *identities)
{
	const struct ctd_rollup_options options = {.by = CTD_GROUP_CONTAINER};
	const struct ctd_report_options shown = {.top = 2};
	struct ctd_rollup_plan *plan;
	struct ctd_rollup rollup;
	struct ctd_report report;
	const char *unknown;

	if (ctd_rollup_plan_new(header, &plan, &unknown))
		return;
	if (!ctd_rollup_make(plan, interval, identities, &options, &rollup)) {
		if (!ctd_report_make(&rollup, NULL, NULL, &shown, &report))
			ctd_report_free(&report);
		ctd_rollup_free(&rollup);
	}
	ctd_rollup_plan_free(plan);
}

/* What the first snapshot of a plan is subtracted from. */
static struct ctd_snapshot nothing_of(const struct ctd_record_header *header, uint32_t plan)
{
	return (struct ctd_snapshot){.plan = plan,
				     .counters_count = header->counters_count,
				     .groups_count = header->groups_count};
}

/* A new plan begins a new interval. */
static void take_plan(const struct ctd_record_header *plan, const struct ctd_identities *identities,
		      struct ctd_record_header *header, struct ctd_interval *sum)
{
	if (sum->groups_count)
		report(sum, header, identities);
	ctd_interval_free(sum);
	*header = *plan;
}

static void read_record(const uint8_t *data, size_t bytes)
{
	struct ctd_snapshot before;
	struct ctd_interval sum = {0};
	struct ctd_record_header header;
	struct ctd_record_reader *reader;
	struct ctd_record_item item;
	struct ctd_identities *identities;
	uint32_t plans = 0;
	char why[160] = "";
	int result;

	result = ctd_record_open_memory(data, bytes, &header, &reader, why);
	if (result < 0) {
		assert(result == -EBADMSG && why[0]);
		return;
	}
	assert(!ctd_identities_new(&identities));
	before = nothing_of(&header, 0);
	while (!(result = ctd_record_next(reader, &item, why)) && item.kind != CTD_RECORD_END) {
		if (item.kind == CTD_RECORD_PLAN) {
			take_plan(&item.header, identities, &header, &sum);
			ctd_snapshot_free(&before);
			before = nothing_of(&header, ++plans);
		} else if (item.kind == CTD_RECORD_NAME) {
			assert(strlen(item.name.text) <= CTD_RECORD_TEXT_BYTES_MAX);
			if (item.name.cgroup_id)
				ctd_identities_add(identities, item.name.cgroup_id, item.name.text);
		} else if (item.kind == CTD_RECORD_FACTS) {
			take_facts(&item.facts);
		} else {
			check_snapshot(&item.snapshot, &header);
			subtract(&before, &item.snapshot, &sum);
			ctd_snapshot_free(&before);
			before = item.snapshot;
		}
	}
	assert(!result || (result == -EBADMSG && why[0]));
	if (sum.groups_count)
		report(&sum, &header, identities);
	ctd_snapshot_free(&before);
	ctd_interval_free(&sum);
	ctd_identities_free(identities);
	ctd_record_reader_free(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	autofree uint8_t *sealed = malloc(bytes + 1);
	size_t whole;

	if (!sealed)
		return 0;
	read_record(data, bytes);
	/* Again with right checksums, which hide everything behind them from a fuzzer. */
	memcpy(sealed, data, bytes);
	for (size_t offset = CTD_RECORD_PROLOGUE_BYTES;
	     (whole = block_bytes(sealed, bytes, offset)) > 0; offset += whole)
		seal_block(sealed, bytes, offset);
	read_record(sealed, bytes);
	return 0;
}
