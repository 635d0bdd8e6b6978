/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_lines.c - whatever a process that reads lines of files may say, it is lines or refused. */
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "profile/lines/lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void check(const struct ctd_lines *lines)
{
	for (size_t i = 0; i < lines->texts_count; i++)
		assert(strlen(lines->texts[i]) <= CTD_LINE_TEXT_MAX);
	for (size_t i = 0; i < lines->chains_count; i++) {
		const struct ctd_line_chain *chain = &lines->chains[i];

		assert(chain->count && chain->count <= CTD_LINE_FRAMES_MAX);
		assert(chain->first + chain->count <= lines->frames_count);
		assert(!lines->frames[chain->first + chain->count - 1].name);
	}
	for (size_t i = 0; i < lines->frames_count; i++) {
		assert(lines->frames[i].name < lines->texts_count);
		assert(lines->frames[i].source < lines->texts_count);
		assert(lines->frames[i].source || !lines->frames[i].line);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	auto_ctd_lines struct ctd_lines lines = {0}, again = {0}, of_file = {0};
	auto_ctd_strbuf struct ctd_strbuf payload = {0};
	int error = ctd_lines_read(data, bytes, &lines);

	assert(!error || error == -EBADMSG || error == -ENOMEM);
	if (error)
		return 0;
	check(&lines);
	assert(ctd_lines_read_of_file(data, bytes, 64, &of_file) ||
	       (of_file.texts_count <= CTD_LINE_OWN_TEXTS_MAX && of_file.chains_count <= 64));
	ctd_lines_write(&lines, &payload);
	assert(!ctd_lines_read(payload.text, payload.bytes, &again));
	assert(again.texts_count == lines.texts_count && again.frames_count == lines.frames_count &&
	       again.chains_count == lines.chains_count);
	return 0;
}
