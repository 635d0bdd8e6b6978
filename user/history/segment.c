/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* segment.c - writes and reads pieces of a history, as far as they are whole. */
#include "history/segment.h"

#include <cgtopdown/metric.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/hash.h"
#include "history/interval_code.h"
#include "identity/lookup/pairs.h"

static const int *l1_counters_of(const struct ctd_record_header *header)
{
	const struct ctd_cpu_model *model = ctd_cpu_model_find(header->model);

	return model ? model->l1_counters : NULL;
}

int ctd_segment_begin(struct ctd_segment_writer *writer, const struct ctd_record_header *header,
		      struct ctd_strbuf *text)
{
	writer->text = text;
	writer->l1_counters = l1_counters_of(header);
	return ctd_record_begin_text(text, header, &writer->record);
}

static int set_version(struct ctd_segment_writer *writer, const struct ctd_identity *identity)
{
	return ctd_idmap_set(&writer->versions, identity->cgroup_id, (uintptr_t)identity->version);
}

static int write_identity(struct ctd_segment_writer *writer, const struct ctd_identity *identity)
{
	const struct ctd_record_name name = {.cgroup_id = identity->cgroup_id,
					     .text = identity->path};
	auto_ctd_strbuf struct ctd_strbuf pairs = {0};
	struct ctd_record_facts facts = {.cgroup_id = identity->cgroup_id};
	uintptr_t hash, written;
	int error;

	if (ctd_idmap_get(&writer->versions, identity->cgroup_id, &written) &&
	    written == (uintptr_t)identity->version)
		return 0;
	ctd_names_to_pairs(&identity->names, &pairs);
	if (pairs.failed)
		return -ENOMEM;
	hash = (uintptr_t)ctd_hash(identity->path, strlen(identity->path)) * 31 +
	       (uintptr_t)ctd_hash(pairs.text, pairs.bytes);
	if (ctd_idmap_get(&writer->names, identity->cgroup_id, &written) && written == hash)
		return set_version(writer, identity);
	error = ctd_record_write_name(writer->record, &name);
	facts.pairs = pairs.text;
	facts.bytes = pairs.bytes;
	if (!error && pairs.bytes)
		error = ctd_record_write_facts(writer->record, &facts);
	if (error != -ENOMEM)
		error = ctd_idmap_set(&writer->names, identity->cgroup_id, hash);
	return error ? error : set_version(writer, identity);
}

int ctd_segment_write_names(struct ctd_segment_writer *writer, const struct ctd_interval *interval,
			    const struct ctd_identities *identities)
{
	int error = 0;

	if (writer->seen != identities)
		ctd_idmap_free(&writer->versions);
	writer->seen = identities;
	for (size_t i = 0; !error && i < interval->rows_count; i++) {
		const struct ctd_interval_row *row = &interval->rows[i];
		const struct ctd_identity *identity =
			row->kind == CTD_ROW_CGROUP ? ctd_identities_get(identities, row->cgroup_id)
						    : NULL;

		if (identity)
			error = write_identity(writer, identity);
	}
	return error;
}

int ctd_segment_write_interval(struct ctd_segment_writer *writer,
			       const struct ctd_interval *interval)
{
	auto_ctd_strbuf struct ctd_strbuf payload = {0};
	struct ctd_record_interval coded;
	int error = ctd_interval_encode(&writer->context, interval, writer->l1_counters, &payload);

	if (error)
		return error;
	coded = (struct ctd_record_interval){.payload = payload.text, .bytes = payload.bytes};
	error = ctd_record_write_interval(writer->record, &coded);
	/* What is not there cannot be followed. */
	if (error)
		ctd_interval_context_free(&writer->context);
	return error;
}

void ctd_segment_end(struct ctd_segment_writer *writer)
{
	ctd_record_close(writer->record);
	ctd_interval_context_free(&writer->context);
	ctd_idmap_free(&writer->names);
	ctd_idmap_free(&writer->versions);
	*writer = (struct ctd_segment_writer){0};
}

static int open_record(struct ctd_segment_reader *reader, char why[160])
{
	return ctd_record_open_memory(reader->data, reader->bytes, &reader->header, &reader->record,
				      why);
}

/* As files have them: what is not in there does not count. */
bool ctd_segment_is_same(const struct ctd_record_header *a, const struct ctd_record_header *b)
{
	auto_ctd_strbuf struct ctd_strbuf text_a = {0}, text_b = {0};
	struct ctd_record_writer *writer_a = NULL, *writer_b = NULL;
	bool same = !ctd_record_begin_text(&text_a, a, &writer_a) &&
		    !ctd_record_begin_text(&text_b, b, &writer_b) && text_a.bytes == text_b.bytes &&
		    memcmp(text_a.text, text_b.text, text_a.bytes) == 0;

	ctd_record_close(writer_a);
	ctd_record_close(writer_b);
	return same;
}

/* The next item. What is damaged is added to @p damage. @return 1, 0 at the end, -EBADMSG: another
 * version wrote what follows; or other negative errno. */
static int next_item(struct ctd_segment_reader *reader, struct ctd_record_item *ret_item,
		     struct ctd_segment_damage *damage)
{
	for (;;) {
		bool first = !*damage->why;
		char why[160] = "";
		uint64_t lost = 0;
		int error = ctd_record_next(reader->record, ret_item, why);

		if (error != -EBADMSG)
			return error ? error : ret_item->kind != CTD_RECORD_END;
		if (first || ctd_record_is_refused(reader->record))
			memcpy(damage->why, why, sizeof(damage->why));
		if (ctd_record_is_refused(reader->record))
			return error;
		error = ctd_record_resume(reader->record, &lost);
		damage->lost_bytes += lost;
		damage->at_end = first && error == -ENODATA && strncmp(why, "cut off", 7) == 0;
		if (error)
			return error == -ENODATA ? 0 : error;
	}
}

