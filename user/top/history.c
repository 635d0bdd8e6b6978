/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* history.c - keeps intervals as they come, and fewer, longer ones of the time before. */
#include "top/history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "identity/lookup/pairs.h"
#include "top/frame.h"
#include "top/tee.h"

struct ctd_top_plan {
	struct ctd_top_plan *next; /* owned */
	void *owner; /* owned */
	void (*free)(void *owner);
};

int ctd_top_history_init(size_t bytes_max, struct ctd_top_history *ret_history)
{
	*ret_history = (struct ctd_top_history){.bytes_max = bytes_max};
	pthread_mutex_init(&ret_history->lock, NULL);
	return ctd_identities_new(&ret_history->identities);
}

static void free_vendor(struct ctd_top_history *history)
{
	for (int type = 0; type < CTD_CORE_TYPES_MAX; type++)
		ctd_strbuf_free(&history->vendor[type]);
}

void ctd_top_history_free(struct ctd_top_history *history)
{
	uintptr_t comm;
	uint64_t pid;

	ctd_top_history_record_end(history);
	for (size_t i = 0; i < history->count; i++)
		ctd_top_frame_free(history->frames[i]);
	free(history->frames);
	/* It is among the others. */
	history->pipeline.plan = NULL;
	ctd_pipeline_free(&history->pipeline);
	while (history->plans) {
		struct ctd_top_plan *plan = history->plans;

		history->plans = plan->next;
		plan->free(plan->owner);
		free(plan);
	}
	for (size_t cursor = 0; ctd_idmap_next(&history->comms, &cursor, &pid, &comm);)
		free((char *)comm);
	ctd_idmap_free(&history->comms);
	ctd_identities_free(history->identities);
	free_vendor(history);
	ctd_top_nodes_free(&history->nodes);
	pthread_mutex_destroy(&history->lock);
	*history = (struct ctd_top_history){0};
}

int ctd_top_history_keep_plan(struct ctd_top_history *history, void *owner,
			      void (*free_owner)(void *))
{
	struct ctd_top_plan *plan = malloc(sizeof(*plan));

	if (!plan) {
		free_owner(owner);
		return -ENOMEM;
	}
	*plan = (struct ctd_top_plan){history->plans, owner, free_owner};
	history->plans = plan;
	return 0;
}

static void free_plan(void *plan)
{
	ctd_rollup_plan_free(plan);
}

int ctd_top_history_plan(struct ctd_top_history *history, const struct ctd_record_header *header,
			 const char **ret_unknown)
{
	struct ctd_rollup_plan *plan;
	int error = ctd_rollup_plan_new(header, &plan, ret_unknown);

	if (error)
		return error;
	history->header = *header;
	free_vendor(history);
	/* Frames of the old plan stay; the pipeline would free it. */
	history->pipeline.plan = NULL;
	ctd_pipeline_free(&history->pipeline);
	history->pipeline.plan = plan;
	error = ctd_top_history_keep_plan(history, plan, free_plan);
	if (error)
		history->pipeline.plan = NULL;
	return error;
}

static int insert(struct ctd_top_history *history, struct ctd_top_frame *frame)
{
	if (history->count == history->capacity) {
		size_t capacity = history->capacity ? 2 * history->capacity : 64;
		void *larger = reallocarray(history->frames, capacity, sizeof(*history->frames));

		if (!larger) {
			ctd_top_frame_free(frame);
			return -ENOMEM;
		}
		history->frames = larger;
		history->capacity = capacity;
	}
	frame->number = ++history->numbers;
	history->frames[history->count++] = frame;
	history->bytes += frame->bytes;
	return 0;
}

/* Of the older half each two neighbours become one; what cannot be added up is forgotten. */
static void thin(struct ctd_top_history *history)
{
	size_t half = history->count / 2, kept = 0;

	for (size_t i = 0; i < history->count; i++) {
		struct ctd_top_frame *frame = history->frames[i];
		struct ctd_top_frame *next = i + 1 < half ? history->frames[i + 1] : NULL;

		if (frame && next) {
			history->bytes -= frame->bytes + next->bytes;
			ctd_top_frame_join(frame, next);
			history->bytes += next->bytes;
			history->frames[kept++] = next;
			i++;
			continue;
		}
		history->frames[kept++] = frame;
	}
	history->count = kept;
}

/* Takes it over; NULL: there was no memory for it. */
static int add(struct ctd_top_history *history, struct ctd_top_frame *frame)
{
	int error = frame ? insert(history, frame) : -ENOMEM;

	while (history->bytes > history->bytes_max && history->count > 4)
		thin(history);
	return error;
}

int ctd_top_history_add(struct ctd_top_history *history, const struct ctd_rollup_plan *plan,
			struct ctd_interval *interval, struct ctd_identities *identities)
{
	return add(history, ctd_top_frame_new(plan, interval, identities));
}

int ctd_top_history_add_past(struct ctd_top_history *history, const struct ctd_rollup_plan *plan,
			     struct ctd_interval *interval, struct ctd_identities *identities,
			     bool is_cut)
{
	struct ctd_top_frame *frame = ctd_top_frame_new(plan, interval, identities);

	if (frame) {
		frame->is_past = true;
		frame->is_cut = is_cut;
	}
	return add(history, frame);
}

int ctd_top_history_tell_nodes(struct ctd_top_history *history, struct ctd_top_nodes *nodes,
			       bool is_of_frame)
{
	struct ctd_top_frame *frame;
	int error;

	ctd_top_nodes_free(&history->nodes);
	history->nodes = *nodes;
	*nodes = (struct ctd_top_nodes){0};
	if (!is_of_frame || !history->count)
		return 0;
	frame = history->frames[history->count - 1];
	history->bytes -= frame->bytes;
	error = ctd_top_frame_tell_nodes(frame, &history->nodes);
	history->bytes += frame->bytes;
	return error;
}

