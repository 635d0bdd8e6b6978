/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* functions.c - adds stacks up by their innermost functions. */
#include "profile_sink/functions.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "profile_sink/weights.h"

static int compare_index(const void *left, const void *right)
{
	const struct ctd_profile_function *a = left, *b = right;

	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

static int compare_weight(const void *left, const void *right)
{
	const struct ctd_profile_function *a = left, *b = right;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	if (a->whole != b->whole)
		return a->whole > b->whole ? -1 : 1;
	return compare_index(left, right);
}

static struct ctd_profile_function *add_row(const struct ctd_profile *profile,
					    const struct ctd_profile_row *row,
					    const struct ctd_weight *weight,
					    struct ctd_profile_function *at)
{
	const struct ctd_weight whole = {row->slots_known ? CTD_WEIGHT_SLOTS : CTD_WEIGHT_CPU, 0};

	for (size_t i = 0; i < row->stacks_count; i++) {
		size_t frames;
		uint32_t place = *ctd_profile_frames(profile, &row->stacks[i], &frames);

		*at++ = (struct ctd_profile_function){
			.function = profile->stacks->functions[place].whole,
			.place = place,
			.weight = ctd_weight_of(weight, &row->stacks[i]),
			.whole = ctd_weight_of(&whole, &row->stacks[i]),
			.samples = row->stacks[i].samples,
		};
	}
	return at;
}

/* Those that follow each other and have one place, or one function. @return how many are left. */
static size_t put_same_together(struct ctd_profile_function *functions, size_t count, bool places)
{
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		struct ctd_profile_function *last = left ? &functions[left - 1] : NULL,
					    one = functions[i];

		if (!last || last->function != one.function ||
		    (places && last->place != one.place)) {
			functions[left] = one;
			functions[left++].place_weight = one.weight;
			continue;
		}
		if (!places && one.weight > last->place_weight) {
			last->place = one.place;
			last->place_weight = one.weight;
		}
		last->weight += one.weight;
		last->whole += one.whole;
		last->samples += one.samples;
	}
	return left;
}

int ctd_profile_functions(const struct ctd_profile *profile, const struct ctd_profile_row *rows,
			  size_t rows_count, const struct ctd_weight *weight,
			  struct ctd_profile_function **ret_functions, size_t *ret_count)
{
	struct ctd_profile_function *functions, *end;
	size_t stacks = 0;

	for (size_t i = 0; i < rows_count; i++)
		stacks += rows[i].stacks_count;
	functions = end = malloc((stacks + 1) * sizeof(*functions));
	if (!functions)
		return -ENOMEM;
	for (size_t i = 0; i < rows_count; i++)
		end = add_row(profile, &rows[i], weight, end);
	qsort(functions, stacks, sizeof(*functions), compare_index);
	*ret_count =
		put_same_together(functions, put_same_together(functions, stacks, true), false);
	qsort(functions, *ret_count, sizeof(*functions), compare_weight);
	*ret_functions = functions;
	return 0;
}
