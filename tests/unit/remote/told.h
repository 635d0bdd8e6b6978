/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* told.h - views of a ledger as another process gets them. */
#ifndef TESTS_UNIT_REMOTE_TOLD_H
#define TESTS_UNIT_REMOTE_TOLD_H

#include "base/strbuf.h"
#include "remote/view.h"
#include "serve/web/view.h"
#include "unit/export/sample_view.h"

/* The newest view of a book, by way of its text. */
static inline struct ctd_remote_view told_by(const struct book *book)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	char why[CTD_REMOTE_WHY_BYTES] = "";
	struct ctd_remote_view view;

	assert_int_equal(ctd_view_json(book->view, &sample_self, &text), 0);
	if (ctd_remote_view_parse(text.text, text.bytes, &view, why))
		fail_msg("%s", why);
	return view;
}

#endif
