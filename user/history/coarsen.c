/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* coarsen.c - adds up intervals that end in the same step of the wall clock. */
#include "history/coarsen.h"

#include <errno.h>
#include <string.h>

bool ctd_coarsener_is_full(const struct ctd_coarsener *coarsener, uint64_t realtime_ns)
{
	/* The interval that ends where a step ends is the step's last one. */
	return coarsener->sum.groups_count &&
	       (coarsener->sum.realtime_ns - 1) / coarsener->step_ns !=
		       (realtime_ns - 1) / coarsener->step_ns;
}

int ctd_coarsener_add(struct ctd_coarsener *coarsener, const struct ctd_interval *interval)
{
	return ctd_interval_add(&coarsener->sum, interval);
}

void ctd_coarsener_clear(struct ctd_coarsener *coarsener)
{
	ctd_interval_free(&coarsener->sum);
}

static int write_sum(struct ctd_segment_writer *writer, struct ctd_coarsener *coarsener,
		     const struct ctd_identities *identities)
{
	int error = 0;

	if (!coarsener->sum.groups_count)
		return 0;
	error = ctd_segment_write_names(writer, &coarsener->sum, identities);
	if (!error)
		error = ctd_segment_write_interval(writer, &coarsener->sum);
	ctd_coarsener_clear(coarsener);
	return error;
}

static int take(struct ctd_segment_reader *reader, struct ctd_record_interval *coded,
		struct ctd_coarsener *coarsener, struct ctd_segment_writer *writer)
{
	struct ctd_interval interval;
	int error = ctd_segment_decode(reader, coded, &interval);

	if (error)
		return error;
	if (ctd_coarsener_is_full(coarsener, interval.realtime_ns))
		error = write_sum(writer, coarsener, reader->identities);
	if (!error)
		error = ctd_coarsener_add(coarsener, &interval);
	ctd_interval_free(&interval);
	return error;
}

/* Skips an interval whose checksum is right but whose content is invalid. */
static int take_all(struct ctd_segment_reader *reader, struct ctd_coarsener *coarsener,
		    struct ctd_segment_writer *writer, struct ctd_segment_damage *damage)
{
	struct ctd_record_interval coded;
	int result;

	while ((result = ctd_segment_next(reader, &coded)) > 0) {
		int error = take(reader, &coded, coarsener, writer);

		if (error == -EBADMSG)
			damage->lost_bytes += coded.bytes;
		else if (error)
			return error;
	}
	return result ? result : write_sum(writer, coarsener, reader->identities);
}

int ctd_coarsen(const struct ctd_strbuf *data, uint64_t step_ns, struct ctd_segment_writer *writer,
		struct ctd_record_header *header, struct ctd_strbuf *out,
		struct ctd_segment_damage *ret_damage)
{
	struct ctd_coarsener coarsener = {.step_ns = step_ns};
	struct ctd_segment_reader reader;
	int error = ctd_segment_open(data->text, data->bytes, NULL, &reader, ret_damage);

	if (error)
		return error;
	if (writer->record && !ctd_segment_is_same(header, &reader.header))
		error = -EINVAL;
	if (!error && !writer->record) {
		*header = reader.header;
		error = ctd_segment_begin(writer, header, out);
	}
	/* The table of the segment before is gone, and this one may be where that was. */
	writer->seen = NULL;
	if (!error)
		error = take_all(&reader, &coarsener, writer, ret_damage);
	ctd_coarsener_clear(&coarsener);
	ctd_segment_close(&reader);
	return error;
}
