/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* books.h - snapshots entered into a ledger, whatever fails on the way. */
#ifndef APP_BOOKS_H
#define APP_BOOKS_H

#include <cgtopdown/ledger.h>
#include <cgtopdown/record.h>
#include <stdbool.h>

struct ctd_books {
	struct ctd_ledger *ledger; /* owned */
	const struct ctd_record_header *header; /* borrowed */
	const struct ctd_identities *identities; /* borrowed */
	const struct ctd_cpu_model *model; /* NULL: none */
	struct ctd_cpu_model *combined; /* owned; that of all kinds of cores; NULL: there is one */
	struct ctd_snapshot before; /* owned; up to which everything is in `open` or the ledger */
	struct ctd_interval open; /* owned; what is not in the ledger yet; no groups: nothing */
	bool failing; /* the last interval could not be entered */
	bool lost; /* nor can it ever be: since `failing` one did not fit */
};

/* @p first: taken over, also where it fails. Logs. @return 0 or negative errno. */
int ctd_books_open(const struct ctd_ledger_options *options, const struct ctd_record_header *header,
		   const struct ctd_identities *identities, struct ctd_snapshot *first,
		   struct ctd_books *ret_books);

/*
 * Enters what happened up to @p snapshot, which is taken over. What cannot be entered, for want of
 * memory, is entered with the next one, and a line says so. Of cgroups that are gone by then, that
 * one has to have the rows still: ctd_kern_keep().
 * @return the ledger's new view, the caller's; NULL: none, it failed or the interval goes on.
 */
const struct ctd_ledger_view *ctd_books_enter(struct ctd_books *books,
					      struct ctd_snapshot *snapshot);
void ctd_books_close(struct ctd_books *books);

#endif
