/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* perfmon_text.h - Intel's formulas over short names, as formulas over the names themselves. */
#ifndef VENDOR_PERFMON_TEXT_H
#define VENDOR_PERFMON_TEXT_H

#include <jansson.h>

#include "base/strbuf.h"

/* Adds `Formula` with its `Events` and `Constants` in place of the letters that stand for them. */
void ctd_perfmon_formula_add(struct ctd_strbuf *text, const json_t *metric);

/* Adds `Threshold` over the names of metrics; nothing if it has none. */
void ctd_perfmon_threshold_add(struct ctd_strbuf *text, const json_t *metric);

#endif
