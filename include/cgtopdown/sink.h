/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sink.h - outputs of a report. Every file in user/sink/ is one; no arithmetic beyond units. */
#ifndef CGTOPDOWN_SINK_H
#define CGTOPDOWN_SINK_H

#include <cgtopdown/report.h>
#include <stdbool.h>
#include <stdio.h>

struct ctd_sink_options {
	FILE *out; /* borrowed */
	bool colour; /* the terminal wants colours */
	bool terminal; /* out is a terminal: the table may use its width */
	int width; /* columns of the terminal; 80 if unknown */
	bool unicode; /* the locale can show block characters */
	bool utc; /* times are in UTC: readers may be in any time zone */
};

struct ctd_sink {
	const char *name; /* "table", "csv", "jsonl" */
	const char *help;
	/*
	 * Writes one report; @p first is true for the first of a run (a CSV header, say). Nothing
	 * half-written: a report is built in memory and written at once. @return 0 or negative
	 * errno (-EPIPE when the reader is gone).
	 */
	int (*write)(const struct ctd_sink_options *options, const struct ctd_report *report,
		     bool first);
};

/* All sinks, ended by NULL; generated from the file names in user/sink/. */
extern const struct ctd_sink *const ctd_sinks[];
const struct ctd_sink *ctd_sink_find(const char *name);

#endif
