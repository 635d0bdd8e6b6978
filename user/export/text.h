/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* text.h - pieces of a metrics text, written without a detour, as there are many. */
#ifndef EXPORT_TEXT_H
#define EXPORT_TEXT_H

#include <cgtopdown/export.h>

/* Without memory, text->failed is set, and nothing more is added. */
void ctd_export_add(struct ctd_export *text, const char *piece);
void ctd_export_add_bytes(struct ctd_export *text, const char *bytes, size_t count);
void ctd_export_add_count(struct ctd_export *text, uint64_t count);
void ctd_export_add_signed(struct ctd_export *text, int64_t count);
/* As seconds, to the nanosecond: "1.5", "0.000000001". */
void ctd_export_add_seconds(struct ctd_export *text, uint64_t ns);

#endif
