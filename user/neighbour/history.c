/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* history.c - what was learned, as bytes that outlast a restart. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/strbuf.h"
#include "neighbour/detector.h"

/*
 * A header, then for each container its domain, by what its slots were counted, since when
 * it is tagged, its names, each with the count of its bytes in front, and its samples up to the
 * header's time, the newest last, four numbers each: where it did not run the last of them is 0,
 * where that is not known none is a number. In the byte order of the machine, on which it stays.
 * Version 1 did not say by what slots were counted.
 */
#define MAGIC UINT64_C(0x0000000231445443) /* "CTD1", version 2 */
struct header {
	uint64_t magic, period_ns, time_ns, subjects;
};
struct subject_header {
	uint32_t domain, points;
	uint64_t meaning; /* of the samples */
	uint64_t since_ns[CTD_MECHANISMS]; /* of its tags; 0: it has none */
};
#define NAMES 6
#define NO_NAME UINT16_MAX
#define NAME_BYTES_MAX 4096
#define NUMBERS 4
/* Logarithms to 1/512: finer than any noise, and of any count of 64 bits. */
#define SCALE 512.0F
static const int16_t no_number = INT16_MIN;

static int16_t number_of(float value)
{
	float scaled = roundf(value * SCALE);

	if (!(fabsf(scaled) <= INT16_MAX))
		return no_number;
	return (int16_t)scaled;
}

static float value_of(int16_t number)
{
	return number == no_number ? NAN : (float)number / SCALE;
}

static void add_names(struct ctd_strbuf *out, const struct ctd_neighbour_names *names)
{
	const char *texts[NAMES] = {names->key,	      names->namespace_name, names->pod,
				    names->container, names->container_id,   names->cgroup};

	for (size_t i = 0; i < NAMES; i++) {
		uint16_t bytes = texts[i] ? (uint16_t)strnlen(texts[i], NAME_BYTES_MAX) : NO_NAME;

		ctd_strbuf_add_bytes(out, (const char *)&bytes, sizeof(bytes));
		if (texts[i])
			ctd_strbuf_add_bytes(out, texts[i], bytes);
	}
}

static void add_subject(struct ctd_strbuf *out, struct ctd_subject *subject, uint64_t tick)
{
	struct subject_header header = {.domain = subject->domain,
					.meaning = subject->meaning,
					.points = tick < HISTORY ? (uint32_t)tick : HISTORY};

	for (size_t i = 0; i < CTD_MECHANISMS; i++)
		header.since_ns[i] =
			subject->verdicts[i].tagged ? subject->verdicts[i].since_ns : 0;
	while (header.points && !isfinite(ctd_point_at(subject, tick - header.points + 1)->retired))
		header.points--;
	ctd_strbuf_add_bytes(out, (const char *)&header, sizeof(header));
	add_names(out, &subject->names);
	for (uint64_t t = tick - header.points + 1; t <= tick; t++) {
		const struct ctd_point *point = ctd_point_at(subject, t);
		int16_t numbers[NUMBERS] = {no_number, no_number, no_number, no_number};

		/* Where it did not run, there are none: nothing else is without slots. */
		if (isinf(point->retired))
			numbers[3] = 0;
		if (isfinite(point->retired)) {
			numbers[0] = number_of(point->retired);
			numbers[1] = number_of(point->kind[KIND_MEMORY]);
			numbers[2] = number_of(point->kind[KIND_FRONTEND]);
			numbers[3] = number_of(point->slots);
		}
		ctd_strbuf_add_bytes(out, (const char *)numbers, sizeof(numbers));
	}
}

int ctd_neighbours_save(const struct ctd_neighbours *neighbours, void **ret_bytes,
			size_t *ret_count)
{
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	const struct header header = {
		.magic = MAGIC,
		.period_ns = neighbours->options.period_ns,
		.time_ns = neighbours->time_ns,
		.subjects = neighbours->subjects_count,
	};

	ctd_strbuf_add_bytes(&out, (const char *)&header, sizeof(header));
	for (size_t i = 0; i < neighbours->subjects_count; i++)
		add_subject(&out, neighbours->subjects[i], neighbours->tick);
	if (out.failed)
		return -ENOMEM;
	*ret_count = out.bytes;
	*ret_bytes = take_ptr(out.text);
	return 0;
}

