/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* told.c - keeps what was told of each tag, so that none is told of too often. */
#include "serve/events/told.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "serve/events/describe.h"

#define MINUTE_NS 60000000000ull

static uint64_t hash_of(const char *key, enum ctd_mechanism mechanism)
{
	return ctd_hash(key, strlen(key)) + (uint64_t)mechanism;
}

static struct ctd_told_tag *find(struct ctd_told *told, const char *key,
				 enum ctd_mechanism mechanism)
{
	uint64_t hash = hash_of(key, mechanism);

	for (size_t i = 0; i < told->count; i++)
		if (told->tags[i].hash == hash && told->tags[i].mechanism == mechanism &&
		    strcmp(told->tags[i].key, key) == 0)
			return &told->tags[i];
	return NULL;
}

static struct ctd_told_tag *add(struct ctd_told *told, const char *key,
				enum ctd_mechanism mechanism)
{
	size_t capacity = told->capacity ? 2 * told->capacity : 16;
	struct ctd_told_tag *grown;
	char *copy;

	if (told->count == told->capacity) {
		grown = realloc(told->tags, capacity * sizeof(*grown));
		if (!grown)
			return NULL;
		told->tags = grown;
		told->capacity = capacity;
	}
	copy = strdup(key);
	if (!copy)
		return NULL;
	told->tags[told->count] = (struct ctd_told_tag){
		.hash = hash_of(key, mechanism), .key = copy, .mechanism = mechanism};
	return &told->tags[told->count++];
}

/* Whatever was due of it is over. */
static void begin_anew(struct ctd_told *told, struct ctd_told_tag *tag, uint64_t since_ns)
{
	/* One that was not told of, or whose end was not. */
	told->dropped += tag->since_ns != 0;
	tag->since_ns = since_ns;
	tag->reason = NULL;
	tag->count = tag->failures = 0;
}

static int take(struct ctd_told *told, const struct ctd_neighbour_tag *tag,
		const struct ctd_ledger_view *view, size_t rank)
{
	const struct ctd_account_who *victim = ctd_k8s_event_pod(view, tag->victim->key);
	struct ctd_told_tag *mine;

	if (!victim || !ctd_k8s_event_reason(tag))
		return 0;
	mine = find(told, tag->victim->key, tag->mechanism);
	if (!mine)
		mine = add(told, tag->victim->key, tag->mechanism);
	if (!mine)
		return -ENOMEM;
	if (mine->since_ns != tag->since_ns)
		begin_anew(told, mine, tag->since_ns);
	/* Another pod of the same name: nobody who looks at it was told. */
	if (mine->reason && strcmp(mine->pod_uid, victim->pod_uid) != 0)
		mine->reason = NULL;
	mine->tag = tag;
	mine->victim = victim;
	mine->rank = rank;
	return 0;
}

/* The tag stands no more. */
static void end(struct ctd_told *told, struct ctd_told_tag *tag, const struct ctd_ledger_view *view,
		uint64_t now_ns)
{
	if (tag->reason) {
		tag->victim = ctd_k8s_event_pod(view, tag->key);
		/* The tag went with its pod: there is nobody to be told. */
		if (!tag->victim || strcmp(tag->victim->pod_uid, tag->pod_uid) != 0) {
			tag->since_ns = 0;
			tag->reason = NULL;
		} else if (now_ns - tag->told_ns >= CTD_TOLD_REPEAT_NS + CTD_TOLD_PAUSE_NS) {
			/* Nobody took it for so long: what it would end is not to be seen any more.
			 */
			begin_anew(told, tag, 0);
		}
	} else if (tag->since_ns) {
		begin_anew(told, tag, 0);
	}
}

/* Nothing is due of it, and the next one that begins may be told of at once. */
static bool is_forgotten(const struct ctd_told_tag *tag, uint64_t now_ns)
{
	return !tag->tag && !tag->reason &&
	       (!tag->told_ns || now_ns - tag->told_ns >= CTD_TOLD_PAUSE_NS);
}

