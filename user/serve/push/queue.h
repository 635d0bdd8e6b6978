/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* queue.h - requests that wait to be sent: bounded, the oldest go first, and are dropped first. */
#ifndef SERVE_PUSH_QUEUE_H
#define SERVE_PUSH_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Totals only grow: what is lost with a dropped request is resolution. */
struct ctd_push_request {
	struct ctd_push_request *next;
	uint64_t sequence; /* of its view */
	unsigned int part; /* 0, 1, ... of the view */
	bool last; /* part of the view */
	size_t bytes;
	char *data; /* owned */
};

struct ctd_push_queue {
	size_t requests_max, bytes_max; /* set by the owner */
	struct ctd_push_request *first, *last; /* owned */
	size_t requests, bytes;
	uint64_t dropped;
	uint64_t acknowledged; /* the newest view all of whose parts were taken */
	/* The view whose parts are being taken, without one missing, and how many were. */
	uint64_t whole_sequence;
	unsigned int whole_parts;
};

/* Takes @p request. Drops the oldest while there are too many, but none of the same view: however
 * large a view is, it can be sent whole. */
void ctd_push_queue_add(struct ctd_push_queue *queue, struct ctd_push_request *request);
/* The first request is done with; @p taken: all of it reached the receiver. */
void ctd_push_queue_done(struct ctd_push_queue *queue, bool taken);
/* Drops the messages of views before @p sequence. */
void ctd_push_queue_drop_before(struct ctd_push_queue *queue, uint64_t sequence);
void ctd_push_request_free(struct ctd_push_request *request);

#endif
