/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* frame.c - makes intervals part of a history. */
#include "top/frame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* About what an identity of a frame of its own takes. */
#define IDENTITY_BYTES 600

static size_t bytes_of(const struct ctd_top_frame *frame)
{
	const struct ctd_interval *interval = &frame->interval;
	size_t counts = (size_t)interval->counters_count * interval->groups_count;
	size_t times = 2 * (size_t)interval->groups_count;
	size_t row = sizeof(*interval->rows) + (2 * counts + times) * sizeof(*interval->counts);
	size_t totals = counts * CTD_CORE_TYPES_MAX * 3 * sizeof(*interval->total_counts);

	return sizeof(*frame) + totals +
	       (frame->nodes.missing ? strlen(frame->nodes.missing) + 1 : 0) +
	       interval->rows_count * row +
	       (frame->identities ? ctd_identities_count(frame->identities) * IDENTITY_BYTES : 0);
}

static void forget_sums(struct ctd_top_frame *frame)
{
	ctd_idmap_free(&frame->cpu_ns);
	frame->cpu_ns = (struct ctd_idmap){0};
	frame->cpu_grouping = -1;
	frame->point_key = 0;
	frame->bytes = bytes_of(frame);
}

void ctd_top_nodes_free(struct ctd_top_nodes *nodes)
{
	free(nodes->missing);
	*nodes = (struct ctd_top_nodes){0};
}

int ctd_top_frame_tell_nodes(struct ctd_top_frame *frame, const struct ctd_top_nodes *nodes)
{
	ctd_top_nodes_free(&frame->nodes);
	frame->nodes = *nodes;
	frame->nodes.missing = nodes->missing ? strdup(nodes->missing) : NULL;
	frame->bytes = bytes_of(frame);
	return nodes->missing && !frame->nodes.missing ? -ENOMEM : 0;
}

struct ctd_top_frame *ctd_top_frame_new(const struct ctd_rollup_plan *plan,
					struct ctd_interval *interval,
					struct ctd_identities *identities)
{
	struct ctd_top_frame *frame = calloc(1, sizeof(*frame));

	if (!frame) {
		ctd_interval_free(interval);
		ctd_identities_free(identities);
		return NULL;
	}
	frame->plan = plan;
	frame->interval = *interval;
	frame->identities = identities;
	forget_sums(frame);
	*interval = (struct ctd_interval){0};
	return frame;
}

void ctd_top_frame_free(struct ctd_top_frame *frame)
{
	if (!frame)
		return;
	ctd_idmap_free(&frame->cpu_ns);
	ctd_interval_free(&frame->interval);
	ctd_identities_free(frame->identities);
	ctd_top_nodes_free(&frame->nodes);
	free(frame);
}

void ctd_top_frame_join(struct ctd_top_frame *frame, struct ctd_top_frame *next)
{
	if (frame->plan == next->plan && !frame->identities && !next->identities &&
	    !ctd_interval_add(&frame->interval, &next->interval)) {
		struct ctd_interval sum = frame->interval;

		frame->interval = next->interval;
		next->interval = sum;
		forget_sums(next);
	}
	ctd_top_frame_free(frame);
}
