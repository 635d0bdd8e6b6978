/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rules.c - the unwind rules of all executables, each once. */
#include "profile/unwind/rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

#define NUMBERS ((size_t)2 * CTD_RULES_MAX)

int ctd_unwind_rules_begin(struct ctd_unwind_rules *rules)
{
	rules->count = CTD_RULES_FIXED;
	rules->rules = calloc(CTD_RULES_MAX, sizeof(*rules->rules));
	rules->numbers = calloc(NUMBERS, sizeof(*rules->numbers));
	if (rules->rules && rules->numbers)
		return 0;
	ctd_unwind_rules_free(rules);
	return -ENOMEM;
}

int ctd_unwind_rules_add(struct ctd_unwind_rules *rules, const struct ctd_unwind_rule *rule,
			 size_t count_max)
{
	size_t place = (size_t)ctd_hash(rule, sizeof(*rule)) % NUMBERS;

	for (; rules->numbers[place]; place = (place + 1) % NUMBERS)
		if (!memcmp(&rules->rules[rules->numbers[place]], rule, sizeof(*rule)))
			return rules->numbers[place];
	if (rules->count >= count_max || rules->count == CTD_RULES_MAX)
		return -ENOSPC;
	rules->rules[rules->count] = *rule;
	rules->numbers[place] = (uint16_t)rules->count;
	return (int)rules->count++;
}

void ctd_unwind_rules_free(struct ctd_unwind_rules *rules)
{
	if (!rules)
		return;
	free(rules->rules);
	free(rules->numbers);
	*rules = (struct ctd_unwind_rules){0};
}
