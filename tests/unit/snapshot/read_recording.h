/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* read_recording.h - reads recordings, and compares the items of the sample with what was written. */
#ifndef TESTS_UNIT_SNAPSHOT_READ_RECORDING_H
#define TESTS_UNIT_SNAPSHOT_READ_RECORDING_H

#include <errno.h>

#include "recording.h"

/* What a reader found until it ended. */
struct found {
	int result; /* 0, or the error that ended it */
	int items;
	char why[160];
};

static inline void check_name(const struct ctd_record_name *name, uint64_t cgroup_id, uint32_t pid,
			      uint32_t removed, const char *text)
{
	assert_int_equal(name->cgroup_id, cgroup_id);
	assert_int_equal(name->pid, pid);
	assert_int_equal(name->removed, removed);
	assert_string_equal(name->text, text);
}

static inline void check_snapshot(const struct ctd_snapshot *got)
{
	struct ctd_snapshot want = sample_snapshot(1);

	assert_int_equal(got->sequence, want.sequence);
	assert_int_equal(got->realtime_ns, want.realtime_ns);
	assert_int_equal(got->monotonic_ns, want.monotonic_ns);
	assert_int_equal(got->counters_count, want.counters_count);
	assert_int_equal(got->lost_events, want.lost_events);
	assert_int_equal(got->rows_count, want.rows_count);
	assert_int_equal(got->cpus_count, want.cpus_count);
	assert_memory_equal(got->core_type_groups, want.core_type_groups,
			    sizeof(want.core_type_groups));
	/* What padding they have is 0. */
	assert_memory_equal(got->rows, want.rows, want.rows_count * sizeof(*want.rows));
	assert_memory_equal(got->cpus, want.cpus, want.cpus_count * sizeof(*want.cpus));
}

static inline void check_plan(const struct ctd_record_header *header)
{
	assert_string_equal(header->host, "host");
	assert_string_equal(header->source, "none");
	assert_string_equal(header->model, "");
	assert_int_equal(header->counters_count, 0);
	assert_int_equal(header->groups_count, 1);
	assert_int_equal(header->ipc, 0);
	assert_int_equal(header->core_types_count, 0);
	assert_string_equal(header->core_types[0].name, "");
}

static inline void check_item(int index, const struct ctd_record_item *item)
{
	static const enum ctd_record_kind kinds[SAMPLE_ITEMS] = {
		CTD_RECORD_NAME,     CTD_RECORD_NAME,  CTD_RECORD_SNAPSHOT, CTD_RECORD_NAME,
		CTD_RECORD_SNAPSHOT, CTD_RECORD_FACTS, CTD_RECORD_PLAN,	    CTD_RECORD_SNAPSHOT,
		CTD_RECORD_PROFILE,  CTD_RECORD_TASK,
	};
	const struct ctd_record_name *name = &item->name;
	const struct ctd_record_facts *facts = &item->facts;
	const struct ctd_snapshot *snapshot = &item->snapshot;

	assert_in_range(index, 0, SAMPLE_ITEMS - 1);
	assert_int_equal(item->kind, kinds[index]);
	switch (index) {
	case 0:
		check_name(name, 7, 0, 0, "/a.slice");
		break;
	case 1:
		check_name(name, 0, 31, 0, "sh");
		break;
	case 2:
		check_snapshot(snapshot);
		break;
	case 3:
		check_name(name, 7, 0, 1, "");
		break;
	case 4:
		assert_int_equal(snapshot->sequence, 2);
		assert_int_equal(snapshot->rows_count, 0);
		assert_int_equal(snapshot->cpus_count, 0);
		assert_int_equal(snapshot->plan, 0);
		break;
	case 5:
		assert_int_equal(facts->cgroup_id, 7);
		assert_int_equal(facts->bytes, sizeof(SAMPLE_PAIRS));
		assert_memory_equal(facts->pairs, SAMPLE_PAIRS, sizeof(SAMPLE_PAIRS));
		break;
	case 6:
		check_plan(&item->header);
		break;
	case 7:
		assert_int_equal(snapshot->sequence, 3);
		assert_int_equal(snapshot->plan, 1);
		assert_int_equal(snapshot->groups_count, 1);
		assert_int_equal(snapshot->core_type_groups[0], 0);
		break;
	case 8:
		assert_int_equal(item->profile.bytes, 6);
		assert_memory_equal(item->profile.payload, "stacks", 6);
		break;
	case 9:
		assert_int_equal(item->task.task, 32);
		assert_int_equal(item->task.process, 31);
		break;
	}
}

/* Reads everything; each item must be the one that write_sample() wrote in its place. */
static inline struct found read_all(struct ctd_record_reader *reader)
{
	struct found found = {0};

	for (;;) {
		struct ctd_record_item item;

		found.result = ctd_record_next(reader, &item, found.why);
		if (found.result < 0 || item.kind == CTD_RECORD_END)
			return found;
		check_item(found.items, &item);
		found.items++;
		if (item.kind == CTD_RECORD_SNAPSHOT)
			ctd_snapshot_free(&item.snapshot);
	}
}

/* A reader of what is good so far. It borrows the recording. */
static inline struct ctd_record_reader *open_recording(const struct recording *recording)
{
	struct ctd_record_header header;
	struct ctd_record_reader *reader;
	char why[160];

	assert_int_equal(ctd_record_open_memory(recording->data, recording->bytes, &header, &reader,
						why),
			 0);
	return reader;
}

/* The next item, which is a snapshot: the caller's. */
static inline struct ctd_snapshot next_snapshot(struct ctd_record_reader *reader)
{
	struct ctd_record_item item;
	char why[160];

	assert_int_equal(ctd_record_next(reader, &item, why), 0);
	assert_int_equal(item.kind, CTD_RECORD_SNAPSHOT);
	return item.snapshot;
}

/* The reader is freed, too. */
static inline void close_recording(struct recording *recording, struct ctd_record_reader *reader)
{
	ctd_record_reader_free(reader);
	free(recording->data);
}

static inline struct found read_memory(const void *data, size_t bytes)
{
	struct ctd_record_header header;
	struct ctd_record_reader *reader = NULL;
	struct found found = {0};
	/* Of exact size, so that the address sanitizer sees a byte read too many. */
	unsigned char *copy = malloc(bytes > 0 ? bytes : 1);

	assert_non_null(copy);
	memcpy(copy, data, bytes);
	found.result = ctd_record_open_memory(copy, bytes, &header, &reader, found.why);
	if (!found.result)
		found = read_all(reader);
	ctd_record_reader_free(reader);
	free(copy);
	return found;
}

static inline void expect_refused(const void *data, size_t bytes, const char *why)
{
	struct found found = read_memory(data, bytes);

	assert_int_equal(found.result, -EBADMSG);
	if (!strstr(found.why, why))
		fail_msg("'%s' does not say '%s'", found.why, why);
}

#endif
