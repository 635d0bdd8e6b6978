/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* match.c - finds the rows of two profiles that are of one and the same. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/known.h"
#include "profile_sink/weights.h"

/* What rows are known by. */
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

/* The whole id of a container that has no name; else "". */
static const char *id_of(const struct ctd_rollup_row *row)
{
	const struct ctd_names *names = row->identity ? &row->identity->names : NULL;

	if (row->kind != CTD_ROLLUP_CONTAINER || !names || ctd_known(names->container_name) ||
	    (names->sandbox && ctd_known(names->pod_name)))
		return "";
	return row->identity->container_id;
}

/* What a row is known by in any recording: the name that people read, and the namespace, which is
 * not always in it: pods of several may have one name. */
static char *key_of(const struct ctd_profile *profile, const struct ctd_profile *base, size_t at)
{
	const struct ctd_rollup_row *row = at < profile->rows_count
						   ? profile->rows[at].row
						   : base->rows[at - profile->rows_count].row;
	autofree char *name = ctd_profile_row_name_of(profile, base, at);
	char *key;

	if (!name ||
	    asprintf(&key, "%s\n%s\n%s", name,
		     ctd_or_empty(row->identity ? row->identity->names.namespace_name : NULL),
		     id_of(row)) < 0)
		return NULL;
	return key;
}

int ctd_profile_match_rows(const struct ctd_profile *profile, const struct ctd_profile *base,
			   uint32_t **ret_same)
{
	__attribute__((cleanup(names_free))) struct names names = {0};
	size_t rows = profile->rows_count + base->rows_count;
	autofree uint32_t *same = malloc((rows + 1) * sizeof(*same));
	autofree uint32_t *at = malloc((rows + 1) * sizeof(*at));

	names.names = calloc(rows + 1, sizeof(*names.names));
	if (!same || !names.names || !at)
		return -ENOMEM;
	for (size_t i = 0; i < rows; i++) {
		autofree char *name = key_of(profile, base, i);
		size_t known = names.count;
		uint32_t found;

		if (!name || find(&names, name, &found))
			return -ENOMEM;
		if (found == known)
			at[found] = (uint32_t)i;
		same[i] = at[found];
	}
	*ret_same = take_ptr(same);
	return 0;
}
