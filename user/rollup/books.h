/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* books.h - slots of each core type as a whole. Private to user/rollup/. */
#ifndef ROLLUP_BOOKS_H
#define ROLLUP_BOOKS_H

#include <cgtopdown/rollup.h>

/* Fills rollup.books. They cover every row, filtered or not, so that the sums hold. */
void ctd_rollup_keep_books(const struct ctd_interval *interval, struct ctd_rollup *rollup);

#endif
