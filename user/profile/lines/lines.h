/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* lines.h - which lines of which source files instructions are of. */
#ifndef PROFILE_LINES_LINES_H
#define PROFILE_LINES_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/strbuf.h"

/* Of an instruction: the function that it is in, and those that were inlined around it. */
#define CTD_LINE_FRAMES_MAX 64
/* Longer names and paths are cut. */
#define CTD_LINE_TEXT_MAX 4096
/* More is refused. */
#define CTD_LINE_TEXTS_MAX (1U << 20)
#define CTD_LINE_FRAMES_ALL_MAX (1U << 22)
#define CTD_LINE_CHAINS_MAX (1U << 20)
#define CTD_LINE_BYTES_MAX ((size_t)256 << 20) /* of all texts */
/* Of one file: whoever wrote it may have made all of its texts have one hash. */
#define CTD_LINE_OWN_TEXTS_MAX (1U << 15)

struct ctd_line_frame {
	uint32_t name; /* index of a text; 0: of the function that symbols tell */
	uint32_t source; /* likewise, a path; 0: not known, and line is 0 */
	uint32_t line; /* 0: not known */
	uint32_t start_line; /* of the function; 0: not known */
};

/* From the innermost inlined function to the one that is really there. */
struct ctd_line_chain {
	uint64_t key; /* what stands for the instruction */
	size_t first; /* index of its frames */
	uint32_t count; /* 1 to CTD_LINE_FRAMES_MAX */
};

/* Begin with {0}. */
struct ctd_lines {
	char **texts; /* owned, with the texts; the first is "" */
	struct ctd_line_frame *frames; /* owned */
	struct ctd_line_chain *chains; /* owned */
	size_t texts_count, texts_bytes, frames_count, chains_count;
	struct ctd_intern known; /* private; texts */
};

void ctd_lines_free(struct ctd_lines *lines);
#define auto_ctd_lines __attribute__((cleanup(ctd_lines_free)))

/* Finds a text, up to CTD_LINE_TEXT_MAX bytes of it, or adds a copy: of one file, and before
 * anything else is added. @return 0, -ENOMEM, or -E2BIG: there are too many. */
int ctd_lines_find_text(struct ctd_lines *lines, const char *text, uint32_t *ret_text);
/* Adds one, without a look at those that are there. @return likewise. */
int ctd_lines_add_text(struct ctd_lines *lines, const char *text, size_t bytes, uint32_t *ret_text);
/* @return likewise. */
int ctd_lines_add(struct ctd_lines *lines, uint64_t key, const struct ctd_line_frame *frames,
		  size_t count);

/* Appends all of it as bytes, for a recording, or for another process. Failures are the buffer's. */
void ctd_lines_write(const struct ctd_lines *lines, struct ctd_strbuf *payload);
/* Reads such bytes, believing nothing that they say: they may be of anybody. @return 0, -ENOMEM or
 * -EBADMSG; then nothing was read. */
int ctd_lines_read(const void *payload, size_t bytes, struct ctd_lines *ret_lines);
/* The same of lines of one file, where keys are below @p keys and grow: no more than one may have. */
int ctd_lines_read_of_file(const void *payload, size_t bytes, size_t keys,
			   struct ctd_lines *ret_lines);

#endif
