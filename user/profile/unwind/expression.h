/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* expression.h - recognises the few DWARF expressions that compilers and assembly write in
 * .eh_frame. */
#ifndef PROFILE_UNWIND_EXPRESSION_H
#define PROFILE_UNWIND_EXPRESSION_H

#include <cgtopdown/profile_abi.h>

#include "profile/elf/bytes.h"
#include "profile/unwind/machine.h"

/* Sets the CFA's part of @p ret_rule. @return 0, or -ENOTSUP for an expression that is none of
 * them. */
int ctd_expression_cfa(struct ctd_bytes expression, const struct ctd_unwind_machine *machine,
		       struct ctd_unwind_rule *ret_rule);
/* A saved register's address as sp or fp plus an offset. @return 0 or -ENOTSUP. */
int ctd_expression_where(struct ctd_bytes expression, const struct ctd_unwind_machine *machine,
			 enum ctd_unwind_where *ret_where, int64_t *ret_offset);

#endif
