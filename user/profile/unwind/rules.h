/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rules.h - the unwind rules of all executables, each once. */
#ifndef PROFILE_UNWIND_RULES_H
#define PROFILE_UNWIND_RULES_H

#include <cgtopdown/profile_abi.h>
#include <stddef.h>
#include <stdint.h>

/* Rules are only added: what was copied into the kernel up to some number stays right. */
struct ctd_unwind_rules {
	struct ctd_unwind_rule *rules; /* owned, CTD_RULES_MAX of them, by their numbers */
	size_t count;
	uint16_t *numbers; /* owned: hash table of numbers; 0: free */
};

/* With the fixed rules. @return 0 or -ENOMEM. */
int ctd_unwind_rules_begin(struct ctd_unwind_rules *rules);
/* The number of a rule, which is added unless it is there. @return it, or -ENOSPC if it would be
 * the first above @p count_max or CTD_RULES_MAX. */
int ctd_unwind_rules_add(struct ctd_unwind_rules *rules, const struct ctd_unwind_rule *rule,
			 size_t count_max);
void ctd_unwind_rules_free(struct ctd_unwind_rules *rules);
#define auto_ctd_unwind_rules __attribute__((cleanup(ctd_unwind_rules_free)))

#endif
