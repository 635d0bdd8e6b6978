/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_record.c - no file makes the reader of recordings, or what is made of it behind it, crash. */
#include <cgtopdown/profile.h>
#include <cgtopdown/record.h>
#include <cgtopdown/recorded_stacks.h>
#include <cgtopdown/report.h>
#include <cgtopdown/sink.h>

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "identity/lookup/pairs.h"
#include "sealed.h"
#include "vendor/recorded.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* What a row has of all caches is its time. */
static void check_parts(const struct ctd_caches *caches, const uint64_t *cache_ns,
			uint64_t oncpu_ns)
{
	uint64_t sum_ns = 0;

	for (uint32_t i = 0; i < ctd_caches_parts(caches); i++)
		sum_ns += cache_ns[i];
	assert(!caches->count || sum_ns == oncpu_ns);
}

static void check_caches(const struct ctd_snapshot *snapshot)
{
	uint32_t parts = ctd_caches_parts(&snapshot->caches);

	assert(!snapshot->cache_ns == !parts && parts <= CTD_CACHE_PARTS_MAX);
	for (size_t i = 0; parts && i < snapshot->rows_count; i++)
		check_parts(&snapshot->caches, &snapshot->cache_ns[i * parts],
			    snapshot->rows[i].oncpu_ns);
}

static void check_caches_of_interval(const struct ctd_interval *interval)
{
	for (size_t i = 0; i < interval->rows_count; i++) {
		const struct ctd_interval_row *row = &interval->rows[i];

		assert(!row->cache_ns == !interval->caches.count);
		check_parts(&interval->caches, row->cache_ns, row->oncpu_ns);
	}
}

/* What the reader hands out keeps the promises of the contract. */
static void check_snapshot(const struct ctd_snapshot *snapshot,
			   const struct ctd_record_header *header)
{
	assert(snapshot->counters_count == header->counters_count);
	assert(snapshot->counters_count <= CTD_COUNTERS_MAX);
	assert(ctd_snapshot_is_ordered(snapshot));
	assert(snapshot->latencies.core_types_count <= CTD_CORE_TYPES_MAX &&
	       snapshot->latencies.count <= CTD_LATENCIES_MAX);
	check_caches(snapshot);
	for (size_t i = 1; i < snapshot->pairs.count; i++)
		assert(ctd_pair_compare(&snapshot->pairs.items[i - 1], &snapshot->pairs.items[i]) <
		       0);
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
		check_caches_of_interval(&interval);
		assert(!ctd_interval_add(sum, &interval));
		check_caches_of_interval(sum);
		assert(sum->rows_count >= interval.rows_count);
		ctd_interval_free(&interval);
	}
}

/* Whatever the stacks say, they add up to the rows; those of an event have neither time nor slots. */
static void check_profile(const struct ctd_profile *profile)
{
	bool of_event = *profile->stacks->event.name;

	for (size_t i = 0; i < profile->rows_count; i++) {
		uint64_t cpu_ns = 0, slots = 0, events = 0;

		for (size_t k = 0; k < profile->rows[i].stacks_count; k++) {
			cpu_ns += profile->rows[i].stacks[k].cpu_ns;
			slots += profile->rows[i].stacks[k].slots;
			events += profile->rows[i].stacks[k].events;
		}
		assert(events == profile->rows[i].events && (of_event || !events));
		assert(of_event ? !cpu_ns && !slots
				: cpu_ns == profile->rows[i].cpu_ns &&
					  slots == profile->rows[i].slots);
	}
}

static void weigh(const struct ctd_stacks *stacks, const struct ctd_interval *interval,
		  const struct ctd_rollup *rollup)
{
	struct ctd_profile profile;

	if (!stacks || ctd_profile_make(stacks, interval, rollup, &profile))
		return;
	check_profile(&profile);
	ctd_profile_free(&profile);
}

/* In every way: names, counts and metrics of the file are in it. */
static void write_report(const struct ctd_report *report)
{
	for (size_t i = 0; ctd_sinks[i]; i++) {
		struct ctd_sink_options options = {.width = 80};
		char *text = NULL;
		size_t bytes = 0;

		options.out = open_memstream(&text, &bytes);
		assert(options.out);
		assert(!ctd_sinks[i]->write(&options, report, true));
		fclose(options.out);
		assert(bytes);
		free(text);
	}
}

