/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* label.h - labels as metrics texts have them. */
#ifndef BASE_LABEL_H
#define BASE_LABEL_H

#include "base/strbuf.h"

/*
 * Adds name="value", after a comma if there is text already; nothing without a value. The value is
 * quoted by the rules of Prometheus' text format, which are OpenMetrics' as well; it is UTF-8.
 */
void ctd_label_add(struct ctd_strbuf *labels, const char *name, const char *value);

#endif
