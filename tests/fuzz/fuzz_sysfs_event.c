/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_sysfs_event.c - no event or format text of a kernel makes the sysfs parser crash. The first
 * line is the event, the others are formats: "term config:0-7". */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "pmu/sysfs.h"

struct formats {
	char *lines; /* NUL instead of newlines */
	char *end;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static const char *find_format(void *context, const char *term)
{
	const struct formats *formats = context;
	size_t bytes = strlen(term);

	assert(bytes && !strpbrk(term, "/. ")); /* it becomes a file name */
	for (const char *line = formats->lines; line < formats->end; line += strlen(line) + 1) {
		if (strncmp(line, term, bytes) == 0 && line[bytes] == ' ')
			return line + bytes + 1;
	}
	return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	autofree char *text = malloc(bytes + 1);
	struct formats formats;
	struct ctd_event event = {.config = 9};

	if (!text)
		return 0;
	memcpy(text, data, bytes);
	text[bytes] = '\0';
	formats.end = text + bytes;
	for (char *at = text; at < formats.end; at++) {
		if (*at == '\n')
			*at = '\0';
	}
	formats.lines = text + strlen(text) + 1;
	if (ctd_sysfs_event_parse(text, find_format, &formats, &event))
		assert(event.config == 9);
	return 0;
}
