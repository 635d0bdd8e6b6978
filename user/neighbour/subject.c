/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* subject.c - the containers that are followed, by their keys. */
#include "neighbour/detector.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/hash.h"

#define FIELDS 6
/* A name of a foreign file is not kept longer than this. */
#define TEXT_BYTES_MAX 4096

static const size_t fields[FIELDS] = {
	offsetof(struct ctd_neighbour_names, key),
	offsetof(struct ctd_neighbour_names, namespace_name),
	offsetof(struct ctd_neighbour_names, pod),
	offsetof(struct ctd_neighbour_names, container),
	offsetof(struct ctd_neighbour_names, container_id),
	offsetof(struct ctd_neighbour_names, cgroup),
};

static const char **field(struct ctd_neighbour_names *names, size_t i)
{
	return (const char **)((char *)names + fields[i]);
}

static bool is_same(const struct ctd_neighbour_names *a, const struct ctd_neighbour_names *b)
{
	for (size_t i = 0; i < FIELDS; i++) {
		const char *of_a = *(const char *const *)((const char *)a + fields[i]);
		const char *of_b = *(const char *const *)((const char *)b + fields[i]);

		if (!of_a != !of_b || (of_a && strcmp(of_a, of_b) != 0))
			return false;
	}
	return true;
}

/* Gives the subject these names, in a block of its own. @return 0 or -ENOMEM. */
static int set_names(struct ctd_subject *subject, const struct ctd_neighbour_names *names)
{
	struct ctd_neighbour_names copy = *names;
	size_t bytes = 0;
	char *text, *at;

	for (size_t i = 0; i < FIELDS; i++)
		bytes += *field(&copy, i) ? strnlen(*field(&copy, i), TEXT_BYTES_MAX) + 1 : 0;
	text = at = malloc(bytes);
	if (!text)
		return -ENOMEM;
	for (size_t i = 0; i < FIELDS; i++) {
		const char *name = *field(&copy, i);
		size_t length = name ? strnlen(name, TEXT_BYTES_MAX) : 0;

		if (!name)
			continue;
		*field(&copy, i) = at;
		memcpy(at, name, length);
		at[length] = '\0';
		at += length + 1;
	}
	free(subject->names_text);
	subject->names_text = text;
	subject->names = copy;
	return 0;
}

void ctd_subject_free(struct ctd_subject *subject)
{
	if (subject)
		free(subject->names_text);
	free(subject);
}

static void remove_at(struct ctd_neighbours *neighbours, size_t i)
{
	struct ctd_subject *subject = neighbours->subjects[i];

	ctd_idmap_remove(&neighbours->by_id, subject->id);
	ctd_idmap_remove(&neighbours->by_serial, subject->serial);
	neighbours->subjects[i] = neighbours->subjects[--neighbours->subjects_count];
	ctd_subject_free(subject);
}

void ctd_subjects_forget(struct ctd_neighbours *neighbours)
{
	for (size_t i = neighbours->subjects_count; i-- > 0;) {
		if (neighbours->subjects[i]->seen_at + HISTORY < neighbours->tick)
			remove_at(neighbours, i);
	}
}

/* Makes room by the one that was not seen for longest. @return false: all run. */
static bool make_room(struct ctd_neighbours *neighbours)
{
	size_t oldest = 0;

	for (size_t i = 1; i < neighbours->subjects_count; i++) {
		if (neighbours->subjects[i]->seen_at < neighbours->subjects[oldest]->seen_at)
			oldest = i;
	}
	if (neighbours->subjects[oldest]->seen_at + 1 >= neighbours->tick)
		return false;
	remove_at(neighbours, oldest);
	return true;
}

static int add(struct ctd_neighbours *neighbours, struct ctd_subject *subject)
{
	int error = ctd_idmap_set(&neighbours->by_id, subject->id, (uintptr_t)subject);

	if (!error)
		error = ctd_idmap_set(&neighbours->by_serial, subject->serial, (uintptr_t)subject);
	if (error) {
		ctd_idmap_remove(&neighbours->by_id, subject->id);
		return error;
	}
	neighbours->subjects[neighbours->subjects_count++] = subject;
	return 0;
}

static struct ctd_subject *new_subject(struct ctd_neighbours *neighbours, uint64_t id,
				       const struct ctd_neighbour_names *names, uint32_t domain)
{
	struct ctd_subject *subject = calloc(1, sizeof(*subject));

	if (!subject)
		return NULL;
	subject->id = id;
	subject->serial = ++neighbours->next_serial;
	subject->domain = domain;
	for (size_t i = 0; i < HISTORY; i++)
		subject->history[i].retired = -INFINITY;
	if (set_names(subject, names) || add(neighbours, subject)) {
		ctd_subject_free(subject);
		return NULL;
	}
	return subject;
}

struct ctd_subject *ctd_subject_of(struct ctd_neighbours *neighbours,
				   const struct ctd_neighbour_names *names, uint32_t domain,
				   int *ret_error)
{
	uint64_t id = ctd_hash(names->key, strnlen(names->key, TEXT_BYTES_MAX)) ^
		      domain * UINT64_C(0x9e3779b97f4a7c15);
	struct ctd_subject *subject;
	uintptr_t found;

	*ret_error = 0;
	if (ctd_idmap_get(&neighbours->by_id, id, &found)) {
		subject = (struct ctd_subject *)found;
		/* Two keys of one hash can be made up: the first one has it. */
		if (subject->domain != domain ||
		    strncmp(subject->names.key, names->key, TEXT_BYTES_MAX) != 0)
			return NULL;
		if (!is_same(&subject->names, names))
			*ret_error = set_names(subject, names);
		return *ret_error ? NULL : subject;
	}
	if (neighbours->subjects_count == neighbours->options.subjects_max &&
	    !make_room(neighbours))
		return NULL;
	subject = new_subject(neighbours, id, names, domain);
	*ret_error = subject ? 0 : -ENOMEM;
	return subject;
}

struct ctd_subject *ctd_subject_by_serial(const struct ctd_neighbours *neighbours, uint64_t serial)
{
	uintptr_t found;

	return ctd_idmap_get(&neighbours->by_serial, serial, &found) ? (struct ctd_subject *)found
								     : NULL;
}
