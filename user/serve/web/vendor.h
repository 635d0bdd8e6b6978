/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor.h - vendors' metrics of a ledger's view as JSON; nothing where none are asked for. */
#ifndef SERVE_WEB_VENDOR_H
#define SERVE_WEB_VENDOR_H

#include <cgtopdown/ledger.h>

#include "base/json.h"

/* What is counted, of the view; and what accounts that were fetched and are gone had. */
void ctd_view_add_vendor(struct ctd_json *json, const struct ctd_ledger_view *view);
/* Of an account: its totals, and those of the last interval. */
void ctd_view_add_vendor_total(struct ctd_json *json, const struct ctd_ledger_view *view,
			       const struct ctd_account *account);
void ctd_view_add_vendor_recent(struct ctd_json *json, const struct ctd_ledger_view *view,
				const struct ctd_account *account);

#endif
