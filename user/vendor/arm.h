/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* arm.h - which core a telemetry specification is of. */
#ifndef VENDOR_ARM_H
#define VENDOR_ARM_H

#include <stddef.h>
#include <stdint.h>

struct ctd_vendor_product {
	uint64_t implementer, part; /* as MIDR_EL1 has them */
	uint64_t revision; /* variant << 4 | revision */
};

/* @return 0, or -ENOENT: it is of none. */
int ctd_vendor_arm_product(const char *text, size_t bytes, struct ctd_vendor_product *ret_product);

#endif
