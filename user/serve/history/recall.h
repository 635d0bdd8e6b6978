/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* recall.h - answers questions about a history's times, one after the other, by a thread. */
#ifndef SERVE_HISTORY_RECALL_H
#define SERVE_HISTORY_RECALL_H

#include "serve/ask.h"
#include "serve/history/answer.h"

/* The directory is read as `report` would: what is written to it at the same time does not wait. */
struct ctd_recall;
/* @p directory: borrowed. Starts the thread. Logs. @return 0 or negative errno. */
int ctd_recall_new(const char *directory, struct ctd_recall **ret_recall);
/* @p question is copied; @p ready is called when there is an answer, whose error may be that of
 * ctd_history_answer(). From any thread. @return 0, -EBUSY: too many ask, or -ENOMEM. */
int ctd_recall_ask(struct ctd_recall *recall, const struct ctd_history_question *question,
		   void (*ready)(void *context), void *context, uint64_t now_ns,
		   struct ctd_ask **ret_ask);
/* Call when nothing asks any more. Waits for the thread, which may wait for a disk. NULL is fine. */
void ctd_recall_free(struct ctd_recall *recall);

#endif
