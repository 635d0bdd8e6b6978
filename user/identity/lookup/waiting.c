/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* waiting.c - keeps cgroups in lines by how long they wait for their next look. */
#include "identity/lookup/waiting.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"

#define NS_PER_MS 1000000ull

/*
 * The pause before each look. A runtime writes before it makes the cgroup, so the first look is for
 * nearly all of them; the kubelet makes its links within a second. All in one line have the same
 * pause, so each line is in the order of time.
 */
static const unsigned pauses_ms[CTD_PAUSES] = {0,    100,   200,   400,	  800,	1600,
					       5000, 15000, 60000, 60000, 60000};
static struct ctd_inquiry *find(const struct ctd_waiting *waiting, uint64_t cgroup_id)
{
	uintptr_t value;

	if (!ctd_idmap_get(&waiting->by_id, cgroup_id, &value))
		return NULL;
	return (struct ctd_inquiry *)value;
}

static void queue(struct ctd_waiting *waiting, struct ctd_inquiry *inquiry, size_t line)
{
	inquiry->line = &waiting->lines[line];
	inquiry->due_ns =
		ctd_monotonic_ns() + (line < CTD_PAUSES ? pauses_ms[line] * NS_PER_MS : 0);
	TAILQ_INSERT_TAIL(inquiry->line, inquiry, place);
}

static void unqueue(struct ctd_inquiry *inquiry)
{
	if (inquiry->line)
		TAILQ_REMOVE(inquiry->line, inquiry, place);
	inquiry->line = NULL;
}

static uint64_t pod_hash(const struct ctd_inquiry *inquiry)
{
	return ctd_hash(inquiry->identity.pod_uid, strlen(inquiry->identity.pod_uid));
}

static struct ctd_inquiry *find_sibling(const struct ctd_waiting *waiting,
					const struct ctd_inquiry *inquiry)
{
	uintptr_t value;

	if (!ctd_idmap_get(&waiting->by_pod, pod_hash(inquiry), &value))
		return NULL;
	return (struct ctd_inquiry *)value;
}

/* Nobody is to hear of it again. The thread frees what it is looking for. */
static void drop(struct ctd_waiting *waiting, struct ctd_inquiry *inquiry)
{
	ctd_idmap_remove(&waiting->by_id, inquiry->identity.cgroup_id);
	if (find_sibling(waiting, inquiry) == inquiry)
		ctd_idmap_remove(&waiting->by_pod, pod_hash(inquiry));
	if (inquiry->answered)
		TAILQ_REMOVE(&waiting->answers, inquiry, answer_place);
	inquiry->answered = false;
	if (!inquiry->looks)
		waiting->unlooked--;
	if (!inquiry->line) {
		inquiry->dropped = true;
		return;
	}
	unqueue(inquiry);
	ctd_inquiry_free(inquiry);
}

/* A pod's names are known by those of its containers, where the kubelet's logs are out of sight. */
static void borrow_names(struct ctd_waiting *waiting, const struct ctd_inquiry *inquiry,
			 struct ctd_look *look)
{
	const struct ctd_inquiry *sibling = find_sibling(waiting, inquiry);
	bool nested_pod = look->nested && inquiry->identity.pod_in_outer;

	if (sibling && !look->complete && !nested_pod && inquiry->identity.pod_uid[0])
		ctd_inquiry_borrow(inquiry, sibling, look);
}

/* The first of its pod whose names are on disk: those that wait for the pod's need not any more. */
static void lend_names(struct ctd_waiting *waiting, struct ctd_inquiry *inquiry)
{
	if (!inquiry->identity.pod_uid[0] || !inquiry->whole_on_disk ||
	    find_sibling(waiting, inquiry))
		return;
	/* Without memory the pod's name comes another way, or not. */
	if (ctd_idmap_set(&waiting->by_pod, pod_hash(inquiry), (uintptr_t)inquiry))
		return;
	for (size_t line = 1; line < CTD_PAUSES; line++) {
		struct ctd_inquiry *other, *next;

		for (other = TAILQ_FIRST(&waiting->lines[line]); other; other = next) {
			next = TAILQ_NEXT(other, place);
			if (strcmp(other->identity.pod_uid, inquiry->identity.pod_uid) != 0)
				continue;
			unqueue(other);
			queue(waiting, other, 0);
		}
	}
}

static void answer(struct ctd_waiting *waiting, struct ctd_inquiry *inquiry)
{
	if (!inquiry->answered)
		TAILQ_INSERT_TAIL(&waiting->answers, inquiry, answer_place);
	inquiry->answered = true;
}

/* Nothing is to come any more, once it was looked for: whoever waits for it is told. */
static void leave(struct ctd_waiting *waiting, struct ctd_inquiry *inquiry)
{
	inquiry->leaving = true;
	if (!inquiry->line || !inquiry->looks || inquiry->answered)
		return;
	if (inquiry->settled) {
		drop(waiting, inquiry);
		return;
	}
	inquiry->settled = true;
	waiting->missing += !ctd_inquiry_is_of_path(inquiry);
	answer(waiting, inquiry);
}

void ctd_waiting_init(struct ctd_waiting *waiting)
{
	*waiting = (struct ctd_waiting){0};
	for (size_t i = 0; i <= CTD_PAUSES; i++)
		TAILQ_INIT(&waiting->lines[i]);
	TAILQ_INIT(&waiting->answers);
}

