/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rules.h - the unwind rules of all executables, each once. */
#ifndef PROFILE_UNWIND_RULES_H
#define PROFILE_UNWIND_RULES_H

#include <cgtopdown/profile_abi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctd_unwind_rules {
	struct ctd_unwind_rule *rules; /* owned, CTD_RULES_MAX of them, by their numbers */
	size_t count; /* one more than the largest number that was given */
	size_t free_from; /* all numbers below are taken, until some are released */
	struct ctd_rule_state *states; /* owned, by number */
	uint16_t *numbers; /* owned: hash table of numbers; 0: free */
};

/* With the fixed rules. @return 0 or -ENOMEM. */
int ctd_unwind_rules_begin(struct ctd_unwind_rules *rules);
/* The number of a rule, which is added unless it is there: that makes *left one less. @return it,
 * or -ENOSPC if nothing is left, of *left or of CTD_RULES_MAX. */
int ctd_unwind_rules_add(struct ctd_unwind_rules *rules, const struct ctd_unwind_rule *rule,
			 size_t *left);
/* A table holds the rules that are in it. @return how many no other one holds. */
size_t ctd_unwind_rules_hold(struct ctd_unwind_rules *rules, const uint16_t *numbers, size_t count);
/* It does not any more: numbers that no table holds are given again. Only while none is made. NULL
 * and 0: of what was made nothing came. */
void ctd_unwind_rules_release(struct ctd_unwind_rules *rules, const uint16_t *numbers,
			      size_t count);
/* The next numbers, from *first on, whose rules are others since this was asked for them. Begin
 * with *first = 0, then where the last ones end. @return how many, 0 at the end. */
size_t ctd_unwind_rules_changed(struct ctd_unwind_rules *rules, size_t *first);
void ctd_unwind_rules_free(struct ctd_unwind_rules *rules);
#define auto_ctd_unwind_rules __attribute__((cleanup(ctd_unwind_rules_free)))

#endif
