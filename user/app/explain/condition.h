/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* condition.h - when a node is worth a look, in words. */
#ifndef APP_EXPLAIN_CONDITION_H
#define APP_EXPLAIN_CONDITION_H

#include <cgtopdown/cpu.h>

#include "base/strbuf.h"

/* "above 20%, if backend_bound is above 20%"; what is no comparison stands as it is written. */
void ctd_condition_add(struct ctd_strbuf *text, const struct ctd_node *node);

#endif
