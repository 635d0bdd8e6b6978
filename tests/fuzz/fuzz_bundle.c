/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_bundle.c - no bundle of a container makes its readers crash. */
#include "disk.h"

extern const struct ctd_runtime ctd_runtime_containerd, ctd_runtime_crio;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	disk_put("/run/containerd/io.containerd.runtime.v2.task/k8s.io/" FUZZ_ID "/config.json",
		 data, bytes);
	disk_put("/run/containers/storage/overlay-containers/" FUZZ_ID "/userdata/config.json",
		 data, bytes);
	disk_read_names(&ctd_runtime_containerd);
	disk_read_names(&ctd_runtime_crio);
	disk_put("/run/containerd/io.containerd.runtime.v2.task/default/c/config.json", data,
		 bytes);
	disk_read_named(&ctd_runtime_containerd, "/default/c");
	return 0;
}
