/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* claims.c - gives each container's id to one place in the hierarchy. */
#include "identity/claims.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "identity/path/place.h"

/* What speaks for a place, the least first. */
enum { ELSEWHERE, NESTED, NESTED_AS_WRITTEN, OUTERMOST, AS_WRITTEN };

static int rank_of(const struct ctd_identity *identity)
{
	switch (ctd_place_of(identity, identity->names.cgroups_path)) {
	case CTD_PLACE_OWN:
		return AS_WRITTEN;
	case CTD_PLACE_OTHER:
		return ELSEWHERE;
	case CTD_PLACE_WITHIN:
		return identity->outer_id[0] ? NESTED_AS_WRITTEN : OUTERMOST;
	case CTD_PLACE_UNKNOWN:
		break;
	}
	return identity->outer_id[0] ? NESTED : OUTERMOST;
}

static uint64_t hash_of(const char *container_id)
{
	return ctd_hash(container_id, strlen(container_id));
}

static struct ctd_claim *first_of(const struct ctd_claims *claims, uint64_t hash)
{
	uintptr_t value;

	return ctd_idmap_get(&claims->by_id, hash, &value) ? (struct ctd_claim *)value : NULL;
}

static struct ctd_claim *find(const struct ctd_claims *claims, const char *container_id)
{
	struct ctd_claim *claim = first_of(claims, hash_of(container_id));

	while (claim && strcmp(claim->container_id, container_id) != 0)
		claim = claim->next;
	return claim;
}

static void claim_free(struct ctd_claim *claim)
{
	free(claim->place);
	free(claim);
}

static struct ctd_claim *claim_new(struct ctd_claims *claims, const struct ctd_identity *identity)
{
	struct ctd_claim *claim = calloc(1, sizeof(*claim));
	uint64_t hash = hash_of(identity->container_id);

	if (!claim)
		return NULL;
	strcpy(claim->container_id, identity->container_id);
	claim->place = strndup(identity->path, identity->placed_bytes);
	claim->next = first_of(claims, hash);
	if (!claim->place || ctd_idmap_set(&claims->by_id, hash, (uintptr_t)claim)) {
		claim_free(claim);
		return NULL;
	}
	return claim;
}

static bool is_at(const struct ctd_identity *identity, const struct ctd_claim *claim)
{
	return strlen(claim->place) == identity->placed_bytes &&
	       !memcmp(claim->place, identity->path, identity->placed_bytes);
}

void ctd_claims_free(struct ctd_claims *claims)
{
	uintptr_t value;
	size_t cursor = 0;
	uint64_t hash;

	while (ctd_idmap_next(&claims->by_id, &cursor, &hash, &value)) {
		struct ctd_claim *claim = (struct ctd_claim *)value, *next;

		for (; claim; claim = next) {
			next = claim->next;
			claim_free(claim);
		}
	}
	ctd_idmap_free(&claims->by_id);
}

int ctd_claims_take(struct ctd_claims *claims, struct ctd_identity *identity,
		    struct ctd_claim **ret_rival)
{
	struct ctd_claim *claim = find(claims, identity->container_id);
	int rank = rank_of(identity);

	if (claim && !is_at(identity, claim)) {
		char *place;

		if (claim->live) {
			*ret_rival = claim;
			return rank > claim->rank ? -EBUSY : -EEXIST;
		}
		/* The container was started anew elsewhere. */
		place = strndup(identity->path, identity->placed_bytes);
		if (!place)
			return -ENOMEM;
		free(claim->place);
		claim->place = place;
		claim->rank = rank;
	}
	if (!claim)
		claim = claim_new(claims, identity);
	if (!claim)
		return -ENOMEM;
	if (claim->rank < rank)
		claim->rank = rank;
	claim->cgroups++;
	claim->live++;
	identity->claim = claim;
	return 0;
}

static void remove_claim(struct ctd_claims *claims, struct ctd_claim *claim)
{
	uint64_t hash = hash_of(claim->container_id);
	struct ctd_claim *first = first_of(claims, hash), **at = &first;

	while (*at != claim)
		at = &(*at)->next;
	*at = claim->next;
	/* The hash is there: this takes no memory. */
	if (first)
		ctd_idmap_set(&claims->by_id, hash, (uintptr_t)first);
	else
		ctd_idmap_remove(&claims->by_id, hash);
	claim_free(claim);
}

void ctd_claims_leave(struct ctd_claims *claims, struct ctd_identity *identity)
{
	struct ctd_claim *claim = identity->claim;

	if (!claim)
		return;
	identity->claim = NULL;
	claim->live -= !identity->removed;
	if (!--claim->cgroups)
		remove_claim(claims, claim);
}

void ctd_claims_rank(struct ctd_identity *identity)
{
	int rank = rank_of(identity);

	if (identity->claim && identity->claim->rank < rank)
		identity->claim->rank = rank;
}
