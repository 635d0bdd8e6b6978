/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor.h - a file of a vendor with any content, read and computed. */
#ifndef TESTS_FUZZ_VENDOR_H
#define TESTS_FUZZ_VENDOR_H

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "vendor/reader.h"

/* As files are read: with a NUL behind. */
static inline char *text_of(const uint8_t *data, size_t bytes)
{
	char *text = malloc(bytes + 1);

	assert(text);
	memcpy(text, data, bytes);
	text[bytes] = 0;
	return text;
}

static inline void check_set(const struct ctd_vendor_table *table, const struct ctd_vendor_set *set)
{
	size_t count;
	const struct ctd_vendor_count *counts = ctd_vendor_set_counts(set, &count);
	double *values = calloc(ctd_vendor_set_room(set), sizeof(*values));
	double *measured = calloc(count + 1, sizeof(*measured));

	assert(values && measured);
	for (size_t i = 0; i < count; i++)
		measured[i] = counts[i].config ? 1e6 : NAN;
	ctd_vendor_evaluate(set, measured, 1, values);
	for (size_t i = 0; i < table->metrics_count; i++) {
		const char *why;

		assert(!ctd_vendor_set_lack(set, i, &why) == !why);
		assert(!why || isnan(values[i]));
		ctd_vendor_hot(set, i, values);
	}
	free(values);
	free(measured);
}

/* @p arm: the file is also that of all Arm cores, to which its entries refer. */
static inline void check_file(ctd_vendor_read_fn *read, const uint8_t *data, size_t bytes, bool arm)
{
	const struct ctd_vendor_cpu cpu = {.id = "GenuineIntel-6-8F-4"};
	const struct ctd_vendor_machine machine = {1, 6, NAN, 8, 0};
	char *text = text_of(data, bytes);
	struct ctd_vendor_table table;
	struct ctd_vendor_set *set;
	struct ctd_vendor_reader reader = {
		.table = &table,
		.file = "file",
		.pmu = "",
		.metrics = true,
		.standard = json_object(),
	};
	int r;

	assert(ctd_vendor_table_new(&table) == 0);
	table.arm = arm;
	if (arm)
		assert(ctd_vendor_read_standard(&reader, text, bytes) == 0);
	r = read(&reader, text, bytes);
	assert(r == 0 || r == -E2BIG);
	for (size_t i = 0; i < table.notes_count; i++)
		assert(*table.notes[i].reason);
	ctd_vendor_tree_set(&table);
	assert(ctd_vendor_set_new(&table, &cpu, &machine, &set) == 0);
	check_set(&table, set);
	ctd_vendor_set_free(set);
	ctd_vendor_table_free(&table);
	json_decref(reader.standard);
	free(text);
}

#endif
