/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* recorded_stacks.h - stacks in the blocks of a recording: what they are called once, then counts. */
#ifndef CGTOPDOWN_RECORDED_STACKS_H
#define CGTOPDOWN_RECORDED_STACKS_H

#include <cgtopdown/stacks.h>
#include <stddef.h>
#include <stdint.h>

struct ctd_strbuf; /* base/strbuf.h */

/* Of a set of stacks how much the blocks before have. Begin with {0}, and with another set again. */
struct ctd_recorded_stacks {
	size_t modules_count, functions_count, traces_count;
};

/*
 * Appends the payload of a block CTD_RECORD_TYPE_PROFILE, or, where an event
 * was sampled, CTD_RECORD_TYPE_EVENT_PROFILE: the modules, functions and traces that
 * are not in blocks before, and all that was sampled. Once the block is written, ctd_stacks_clear()
 * keeps the next one from having it again. @return 0 or -ENOMEM; then @p recorded is as it was.
 */
int ctd_recorded_stacks_write(const struct ctd_stacks *stacks, struct ctd_recorded_stacks *recorded,
			      struct ctd_strbuf *payload);

/* At most so many modules, functions and traces each: a block with more is damaged. A writer begins
 * a new set before. */
#define CTD_RECORDED_ELEMENTS_MAX (1U << 18)

/* Collects what the blocks of one plan of counters have. */
struct ctd_stacks_reader;
int ctd_stacks_reader_new(struct ctd_stacks_reader **ret_reader);
/* Before the first block: places are told apart until their set of stacks has its lines. */
void ctd_stacks_reader_want_lines(struct ctd_stacks_reader *reader);
/* Takes the payload of a block CTD_RECORD_TYPE_LINES, with which a set ends: its stacks get their
 * lines. @return 0, -ENOMEM, or -EBADMSG: they get none. */
int ctd_stacks_reader_take_lines(struct ctd_stacks_reader *reader, const void *payload,
				 size_t bytes);
/* When all is read: what was read has its lines from now on. *ret_any: there were any. @return 0 or
 * -ENOMEM. */
int ctd_stacks_reader_add_lines(struct ctd_stacks_reader *reader, bool *ret_any);
/*
 * Adds what the payload of a block says to the reader's stacks. @return 0, -ENOMEM, or -EBADMSG
 * with what is wrong in @p ret_why, a static text. With an error, a part of it may have been added,
 * and no block that follows can be taken.
 */
int ctd_stacks_reader_take(struct ctd_stacks_reader *reader, const void *payload, size_t bytes,
			   const char **ret_why);
/* Forgets what was sampled so far; names and places stay. */
void ctd_stacks_reader_clear(struct ctd_stacks_reader *reader);
/* What was read, with lines after ctd_stacks_reader_add_lines(). NULL before the first block. */
struct ctd_stacks *ctd_stacks_reader_stacks(struct ctd_stacks_reader *reader);
void ctd_stacks_reader_free(struct ctd_stacks_reader *reader);

#endif
