/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* reference.h - what a name in a vendor's formula stands for, if it is no metric. */
#ifndef VENDOR_REFERENCE_H
#define VENDOR_REFERENCE_H

#include <cgtopdown/vendor.h>

#define CTD_REFERENCE_WHY_BYTES 160

enum ctd_reference_kind {
	CTD_REFERENCE_COUNT,
	CTD_REFERENCE_NUMBER,
	CTD_REFERENCE_LATENCY, /* a number, too: the mean that the vendor has */
	CTD_REFERENCE_SECONDS, /* how long it was counted */
	CTD_REFERENCE_MILLISECONDS,
	CTD_REFERENCE_LACK,
};

struct ctd_reference {
	enum ctd_reference_kind kind;
	struct ctd_vendor_count count;
	double number;
	enum ctd_vendor_lack lack;
	char why[CTD_REFERENCE_WHY_BYTES];
};

/* The places of names. */
struct ctd_reference_scope {
	const struct ctd_vendor_table *table;
	const struct ctd_vendor_cpu *cpu;
	const struct ctd_vendor_machine *machine;
};

/* @p name: without backslashes, "#SMT_on", "cpu@EVENT,cmask=1@", "EVENT:c1". */
void ctd_reference_find(const struct ctd_reference_scope *scope, const char *name,
			struct ctd_reference *ret_reference);

/* constant.c: a literal, or what Intel's formulas call one. @return false: it is none. */
bool ctd_reference_find_constant(const struct ctd_vendor_machine *machine, const char *name,
				 struct ctd_reference *ret_reference);

#endif
