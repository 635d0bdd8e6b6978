/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* describe.h - says of a tag, as an event, the reason, the pods and the note. */
#ifndef SERVE_EVENTS_DESCRIBE_H
#define SERVE_EVENTS_DESCRIBE_H

#include <cgtopdown/ledger.h>
#include <cgtopdown/neighbour.h>

#include "base/strbuf.h"
#include "serve/events/event.h"

/* The event's reason while the tag stands, static; NULL: it is not to be told of, as it is the
 * victim's own doing. */
const char *ctd_k8s_event_reason(const struct ctd_neighbour_tag *tag);
/* The newest container of the account with this key, if it is one of a pod that an event can be
 * about, and has not ended; else NULL. */
const struct ctd_account_who *ctd_k8s_event_pod(const struct ctd_ledger_view *view,
						const char *key);
/* All of the event but its name, time and node. @p note: empty; has the words from here on. Without
 * memory it has failed. */
void ctd_k8s_event_stands(const struct ctd_neighbour_tag *tag, const struct ctd_account_who *victim,
			  const struct ctd_ledger_view *view, const char *node,
			  struct ctd_strbuf *note, struct ctd_k8s_event *ret_event);
/* The same when the tag stands no more. @p reason: that it was told with. */
void ctd_k8s_event_ended(enum ctd_mechanism mechanism, uint64_t since_ns, const char *reason,
			 const struct ctd_account_who *victim, struct ctd_strbuf *note,
			 struct ctd_k8s_event *ret_event);

#endif
