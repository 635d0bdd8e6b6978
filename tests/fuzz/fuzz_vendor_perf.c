/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_vendor_perf.c - no file of events and metrics in perf's format does harm. */
#include "vendor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	check_file(ctd_vendor_read_perf, data, bytes, false);
	check_file(ctd_vendor_read_perf, data, bytes, true);
	return 0;
}
