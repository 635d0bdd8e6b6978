/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* lookup.c - one look for a cgroup's names, and what of it is news. */
#include "identity/lookup/lookup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "identity/lookup/on_disk.h"
#include "identity/lookup/pairs.h"
#include "identity/path/place.h"

/* Looks after which it is time to go on without a name: with the pauses of waiting.c 0.7 s in all,
 * or 3.1 s where a file was half-written. */
#define LOOKS_ENOUGH 4
#define LOOKS_ENOUGH_HALF 6
/* So many looks take minutes, after which no file comes. The kubelet may have news every second:
 * they are no reason to read for ever what thousands of containers have not. */
#define LOOKS_ON_DISK 12

struct ctd_lookup *ctd_lookup_new(const struct ctd_identity *identity)
{
	struct ctd_lookup *lookup = calloc(1, sizeof(*lookup));

	if (!lookup)
		return NULL;
	lookup->identity = *identity;
	lookup->identity.names = (struct ctd_names){0};
	lookup->identity.unit = NULL;
	lookup->identity.claim = NULL;
	lookup->identity.path = strdup(identity->path);
	if (!lookup->identity.path) {
		free(lookup);
		return NULL;
	}
	return lookup;
}

void ctd_lookup_free(struct ctd_lookup *lookup)
{
	if (!lookup)
		return;
	ctd_names_free(&lookup->names);
	ctd_strbuf_free(&lookup->on_disk);
	free(lookup->identity.path);
	free(lookup);
}

bool ctd_lookup_is_of_path(const struct ctd_lookup *lookup)
{
	return !lookup->identity.container_id[0] && !lookup->identity.pod_uid[0];
}

static void look_on_disk(struct ctd_lookup *lookup, struct ctd_disk *disk, struct ctd_look *look)
{
	int result;

	if (lookup->whole_on_disk || lookup->looks >= LOOKS_ON_DISK) {
		ctd_names_from_pairs(lookup->on_disk.text, lookup->on_disk.bytes, &look->names);
		return;
	}
	result = ctd_names_look_up(disk, &lookup->identity, &look->names);
	look->half_written = result == -EAGAIN;
	if (result == -ENOMEM)
		return;
	ctd_strbuf_free(&lookup->on_disk);
	ctd_names_to_pairs(&look->names, &lookup->on_disk);
	lookup->whole_on_disk = !result && !lookup->on_disk.failed;
}

/* @return true if it knows something. */
static bool ask_source(const struct ctd_name_source *source, const char *container_id,
		       const char *pod_uid, struct ctd_names *ret_names, enum ctd_qos *ret_qos)
{
	return source &&
	       source->find(source->context, container_id, pod_uid, ret_names, ret_qos) >= 0;
}

/* It is called as it likes; but the pod around the container that it is in, is what it is. */
static void look_around(const struct ctd_lookup *lookup, struct ctd_disk *disk,
			const struct ctd_name_source *source, struct ctd_look *ret_look)
{
	struct ctd_look look = {.nested = true};
	struct ctd_identity pod = {.kind = CTD_IS_POD, .path = lookup->identity.path};
	struct ctd_names more = {0};

	if (lookup->identity.pod_uid[0] && !lookup->identity.pod_in_outer) {
		strcpy(pod.pod_uid, lookup->identity.pod_uid);
		ctd_names_look_up(disk, &pod, &look.names);
		if (ask_source(source, "", pod.pod_uid, &more, &look.qos))
			ctd_names_fill(&look.names, &more);
	}
	*ret_look = look;
}

/* In a container of which nothing is written here, as a node of kind sees itself, only what a
 * runtime's files say is there has their names: others may be called alike. */
static bool is_elsewhere(const struct ctd_lookup *lookup, const struct ctd_names *names)
{
	return lookup->identity.outer_id[0] &&
	       ctd_place_of(&lookup->identity, names->cgroups_path) < CTD_PLACE_WITHIN;
}

/* On disk are the labels that a pod began with; the kubelet knows what became of them. */
static void fill_from_source(struct ctd_names *names, struct ctd_names *more)
{
	struct ctd_names began = {0};

	if (more->labels) {
		began.labels = names->labels;
		began.labels_count = names->labels_count;
		names->labels = NULL;
		names->labels_count = 0;
	}
	ctd_names_free(&began);
	ctd_names_fill(names, more);
}

void ctd_lookup_run(struct ctd_lookup *lookup, struct ctd_disk *disk,
		    const struct ctd_name_source *source, struct ctd_look *ret_look)
{
	const struct ctd_identity *identity = &lookup->identity;
	struct ctd_look look = {0};
	struct ctd_names more = {0};

	lookup->nested = lookup->nested || ctd_names_are_of_others(disk, identity);
	if (lookup->nested) {
		look_around(lookup, disk, source, ret_look);
		return;
	}
	look_on_disk(lookup, disk, &look);
	if (is_elsewhere(lookup, &look.names)) {
		ctd_names_free(&look.names);
		look_around(lookup, disk, source, ret_look);
		/* Its files may come yet. */
		ret_look->nested = false;
		ret_look->elsewhere = true;
		ret_look->half_written = look.half_written;
		return;
	}
	/* Sandboxes are no containers of a pod's list: it would be fetched again for them. */
	if (ask_source(source, look.names.sandbox ? "" : identity->container_id, identity->pod_uid,
		       &more, &look.qos))
		fill_from_source(&look.names, &more);
	/* A runtime writes a container's files before it makes its cgroup. */
	look.complete = ctd_names_complete(identity, &look.names) &&
			!(look.half_written && ctd_lookup_is_of_path(lookup));
	*ret_look = look;
}

void ctd_lookup_borrow(const struct ctd_lookup *lookup, const struct ctd_lookup *other,
		       struct ctd_look *look)
{
	struct ctd_names more = {0}, pod;

	if (lookup == other || strcmp(lookup->identity.pod_uid, other->identity.pod_uid) != 0 ||
	    ctd_names_from_pairs(other->on_disk.text, other->on_disk.bytes, &more))
		return;
	pod = (struct ctd_names){.namespace_name = more.namespace_name, .pod_name = more.pod_name};
	more.namespace_name = NULL;
	more.pod_name = NULL;
	ctd_names_free(&more);
	ctd_names_fill(&look->names, &pod);
	look->complete = ctd_names_complete(&lookup->identity, &look->names);
}

bool ctd_lookup_answer(struct ctd_lookup *lookup, struct ctd_look *look)
{
	auto_ctd_strbuf struct ctd_strbuf pairs = {0};
	bool settled;
	uint64_t hash;

	lookup->looks++;
	settled = lookup->settled || look->complete || look->nested || lookup->leaving ||
		  lookup->looks >= (look->half_written ? LOOKS_ENOUGH_HALF : LOOKS_ENOUGH);
	ctd_names_to_pairs(&look->names, &pairs);
	hash = pairs.bytes ? ctd_hash(pairs.text, pairs.bytes) : 0;
	/* What nothing is known of any more keeps the names that it had. */
	if (hash && (hash != lookup->told_hash || look->qos != lookup->qos)) {
		ctd_names_free(&lookup->names);
		lookup->names = look->names;
		lookup->qos = look->qos;
		lookup->told_hash = hash;
		lookup->news = true;
	} else {
		ctd_names_free(&look->names);
	}
	lookup->complete = lookup->complete || look->complete;
	if (!lookup->news && settled == lookup->settled)
		return false;
	lookup->settled = settled;
	return true;
}
