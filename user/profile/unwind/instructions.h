/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* instructions.h - runs a function's call frame instructions: from each pc on, one rule. */
#ifndef PROFILE_UNWIND_INSTRUCTIONS_H
#define PROFILE_UNWIND_INSTRUCTIONS_H

#include <cgtopdown/profile_abi.h>
#include <stdint.h>

#include "profile/unwind/entry.h"
#include "profile/unwind/machine.h"

/* From @p pc on a rule holds: a made one, or, with @p rule NULL, a fixed one. @return 0, or an
 * error that ends the run. */
typedef int ctd_unwind_row(void *context, uint64_t pc, const struct ctd_unwind_rule *rule,
			   enum ctd_unwind_fixed_rule fixed);

/*
 * Calls @p row for the function's start and each later pc in it where an instruction may have
 * changed the rule, in ascending order. What cannot be read is CTD_RULE_UNSUPPORTED up to the end.
 * @return 0 or what @p row returned.
 */
int ctd_unwind_run(const struct ctd_fde *fde, const struct ctd_unwind_machine *machine,
		   ctd_unwind_row *row, void *context);

#endif
