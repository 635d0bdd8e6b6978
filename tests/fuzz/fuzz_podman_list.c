/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_podman_list.c - no list of containers of Podman makes its reader crash. */
#include "disk.h"

extern const struct ctd_runtime ctd_runtime_podman;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	disk_put("/var/lib/containers/storage/overlay-containers/containers.json", data, bytes);
	disk_read_names(&ctd_runtime_podman);
	return 0;
}
