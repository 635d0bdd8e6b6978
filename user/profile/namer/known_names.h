/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* known_names.h - names of functions that were asked for lately, as they are shown. */
#ifndef PROFILE_NAMER_KNOWN_NAMES_H
#define PROFILE_NAMER_KNOWN_NAMES_H

#include <stdint.h>

#include "profile/symbols/symbols.h"

/* Many processes run the same functions, and each has them named for itself: to read and to
 * demangle a name takes longer than all else that is done for a frame. */
#define CTD_KNOWN_NAMES 4096
/* Longer ones are not kept. */
#define CTD_KNOWN_NAME_BYTES 512

/* Begin with {0}. */
struct ctd_known_names {
	struct ctd_known_name {
		uint64_t serial, start; /* of the symbols, and of the function */
		char *name; /* owned; NULL: there is none here */
	} * names; /* owned: CTD_KNOWN_NAMES of them; NULL: none was kept */
};

/* @return the name, borrowed until another one is kept, or NULL. */
const char *ctd_known_names_find(const struct ctd_known_names *known,
				 const struct ctd_symbols *symbols,
				 const struct ctd_symbol *symbol);
/* In the place of another one, which may have to go. Without memory it is not kept. */
void ctd_known_names_keep(struct ctd_known_names *known, const struct ctd_symbols *symbols,
			  const struct ctd_symbol *symbol, const char *name);
void ctd_known_names_free(struct ctd_known_names *known);

#endif
