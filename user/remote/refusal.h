/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* refusal.h - what an API server of Kubernetes says where it does not pass a request on. */
#ifndef REMOTE_REFUSAL_H
#define REMOTE_REFUSAL_H

#include <stdbool.h>
#include <stddef.h>

#include "remote/view.h"

/* In one line. @p text: of an answer with an error's status; NULL where it has no bytes. @return
 * false: it is no API server's. */
bool ctd_remote_refusal_read(const char *text, size_t bytes, char ret_why[CTD_REMOTE_WHY_BYTES]);

#endif
