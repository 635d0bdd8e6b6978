/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* make_record_corpus.c - writes the seeds of fuzz_record into a directory:
 * tests/fuzz/corpus/record. */
#include <cgtopdown/record.h>

#include <math.h>
#include <stdio.h>

#include "../unit/snapshot/recording.h"
#include "base/strbuf.h"
#include "vendor/counting.h"
#include "vendor/recorded.h"
#include "vendor/table.h"

static const char *directory;

static void save(const char *name, const unsigned char *data, size_t bytes)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0) {
		perror(path);
		exit(1);
	}
}

static void need(int r)
{
	if (r)
		abort();
}

/* Metrics of two groups, a part of the other and by its threshold. */
static void make_table(struct ctd_vendor_table *table)
{
	static const struct {
		const char *name, *formula, *threshold;
		int level;
	} metrics[] = {
		{"whole", "(E0 + E1) / CPU_CLK_UNHALTED.THREAD", "whole > 0.1", 1},
		{"part", "(E2 + cpu@E3\\,cmask\\=0x2@ * #SMT_on) / clks",
		 "part > 0.1 & whole > 0.2", 2},
		{"clks", "max(CPU_CLK_UNHALTED.THREAD, 1)", "", 0},
		{"uncore", "UNC_CLOCK / 2", "", 1},
	};
	static const char *const events[] = {"CPU_CLK_UNHALTED.THREAD", "E0", "E1", "E2", "E3"};

	need(ctd_vendor_table_new(table));
	table->general_counters = 2;
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		const struct ctd_vendor_event event = {.name = events[i],
						       .description = "",
						       .config = 0x3c + i,
						       .counters = 0xff,
						       .fixed_counter = -1,
						       .latency = NAN};

		need(ctd_vendor_add_event(table, "", &event));
	}
	for (size_t i = 0; i < sizeof(metrics) / sizeof(*metrics); i++) {
		const struct ctd_vendor_metric metric = {.name = metrics[i].name,
							 .description = "",
							 .expression = metrics[i].formula,
							 .threshold = metrics[i].threshold,
							 .scale = 100,
							 .unit = "%",
							 .groups = "",
							 .sample_with = "",
							 .next = "",
							 .constraint = "",
							 .no_group = "",
							 .show_events = "",
							 .parent_name = "",
							 .parent = metrics[i].level - 2,
							 .level = metrics[i].level,
							 .file = ""};

		need(ctd_vendor_add_metric(table, &metric));
	}
}

/* @return how many groups rotate; each has @p ret_counters. */
static uint32_t make_vendor(struct ctd_strbuf *payload, uint32_t *ret_counters)
{
	const struct ctd_vendor_machine machine = {1, 6, NAN, NAN, 0};
	const struct ctd_vendor_cpu cpu = {"GenuineIntel-6-55-7", ""};
	const struct ctd_vendor_wish wish = {.level = 2};
	char why[CTD_VENDOR_WHY_BYTES];
	struct ctd_vendor_counting counting;
	struct ctd_vendor_table table;
	struct ctd_vendor_rotation rotation;
	struct ctd_vendor_set *set;
	uint32_t groups;

	make_table(&table);
	need(ctd_vendor_set_new(&table, &cpu, &machine, &set));
	need(ctd_vendor_rotation_make(&table, &cpu, set, &wish, &rotation, why));
	need(ctd_vendor_counting_make(&rotation, 4, &counting));
	need(ctd_vendor_recorded_add(&counting, &cpu, &machine, payload));
	groups = (uint32_t)counting.rotation.groups_count;
	*ret_counters = (uint32_t)counting.rotation.events_count;
	ctd_vendor_counting_free(&counting);
	ctd_vendor_rotation_free(&rotation);
	ctd_vendor_set_free(set);
	ctd_vendor_table_free(&table);
	return groups;
}

/* A snapshot at the end of each turn. With several core types all of them count the same. */
static struct recording vendor_recording(uint32_t core_types_count)
{
	auto_ctd_strbuf struct ctd_strbuf payload = {0};
	struct ctd_record_header header = {.source = "vendor", .read = CTD_READ_EACH};
	struct memory_file file = memory_file_new();
	struct ctd_record_vendor vendor;
	struct ctd_record_writer *writer;

