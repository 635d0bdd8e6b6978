/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* match.c - finds the rows of two profiles that have one name. */
#include <errno.h>
#include <string.h>

#include "base/auto.h"
#include "base/hash.h"
#include "base/intern.h"
#include "profile_sink/weights.h"

struct names {
	char **names; /* owned, with the names */
	size_t count;
	struct ctd_intern known;
};

struct wanted {
	const struct names *names;
	const char *name;
};

static void names_free(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->names[i]);
	free(names->names);
	ctd_intern_free(&names->known);
}

static bool is_name(size_t index, const void *context)
{
	const struct wanted *wanted = context;

	return strcmp(wanted->names->names[index], wanted->name) == 0;
}

static int find(struct names *names, const char *name, uint32_t *ret_at)
{
	struct wanted wanted = {names, name};
	uint64_t hash = ctd_hash(name, strlen(name));

	*ret_at = (uint32_t)ctd_intern_find(&names->known, hash, is_name, &wanted);
	if (*ret_at < names->known.count)
		return 0;
	if (ctd_intern_reserve(&names->known))
		return -ENOMEM;
	names->names[names->count] = strdup(name);
	if (!names->names[names->count])
		return -ENOMEM;
	names->count++;
	ctd_intern_add(&names->known, hash);
	return 0;
}

int ctd_profile_match_rows(const struct ctd_profile *profile, const struct ctd_profile *base,
			   uint32_t **ret_same)
{
	__attribute__((cleanup(names_free))) struct names names = {0};
	autofree uint32_t *same = malloc((base->rows_count + 1) * sizeof(*same));
	autofree uint32_t *at = NULL;
	size_t rows = profile->rows_count + base->rows_count;

	names.names = calloc(rows + 1, sizeof(*names.names));
	at = malloc((rows + 1) * sizeof(*at));
	if (!same || !names.names || !at)
		return -ENOMEM;
	for (size_t i = 0; i < rows; i++) {
		bool is_base = i >= profile->rows_count;
		autofree char *name = ctd_profile_row_name_of(profile, base, i);
		size_t known = names.count;
		uint32_t found;

		if (!name || find(&names, name, &found))
			return -ENOMEM;
		if (found == known)
			at[found] = (uint32_t)i;
		if (is_base)
			same[i - profile->rows_count] = at[found];
	}
	*ret_same = take_ptr(same);
	return 0;
}