static int take_facts(struct ctd_identities *identities, const struct ctd_record_facts *facts)
{
	struct ctd_names names;
	int error = ctd_names_from_pairs(facts->pairs, facts->bytes, &names);

	if (!error)
		ctd_identities_set_names(identities, facts->cgroup_id, &names, CTD_QOS_UNKNOWN,
					 true);
	return error == -ENOMEM ? error : 0;
}

/* Keeps what an item says of names; other items are skipped. */
static int take_item(struct ctd_segment_reader *reader, struct ctd_record_item *item)
{
	if (item->kind == CTD_RECORD_SNAPSHOT)
		ctd_snapshot_free(&item->snapshot);
	if (item->kind == CTD_RECORD_NAME && item->name.cgroup_id)
		return ctd_identities_add(reader->identities, item->name.cgroup_id,
					  item->name.text);
	return item->kind == CTD_RECORD_FACTS ? take_facts(reader->identities, &item->facts) : 0;
}

static int take_names(struct ctd_segment_reader *reader, struct ctd_segment_damage *damage)
{
	int result = reader->borrowed ? 0 : ctd_identities_new(&reader->identities);

	while (!result) {
		struct ctd_record_item item;

		result = next_item(reader, &item, damage);
		if (result <= 0)
			return result;
		result = take_item(reader, &item);
	}
	return result;
}

int ctd_segment_open(const void *data, size_t bytes, struct ctd_identities *identities,
		     struct ctd_segment_reader *ret_reader, struct ctd_segment_damage *ret_damage)
{
	struct ctd_segment_reader reader = {
		.data = data, .bytes = bytes, .identities = identities, .borrowed = identities};
	char why[160];
	int error;

	*ret_damage = (struct ctd_segment_damage){0};
	error = open_record(&reader, ret_damage->why);
	if (error)
		return error;
	error = take_names(&reader, ret_damage);
	ctd_record_reader_free(take_ptr(reader.record));
	if (!error)
		error = open_record(&reader, why);
	if (error) {
		ctd_segment_close(&reader);
		return error;
	}
	reader.l1_counters = l1_counters_of(&reader.header);
	*ret_reader = reader;
	return 0;
}

int ctd_segment_next(struct ctd_segment_reader *reader, struct ctd_record_interval *ret_interval)
{
	struct ctd_segment_damage ignored = {0};

	for (;;) {
		struct ctd_record_item item;
		int result = next_item(reader, &item, &ignored);

		if (result <= 0)
			return result;
		if (item.kind == CTD_RECORD_SNAPSHOT)
			ctd_snapshot_free(&item.snapshot);
		/* Another plan is another segment: what follows cannot be understood. */
		if (item.kind == CTD_RECORD_PLAN)
			return 0;
		if (item.kind != CTD_RECORD_INTERVAL)
			continue;
		*ret_interval = item.interval;
		return 1;
	}
}

int ctd_segment_decode(struct ctd_segment_reader *reader, const struct ctd_record_interval *coded,
		       struct ctd_interval *ret_interval)
{
	return ctd_interval_decode(&reader->context, coded->payload, coded->bytes, &reader->header,
				   reader->l1_counters, ret_interval);
}

/* A clock that steps back makes the last one end before others. */
static void add_to_span(const struct ctd_interval_time *time, uint64_t *begin_ns, uint64_t *end_ns)
{
	uint64_t since_ns =
		time->window_ns < time->realtime_ns ? time->realtime_ns - time->window_ns : 0;

	if (!*end_ns || since_ns < *begin_ns)
		*begin_ns = since_ns;
	if (time->realtime_ns > *end_ns)
		*end_ns = time->realtime_ns;
}

/* Behind a lost interval the rest of its chain cannot be read. @p last_ns: end of the last one that
 * can be; 0: none of the chain. */
static bool can_be_read(const struct ctd_interval_time *time, uint64_t *last_ns)
{
	bool can = !time->after_ns || time->after_ns == *last_ns;

	*last_ns = can ? time->realtime_ns : 0;
	return can;
}

int ctd_segment_span(const void *data, size_t bytes, uint64_t *ret_begin_ns, uint64_t *ret_end_ns,
		     struct ctd_segment_damage *ret_damage)
{
	struct ctd_segment_reader reader = {.data = data, .bytes = bytes};
	struct ctd_interval_time time;
	struct ctd_record_item item;
	uint64_t last_ns = 0;
	int result;

	*ret_damage = (struct ctd_segment_damage){0};
	*ret_begin_ns = *ret_end_ns = 0;
	result = open_record(&reader, ret_damage->why);
	if (result)
		return result;
	while ((result = next_item(&reader, &item, ret_damage)) > 0) {
		if (item.kind == CTD_RECORD_SNAPSHOT)
			ctd_snapshot_free(&item.snapshot);
		if (item.kind != CTD_RECORD_INTERVAL ||
		    ctd_interval_decode_time(item.interval.payload, item.interval.bytes, &time))
			continue;
		if (can_be_read(&time, &last_ns))
			add_to_span(&time, ret_begin_ns, ret_end_ns);
		else
			ret_damage->lost_bytes += item.interval.bytes;
	}
	ctd_segment_close(&reader);
	return result;
}

void ctd_segment_close(struct ctd_segment_reader *reader)
{
	ctd_record_reader_free(reader->record);
	ctd_interval_context_free(&reader->context);
	if (!reader->borrowed)
		ctd_identities_free(reader->identities);
	*reader = (struct ctd_segment_reader){0};
}
