/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* lookup.c - one look for a cgroup's names, and what of it is news. */
#include "identity/lookup/lookup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "identity/lookup/on_disk.h"
#include "identity/lookup/pairs.h"

/* Looks after which it is time to go on without a name: resolve.c has the pauses, 0.7 s in all. Who
 * is seen writing gets 3.1 s. */
#define LOOKS_ENOUGH 4
#define LOOKS_ENOUGH_HALF 6
/* So many looks take minutes, after which no file comes. The kubelet may have news every second:
 * they are no reason to read for ever what thousands of containers have not. */
#define LOOKS_ON_DISK 12

struct ctd_inquiry *ctd_inquiry_new(const struct ctd_identity *identity)
{
	struct ctd_inquiry *inquiry = calloc(1, sizeof(*inquiry));

	if (!inquiry)
		return NULL;
	inquiry->identity = *identity;
	inquiry->identity.names = (struct ctd_names){0};
	inquiry->identity.unit = NULL;
	inquiry->identity.path = strdup(identity->path);
	if (!inquiry->identity.path) {
		free(inquiry);
		return NULL;
	}
	return inquiry;
}

void ctd_inquiry_free(struct ctd_inquiry *inquiry)
{
	if (!inquiry)
		return;
	ctd_names_free(&inquiry->names);
	ctd_strbuf_free(&inquiry->on_disk);
	free(inquiry->identity.path);
	free(inquiry);
}

bool ctd_inquiry_is_of_path(const struct ctd_inquiry *inquiry)
{
	return !inquiry->identity.container_id[0] && !inquiry->identity.pod_uid[0];
}

static void look_on_disk(struct ctd_inquiry *inquiry, struct ctd_disk *disk, struct ctd_look *look)
{
	int result;

	if (inquiry->whole_on_disk || inquiry->looks >= LOOKS_ON_DISK) {
		ctd_names_from_pairs(inquiry->on_disk.text, inquiry->on_disk.bytes, &look->names);
		return;
	}
	result = ctd_names_look_up(disk, &inquiry->identity, &look->names);
	look->half_written = result == -EAGAIN;
	if (result == -ENOMEM)
		return;
	ctd_strbuf_free(&inquiry->on_disk);
	ctd_names_to_pairs(&look->names, &inquiry->on_disk);
	inquiry->whole_on_disk = !result && !inquiry->on_disk.failed;
}

/* @return true if it knows something. */
static bool ask_source(const struct ctd_name_source *source, const char *container_id,
		       const char *pod_uid, struct ctd_names *ret_names, enum ctd_qos *ret_qos)
{
	return source &&
	       source->find(source->context, container_id, pod_uid, ret_names, ret_qos) >= 0;
}

/* It is called as it likes; but the pod around the container that it is in, is what it is. */
static void look_around(const struct ctd_inquiry *inquiry, struct ctd_disk *disk,
			const struct ctd_name_source *source, struct ctd_look *ret_look)
{
	struct ctd_look look = {.nested = true};
	struct ctd_identity pod = {.kind = CTD_IS_POD, .path = inquiry->identity.path};
	struct ctd_names more = {0};

	if (inquiry->identity.pod_uid[0] && !inquiry->identity.pod_in_outer) {
		strcpy(pod.pod_uid, inquiry->identity.pod_uid);
		ctd_names_look_up(disk, &pod, &look.names);
		if (ask_source(source, "", pod.pod_uid, &more, &look.qos))
			ctd_names_fill(&look.names, &more);
	}
	*ret_look = look;
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

void ctd_inquiry_look(struct ctd_inquiry *inquiry, struct ctd_disk *disk,
		      const struct ctd_name_source *source, struct ctd_look *ret_look)
{
	const struct ctd_identity *identity = &inquiry->identity;
	struct ctd_look look = {0};
	struct ctd_names more = {0};

	inquiry->nested = inquiry->nested || ctd_names_are_of_others(disk, identity);
	if (inquiry->nested) {
		look_around(inquiry, disk, source, ret_look);
		return;
	}
	look_on_disk(inquiry, disk, &look);
	/* Sandboxes are no containers of a pod's list: it would be fetched again for them. */
	if (ask_source(source, look.names.sandbox ? "" : identity->container_id, identity->pod_uid,
		       &more, &look.qos))
		fill_from_source(&look.names, &more);
	/* A runtime writes a container's files before it makes its cgroup. */
	look.complete = ctd_names_complete(identity, &look.names) &&
			!(look.half_written && ctd_inquiry_is_of_path(inquiry));
	*ret_look = look;
}

void ctd_inquiry_borrow(const struct ctd_inquiry *inquiry, const struct ctd_inquiry *other,
			struct ctd_look *look)
{
	struct ctd_names more = {0}, pod;

	if (inquiry == other || strcmp(inquiry->identity.pod_uid, other->identity.pod_uid) != 0 ||
	    ctd_names_from_pairs(other->on_disk.text, other->on_disk.bytes, &more))
		return;
	pod = (struct ctd_names){.namespace_name = more.namespace_name, .pod_name = more.pod_name};
	more.namespace_name = NULL;
	more.pod_name = NULL;
	ctd_names_free(&more);
	ctd_names_fill(&look->names, &pod);
	look->complete = ctd_names_complete(&inquiry->identity, &look->names);
}

bool ctd_inquiry_answer(struct ctd_inquiry *inquiry, struct ctd_look *look)
{
	auto_ctd_strbuf struct ctd_strbuf pairs = {0};
	bool settled;
	uint64_t hash;

	inquiry->looks++;
	settled = inquiry->settled || look->complete || look->nested || inquiry->leaving ||
		  inquiry->looks >= (look->half_written ? LOOKS_ENOUGH_HALF : LOOKS_ENOUGH);
	ctd_names_to_pairs(&look->names, &pairs);
	hash = pairs.bytes ? ctd_hash(pairs.text, pairs.bytes) : 0;
	/* What nothing is known of any more keeps the names that it had. */
	if (hash && (hash != inquiry->told_hash || look->qos != inquiry->qos)) {
		ctd_names_free(&inquiry->names);
		inquiry->names = look->names;
		inquiry->qos = look->qos;
		inquiry->told_hash = hash;
		inquiry->news = true;
	} else {
		ctd_names_free(&look->names);
	}
	inquiry->complete = inquiry->complete || look->complete;
	if (!inquiry->news && settled == inquiry->settled)
		return false;
	inquiry->settled = settled;
	return true;
}
