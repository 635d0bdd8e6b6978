/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_budget.h - the block of what the measurement itself may cost, ahead of the snapshot. */
#ifndef SNAPSHOT_RECORD_BUDGET_H
#define SNAPSHOT_RECORD_BUDGET_H

#include "record_held.h"

/* Size of the payload. */
#define CTD_RECORD_BUDGET_BYTES (CTD_RECORD_LIST_BYTES + sizeof(struct ctd_budget_state))

void ctd_record_put_budget(struct ctd_record_cursor *cursor, const struct ctd_snapshot *snapshot);
/* The snapshot gets what is held for it. @return 0, or -EBADMSG: it is of none, or damaged. */
int ctd_record_take_budget(struct ctd_record_held *held, struct ctd_snapshot *snapshot);

#endif
