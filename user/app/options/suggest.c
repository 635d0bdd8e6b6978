/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* suggest.c - finds the name that takes the fewest edits to reach. */
#include "app/options/suggest.h"

#include <string.h>

#define NAME_BYTES_MAX 32

static size_t min(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Letters added, left out or changed between two names (Levenshtein), row by row. */
static size_t distance(const char *a, const char *b)
{
	size_t row[NAME_BYTES_MAX + 1], b_bytes = strlen(b);

	for (size_t j = 0; j <= b_bytes; j++)
		row[j] = j;
	for (size_t i = 1; *a; a++, i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b_bytes; j++) {
			size_t changed = diagonal + (*a != b[j - 1]);

			diagonal = row[j];
			row[j] = min(changed, min(row[j], row[j - 1]) + 1);
		}
	}
	return row[b_bytes];
}

/* A third of the letters may be wrong, or one; a beginning of at least two is as good as one wrong.
 */
void ctd_suggestion_try(struct ctd_suggestion *suggestion, const char *name)
{
	size_t given_bytes = strlen(suggestion->given), edits, most;

	if (given_bytes > NAME_BYTES_MAX || strlen(name) > NAME_BYTES_MAX)
		return;
	edits = distance(suggestion->given, name);
	if (given_bytes >= 2 && strncmp(suggestion->given, name, given_bytes) == 0)
		edits = min(edits, 1);
	most = given_bytes < 6 ? 1 : given_bytes / 3;
	if (edits > most || edits >= strlen(name))
		return;
	if (!suggestion->nearest || edits < suggestion->distance) {
		suggestion->nearest = name;
		suggestion->distance = edits;
	}
}