static int take_name(struct ctd_top_history *history, const struct ctd_record_name *name)
{
	uintptr_t old = 0;
	char *comm;
	int error;

	if (!name->pid) {
		if (!name->removed)
			return ctd_identities_add(history->identities, name->cgroup_id, name->text);
		ctd_identities_remove(history->identities, name->cgroup_id);
		return 0;
	}
	comm = strdup(name->text);
	if (!comm)
		return -ENOMEM;
	ctd_idmap_get(&history->comms, name->pid, &old);
	error = ctd_idmap_set(&history->comms, name->pid, (uintptr_t)comm);
	free(error ? comm : (char *)old);
	return error;
}

/* Facts in a form that is not known here are left aside. */
static int take_facts(struct ctd_top_history *history, const struct ctd_record_facts *facts)
{
	struct ctd_names names;
	int error = ctd_names_from_pairs(facts->pairs, facts->bytes, &names);

	if (!error)
		ctd_identities_set_names(history->identities, facts->cgroup_id, &names,
					 CTD_QOS_UNKNOWN, true);
	return error == -ENOMEM ? error : 0;
}

/* Nothing here is made of it: it is for a recording that may begin later. */
static int take_vendor(struct ctd_top_history *history, const struct ctd_record_vendor *vendor)
{
	struct ctd_strbuf *payload = &history->vendor[vendor->core_type];

	ctd_strbuf_free(payload);
	ctd_strbuf_add_bytes(payload, vendor->payload, vendor->bytes);
	return payload->failed ? -ENOMEM : 0;
}

/* What the pipeline has is an interval. */
static int take_interval(struct ctd_top_history *history)
{
	struct ctd_interval interval = history->pipeline.interval;
	int error;

	history->pipeline.interval = (struct ctd_interval){0};
	error = ctd_top_history_add(history, history->pipeline.plan, &interval, NULL);
	return error ? error : 1;
}

static int take_snapshot(struct ctd_top_history *history, struct ctd_snapshot *snapshot)
{
	bool whole = false;
	int error = ctd_pipeline_take(&history->pipeline, snapshot, &whole);

	/* Of another run: figures go on from it. */
	if (error && error != -EBADMSG)
		return error;
	return whole ? take_interval(history) : 0;
}

int ctd_top_history_rest(struct ctd_top_history *history)
{
	return ctd_pipeline_has_rest(&history->pipeline) ? take_interval(history) : 0;
}

/* What cannot be written ends the recording. */
static void record_item(struct ctd_top_history *history, const struct ctd_record_item *item)
{
	int error = history->writer ? ctd_top_tee_write(history->writer, item) : 0;

	if (!error)
		return;
	ctd_record_close(history->writer);
	history->writer = NULL;
	history->writer_error = error;
}

int ctd_top_history_take(struct ctd_top_history *history, struct ctd_record_item *item)
{
	const char *unknown;
	int error;

	record_item(history, item);
	switch (item->kind) {
	case CTD_RECORD_PLAN:
		error = ctd_top_history_rest(history);
		return error < 0 ? error : ctd_top_history_plan(history, &item->header, &unknown);
	case CTD_RECORD_NAME:
		return take_name(history, &item->name);
	case CTD_RECORD_TASK:
		return ctd_identities_set_process(history->identities, item->task.task,
						  item->task.process);
	case CTD_RECORD_FACTS:
		return take_facts(history, &item->facts);
	case CTD_RECORD_SNAPSHOT:
		return take_snapshot(history, &item->snapshot);
	case CTD_RECORD_VENDOR:
		return take_vendor(history, &item->vendor);
	case CTD_RECORD_PROFILE: /* of profile --input, like this: */
	case CTD_RECORD_LINES:
	case CTD_RECORD_INTERVAL: /* of a history */
	case CTD_RECORD_END:
		break;
	}
	return 0;
}

struct ctd_top_frame *ctd_top_history_find(const struct ctd_top_history *history, uint64_t number)
{
	size_t at = 0;

	while (at + 1 < history->count && history->frames[at]->number < number)
		at++;
	return history->count ? history->frames[at] : NULL;
}

size_t ctd_top_history_place(const struct ctd_top_history *history,
			     const struct ctd_top_frame *frame)
{
	size_t at = 0;

	while (at < history->count && history->frames[at] != frame)
		at++;
	return at;
}

const struct ctd_identities *ctd_top_history_names(const struct ctd_top_history *history,
						   const struct ctd_top_frame *frame)
{
	return frame->identities ? frame->identities : history->identities;
}

bool ctd_top_history_lacks_processes(const struct ctd_top_history *history)
{
	return history->header.by == CTD_BY_TASK && history->count &&
	       !ctd_identities_have_processes(history->identities);
}

const char *ctd_top_history_comm(uint32_t pid, void *context)
{
	const struct ctd_top_history *history = context;
	uintptr_t comm;

	return ctd_idmap_get(&history->comms, pid, &comm) ? (const char *)comm : NULL;
}

int ctd_top_history_record(struct ctd_top_history *history, int fd)
{
	return ctd_top_tee_begin(history, fd, &history->writer);
}

int ctd_top_history_record_end(struct ctd_top_history *history)
{
	int error = history->writer ? ctd_record_close(history->writer) : history->writer_error;

	history->writer = NULL;
	history->writer_error = 0;
	return error;
}
