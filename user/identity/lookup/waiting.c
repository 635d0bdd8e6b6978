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
static struct ctd_lookup *find(const struct ctd_waiting *waiting, uint64_t cgroup_id)
{
	uintptr_t value;

	if (!ctd_idmap_get(&waiting->by_id, cgroup_id, &value))
		return NULL;
	return (struct ctd_lookup *)value;
}

static void queue(struct ctd_waiting *waiting, struct ctd_lookup *lookup, size_t line)
{
	lookup->line = &waiting->lines[line];
	lookup->due_ns = ctd_monotonic_ns() + (line < CTD_PAUSES ? pauses_ms[line] * NS_PER_MS : 0);
	TAILQ_INSERT_TAIL(lookup->line, lookup, place);
}

static void unqueue(struct ctd_lookup *lookup)
{
	if (lookup->line)
		TAILQ_REMOVE(lookup->line, lookup, place);
	lookup->line = NULL;
}

static uint64_t pod_hash(const struct ctd_lookup *lookup)
{
	return ctd_hash(lookup->identity.pod_uid, strlen(lookup->identity.pod_uid));
}

static struct ctd_lookup *find_sibling(const struct ctd_waiting *waiting,
				       const struct ctd_lookup *lookup)
{
	uintptr_t value;

	if (!ctd_idmap_get(&waiting->by_pod, pod_hash(lookup), &value))
		return NULL;
	return (struct ctd_lookup *)value;
}

/* Its answer is not wanted any more. The thread frees the one that it is looking for. */
static void drop(struct ctd_waiting *waiting, struct ctd_lookup *lookup)
{
	ctd_idmap_remove(&waiting->by_id, lookup->identity.cgroup_id);
	if (find_sibling(waiting, lookup) == lookup)
		ctd_idmap_remove(&waiting->by_pod, pod_hash(lookup));
	if (lookup->answered)
		TAILQ_REMOVE(&waiting->answers, lookup, answer_place);
	lookup->answered = false;
	if (!lookup->looks)
		waiting->unlooked--;
	if (!lookup->line) {
		lookup->dropped = true;
		return;
	}
	unqueue(lookup);
	ctd_lookup_free(lookup);
}

/* A pod's names are known by those of its containers, where the kubelet's logs are out of sight. */
static void borrow_names(struct ctd_waiting *waiting, const struct ctd_lookup *lookup,
			 struct ctd_look *look)
{
	const struct ctd_lookup *sibling = find_sibling(waiting, lookup);
	bool nested_pod = (look->nested || look->elsewhere) && lookup->identity.pod_in_outer;

	if (sibling && !look->complete && !nested_pod && lookup->identity.pod_uid[0])
		ctd_lookup_borrow(lookup, sibling, look);
}

/* The first of its pod whose names are on disk: those that wait for the pod's need not any more. */
static void lend_names(struct ctd_waiting *waiting, struct ctd_lookup *lookup)
{
	if (!lookup->identity.pod_uid[0] || !lookup->whole_on_disk || find_sibling(waiting, lookup))
		return;
	/* Without memory the pod's name comes another way, or not. */
	if (ctd_idmap_set(&waiting->by_pod, pod_hash(lookup), (uintptr_t)lookup))
		return;
	for (size_t line = 1; line < CTD_PAUSES; line++) {
		struct ctd_lookup *other, *next;

		for (other = TAILQ_FIRST(&waiting->lines[line]); other; other = next) {
			next = TAILQ_NEXT(other, place);
			if (strcmp(other->identity.pod_uid, lookup->identity.pod_uid) != 0)
				continue;
			unqueue(other);
			queue(waiting, other, 0);
		}
	}
}

static void answer(struct ctd_waiting *waiting, struct ctd_lookup *lookup)
{
	if (!lookup->answered)
		TAILQ_INSERT_TAIL(&waiting->answers, lookup, answer_place);
	lookup->answered = true;
}

/* The cgroup is gone. Once it was looked for, nothing will be found any more, and it is settled. */
static void leave(struct ctd_waiting *waiting, struct ctd_lookup *lookup)
{
	lookup->leaving = true;
	if (!lookup->line || !lookup->looks || lookup->answered)
		return;
	if (lookup->settled) {
		drop(waiting, lookup);
		return;
	}
	lookup->settled = true;
	waiting->missing += !ctd_lookup_is_of_path(lookup);
	answer(waiting, lookup);
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
		ctd_lookup_free((struct ctd_lookup *)value);
	ctd_idmap_free(&waiting->by_id);
	ctd_idmap_free(&waiting->by_pod);
}

