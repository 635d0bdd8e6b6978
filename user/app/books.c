/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* books.c - from one snapshot to the next: interval, report, ledger, view. */
#include "app/books.h"

#include <errno.h>
#include <stdlib.h>

#include "base/log.h"

int ctd_books_open(const struct ctd_ledger_options *options, const struct ctd_record_header *header,
		   const struct ctd_identities *identities, struct ctd_snapshot *first,
		   struct ctd_books *ret_books)
{
	struct ctd_books books = {.header = header, .identities = identities, .before = *first};
	const char *name = header->model;
	int error = 0;

	if (header->core_types_count > 1 && *name)
		error = ctd_report_combine(header, &books.combined, &name);
	if (!error)
		error = ctd_ledger_new(options, first->realtime_ns, &books.ledger);
	if (error) {
		ctd_books_close(&books);
		return ctd_log_error(error, "open the ledger");
	}
	books.model = books.combined;
	if (!books.model && *name)
		books.model = ctd_cpu_model_find(name);
	*ret_books = books;
	return 0;
}

/* Adds what happened since the last snapshot to what is open. */
static int subtract(struct ctd_books *books, const struct ctd_snapshot *snapshot)
{
	const int *l1_counters = books->model ? books->model->l1_counters : NULL;
	struct ctd_interval interval;
	int error = ctd_interval_make(&books->before, snapshot, l1_counters, &interval);

	if (error)
		return error;
	if (books->open.groups_count) {
		error = ctd_interval_add(&books->open, &interval);
		ctd_interval_free(&interval);
	} else {
		books->open = interval;
	}
	return error;
}

/* Nothing of a report is in the ledger where this fails. */
static int enter_open(struct ctd_books *books)
{
	static const struct ctd_report_options options = {.by = CTD_GROUP_CONTAINER,
							  .unsorted = true};
	struct ctd_report report;
	int error = ctd_report_make(&books->open, books->header, books->model, books->identities,
				    NULL, NULL, &options, &report);

	if (error)
		return error;
	error = ctd_ledger_follow(books->ledger, books->identities);
	if (!error)
		error = ctd_ledger_add(books->ledger, &report);
	ctd_report_free(&report);
	return error;
}

/* One line when it begins, one when it is over. */
static void tell(struct ctd_books *books, int error)
{
	if (error == -EBADMSG)
		books->lost = true;
	if (error && !books->failing)
		ctd_log_error(error,
			      books->lost ? "enter an interval, which is lost"
					  : "enter an interval; it is tried again with the next");
	else if (!error && books->failing)
		ctd_info("intervals are entered again%s", books->lost ? "; there is a gap" : "");
	books->failing = error;
	books->lost &= books->failing;
}

const struct ctd_ledger_view *ctd_books_enter(struct ctd_books *books,
					      struct ctd_snapshot *snapshot)
{
	const struct ctd_ledger_view *view = NULL;
	bool goes_on = snapshot->in_between;
	int error = subtract(books, snapshot);

	/* Without memory the older snapshot stays, and the next interval begins there. One that is
	 * of other counters would never fit. */
	if (error && error != -EBADMSG) {
		ctd_snapshot_free(snapshot);
		tell(books, error);
		return NULL;
	}
	ctd_snapshot_free(&books->before);
	books->before = *snapshot;
	if (!error && goes_on)
		return NULL;
	if (!error)
		error = enter_open(books);
	if (!error) {
		ctd_interval_free(&books->open);
		books->open = (struct ctd_interval){};
		error = ctd_ledger_view(books->ledger, &view);
	}
	tell(books, error);
	return view;
}

void ctd_books_close(struct ctd_books *books)
{
	ctd_ledger_free(books->ledger);
	ctd_snapshot_free(&books->before);
	ctd_interval_free(&books->open);
	free(books->combined);
	*books = (struct ctd_books){};
}
