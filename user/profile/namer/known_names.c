/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* known_names.c - names of functions that were asked for lately, as they are shown. */
#include "profile/namer/known_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

static size_t place_of(const struct ctd_symbols *symbols, const struct ctd_symbol *symbol)
{
	const uint64_t key[] = {symbols->names.serial, symbol->start};

	return ctd_hash(key, sizeof(key)) % CTD_KNOWN_NAMES;
}

const char *ctd_known_names_find(const struct ctd_known_names *known,
				 const struct ctd_symbols *symbols, const struct ctd_symbol *symbol)
{
	const struct ctd_known_name *one;

	if (!known->names)
		return NULL;
	one = &known->names[place_of(symbols, symbol)];
	return one->serial == symbols->names.serial && one->start == symbol->start ? one->name
										   : NULL;
}

void ctd_known_names_keep(struct ctd_known_names *known, const struct ctd_symbols *symbols,
			  const struct ctd_symbol *symbol, const char *name)
{
	struct ctd_known_name *one;

	if (!known->names)
		known->names = calloc(CTD_KNOWN_NAMES, sizeof(*known->names));
	if (!known->names || strlen(name) >= CTD_KNOWN_NAME_BYTES)
		return;
	one = &known->names[place_of(symbols, symbol)];
	free(one->name);
	*one = (struct ctd_known_name){symbols->names.serial, symbol->start, strdup(name)};
}

void ctd_known_names_free(struct ctd_known_names *known)
{
	for (size_t i = 0; known->names && i < CTD_KNOWN_NAMES; i++)
		free(known->names[i].name);
	free(known->names);
	known->names = NULL;
}
