/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* told.h - of which tags events were sent, and for which one is due. */
#ifndef SERVE_EVENTS_TOLD_H
#define SERVE_EVENTS_TOLD_H

#include <cgtopdown/ledger.h>
#include <cgtopdown/neighbour.h>
#include <stddef.h>
#include <stdint.h>

#include "serve/push/answer.h"

/* A victim slowed down by one mechanism has one event that it begins in so long; if the neighbour
 * is named later, one more. */
#define CTD_TOLD_PAUSE_NS 600000000000ull
/* A tag that stands is told of again: API servers keep events for an hour. */
#define CTD_TOLD_REPEAT_NS 3000000000000ull
/* Requests of this node in any minute. */
#define CTD_TOLD_PER_MINUTE 10

/* One victim and mechanism. */
struct ctd_told_tag {
	uint64_t hash; /* of victim and mechanism */
	char *key; /* owned; the victim's */
	enum ctd_mechanism mechanism;
	/* By the newest verdicts and view, which are borrowed. */
	const struct ctd_neighbour_tag *tag; /* NULL: it stands no more */
	const struct ctd_account_who *victim; /* NULL: its pod is gone */
	size_t rank; /* 0: what loses most */
	uint64_t since_ns; /* of the tag that stands, or stood last */
	const char *reason; /* it was told of with, static; NULL: it was not */
	char pod_uid[40]; /* and of which pod */
	uint64_t told_ns; /* when one began last, monotonic; 0: never */
	unsigned int count; /* events of this tag so far */
	unsigned int failures; /* of the next one */
};

/* Start from a zeroed struct. */
struct ctd_told {
	struct ctd_told_tag *tags; /* owned */
	size_t count, capacity;
	uint64_t sent_ns[CTD_TOLD_PER_MINUTE]; /* of the last requests; 0: none */
	size_t sent_next; /* of these the oldest */
	uint64_t dropped; /* events that were due, or would have been, until their time was over */
};

/* Takes what was judged by @p view, both to be kept until the next ones. Times are of the
 * monotonic clock. @return 0; -ENOMEM: a tag is missing until the next verdicts. */
int ctd_told_judge(struct ctd_told *told, const struct ctd_neighbour_verdicts *verdicts,
		   const struct ctd_ledger_view *view, uint64_t now_ns);
/* Of which an event is due: of those that failed least often the largest loss. @return NULL: none. */
struct ctd_told_tag *ctd_told_next(struct ctd_told *told, uint64_t now_ns);
/* When the next request may be sent. */
uint64_t ctd_told_ready_ns(const struct ctd_told *told);
/* A request is sent. */
void ctd_told_send(struct ctd_told *told, uint64_t now_ns);
/* What became of the event that was due. */
void ctd_told_answered(struct ctd_told *told, struct ctd_told_tag *tag,
		       enum ctd_push_verdict verdict, uint64_t now_ns);
void ctd_told_free(struct ctd_told *told);

#endif
