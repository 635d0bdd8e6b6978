/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* verdicts.c - copies tags out of the detector, for readers in other threads. */
#include <cgtopdown/neighbour.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* All in one block: behind it are the tags, their series, the names, and their texts. */
struct shared {
	struct ctd_neighbour_verdicts verdicts; /* the first member */
	atomic_uint references;
};

/* A struct of names is nothing but texts. */
#define TEXTS (sizeof(struct ctd_neighbour_names) / sizeof(const char *))

/* Where the next series goes, the next names, and the next text. */
struct room {
	struct ctd_neighbour_series *series;
	struct ctd_neighbour_names *names;
	char *text;
};

static size_t bytes_of(const struct ctd_neighbour_names *names)
{
	const char *const *texts = (const char *const *)names;
	size_t bytes = sizeof(*names);

	for (size_t i = 0; i < TEXTS; i++)
		bytes += texts[i] ? strlen(texts[i]) + 1 : 0;
	return bytes;
}

static const struct ctd_neighbour_names *copy_names(struct room *room,
						    const struct ctd_neighbour_names *names)
{
	const char *const *texts = (const char *const *)names;
	const char **copies = (const char **)room->names;

	for (size_t i = 0; i < TEXTS; i++) {
		copies[i] = texts[i] ? room->text : NULL;
		if (texts[i])
			room->text = stpcpy(room->text, texts[i]) + 1;
	}
	return room->names++;
}

static void copy_tag(struct room *room, struct ctd_neighbour_tag *tag)
{
	tag->victim = copy_names(room, tag->victim);
	for (size_t i = 0; i < tag->antagonists_count; i++)
		tag->antagonists[i].names = copy_names(room, tag->antagonists[i].names);
	if (tag->series) {
		*room->series = *tag->series;
		tag->series = room->series++;
	}
}

struct ctd_neighbour_verdicts *
ctd_neighbour_verdicts_copy(const struct ctd_neighbour_verdicts *verdicts)
{
	size_t count = verdicts->tags_count, names_count = 0, series_count = 0;
	const struct ctd_neighbour_tag *tags = verdicts->tags;
	struct ctd_neighbour_tag *copies;
	struct shared *shared;
	struct room room;
	size_t bytes = sizeof(*shared) + count * sizeof(*tags);

	for (size_t i = 0; i < count; i++) {
		bytes += bytes_of(tags[i].victim);
		for (size_t j = 0; j < tags[i].antagonists_count; j++)
			bytes += bytes_of(tags[i].antagonists[j].names);
		names_count += 1 + tags[i].antagonists_count;
		series_count += !!tags[i].series;
	}
	bytes += series_count * sizeof(*room.series);
	shared = calloc(1, bytes);
	if (!shared)
		return NULL;
	copies = (struct ctd_neighbour_tag *)(shared + 1);
	room.series = (struct ctd_neighbour_series *)(copies + count);
	room.names = (struct ctd_neighbour_names *)(room.series + series_count);
	room.text = (char *)(room.names + names_count);
	for (size_t i = 0; i < count; i++) {
		copies[i] = tags[i];
		copy_tag(&room, &copies[i]);
	}
	shared->verdicts = *verdicts;
	shared->verdicts.tags = copies;
	atomic_init(&shared->references, 1);
	return &shared->verdicts;
}

struct ctd_neighbour_verdicts ctd_neighbours_verdicts(const struct ctd_neighbours *neighbours,
						      uint64_t time_ns)
{
	struct ctd_neighbour_verdicts verdicts = {.time_ns = time_ns};

	verdicts.tags = ctd_neighbours_tags(neighbours, &verdicts.tags_count);
	ctd_neighbours_status(neighbours, &verdicts.status);
	return verdicts;
}

const struct ctd_neighbour_verdicts *
ctd_neighbour_verdicts_hold(const struct ctd_neighbour_verdicts *verdicts)
{
	if (verdicts)
		atomic_fetch_add(&((struct shared *)verdicts)->references, 1);
	return verdicts;
}

void ctd_neighbour_verdicts_release(const struct ctd_neighbour_verdicts *verdicts)
{
	struct shared *shared = (struct shared *)verdicts;

	if (shared && atomic_fetch_sub(&shared->references, 1) == 1)
		free(shared);
}
