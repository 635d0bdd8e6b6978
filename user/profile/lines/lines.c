/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* lines.c - collects lines of instructions, each text once. */
#include "profile/lines/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/hash.h"

struct wanted {
	const struct ctd_lines *lines;
	const char *text;
	size_t bytes;
};

static bool is_text(size_t index, const void *context)
{
	const struct wanted *wanted = context;
	const char *text = wanted->lines->texts[index];

	return strlen(text) == wanted->bytes && memcmp(text, wanted->text, wanted->bytes) == 0;
}

int ctd_lines_add_text(struct ctd_lines *lines, const char *text, size_t bytes, uint32_t *ret_text)
{
	autofree char *copy = NULL;

	if (lines->texts_count >= CTD_LINE_TEXTS_MAX ||
	    lines->texts_bytes + bytes > CTD_LINE_BYTES_MAX)
		return -E2BIG;
	copy = strndup(text, bytes);
	if (!copy || ctd_array_reserve(&lines->texts, lines->texts_count, 1, sizeof(*lines->texts)))
		return -ENOMEM;
	lines->texts_bytes += bytes;
	*ret_text = (uint32_t)lines->texts_count;
	lines->texts[lines->texts_count++] = take_ptr(copy);
	return 0;
}

static int find_text(struct ctd_lines *lines, const char *text, size_t bytes, uint32_t *ret_text)
{
	struct wanted wanted = {lines, text, bytes};
	uint64_t hash = ctd_hash(text, bytes);
	size_t at = ctd_intern_find(&lines->known, hash, is_text, &wanted);
	int error = 0;

	if (at < lines->known.count) {
		*ret_text = (uint32_t)at;
		return 0;
	}
	if (at >= CTD_LINE_OWN_TEXTS_MAX)
		return -E2BIG;
	error = ctd_intern_reserve(&lines->known);
	if (!error)
		error = ctd_lines_add_text(lines, text, bytes, ret_text);
	if (!error)
		ctd_intern_add(&lines->known, hash);
	return error;
}

int ctd_lines_find_text(struct ctd_lines *lines, const char *text, uint32_t *ret_text)
{
	uint32_t nothing;
	int error = lines->texts_count ? 0 : find_text(lines, "", 0, &nothing);

	return error ? error : find_text(lines, text, strnlen(text, CTD_LINE_TEXT_MAX), ret_text);
}

int ctd_lines_add(struct ctd_lines *lines, uint64_t key, const struct ctd_line_frame *frames,
		  size_t count)
{
	if (lines->chains_count >= CTD_LINE_CHAINS_MAX ||
	    lines->frames_count + count > CTD_LINE_FRAMES_ALL_MAX)
		return -E2BIG;
	if (ctd_array_reserve(&lines->frames, lines->frames_count, count, sizeof(*frames)) ||
	    ctd_array_reserve(&lines->chains, lines->chains_count, 1, sizeof(*lines->chains)))
		return -ENOMEM;
	memcpy(&lines->frames[lines->frames_count], frames, count * sizeof(*frames));
	lines->chains[lines->chains_count++] =
		(struct ctd_line_chain){key, lines->frames_count, (uint32_t)count};
	lines->frames_count += count;
	return 0;
}

void ctd_lines_free(struct ctd_lines *lines)
{
	for (size_t i = 0; i < lines->texts_count; i++)
		free(lines->texts[i]);
	free(lines->texts);
	free(lines->frames);
	free(lines->chains);
	ctd_intern_free(&lines->known);
	*lines = (struct ctd_lines){0};
}