void ctd_waiting_free(struct ctd_waiting *waiting)
{
	uintptr_t value;
	size_t cursor = 0;
	uint64_t id;

	while (ctd_idmap_next(&waiting->by_id, &cursor, &id, &value))
		ctd_inquiry_free((struct ctd_inquiry *)value);
	ctd_idmap_free(&waiting->by_id);
	ctd_idmap_free(&waiting->by_pod);
}

int ctd_waiting_add(struct ctd_waiting *waiting, const struct ctd_identity *identity)
{
	struct ctd_inquiry *inquiry = find(waiting, identity->cgroup_id);
	int error;

	if (inquiry && !strcmp(inquiry->identity.path, identity->path)) {
		inquiry->leaving = false;
		return 0;
	}
	if (inquiry)
		drop(waiting, inquiry);
	if (waiting->by_id.count >= CTD_RESOLVER_CGROUPS_MAX)
		return -ENOSPC;
	inquiry = ctd_inquiry_new(identity);
	if (!inquiry)
		return -ENOMEM;
	error = ctd_idmap_set(&waiting->by_id, identity->cgroup_id, (uintptr_t)inquiry);
	if (error) {
		ctd_inquiry_free(inquiry);
		return error;
	}
	waiting->unlooked++;
	queue(waiting, inquiry, 0);
	return 0;
}

void ctd_waiting_leave(struct ctd_waiting *waiting, uint64_t cgroup_id)
{
	struct ctd_inquiry *inquiry = find(waiting, cgroup_id);

	if (inquiry)
		leave(waiting, inquiry);
}

void ctd_waiting_look_for_pods(struct ctd_waiting *waiting)
{
	uintptr_t value;
	size_t cursor = 0;
	uint64_t id;

	while (ctd_idmap_next(&waiting->by_id, &cursor, &id, &value)) {
		struct ctd_inquiry *inquiry = (struct ctd_inquiry *)value;

		if (!inquiry->line || !inquiry->identity.pod_uid[0])
			continue;
		unqueue(inquiry);
		queue(waiting, inquiry, 0);
	}
}

struct ctd_inquiry *ctd_waiting_next(struct ctd_waiting *waiting, uint64_t *wake_ns)
{
	uint64_t now_ns = ctd_monotonic_ns();

	for (size_t i = 0; i < CTD_PAUSES; i++) {
		struct ctd_inquiry *inquiry = TAILQ_FIRST(&waiting->lines[i]);

		if (inquiry && inquiry->due_ns <= now_ns) {
			unqueue(inquiry);
			return inquiry;
		}
		if (inquiry && inquiry->due_ns < *wake_ns)
			*wake_ns = inquiry->due_ns;
	}
	return NULL;
}

void ctd_waiting_take_look(struct ctd_waiting *waiting, struct ctd_inquiry *inquiry,
			   struct ctd_look *look)
{
	bool complete = inquiry->complete, settled = inquiry->settled, first = !inquiry->looks;
	bool at_rest = look->nested;
	bool is_container = !ctd_inquiry_is_of_path(inquiry) || look->names.container_id;

	if (inquiry->dropped) {
		ctd_names_free(&look->names);
		ctd_inquiry_free(inquiry);
		return;
	}
	borrow_names(waiting, inquiry, look);
	lend_names(waiting, inquiry);
	if (ctd_inquiry_answer(inquiry, look))
		answer(waiting, inquiry);
	waiting->found += inquiry->complete && !complete && is_container;
	waiting->missing += inquiry->settled && !settled && !inquiry->complete && is_container;
	if (first)
		waiting->unlooked--;
	at_rest = at_rest || inquiry->complete || inquiry->looks >= CTD_PAUSES;
	queue(waiting, inquiry, at_rest ? CTD_PAUSES : inquiry->looks);
	if (inquiry->leaving && !inquiry->answered)
		drop(waiting, inquiry);
}

void ctd_waiting_apply(struct ctd_waiting *waiting, struct ctd_identities *identities,
		       void (*notice)(const struct ctd_identity *identity, void *context),
		       void *context)
{
	struct ctd_inquiry *inquiry;

	while ((inquiry = TAILQ_FIRST(&waiting->answers))) {
		const struct ctd_identity *identity;
		bool news = inquiry->news;

		TAILQ_REMOVE(&waiting->answers, inquiry, answer_place);
		inquiry->answered = false;
		inquiry->news = false;
		identity = ctd_identities_set_names(identities, inquiry->identity.cgroup_id,
						    news ? &inquiry->names : NULL, inquiry->qos,
						    inquiry->settled);
		if (identity && news && notice)
			notice(identity, context);
		if (inquiry->leaving)
			drop(waiting, inquiry);
	}
}

void ctd_waiting_counts(const struct ctd_waiting *waiting, struct ctd_resolver_counts *ret_counts)
{
	struct ctd_resolver_counts counts = {0};
	uintptr_t value;
	size_t cursor = 0;
	uint64_t id;

	counts.found = waiting->found;
	counts.missing = waiting->missing;
	while (ctd_idmap_next(&waiting->by_id, &cursor, &id, &value))
		counts.waiting += !((const struct ctd_inquiry *)value)->settled;
	*ret_counts = counts;
}
