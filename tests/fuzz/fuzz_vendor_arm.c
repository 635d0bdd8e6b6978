/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_vendor_arm.c - no telemetry specification of Arm's does harm. */
#include "vendor.h"
#include "vendor/arm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct ctd_vendor_product product;

	check_file(ctd_vendor_read_arm, data, bytes, true);
	if (ctd_vendor_arm_product((const char *)data, bytes, &product) == 0)
		assert(product.implementer && product.implementer < 256 && product.part < 4096);
	return 0;
}