static void forget(struct ctd_told *told, uint64_t now_ns)
{
	size_t kept = 0;

	for (size_t i = 0; i < told->count; i++) {
		if (is_forgotten(&told->tags[i], now_ns))
			free(told->tags[i].key);
		else
			told->tags[kept++] = told->tags[i];
	}
	told->count = kept;
}

int ctd_told_judge(struct ctd_told *told, const struct ctd_neighbour_verdicts *verdicts,
		   const struct ctd_ledger_view *view, uint64_t now_ns)
{
	int error = 0;

	for (size_t i = 0; i < told->count; i++) {
		told->tags[i].tag = NULL;
		told->tags[i].victim = NULL;
		told->tags[i].rank = SIZE_MAX;
	}
	for (size_t i = 0; i < verdicts->tags_count && !error; i++)
		error = take(told, &verdicts->tags[i], view, i);
	for (size_t i = 0; i < told->count && !error; i++)
		if (!told->tags[i].tag)
			end(told, &told->tags[i], view, now_ns);
	if (!error)
		forget(told, now_ns);
	return error;
}

static bool is_due(const struct ctd_told_tag *tag, uint64_t now_ns)
{
	if (!tag->tag)
		return tag->reason && tag->victim;
	/* A neighbour that is named by now is what everybody waits for. */
	if (tag->reason && tag->tag->blame == CTD_BLAME_NEIGHBOUR &&
	    strcmp(tag->reason, ctd_k8s_event_reason(tag->tag)) != 0)
		return true;
	return !tag->told_ns ||
	       now_ns - tag->told_ns >= (tag->reason ? CTD_TOLD_REPEAT_NS : CTD_TOLD_PAUSE_NS);
}

struct ctd_told_tag *ctd_told_next(struct ctd_told *told, uint64_t now_ns)
{
	struct ctd_told_tag *next = NULL;

	for (size_t i = 0; i < told->count; i++) {
		struct ctd_told_tag *tag = &told->tags[i];

		if (is_due(tag, now_ns) &&
		    (!next || tag->failures < next->failures ||
		     (tag->failures == next->failures && tag->rank < next->rank)))
			next = tag;
	}
	return next;
}

uint64_t ctd_told_ready_ns(const struct ctd_told *told)
{
	uint64_t oldest_ns = told->sent_ns[told->sent_next];

	return oldest_ns ? oldest_ns + MINUTE_NS : 0;
}

void ctd_told_send(struct ctd_told *told, uint64_t now_ns)
{
	told->sent_ns[told->sent_next] = now_ns;
	told->sent_next = (told->sent_next + 1) % CTD_TOLD_PER_MINUTE;
}

void ctd_told_answered(struct ctd_told *told, struct ctd_told_tag *tag,
		       enum ctd_push_verdict verdict, uint64_t now_ns)
{
	tag->failures = verdict == CTD_PUSH_LATER ? tag->failures + 1 : 0;
	if (verdict == CTD_PUSH_LATER)
		return;
	if (!tag->tag) {
		told->dropped += verdict == CTD_PUSH_REFUSED;
		tag->since_ns = 0;
		tag->reason = NULL;
		return;
	}
	/* One that is refused is not tried again before another one would be. */
	tag->told_ns = now_ns;
	if (verdict == CTD_PUSH_TAKEN || tag->reason)
		tag->reason = ctd_k8s_event_reason(tag->tag);
	if (verdict == CTD_PUSH_REFUSED)
		return;
	tag->count++;
	snprintf(tag->pod_uid, sizeof(tag->pod_uid), "%s", tag->victim->pod_uid);
}

void ctd_told_free(struct ctd_told *told)
{
	for (size_t i = 0; i < told->count; i++)
		free(told->tags[i].key);
	free(told->tags);
	*told = (struct ctd_told){0};
}
