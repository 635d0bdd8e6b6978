/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rules.c - the unwind rules of all executables, each once. */
#include "profile/unwind/rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

#define NUMBERS ((size_t)2 * CTD_RULES_MAX)

struct ctd_rule_state {
	uint32_t holders; /* tables */
	bool taken; /* the number means the rule */
	bool changed; /* since it was asked for */
};

int ctd_unwind_rules_begin(struct ctd_unwind_rules *rules)
{
	rules->count = rules->free_from = CTD_RULES_FIXED;
	rules->rules = calloc(CTD_RULES_MAX, sizeof(*rules->rules));
	rules->states = calloc(CTD_RULES_MAX, sizeof(*rules->states));
	rules->numbers = calloc(NUMBERS, sizeof(*rules->numbers));
	if (rules->rules && rules->states && rules->numbers)
		return 0;
	ctd_unwind_rules_free(rules);
	return -ENOMEM;
}

/* The place of a rule in the hash table, or the free one where it belongs. */
static size_t find_place(const struct ctd_unwind_rules *rules, const struct ctd_unwind_rule *rule)
{
	size_t place = (size_t)ctd_hash(rule, sizeof(*rule)) % NUMBERS;

	while (rules->numbers[place] &&
	       memcmp(&rules->rules[rules->numbers[place]], rule, sizeof(*rule)) != 0)
		place = (place + 1) % NUMBERS;
	return place;
}

/* @return 0: there is none. Each number is looked at once between two releases, however many rows
 * ask for one. */
static size_t free_number(struct ctd_unwind_rules *rules)
{
	if (rules->count < CTD_RULES_MAX)
		return rules->count;
	while (rules->free_from < CTD_RULES_MAX && rules->states[rules->free_from].taken)
		rules->free_from++;
	return rules->free_from < CTD_RULES_MAX ? rules->free_from : 0;
}

int ctd_unwind_rules_add(struct ctd_unwind_rules *rules, const struct ctd_unwind_rule *rule,
			 size_t *left)
{
	size_t place = find_place(rules, rule), number;

	if (rules->numbers[place])
		return rules->numbers[place];
	number = *left ? free_number(rules) : 0;
	if (!number)
		return -ENOSPC;
	(*left)--;
	if (number == rules->count)
		rules->count++;
	rules->rules[number] = *rule;
	rules->states[number] = (struct ctd_rule_state){.taken = true, .changed = true};
	rules->numbers[place] = (uint16_t)number;
	return (int)number;
}

size_t ctd_unwind_rules_hold(struct ctd_unwind_rules *rules, const uint16_t *numbers, size_t count)
{
	size_t first = 0;

	for (size_t i = 0; i < count; i++)
		first += !rules->states[numbers[i]].holders++;
	return first;
}

void ctd_unwind_rules_release(struct ctd_unwind_rules *rules, const uint16_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		rules->states[numbers[i]].holders--;
	rules->free_from = CTD_RULES_FIXED;
	/* Nothing is taken out of a hash table whose entries may stand where others belong. */
	memset(rules->numbers, 0, NUMBERS * sizeof(*rules->numbers));
	for (size_t number = CTD_RULES_FIXED; number < rules->count; number++) {
		struct ctd_rule_state *state = &rules->states[number];

		state->taken = state->taken && state->holders;
		if (state->taken)
			rules->numbers[find_place(rules, &rules->rules[number])] = (uint16_t)number;
	}
}

size_t ctd_unwind_rules_changed(struct ctd_unwind_rules *rules, size_t *first)
{
	size_t count = 0;

	while (*first < rules->count && !rules->states[*first].changed)
		++*first;
	for (; *first + count < rules->count && rules->states[*first + count].changed; count++)
		rules->states[*first + count].changed = false;
	return count;
}

void ctd_unwind_rules_free(struct ctd_unwind_rules *rules)
{
	if (!rules)
		return;
	free(rules->rules);
	free(rules->states);
	free(rules->numbers);
	*rules = (struct ctd_unwind_rules){0};
}
