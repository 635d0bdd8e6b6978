/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_docker_state.c - no state of a container of Docker makes its reader crash. */
#include "disk.h"

extern const struct ctd_runtime ctd_runtime_docker;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	disk_put("/var/lib/docker/containers/" FUZZ_ID "/config.v2.json", data, bytes);
	disk_read_names(&ctd_runtime_docker);
	return 0;
}
