/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* functions.h - what is known of the functions of the row that has its own screen. */
#ifndef TOP_FUNCTIONS_H
#define TOP_FUNCTIONS_H

#include "remote/functions.h"

/* Neither known nor why: no answer yet. */
struct ctd_top_functions {
	bool known;
	struct ctd_remote_functions of_row; /* owned */
	char why[CTD_REMOTE_WHY_BYTES]; /* not "": they cannot be had */
};

#endif
