/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* reader.h - the readers of one file, of each format. */
#ifndef VENDOR_READER_H
#define VENDOR_READER_H

#include <jansson.h>
#include <stddef.h>

#include "vendor/table.h"

struct ctd_vendor_reader {
	struct ctd_vendor_table *table;
	const char *file; /* its path, kept */
	const char *pmu; /* which core of a hybrid processor; "" */
	bool metrics; /* take them, and not only events */
	json_t *standard; /* perf's entries for all Arm cores, by name; NULL: there are none */
	size_t unknown; /* entries that refer to none of these */
};

/*
 * Each adds what is in a file to the table. Of what is malformed there is a note.
 * @return 0, -ENOMEM, or -E2BIG: the table is full.
 */
typedef int ctd_vendor_read_fn(struct ctd_vendor_reader *reader, const char *text, size_t bytes);
ctd_vendor_read_fn ctd_vendor_read_perf, ctd_vendor_read_perfmon, ctd_vendor_read_arm;

/* A file of perf's with entries that those of single cores refer to by name: adds to `standard`. */
int ctd_vendor_read_standard(struct ctd_vendor_reader *reader, const char *text, size_t bytes);
/* Adds all events of `standard` that the table lacks. @return 0, -ENOMEM or -E2BIG. */
int ctd_vendor_add_standard(struct ctd_vendor_reader *reader);

#endif
