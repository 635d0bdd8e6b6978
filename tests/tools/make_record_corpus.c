/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* make_record_corpus.c - writes the seeds of fuzz_record into a directory:
 * tests/fuzz/corpus/record. */
#include <cgtopdown/record.h>

#include <stdio.h>

#include "../unit/snapshot/recording.h"

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

int main(int argc, char **argv)
{
	struct recording recording = sample_recording(), hybrid = hybrid_recording(),
			 waits = waits_recording();
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
	return 0;
}