int ctd_waiting_add(struct ctd_waiting *waiting, const struct ctd_identity *identity)
{
	struct ctd_lookup *lookup = find(waiting, identity->cgroup_id);
	int error;

	if (lookup && !strcmp(lookup->identity.path, identity->path)) {
		lookup->leaving = false;
		return 0;
	}
	if (lookup)
		drop(waiting, lookup);
	if (waiting->by_id.count >= CTD_RESOLVER_CGROUPS_MAX)
		return -ENOSPC;
	lookup = ctd_lookup_new(identity);
	if (!lookup)
		return -ENOMEM;
	error = ctd_idmap_set(&waiting->by_id, identity->cgroup_id, (uintptr_t)lookup);
	if (error) {
		ctd_lookup_free(lookup);
		return error;
	}
	waiting->unlooked++;
	queue(waiting, lookup, 0);
	return 0;
}

void ctd_waiting_leave(struct ctd_waiting *waiting, uint64_t cgroup_id)
{
	struct ctd_lookup *lookup = find(waiting, cgroup_id);

	if (lookup)
		leave(waiting, lookup);
}

void ctd_waiting_look_for_pods(struct ctd_waiting *waiting)
{
	uintptr_t value;
	size_t cursor = 0;
	uint64_t id;

	while (ctd_idmap_next(&waiting->by_id, &cursor, &id, &value)) {
		struct ctd_lookup *lookup = (struct ctd_lookup *)value;

		if (!lookup->line || !lookup->identity.pod_uid[0])
			continue;
		unqueue(lookup);
		queue(waiting, lookup, 0);
	}
}

struct ctd_lookup *ctd_waiting_next(struct ctd_waiting *waiting, uint64_t *wake_ns)
{
	uint64_t now_ns = ctd_monotonic_ns();

	for (size_t i = 0; i < CTD_PAUSES; i++) {
		struct ctd_lookup *lookup = TAILQ_FIRST(&waiting->lines[i]);

		if (lookup && lookup->due_ns <= now_ns) {
			unqueue(lookup);
			return lookup;
		}
		if (lookup && lookup->due_ns < *wake_ns)
			*wake_ns = lookup->due_ns;
	}
	return NULL;
}

void ctd_waiting_take_look(struct ctd_waiting *waiting, struct ctd_lookup *lookup,
			   struct ctd_look *look)
{
	bool complete = lookup->complete, settled = lookup->settled, first = !lookup->looks;
	bool at_rest = look->nested;
	bool is_container = !ctd_lookup_is_of_path(lookup) || look->names.container_id;

	if (lookup->dropped) {
		ctd_names_free(&look->names);
		ctd_lookup_free(lookup);
		return;
	}
	borrow_names(waiting, lookup, look);
	if (!look->elsewhere)
		lend_names(waiting, lookup);
	if (ctd_lookup_answer(lookup, look))
		answer(waiting, lookup);
	waiting->found += lookup->complete && !complete && is_container;
	waiting->missing += lookup->settled && !settled && !lookup->complete && is_container;
	if (first)
		waiting->unlooked--;
	at_rest = at_rest || lookup->complete || lookup->looks >= CTD_PAUSES;
	queue(waiting, lookup, at_rest ? CTD_PAUSES : lookup->looks);
	if (lookup->leaving && !lookup->answered)
		drop(waiting, lookup);
}

void ctd_waiting_apply(struct ctd_waiting *waiting, struct ctd_identities *identities,
		       void (*notice)(const struct ctd_identity *identity, void *context),
		       void *context)
{
	struct ctd_lookup *lookup;

	while ((lookup = TAILQ_FIRST(&waiting->answers))) {
		const struct ctd_identity *identity;
		bool news = lookup->news;

		TAILQ_REMOVE(&waiting->answers, lookup, answer_place);
		lookup->answered = false;
		lookup->news = false;
		identity = ctd_identities_set_names(identities, lookup->identity.cgroup_id,
						    news ? &lookup->names : NULL, lookup->qos,
						    lookup->settled);
		if (identity && news && notice)
			notice(identity, context);
		if (lookup->leaving)
			drop(waiting, lookup);
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
		counts.waiting += !((const struct ctd_lookup *)value)->settled;
	*ret_counts = counts;
}
