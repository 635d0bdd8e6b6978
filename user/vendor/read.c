/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* read.c - reads all files of a core into one table. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "base/json_walk.h"
#include "base/root.h"
#include "vendor/cpu_id.h"
#include "vendor/find.h"
#include "vendor/reader.h"

/* The largest that a vendor has is of 2 MB; all of a core's together are of 5. */
#define FILE_BYTES_MAX ((size_t)16 << 20)
#define ALL_BYTES_MAX ((size_t)64 << 20)

static const char *const format_names[] = {
	[CTD_VENDOR_ARM] = "Arm's telemetry-solution",
	[CTD_VENDOR_PERF] = "Linux' perf",
	[CTD_VENDOR_PERFMON] = "intel/perfmon",
};
static ctd_vendor_read_fn *const readers[] = {
	[CTD_VENDOR_ARM] = ctd_vendor_read_arm,
	[CTD_VENDOR_PERF] = ctd_vendor_read_perf,
	[CTD_VENDOR_PERFMON] = ctd_vendor_read_perfmon,
};

const char *ctd_vendor_format_name(enum ctd_vendor_format format)
{
	return format < CTD_VENDOR_FORMATS ? format_names[format] : "none";
}

static int read_text(struct ctd_vendor_table *table, const char *path, char **ret_text,
		     size_t *ret_bytes)
{
	int r = ctd_read_file(path, FILE_BYTES_MAX, ret_text, ret_bytes);

	if (r == -ENOMEM)
		return r;
	if (r == -EFBIG)
		ctd_vendor_note(table, path, "",
				"it has more than %zu MB, as no vendor's file has: it is left out",
				FILE_BYTES_MAX >> 20);
	else if (r)
		ctd_vendor_note(table, path, "", "%s", strerror(-r));
	else
		table->bytes += *ret_bytes;
	return r;
}

/* @p metrics: whose are taken. */
static int read_file(struct ctd_vendor_table *table, const struct ctd_vendor_file *file,
		     const char *pmu, enum ctd_vendor_format metrics, json_t *standard)
{
	struct ctd_vendor_reader reader = {
		.table = table,
		.file = ctd_vendor_keep(table, file->path),
		.pmu = pmu,
		.metrics = file->format == metrics,
		.standard = standard,
	};
	autofree char *text = NULL;
	size_t bytes;
	int r;

	if (!reader.file)
		return -ENOMEM;
	/* A file of metrics alone, of which none is wanted. */
	if (file->kind == CTD_VENDOR_METRICS && !reader.metrics)
		return 0;
	r = read_text(table, reader.file, &text, &bytes);
	if (r)
		return r == -ENOMEM ? r : 0;
	table->files_count++;
	if (file->kind == CTD_VENDOR_STANDARD)
		return ctd_vendor_read_standard(&reader, text, bytes);
	return readers[file->format](&reader, text, bytes);
}

static int read_all(struct ctd_vendor_table *table, const struct ctd_vendor_files *files,
		    const char *pmu, enum ctd_vendor_format metrics)
{
	auto_json json_t *standard = json_object();
	struct ctd_vendor_reader reader = {.table = table, .file = "", .standard = standard};
	int r = standard ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < files->count; i++) {
		if (table->bytes > ALL_BYTES_MAX) {
			ctd_vendor_note(table, files->files[i].path, "",
					"all before it have more than %zu MB: it is left out",
					ALL_BYTES_MAX >> 20);
			break;
		}
		r = read_file(table, &files->files[i], pmu, metrics, standard);
	}
	return r ? r : ctd_vendor_add_standard(&reader);
}

/* The first format that has metrics of the core, of those that are asked for. */
static int read_formats(struct ctd_vendor_table *table, const struct ctd_vendor_files *files,
			const struct ctd_vendor_cpu *cpu, enum ctd_vendor_format format)
{
	enum ctd_vendor_format first = format == CTD_VENDOR_FORMATS ? 0 : format;
	uint64_t midr;
	int r = -ENOENT;

	for (enum ctd_vendor_format i = first; i < CTD_VENDOR_FORMATS; i++) {
		bool last = i == CTD_VENDOR_FORMATS - 1 || format != CTD_VENDOR_FORMATS,
		     there = false;

		for (size_t file = 0; file < files->count; file++)
			there = there || files->files[file].format == i;
		if (!there && !last)
			continue;
		r = ctd_vendor_table_new(table);
		if (r)
			return r;
		table->arm = ctd_vendor_midr(cpu->id, &midr);
		r = read_all(table, files, cpu->pmu, i);
		if (r == 0 && table->metrics_count)
			table->format = i;
		if (r || last || table->metrics_count)
			return r;
		ctd_vendor_table_free(table);
	}
	return r;
}

static int explain_nothing(const struct ctd_vendor_files *files, const struct ctd_vendor_cpu *cpu,
			   char ret_why[CTD_VENDOR_WHY_BYTES])
{
	if (files->maps_count)
		snprintf(ret_why, CTD_VENDOR_WHY_BYTES,
			 "its files are of other processors: none is of %s%s%s", cpu->id,
			 *cpu->pmu ? ", PMU " : "", cpu->pmu);
	else
		snprintf(
			ret_why, CTD_VENDOR_WHY_BYTES,
			"it has no file by which vendors tell processors: a mapfile.csv of intel/perfmon or of Linux' tools/perf/pmu-events/arch, or a specification of Arm's telemetry-solution");
	return -ENOENT;
}

int ctd_vendor_read(const char *directory, const struct ctd_vendor_cpu *cpu,
		    enum ctd_vendor_format format, struct ctd_vendor_table *ret_table,
		    char ret_why[CTD_VENDOR_WHY_BYTES])
{
	struct ctd_vendor_table table = {0};
	struct ctd_vendor_files files;
	int r = ctd_vendor_files_find(directory, cpu, &files, ret_why);

	if (r)
		return r;
	r = files.count ? read_formats(&table, &files, cpu, format)
			: explain_nothing(&files, cpu, ret_why);
	ctd_vendor_files_free(&files);
	if (r) {
		if (r == -E2BIG)
			snprintf(ret_why, CTD_VENDOR_WHY_BYTES,
				 "it has more events or metrics of one core than any vendor");
		ctd_vendor_table_free(&table);
		return r;
	}
	if (table.metrics_count)
		table.where = table.metrics[0].file;
	ctd_vendor_tree_set(&table);
	*ret_table = table;
	return 0;
}
