/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* samples.c - adds up samples of equal stacks, within limits. */
#include <cgtopdown/samples.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/idmap.h"

/* All of a sample that says what it is of; zeroed first, as it is hashed and compared as bytes. */
struct key {
	uint64_t cgroup_id, incarnation, begin_frame;
	uint32_t kind, core_type, group, tgid;
	uint16_t kernel_frames, user_frames;
	uint8_t kernel_end, user_end, other, zero;
};

static struct key key_of(const struct ctd_sample *sample)
{
	struct key key;

	memset(&key, 0, sizeof(key));
	key.cgroup_id = sample->cgroup_id;
	key.kind = sample->kind;
	key.core_type = sample->core_type;
	key.group = sample->group;
	key.other = sample->other;
	if (sample->other)
		return key;
	key.incarnation = sample->incarnation;
	key.begin_frame = sample->begin_frame;
	key.tgid = sample->tgid;
	key.kernel_frames = sample->kernel_frames;
	key.user_frames = sample->user_frames;
	key.kernel_end = sample->kernel_end;
	key.user_end = sample->user_end;
	return key;
}

static size_t frames_of(const struct key *key)
{
	return (size_t)key->kernel_frames + key->user_frames;
}

static bool is_of(const struct ctd_samples *samples, const struct ctd_sample *sample,
		  const struct key *key, const uint64_t *frames)
{
	struct key other = key_of(sample);

	return memcmp(&other, key, sizeof(other)) == 0 &&
	       (!frames_of(key) || memcmp(&samples->frames[sample->first_frame], frames,
					  frames_of(key) * sizeof(*frames)) == 0);
}

/* @return the sample of that key, or NULL and in @p ret_id where it would be. */
static struct ctd_sample *find(const struct ctd_samples *samples, const struct key *key,
			       const uint64_t *frames, uint64_t *ret_id)
{
	uint64_t id = ctd_hash(key, sizeof(*key)) ^
		      ctd_hash(frames, frames_of(key) * sizeof(*frames)) * 31;
	uintptr_t at;

	for (; ctd_idmap_get(samples->index, id, &at); id++) {
		if (is_of(samples, &samples->samples[at], key, frames))
			return &samples->samples[at];
	}
	*ret_id = id;
	return NULL;
}

static void add(struct ctd_sample *to, const struct ctd_sample *from)
{
	to->samples += from->samples;
	to->windows += from->windows;
	to->windows_ns += from->windows_ns;
	for (int i = 0; i < CTD_COUNTERS_MAX; i++)
		to->count[i] += from->count[i];
}

static size_t capacity_of(size_t count)
{
	size_t capacity = 64;

	while (capacity < count)
		capacity *= 2;
	return capacity;
}

/* Room for @p more elements after @p count. @return the array, or NULL: it stays as it was. */
static void *grow(void *elements, size_t element_bytes, size_t count, size_t more)
{
	size_t capacity = capacity_of(count + more);

	if (elements && capacity == capacity_of(count))
		return elements;
	return reallocarray(elements, capacity, element_bytes);
}

static int make_room(struct ctd_samples *samples, size_t frames_count)
{
	struct ctd_sample *all = grow(samples->samples, sizeof(*all), samples->samples_count, 1);
	uint64_t *frames;

	if (!all)
		return -ENOMEM;
	samples->samples = all;
	frames = grow(samples->frames, sizeof(*frames), samples->frames_count, frames_count);
	if (!frames)
		return -ENOMEM;
	samples->frames = frames;
	return 0;
}

static int append(struct ctd_samples *samples, const struct ctd_sample *sample,
		  const struct key *key, const uint64_t *frames, uint64_t id)
{
	struct ctd_sample *to;
	size_t count = frames_of(key);

	if (make_room(samples, count) || ctd_idmap_set(samples->index, id, samples->samples_count))
		return -ENOMEM;
	to = &samples->samples[samples->samples_count++];
	*to = (struct ctd_sample){
		.cgroup_id = key->cgroup_id,
		.kind = key->kind,
		.core_type = key->core_type,
		.group = key->group,
		.tgid = key->tgid,
		.incarnation = key->incarnation,
		.first_frame = samples->frames_count,
		.kernel_frames = key->kernel_frames,
		.user_frames = key->user_frames,
		.kernel_end = key->kernel_end,
		.user_end = key->user_end,
		.begin_frame = key->begin_frame,
		.other = key->other,
	};
	if (count)
		memcpy(&samples->frames[samples->frames_count], frames, count * sizeof(*frames));
	samples->frames_count += count;
	add(to, sample);
	return 0;
}

int ctd_samples_add(struct ctd_samples *samples, const struct ctd_sample *sample,
		    const uint64_t *frames)
{
	struct key key = key_of(sample);
	struct ctd_sample *known;
	uint64_t id = 0;

	if (!samples->index)
		samples->index = calloc(1, sizeof(*samples->index));
	if (!samples->index)
		return -ENOMEM;
	known = find(samples, &key, frames, &id);
	if (!known && samples->samples_max && samples->samples_count >= samples->samples_max &&
	    !sample->other) {
		struct ctd_sample rest = *sample;

		rest.other = true;
		return ctd_samples_add(samples, &rest, NULL);
	}
	if (!known)
		return append(samples, sample, &key, frames, id);
	add(known, sample);
	return 0;
}

void ctd_samples_clear(struct ctd_samples *samples)
{
	if (samples->index)
		ctd_idmap_free(samples->index);
	free(samples->index);
	free(samples->samples);
	free(samples->frames);
	samples->index = NULL;
	samples->samples = NULL;
	samples->frames = NULL;
	samples->samples_count = 0;
	samples->frames_count = 0;
}