/* As a replay does it: rows have just the counts that header and snapshots agree on. */
static void report(const struct ctd_interval *interval, const struct ctd_record_header *header,
		   const struct ctd_identities *identities, const struct ctd_stacks *stacks,
		   const struct ctd_vendor_countings *vendor)
{
	const struct ctd_rollup_options options = {.by = header->by ? CTD_GROUP_PROCESS
								    : CTD_GROUP_CONTAINER};
	const struct ctd_report_options shown = {.top = 2, .vendor = vendor};
	struct ctd_rollup_plan *plan;
	struct ctd_rollup rollup;
	struct ctd_report report;
	const char *unknown;

	if (ctd_rollup_plan_new(header, &plan, &unknown))
		return;
	if (!ctd_rollup_make(plan, interval, identities, &options, &rollup)) {
		if (!ctd_report_make(&rollup, NULL, NULL, &shown, &report)) {
			write_report(&report);
			ctd_report_free(&report);
		}
		weigh(stacks, interval, &rollup);
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

/* What is open of a recording. */
struct replay {
	struct ctd_record_header header;
	struct ctd_identities *identities; /* owned */
	struct ctd_interval sum; /* owned */
	struct ctd_stacks_reader *stacks; /* owned */
	struct ctd_vendor_recorded *vendor[CTD_CORE_TYPES_MAX]; /* owned; NULL: none */
	struct ctd_vendor_countings countings; /* owned; of `vendor` */
	struct ctd_snapshot before; /* owned */
	uint32_t plans;
};

static void report_all(const struct replay *replay)
{
	bool any;

	if (ctd_stacks_reader_stacks(replay->stacks))
		assert(!ctd_stacks_reader_add_lines(replay->stacks, &any));
	if (replay->sum.groups_count)
		report(&replay->sum, &replay->header, replay->identities,
		       ctd_stacks_reader_stacks(replay->stacks),
		       replay->countings.core_types_count ? &replay->countings : NULL);
}

/* A new plan begins a new interval. */
static void begin_plan(struct replay *replay, const struct ctd_record_header *plan)
{
	replay->header = *plan;
	ctd_interval_free(&replay->sum);
	ctd_snapshot_free(&replay->before);
	ctd_stacks_reader_free(replay->stacks);
	assert(!ctd_stacks_reader_new(&replay->stacks));
	ctd_stacks_reader_want_lines(replay->stacks);
	replay->before = nothing_of(plan, replay->plans++);
}

/* One that is damaged says why, and ends the profile. */
static int take_profile(struct replay *replay, const struct ctd_record_profile *profile)
{
	const char *why = NULL;
	int result = ctd_stacks_reader_take(replay->stacks, profile->payload, profile->bytes, &why);

	assert(!result || (result == -EBADMSG && why && *why));
	return result;
}

/* One that is damaged costs lines. */
static void take_lines(struct replay *replay, const struct ctd_record_profile *lines)
{
	int result = ctd_stacks_reader_take_lines(replay->stacks, lines->payload, lines->bytes);

	assert(!result || result == -EBADMSG);
}

/* Also one of other counters than the plan's: a report does without. */
static int take_vendor(struct replay *replay, const struct ctd_record_vendor *vendor)
{
	struct ctd_vendor_countings *countings = &replay->countings;
	struct ctd_vendor_recorded *recorded = NULL;
	const char *why = NULL;
	int result = ctd_vendor_recorded_new(vendor->payload, vendor->bytes, &recorded, &why);

	assert(!result || (result == -EBADMSG && why && *why));
	assert(vendor->core_type < CTD_CORE_TYPES_MAX);
	ctd_vendor_recorded_free(replay->vendor[vendor->core_type]);
	replay->vendor[vendor->core_type] = recorded;
	countings->of[vendor->core_type] = recorded ? &recorded->counting : NULL;
	if (countings->core_types_count <= (int)vendor->core_type)
		countings->core_types_count = (int)vendor->core_type + 1;
	assert(!ctd_vendor_countings_join(countings));
	return result;
}

static void free_vendor(struct replay *replay)
{
	ctd_vendor_countings_free(&replay->countings);
	for (int type = 0; type < CTD_CORE_TYPES_MAX; type++)
		ctd_vendor_recorded_free(replay->vendor[type]);
}

static int take_item(struct replay *replay, struct ctd_record_item *item)
{
	switch (item->kind) {
	case CTD_RECORD_PLAN:
		report_all(replay);
		begin_plan(replay, &item->header);
		break;
	case CTD_RECORD_NAME:
		assert(strlen(item->name.text) <= CTD_RECORD_TEXT_BYTES_MAX);
		if (item->name.cgroup_id)
			ctd_identities_add(replay->identities, item->name.cgroup_id,
					   item->name.text);
		break;
	case CTD_RECORD_TASK:
		assert(item->task.task && item->task.process);
		ctd_identities_set_process(replay->identities, item->task.task, item->task.process);
		break;
	case CTD_RECORD_FACTS:
		take_facts(&item->facts);
		break;
	case CTD_RECORD_PROFILE:
		return take_profile(replay, &item->profile);
	case CTD_RECORD_LINES:
		take_lines(replay, &item->profile);
		break;
	case CTD_RECORD_VENDOR:
		return take_vendor(replay, &item->vendor);
	case CTD_RECORD_INTERVAL: /* of a history: fuzz_history */
	case CTD_RECORD_END:
		break;
	case CTD_RECORD_SNAPSHOT:
		check_snapshot(&item->snapshot, &replay->header);
		subtract(&replay->before, &item->snapshot, &replay->sum);
		ctd_snapshot_free(&replay->before);
		replay->before = item->snapshot;
	}
	return 0;
}

static void read_record(const uint8_t *data, size_t bytes)
{
	struct replay replay = {0};
	struct ctd_record_header header;
	struct ctd_record_reader *reader;
	struct ctd_record_item item;
	char why[160] = "";
	int result = ctd_record_open_memory(data, bytes, &header, &reader, why);

	if (result < 0) {
		assert(result == -EBADMSG && why[0]);
		return;
	}
	assert(!ctd_identities_new(&replay.identities));
	begin_plan(&replay, &header);
	while (!(result = ctd_record_next(reader, &item, why)) && item.kind != CTD_RECORD_END)
		if (take_item(&replay, &item))
			break;
	assert(!result || (result == -EBADMSG && why[0]));
	report_all(&replay);
	ctd_snapshot_free(&replay.before);
	ctd_interval_free(&replay.sum);
	ctd_stacks_reader_free(replay.stacks);
	free_vendor(&replay);
	ctd_identities_free(replay.identities);
	ctd_record_reader_free(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	read_sealed_too(data, bytes, read_record);
	return 0;
}
