/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* answer.h - figures of a time that is over as JSON, schema cgtopdown/history/1. */
#ifndef SERVE_HISTORY_ANSWER_H
#define SERVE_HISTORY_ANSWER_H

#include <cgtopdown/rollup.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

#define CTD_HISTORY_POINTS_MAX 1000
#define CTD_HISTORY_ROWS_MAX 1000

struct ctd_history_question {
	uint64_t since_ns, until_ns; /* since 1970; the latter is later */
	uint64_t step_ns; /* so long is a point; at most CTD_HISTORY_POINTS_MAX of them */
	enum ctd_group_by by; /* neither processes nor tasks: they are not kept */
	int level; /* nodes down to this one */
	size_t rows; /* at most so many, of those with the most CPU time */
	const char *key; /* borrowed; of the only row; NULL: all */
	bool gzip;
	/* Is the answer still wanted? Asked now and then. NULL: it is. */
	bool (*is_wanted)(void *context);
	void *context; /* borrowed */
};

/*
 * Appends the whole of it, from the history in @p directory. @return 0, -ENOMEM, -E2BIG: it would
 * be more than is given at once; -ECANCELED: it was not wanted any more; or another negative errno
 * of the directory.
 */
int ctd_history_answer(const char *directory, const struct ctd_history_question *question,
		       struct ctd_strbuf *answer);

#endif
