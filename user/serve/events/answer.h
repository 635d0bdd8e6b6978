/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* answer.h - what an API server of Kubernetes says of an event. */
#ifndef SERVE_EVENTS_ANSWER_H
#define SERVE_EVENTS_ANSWER_H

#include <stddef.h>

#include "serve/push/answer.h"

/* Of an HTTP status. */
enum ctd_push_verdict ctd_k8s_event_judge(long status);
/* What to do about a refusal, behind what the server says; "": nothing in particular. Static. */
const char *ctd_k8s_event_remedy(long status);
/* The message of the Status in the body of a refusal, else the body, as one line of ASCII that
 * prints. */
void ctd_k8s_event_answer_read(const char *body, size_t bytes, struct ctd_push_answer *ret_answer);

#endif