/* What is left of the bytes. */
struct reader {
	const char *at, *end;
};

static bool take(struct reader *reader, void *ret_value, size_t bytes)
{
	if ((size_t)(reader->end - reader->at) < bytes)
		return false;
	memcpy(ret_value, reader->at, bytes);
	reader->at += bytes;
	return true;
}

/* @return false: there is no such text. A NUL in it would end it sooner. */
static bool take_name(struct reader *reader, char **ret_text)
{
	char text[NAME_BYTES_MAX + 1];
	uint16_t bytes;

	if (!take(reader, &bytes, sizeof(bytes)))
		return false;
	if (bytes == NO_NAME)
		return true;
	if (bytes > NAME_BYTES_MAX || !take(reader, text, bytes))
		return false;
	text[bytes] = '\0';
	*ret_text = strdup(text);
	return *ret_text;
}

static bool take_points(struct reader *reader, struct ctd_subject *subject, uint32_t count,
			uint64_t tick)
{
	for (size_t i = 0; i < HISTORY; i++)
		subject->history[i].retired = NAN;
	for (uint64_t t = tick - count + 1; t <= tick; t++) {
		struct ctd_point *point = ctd_point_at(subject, t);
		int16_t numbers[NUMBERS];
		bool is_idle;

		if (!take(reader, numbers, sizeof(numbers)))
			return false;
		is_idle = numbers[0] == no_number && !numbers[3];
		*point = (struct ctd_point){
			.retired = numbers[3] > 0 ? value_of(numbers[0])
				   : is_idle	  ? -INFINITY
						  : NAN,
			.kind = {value_of(numbers[1]), value_of(numbers[2])},
			.slots = value_of(numbers[3]),
		};
	}
	return true;
}

static int take_subject(struct reader *reader, struct ctd_neighbours *neighbours)
{
	char *texts[NAMES] = {0};
	struct subject_header header;
	struct ctd_subject *subject;
	bool whole = take(reader, &header, sizeof(header)) && header.points <= HISTORY;
	int error = 0;

	for (size_t i = 0; whole && i < NAMES; i++)
		whole = take_name(reader, &texts[i]);
	if (whole && texts[0]) {
		const struct ctd_neighbour_names names = {texts[0], texts[1], texts[2],
							  texts[3], texts[4], texts[5]};

		subject = ctd_subject_of(neighbours, &names, header.domain, &error);
		for (size_t i = 0; subject && i < CTD_MECHANISMS; i++)
			subject->verdicts[i] = (struct ctd_verdict){.tagged = header.since_ns[i],
								    .since_ns = header.since_ns[i]};
		if (subject) {
			subject->seen_at = neighbours->tick;
			subject->meaning = header.meaning;
		}
		/* There may be two of one hash, or more than there is room for. */
		if (!error &&
		    (!subject || !take_points(reader, subject, header.points, neighbours->tick)))
			error = -EBADMSG;
	} else {
		error = -EBADMSG;
	}
	for (size_t i = 0; i < NAMES; i++)
		free(texts[i]);
	return error;
}

static const char *why_not(const struct ctd_neighbours *neighbours, const struct header *header)
{
	if (header->magic != MAGIC)
		return "it is no history of neighbours, or of another version";
	if (header->period_ns != neighbours->options.period_ns)
		return "its samples are of another period";
	if (header->subjects > neighbours->options.subjects_max)
		return "it has more containers than are followed";
	return neighbours->tick ? "samples were taken before" : NULL;
}

int ctd_neighbours_load(struct ctd_neighbours *neighbours, const void *bytes, size_t count,
			const char **ret_why)
{
	struct reader reader = {bytes, (const char *)bytes + count};
	struct header header = {0};
	int error = 0;

	*ret_why = take(&reader, &header, sizeof(header)) ? why_not(neighbours, &header)
							  : "it is cut off";
	if (*ret_why)
		return -EBADMSG;
	neighbours->tick = HISTORY;
	neighbours->time_ns = header.time_ns;
	for (uint64_t i = 0; !error && i < header.subjects; i++)
		error = take_subject(&reader, neighbours);
	if (error == -EBADMSG)
		*ret_why = "it is damaged";
	return error;
}
