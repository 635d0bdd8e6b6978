/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* queue.c - keeps the newest requests, and knows which view was taken whole. */
#include "serve/push/queue.h"

#include <stdlib.h>

static struct ctd_push_request *take_first(struct ctd_push_queue *queue)
{
	struct ctd_push_request *first = queue->first;

	queue->first = first->next;
	if (!queue->first)
		queue->last = NULL;
	queue->requests--;
	queue->bytes -= first->bytes;
	return first;
}

static void drop_first(struct ctd_push_queue *queue)
{
	ctd_push_request_free(take_first(queue));
	queue->dropped++;
}

void ctd_push_queue_add(struct ctd_push_queue *queue, struct ctd_push_request *request)
{
	request->next = NULL;
	if (queue->last)
		queue->last->next = request;
	else
		queue->first = request;
	queue->last = request;
	queue->requests++;
	queue->bytes += request->bytes;
	while ((queue->requests > queue->requests_max || queue->bytes > queue->bytes_max) &&
	       queue->first->sequence != request->sequence)
		drop_first(queue);
}

void ctd_push_queue_done(struct ctd_push_queue *queue, bool taken)
{
	struct ctd_push_request *request = take_first(queue);

	if (request->part == 0) {
		queue->whole_sequence = request->sequence;
		queue->whole_parts = 0;
	}
	if (taken && request->sequence == queue->whole_sequence &&
	    request->part == queue->whole_parts) {
		queue->whole_parts++;
		if (request->last)
			queue->acknowledged = request->sequence;
	}
	ctd_push_request_free(request);
}

void ctd_push_queue_drop_before(struct ctd_push_queue *queue, uint64_t sequence)
{
	while (queue->first && queue->first->sequence < sequence)
		drop_first(queue);
}

void ctd_push_request_free(struct ctd_push_request *request)
{
	if (!request)
		return;
	free(request->data);
	free(request);
}
