/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* code.c - lines as bytes, and back: record.h has the format. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/varint.h"
#include "profile/lines/lines.h"

void ctd_lines_write(const struct ctd_lines *lines, struct ctd_strbuf *payload)
{
	/* "" is in all of them. */
	size_t first = lines->texts_count ? 1 : 0;

	ctd_varint_add(payload, lines->texts_count - first);
	for (size_t i = first; i < lines->texts_count; i++) {
		ctd_varint_add(payload, strlen(lines->texts[i]));
		ctd_strbuf_add(payload, lines->texts[i]);
	}
	ctd_varint_add(payload, lines->chains_count);
	for (size_t i = 0; i < lines->chains_count; i++) {
		const struct ctd_line_chain *chain = &lines->chains[i];

		ctd_varint_add(payload, chain->key);
		ctd_varint_add(payload, chain->count);
		for (uint32_t k = 0; k < chain->count; k++) {
			const struct ctd_line_frame *frame = &lines->frames[chain->first + k];

			ctd_varint_add(payload, frame->name);
			ctd_varint_add(payload, frame->source);
			ctd_varint_add(payload, frame->line);
			ctd_varint_add(payload, frame->start_line);
		}
	}
}

struct reading {
	const unsigned char *at, *end;
	struct ctd_lines lines; /* owned */
};

static void reading_free(struct reading *reading)
{
	ctd_lines_free(&reading->lines);
}

static int take(struct reading *reading, uint64_t max, uint64_t *ret_value)
{
	uint64_t value;

	if (ctd_varint_take(&reading->at, reading->end, &value) || value > max)
		return -EBADMSG;
	*ret_value = value;
	return 0;
}

static int take_text(struct reading *reading)
{
	uint32_t text;
	uint64_t bytes;
	int error = take(reading, CTD_LINE_TEXT_MAX, &bytes);

	if (error || bytes > (size_t)(reading->end - reading->at) ||
	    memchr(reading->at, '\0', bytes))
		return -EBADMSG;
	error = ctd_lines_add_text(&reading->lines, (const char *)reading->at, bytes, &text);
	reading->at += bytes;
	return error;
}

static int take_texts(struct reading *reading)
{
	uint64_t count;
	uint32_t nothing;
	int error = take(reading, CTD_LINE_TEXTS_MAX - 1, &count);

	if (!error)
		error = ctd_lines_add_text(&reading->lines, "", 0, &nothing);
	for (uint64_t i = 0; !error && i < count; i++)
		error = take_text(reading);
	return error;
}

static int take_frame(struct reading *reading, bool is_last, struct ctd_line_frame *ret_frame)
{
	uint64_t name, source = 0, line = 0, start_line = 0;
	int error = take(reading, reading->lines.texts_count - 1, &name);

	if (!error)
		error = take(reading, reading->lines.texts_count - 1, &source);
	if (!error)
		error = take(reading, UINT32_MAX, &line);
	if (!error)
		error = take(reading, UINT32_MAX, &start_line);
	/* The last one is no inlined function. */
	if (error || (!source && line) || (is_last && name))
		return -EBADMSG;
	*ret_frame = (struct ctd_line_frame){(uint32_t)name, (uint32_t)source, (uint32_t)line,
					     (uint32_t)start_line};
	return 0;
}

static int take_chain(struct reading *reading)
{
	struct ctd_line_frame frames[CTD_LINE_FRAMES_MAX];
	uint64_t key, count = 0;
	int error = take(reading, UINT64_MAX, &key);

	if (!error)
		error = take(reading, CTD_LINE_FRAMES_MAX, &count);
	if (error || !count)
		return -EBADMSG;
	for (uint64_t i = 0; !error && i < count; i++)
		error = take_frame(reading, i + 1 == count, &frames[i]);
	return error ? error : ctd_lines_add(&reading->lines, key, frames, count);
}

int ctd_lines_read(const void *payload, size_t bytes, struct ctd_lines *ret_lines)
{
	__attribute__((cleanup(reading_free))) struct reading reading = {
		.at = payload,
		.end = (const unsigned char *)payload + bytes,
	};
	uint64_t count = 0;
	int error = take_texts(&reading);

	if (!error)
		error = take(&reading, CTD_LINE_CHAINS_MAX, &count);
	for (uint64_t i = 0; !error && i < count; i++)
		error = take_chain(&reading);
	if (!error && reading.at != reading.end)
		error = -EBADMSG;
	if (error)
		return error == -ENOMEM ? error : -EBADMSG;
	*ret_lines = reading.lines;
	reading.lines = (struct ctd_lines){0};
	return 0;
}

static bool are_of_file(const struct ctd_lines *lines, size_t keys)
{
	if (lines->texts_count > CTD_LINE_OWN_TEXTS_MAX)
		return false;
	for (size_t i = 1; i < lines->texts_count; i++)
		if (!*lines->texts[i])
			return false;
	for (size_t i = 0; i < lines->chains_count; i++)
		if (lines->chains[i].key >= keys ||
		    (i && lines->chains[i].key <= lines->chains[i - 1].key))
			return false;
	return true;
}

int ctd_lines_read_of_file(const void *payload, size_t bytes, size_t keys,
			   struct ctd_lines *ret_lines)
{
	auto_ctd_lines struct ctd_lines lines = {0};
	int error = ctd_lines_read(payload, bytes, &lines);

	if (!error && !are_of_file(&lines, keys))
		error = -EBADMSG;
	if (error)
		return error;
	*ret_lines = lines;
	lines = (struct ctd_lines){0};
	return 0;
}
