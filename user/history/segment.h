/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* segment.h - a piece of a history: a record file of intervals, with the names that they need. */
#ifndef HISTORY_SEGMENT_H
#define HISTORY_SEGMENT_H

#include <cgtopdown/identity.h>
#include <cgtopdown/interval.h>
#include <cgtopdown/record.h>

#include "base/idmap.h"
#include "base/strbuf.h"
#include "history/interval_code.h"

/* Start from a zeroed struct. */
struct ctd_segment_writer {
	struct ctd_record_writer *record; /* owned; NULL: not begun */
	struct ctd_strbuf *text; /* borrowed; where it writes to */
	const int *l1_counters; /* of the model; NULL: none */
	struct ctd_interval_context context; /* owned */
	struct ctd_idmap names; /* cgroup id -> hash of what was last written of it */
	/* So that names are not hashed for each interval: */
	const struct ctd_identities *seen; /* borrowed; the table that names were last taken from */
	struct ctd_idmap versions; /* cgroup id -> version in that table */
};

/* All return 0 or -ENOMEM, of an interval that is too large -EFBIG; names that are too large are
 * left out. */
int ctd_segment_begin(struct ctd_segment_writer *writer, const struct ctd_record_header *header,
		      struct ctd_strbuf *text);
/* Of those of its rows that were not written before as they are now. */
int ctd_segment_write_names(struct ctd_segment_writer *writer, const struct ctd_interval *interval,
			    const struct ctd_identities *identities);
int ctd_segment_write_interval(struct ctd_segment_writer *writer,
			       const struct ctd_interval *interval);
/* Were they counted in the same way? Then their intervals can be added up. */
bool ctd_segment_is_same(const struct ctd_record_header *a, const struct ctd_record_header *b);
void ctd_segment_end(struct ctd_segment_writer *writer);

/* What is wrong with a segment. */
struct ctd_segment_damage {
	/* Of ctd_segment_span() with what cannot be read behind what is damaged; of
	 * ctd_segment_open() without. */
	uint64_t lost_bytes;
	bool at_end; /* that is all: it ends in the middle of a block, as the writer was killed */
	char why[160]; /* of the first one; "": nothing is wrong */
};

/* A segment that is read: its names first, then its intervals, in order. */
struct ctd_segment_reader {
	struct ctd_record_header header;
	struct ctd_identities *identities; /* owned, unless `borrowed` */
	bool borrowed;
	struct ctd_record_reader *record; /* owned */
	const void *data; /* borrowed */
	size_t bytes;
	const int *l1_counters; /* of the model; NULL: none */
	struct ctd_interval_context context; /* owned; as of the last one that was decoded */
};

/* @p data must outlive the reader. @p identities: takes the names, of segments of one boot; NULL:
 * the reader has a table of its own. @return 0; -EBADMSG: nothing can be read, as of a file of
 * another version, and damage says why; or other negative errno. */
int ctd_segment_open(const void *data, size_t bytes, struct ctd_identities *identities,
		     struct ctd_segment_reader *ret_reader, struct ctd_segment_damage *ret_damage);
/* The next interval, as it is coded. What is damaged is passed over, without a word.
 * @return 1, 0 at the end, or negative errno. */
int ctd_segment_next(struct ctd_segment_reader *reader, struct ctd_record_interval *ret_interval);
/* Of each one, in order. @return as ctd_interval_decode(). */
int ctd_segment_decode(struct ctd_segment_reader *reader, const struct ctd_record_interval *coded,
		       struct ctd_interval *ret_interval);
/* From the earliest to the latest time that can be read, without its names. @return as
 * ctd_segment_open(); of one without intervals both are 0. */
int ctd_segment_span(const void *data, size_t bytes, uint64_t *ret_begin_ns, uint64_t *ret_end_ns,
		     struct ctd_segment_damage *ret_damage);
void ctd_segment_close(struct ctd_segment_reader *reader);

#endif
