/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_vendor_map.c - no map of processors leads out of its folder, or does harm. */
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "vendor/find.h"

#define FOLDER "/nowhere/of/vendors"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void check_map(const uint8_t *data, size_t bytes, const char *id, const char *pmu)
{
	struct ctd_vendor_cpu cpu = {0};
	struct ctd_vendor_files files = {0};
	char *text = malloc(bytes + 1);
	int r;

	assert(text);
	memcpy(text, data, bytes);
	text[bytes] = 0;
	strcpy(cpu.id, id);
	strcpy(cpu.pmu, pmu);
	r = ctd_vendor_map_read(&files, FOLDER "/mapfile.csv", text, &cpu);
	assert(r == 0 || r == -ENOMEM);
	for (size_t i = 0; i < files.count; i++) {
		assert(strncmp(files.files[i].path, FOLDER "/", strlen(FOLDER "/")) == 0);
		assert(!strstr(files.files[i].path, ".."));
	}
	ctd_vendor_files_free(&files);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	check_map(data, bytes, "GenuineIntel-6-97-2", "cpu_atom");
	check_map(data, bytes, "0x00000000410fd493", "");
	return 0;
}