	header.groups_count = make_vendor(&payload, &header.counters_count);
	header.core_types_count = core_types_count;
	for (uint32_t type = 0; type < core_types_count; type++)
		header.core_types[type] =
			(struct ctd_record_core_type){.name = "core",
						      .source = "vendor",
						      .counters_count = header.counters_count,
						      .groups_count = header.groups_count};
	need(ctd_record_create(file.path, &header, &writer));
	for (uint32_t type = 0; type < (core_types_count ? core_types_count : 1); type++) {
		vendor = (struct ctd_record_vendor){.payload = payload.text,
						    .bytes = payload.bytes,
						    .of_core_type = core_types_count > 0,
						    .core_type = type};
		need(ctd_record_write_vendor(writer, &vendor));
	}
	for (uint32_t i = 0; i <= header.groups_count; i++) {
		uint64_t ns = 20000000 * (uint64_t)i;
		struct ctd_snapshot_row row = {.cgroup_id = 7, .oncpu_ns = ns, .running_ns = ns};
		struct ctd_snapshot_cpu on = {.online = 1};
		struct ctd_snapshot snapshot = {.sequence = i + 1,
						.monotonic_ns = 1000000000 + ns,
						.counters_count = header.counters_count,
						.group = i % header.groups_count,
						.groups_count = header.groups_count,
						.in_between = i % header.groups_count != 0,
						.rows = &row,
						.rows_count = 1,
						.cpus = &on,
						.cpus_count = 1};

		for (uint32_t k = 0; k < header.counters_count; k++)
			row.count[k] = on.total[k] = on.attributed[k] = ns * (k + 1);
		need(ctd_record_write_snapshot(writer, &snapshot));
	}
	need(ctd_record_close(writer));
	return memory_file_take(&file);
}

int main(int argc, char **argv)
{
	struct recording recording = sample_recording(), hybrid = hybrid_recording(),
			 waits = waits_recording(), caches = caches_recording(),
			 vendor = vendor_recording(0), vendor_hybrid = vendor_recording(2);
	size_t header_end, plan_end, name_end;

	if (argc != 2) {
		fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
		return 2;
	}
	directory = argv[1];
	header_end = CTD_RECORD_PROLOGUE_BYTES +
		     block_bytes(recording.data, recording.bytes, CTD_RECORD_PROLOGUE_BYTES);
	plan_end = header_end + block_bytes(recording.data, recording.bytes, header_end);
	name_end = plan_end + block_bytes(recording.data, recording.bytes, plan_end);

	save("hybrid", hybrid.data, hybrid.bytes);
	save("caches", caches.data, caches.bytes);
	save("vendor", vendor.data, vendor.bytes);
	save("vendor_hybrid", vendor_hybrid.data, vendor_hybrid.bytes);
	save("waits", waits.data, waits.bytes);
	save("whole", recording.data, recording.bytes);
	save("header_only", recording.data, header_end);
	save("plan_only", recording.data, plan_end);
	save("one_name", recording.data, name_end);
	save("cut_in_header", recording.data, header_end / 2);
	save("cut_in_name", recording.data, name_end - 1);
	put_u32(recording.data + plan_end, 77);
	seal_block(recording.data, recording.bytes, plan_end);
	save("unknown_block", recording.data, recording.bytes);
	put_u32(recording.data + plan_end + FLAGS_AT, CTD_RECORD_REQUIRED);
	seal_block(recording.data, recording.bytes, plan_end);
	save("unknown_required", recording.data, recording.bytes);
	put_u32(recording.data + plan_end + BYTES_AT, UINT32_MAX);
	save("huge_block", recording.data, name_end);
	put_u32(recording.data + CTD_RECORD_MAGIC_BYTES, CTD_RECORD_VERSION + 1);
	save("newer_version", recording.data, header_end);
	save("foreign", (const unsigned char *)"comm retiring\n", 14);
	free(recording.data);
	free(hybrid.data);
	free(waits.data);
	free(caches.data);
	free(vendor.data);
	free(vendor_hybrid.data);
	return 0;
}
